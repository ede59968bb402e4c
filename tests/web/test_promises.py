"""A promise whose time has come is read where one looks, at every size."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from bohn.rules.beans import Bean
from bohn.rules.commands import MakePromise
from tests.web.support.markets import Market
from tests.web.support.rooms import boxes
from tests.web.support.unserved import Opening
from tests.web.support.walking import SIZES

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

LANGUAGES = ["en", "de", "is", "it", "ja", "ru", "sv"]

WHOLE = """words => {
  const { left, right, top, bottom } = words.getBoundingClientRect();
  return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight
    && words.scrollHeight <= words.clientHeight + 1 && words.scrollWidth <= words.clientWidth + 1;
}"""


def promised(starter: int) -> Market:
    """Return the market of a seat in which Bert has promised the viewer something, and hopes for a return."""
    market = Market(starter)
    market.do(MakePromise(1, 0, (Bean.BLACK_EYED,), (Bean.GARDEN,), "this-turn"))
    return market


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("starter", [0, 1])
def test_promise_that_is_due_is_read_and_glows_at_the_seat(opened: Opening, size: str, starter: int) -> None:
    """In the market of either of the two, and no other; where the bar has other words only the seat glows."""
    table = opened(SIZES[size])
    table.show(replace(promised(starter).still(), told=()))  # it was made a while ago
    said = table.page.locator("[data-said]").filter(has_text="Remember: Bert")

    if starter == 0 or size in ("small", "wide"):
        expect(said).to_be_in_viewport(ratio=1)
    expect(table.page.locator("[data-seat='1'] .due")).to_be_visible()
    table.show(replace(promised(2).still(), told=()))
    expect(said).to_have_count(0)
    expect(table.page.locator("[data-seat='1'] .due")).to_have_count(0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_promise_that_is_due_is_whole_on_a_phone(on_phone: Opening, language: str) -> None:
    """In every language, and the bar keeps its height."""
    table = on_phone(language)
    table.show(Market(0).still())
    before = boxes(table, ".context .buttons")[0]["top"]
    table.show(promised(0).still())

    assert table.page.locator(".context .said").evaluate(WHOLE)
    assert boxes(table, ".context .buttons")[0]["top"] == pytest.approx(before, abs=1)

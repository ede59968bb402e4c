"""Those who would take an open offer of the viewer: their buttons have room where offers have little."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from bohn.i18n import available
from bohn.rules.beans import Bean
from tests.web.support.markets import Market
from tests.web.support.states import fullest
from tests.web.support.unserved import Opening
from tests.web.support.walking import SIZES, faults

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

WINDOWS: dict[str, dict[str, Any]] = {
    "low": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
    "slender": {"viewport": {"width": 320, "height": 640}, "is_mobile": True, "has_touch": True},
}
"""Windows in which the offers of a table of seven have little room."""

CHILI = {2: "Chiyo", 3: "Dagur", 4: "Elio", 5: "Freja"}
"""Who has a chili bean in the deal of these tests, by seat."""

LAID_OVER = """() => {
  const box = one => one.getBoundingClientRect();
  const all = [...document.querySelectorAll("[data-offer]")].map(one => [one.id, box(one)]);
  const across = (a, b) => a.left < b.right - 1 && b.left < a.right - 1;
  const down = (a, b) => a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const over = (a, b) => across(a, b) && down(a, b);
  return all.flatMap(
    ([id, a], at) => all.slice(at + 1).filter(([, b]) => over(a, b)).map(([other]) => [id, other]),
  );
}"""
"""Offers that lie over each other."""


@pytest.mark.parametrize("language", ["en", "de", "sv"])
@pytest.mark.parametrize("claimers", [(3, 4), (2, 3, 4), (2, 3, 4, 5)])
@pytest.mark.parametrize("window", WINDOWS)
def test_claimers_all_have_a_button_with_room(
    opened: Opening, window: str, claimers: tuple[int, ...], language: str
) -> None:
    """No button is cut off and no offer lies over another one, at a table of seven with five offers."""
    table = opened(WINDOWS[window], language=language)
    table.show(_claimed(*claimers).still())
    table.drawn()

    expect(table.page.locator("[data-pick]")).to_have_count(len(claimers))
    assert faults(table.page) == []
    assert table.page.evaluate(LAID_OVER) == []


@pytest.mark.parametrize("window", WINDOWS)
def test_claimer_is_named_with_what_the_button_does(opened: Opening, window: str) -> None:
    """By its words, or by its label where a name alone has room."""
    table = opened(WINDOWS[window])
    table.show(_claimed(2, 3, 4, 5).still())

    for seat in (2, 3, 4, 5):
        button = table.page.get_by_role("button", name=f"Trade with {CHILI[seat]}")
        expect(button).to_have_attribute("data-pick", str(seat))
        expect(button).to_contain_text(CHILI[seat])


def test_coins_of_claimers_stand_on_their_buttons(opened: Opening) -> None:
    """As at their seats, so that nobody helps the leader unawares; a name says what the number is."""
    table = opened(SIZES["wide"])
    still = _claimed(3, 4).still()
    players = tuple(replace(one, treasury=(Bean.WAX,) * seat) for seat, one in enumerate(still.state.players))
    table.show(replace(still, state=replace(still.state, players=players)))

    button = table.page.get_by_role("button", name="Trade with Elio (has 4 coins)")
    expect(button).to_have_attribute("data-pick", "4")
    expect(button.locator(".has")).to_have_text("4")


def test_coins_of_the_only_claimer_are_no_price(opened: Opening) -> None:
    """There is nobody to choose from, so the number would only look like what he pays."""
    table = opened(SIZES["phone"])
    table.show(_claimed(4).still())

    expect(table.page.locator("[data-pick='4']")).to_contain_text("Elio")
    expect(table.page.locator("[data-pick] .has")).to_have_count(0)


@pytest.mark.parametrize("language", available())
def test_fullest_market_of_a_wide_window_is_seen_whole(opened: Opening, language: str) -> None:
    """Eight offers, two of whose makers would take the first, lie there without a scroll."""
    table = opened(SIZES["wide"], language=language)
    table.show(fullest())
    table.drawn()

    assert table.page.locator("[data-pick]").count() == 2
    row = table.page.locator(".row:has([data-offer])")
    assert row.evaluate("row => row.scrollHeight - row.clientHeight") <= 1


def _claimed(*claimers: int) -> Market:
    """Return a market of seven with an open offer that some would take, and four offers to the viewer."""
    market = Market(0, players=7)
    own = market.offer(0, range(1, 7), market.hand(0)[:1], [Bean.CHILI], is_open=True)
    for seat in claimers:
        market.claim(seat, own, Bean.CHILI)
    for seat in (1, 2, 3, 4):
        market.offer(seat, (0,), market.hand(seat)[1:2], [market.hand(0)[seat % 2]])
    return market

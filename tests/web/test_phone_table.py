"""The table on a phone: what lies on it is told apart by drawings and whole names, in every language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import pytest
from playwright.sync_api import Browser, expect

from tests.web.support.markets import Market
from tests.web.support.states import Still, fullest, whole_game
from tests.web.support.unserved import Unserved
from tests.web.support.walking import SIZES

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

LANGUAGES = ["en", "de", "is", "it", "ja", "ru", "sv"]


class Opening(Protocol):
    """Opens a page on a phone."""

    def __call__(self, language: str = "en") -> Unserved:
        """Return the page."""
        ...


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opening]:
    """Return how to open a page on a phone in a language; it is closed afterwards."""
    pages: list[Unserved] = []

    def opening(language: str = "en") -> Unserved:
        pages.append(Unserved(browser, settings={"language": language}, **SIZES["phone"]))
        return pages[-1]

    yield opening
    for page in pages:
        page.close()


def with_hand(count: int) -> Still:
    """Return a state of a game of four in which the viewer has so many cards."""
    return next(still for still in whole_game("full", 4, 3) if len(still.state.players[0].hand) == count)


STRIPS = """spines => spines.map(spine => {
  const strip = spine.closest("li").getBoundingClientRect();
  const drawing = spine.closest(".card").querySelector("svg.bean").getBoundingClientRect();
  const text = spine.getBoundingClientRect();
  return {
    name: spine.dataset.drawn,
    inSight: drawing.left >= strip.left - 1 && drawing.right <= strip.right + 1 && drawing.width >= 18
      && text.right <= strip.right + 1,
    whole: spine.scrollHeight <= spine.clientHeight + 1 && spine.scrollWidth <= spine.clientWidth + 3,
  };
})"""
"""Of each name at the edge of a card: whether it and its drawing lie in what other cards leave in sight, whole."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_covered_hand_cards_show_their_drawing_and_whole_name(opened: Opening, language: str) -> None:
    """With six cards, with eight, and in two rows, the strip that stays in sight tells the kind."""
    table = opened(language)
    for still in (with_hand(6), with_hand(8), fullest()):
        table.show(still)
        strips = table.page.locator("[data-card] .spine").evaluate_all(STRIPS)
        assert strips
        assert [strip for strip in strips if not (strip["inSight"] and strip["whole"])] == []


CHIPS = """chips => chips.map(chip => {
  const name = chip.querySelector(".drawn");
  const [box, text] = [chip.getBoundingClientRect(), name?.getBoundingClientRect()];
  return [name?.dataset.drawn ?? "", text !== undefined && text.left >= box.left && text.right <= box.right];
})"""
"""The name of each kind that can be wanted, and whether it lies in its chip."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_kinds_to_want_bear_their_names(opened: Opening, language: str) -> None:
    """Each kind that may be asked for bears the name that its card bears, whole, and no letters for it."""
    table = opened(language)
    table.show(fullest())
    table.page.locator("[data-key='o']").first.click()
    table.drawn()
    for name, whole in table.page.locator("[data-want]").evaluate_all(CHIPS):
        assert whole, name
        assert len(name) > (1 if language == "ja" else 2), name


def test_wishes_of_others_are_drawn(opened: Opening) -> None:
    """What somebody wants stands at his seat as drawings of the beans."""
    table = opened()
    table.show(fullest())
    wishes = table.page.locator("[data-seat] .wants")

    assert wishes.count() > 0
    for at in range(wishes.count()):
        expect(wishes.nth(at).locator("svg.bean")).not_to_have_count(0)
        assert wishes.nth(at).inner_text().strip() == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_offer_between_others_says_which_side_is_wanted(opened: Opening, language: str) -> None:
    """The wanted beans stand below the word for it, the given ones below theirs, all in one line."""
    market = Market(1, players=5)
    give, want = market.hand(2)[0], market.hand(1)[0]
    number = market.offer(2, (1,), [give], [want])
    table = opened(language)
    table.show(market.still())
    sides = table.page.locator(f"#ticket-{number} .side")

    expect(sides).to_have_count(2)
    expect(sides.first.locator(".who")).to_contain_text("Chiyo")
    expect(sides.last.locator(".gives")).not_to_be_empty()
    assert [kind_of(table, number, at) for at in range(2)] == [want.name.lower(), give.name.lower()]
    box = table.page.locator(f"#ticket-{number}").bounding_box()
    assert box is not None
    assert box["height"] < 52


def kind_of(table: Unserved, number: int, side: int) -> str:
    """Return the kind that is drawn on one side of a line."""
    drawn = table.page.locator(f"#ticket-{number} .side").nth(side).locator("svg.bean use")
    return (drawn.get_attribute("href") or "").removeprefix("#beans-")

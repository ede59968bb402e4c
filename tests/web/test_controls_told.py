"""What controls and cards say by themselves, without a pointer upon them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from bohn.rules.commands import SetWish
from tests.web.support.markets import Market
from tests.web.support.states import Still, fullest, stills
from tests.web.support.unserved import Opening
from tests.web.support.walking import SIZES

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

GAP = 4
"""Px between a word and the drawing behind it."""

FILL = "button => getComputedStyle(button).backgroundColor"

NAMES_IN_SIGHT = """panel => {
  const edge = panel.getBoundingClientRect();
  return [...panel.querySelectorAll(".pile")].map(pile => {
    const name = pile.querySelector(".name")?.getBoundingClientRect();
    const card = pile.querySelector(".card").getBoundingClientRect();
    return name !== undefined && name.top >= card.bottom && name.bottom <= edge.bottom
      && name.left >= edge.left && name.right <= edge.right;
  });
}"""
"""Of each set-aside kind, whether its name lies below its card and within the panel."""

NEAREST = """row => {
  const words = row.querySelector("span:not(.hidden)").getBoundingClientRect();
  return row.querySelector("svg.bean").getBoundingClientRect().left - words.right;
}"""


def planting() -> Still:
    """Return a state in which a viewer is to plant most of what he got."""
    found = [still for still in stills() if "plant-traded" in still.name and still.seat == 0]
    return max(found, key=lambda still: len(set(still.state.players[0].set_aside)))


def compose(page: Page) -> None:
    """Put a card of the hand into the tray."""
    page.locator("[data-card='1']").click()
    expect(page.locator("[data-tray]")).to_be_visible()


@pytest.mark.parametrize("language", ["en", "de"])
def test_choosing_copies_asks_by_words_among_eight_offers(opened: Opening, language: str) -> None:
    """In a narrow ticket it has words before the button that counters has: no drawing says what it is."""
    table = opened(SIZES["wide"], language=language)
    table.show(fullest())

    buttons = table.page.locator(".ticket:not(.mine) [data-key='w']")
    assert buttons.count() > 1
    assert all(text.strip() for text in buttons.all_inner_texts())


@pytest.mark.parametrize("size", ["wide", "small"])
def test_switch_of_the_tray_says_what_holds_otherwise(opened: Opening, size: str) -> None:
    """Both are in sight: that one picks from the answers, and that the first one counts else."""
    table = opened(SIZES[size])
    table.show(Market(0).still())
    compose(table.page)

    switch = table.page.locator("[data-to='pick']")
    expect(switch).to_contain_text("Let me choose who gets it")
    expect(switch.locator("small")).to_have_text("or first come, first served")
    expect(switch.locator("small")).to_be_visible()


@pytest.mark.parametrize("size", ["wide", "phone"])
def test_gift_asks_for_no_press(opened: Opening, size: str) -> None:
    """As long as nothing is wanted for it the button is calm and the tray says what it is; then it asks."""
    table = opened(SIZES[size])
    table.show(Market(0).still())
    compose(table.page)
    send = table.page.locator("[data-send]")
    expect(table.page.locator(".got")).to_contain_text("A gift so far")
    calm = send.evaluate(FILL)

    table.page.locator("[data-want]").nth(2).click()
    expect(table.page.locator(".got")).not_to_contain_text("A gift so far")
    assert send.evaluate(FILL) != calm


@pytest.mark.parametrize("size", ["wide", "small", "phone"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_set_aside_cards_have_their_names(opened: Opening, size: str, language: str) -> None:
    """Whoever plants what he got reads what it is, as on the cards of his hand."""
    table = opened(SIZES[size], language=language)
    table.show(planting())

    named = table.page.locator(".aside[role='group']").last.evaluate(NAMES_IN_SIGHT)
    assert named
    assert all(named)


def test_wishes_stand_apart_from_their_word(opened: Opening) -> None:
    """Between "wants" and the first drawing there is a gap, in the panel of a seat and in one's own."""
    market = Market(0)
    for seat in (0, 1):
        market.do(SetWish(seat, market.hand(2)[0], "want"))
    table = opened(SIZES["wide"])
    table.show(market.still())

    for row in (".seat .wish", ".talk.told .some"):
        assert table.page.locator(row).first.evaluate(NEAREST) >= GAP


def test_field_that_can_be_bought_looks_so(opened: Opening) -> None:
    """It has a firm edge; while it is too dear, only an outline."""
    table = opened(SIZES["wide"])
    gate = table.page.locator(".gate", has=table.page.locator("[data-key='b']"))
    edges = []
    rich = fullest()
    mine, *others = rich.state.players
    poor = replace(rich, state=replace(rich.state, players=(replace(mine, treasury=()), *others)))
    for still in (rich, poor):
        table.show(still)
        dear = gate.locator("button").get_attribute("aria-disabled")
        edges.append((dear, gate.evaluate("gate => getComputedStyle(gate).borderTopStyle")))

    assert edges == [("false", "solid"), ("true", "dashed")]


def test_buttons_of_an_offer_have_the_words_that_have_room(opened: Opening) -> None:
    """What had room in a crowded market says nothing of a lone offer after it, nor the other way round."""
    alone = Market(1)
    alone.offer(1, (0,), [alone.hand(1)[0]], [alone.hand(0)[0]])
    counter = ".ticket:not(.mine) [data-key='c']"
    table = opened(SIZES["small"])
    words, too_full = [], []
    for still in (alone.still(), fullest(), alone.still()):
        table.show(still)
        table.drawn()
        words.append(table.page.locator(counter).first.inner_text().strip())
        rows = table.page.locator(".one-line")
        too_full += rows.evaluate_all("rows => rows.map(row => row.scrollWidth - row.clientWidth)")

    assert words[0] == words[2] == "Counter"
    assert len(too_full) > 2
    assert max(too_full) <= 0

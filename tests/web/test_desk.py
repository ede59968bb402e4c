"""The table on a desk: what is said stands there once and whole, in low windows too."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, expect

from bohn.rulebook.clauses import clauses
from bohn.rules.commands import DeclineOffer
from tests.web.support.markets import Market
from tests.web.support.rooms import boxes
from tests.web.support.states import fullest, stills
from tests.web.support.unserved import HOST, Opening, Unserved
from tests.web.support.walking import SIZES, faults

pytestmark = pytest.mark.e2e

LOW: dict[str, Any] = {"viewport": {"width": 1024, "height": 625}}
"""A small screen of which the browser's own bars take a part."""

DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}

NUMBERS = """() => [...document.querySelectorAll("[data-offer]")].filter(ticket => {
  const number = ticket.querySelector("kbd");
  if (number === null || number.textContent !== ticket.dataset.offer) return true;
  const [box, around] = [number.getBoundingClientRect(), ticket.getBoundingClientRect()];
  return box.width < 6 || box.right > around.right + 1 || box.top < around.top - 1;
}).map(ticket => ticket.dataset.offer)"""
"""The offers whose number, which the log names, is not to be seen on them."""

OUTSIDE = """things => {
  const wood = document.querySelector("main").getBoundingClientRect();
  return [...document.querySelectorAll(things)].filter(thing => {
    const box = thing.getBoundingClientRect();
    return box.height < 10 || box.bottom > wood.bottom + 1 || box.top < wood.top - 1;
  }).map(thing => thing.className);
}"""
"""What does not lie whole on the wood."""

OVER_BUTTON = """() => [...document.querySelectorAll(".own [data-field]")].filter(field => {
  const [count, button] = [field.querySelector(".count"), field.querySelector(".harvest")];
  if (count === null || button === null) return false;
  return count.getBoundingClientRect().bottom > button.getBoundingClientRect().top;
}).length"""
"""Fields whose number of cards lies over the button that harvests."""

WIDER = """() => [...document.querySelectorAll("[data-offer]")].filter(ticket => {
  const around = ticket.getBoundingClientRect();
  return [...ticket.querySelectorAll(".none, .some")].some(part =>
    part.getBoundingClientRect().right > around.right);
}).map(ticket => ticket.dataset.offer)"""
"""Offers of which something stands beyond their frame."""


def state(opened: Opening, size: str, name: str, **settings: Any) -> Unserved:
    """Return a page that shows the fullest state of this name."""
    table = opened(SIZES[size], **settings)
    table.show(next(still for still in stills() if still.name.startswith(name)))
    return table


@pytest.mark.parametrize("size", ["small", "wide"])
def test_a_ticket_bears_the_number_of_the_log_without_the_letters_of_keys(opened: Opening, size: str) -> None:
    """Log and way to the offers name a number: each ticket and line shows it, though no keys are shown."""
    market = Market(1)
    first, second = market.hand(1)[0], market.hand(2)[0]
    mine = market.offer(0, (1,), market.hand(0)[:1], (first,))
    market.offer(2, (1,), (second,), (first,))
    market.do(DeclineOffer(1, mine, 1))
    asked = market.offer(1, (0,), (first,), (market.hand(0)[1],))
    market.offer(1, (0,), (first,), (market.hand(0)[2],))
    market.do(DeclineOffer(0, asked, 1))
    table = opened(SIZES[size], keys=False)
    table.show(market.still())

    expect(table.page.locator("[data-offer]")).to_have_count(4)
    assert table.page.evaluate(NUMBERS) == []


@pytest.mark.parametrize("size", ["small", "desk", "wide"])
@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_own_offer_that_all_have_declined_becomes_one_line_where_it_lay(
    opened: Opening, size: str, language: str
) -> None:
    """It bears its number, is changed or taken back as before, and no other ticket moves."""
    market = Market(0)
    own = market.offer(0, (1, 2), market.hand(0)[1:3], [market.hand(1)[1]])
    other = market.offer(0, (2,), market.hand(0)[:1], [])
    table = opened(DESK if size == "desk" else SIZES[size], language=language)
    table.show(market.still())
    ticket = table.page.locator(f"#ticket-{own}")
    before, [box] = table.page.locator(f"#ticket-{other}").bounding_box(), boxes(table, f"#ticket-{own}")
    market.do(DeclineOffer(1, own, 1))
    table.show(market.still())
    assert boxes(table, f"#ticket-{own}")[0]["height"] >= box["height"]  # another may still take it
    market.do(DeclineOffer(2, own, 1))
    table.show(market.still())
    table.drawn()

    [line] = boxes(table, f"#ticket-{own}")
    assert line["height"] < 60
    assert (line["left"], line["top"]) == (box["left"], box["top"])
    assert table.page.locator(f"#ticket-{other}").bounding_box() == before
    expect(ticket.locator("kbd")).to_have_text(str(own))
    expect(ticket.locator("[data-key='v']")).to_be_visible()
    assert faults(table.page) == []


@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_a_low_window_shows_wishes_and_the_way_to_offers_whole(browser: Browser, language: str) -> None:
    """The wood of a low window has room for the numbers of all offers, and for the panel of the wishes."""
    table = Unserved(browser, settings={"language": language}, **LOW)
    table.show(fullest())
    assert table.page.evaluate(OUTSIDE, ".make, .stand .dot, .more[data-more]") == []
    table.page.keyboard.press("i")
    panel = table.page.locator(".panel-talk")
    expect(panel).to_be_visible()

    assert table.page.evaluate(OUTSIDE, ".panel-talk, .panel-talk .kind") == []
    assert panel.evaluate("panel => panel.scrollHeight <= panel.clientHeight + 1")
    table.close()


@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_a_small_window_has_the_wishes_in_one_row_and_one_line_of_the_log(
    opened: Opening, language: str
) -> None:
    """Signs stand for words, so that wishes and promises have one row; the newest of the log stands alone."""
    table = opened(SIZES["small"], language=language)
    table.show(fullest())
    tops = "row => [...row.querySelectorAll('.some')].map(one => one.offsetTop)"
    rows = table.page.locator("button.talk").evaluate(tops)

    assert max(rows) - min(rows) < 10
    market = Market(1)
    table.show(market.still())
    expect(table.page.locator(".log .line")).to_have_count(1)


def test_the_market_of_another_is_told_once(opened: Opening) -> None:
    """Who trades stands in the head line, and what one can do on the wood: the bar says neither again."""
    people = replace(
        Market(1).still(), quiet=1
    )  # the market of a computer player is told to be looked at longer
    table = opened(SIZES["wide"])
    table.show(people)

    expect(table.page.locator(".headline")).to_have_text("Somebody trades")
    expect(table.page.locator("section.offers .empty")).to_contain_text("Propose something to Somebody")
    expect(table.page.locator(".context .said")).to_have_count(0)


def test_the_run_of_the_deck_is_told_at_the_draw_pile(opened: Opening) -> None:
    """The head line tells the turn, the draw pile the run, and that it is the last one."""
    table = state(opened, "wide", "main 7p fullest")

    expect(table.page.locator(".where")).not_to_contain_text("run")
    expect(table.page.locator(".piles .pass").first).to_have_text("last time")


@pytest.mark.parametrize("size", ["small", "wide"])
def test_a_field_number_leaves_the_harvest_button_free(opened: Opening, size: str) -> None:
    """The number of cards lies on the cards, and not over the frame of the button below them."""
    table = state(opened, size, "main 7p fullest")

    expect(table.page.locator(".own .harvest").first).to_be_visible()
    assert table.page.evaluate(OVER_BUTTON) == 0


@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_no_offer_is_cut_on_a_desk(opened: Opening, language: str) -> None:
    """Eight offers stand whole in a wide window, and in a small one within their frames beside the tray."""
    table = opened(SIZES["wide"], language=language)
    table.show(fullest())
    assert (
        table.page.locator("section.offers > .row").evaluate("row => row.scrollHeight - row.clientHeight")
        <= 1
    )
    small = opened(SIZES["small"], language=language)
    small.show(fullest())
    small.page.keyboard.press("o")
    expect(small.page.locator("[data-tray]")).to_be_visible()

    assert small.page.evaluate(WIDER) == []


def test_a_kind_that_somebody_can_spare_stands_out_at_its_place(opened: Opening) -> None:
    """The kinds keep their order: those that somebody has to spare have a colour of their own."""
    table = state(opened, "wide", "main 7p fullest")
    table.page.keyboard.press("o")
    spoken, others = (
        table.page.locator(f"[data-want]{has}") for has in (":has(.spare)", ":not(:has(.mark))")
    )
    expect(spoken.first).to_be_visible()
    colour = "chips => [...new Set(chips.map(chip => getComputedStyle(chip).borderColor))]"

    assert len(spoken.evaluate_all(colour)) == 1
    assert spoken.evaluate_all(colour) != others.evaluate_all(colour)


def test_a_rule_is_looked_for_by_its_title(browser: Browser) -> None:
    """Whoever goes from an explanation to the rules finds them without the code of a clause."""
    still = next(one for one in stills() if one.seat is not None and "plant mine" in one.name)
    titles = {"clauses": [{"id": one, "title": "Said in words", "text": ""} for one in clauses()]}
    table = Unserved(browser, answers={"/api/clauses": titles}, **SIZES["small"])
    table.page.route("**/api/rules?**", lambda route: route.abort())  # there is no server
    table.show(still)
    table.page.locator("button[aria-disabled=true]:visible").first.click(force=True)
    table.page.locator("#explanation .rule").click()

    expect(table.page.get_by_role("searchbox")).to_have_value("Said in words")
    table.errors.clear()  # that it could not be had is told in the sheet
    table.close()


def test_the_page_behind_a_sheet_shows_no_second_bar_to_scroll(browser: Browser) -> None:
    """While the settings are open their own bar is the only one."""
    table = Unserved(browser, **SIZES["small"])
    table.show(fullest())
    table.page.goto(HOST)
    table.page.get_by_role("button", name="Settings").first.click()
    expect(table.page.get_by_role("dialog")).to_be_visible()

    assert table.page.evaluate("getComputedStyle(document.documentElement).scrollbarWidth") == "none"
    table.errors.clear()  # there are no lists without a server
    table.close()

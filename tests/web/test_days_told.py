"""What a table over days tells of its time, in windows of every size: until when, why, with which reserve."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.web.support.overdays import LONG, NIGHTS, OverDays, over_days, planting, trading
from tests.web.support.states import TABLE, fullest
from tests.web.support.unserved import Opening, Unserved
from tests.web.support.walking import SIZES, faults

pytestmark = pytest.mark.e2e

RESTS = ((12, 22), (36, 46), (60, 70))
"""Three nights: of 72 hours that a clock runs, the 24 of a move end in 34, the reserve in 102 hours."""

HELD: dict[str, Any] = {"due": 102, "reserve": 48, "rests": RESTS, "hours": NIGHTS, "names": LONG}
HOLIDAY: dict[str, Any] = {
    "due": 132,
    "reserve": 48,
    "rests": ((-1, 60),),
    "holiday": 60,
    "hours": NIGHTS,
    "names": LONG,
}


def states() -> dict[str, OverDays]:
    """Return states with long names and long reasons."""
    return {
        "own move": planting(0, **HELD),
        "move of another": planting(1, **HELD),
        "holiday": planting(1, **HOLIDAY),
        "reserve in use": planting(0, due=3, reserve=48, names=LONG),
        "own trading": trading(0, **{**HELD, "reserve": 0}),
        "offer": trading(1, offered=True, **{**HOLIDAY, "reserve": 0}),
        "left alone": trading(1, done=(1, 2), **{**HELD, "reserve": 0}),
        "all done": trading(1, done=(0, 1, 2), names=LONG),
        "paused": trading(1, paused=True, names=LONG),
        "computer player": planting(1, bots=(1,), **HELD),
    }


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opening]:
    """Return how to open the page of a table without a server."""
    pages: list[Unserved] = []

    def opening(size: str, language: str = "en") -> Unserved:
        window: dict[str, Any] = {**SIZES[size], "timezone_id": "Europe/Berlin"}
        pages.append(Unserved(browser, settings={"language": language}, **window))
        return pages[-1]

    yield opening
    for page in pages:
        page.close()


@pytest.mark.parametrize("language", ["en", "de", "ru"])
@pytest.mark.parametrize("size", ["phone", "small", "wide"])
def test_header_over_days_is_never_cut(opened: Opening, size: str, language: str) -> None:
    """Nor does anything in it lie over anything else, with whatever reason and name."""
    page, found = opened(size, language), []
    for name, state in states().items():
        page.show(state)
        page.drawn()
        expect(page.page.locator("[data-time]")).to_be_visible()
        found += [f"{name}: {fault}" for fault in faults(page.page)]
        height = page.page.locator("header.bar").evaluate("bar => bar.getBoundingClientRect().height")
        assert height <= 49, name
    assert "\n".join(found) == ""


@pytest.mark.parametrize("size", ["small", "wide"])
def test_header_over_days_tells_reason_and_reserve(opened: Opening, size: str) -> None:
    """In words, beside when the time is due."""
    page = opened(size)
    page.show(planting(0, **HELD))
    expect(page.page.locator("[data-due]")).to_contain_text("(playing hours), then 48 h of reserve")


def test_header_of_a_phone_tells_the_reserve(opened: Opening) -> None:
    """In what room there is, and that the clock stands still meanwhile by a moon."""
    page = opened("phone")
    page.show(planting(0, **HELD))
    expect(page.page.locator("[data-due]")).to_contain_text("+ 48 h")
    expect(page.page.locator("[data-days] > svg use")).to_have_attribute("href", "#icons-away")


@pytest.mark.parametrize("size", ["phone", "small"])
def test_seat_that_is_waited_for_tells_its_reserve(opened: Opening, size: str) -> None:
    """And in what a tap on it opens all of it in words."""
    page = opened(size)
    page.show(planting(1, **HELD))
    seat = page.page.locator("[data-seat='1']")
    expect(seat.locator(".status")).to_contain_text("48 h")
    seat.click(position={"x": 8, "y": 8})
    expect(page.page.locator("[data-activity]")).to_contain_text("(playing hours), then 48 h of reserve")


def test_tap_on_the_time_of_a_phone_tells_all_of_it(opened: Opening) -> None:
    """Until when, why, whose hours, and what follows; the next tap puts it away."""
    page = opened("phone")
    page.show(planting(1, **HELD))
    tip = page.page.get_by_role("tooltip")
    expect(tip).to_have_count(0)
    page.page.locator(".headline").tap(force=True)
    for words in (
        "then 48 h of reserve",
        re.compile("24 h 0 min left|23 h 59 min left"),
        "a computer player makes the move",
    ):
        expect(tip).to_contain_text(words)
    page.page.locator("[data-time]").tap()
    expect(tip).to_have_count(0)


def test_time_is_explained_to_whoever_comes_by_keys(opened: Opening) -> None:
    """It has a place in the order of the keys, and says what it is; Escape puts the explanation away."""
    page = opened("wide")
    page.show(planting(1, **HELD))
    time, tip = page.page.locator("[data-time]"), page.page.get_by_role("tooltip")
    expect(time).to_have_accessible_name("How long there is time")
    page.page.locator("a.logo").focus()
    page.page.keyboard.press("Tab")
    expect(time).to_be_focused()
    expect(tip).to_contain_text("then 48 h of reserve")
    page.page.keyboard.press("Escape")
    expect(tip).to_have_count(0)


def test_whoever_alone_is_waited_for_in_another_trading_is_told_so(opened: Opening) -> None:
    """In headline and tab, and not that the other one trades."""
    page = opened("phone")
    page.show(trading(1))
    expect(page.page.locator(".headline")).to_have_text("Bert trades")
    page.show(trading(1, done=(1, 2)))
    expect(page.page.locator(".headline")).to_have_text("Waiting for you: answer, or say “done”")
    expect(page.page).to_have_title("Waiting for you! Bohn")


def test_clock_of_a_trading_that_ends_with_the_look_is_not_read_out(opened: Opening) -> None:
    """What would be left to trade is neither shown nor heard: the look is in two hours."""
    page = opened("wide")
    page.show(trading(1, done=(0, 1, 2)))
    expect(page.page.locator("[data-due]")).to_contain_text("due")
    expect(page.page.locator("header.bar")).not_to_contain_text("59 min")
    assert page.page.locator("header.bar [aria-label*=' h ']").count() == 0


def test_phone_tells_how_much_time_a_pause_has_stopped(opened: Opening) -> None:
    """A clock without a time beside it tells nothing."""
    page = opened("phone")
    page.show(trading(1, paused=True))
    expect(page.page.locator("[data-days]")).to_contain_text("60 h")


def test_detail_of_a_seat_says_that_a_computer_player_plays_there(opened: Opening) -> None:
    """In a sentence of its own, on a phone too."""
    page = opened("phone")
    page.show(planting(1, bots=(1,), **HELD))
    page.page.locator("[data-seat='1']").click(position={"x": 8, "y": 8})
    said = page.page.locator(".detail [data-stand-in]")
    expect(said).to_have_text("A computer player plays for Maximiliane-Josephine.")


AWAY: dict[str, object] = {"orders": [], "moves": [], "beat": None, "done": False}


def test_orders_rest_in_a_pause_until_the_game_goes_on(browser: Browser) -> None:
    """And not until the next trading: this one goes on."""
    page = Unserved(browser, answers={f"/api/tables/{TABLE}/away": AWAY}, **SIZES["wide"])
    page.show(trading(1, paused=True))
    page.page.locator("[data-menu]").click()
    page.page.locator("[data-away]").click()
    expect(page.page.locator("[data-beat]")).to_have_text("The game is paused: orders rest until it goes on.")
    page.close()


WHOLE = "name => name.scrollWidth <= name.clientWidth"


def test_short_name_is_whole_beside_its_marks_on_a_phone(opened: Opening) -> None:
    """Whoever is there, done, on holiday and has hours is called by his name; a tap tells the rest."""
    page = opened("phone", "de")
    names = ("Ada", "Jonas", "Mira")
    marked: dict[str, Any] = {
        "done": (1, 2),
        "present": (0, 1, 2),
        "hours": NIGHTS,
        "holiday": 50,
        "names": names,
    }
    for bots in ((), (1,)):
        page.show(trading(0, bots=bots, **marked))
        page.drawn()
        name = page.page.locator("[data-seat='1'] .name")
        expect(name).to_have_text("Jonas")
        assert name.evaluate(WHOLE)
        expect(page.page.locator("[data-done-seat='1'], [data-seat='1'] [data-here]").first).to_be_visible()


def test_short_name_is_whole_in_the_chip_of_a_phone(opened: Opening) -> None:
    """At a table of seven, where there is hardly room for anything."""
    page = opened("phone")
    names = ("Ada", "Jo", "Mia", "Ben", "Kai", "Eva", "Tom")
    page.show(over_days(fullest(), hours=NIGHTS, names=names))
    page.drawn()
    chips = page.page.locator("[data-seat] .name")
    expect(chips).to_have_count(6)
    assert [chip.inner_text() for chip in chips.all() if not chip.evaluate(WHOLE)] == []

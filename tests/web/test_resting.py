"""Clocks that stand still, and people on holiday, as a table shows them: on a phone too, in each language."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import pytest
from msgspec.structs import asdict, replace
from playwright.sync_api import Browser, expect

from bohn.i18n import available
from bohn.protocol import frames
from bohn.protocol.room import Holiday, PlayingTimes
from tests.web.support.states import Still, stills
from tests.web.support.unserved import Unserved
from tests.web.support.walking import SIZES, faults

pytestmark = pytest.mark.e2e

HOUR = 3_600_000
SOON, LATER = 3, 30
"""Hours for which a clock stands still: within a day its end has no name of a day."""

RUNS = -1
"""Hours for a clock that does not stand still."""

Opening = Callable[..., Unserved]


class Resting(Still, frozen=True, kw_only=True):
    """A state whose clock stands still for some ``hours``; Bert is on holiday from the ``first`` one on."""

    hours: int
    first: int
    clock: str

    def _welcome(self, seq: int, now: int) -> frames.Welcome:
        welcome = Still._welcome(self, seq, now)
        clock = frames.Clock(None, now + 48 * HOUR, rests=((now - HOUR, now + self.hours * HOUR),))
        holiday = Holiday(now + self.first * HOUR, now + (self.first + 24) * HOUR)
        times = (PlayingTimes(0), PlayingTimes(1, holidays=(holiday,)))
        options = replace(welcome.room.options, clock=self.clock)
        return replace(welcome, clocks=(clock,), room=replace(welcome.room, times=times, options=options))


@cache
def states() -> tuple[Still, ...]:
    """Return states of a table of five, of each phase one in which the viewer is waited for, and one not."""
    found = {
        (type(one.state.phase), one.state.active_player == one.seat): one
        for one in stills()
        if one.rules.players == 5 and one.seat is not None
    }
    return tuple(found.values())


def resting(still: Still, hours: int = SOON, first: int = -1, clock: str = "none") -> Resting:
    """Return a state with a clock that stands still; people are marked where it is one over days."""
    return Resting(**asdict(still), hours=hours, first=first, clock=clock)


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opening]:
    """Return how to open the page of a table without a server."""
    pages: list[Unserved] = []

    def opening(size: str, language: str = "en") -> Unserved:
        pages.append(Unserved(browser, settings={"language": language}, **SIZES[size]))
        return pages[-1]

    yield opening
    for page in pages:
        page.close()


@pytest.mark.parametrize("language", available())
def test_clock_that_stands_still_leaves_room_for_whose_turn_it_is(opened: Opening, language: str) -> None:
    """On a phone both can be read whole, in each language, today and on another day."""
    page, found = opened("phone", language), []
    for still in states():
        for hours in (SOON, LATER):
            page.show(resting(still, hours))
            expect(page.page.locator("[data-rests]")).to_be_visible()
            found += [f"{still.name}, {hours} h: {fault}" for fault in faults(page.page)]
            height = page.page.locator("header.bar").evaluate("bar => bar.getBoundingClientRect().height")
            assert height <= 48
    assert len(states()) >= 3
    assert "\n".join(found) == ""


@pytest.mark.parametrize("language", available())
def test_top_bar_of_a_phone_is_no_higher_over_days(opened: Opening, language: str) -> None:
    """Whom the game waits for and until when stand in it whole, whether the clock runs or stands still."""
    page, found = opened("phone", language), []
    for still in states():
        for hours in (RUNS, SOON, LATER):
            page.show(resting(still, hours, clock="24h"))
            expect(page.page.locator("[data-due]")).to_be_visible()
            expect(page.page.locator("[data-due]")).not_to_be_empty()
            found += [f"{still.name}, {hours} h: {fault}" for fault in faults(page.page)]
            height = page.page.locator("header.bar").evaluate("bar => bar.getBoundingClientRect().height")
            assert height <= 48, (still.name, hours)
    assert "\n".join(found) == ""


@pytest.mark.parametrize("size", ["phone", "wide"])
def test_seat_of_somebody_on_holiday_is_marked(opened: Opening, size: str) -> None:
    """By a moon that says until when, and no other seat is."""
    page = opened(size)
    page.show(resting(states()[0], clock="48h"))
    mark = page.page.locator("[data-holiday]")
    expect(mark).to_have_count(1)
    expect(mark).to_contain_text("Bert is on holiday until")
    box = mark.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 13
    seat = page.page.locator("[data-seat]", has=mark)
    expect(seat).to_contain_text("Bert")


def test_holiday_that_has_not_begun_marks_nobody(opened: Opening) -> None:
    """Nor one that is over."""
    page = opened("wide")
    page.show(resting(states()[0], first=1, clock="48h"))
    expect(page.page.locator("[data-rests]")).to_be_visible()
    expect(page.page.locator("[data-holiday]")).to_have_count(0)
    page.show(resting(states()[0], first=-25, clock="48h"))
    expect(page.page.locator("[data-holiday]")).to_have_count(0)

"""A game over seven days, three people and four devices: each sees what is his to do."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.server.support.audit import Folded
from tests.server.support.push_service import push_service
from tests.web.support.in_thread import in_thread
from tests.web.support.pushed import until
from tests.web.support.warped import HOUR, MINUTE, Warped
from tests.web.support.week import BEGIN, DAYS, STAYS_AWAY, Look, Week, minutes

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("seven-days")]

PICTURES = "BOHN_TEST_PICTURES"
"""The environment variable that names a folder for a picture of each visit."""

ROUNDS_OFF = 2
"""Minutes by which a clock may differ that is read a moment after it was asked for."""


@pytest.fixture(scope="module")
def week(browser: Browser) -> Iterator[Week]:
    """Return a week that was played."""
    folder = os.environ.get(PICTURES)
    with Warped(BEGIN) as site, in_thread(push_service) as service:
        played = Week(browser, site, service, Path(folder) if folder else None)
        try:
            played.play()
            yield played
        finally:
            played.close()


def wrong(looks: list[Look], *, but: bool = True) -> list[str]:
    """Return where looks were, a line each."""
    return [f"{look.where}: {look}" for look in looks if but]


def test_game_is_played_on_every_day(week: Week) -> None:
    """Turns follow each other, and each of the seven days has its visits."""
    state = week.peek().state
    assert state is not None
    assert state.turn >= DAYS
    assert {look.day for look in week.looks} == set(range(1, DAYS + 1))


def test_nobody_needs_to_come_more_than_a_few_times_a_day(week: Week) -> None:
    """Four devices at most are taken up by anybody on one day, though Bert looks in at night besides."""
    days = [(look.day, look.who) for look in week.looks if look.deeds]
    assert max(days.count(day) for day in days) <= 4


def test_my_games_says_whose_turn_it_is(week: Week) -> None:
    """In each visit, on each device."""
    assert wrong([look for look in week.looks if look.listed != look.awaited]) == []
    assert {look.awaited for look in week.looks} == {True, False}


def test_tab_says_whose_turn_it_is(week: Week) -> None:
    """When somebody comes, and when he goes."""

    def said(title: str) -> bool:
        return title.startswith(("Your turn!", "You’re needed!", "Waiting for you!"))

    assert wrong([look for look in week.looks if said(look.title) != look.awaited]) == []
    assert wrong([look for look in week.looks if said(look.title_behind) != look.awaited_behind]) == []


def test_clock_shows_the_hours_that_are_left(week: Week) -> None:
    """Those of the playing hours, by a reckoning of its own; a phone leaves the minutes away."""
    off = []
    for look in week.looks:
        if look.left is None or "until" in look.timer:
            continue
        less = look.left // MINUTE - minutes(look.timer)
        rounded = 59 if look.device == "phone" and look.left >= HOUR else 0
        if not -ROUNDS_OFF <= less <= rounded + ROUNDS_OFF:
            off.append(look)
    assert wrong(off) == []


def test_night_does_not_count(week: Week) -> None:
    """In the morning a clock has as many minutes less as playing hours lie behind the evening's look."""
    assert week.nights
    for night in week.nights:
        assert abs(night.evening - night.morning - night.ran // MINUTE) <= ROUNDS_OFF, night


def test_night_in_which_clocks_are_set_forward_does_not_count_either(week: Week) -> None:
    """The hour that is left out of the sixth day is no playing hour."""
    (night,) = [night for night in week.nights if night.day == DAYS - 1]
    assert abs(night.evening - night.morning - night.ran // MINUTE) <= ROUNDS_OFF


def test_clock_says_at_night_until_when_it_stands_still(week: Week) -> None:
    """In the words of the clock on the wall."""
    assert week.shown_at_night == ["until Thu 8:00 AM"]


def test_whoever_is_waited_for_was_told(week: Week) -> None:
    """Since he was last there, unless he has seen then already that the game waits for him."""
    known: dict[str, bool] = {}
    missed = []
    for look in week.looks:
        if look.awaited and not look.told and not known.get(look.who, False):
            missed.append(look)
        known[look.who] = look.awaited_behind
    assert wrong(missed) == []


def test_nobody_is_told_who_is_not_waited_for(week: Week) -> None:
    """No message names a turn of somebody who has nothing to do; a reminder is of the same turn."""
    assert week.told_in_vain == []


def test_message_goes_when_its_person_is_back(week: Week) -> None:
    """On the phone it was shown on, as soon as the table is there."""
    closed = [look for look in week.looks if look.closed is not None]
    assert len(closed) >= 2
    assert wrong([look for look in closed if not look.closed]) == []


def test_second_device_goes_on_where_the_first_has_stopped(week: Week) -> None:
    """Anna does one thing with the one, and the rest of her turn with the other."""
    pairs = [
        (one, other)
        for one, other in zip(week.looks, week.looks[1:], strict=False)
        if (one.who, other.who) == ("Anna", "Anna") and one.device != other.device and one.deeds
    ]
    assert [pair for pair in pairs if pair[0].awaited_behind and pair[1].deeds]


def test_move_is_played_for_whoever_does_not_come(week: Week) -> None:
    """When the hours of the move and the reserve behind them have gone, and not before."""
    row, *_ = rows = week.played()
    assert {(row.actor, row.cause) for row in rows} == {(f"clock:decision:{week.seat_of('Cleo')}", "clock")}
    assert week.stood_since is not None
    assert 24 * HOUR <= week.reckoned(week.stood_since, row.at) <= 24 * HOUR + 5 * MINUTE
    assert week.date_of(row.at) > STAYS_AWAY


def test_order_was_carried_out(week: Week) -> None:
    """Offer and acceptance stand in the log as done by order, each in the name of who has left it."""
    rows = week.exchanged()
    assert rows
    assert {row.cause for row in rows} == {"order"}


def test_order_is_told_as_such_to_everybody(week: Week) -> None:
    """In the log of each, in the words of his side."""
    assert set(week.logs) == {"Anna", "Bert", "Cleo"}
    for name, lines in week.logs.items():
        assert [line for line in lines if "By standing order." in line], (name, lines)


def test_log_tells_the_day(week: Week) -> None:
    """A time of the clock on the wall alone would not tell when something was; that of today does."""
    week.desk.open()
    week.desk.enter()
    lines = week.desk.log()
    week.desk.lay_down()
    assert re.search(r"(Sat|Sun),? \d+:\d\d", lines[0])
    assert re.search(r"[^ ,]+ \d+:\d\d", lines[-1])


def test_log_is_sound(week: Week) -> None:
    """Everything in it follows by the rules, from the deal on, as it was committed to."""
    folded = Folded(week.rows(), week.site.get(week.site.store.deal(week.table)))
    assert folded.faults == []
    assert folded.state == week.peek().state


def test_both_devices_show_the_same(week: Week) -> None:
    """On the seventh day, side by side: hand, fields, coins, headline and clock."""
    for device in (week.desk, week.phone):
        device.open()
        device.enter()
    for _ in range(50):  # words of tables over days come a moment later
        if week.desk.shown() == week.phone.shown():
            break
        week.desk.page.wait_for_timeout(100)
    assert week.desk.shown() == week.phone.shown()
    for device in (week.desk, week.phone):
        device.lay_down()


def test_second_device_is_told_while_both_are_open(week: Week) -> None:
    """What is said on the computer stands on the phone a moment later, and in its title."""
    for device in (week.desk, week.phone):
        device.open()
        device.enter()
    week.desk.page.locator("[data-menu]").click()
    week.desk.page.locator("[data-away]").click()
    before = week.peek().seq
    week.desk.page.locator("[data-done]").click()
    until(week.phone.page, f"Number(document.documentElement.dataset.seq) > {before}")
    expect(week.phone.page.locator("html")).to_have_attribute("data-seq", str(week.peek().seq))
    assert week.desk.title() == week.phone.title()
    for device in (week.desk, week.phone):
        device.lay_down()

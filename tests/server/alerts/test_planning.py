"""When somebody is told: once, not while he looks, not at night, and once more before his time is over."""

from __future__ import annotations

import datetime as dt

import pytest
from msgspec.structs import replace

from bohn.protocol.room import Options, Room
from bohn.server.alerts.planning import (
    HOUR,
    LOOK_AGAIN,
    PATIENCE,
    Rest,
    Send,
    next_step,
    quiet_until,
    retried_at,
)
from bohn.server.store.alerts import BEGUN, REMINDED, TOLD, Alert, Preferences
from bohn.server.tables.api import Turn

NOW = 1_700_000_000_000
ALERT = Alert("t1", "anna", 7, NOW, NOW)
ROOM = Room("t1", Options(clock="24h"), "anna", (), "", 0)
TURN = Turn(ROOM, "plant", NOW + 24 * HOUR, 24, here=False)


def at(text: str) -> int:
    """Return a time in ms since 1970."""
    return int(dt.datetime.fromisoformat(text).timestamp() * 1000)


def test_turn_is_told_at_once() -> None:
    """To whoever is not there."""
    assert next_step(ALERT, TURN, None, NOW) == Send("turn", TOLD)


def test_whoever_looks_is_not_told_for_a_while() -> None:
    """Then he has only left the page open."""
    there = replace(TURN, here=True)
    assert next_step(ALERT, there, None, NOW) == Rest(NOW + LOOK_AGAIN, BEGUN)
    assert next_step(ALERT, there, None, NOW + PATIENCE - 1) == Rest(NOW + PATIENCE, BEGUN)

    assert next_step(ALERT, there, None, NOW + PATIENCE) == Send("turn", TOLD)


def test_whoever_came_back_knows_it() -> None:
    """He is reminded only."""
    assert next_step(replace(ALERT, seen=True), TURN, None, NOW) == Rest(NOW + 21 * HOUR, TOLD)


@pytest.mark.parametrize(("hours", "ahead"), [(4, HOUR // 2), (24, 3 * HOUR), (48, 6 * HOUR)])
def test_reminder_comes_before_the_clock_ends(hours: int, ahead: int) -> None:
    """An eighth of it, and at least half an hour; once."""
    told = replace(ALERT, stage=TOLD)
    turn = replace(TURN, ends=NOW + hours * HOUR, hours=hours)
    due = NOW + hours * HOUR - ahead
    assert next_step(told, turn, None, due - 1) == Rest(due, TOLD)

    assert next_step(told, turn, None, due) == Send("reminder", REMINDED)
    assert next_step(replace(told, stage=REMINDED), turn, None, due) == Rest(None, REMINDED)


def test_nobody_is_reminded_where_no_clock_counts_in_hours() -> None:
    """Nor where it stands."""
    told = replace(ALERT, stage=TOLD)
    for turn in (replace(TURN, hours=None), replace(TURN, ends=None)):
        assert next_step(told, turn, None, NOW) == Rest(None, TOLD)


def test_what_has_failed_is_tried_again() -> None:
    """By the channels that remain; later each time, and not for ever later."""
    assert next_step(replace(ALERT, stage=TOLD, remaining="c1"), TURN, None, NOW) == Send("turn", TOLD)
    assert next_step(replace(ALERT, stage=REMINDED, remaining="c1"), TURN, None, NOW) == Send(
        "reminder", REMINDED
    )
    assert [retried_at(attempts, 0) for attempts in (0, 1, 2, 8)] == [30_000, 60_000, 120_000, HOUR]


def test_nothing_is_sent_in_quiet_hours() -> None:
    """It waits until they are over, as the clock on the wall says."""
    night = Preferences("anna", quiet_from=22 * 60, quiet_to=7 * 60 + 30, zone="Europe/Berlin")
    evening, morning = at("2026-01-10T22:00+01:00"), at("2026-01-11T07:30+01:00")
    assert quiet_until(night, evening - 60_000) is None
    assert quiet_until(night, evening) == morning
    assert quiet_until(night, at("2026-01-11T03:00+01:00")) == morning
    assert quiet_until(night, morning) is None

    assert next_step(ALERT, replace(TURN, ends=evening + 24 * HOUR), night, evening) == Rest(morning, BEGUN)


def test_quiet_hours_of_a_day_do_not_wrap() -> None:
    """And equal ones are none."""
    noon = Preferences("anna", quiet_from=12 * 60, quiet_to=14 * 60, zone="Asia/Tokyo")
    assert quiet_until(noon, at("2026-01-10T13:00+09:00")) == at("2026-01-10T14:00+09:00")
    assert quiet_until(noon, at("2026-01-10T14:00+09:00")) is None
    assert quiet_until(noon, at("2026-01-10T11:59+09:00")) is None
    assert quiet_until(replace(noon, quiet_to=12 * 60), at("2026-01-10T12:00+09:00")) is None


@pytest.mark.parametrize(
    ("evening", "morning"),
    [
        ("2026-03-28T23:00+01:00", "2026-03-29T07:00+02:00"),
        ("2026-10-24T23:00+02:00", "2026-10-25T07:00+01:00"),
    ],
)
def test_clock_that_is_changed_in_the_night_changes_quiet_hours(evening: str, morning: str) -> None:
    """They end at seven on the wall, in the short night and in the long one."""
    night = Preferences("anna", quiet_from=22 * 60, quiet_to=7 * 60, zone="Europe/Berlin")

    assert quiet_until(night, at(evening)) == at(morning)


def test_quiet_hours_that_end_in_the_hour_that_is_left_out_end() -> None:
    """At half past two that there is not."""
    night = Preferences("anna", quiet_from=0, quiet_to=150, zone="Europe/Berlin")
    until = quiet_until(night, at("2026-03-29T01:30+01:00"))

    assert until is not None
    assert quiet_until(night, until) is None


# -- times in which the clock stands still ----------------------------------------------------------------


def test_reminder_comes_while_the_clock_runs() -> None:
    """Three of its hours before it ends, and not in the night between them."""
    night = (NOW + 10 * HOUR, NOW + 20 * HOUR)
    turn = replace(TURN, ends=NOW + 21 * HOUR, rests=(night,))
    told = replace(ALERT, stage=TOLD)
    assert next_step(told, turn, None, NOW) == Rest(NOW + 8 * HOUR, TOLD)
    assert next_step(told, turn, None, NOW + 8 * HOUR) == Send("reminder", REMINDED)


def test_nobody_is_told_in_his_holiday() -> None:
    """What has begun meanwhile is told behind it, unless he looks in."""
    away = replace(TURN, holiday=NOW + 72 * HOUR)
    assert next_step(ALERT, away, None, NOW) == Rest(NOW + 72 * HOUR, BEGUN)
    assert next_step(ALERT, replace(away, holiday=None), None, NOW + 72 * HOUR) == Send("turn", TOLD)
    looking = next_step(ALERT, replace(away, here=True), None, NOW)
    assert looking == Rest(NOW + LOOK_AGAIN, BEGUN)

"""When clocks stand still by playing hours and holidays, in the nights in which clocks are set as well."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

from bohn.protocol.room import Holiday, Hours, Options, PlayingTimes, Room
from bohn.rules.deal import opening
from bohn.rules.evolve import fold
from bohn.rules.resolve import resolve
from bohn.rules.shuffle import seed_from
from bohn.server.room.clocks import HOUR
from bohn.server.room.resting import Gaps, behind, between, standing
from bohn.server.tables.calendar import holiday, on_holiday, rests_of
from tests.server.support.rooms import ANNA, BERT, CHIYO, handed_over, playing_room

BERLIN = "Europe/Berlin"
DAYTIME = Hours(8 * 60, 22 * 60, BERLIN)
OPTIONS = Options(players=3, clock="8h", hours=DAYTIME)
RULES = resolve("full", 3)
STATE = fold(opening(RULES, seed_from(1)))
ACTIVE = STATE.active_player


def at(text: str, zone: str = BERLIN) -> int:
    """Return a time on the wall in ms since 1970."""
    return int(dt.datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def room(options: Options = OPTIONS, *times: PlayingTimes) -> Room:
    """Return a room with playing times."""
    return replace(playing_room(ANNA, BERT, CHIYO, options=options), times=times)


def of_seat(now: int, options: Options = OPTIONS, *times: PlayingTimes) -> Gaps:
    """Return when the clock of whoever has the turn stands still."""
    return rests_of(room(options, *times), STATE, now).of(ACTIVE)


def test_clocks_stand_still_at_night() -> None:
    """From the end of the hours to their beginning."""
    now = at("2026-06-10T21:00")
    gaps = of_seat(now)
    assert standing(now, gaps) is None
    assert standing(at("2026-06-10T22:00"), gaps) == at("2026-06-11T08:00")
    assert standing(at("2026-06-11T07:59"), gaps) == at("2026-06-11T08:00")
    assert standing(at("2026-06-11T08:00"), gaps) is None
    assert behind(now, 8 * HOUR, gaps) == at("2026-06-11T15:00")


def test_hours_over_midnight_are_one_night() -> None:
    """They belong to the day on which they begin."""
    late = replace(OPTIONS, hours=Hours(20 * 60, 3 * 60, BERLIN))
    gaps = of_seat(at("2026-06-10T01:00"), late)
    assert standing(at("2026-06-10T02:59"), gaps) is None
    assert standing(at("2026-06-10T03:00"), gaps) == at("2026-06-10T20:00")


@pytest.mark.parametrize(
    ("evening", "morning", "night"),
    [
        ("2026-03-28T22:00", "2026-03-29T08:00", 9),  # clocks are set forward
        ("2026-10-24T22:00", "2026-10-25T08:00", 11),  # and back
    ],
)
def test_night_in_which_clocks_are_set_keeps_the_hours_on_the_wall(
    evening: str, morning: str, night: int
) -> None:
    """The clocks begin again at eight, though the night is an hour shorter or longer."""
    gaps = of_seat(at(evening) - HOUR)
    assert at(morning) - at(evening) == night * HOUR
    assert standing(at(evening), gaps) == at(morning)
    assert behind(at(evening) - HOUR, 2 * HOUR, gaps) == at(morning) + HOUR
    assert between(at(evening) - HOUR, at(morning) + HOUR, gaps) == 2 * HOUR


@pytest.mark.parametrize(
    ("day", "hours"),
    [("2026-03-28T22:00", 8), ("2026-10-24T22:00", 10)],
)
def test_hours_through_the_night_in_which_clocks_are_set_are_shorter_or_longer(day: str, hours: int) -> None:
    """From ten to seven there are eight hours in the one night, and ten in the other."""
    night = replace(OPTIONS, hours=Hours(22 * 60, 7 * 60, BERLIN))
    gaps = of_seat(at(day) - HOUR, night)
    closes = at(day) + hours * HOUR
    assert standing(at(day) - 1, gaps) == at(day)
    assert between(at(day), closes, gaps) == hours * HOUR
    assert standing(closes, gaps) == at(day) + hours * HOUR + 15 * HOUR


def test_time_that_a_night_leaves_out_or_has_twice_is_one_moment() -> None:
    """Half past two in the shorter night is half past three; in the longer one it is the first of the two."""
    early = replace(OPTIONS, hours=Hours(2 * 60 + 30, 12 * 60, BERLIN))
    shorter = of_seat(at("2026-03-28T12:00"), early)
    assert standing(at("2026-03-29T01:59"), shorter) == at("2026-03-29T03:30")
    longer = of_seat(at("2026-10-24T12:00"), early)
    assert standing(at("2026-10-25T01:59"), longer) == at("2026-10-25T02:30")


def test_own_hours_are_those_of_ones_own_clock() -> None:
    """In one's own time zone; the trading and the others keep to the table."""
    plain = replace(OPTIONS, hours=Hours(0, 0, "UTC"))
    own = PlayingTimes(ACTIVE, Hours(9 * 60, 17 * 60, "America/New_York"))
    now = at("2026-06-10T12:00", "UTC")
    rests = rests_of(room(plain, own), STATE, now)
    assert standing(now, rests.of(ACTIVE)) == at("2026-06-10T09:00", "America/New_York")
    assert rests.trading == ()
    assert rests.of((ACTIVE + 1) % 3) == ()


def test_own_hours_and_those_of_the_table_hold_together() -> None:
    """The clock runs in what they share."""
    own = PlayingTimes(ACTIVE, Hours(17 * 60, 24 * 60 - 60, BERLIN))
    gaps = of_seat(at("2026-06-10T12:00"), OPTIONS, own)
    assert standing(at("2026-06-10T12:00"), gaps) == at("2026-06-10T17:00")
    assert standing(at("2026-06-10T22:00"), gaps) == at("2026-06-11T17:00")


def test_table_keeps_its_hours_where_ones_own_share_too_little_with_them() -> None:
    """Two hours a day would stop a game."""
    own = PlayingTimes(ACTIVE, Hours(20 * 60, 4 * 60, BERLIN))
    now = at("2026-06-10T12:00")
    assert of_seat(now, OPTIONS, own) == of_seat(now)


def test_holiday_stops_ones_own_clock() -> None:
    """From the beginning of its first day to the end of its last, by night and by day."""
    days = holiday("2026-06-12", "2026-06-14", BERLIN)
    assert days == Holiday(at("2026-06-12T00:00"), at("2026-06-15T00:00"))
    gaps = of_seat(at("2026-06-11T12:00"), OPTIONS, PlayingTimes(ACTIVE, None, (days,)))
    assert standing(at("2026-06-12T12:00"), gaps) == at("2026-06-15T08:00")
    assert behind(at("2026-06-11T20:00"), 3 * HOUR, gaps) == at("2026-06-15T09:00")


def test_trading_stands_still_in_the_holiday_of_whoever_has_the_turn() -> None:
    """Those of others do not stop it."""
    days = holiday("2026-06-12", "2026-06-14", BERLIN)
    now = at("2026-06-12T12:00")
    active = rests_of(room(OPTIONS, PlayingTimes(ACTIVE, None, (days,))), STATE, now)
    assert standing(now, active.trading) == at("2026-06-15T08:00")
    other = rests_of(room(OPTIONS, PlayingTimes((ACTIVE + 1) % 3, None, (days,))), STATE, now)
    assert standing(now, other.trading) is None


def test_times_of_somebody_for_whom_a_bot_plays_stop_nothing() -> None:
    """Nor does a table whose clock does not count in hours."""
    days = holiday("2026-06-12", "2026-06-14", BERLIN)
    now = at("2026-06-12T12:00")
    away = handed_over(room(OPTIONS, PlayingTimes(ACTIVE, None, (days,))), ACTIVE)
    assert standing(now, rests_of(away, STATE, now).trading) is None
    quick = room(Options(players=3, clock="slow"), PlayingTimes(ACTIVE, None, (days,)))
    assert rests_of(quick, STATE, now).of(ACTIVE) == ()


def test_longest_clock_with_fewest_hours_ends_within_what_is_looked_ahead() -> None:
    """Two days and twice as much in reserve, three hours a day, and all holidays of two years on end."""
    table = replace(OPTIONS, clock="48h", hours=Hours(0, 6 * 60, "UTC"))
    now = at("2026-12-03T00:00", "UTC")
    days = holiday("2026-12-04", "2027-01-28", "UTC")
    own = PlayingTimes(ACTIVE, Hours(3 * 60, 9 * 60, "UTC"), (days,))
    gaps = of_seat(now, table, own)
    due = behind(now, 144 * HOUR, gaps)
    assert due == at("2027-03-16T06:00", "UTC")
    assert gaps[-1][0] > due


def test_on_holiday_tells_until_when() -> None:
    """Only while it lasts."""
    days = holiday("2026-06-12", "2026-06-14", BERLIN)
    there = room(OPTIONS, PlayingTimes(1, None, (days,)))
    assert on_holiday(there, 1, days.begins) == days.ends
    assert on_holiday(there, 1, days.ends) is None
    assert on_holiday(there, 0, days.begins) is None

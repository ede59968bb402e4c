"""The calendar of a table over days: from playing hours and holidays, when its clocks stand still. Pure.

Hours are those of the clock on the wall in a time zone. A time that a night leaves out, because clocks are
set forward, is that of the clock as it was before; one that comes twice is the first.
"""

from __future__ import annotations

import datetime as dt
from functools import lru_cache
from itertools import pairwise
from zoneinfo import ZoneInfo

from bohn.protocol.room import Holiday, Hours, PlayingTimes, Room
from bohn.rules.state import State
from bohn.server.room.clocks import HOUR, lasts_days, played_by_person
from bohn.server.room.resting import NO_RESTS, Gaps, Rests, joined

LEAST_SHARED = 3
"""Hours that one's own have in common with those of the table; on a day with fewer the table's hold alone."""

HORIZON = 130
"""Days that are looked ahead: more than the longest clock lasts with the fewest hours and all holidays."""

DAY = dt.timedelta(days=1)

SAME_DAY = 900_000
"""Ms within which it is the same day in every time zone: zones differ by quarters of an hour."""


def rests_of(room: Room, state: State | None, now: int) -> Rests:
    """Return when the clocks of a table stand still, from ``now`` on.

    That of the trading stands still with the table, and while whoever has the turn is on holiday.
    """
    options = room.options
    if not lasts_days(room) or not (options.hours or room.times):
        return NO_RESTS
    times = tuple(one for one in room.times or () if played_by_person(room, one.seat))
    active = None if state is None else state.active_player
    return _rests(options.hours or None, times, active, len(room.seats), now - now % SAME_DAY)


@lru_cache(maxsize=128)
def _rests(
    hours: Hours | None, people: tuple[PlayingTimes, ...], active: int | None, seats: int, now: int
) -> Rests:
    times = {one.seat: one for one in people}
    table = _opens(hours, now)
    trading = joined(_closed(table), _holidays(None if active is None else times.get(active)))
    return Rests(trading, tuple(_seat_rests(table, times.get(seat), now) for seat in range(seats)))


def _seat_rests(table: Gaps | None, times: PlayingTimes | None, now: int) -> Gaps:
    own = None if times is None else _opens(times.hours, now)
    return joined(_closed(_shared(table, own)), _holidays(times))


def _holidays(times: PlayingTimes | None) -> Gaps:
    return () if times is None else tuple((one.begins, one.ends) for one in times.holidays)


def _shared(table: Gaps | None, own: Gaps | None) -> Gaps | None:
    """Return the hours that are the table's and one's own; the table's where they share too little."""
    if table is None or own is None:
        return own if table is None else table
    found: list[tuple[int, int]] = []
    for opens, closes in table:
        both = [(max(opens, begin), min(closes, end)) for begin, end in own if begin < closes and opens < end]
        enough = sum(end - begin for begin, end in both) >= LEAST_SHARED * HOUR
        found += both if enough else [(opens, closes)]
    return tuple(found)


def _opens(hours: Hours | None, now: int) -> Gaps | None:
    """Return the playing hours of each day, from the day before yesterday on; ``None``: no clock rests."""
    if hours is None or hours.begin == hours.end:
        return None
    today = dt.datetime.fromtimestamp(now / 1000, ZoneInfo(hours.zone)).date().toordinal()
    return _windows(hours, today)


@lru_cache(maxsize=512)
def _windows(hours: Hours, today: int) -> Gaps:
    return tuple(_window(hours, day) for day in range(today - 2, today + HORIZON))


def _window(hours: Hours, day: int) -> tuple[int, int]:
    date = dt.date.fromordinal(day)
    return instant(date, hours.begin, hours.zone), instant(
        date + DAY * (hours.end < hours.begin), hours.end, hours.zone
    )


def instant(date: dt.date, minute: int, zone: str) -> int:
    """Return when it is this minute of a day in a time zone."""
    local = dt.datetime.combine(date, dt.time(minute // 60, minute % 60), ZoneInfo(zone))
    return int(local.timestamp() * 1000)


def _closed(opens: Gaps | None) -> Gaps:
    """Return the times between playing hours."""
    if not opens:
        return ()
    runs = joined(opens)
    return tuple((closes, begin) for (_, closes), (begin, _) in pairwise(runs))


def holiday(first: str, last: str, zone: str) -> Holiday:
    """Return the holiday from one day to another, both included, by ISO dates in a time zone."""
    behind = dt.date.fromisoformat(last) + DAY
    return Holiday(instant(dt.date.fromisoformat(first), 0, zone), instant(behind, 0, zone))


def on_holiday(room: Room, seat: int | None, now: int) -> int | None:
    """Return until when the owner of a seat is on holiday now, if he is."""
    holidays = (day for one in room.times or () if one.seat == seat for day in one.holidays)
    return next((day.ends for day in holidays if day.begins <= now < day.ends), None)

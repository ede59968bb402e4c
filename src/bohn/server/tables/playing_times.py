"""Playing times of people: their hours and holidays, and how tables over days come to know them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from bohn.protocol.away import Days, TimesInfo
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Hours, PlayingTimes, Room
from bohn.protocol.room_events import PlayingTimesSet
from bohn.server.clock import TimeSource
from bohn.server.room.clocks import DECISION, lasts_days
from bohn.server.store.away import PersonTimes
from bohn.server.store.counting import Counting
from bohn.server.store.protocol import Store
from bohn.server.tables.calendar import DAY, holiday
from bohn.server.tables.loaded import LoadedTable
from bohn.server.tables.log import TableLog
from bohn.server.tables.plan import SERVER, Request
from bohn.server.tables.refusing import or_refuse
from bohn.server.tables.snapshot import Snapshot
from bohn.server.zones import is_long_enough, is_zone

HOLIDAYS = 28
"""Days of holidays that one has in a calendar year."""

AHEAD = 365
"""Days ahead that a holiday begins at the latest."""


class OwnTimes:
    """Stores what people say of their hours and holidays. Methods raise :class:`Refusal`."""

    def __init__(self, store: Store, clock: TimeSource) -> None:
        """Keep it in this store."""
        self._store = store
        self._clock = clock
        self._counting = Counting(store)

    async def show(self, user: str) -> TimesInfo:
        """Return the hours and holidays of a user; of holidays those that are not over."""
        times = await self._of(user)
        today = self._today(times.hours.zone)
        shown = tuple(one for one in times.holidays if one.last >= today.isoformat())
        left, following = (_left(times.holidays, year) for year in (today.year, today.year + 1))
        return TimesInfo(times.hours, shown, left, following)

    async def set_hours(self, user: str, hours: Hours) -> None:
        """Store playing hours: ``zone-unknown``, or ``hours-not-valid`` where they are too short."""
        if not is_zone(hours.zone):
            raise Refusal(Problem.ZONE_UNKNOWN)
        if not is_long_enough(hours):
            raise Refusal(Problem.HOURS_NOT_VALID)
        async with self._counting.alone(f"times:{user}"):
            times = await self._of(user)
            await or_refuse(self._store.put_times(replace(times, hours=hours)))

    async def announce(self, user: str, days: Days, zone: str) -> None:
        """Store a holiday from tomorrow on or later: ``holiday-not-valid``, ``holidays-used``."""
        if not is_zone(zone):
            raise Refusal(Problem.ZONE_UNKNOWN)
        async with self._counting.alone(f"times:{user}"):
            times = await self._of(user)
            today = self._today(zone)
            if not _sound(days, today) or any(_meet(days, other) for other in times.holidays):
                raise Refusal(Problem.HOLIDAY_NOT_VALID)
            kept = [one for one in times.holidays if one.last >= f"{today.year}-01-01"]
            holidays = tuple(sorted((*kept, days), key=lambda one: one.first))
            first, last = dt.date.fromisoformat(days.first), dt.date.fromisoformat(days.last)
            for year in {first.year, last.year}:
                if _left(holidays, year) < 0:
                    raise Refusal(Problem.HOLIDAYS_USED, most=HOLIDAYS)
            hours = replace(times.hours, zone=zone)
            await or_refuse(self._store.put_times(PersonTimes(user, hours, holidays)))

    async def take_back(self, user: str, first: str) -> None:
        """Delete a holiday; one that has begun ends with the day, and counts until then."""
        async with self._counting.alone(f"times:{user}"):
            times = await self._of(user)
            today = self._today(times.hours.zone).isoformat()
            kept = []
            for one in times.holidays:
                if one.first == first and one.first <= today <= one.last:
                    kept.append(replace(one, last=today))
                elif one.first != first or one.last < today:
                    kept.append(one)
            await or_refuse(self._store.put_times(replace(times, holidays=tuple(kept))))

    async def _of(self, user: str) -> PersonTimes:
        found = await or_refuse(self._store.times_of((user,)))
        return found.get(user, PersonTimes(user))

    def _today(self, zone: str) -> dt.date:
        return dt.datetime.fromtimestamp(self._clock.now() / 1000, ZoneInfo(zone)).date()


class TimesAtTables:
    """Writes playing times into the logs of tables over days, where all see them and clocks keep them."""

    def __init__(self, store: Store, clock: TimeSource, log: TableLog) -> None:
        """Read them from this store."""
        self._store = store
        self._clock = clock
        self._log = log

    async def settle(self, loaded: LoadedTable, user: str | None) -> None:
        """See to it that a table knows the playing times of its people.

        Hours that have changed hold for a seat from its next decision on, so that nobody puts off a clock
        that runs; holidays hold at once, for they are few.
        """
        snapshot = loaded.snapshot
        if not lasts_days(snapshot.room) or snapshot.room.status not in ("open", "playing"):
            return
        users = {seat.user for seat in snapshot.room.seats if seat.user is not None}
        found = await or_refuse(self._store.times_of(users))
        wanted = _times_at(snapshot, found, self._clock.now())
        if wanted != _standing(snapshot.room, self._clock.now()):
            actor = SERVER if user is None else user
            request = Request(
                actor, f"times:{snapshot.seq}", "clock", None, user=user,
                events=(PlayingTimesSet(wanted),), seq=snapshot.seq,
            )  # fmt: skip
            await self._log.do(loaded, request)


def _times_at(snapshot: Snapshot, found: dict[str, PersonTimes], now: int) -> tuple[PlayingTimes, ...]:
    """Return the playing times that the seats of a table have from now on."""
    room = snapshot.room
    known = {one.seat: one for one in room.times or ()}
    deciding = {timer.key for timer in snapshot.timers}
    times = []
    for place, seat in enumerate(room.seats):
        own = found.get(seat.user or "")
        hours = None if own is None or own.hours.begin == own.hours.end else own.hours
        if f"{DECISION}:{place}" in deciding:
            hours = known[place].hours if place in known else None
        days = () if own is None else own.holidays
        zone = "UTC" if own is None else own.hours.zone
        holidays = tuple(holiday(one.first, one.last, zone) for one in days)
        times.append(PlayingTimes(place, hours, holidays))
    return _current(times, now)


def _standing(room: Room, now: int) -> tuple[PlayingTimes, ...]:
    return _current(room.times or (), now)


def _current(times: Iterable[PlayingTimes], now: int) -> tuple[PlayingTimes, ...]:
    """Return playing times without holidays that are over, and without those that say nothing then."""
    kept = (replace(one, holidays=tuple(day for day in one.holidays if day.ends > now)) for one in times)
    return tuple(one for one in kept if one.hours is not None or one.holidays)


# -- days ------------------------------------------------------------------------------------------------


def _sound(days: Days, today: dt.date) -> bool:
    """Tell whether these are days from tomorrow on that are not too far."""
    try:
        first, last = dt.date.fromisoformat(days.first), dt.date.fromisoformat(days.last)
    except ValueError:
        return False
    canonical = (first.isoformat(), last.isoformat()) == (days.first, days.last)
    return canonical and today < first <= last < first + AHEAD * DAY and first <= today + AHEAD * DAY


def _meet(one: Days, other: Days) -> bool:
    return one.first <= other.last and other.first <= one.last


def _left(holidays: Iterable[Days], year: int) -> int:
    """Return how many days of a year are left."""
    begin, end = dt.date(year, 1, 1), dt.date(year, 12, 31)
    used = 0
    for one in holidays:
        first = max(begin, dt.date.fromisoformat(one.first))
        last = min(end, dt.date.fromisoformat(one.last))
        used += max(0, (last - first).days + 1)
    return HOLIDAYS - used

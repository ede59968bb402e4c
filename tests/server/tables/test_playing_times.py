"""Playing hours and holidays at tables over days: clocks stand still, and nobody stops a game by them."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from msgspec.structs import replace

from bohn.protocol.away import Days
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Hours, Options
from bohn.rules.commands import Plant
from bohn.server.room.clocks import HOUR
from bohn.server.settings import Settings, Times
from bohn.server.store.protocol import Timer
from bohn.server.tables.playing_times import HOLIDAYS, OwnTimes
from tests.server.support.clock import StillClock
from tests.server.support.tables import Ear, House
from tests.server.tables.test_timing import FirstChoice

PEOPLE = ("anna", "bert", "cleo")
START = int(dt.datetime(2026, 6, 10, 12, tzinfo=dt.UTC).timestamp() * 1000)
"""When the tables are opened: at noon."""

BY_DAY = Hours(8 * 60, 20 * 60, "UTC")
SLOWLY = Times(poll=60_000, beat=600_000)
"""The clocks are looked at every minute: days pass here."""

PLAIN = Options(players=3, clock="8h")


def at(day: int, hour: int, minute: int = 0) -> int:
    """Return a time of June 2026."""
    return int(dt.datetime(2026, 6, day, hour, minute, tzinfo=dt.UTC).timestamp() * 1000)


class Desk:
    """A table over days: the one whose turn it is has 24 hours in all, 16 of them in reserve."""

    def __init__(self, house: House, table: str) -> None:
        """Look at a table."""
        self.house, self.table = house, table
        self.times = OwnTimes(house.store, house.clock)
        self.ear = Ear()
        self.active = -1

    @property
    def me(self) -> str:
        """Whoever's turn it is."""
        return PEOPLE[self.active]

    async def come(self) -> None:
        """Let somebody watch."""
        state = (await self.house.tables.peek(self.table)).state
        assert state is not None
        self.active = state.active_player
        await self.house.tables.watch(self.table, None, self.ear, None)

    async def until(self, moment: int) -> None:
        """Let time pass until then."""
        await self.house.clock.advance(moment - self.house.clock.now())

    async def set_hours(self, user: str, hours: Hours) -> None:
        """Let somebody say when he plays."""
        await self.times.set_hours(user, hours)
        await self.house.tables.times_changed(user)

    async def announce(self, user: str, first: str, last: str) -> None:
        """Let somebody announce a holiday."""
        await self.times.announce(user, Days(first, last), "UTC")
        await self.house.tables.times_changed(user)

    async def plant(self) -> None:
        """Let whoever has the turn plant."""
        await self.house.do(self.table, self.me, Plant(self.active, 0))

    async def welcome(self) -> Any:
        """Return the table as everybody sees it."""
        return await self.house.tables.welcome(self.table, None)

    async def ends(self) -> int | None:
        """Return when the clock ends that is shown."""
        due: int | None = (await self.welcome()).clocks[0].due
        return due

    async def misses(self) -> int:
        """Return how often whoever has the turn has let his clock run out."""
        return int((await self.welcome()).room.seats[self.active].misses)


Story = Callable[[Desk], Awaitable[None]]


def tell(story: Story, options: Options = PLAIN, *, before: Story | None = None) -> None:
    """Run a story at a table that is dealt at noon."""

    async def run() -> None:
        house = await House(Settings(times=SLOWLY), clock=StillClock(START)).begin(FirstChoice())
        if before is not None:
            await before(Desk(house, ""))
        desk = Desk(house, await house.table(*PEOPLE, options=options))
        await desk.come()
        await story(desk)
        await house.end()

    asyncio.run(run())


# -- hours -----------------------------------------------------------------------------------------------


def test_clock_of_a_table_runs_in_its_hours_only() -> None:
    """24 hours from noon on are used up at noon two days later; before that nothing happens."""

    async def story(desk: Desk) -> None:
        assert await desk.ends() == at(12, 12)
        clock = (await desk.welcome()).clocks[0]
        assert clock.rests == ((at(10, 20), at(11, 8)), (at(11, 20), at(12, 8)))
        await desk.until(at(12, 11, 59))
        assert await desk.misses() == 0
        await desk.until(at(12, 12, 1))
        assert await desk.misses() == 1

    tell(story, replace(PLAIN, hours=BY_DAY))


def test_reserve_is_used_by_what_runs_only() -> None:
    """Whoever plants at nine the next morning has taken nine hours: one of his reserve."""

    async def story(desk: Desk) -> None:
        await desk.until(at(11, 9))
        await desk.plant()
        assert (await desk.welcome()).clocks[0].reserve == 15 * HOUR

    tell(story, replace(PLAIN, hours=BY_DAY))


@pytest.mark.parametrize(
    "hours", [Hours(8 * 60, 13 * 60, "UTC"), Hours(0, 60, "UTC"), Hours(480, 1200, "Nowhere/Land")]
)
def test_table_has_hours_enough_in_a_time_zone_that_there_is(hours: Hours) -> None:
    """Six at least, so that nobody can stop a game; and only where the clock counts in hours."""

    async def story(desk: Desk) -> None:
        for options in (replace(PLAIN, hours=hours), Options(players=3, clock="slow", hours=BY_DAY)):
            with pytest.raises(Refusal) as caught:
                await desk.house.tables.open_table("anna", options)
            assert caught.value.problem is Problem.OPTIONS_NOT_VALID
            assert caught.value.params == {"what": "hours"}

    tell(story)


def test_own_hours_are_known_at_the_start() -> None:
    """Whoever has said them before finds them at every table, and everybody sees them."""

    async def said(desk: Desk) -> None:
        for user in PEOPLE:
            await desk.times.set_hours(user, BY_DAY)

    async def story(desk: Desk) -> None:
        assert await desk.ends() == at(12, 12)
        assert [one.hours for one in (await desk.welcome()).room.times] == [BY_DAY] * 3

    tell(story, before=said)


def test_own_hours_are_known_before_the_start() -> None:
    """Who waits for the deal sees when the last one plays who sat down, and what he changes there."""
    later = Hours(9 * 60, 21 * 60, "UTC")

    async def run() -> None:
        house = await House(Settings(times=SLOWLY), clock=StillClock(START)).begin(FirstChoice())
        times = OwnTimes(house.store, house.clock)
        await times.set_hours("bert", BY_DAY)
        table = await house.table("anna", "bert", options=PLAIN, start=False)
        known = (await house.tables.welcome(table, "anna")).room.times
        await times.set_hours("bert", later)
        await house.tables.times_changed("bert")
        changed = (await house.tables.welcome(table, "anna")).room.times
        await house.end()

        assert [[one.hours for one in found or ()] for found in (known, changed)] == [[BY_DAY], [later]]

    asyncio.run(run())


def test_changed_hours_put_off_no_clock_that_runs() -> None:
    """They hold from the next decision on, so that nobody stops a game by changing them again and again."""

    async def story(desk: Desk) -> None:
        before = await desk.ends()
        await desk.set_hours(desk.me, BY_DAY)
        assert await desk.ends() == before == at(11, 12)
        other = (desk.active + 1) % 3
        await desk.set_hours(PEOPLE[other], BY_DAY)
        times = (await desk.welcome()).room.times
        assert [(one.seat, one.hours) for one in times] == [(other, BY_DAY)]

    tell(story)


def test_own_hours_that_are_too_short_are_refused() -> None:
    """And those in a time zone that there is not."""

    async def story(desk: Desk) -> None:
        assert await refused(desk.set_hours("anna", Hours(480, 839, "UTC"))) is Problem.HOURS_NOT_VALID
        assert await refused(desk.set_hours("anna", Hours(480, 1200, "UTC+25"))) is Problem.ZONE_UNKNOWN
        await desk.set_hours("anna", Hours(480, 840, "UTC"))
        await desk.set_hours("anna", Hours(0, 0, "UTC"))

    tell(story)


# -- holidays --------------------------------------------------------------------------------------------


def test_holiday_stops_a_clock_that_runs() -> None:
    """What was left of it is left behind the holiday; the others see until when he is away."""

    async def story(desk: Desk) -> None:
        await desk.until(at(10, 14))
        await desk.announce(desk.me, "2026-06-11", "2026-06-13")
        assert await desk.ends() == at(14, 12)
        (times,) = desk.ear.of("batch")[-1]["room"]["times"]
        assert (times["seat"], times["holidays"]) == (
            desk.active, [{"begins": at(11, 0), "ends": at(14, 0)}],
        )  # fmt: skip
        await desk.until(at(14, 11, 50))
        assert await desk.misses() == 0
        await desk.until(at(14, 12, 1))
        assert await desk.misses() == 1

    tell(story)


def test_holiday_that_is_taken_back_lets_the_clock_run() -> None:
    """One that has begun ends with the day."""

    async def story(desk: Desk) -> None:
        await desk.announce(desk.me, "2026-06-11", "2026-06-13")
        await desk.until(at(11, 10))
        await desk.times.take_back(desk.me, "2026-06-11")
        await desk.house.tables.times_changed(desk.me)
        assert await desk.ends() == at(12, 12)
        assert (await desk.times.show(desk.me)).left == HOLIDAYS - 1
        await desk.until(at(12, 10))
        await desk.announce(desk.me, "2026-06-13", "2026-06-13")
        await desk.times.take_back(desk.me, "2026-06-13")
        assert (await desk.times.show(desk.me)).left == HOLIDAYS - 1

    tell(story)


def test_table_that_was_not_told_learns_of_a_holiday_when_a_clock_ends() -> None:
    """As when a server was killed between the two: nobody loses a turn by it."""

    async def story(desk: Desk) -> None:
        await desk.times.announce(desk.me, Days("2026-06-11", "2026-06-12"), "UTC")
        assert await desk.ends() == at(11, 12)
        await desk.until(at(11, 12, 1))
        assert await desk.misses() == 0
        assert await desk.ends() == at(13, 0)

    tell(story)


def test_holidays_of_a_year_are_counted() -> None:
    """28 days in each; those of the next year are the next year's."""

    async def story(desk: Desk) -> None:
        times = desk.times
        await times.announce("anna", Days("2026-12-20", "2027-01-05"), "UTC")
        shown = await times.show("anna")
        assert (shown.left, shown.left_next) == (HOLIDAYS - 12, HOLIDAYS - 5)
        too_long = times.announce("anna", Days("2026-07-01", "2026-07-17"), "UTC")
        assert await refused(too_long) is Problem.HOLIDAYS_USED
        await times.announce("anna", Days("2026-07-01", "2026-07-16"), "UTC")
        assert (await times.show("anna")).left == 0
        assert [one.first for one in (await times.show("anna")).holidays] == ["2026-07-01", "2026-12-20"]

    tell(story)


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("2026-06-10", "2026-06-12"),  # today
        ("2026-06-14", "2026-06-13"),
        ("2027-06-11", "2027-06-11"),  # more than a year ahead
        ("2026-06-31", "2026-07-01"),
        ("20260615", "20260616"),
        ("2026-06-19", "2026-06-21"),  # meets another
        ("", ""),
    ],
)
def test_holiday_is_announced_before_it_begins(first: str, last: str) -> None:
    """From tomorrow on, within a year, by dates that there are, and beside the others."""

    async def story(desk: Desk) -> None:
        await desk.announce("anna", "2026-06-20", "2026-06-22")
        assert await refused(desk.announce("anna", first, last)) is Problem.HOLIDAY_NOT_VALID

    tell(story)


# -- time that nobody served -----------------------------------------------------------------------------


def test_clock_that_was_put_off_into_the_night_ends_in_the_morning() -> None:
    """A credit is given back in hours in which the clock runs, and shown so."""

    async def story(desk: Desk) -> None:
        key = f"decision:{desk.active}"
        late = Timer(key, at(10, 20, 30))
        loaded = desk.house.tables.loaded.find(desk.table)
        assert loaded is not None
        desk.house.backing.timers[desk.table][key] = late
        await desk.house.tables._log.read_anew(loaded)
        assert await desk.ends() == at(11, 8, 30)
        await desk.until(at(11, 8, 25))
        assert await desk.misses() == 0
        await desk.until(at(11, 8, 31))
        assert await desk.misses() == 1

    tell(story, replace(PLAIN, hours=BY_DAY))


async def refused(asked: Awaitable[Any]) -> Problem:
    """Return why something is refused."""
    with pytest.raises(Refusal) as caught:
        await asked
    return caught.value.problem


# -- tables that sleep -----------------------------------------------------------------------------------


def test_table_over_days_sleeps_until_its_clock_wakes_it() -> None:
    """Nobody looks, so that it leaves memory; the end of a clock brings it back, and then it leaves again."""

    async def run() -> None:
        settings = Settings(times=replace(SLOWLY, idle_table=HOUR))
        house = await House(settings, clock=StillClock(START)).begin(FirstChoice())
        table = await house.table(*PEOPLE, options=PLAIN)
        await house.clock.advance(2 * HOUR)
        assert not house.tables.in_memory(table)
        before = len(await house.store.rows(table))
        await house.clock.advance(21 * HOUR)
        assert not house.tables.in_memory(table)
        await house.clock.advance(HOUR + 120_000)
        assert house.tables.in_memory(table)
        assert len(await house.store.rows(table)) > before
        await house.clock.advance(2 * HOUR)
        assert not house.tables.in_memory(table)
        await house.end()

    asyncio.run(run())

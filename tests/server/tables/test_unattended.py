"""Tables in which no seat has an owner and at which nobody looks fall, and nothing anybody waits for does."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from structlog.testing import capture_logs

from bohn.protocol.room import Options
from bohn.protocol.room_commands import EndTable, Kick, Rematch, SeatBot, Sit, Stand, Start
from bohn.server.settings import Retention, Settings, Times
from bohn.server.store.protocol import LogRow
from bohn.server.tables import upkeep
from bohn.server.tables.api import Unobserved
from tests.server.support.memory_store import MemoryStore
from tests.server.support.tables import Ear, House, workers

TIMES = Times(poll=2_000, beat=600_000, idle_table=20_000, unowned_table=10_000, unowned_game=100_000)
MINUTES = 14_000
"""Some time after which an open table has fallen."""

DAYS = 120_000
"""Some time after which a game of bots has fallen."""


class TornStore(MemoryStore):
    """A store in which some logs cannot be read, and others are empty."""

    def __init__(self) -> None:
        super().__init__()
        self.torn: set[str] = set()
        self.empty: set[str] = set()

    async def rows(self, table: str, after: int = 0, limit: int | None = None) -> tuple[LogRow, ...]:
        """Return the rows of a log that is none of these."""
        if table in self.torn:
            raise ValueError(table)
        return () if table in self.empty else await super().rows(table, after, limit)


def story(
    test: Callable[[House], Awaitable[None]],
    times: Times = TIMES,
    *,
    store: MemoryStore | None = None,
) -> None:
    """Run a story in a service of its own."""

    async def whole() -> None:
        house = await House(Settings(times=times), store).begin()
        try:
            await test(house)
        finally:
            await house.end()

    asyncio.run(whole())


async def opened(house: House, *, start: bool = False) -> str:
    """Open a listed table of bots, without its host in a seat."""
    table = await house.tables.open_table("anna", Options(players=3, listed=True))
    if start:
        for seat in range(3):
            await house.do(table, "anna", SeatBot(seat, "pk"))
        await house.do(table, "anna", Start())
    return table


async def status(house: House, table: str) -> str:
    """Return the status of a table as the lobby knows it."""
    listing = await house.store.listing(table)
    assert listing is not None
    return listing.status


def test_table_nobody_has_sat_at_falls_within_minutes() -> None:
    """It does not stay in the lobby; the deal it was opened with is revealed."""

    async def test(house: House) -> None:
        table = await opened(house)
        await house.clock.advance(TIMES.unowned_table - 1_000)
        assert await status(house, table) == "open"
        await house.clock.advance(MINUTES)

        assert await status(house, table) == "abandoned"
        assert (await house.tables.welcome(table, "anna")).room.reveal is not None

    story(test)


def test_table_that_is_looked_at_stays() -> None:
    """The time begins when the last one has left."""

    async def test(house: House) -> None:
        table = await opened(house)
        watcher = await house.tables.watch(table, None, Ear(), None)
        await house.clock.advance(4 * MINUTES)
        house.tables.unwatch(watcher)
        await house.clock.advance(TIMES.unowned_table - 1_000)
        assert await status(house, table) == "open"
        await house.clock.advance(MINUTES)

        assert await status(house, table) == "abandoned"

    story(test)


def test_table_at_which_somebody_sits_stays() -> None:
    """Friends may come later; once its only owner has stood up, it falls like any other."""

    async def test(house: House) -> None:
        table = await opened(house)
        await house.do(table, "anna", Sit(0))
        await house.clock.advance(DAYS)
        assert await status(house, table) == "open"
        await house.do(table, "anna", Stand())
        await house.clock.advance(MINUTES)

        assert await status(house, table) == "abandoned"

    story(test)


@pytest.mark.parametrize("looked", [0, DAYS])
def test_game_of_bots_falls_a_day_after_the_last_look(looked: int) -> None:
    """Whether it has left memory since or not."""

    async def test(house: House) -> None:
        table = await opened(house, start=True)
        watcher = await house.tables.watch(table, None, Ear(), None)
        await house.clock.advance(looked)
        house.tables.unwatch(watcher)
        await house.clock.advance(TIMES.unowned_game // 2)
        assert house.tables.loaded.find(table) is None
        assert await status(house, table) == "playing"
        await house.clock.advance(DAYS)

        assert await status(house, table) == "abandoned"

    story(test)


def test_look_is_not_forgotten_when_a_table_comes_into_memory_and_leaves_it() -> None:
    """A command, or a page about the table, is no look, and takes none back."""

    async def test(house: House) -> None:
        table = await opened(house, start=True)
        watcher = await house.tables.watch(table, None, Ear(), None)
        await house.clock.advance(DAYS)
        house.tables.unwatch(watcher)
        for _ in range(2):
            house.drop(table)
            await house.tables.peek(table)
        await house.clock.advance(TIMES.unowned_game - 5_000)
        assert await status(house, table) == "playing"
        assert house.tables.loaded.find(table) is None
        await house.clock.advance(MINUTES)

        assert await status(house, table) == "abandoned"

    story(test)


def test_look_at_an_open_table_that_leaves_memory_counts_for_minutes() -> None:
    """No longer: it is not a game."""

    async def test(house: House) -> None:
        table = await opened(house)
        watcher = await house.tables.watch(table, None, Ear(), None)
        await house.clock.advance(DAYS)
        house.tables.unwatch(watcher)
        house.drop(table)
        await house.clock.advance(TIMES.unowned_table - 1_000)
        assert await status(house, table) == "open"
        await house.clock.advance(MINUTES)

        assert await status(house, table) == "abandoned"

    story(test)


def test_looks_that_are_remembered_have_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one longest ago makes room."""
    monkeypatch.setattr(upkeep, "MOST_LOOKS", 2)

    async def test(house: House) -> None:
        tables = [await opened(house, start=True) for _ in range(3)]
        watchers = [await house.tables.watch(table, None, Ear(), None) for table in tables]
        await house.clock.advance(DAYS)
        for watcher in watchers:
            house.tables.unwatch(watcher)
        for table in tables:
            house.drop(table)
        await house.clock.advance(MINUTES)

        assert [await status(house, table) for table in tables] == ["abandoned", "playing", "playing"]

    story(test)


def test_table_whose_log_cannot_be_read_stops_no_other() -> None:
    """Though it is the oldest; it is told once, not every minute."""
    store = TornStore()

    async def test(house: House) -> None:
        torn, table = await opened(house), await opened(house)
        house.drop(torn)
        store.torn.add(torn)
        with capture_logs() as logged:
            await house.clock.advance(3 * MINUTES)

        assert [await status(house, one) for one in (torn, table)] == ["open", "abandoned"]
        assert [(line["event"], line["kind"], line["table"]) for line in logged if "kind" in line] == [
            ("mistake", "ValueError", torn)
        ]

    story(test, store=store)


def test_tables_that_are_refused_stop_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many they are; they are tried again, behind all others."""
    monkeypatch.setattr(upkeep, "ABANDONED_AT_ONCE", 2)
    store = TornStore()

    async def test(house: House) -> None:
        refused, table = [await opened(house) for _ in range(5)], await opened(house)
        for one in refused:
            house.drop(one)
        store.empty.update(refused)
        await house.clock.advance(2 * MINUTES)
        assert await status(house, table) == "abandoned"
        assert {await status(house, one) for one in refused} == {"open"}
        store.empty.clear()
        await house.clock.advance(2 * MINUTES)

        assert {await status(house, one) for one in refused} == {"abandoned"}

    story(test, store=store)


def test_game_that_an_owner_left_to_bots_is_there_when_he_comes_back() -> None:
    """However late, and though others have gone for good."""

    async def test(house: House) -> None:
        table = await house.table("anna", "bert")
        await house.do(table, "anna", Stand())
        await house.do(table, "bert", Stand())
        await house.clock.advance(3 * DAYS)
        assert await status(house, table) == "playing"
        await house.do(table, "anna", Kick(1))
        await house.clock.advance(DAYS)

        assert await status(house, table) == "playing"

    story(test)


def test_tables_from_before_a_restart_fall_too() -> None:
    """A new process gives those who looked the usual time to come back."""

    async def test(house: House) -> None:
        table, game = await opened(house), await opened(house, start=True)
        await house.tables.stop()
        again = House(house.settings, house.store, house.clock, house.entropy)
        await house.clock.advance(TIMES.unowned_table)
        await again.tables.start()
        await house.clock.advance(TIMES.unowned_table - 1_000)
        assert await status(house, table) == "open"
        await house.clock.advance(MINUTES)
        assert [await status(house, one) for one in (table, game)] == ["abandoned", "playing"]
        await house.clock.advance(DAYS)

        assert await status(house, game) == "abandoned"
        await again.tables.stop()

    story(test)


# -- tables whose owners do not come back ----------------------------------------------------------------

HOUR, DAY = 3_600_000, 86_400_000
LONG = Times(poll=HOUR, beat=24 * HOUR, unowned_table=10 * HOUR, unowned_game=20 * HOUR)


class Seen(Unobserved):
    """Notes why tables were abandoned."""

    def __init__(self) -> None:
        self.why: list[str] = []

    def abandoned(self, why: str) -> None:
        """Note it."""
        self.why.append(why)


def long_story(test: Callable[[House], Awaitable[None]], unfinished: int = 3) -> None:
    """Run a story in which tables are given up when nobody has moved there for some days."""

    async def whole() -> None:
        house = await House(Settings(times=LONG, retention=Retention(unfinished=unfinished))).begin()
        try:
            await test(house)
        finally:
            await house.end()

    asyncio.run(whole())


@pytest.mark.parametrize("start", [False, True])
def test_table_whose_owners_never_come_back_is_given_up(start: bool) -> None:
    """Open or in play, after its days and not before; it is counted, and the owners read that it was."""

    async def test(house: House) -> None:
        seen = Seen()
        house.tables._upkeep._observer = seen
        table = await house.table("anna", "bert", start=start)
        await house.clock.advance(3 * DAY - 2 * HOUR)
        assert await status(house, table) == ("playing" if start else "open")
        assert house.tables.loaded.find(table) is None
        await house.clock.advance(5 * HOUR)

        assert await status(house, table) == "abandoned"
        assert seen.why == ["unfinished"]
        assert (await house.tables.welcome(table, "anna")).room.status == "abandoned"

    long_story(test)


def test_move_or_look_keeps_a_table_of_owners() -> None:
    """The days count from the last move; while somebody looks nothing ends."""

    async def test(house: House) -> None:
        moved, seen = await house.table("anna", "bert"), await house.table("anna", "bert")
        await house.clock.advance(2 * DAY)
        await house.do(moved, "bert", Stand())
        watcher = await house.tables.watch(seen, "bert", Ear(), None)
        await house.clock.advance(2 * DAY)
        assert [await status(house, one) for one in (moved, seen)] == ["playing", "playing"]
        house.tables.unwatch(watcher)
        await house.clock.advance(DAY + 4 * HOUR)

        assert await status(house, moved) == "abandoned"

    long_story(test)


def test_table_of_owners_stays_for_ever_without_days() -> None:
    """Whoever wants that sets them to 0."""

    async def test(house: House) -> None:
        table = await house.table("anna", "bert", start=False)
        await house.clock.advance(20 * DAY)

        assert await status(house, table) == "open"

    long_story(test, unfinished=0)


async def over(house: House) -> str:
    """Return a table whose game has ended and whose rematch was asked for."""
    table = await house.table("anna", "bert", "cleo")
    await house.do(table, "anna", EndTable())
    await house.do(table, "anna", Rematch())
    return table


async def rematch_of(house: House, table: str) -> str:
    """Return the next table of a table."""
    found = (await house.tables.peek(table)).room.rematch
    assert found is not None
    return found


def test_rematch_stands_as_long_as_somebody_looks_at_the_table_before() -> None:
    """Whoever talks about the result for a while finds a seat at the next table."""

    async def test(house: House) -> None:
        table = await over(house)
        await house.tables.watch(table, "anna", Ear(), None)
        await house.clock.advance(MINUTES)
        await house.do(await rematch_of(house, table), "bert", Sit())

    story(test)


def test_rematch_that_has_fallen_is_made_anew() -> None:
    """There is another next table, where everybody may sit down."""

    async def test(house: House) -> None:
        table = await over(house)
        fallen = await rematch_of(house, table)
        await house.clock.advance(MINUTES)
        await house.do(table, "bert", Rematch())
        anew = await rematch_of(house, table)
        await house.do(anew, "anna", Sit())
        assert anew != fallen

    story(test)


def test_table_of_a_worker_that_has_gone_falls_only_when_its_next_one_has_had_it_for_minutes() -> None:
    """Who looked there before is not known to that one, and may be on his way."""

    async def test() -> None:
        one, two = await workers(Settings(times=Times(unowned_table=10_000)))
        table = await opened(one)
        while not one.tables._ownership.serves(table):
            table = await opened(one)
        watcher = await one.tables.watch(table, None, Ear(), None)
        await one.clock.advance(30_000)
        one.tables.unwatch(watcher)
        if two.tables.loaded.find(table) is not None:
            two.drop(table)
        await one.end()
        await two.clock.advance(8_000)
        assert await status(two, table) == "open"
        await two.clock.advance(10_000)
        assert await status(two, table) == "abandoned"
        await two.end()

    asyncio.run(test())

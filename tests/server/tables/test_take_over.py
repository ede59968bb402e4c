"""What a worker does at the tables in its memory whose former worker has gone: the clocks are read anew."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bohn.protocol.room import Options
from bohn.rules.beans import Bean
from bohn.rules.commands import SetWish
from bohn.server.settings import Limits, Settings
from bohn.server.store.protocol import LogRow, Timer
from bohn.server.store.shared import bucket_of
from bohn.server.tables.api import Peek
from bohn.server.tables.loaded import LoadedTable
from tests.server.support.shared_memory_store import SharedMemoryStore
from tests.server.support.tables import Ear, House, Plant, workers
from tests.server.tables.test_service import THREE, run

CLOCKED = Options(players=3, clock="slow")
MANY = Settings(limits=Limits(tables_a_user=100))


def counted(house: House, asked: Counter[str], *names: str) -> None:
    """Count how often these questions are put to the store of a worker."""

    def counting(name: str, ask: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def count(*about: Any) -> Any:
            asked[name] += 1
            return await ask(*about)

        return count

    for name in names:
        setattr(house.store, name, counting(name, getattr(house.store, name)))


class NotingSeats:
    """Seats whose bots do nothing; it is noted what they are told of which table."""

    def __init__(self) -> None:
        self.told: list[tuple[str, int]] = []
        self.gone: list[str] = []

    def noticed(self, peek: Peek, row: LogRow | None) -> None:
        """Note it."""
        del row
        self.told.append((peek.room.id, peek.seq))

    def dropped(self, table: str) -> None:
        """Note it."""
        self.gone.append(table)

    def audience_changed(self, peek: Peek) -> None:
        """Ignore."""

    def signs_changed(self, peek: Peek) -> None:
        """Ignore."""

    async def choose(self, peek: Peek, seat: int) -> None:
        """Choose nothing."""

    async def stop(self) -> None:
        """Do nothing."""


def of_other(one: House, two: House) -> list[LoadedTable]:
    """Return the tables in the memory of ``two`` that ``one`` serves."""
    return [loaded for loaded in two.tables.loaded.all() if one.tables._ownership.serves(loaded.id)]


async def beaten(house: House) -> None:
    """Let a worker renew its leases."""
    leasing = house.tables._leasing
    assert leasing is not None
    await leasing.beat()


def test_tables_of_a_stopped_worker_are_taken_with_two_questions() -> None:
    """However many there are; each is of the new epoch then, with the clocks that the store has."""

    async def test() -> None:
        one, two = await workers(MANY)
        for _ in range(12):
            await two.table(*THREE, options=CLOCKED)
        tables = of_other(one, two)
        assert len(tables) > 2
        asked: Counter[str] = Counter()
        counted(two, asked, "heads", "timers_of", "news")
        asked.clear()
        await one.end()
        await beaten(two)
        await two.clock.settle()
        assert asked == {"heads": 1, "timers_of": 1}
        for loaded in tables:
            assert loaded.epoch == two.tables._ownership.epoch(loaded.id) == 2
            assert loaded.snapshot.timers == await two.store.timers(loaded.id)
        await two.end()

    run(test())


def test_table_that_moved_where_nobody_heard_is_read_on_when_it_is_taken() -> None:
    """Its former worker wrote rows whose bell was lost."""

    async def test() -> None:
        one, two = await workers(MANY, deaf=True)
        table = await two.table(*THREE, options=CLOCKED)
        while not one.tables._ownership.serves(table):
            table = await two.table(*THREE, options=CLOCKED)
        state = (await one.tables.peek(table)).state
        assert state is not None
        await one.do(table, THREE[state.active_player], Plant(state.active_player, 0))
        loaded = two.tables.loaded.find(table)
        assert loaded is not None
        seq = loaded.snapshot.seq
        await one.end()
        await beaten(two)
        await two.clock.settle()
        assert loaded.snapshot.seq == seq + 1
        assert loaded.snapshot.timers == await two.store.timers(table)
        await two.end()

    run(test())


def test_clocks_read_before_a_move_do_not_replace_those_of_the_move() -> None:
    """Somebody moves between the question and its answer: the answer is old then."""

    async def test() -> None:
        one, two = await workers(MANY)
        table = await two.table(*THREE, options=CLOCKED)
        while not one.tables._ownership.serves(table):
            table = await two.table(*THREE, options=CLOCKED)
        loaded = two.tables.loaded.find(table)
        assert loaded is not None
        reached, opened, ask = asyncio.Event(), asyncio.Event(), two.store.timers_of

        async def late(tables: tuple[str, ...]) -> dict[str, tuple[Timer, ...]]:
            found = await ask(tables)
            if not reached.is_set():
                reached.set()
                await opened.wait()
            return found

        setattr(two.store, "timers_of", late)  # noqa: B010 - a method, which mypy keeps
        await one.end()
        beating = asyncio.create_task(beaten(two))
        await reached.wait()
        before = loaded.snapshot.timers
        await two.clock.advance(20)
        state = loaded.snapshot.state
        assert state is not None
        await two.do(table, THREE[state.active_player], Plant(state.active_player, 0))
        opened.set()
        await beating
        await two.clock.settle()
        assert loaded.snapshot.timers == await two.store.timers(table) != before
        await two.end()

    run(test())


async def taken_by_another(house: House, table: str) -> None:
    """Let a third worker take a table that nobody served for a minute, and so put off its clocks."""
    store = house.store
    assert isinstance(store, SharedMemoryStore)
    lease, now = store._shared.leases[bucket_of(table)], house.clock.now()
    lease.until, lease.renewed = now - 1, now - 60_000
    renewal = await store.renew("third", "third", 3_600_000, 1_000)
    assert renewal.credited == {bucket_of(table)}


@pytest.mark.parametrize("question", ["timers", "timers_of", "news"])
def test_clocks_that_were_read_before_they_were_put_off_are_read_again(question: str) -> None:
    """A worker that took them for those of the new epoch would write them back."""

    async def test() -> None:
        one, two = await workers(MANY, deaf=True)
        table = await two.table(*THREE, options=CLOCKED)
        if question == "timers":
            two.drop(table)
        loaded = two.tables.loaded.find(table)
        await one.do(table, THREE[0], SetWish(0, Bean.SOY, "want"), name="wish")
        reached, opened, ask = asyncio.Event(), asyncio.Event(), getattr(two.store, question)

        async def late(*about: Any) -> Any:
            found = await ask(*about)
            if not reached.is_set():
                reached.set()
                await opened.wait()
            return found

        setattr(two.store, question, late)
        if loaded is None:
            reading: Awaitable[Any] = two.tables.peek(table)
        elif question == "news":
            reading = two.tables._read_on(loaded)
        else:
            reading = two.tables._log.read_anew(loaded)
        task = asyncio.ensure_future(reading)
        await reached.wait()
        await taken_by_another(two, table)
        await two.tables._ownership.refresh()
        opened.set()
        await task
        await two.clock.advance(two.settings.times.sweep + 1)
        loaded = two.tables.loaded.find(table)
        assert loaded is not None
        assert loaded.snapshot.timers == await two.store.timers(table) != ()
        await one.end()
        await two.end()

    run(test())


def test_command_of_a_worker_that_knows_no_later_epoch_is_done_at_once() -> None:
    """It begins a clock, is refused by the store, reads the epoch and the clocks, and is decided anew."""

    async def test() -> None:
        one, two = await workers(MANY)
        table = await two.table(*THREE, options=CLOCKED)
        state = (await two.tables.peek(table)).state
        assert state is not None
        await taken_by_another(two, table)
        moving = asyncio.create_task(two.until_trading(table, THREE))
        await two.clock.settle()
        assert moving.done()
        assert await moving == state.active_player
        await one.end()
        await two.end()

    run(test())


def test_bots_are_told_what_happened_while_the_answer_to_a_renewal_was_late() -> None:
    """The lease was renewed in time, but its worker could not know it, and let the bots rest meanwhile."""

    async def test() -> None:
        one, two = await workers(MANY)
        table = await one.table(*THREE[:2])
        while not one.tables._ownership.serves(table):
            table = await one.table(*THREE[:2])
        store = one.store
        assert isinstance(store, SharedMemoryStore)
        seats, renew, opened = NotingSeats(), store.renew, asyncio.Event()
        one.tables._seats = seats

        async def late(*about: Any) -> Any:
            found = await renew(*about)
            await opened.wait()
            return found

        setattr(store, "renew", late)  # noqa: B010 - a method, which mypy keeps
        await one.clock.advance(one.settings.times.lease + 300)
        assert not one.tables._ownership.serves(table)
        seq = await one.do(table, THREE[0], SetWish(0, Bean.SOY, "want"))
        assert seats.told == []
        setattr(store, "renew", renew)  # noqa: B010 - as above
        opened.set()
        await one.clock.settle()
        assert (table, seq) in seats.told
        await one.end()
        await two.end()

    run(test())


def test_bots_of_a_table_that_was_busy_when_it_was_taken_are_told_of_it() -> None:
    """Something was under way there, and came to nothing: its bots act all the same."""

    async def test() -> None:
        one, two = await workers(MANY)
        table = await two.table(*THREE[:2])
        while not one.tables._ownership.serves(table):
            table = await two.table(*THREE[:2])
        loaded = two.tables.loaded.find(table)
        assert loaded is not None
        seats = NotingSeats()
        two.tables._seats = seats
        async with loaded.lock:
            await one.end()
            await beaten(two)
            await two.clock.settle()
            assert seats.told == []
        await two.clock.settle()
        assert seats.told == [(table, loaded.snapshot.seq)]
        await two.end()

    run(test())


def test_bots_rest_at_tables_that_another_worker_takes() -> None:
    """They would think for nothing: the store refuses what they do."""

    async def test() -> None:
        one, two = await workers(MANY)
        tables = [await one.table(*THREE[:2]) for _ in range(12)]
        seats, before = NotingSeats(), [table for table in tables if one.tables._ownership.serves(table)]
        one.tables._seats = seats
        store = one.store
        assert isinstance(store, SharedMemoryStore)
        await store.renew("third", "third", 3_600_000, 1_000)
        await beaten(one)
        kept = [table for table in before if one.tables._ownership.serves(table)]
        assert set(seats.gone) == set(before) - set(kept) != set()
        await one.end()
        await two.end()

    run(test())


def test_bots_rest_at_all_tables_of_a_worker_that_stops() -> None:
    """Another one lets them go on at once."""

    async def test() -> None:
        one, two = await workers(MANY)
        tables = {await one.table(*THREE[:2]) for _ in range(3)}
        seats = NotingSeats()
        one.tables._seats = seats
        await one.tables.leave()
        assert set(seats.gone) == tables
        await one.end()
        await two.end()

    run(test())


def test_table_at_which_somebody_looks_by_another_worker_comes_into_the_memory_of_its_own() -> None:
    """Its bots and clocks are to go on, though nobody moves there."""

    async def test() -> None:
        one, two = await workers(MANY, deaf=True)
        table = await one.table(*THREE)
        while not two.tables._ownership.serves(table):
            table = await one.table(*THREE)
        await one.clock.advance(2 * one.settings.times.sweep)  # of its moves it is told otherwise
        two.drop(table)
        await one.tables.watch(table, THREE[0], Ear(), None)
        await one.clock.settle()
        assert two.tables.loaded.find(table) is None
        await one.clock.advance(one.settings.times.sweep + 1)
        assert two.tables.loaded.find(table) is not None
        await one.end()
        await two.end()

    run(test())

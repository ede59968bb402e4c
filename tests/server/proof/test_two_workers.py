"""Two workers on one PostgreSQL database serve one table as one: services first, then processes."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from bohn.protocol.room_commands import SeatBot, Start
from bohn.rules.beans import Bean
from bohn.rules.commands import SetWish
from bohn.server.bots.seats import BotSeats
from bohn.server.entropy import SystemEntropy
from bohn.server.settings import Limits, Settings, Times
from bohn.server.store.postgres.store import PostgresStore
from bohn.server.store.protocol import LogRow
from bohn.server.store.shared import bucket_of
from bohn.server.tables.heartbeat import clock_of
from bohn.server.tables.snapshot import snapshot_of
from tests.patience import PATIENCE
from tests.server.support.audit import Folded
from tests.server.support.playing import Hands
from tests.server.support.postgres import emptied
from tests.server.support.tables import Ear, House

pytestmark = pytest.mark.postgres

TIMES = Times(
    poll=20, sweep=300, beat=100, lease=1_500, last_call=40, collect=20, away=3_000,
    bot_move=(5, 20), bot_delay=(5, 20), bot_chatter=(1, 2), bot_beside_people=(5, 20), bot_quiet=50,
    bot_open=(20, 40), fast_decision=1_500, fast_trading=1_500,
)  # fmt: skip
SETTINGS = Settings(times=TIMES, limits=Limits(tables_a_user=1_000, tables_an_address=1_000))
FOUR = ("anna", "bert", "chiyo", "dagur")


class Deaf(PostgresStore):
    """A store whose bell is cut off."""

    async def ring(self, text: str) -> None:
        """Ring nothing."""

    async def listen(self, heard: Callable[[str | None], None]) -> None:
        """Hear nothing."""
        del heard
        await asyncio.get_running_loop().create_future()


class Worker(House):
    """A table service of its own on the database, with the database's time, and bots."""

    seats: BotSeats
    store: PostgresStore

    async def come(self) -> Worker:
        """Start."""
        self.seats = BotSeats(self.tables, self.settings, self.clock, Random(1), log=self.store.rows)
        await self.tables.start(self.seats)
        return self

    async def die(self) -> None:
        """End as a process does that is killed: nothing is given up, nothing is told any more."""
        self.tables.leave = _nothing  # type: ignore[method-assign]  # - a dead process says no goodbye
        await self.store.close()
        await self.tables.stop()

    @property
    def load(self) -> set[int]:
        """The buckets that it serves."""
        return set(self.tables._ownership.buckets)  # type: ignore[attr-defined]  # - they are leases


async def _nothing() -> None:
    return


async def worker(address: str, kind: type[PostgresStore] = PostgresStore, times: Times = TIMES) -> Worker:
    """Return a worker that has come."""
    store = kind(address)
    await store.open()
    settings = replace(SETTINGS, times=times)
    clock = await clock_of(store, settings)
    found = Worker(settings, store, clock, SystemEntropy())
    found.tables.background.repeat(times.beat, clock.look)  # type: ignore[union-attr]  # - it is the database's
    return await found.come()


@asynccontextmanager
async def two(
    address: str, kind: type[PostgresStore] = PostgresStore
) -> AsyncIterator[tuple[Worker, Worker]]:
    """Return two workers that share the buckets; they stop at the end."""
    await asyncio.to_thread(emptied, address)
    async with AsyncExitStack() as stack:
        workers = []
        for _ in range(2):
            workers.append(await worker(address, kind))
            stack.push_async_callback(workers[-1].end)
        one, other = workers
        await until(lambda: len(one.load) == len(other.load) == 128)
        yield one, other


async def until(holds: Callable[[], Any], seconds: float = PATIENCE) -> float:
    """Wait until something holds; return the seconds that took."""
    begun = time.monotonic()
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 - it hangs on two workers and a database
            await asyncio.sleep(0.01)
    return time.monotonic() - begun


async def table_of(owner: Worker, opener: Worker, *people: str, **options: Any) -> str:
    """Open tables until one is in a bucket of ``owner``; return it."""
    while True:
        table = await opener.table(*people, **options)
        if bucket_of(table) in owner.load:
            return table


async def same(table: str, *workers: Worker) -> None:
    """Wait until all workers have shown what any of them has committed, and nothing is under way."""
    quiet = 0
    async with asyncio.timeout(PATIENCE):
        while quiet < 10:
            head = (await workers[0].store.heads((table,)))[table]
            known = {(await one.tables.peek(table)).seq for one in workers}
            quiet = quiet + 1 if known == {head} else 0
            await asyncio.sleep(0.02)


def test_people_on_two_workers_play_one_game(postgres_database: str) -> None:
    """One log without a fault, every acknowledged command in it, and every viewer sees all of it in order."""

    async def test() -> None:
        async with two(postgres_database) as (one, other):
            table = await one.table(*FOUR)
            ears = [Ear() for _ in FOUR]
            for seat, user in enumerate(FOUR):
                await (one, other)[seat % 2].tables.watch(table, user, ears[seat], None)
            hands = Hands(table, FOUR, (one.tables, other.tables), 5)
            for _ in range(40):
                await asyncio.gather(
                    *(hands.move(seat) for seat in range(4)), *(hands.wish(0) for _ in range(2))
                )
            await same(table, one, other)
            rows = await one.store.rows(table)
            assert Folded(rows).faults == []
            kept = {row.command_id: row.seq for row in rows}
            assert hands.acked == {key: kept.get(key) for key in hands.acked}
            assert not set(hands.refused) & set(kept)
            for seat, ear in enumerate(ears):
                first, last = ear.of("welcome")[0]["seq"], snapshot_of(rows).told_to(seat)
                assert [batch["seq"] for batch in ear.of("batch")] == list(range(first + 1, last + 1))

    asyncio.run(test())


def test_command_that_both_workers_are_sent_is_done_once(postgres_database: str) -> None:
    """The same id on both workers at the same moment: one row, and both are told its seq."""

    async def test() -> None:
        async with two(postgres_database) as (one, other):
            table = await one.table(*FOUR)
            for number in range(20):
                wish = SetWish(0, Bean.SOY, "none" if number % 2 else "want")
                seqs = await asyncio.gather(
                    *(each.tables.execute(table, "anna", f"both.{number}", wish) for each in (one, other))
                )
                assert len(set(seqs)) == 1
            rows = await other.store.rows(table)
            assert sum(row.command_id.startswith("both.") for row in rows) == 20

    asyncio.run(test())


def test_bots_of_a_table_move_at_its_owner_alone(postgres_database: str) -> None:
    """Bots play before viewers of the other worker, who see every batch; the owner alone decides."""

    async def test() -> None:
        async with two(postgres_database) as (one, other):
            table = await table_of(one, other, "anna", start=False)
            ear = Ear()
            await other.tables.watch(table, "anna", ear, None)
            for seat in range(1, 3):
                await other.do(table, "anna", SeatBot(seat, "pk"))
            await other.do(table, "anna", Start(fill="pk"))
            hands = Hands(table, ("anna",), (other.tables,), 3)
            rows: tuple[LogRow, ...] = ()
            bots: list[LogRow] = []
            async with asyncio.timeout(PATIENCE):
                while len(bots) < 10:
                    await hands.move(0)
                    await asyncio.sleep(0.05)
                    rows = await one.store.rows(table)
                    bots = [row for row in rows if row.cause == "bot"]
            assert Counter((row.actor, row.command_id) for row in bots).most_common(1)[0][1] == 1
            assert table not in other.seats._bot_tables
            last = snapshot_of(rows).told_to(0)
            await until(lambda: ear.of("batch")[-1]["seq"] >= last)

    asyncio.run(test())

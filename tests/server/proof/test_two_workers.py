"""Two workers on one PostgreSQL database serve one table as one: services first, then processes."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from bohn.protocol.frames import Line
from bohn.protocol.refusals import Refusal
from bohn.protocol.room import Options
from bohn.protocol.room_commands import Pause, SeatBot, Start
from bohn.protocol.room_events import HostPassed
from bohn.rules.beans import Bean
from bohn.rules.commands import AcceptOffer, MakeOffer, SetWish
from bohn.rules.errors import IllegalCommand
from bohn.rules.legal import waiting
from bohn.rules.state import Copy, TradePhase
from bohn.server.bots.seats import BotSeats
from bohn.server.entropy import SystemEntropy
from bohn.server.settings import Limits, Settings, Times
from bohn.server.store.postgres.store import PostgresStore
from bohn.server.store.protocol import LogRow
from bohn.server.store.shared import bucket_of
from bohn.server.tables.heartbeat import clock_of
from bohn.server.tables.plan import Request
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
    bot_first_market=0, bot_open=(20, 40), fast_decision=1_500, fast_trading=1_500,
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

    def fresh_id(self) -> str:
        """Return a command id that no worker has used."""
        return f"{super().fresh_id()}.{self.entropy.token_bytes(4).hex()}"

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
    address: str, kind: type[PostgresStore] = PostgresStore, times: Times = TIMES
) -> AsyncIterator[tuple[Worker, Worker]]:
    """Return two workers that share the buckets; they stop at the end."""
    await asyncio.to_thread(emptied, address)
    async with AsyncExitStack() as stack:
        workers = []
        for _ in range(2):
            workers.append(await worker(address, kind, times))
            stack.push_async_callback(workers[-1].end)
        one, other = workers
        await until(lambda: len(one.load) == len(other.load) == 128)
        yield one, other


async def until(holds: Callable[[], Any], seconds: float = PATIENCE) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 - it hangs on two workers and a database
            await asyncio.sleep(0.01)


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


def test_person_goes_before_an_earlier_bot_of_another_worker(postgres_database: str) -> None:
    """Acceptances by both workers are decided by the owner alone; whoever is late is refused by the rules."""

    async def test() -> None:
        async with two(postgres_database, times=replace(TIMES, collect=400)) as (one, other):
            for each in (one, other):
                await each.seats.stop()  # the bot's acceptance is the test's own
            options = Options(players=3, house_rules=("starter=seat:0",))
            table = await table_of(one, other, "anna", "bert", options=options)
            await same(table, one, other)  # it was opened by the other one
            await one.until_trading(table, ("anna", "bert"))
            state = (await one.tables.peek(table)).state
            assert state is not None
            assert isinstance(state.phase, TradePhase)
            bean = Copy(0, state.phase.face_up[0])
            await one.do(table, "anna", MakeOffer(0, (1, 2), face_up=(bean,)))
            await same(table, one, other)
            bot = asyncio.create_task(one.tables.execute_for_bot(table, 2, "b", AcceptOffer(2, 1, 1)))
            await asyncio.sleep(0.1)
            seq = await other.do(table, "bert", AcceptOffer(1, 1, 1))
            with pytest.raises(IllegalCommand):
                await bot
            rows = await one.store.rows(table)
            accepted = [row for row in rows if isinstance(row.command, AcceptOffer)]
            assert [(row.actor, row.seq) for row in accepted] == [("bert", seq)]
            assert await one.store.gathered_at(table) == ()

    asyncio.run(test())


def test_clock_fires_once(postgres_database: str) -> None:
    """Both workers have the table in memory; its owner alone makes the choice, and both show it."""

    async def test() -> None:
        async with two(postgres_database) as (one, other):
            table = await table_of(one, other, *FOUR, options=Options(players=4, clock="fast"))
            ears = [Ear(), Ear()]
            for each, user, ear in ((one, "anna", ears[0]), (other, "bert", ears[1])):
                await each.tables.watch(table, user, ear, None)
            await until(lambda: all(any(b["cause"] == "clock" for b in ear.of("batch")) for ear in ears))
            rows = [row for row in await one.store.rows(table) if row.cause == "clock"]
            assert len({row.actor + row.command_id for row in rows}) == len(rows) > 0
            assert Folded(await one.store.rows(table)).faults == []

    asyncio.run(test())


def test_bell_that_is_cut_off_costs_a_sweep(postgres_database: str) -> None:
    """Rows, people, and lines of chat come with the next sweep, and bots go on."""

    async def test() -> None:
        async with two(postgres_database, Deaf) as (one, other):
            table = await table_of(one, other, "anna", start=False)
            ears = [Ear(), Ear()]
            await one.tables.watch(table, "bert", ears[0], None)
            await other.tables.watch(table, "anna", ears[1], None)
            await other.do(table, "anna", Start(fill="pk"))
            await until(lambda: "started" in ears[0].events)
            await until(lambda: ears[0].of("presence")[-1]["present"] == [0])
            other.tables.post(table, Line(1, "anna", 1, "hello"))
            await until(lambda: ears[0].of("line"))

    asyncio.run(test())


def test_bot_moves_though_the_bell_is_cut_off(postgres_database: str) -> None:
    """Its worker reads with a sweep what a person did by the other one, and that one what the bot did."""

    async def test() -> None:
        async with two(postgres_database, Deaf) as (one, other):
            table = await table_of(one, other, "anna", start=False)
            ear = Ear()
            await other.tables.watch(table, "anna", ear, None)
            await other.do(table, "anna", Start(fill="pk"))
            hands = Hands(table, ("anna",), (other.tables,), 3)
            async with asyncio.timeout(PATIENCE):
                while sum(batch.get("cause") == "bot" for batch in ear.of("batch")) < 3:
                    await hands.move(0)
                    await asyncio.sleep(0.05)
            assert table not in other.seats._bot_tables

    asyncio.run(test())


def test_viewer_who_comes_by_another_worker_goes_on_where_he_was(postgres_database: str) -> None:
    """He is never shown an older table: a worker that is behind reads first what he has seen."""

    async def test() -> None:
        async with two(postgres_database, Deaf) as (one, other):
            table = await one.table(*FOUR)
            for number in range(20):
                await other.tables.peek(table)
                wish = SetWish(0, Bean.SOY, "none" if number % 2 else "want")
                seen = await one.tables.execute(table, "anna", f"wish.{number}", wish)
                ear = Ear()
                other.tables.unwatch(await other.tables.watch(table, "anna", ear, seen))
                assert (ear.of("welcome")[0]["seq"], ear.of("welcome")[0]["fresh"]) == (seen, False)

    asyncio.run(test())


def test_people_of_both_workers_are_seen_at_both(postgres_database: str) -> None:
    """Who sits and who watches is the same everywhere, and who leaves is away after a while."""

    async def test() -> None:
        async with two(postgres_database) as (one, other):
            table = await one.table(*FOUR)
            ears = [Ear(), Ear()]
            await one.tables.watch(table, "anna", ears[0], None)
            watcher = await other.tables.watch(table, "bert", ears[1], None)
            await other.tables.watch(table, "erik", Ear(), None)
            await one.tables.watch(table, None, Ear(), None)
            seen = {"type": "presence", "present": [0, 1], "watching": 2, "spectators": ["Erik"]}
            await until(lambda: [ear.of("presence")[-1] for ear in ears] == [seen, seen])
            other.tables.unwatch(watcher)
            await until(lambda: ears[0].of("presence")[-1]["present"] == [0])

    asyncio.run(test())


def test_dead_owner_is_followed_by_the_other_worker(postgres_database: str) -> None:
    """The other worker takes all leases, the clocks get the time back, and the game goes on there."""

    async def test() -> None:
        async with two(postgres_database) as (one, other):
            options = Options(players=4, clock="slow")
            table = await table_of(one, other, *FOUR, options=options)
            await other.tables.watch(table, "anna", Ear(), None)
            before = {timer.key: timer.due for timer in await other.store.timers(table)}
            await one.die()
            await until(lambda: len(other.load) == 256)
            after = {timer.key: timer.due for timer in await other.store.timers(table)}
            for key, due in before.items():
                assert due is not None
                assert (after[key] or 0) - due > 1_000
            hands = Hands(table, FOUR, (other.tables,), 7)
            state = (await other.tables.peek(table)).state
            assert state is not None
            rules = (await other.tables.peek(table)).rules
            assert any([await hands.move(seat) for seat in waiting(rules, state)])

    asyncio.run(test())


def test_worker_that_stood_still_writes_and_shows_nothing(postgres_database: str) -> None:
    """Its epoch is stale though it has not noticed: its row is refused, and its viewers see nothing of it."""

    async def test() -> None:
        async with two(postgres_database) as (one, other):
            table = await table_of(one, other, *FOUR, start=False)
            await one.do(table, "anna", Start())
            ear = Ear()
            await one.tables.watch(table, "anna", ear, None)
            await one.tables.background.stop_repeating()
            await until(lambda: len(other.load) == 256)
            one.tables._ownership._until += 60_000  # type: ignore[attr-defined]  # - it takes its lease for alive
            assert bucket_of(table) in one.load
            head = (await other.store.heads((table,)))[table]
            request = Request("server", "late", "clock", None, events=(HostPassed("bert"),))
            loaded = one.tables.loaded.find(table)
            assert loaded is not None
            with pytest.raises(Refusal):
                await one.tables._log.do(loaded, request)
            assert (await other.store.heads((table,)))[table] == head
            assert ear.of("batch") == []

    asyncio.run(test())


def test_clock_that_was_put_off_is_not_overwritten_by_who_does_not_know(postgres_database: str) -> None:
    """A command of a worker that has not seen the credit is decided anew, behind the credit."""

    async def test() -> None:
        async with two(postgres_database) as (one, other):
            options = Options(players=4, clock="slow")
            table = await table_of(one, other, *FOUR, options=options)
            await other.tables.background.stop_repeating()
            await one.die()
            third = await worker(postgres_database)
            await until(lambda: bucket_of(table) in third.load)
            loaded = other.tables.loaded.find(table)
            assert loaded is not None
            known = {timer.key: timer.due for timer in loaded.snapshot.timers}
            before = {timer.key: timer.due for timer in await third.store.timers(table)}
            assert known != before
            await other.do(table, "anna", Pause())
            (kept,) = [timer.left for timer in await third.store.timers(table)]
            (due,) = before.values()
            assert kept is not None
            assert due is not None
            assert abs(due - other.clock.now() - kept) < 800
            await third.end()

    asyncio.run(test())


def test_worker_that_leaves_is_followed_before_its_leases_end(postgres_database: str) -> None:
    """It gives its leases up at once: nobody waits until they end, and no clock is put off."""

    async def test() -> None:
        async with two(postgres_database) as (one, other):
            table = await table_of(one, other, *FOUR, options=Options(players=4, clock="slow"))
            before = await other.store.timers(table)
            await one.tables.leave()
            await until(lambda: len(other.load) == 256)
            assert await other.store.timers(table) == before

    asyncio.run(test())

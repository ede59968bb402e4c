"""What happens between two awaits at the end of a game: rematches, full logs, servers that stop."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from bohn.protocol.frames import Draft
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Options
from bohn.protocol.room_commands import (
    EndTable,
    Pause,
    Rematch,
    Sit,
)
from bohn.protocol.room_events import RematchMade
from bohn.rules.beans import Bean
from bohn.rules.commands import SetWish
from bohn.rules.errors import IllegalCommand
from bohn.server.settings import Limits, Settings
from bohn.server.store.protocol import Append, Outcome, StoreUnavailable
from tests.server.support.memory_store import MemoryStore
from tests.server.support.shared_memory_store import SharedMemoryStore
from tests.server.support.tables import Ear, House, workers
from tests.server.tables.test_races import Gated
from tests.server.tables.test_service import THREE, refused, run

# -- ends ------------------------------------------------------------------------------------------------


def test_table_whose_log_is_full_is_given_up() -> None:
    """A table that was talked full is abandoned, so that its clocks and its deal come to an end."""

    async def test() -> None:
        house = await House(Settings(limits=Limits(log_rows=6))).begin()
        table = await house.table(*THREE)
        for mark in ("want", "none", "want"):
            with suppress(Refusal):
                await house.do(table, "anna", SetWish(0, Bean.SOY, mark))
        await house.clock.settle()
        room = (await house.tables.peek(table)).room
        assert room.status == "abandoned"
        assert room.reveal is not None
        await house.end()

    run(test())


def test_rematch_takes_no_seat_from_whoever_was_quicker() -> None:
    """The bots of the next table sit down with its opening: nobody is put out of a seat he took."""

    class Nosy(MemoryStore):
        house: House

        async def append(self, append: Append) -> Outcome:
            outcome = await super().append(append)
            if append.row.seq == 1 and append.row.actor == "bert":
                with suppress(Refusal):
                    await self.house.do(append.row.table, "dora", Sit(2))
            return outcome

    async def test() -> None:
        store = Nosy()
        house = await House(store=store).begin()
        store.house = house
        table = await house.table("anna", "bert", options=Options(players=3))
        await house.do(table, "anna", EndTable())
        await house.do(table, "bert", Rematch())
        following = (await house.tables.peek(table)).room.rematch
        assert following is not None
        rows = await store.rows(following)
        sat = any(row.actor == "dora" for row in rows)
        assert (await house.tables.peek(following)).room.seat_of("dora") == (2 if sat else None)
        await house.end()

    run(test())


def test_rematch_that_was_not_saved_leaves_one_table_when_it_is_sent_again() -> None:
    """A rematch that fails half-way is refused as not saved, and goes on with the table it has opened."""

    class Forgetful(MemoryStore):
        broken = 1

        async def append(self, append: Append) -> Outcome:
            if self.broken and isinstance(append.row.command, Rematch):
                self.broken -= 1
                raise StoreUnavailable("locked", "not now")
            return await super().append(append)

    async def test() -> None:
        house = await House(store=Forgetful()).begin()
        table = await house.table(*THREE)
        await house.do(table, "anna", EndTable())
        with pytest.raises(Refusal) as caught:
            await house.do(table, "bert", Rematch(), name="again")
        assert refused(caught) is Problem.NOT_SAVED
        await house.do(table, "bert", Rematch(), name="again")
        assert len(await house.store.listings(listed_only=False, statuses=("open",))) == 1
        await house.end()

    run(test())


@pytest.mark.parametrize("deaf", [False, True], ids=["heard", "deaf"])
def test_rematch_asked_at_two_workers_at_once_opens_one_table(deaf: bool) -> None:
    """Whoever comes second is refused, and told which table it is; nobody finds another one."""

    async def test() -> None:
        one, two = await workers(deaf=deaf)
        table = await one.table(*THREE)
        await one.do(table, "anna", EndTable())
        await two.tables.peek(table)
        asked = await asyncio.gather(
            one.do(table, "anna", Rematch(), name="a"),
            two.do(table, "bert", Rematch(), name="b"),
            return_exceptions=True,
        )
        (opened,) = await one.store.listings(listed_only=False, statuses=("open",))
        (refusal,) = [answer for answer in asked if isinstance(answer, Refusal)]
        assert (refusal.problem, refusal.params) == (Problem.REMATCH_MADE, {"table": opened.table})
        made = [row for row in await one.store.rows(table) if isinstance(row.command, Rematch)]
        assert [event for row in made for event in row.events] == [RematchMade(opened.table)]
        assert await two.do(opened.table, "cleo", Sit(), name="sit")
        await one.end()
        await two.end()

    run(test())


def test_rematch_whose_worker_died_half_way_is_the_same_table_by_another() -> None:
    """The table was opened and not entered into the log of the one before: the next who asks finds it."""

    class Dying(SharedMemoryStore):
        async def append(self, append: Append) -> Outcome:
            if isinstance(append.row.command, Rematch):
                raise StoreUnavailable("lost", "it died")
            return await super().append(append)

    async def test() -> None:
        one, two = await workers()
        table = await one.table(*THREE)
        await one.do(table, "anna", EndTable())
        dying = House(one.settings, Dying(one.store._shared), one.clock, one.entropy)  # type: ignore[attr-defined]  # - it is shared
        await dying.store.open()
        with pytest.raises(Refusal):
            await dying.do(table, "anna", Rematch())
        await two.do(table, "bert", Rematch())
        (opened,) = await one.store.listings(listed_only=False, statuses=("open",))
        assert (await two.tables.peek(table)).room.rematch == opened.table
        for house in (one, two, dying):
            await house.end()

    run(test())


def test_draft_that_wants_more_than_there_is_is_refused() -> None:
    """A draft is no longer than an offer may be: working it out must not hold up everybody."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*THREE)
        with pytest.raises((Refusal, IllegalCommand)):
            await house.tables.preview(table, "anna", Draft("d", (1,), want=(Bean.SOY,) * 16_000))
        await house.end()

    run(test())


def test_tables_nobody_sits_at_count_for_whoever_opened_them() -> None:
    """Nobody fills the server with tables by not sitting down at them."""

    async def test() -> None:
        house = await House(Settings(limits=Limits(tables_a_user=2))).begin()
        for _ in range(2):
            await house.tables.open_table("anna", Options())
        with pytest.raises(Refusal) as caught:
            await house.tables.open_table("anna", Options())
        assert refused(caught) is Problem.TOO_MANY
        await house.end()

    run(test())


def test_stopping_server_says_goodbye_to_whoever_just_came() -> None:
    """A stream that begins while the server stops is ended, or refused."""

    async def test() -> None:
        store = Gated()
        house = await House(store=store).begin()
        table = await house.table(*THREE)
        ear = Ear()
        gate = store.hold()
        coming = asyncio.create_task(house.tables.watch(table, "anna", ear, 1))
        await house.clock.settle()
        await house.tables.stop()
        gate.set()
        with suppress(Refusal):
            await coming
        assert ear.raw == [] or ear.cut_for == "server-stopping"
        await store.close()

    run(test())


# -- opening -----------------------------------------------------------------------------------------


def test_key_that_opened_a_table_opens_no_other() -> None:
    """The same key and wish return the same table, not as a fresh one; with another wish it is refused."""

    async def test() -> None:
        house = await House().begin()
        table, fresh = await house.tables.open_once("anna", Options(), "k", "wish")
        assert fresh
        assert await house.tables.open_once("anna", Options(), "k", "wish") == (table, False)
        with pytest.raises(Refusal) as caught:
            await house.tables.open_once("anna", Options(), "k", "another")
        assert refused(caught) is Problem.COMMAND_ID_REUSED
        await house.end()

    run(test())


def test_onlooker_learns_nothing_from_refusals() -> None:
    """Whoever has no seat is told so first, whatever the table does."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*THREE)
        await house.do(table, "anna", Pause())
        refusal = await house.tables.check(table, "dora", SetWish(0, Bean.SOY, "want"))
        assert isinstance(refusal, Refusal)
        assert refusal.problem is Problem.NOT_SEATED
        await house.end()

    run(test())

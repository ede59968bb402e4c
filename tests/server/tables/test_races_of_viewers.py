"""Who may look at a table, and when: viewers beside starts, delays, gaps and revoked invitations."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Options
from bohn.protocol.room_commands import (
    Kick,
    Sit,
    Stand,
    Start,
)
from bohn.rules.beans import Bean
from bohn.rules.commands import DeclineOffer, MakeOffer, SetWish
from bohn.rules.state import Copy
from bohn.server.store.protocol import LogRow
from bohn.server.tables import delay
from bohn.server.tables.snapshot import Snapshot, snapshot_of
from tests.server.support.tables import Ear, House
from tests.server.tables.test_races import DELAYED, Counted, Gated, Onward
from tests.server.tables.test_service import THREE, play_to_the_end, refused, run
from tests.server.tables.test_timing import FAST, active_of

# -- who may look ------------------------------------------------------------------------------------


def test_table_without_spectators_shows_the_game_to_none_who_came_before() -> None:
    """Whoever looked at the open table without a seat is shown out when the game begins."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*THREE, options=Options(players=3, spectators=False), start=False)
        ear = Ear()
        await house.tables.watch(table, "dora", ear, None)
        await house.do(table, "anna", Start())
        await house.do(table, "anna", SetWish(0, Bean.SOY, "want"))
        assert ear.cut_for is not None
        assert not any("game" in frame for frame in ear.of("batch"))
        assert "wish-set" not in ear.events
        await house.end()

    run(test())


async def delayed_house(store: Gated) -> tuple[House, str, int]:
    """Return a house with a delayed table, half a minute after the deal, and the seq that is past by then."""
    house = await House(store=store).begin()
    table = await house.table(*THREE, options=DELAYED)
    past = (await store.heads((table,)))[table]
    await house.clock.advance(31_000)
    return house, table, past


def test_delayed_spectator_sees_the_past_though_the_last_other_one_leaves() -> None:
    """Who comes back while the only spectator goes (a reload) is not shown the present."""

    async def test() -> None:
        store = Gated()
        house, table, past = await delayed_house(store)
        old = await house.tables.watch(table, "dora", Ear(), None)
        await house.do(table, "anna", SetWish(0, Bean.SOY, "want"))
        ear = Ear()
        gate = store.hold()
        coming = asyncio.create_task(house.tables.watch(table, "dora", ear, 1))
        await house.clock.settle()
        house.tables.unwatch(old)
        gate.set()
        await coming
        assert ear.frames[0]["seq"] == past
        await house.end()

    run(test())


def test_past_of_a_delayed_table_is_folded_once_for_all_its_spectators(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However many come, together, one by one, or while nobody else is there: its log is read once."""
    folds: list[int] = []

    def counted(rows: tuple[LogRow, ...]) -> Snapshot:
        folds.append(len(rows))
        return snapshot_of(rows)

    async def test() -> None:
        store = Counted()
        house, table, past = await delayed_house(store)
        monkeypatch.setattr(delay, "snapshot_of", counted)
        store.reads = 0
        gate = store.hold()
        pair = ("dora", "eve")
        together = [asyncio.create_task(house.tables.watch(table, who, Ear(), None)) for who in pair]
        await house.clock.settle()
        gate.set()
        for watcher in await asyncio.gather(*together):
            house.tables.unwatch(watcher)
        seq = await house.do(table, "anna", SetWish(0, Bean.SOY, "want"))
        seen = []
        for _ in range(4):
            ear = Ear()
            house.tables.unwatch(await house.tables.watch(table, "fred", ear, None))
            seen.append(ear.frames[0]["seq"])
            await house.clock.advance(11_000)
        assert (folds, store.reads) == ([past], 1)
        assert seen == [past, past, past, seq]
        await house.end()

    run(test())


def test_delayed_spectator_who_comes_at_the_start_sees_the_past() -> None:
    """Who began to look at the open table is not shown the present if the game has begun meanwhile."""

    async def test() -> None:
        store = Gated()
        house = await House(store=store).begin()
        table = await house.table(*THREE, options=DELAYED, start=False)
        ear = Ear()
        gate = store.hold()
        coming = asyncio.create_task(house.tables.watch(table, "dora", ear, 1))
        await house.clock.settle()
        await house.do(table, "anna", Start())
        gate.set()
        await coming
        assert ear.frames[0]["room"]["status"] == "open"
        await house.end()

    run(test())


def test_past_misses_no_row_that_came_while_it_was_read() -> None:
    """A batch that is committed while a spectator's past is read is shown to him in its turn."""

    async def test() -> None:
        store = Gated()
        house, table, past = await delayed_house(store)
        ear = Ear()
        gate = store.hold()
        coming = asyncio.create_task(house.tables.watch(table, "dora", ear, None))
        await house.clock.settle()
        await house.do(table, "anna", SetWish(0, Bean.SOY, "want"))
        gate.set()
        await coming
        await house.do(table, "bert", SetWish(1, Bean.SOY, "want"))
        await house.clock.advance(40_000)
        assert [batch["seq"] for batch in ear.of("batch")] == [past + 1, past + 2]
        await house.end()

    run(test())


def test_invitation_that_was_revoked_while_the_gap_was_read_shows_nothing() -> None:
    """Who is kicked from a private table while his stream begins gets none."""

    async def test() -> None:
        store = Gated()
        house = await House(store=store).begin()
        table = await house.tables.open_table("anna", Options(players=3))
        await store.grant(table, "bert")
        await house.do(table, "anna", Sit())
        await house.do(table, "bert", Sit())
        ear = Ear()
        gate = store.hold()
        coming = asyncio.create_task(house.tables.watch(table, "bert", ear, 1))
        await house.clock.settle()
        await house.do(table, "anna", Kick(1))
        gate.set()
        with suppress(Refusal):
            await coming
        assert ear.raw == [] or ear.cut_for is not None
        await house.end()

    run(test())


def test_record_of_a_delayed_table_waits_for_the_delay() -> None:
    """A spectator gets no record of a game whose end he may not have seen, whoever else looks."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*THREE, options=DELAYED)
        await play_to_the_end(house, table, THREE)
        with pytest.raises(Refusal) as caught:
            await house.tables.record(table, "dora")
        assert refused(caught) is Problem.NOT_FINISHED
        await house.end()

    run(test())


def test_secret_refusal_does_not_name_who_refused() -> None:
    """Who declines an offer is told to its maker alone, also after an expired clock of his."""

    async def test() -> None:
        house = await House().begin(Onward())
        table = await house.table(*THREE, options=FAST)
        active = await active_of(house, table)
        maker, third = (active + 1) % 3, (active + 2) % 3
        await house.clock.advance(house.settings.times.fast_decision + 200)
        assert (await house.tables.peek(table)).room.seats[active].misses
        await house.clock.advance(house.settings.times.fast_decision + 200)
        assert (await house.tables.peek(table)).room.seats[active].misses
        state = (await house.tables.peek(table)).state
        assert state is not None
        gift = MakeOffer(maker, (active,), hand=(Copy(0, state.players[maker].hand[0]),))
        await house.do(table, THREE[maker], gift)
        ear = Ear()
        await house.tables.watch(table, THREE[third], ear, None)
        seq = await house.do(table, THREE[active], DeclineOffer(active, 1, 1))
        await house.do(table, THREE[third], SetWish(third, Bean.SOY, "want"))
        assert ear.raw[-2] == b'{"type":"batch","seq":%d}' % seq
        await house.end()

    run(test())


def test_missed_batch_names_its_author_as_it_was_shown() -> None:
    """Who acted is told by the seat he had then, not by the one he has now."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table("anna", "bert", start=False)
        ear, late = Ear(), Ear()
        await house.tables.watch(table, "cleo", ear, None)
        await house.do(table, "bert", Stand())
        await house.do(table, "bert", Sit(2))
        await house.tables.watch(table, "cleo", late, 3)
        assert [batch.get("by") for batch in late.of("batch")] == [
            batch.get("by") for batch in ear.of("batch")
        ]
        await house.end()

    run(test())

"""What viewers of a table are sent: from where a stream goes on, and what is shown to whom."""

from __future__ import annotations

import pytest

from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Options
from bohn.protocol.room_commands import Kick, Sit
from bohn.rules.beans import Bean
from bohn.rules.commands import SetWish
from bohn.server.settings import Limits, Settings
from tests.server.support.tables import Ear, House
from tests.server.tables.test_service import THREE, refused, run

# -- streams ---------------------------------------------------------------------------------------


def test_stream_resumes_behind_the_last_seq() -> None:
    """Who comes back with ``after`` gets the events of the gap, and all that is true now."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*THREE)
        head = (await house.store.heads((table,)))[table]
        for mark in ("want", "none", "spare"):
            await house.do(table, "anna", SetWish(0, Bean.SOY, mark))
        ear = Ear()
        await house.tables.watch(table, "bert", ear, head + 1)
        welcome, *gap = ear.frames[:3]
        assert (welcome["seq"], welcome["fresh"]) == (head + 3, False)
        assert [batch["seq"] for batch in gap] == [head + 2, head + 3]
        assert [batch["events"][0]["mark"] for batch in gap] == ["none", "spare"]
        await house.end()

    run(test())


@pytest.mark.parametrize("after", [None, -1, 0, 10_000])
def test_stream_begins_fresh_where_there_is_no_short_gap(after: int | None) -> None:
    """Without a seq, with one that never was, or one too long ago, the view is fresh and no gap follows."""

    async def test() -> None:
        house = await House(Settings(limits=Limits(gap_rows=3))).begin()
        table = await house.table(*THREE)
        ear = Ear()
        await house.tables.watch(table, "bert", ear, after)
        assert ear.frames[0]["fresh"] is True
        assert not ear.of("batch")
        await house.end()

    run(test())


def test_unseated_viewer_becomes_a_seat_with_a_new_welcome() -> None:
    """Who sits down is welcomed again, with his seat."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table("anna", start=False)
        ear = Ear()
        await house.tables.watch(table, "bert", ear, None)
        await house.do(table, "bert", Sit())
        assert [welcome["seat"] for welcome in ear.of("welcome")] == [None, 1]
        await house.end()

    run(test())


def test_kicked_owner_sees_no_hand_any_more() -> None:
    """Whoever loses his seat is welcomed again as a spectator, and his old seat is another's."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*THREE)
        ear = Ear()
        await house.tables.watch(table, "bert", ear, None)
        await house.do(table, "anna", Kick(1))
        last = ear.of("welcome")[-1]
        assert (last["seat"], last["game"]["own"], last["choices"]) == (None, None, None)
        with pytest.raises(Refusal):
            await house.do(table, "bert", SetWish(1, Bean.SOY, "want"))
        await house.end()

    run(test())


def test_kicked_guest_of_a_listed_table_is_remembered_by_its_log() -> None:
    """A table that was not in memory knows him still."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*THREE, start=False)
        await house.do(table, "anna", Kick(1))
        house.drop(table)

        with pytest.raises(Refusal) as caught:
            await house.do(table, "bert", Sit())
        assert refused(caught) is Problem.SENT_AWAY
        await house.end()

    run(test())


def test_kicked_guest_of_a_private_table_is_out() -> None:
    """At a table by invitation whoever is kicked is told so, and sees no more than a stranger."""

    async def test() -> None:
        house = await House().begin()
        table = await house.tables.open_table("anna", Options(players=3))
        await house.store.grant(table, "bert")
        await house.do(table, "bert", Sit(salt=""))
        ear = Ear()
        await house.tables.watch(table, "bert", ear, None)
        await house.do(table, "anna", Kick(0))
        assert ear.cut_for == "seat-left"
        with pytest.raises(Refusal) as caught:
            await house.do(table, "bert", Sit())
        assert refused(caught) is Problem.REMOVED
        with pytest.raises(Refusal) as caught:
            await house.tables.welcome(table, "carla")
        assert refused(caught) is Problem.NO_SUCH_TABLE
        await house.end()

    run(test())


def test_table_without_spectators_shows_nothing_to_them() -> None:
    """Where the host wants no spectators, nobody without a seat may look once the game has begun."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*THREE, options=Options(players=3, spectators=False))
        with pytest.raises(Refusal) as caught:
            await house.tables.watch(table, "dora", Ear(), None)
        assert refused(caught) is Problem.NO_SPECTATORS
        await house.end()

    run(test())


def test_spectators_of_a_delayed_table_see_the_past() -> None:
    """A spectator's stream is taken from the log, so much later; players see everything at once."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*THREE, options=Options(players=3, delay=30))
        began = (await house.store.heads((table,)))[table]
        player, spectator = Ear(), Ear()
        await house.clock.advance(31_000)
        await house.tables.watch(table, "anna", player, None)
        await house.tables.watch(table, "dora", spectator, None)
        seq = await house.do(table, "anna", SetWish(0, Bean.SOY, "want"))
        assert [batch["seq"] for batch in player.of("batch")] == [seq]
        await house.clock.advance(29_000)
        assert spectator.frames[0]["seq"] == began
        assert not spectator.of("batch")
        assert (await house.tables.welcome(table, "dora")).seq == began
        await house.clock.advance(2_000)
        assert [batch["seq"] for batch in spectator.of("batch")] == [seq]
        await house.end()

    run(test())


def test_spectators_are_named_and_strangers_counted() -> None:
    """Who plays reads who looks on; one with two windows is one, and who has no name is a number."""

    async def test() -> None:
        house = await House().begin()
        table = await house.tables.open_table("anna", Options(players=3, listed=True))
        await house.do(table, "anna", Sit(salt=""))
        ear = Ear()
        await house.tables.watch(table, "anna", ear, None)
        carla = [await house.tables.watch(table, "carla", Ear(), None) for _ in range(2)]
        await house.tables.watch(table, None, Ear(), None)
        late = Ear()
        await house.tables.watch(table, "bert", late, None)

        told = ear.of("presence")[-1]
        assert (told["watching"], told["spectators"]) == (3, ["Bert", "Carla"])
        assert late.of("welcome")[0]["spectators"] == ["Bert", "Carla"]
        for watcher in carla:
            house.tables.unwatch(watcher)
        assert ear.of("presence")[-1]["spectators"] == ["Bert"]
        await house.end()

    run(test())


def test_presence_comes_from_connections_alone() -> None:
    """Who has a connection is here; who has none is away after a moment, and no ghost stays."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*THREE)
        ear = Ear()
        await house.tables.watch(table, "anna", ear, None)
        watcher = await house.tables.watch(table, "bert", Ear(), None)
        other = await house.tables.watch(table, "bert", Ear(), None)
        assert ear.of("presence")[-1]["present"] == [0, 1]
        house.tables.unwatch(watcher)
        house.tables.unwatch(watcher)
        await house.clock.advance(house.settings.times.away + 10)
        assert await house.here(table) == 2
        house.tables.unwatch(other)
        await house.clock.advance(house.settings.times.away + 10)
        assert ear.of("presence")[-1]["present"] == [0]
        await house.end()

    run(test())

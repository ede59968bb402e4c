"""What happens between two awaits: expiries beside moves, viewers beside starts, failures in the middle."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from bohn.protocol.frames import Draft
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Options
from bohn.protocol.room_commands import (
    CallForChoice,
    EndTable,
    Kick,
    PassHost,
    Pause,
    Rematch,
    Sit,
    Stand,
    Start,
    TakeBack,
)
from bohn.protocol.room_events import RematchMade
from bohn.rules.beans import Bean
from bohn.rules.commands import AcceptOffer, AnyCommand, DeclineOffer, MakeOffer, Plant, Reveal, SetWish
from bohn.rules.errors import IllegalCommand
from bohn.rules.state import Copy, PlantPhase, TradePhase
from bohn.server.settings import Limits, Settings
from bohn.server.store.protocol import Append, DueTimer, LogRow, Outcome, StoreUnavailable
from bohn.server.tables import delay
from bohn.server.tables.api import Peek
from bohn.server.tables.snapshot import Snapshot, snapshot_of
from tests.server.support.memory_store import Backing, MemoryStore
from tests.server.support.shared_memory_store import SharedMemoryStore
from tests.server.support.tables import Ear, House, workers
from tests.server.tables.test_service import THREE, Stubborn, play_to_the_end, refused, run
from tests.server.tables.test_timing import FAST, FirstChoice, active_of, give_to_both, phase_of

DELAYED = Options(players=3, delay=30)


class Gated(MemoryStore):
    """A store whose next answer about rows can be held back: what was read is then no longer the newest."""

    def __init__(self, shared: Backing | None = None) -> None:
        super().__init__(shared=shared)
        self.gate: asyncio.Event | None = None
        self.broken = 0

    async def rows(self, table: str, after: int = 0, limit: int | None = None) -> tuple[LogRow, ...]:
        """Read at once, answer when the gate opens; fail as often as it was told."""
        if self.broken:
            self.broken -= 1
            raise StoreUnavailable("locked", "not now")
        found = await super().rows(table, after, limit)
        gate, self.gate = self.gate, None
        if gate is not None:
            await gate.wait()
        return found

    def hold(self) -> asyncio.Event:
        """Hold the next answer back until this is set."""
        self.gate = asyncio.Event()
        return self.gate


class Counted(Gated):
    """One that counts how often rows were asked for."""

    reads = 0

    async def rows(self, table: str, after: int = 0, limit: int | None = None) -> tuple[LogRow, ...]:
        """Count, and answer."""
        self.reads += 1
        return await super().rows(table, after, limit)


class Slow(FirstChoice):
    """Seats that take their time over a choice, and then plant in the second field."""

    def __init__(self) -> None:
        super().__init__()
        self.ready = asyncio.Event()

    async def choose(self, peek: Peek, seat: int) -> AnyCommand | None:  # noqa: ARG002 - one signature
        """Plant, in the end."""
        await self.ready.wait()
        return Plant(seat, 1)


class Onward(FirstChoice):
    """Seats that plant once and turn over."""

    async def choose(self, peek: Peek, seat: int) -> AnyCommand | None:
        """Return what leads to the trading."""
        assert peek.state is not None
        return Plant(seat, 0) if peek.state.phase == PlantPhase() else Reveal(seat)


# -- clocks beside moves -----------------------------------------------------------------------------


def test_owner_who_moves_while_the_choice_is_made_is_in_time() -> None:
    """A choice for an expired clock is void once the owner has moved, though he has more to decide."""

    async def test() -> None:
        seats = Slow()
        house = await House().begin(seats)
        table = await house.table(*THREE, options=FAST)
        active = await active_of(house, table)
        await house.clock.advance(house.settings.times.fast_decision + 200)
        await house.do(table, THREE[active], Plant(active, 0))
        seats.ready.set()
        await house.clock.settle()
        rows = await house.store.rows(table)
        assert [row.cause for row in rows if row.cause == "clock"] == []
        assert await phase_of(house, table) == PlantPhase(1)
        await house.end()

    run(test())


def test_choice_that_takes_long_is_asked_for_once() -> None:
    """The clocks are looked at again and again meanwhile; one that is being served is left alone."""

    class Counting(Slow):
        asked = 0

        async def choose(self, peek: Peek, seat: int) -> AnyCommand | None:
            self.asked += 1
            return await super().choose(peek, seat)

    async def test() -> None:
        seats = Counting()
        house = await House().begin(seats)
        table = await house.table(*THREE, options=FAST)
        await house.clock.advance(house.settings.times.fast_decision + 10 * house.settings.times.poll)
        assert seats.asked == 1
        seats.ready.set()
        await house.clock.settle()
        rows = await house.store.rows(table)
        assert [row.cause for row in rows].count("clock") == 1
        await house.end()

    run(test())


def test_expired_trading_closes_though_a_pass_falls_again() -> None:
    """Where all must pass, the clock passes again for whoever was made a new offer meanwhile."""

    class Disk(MemoryStore):
        async def append(self, append: Append) -> Outcome:
            for _ in range(10):
                await asyncio.sleep(0)
            return await super().append(append)

    async def test() -> None:
        house = await House(store=Disk()).begin(FirstChoice())
        table = await house.table(*THREE, options=Options(edition="classic-sv", players=3, clock="fast"))
        active = await house.until_trading(table, THREE)
        assert active == 1
        state = (await house.tables.peek(table)).state
        assert state is not None
        gift = MakeOffer(2, (1,), hand=(Copy(0, state.players[2].hand[0]),))
        offers: list[asyncio.Task[int]] = []

        class Quick(Ear):
            def push(self, frame: bytes) -> None:
                super().push(frame)
                if b'"passed"' in frame and not offers:
                    offers.append(asyncio.create_task(house.do(table, "cleo", gift)))

        await house.tables.watch(table, "anna", Quick(), None)
        await house.clock.advance(house.settings.times.fast_trading + 10_000)
        await asyncio.gather(*offers)
        assert not isinstance(await phase_of(house, table), TradePhase)
        await house.end()

    run(test())


def test_clock_fires_though_the_store_failed_at_first() -> None:
    """An expiry that could not read the log is tried again."""

    async def test() -> None:
        settings = Settings()
        one = await House(settings).begin(FirstChoice())
        store = Gated(one.backing)
        two = await House(settings, store, one.clock, one.entropy).begin(FirstChoice())
        table = await one.table(*THREE, options=FAST)
        await two.tables.peek(table)
        active = await active_of(one, table)
        await one.clock.advance(5_000)
        await one.do(table, THREE[active], Plant(active, 0))
        await one.tables.stop()
        await one.clock.advance(settings.times.fast_decision - 1_000)
        store.broken = 1
        await one.clock.advance(3_000)
        assert store.broken == 0
        assert [row.cause for row in await store.rows(table)].count("clock") == 1
        await two.end()
        await one.store.close()

    run(test())


def test_clocks_go_on_after_a_mistake() -> None:
    """Whatever breaks in one look at the clocks, the next look comes."""

    class Broken(MemoryStore):
        broken = False

        async def due(self, now: int, limit: int = 200) -> tuple[DueTimer, ...]:
            if self.broken:
                self.broken = False
                msg = "the thread of the store failed"
                raise RuntimeError(msg)
            return await super().due(now, limit)

    async def test() -> None:
        store = Broken()
        house = await House(store=store).begin(FirstChoice())
        table = await house.table(*THREE, options=FAST)
        store.broken = True
        await house.clock.advance(house.settings.times.fast_decision + 1_000)
        assert [row.cause for row in await store.rows(table)].count("clock") == 1
        await house.end()

    run(test())


def test_stand_and_take_back_give_no_fresh_clock() -> None:
    """Whoever hands his seat over and takes it back at once has no more time than before."""

    async def test() -> None:
        house = await House().begin(FirstChoice())
        table = await house.table(*THREE, options=FAST)
        active = await active_of(house, table)
        for _ in range(3):
            await house.clock.advance(house.settings.times.fast_decision - 1_000)
            with suppress(Refusal):
                await house.do(table, THREE[active], Stand())
                await house.do(table, THREE[active], TakeBack())
        assert "clock" in [row.cause for row in await house.store.rows(table)]
        await house.end()

    run(test())


def test_choice_that_was_called_for_is_made_though_the_store_failed_at_first() -> None:
    """Enough calls bring the choice about, if not at once then before long; nobody can call a second time."""

    async def test() -> None:
        store = Stubborn()
        house = await House(store=store).begin(FirstChoice())
        table = await house.table(*THREE)
        active = await active_of(house, table)
        others = [name for seat, name in enumerate(THREE) if seat != active]
        await house.clock.advance(house.settings.times.silence + 1)
        await house.do(table, others[0], CallForChoice())

        def fill(_: int) -> None:
            store.full = True

        await house.do(table, others[1], CallForChoice(), fill)
        await house.clock.settle()
        store.full = False
        await house.clock.advance(60_000)
        assert await phase_of(house, table) == PlantPhase(1)
        await house.end()

    run(test())


# -- bots beside owners --------------------------------------------------------------------------------


def test_bot_whose_seat_was_taken_back_trades_no_more() -> None:
    """An acceptance of a bot that still waits its moment is void once the owner plays again."""

    async def test() -> None:
        house = await House().begin(FirstChoice())
        table = await house.table(*THREE)
        active = await house.until_trading(table, THREE)
        low, _ = await give_to_both(house, table, active)
        await house.do(table, THREE[low], Stand())
        bot = asyncio.create_task(house.tables.execute_for_bot(table, low, "b1", AcceptOffer(low, 1, 1)))
        await house.clock.settle()
        await house.do(table, THREE[low], TakeBack())
        await house.clock.advance(500)
        with pytest.raises((Refusal, IllegalCommand)):
            await bot
        await house.end()

    run(test())


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


# -- kicks -------------------------------------------------------------------------------------------


def test_kick_takes_the_invitation_though_the_store_failed_at_first() -> None:
    """A kick that is sent again takes the invitation as well."""

    class Forgetful(MemoryStore):
        broken = 1

        async def revoke_grants(self, table: str, user: str) -> None:
            if self.broken:
                self.broken -= 1
                raise StoreUnavailable("locked", "not now")
            await super().revoke_grants(table, user)

    async def test() -> None:
        house = await House(store=Forgetful()).begin()
        table = await house.tables.open_table("anna", Options(players=3))
        await house.store.grant(table, "bert")
        await house.do(table, "anna", Sit())
        await house.do(table, "bert", Sit())
        with suppress(Refusal, StoreUnavailable):
            await house.do(table, "anna", Kick(1), name="kick")
        await house.do(table, "anna", Kick(1), name="kick")
        with pytest.raises(Refusal) as caught:
            await house.tables.enter(table, "bert")
        assert refused(caught) is Problem.REMOVED
        await house.end()

    run(test())


def test_kick_through_another_process_shows_the_guest_out() -> None:
    """A private table is closed to a kicked guest wherever he looks at it."""

    async def test() -> None:
        one, two = await workers()
        table = await one.tables.open_table("anna", Options(players=3))
        await one.store.grant(table, "bert")
        await one.do(table, "anna", Sit())
        await one.do(table, "bert", Sit())
        ear = Ear()
        await two.tables.watch(table, "bert", ear, None)
        await one.do(table, "anna", Kick(1))
        await one.clock.advance(one.settings.times.sweep + 1)
        assert ear.cut_for is not None
        await two.end()
        await one.end()

    run(test())


def test_kicked_viewer_leaves_no_ghost() -> None:
    """Who is shown out of a delayed table is no longer counted as connected."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*THREE, options=DELAYED)
        watcher = await house.tables.watch(table, "bert", Ear(), None)
        await house.do(table, "anna", Kick(1))
        house.tables.unwatch(watcher)
        loaded = house.tables.loaded.find(table)
        assert loaded is not None
        assert not loaded.presence.connected("bert")
        await house.end()

    run(test())


# -- hosts ---------------------------------------------------------------------------------------------


def test_host_role_passes_to_whoever_sits_down_after_the_host_has_gone() -> None:
    """An open table whose host stays away is not stuck, though its guests sat down late."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table("anna", start=False)
        host = await house.tables.watch(table, "anna", Ear(), None)
        await house.tables.watch(table, "bert", Ear(), None)
        house.tables.unwatch(host)
        await house.clock.advance(house.settings.times.host_grace + 1_000)
        await house.do(table, "bert", Sit())
        await house.clock.advance(2 * house.settings.times.host_grace)
        assert (await house.tables.peek(table)).room.host == "bert"
        await house.end()

    run(test())


def test_host_role_given_to_somebody_absent_passes_on() -> None:
    """A host who is made one while he is away, and stays away, is followed like any other."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*THREE)
        for name in ("anna", "bert"):
            await house.tables.watch(table, name, Ear(), None)
        await house.do(table, "anna", PassHost(2))
        await house.clock.advance(2 * house.settings.times.host_grace)
        assert (await house.tables.peek(table)).room.host == "anna"
        await house.end()

    run(test())


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

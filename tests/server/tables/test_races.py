"""What happens between two awaits: expiries beside moves, viewers beside starts, failures in the middle."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Options
from bohn.protocol.room_commands import (
    CallForChoice,
    Kick,
    PassHost,
    Sit,
    Stand,
    TakeBack,
)
from bohn.rules.commands import AcceptOffer, AnyCommand, MakeOffer, Plant, Reveal
from bohn.rules.errors import IllegalCommand
from bohn.rules.state import Copy, PlantPhase, TradePhase
from bohn.server.settings import Settings
from bohn.server.store.protocol import Append, DueTimer, LogRow, Outcome, StoreUnavailable
from bohn.server.tables.api import Peek
from tests.server.support.memory_store import Backing, MemoryStore
from tests.server.support.tables import Ear, House, workers
from tests.server.tables.test_service import THREE, Stubborn, refused, run
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

"""Time in which nobody was served: it is given back once and exactly, and everybody is told.

One long file: every way in which nobody is served is tried with the same clocks and the same two houses.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest
from msgspec.structs import replace

from bohn.protocol.frames import Clock
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room_commands import CallForChoice, Pause, Resume
from bohn.rules.commands import EndTrading, Plant
from bohn.rules.state import TradePhase
from bohn.server.settings import Settings
from bohn.server.store.protocol import Append, DueTimer, Outcome, SecretDeal, StoreUnavailable, Timer
from tests.server.support.memory_store import MemoryStore
from tests.server.support.tables import Ear, House
from tests.server.tables.test_service import THREE, run
from tests.server.tables.test_timing import FAST, FirstChoice, active_of, phase_of, trading_house

HOUR = 3_600_000
DECISION, POLL = Settings().times.fast_decision, Settings().times.poll


class Gate:
    """A place where somebody waits until a test lets him go on."""

    def __init__(self) -> None:
        self.reached, self.opened = asyncio.Event(), asyncio.Event()

    async def pass_through(self) -> None:
        """Say that somebody is here, and wait."""
        self.reached.set()
        await self.opened.wait()


class Failing(MemoryStore):
    """A store that cannot be read, or not be written, while a test says so; its gates let it wait."""

    reads = writes = beats = True
    tries = 0
    unreadable = 0
    deal_gate: Gate | None = None
    credit_gate: Gate | None = None

    async def timers_of(self, tables: tuple[str, ...]) -> dict[str, tuple[Timer, ...]]:
        """Read, or fail as often as a test says."""
        if self.unreadable:
            self.unreadable -= 1
            raise StoreUnavailable("failed", "the disk was away for a moment")
        return await super().timers_of(tables)

    async def deal(self, table: str) -> SecretDeal | None:
        """Read, through the gate if there is one."""
        if self.deal_gate is not None:
            await self.deal_gate.pass_through()
        return await super().deal(table)

    async def due(self, now: int, limit: int = 200) -> tuple[DueTimer, ...]:
        """Read, or fail."""
        if not self.reads:
            raise StoreUnavailable("failed", "the disk is away")
        return await super().due(now, limit)

    async def append(self, append: Append) -> Outcome:
        """Write, or fail."""
        self._require_writes()
        return await super().append(append)

    async def beat(self, worker: str, now: int) -> None:
        """Write, or fail."""
        self._require_writes()
        if not self.beats:
            raise StoreUnavailable("failed", "the process dies just now")
        await super().beat(worker, now)

    async def credit(self, worker: str, now: int, since: int = 0, least: int = 0) -> int:
        """Write, or fail."""
        self._require_writes()
        if self.credit_gate is not None:
            await self.credit_gate.pass_through()
        return await super().credit(worker, now, since, least)

    def _require_writes(self) -> None:
        self.tries += 1
        if not self.writes:
            raise StoreUnavailable("full", "the disk is full")


async def fast_house(store: MemoryStore | None = None) -> tuple[House, str]:
    """Return a table with fast clocks that waits for its first planting, a second old."""
    house = await House(store=store).begin(FirstChoice())
    table = await house.table(*THREE, options=FAST)
    await house.clock.advance(1_000)
    return house, table


async def left(house: House, table: str) -> int:
    """Return how many ms the one clock of a table has, as it stands in the store."""
    (timer,) = await house.store.timers(table)
    assert timer.due is not None
    return timer.due - house.clock.now()


async def stand_still(house: House, milliseconds: int) -> None:
    """Let time pass in which nothing of the process runs."""
    house.clock._now += milliseconds


async def restarted(house: House) -> House:
    """Return a second process on the store of one that died."""
    store = MemoryStore(shared=house.backing)
    return await House(house.settings, store, house.clock, house.entropy).begin(FirstChoice())


# -- what is told --------------------------------------------------------------------------------------


def test_clocks_put_off_are_told_at_once() -> None:
    """Seats and spectators get all clocks and the time, without a batch."""

    async def test() -> None:
        house, table = await fast_house()
        ears = [Ear(), Ear()]
        for user, ear in zip(("anna", None), ears, strict=True):
            await house.tables.watch(table, user, ear, None)
        await stand_still(house, HOUR)
        await house.clock.advance(2 * POLL)
        active, (timer,) = await active_of(house, table), await house.store.timers(table)
        for ear in ears:
            (told,) = ear.of("clocks")
            clock = {"seat": active, "due": timer.due, "left": None, "reserve": 0, "beat": None}
            assert told["clocks"] == [clock]
            assert 0 <= house.clock.now() - told["now"] <= 2 * POLL
            assert told["last_call"] is None
            assert ear.of("batch") == []
        await house.end()

    run(test())


def test_welcome_shows_clocks_as_they_were_put_off() -> None:
    """Who comes behind a standstill never sees a clock that has run out."""

    async def test() -> None:
        house, table = await fast_house()
        await stand_still(house, HOUR // 12)  # so short that the table stays in memory
        await house.clock.advance(2 * POLL)
        shown = await house.tables.welcome(table, "anna")
        (timer,) = await house.store.timers(table)
        assert shown.clocks == (Clock(await active_of(house, table), timer.due),)
        assert (timer.due or 0) - shown.now > DECISION - 2_000
        await house.end()

    run(test())


def test_delayed_spectators_are_told_of_no_clocks() -> None:
    """What they see is past, and has none."""

    async def test() -> None:
        house = await House().begin(FirstChoice())
        table = await house.table(*THREE, options=replace(FAST, delay=10))
        await house.clock.advance(1_000)
        seat, late = Ear(), Ear()
        await house.tables.watch(table, "anna", seat, None)
        await house.tables.watch(table, "zoe", late, None)
        await stand_still(house, HOUR)
        await house.clock.advance(2 * POLL)
        assert len(seat.of("clocks")) == 1
        assert late.of("clocks") == []
        await house.end()

    run(test())


def test_clocks_that_were_not_put_off_are_not_told() -> None:
    """A process that runs says nothing of its clocks but in batches."""

    async def test() -> None:
        house, table = await fast_house()
        ear = Ear()
        await house.tables.watch(table, "anna", ear, None)
        await house.clock.advance(10_000)
        assert ear.of("clocks") == []
        await house.end()

    run(test())


# -- how much is given back ----------------------------------------------------------------------------


def test_standstill_of_the_process_costs_nobody_time() -> None:
    """A suspended machine wakes up, and every clock has what it had, to the next look."""

    async def test() -> None:
        house, table = await fast_house()
        before = await left(house, table)
        await stand_still(house, HOUR)
        await house.clock.advance(5 * POLL)
        assert before - 6 * POLL <= await left(house, table) <= before
        await house.end()

    run(test())


def test_short_standstill_counts() -> None:
    """Five seconds are not given back, for a machine that is busy stands still every now and then."""

    async def test() -> None:
        house, table = await fast_house()
        (before,) = await house.store.timers(table)
        await stand_still(house, 5_000)
        await house.clock.advance(5 * POLL)
        assert await house.store.timers(table) == (before,)
        await house.end()

    run(test())


def test_silence_at_a_table_without_clocks_is_not_credited() -> None:
    """Nobody's choice is made for him there before enough people call for it."""

    async def test() -> None:
        house = await House().begin(FirstChoice())
        table = await house.table(*THREE)
        callers = [user for seat, user in enumerate(THREE) if seat != await active_of(house, table)]
        await stand_still(house, HOUR // 12)
        await house.clock.advance(5 * POLL)
        await house.do(table, callers[0], CallForChoice())
        assert (await house.tables.peek(table)).room.called
        await house.end()

    run(test())


def test_clock_begun_behind_a_standstill_is_not_credited() -> None:
    """Who moves before the server has looked at its clocks gives the next one no hour."""

    async def test() -> None:
        house, table = await fast_house()
        active = await active_of(house, table)
        await stand_still(house, HOUR)
        await house.do(table, THREE[active], Plant(active, 0))
        await house.clock.advance(5 * POLL)
        assert DECISION - 6 * POLL <= await left(house, table) <= DECISION
        await house.end()

    run(test())


@pytest.mark.parametrize("what", ["reads", "writes"])
def test_failing_store_costs_nobody_time(what: str) -> None:
    """While nothing can be read, or nothing saved, no clock runs; then it expires in its own time."""

    async def test() -> None:
        store = Failing()
        house, table = await fast_house(store)
        before = await left(house, table)
        setattr(store, what, False)
        await house.clock.advance(HOUR // 60)
        setattr(store, what, True)
        ear = Ear()
        await house.tables.watch(table, "anna", ear, None)
        await house.clock.advance(1_500)
        now = await left(house, table)
        assert before - 1_700 <= now <= before + 1_000
        assert len(ear.of("clocks")) == 1
        assert ear.of("batch") == []
        await house.clock.advance(now + 500)
        assert ear.of("batch")[0]["cause"] == "clock"
        await house.end()

    run(test())


def test_command_that_cannot_be_saved_says_so_behind_a_standstill() -> None:
    """What must be credited first cannot be, so nothing is decided; all who wait share one attempt."""

    async def test() -> None:
        store = Failing()
        house, table = await fast_house(store)
        store.writes, store.tries = False, 0
        await stand_still(house, HOUR)
        answers = [house.do(table, user, Pause()) for user in ("anna", "anna", "anna")]
        for answer in await asyncio.gather(*answers, return_exceptions=True):
            assert isinstance(answer, Refusal)
            assert answer.problem is Problem.NOT_SAVED
        assert store.tries == 1
        store.writes = True
        await house.do(table, "anna", Pause())
        (timer,) = await store.timers(table)
        assert DECISION - 1_500 <= (timer.left or 0) <= DECISION
        await house.end()

    run(test())


def test_clocks_that_could_not_be_read_behind_their_credit_are_read_first() -> None:
    """What is decided next would write those from before it over the credited ones."""

    async def test() -> None:
        store = Failing()
        house, table = await fast_house(store)
        await stand_still(house, HOUR)
        store.unreadable = 1
        with pytest.raises(Refusal) as refused:
            await house.do(table, "anna", Pause())
        assert refused.value.problem is Problem.NOT_SAVED
        assert DECISION - 1_500 <= await left(house, table) <= DECISION
        await house.do(table, "anna", Pause())
        (timer,) = await store.timers(table)
        assert DECISION - 1_500 <= (timer.left or 0) <= DECISION
        await house.end()

    run(test())


def test_command_that_waited_through_a_standstill_is_decided_behind_its_credit() -> None:
    """It came before, and found others at work on its table."""

    async def test() -> None:
        house, table = await fast_house()
        loaded = await house.tables.loaded.get(table)
        await loaded.lock.acquire()
        pausing = asyncio.create_task(house.do(table, "anna", Pause()))
        await house.clock.settle()
        await stand_still(house, HOUR)
        loaded.lock.release()
        await pausing
        (timer,) = await house.store.timers(table)
        assert DECISION - 1_500 <= (timer.left or 0) <= DECISION
        await house.end()

    run(test())


def test_table_that_is_folded_during_a_credit_has_the_credited_clocks() -> None:
    """Its clocks were read before, and it is no table in memory yet when the others are told."""

    async def test() -> None:
        store = Failing()
        house, table = await fast_house(store)
        house.drop(table)
        store.deal_gate = Gate()
        coming = asyncio.create_task(house.tables.welcome(table, "anna"))
        await store.deal_gate.reached.wait()
        await stand_still(house, HOUR)
        await house.tables.beat()
        store.deal_gate.opened.set()
        shown = await coming
        (timer,) = await store.timers(table)
        assert [clock.due for clock in shown.clocks] == [timer.due]
        await house.do(table, "anna", Pause())
        (timer,) = await store.timers(table)
        assert DECISION - 1_500 <= (timer.left or 0) <= DECISION
        await house.end()

    run(test())


def test_table_that_comes_during_a_credit_is_told_when_nobody_else_is_at_work_on_it() -> None:
    """It was not there when the tables in memory were locked."""

    async def test() -> None:
        store = Failing()
        house, table = await fast_house(store)
        await house.table(*THREE)  # memory is not empty: a table may come in without a beat of its own
        house.drop(table)
        store.credit_gate = Gate()
        await stand_still(house, HOUR)
        beating = asyncio.create_task(house.tables.beat())
        await store.credit_gate.reached.wait()
        loaded = await house.tables.loaded.get(table)
        before = loaded.snapshot.timers
        async with loaded.lock:
            store.credit_gate.opened.set()
            await house.clock.settle()
            assert not beating.done()
            assert loaded.snapshot.timers == before
        await beating
        assert loaded.snapshot.timers == await store.timers(table) != before
        await house.end()

    run(test())


def test_time_without_a_server_is_given_back_once() -> None:
    """A start that dies right behind its credit leaves nothing to the next one."""

    async def test() -> None:
        house, table = await fast_house()
        before = await left(house, table)
        await house.tables.background.stop_repeating()  # as if it were killed
        await stand_still(house, HOUR)
        store = Failing(house.backing)
        store.beats = False
        dead = House(house.settings, store, house.clock, house.entropy)
        with suppress(StoreUnavailable):
            await dead.begin(FirstChoice())
        await dead.tables.background.stop_repeating()
        again = await restarted(house)
        assert before <= await left(again, table) <= before + house.settings.times.beat
        await again.end()
        await house.end()

    run(test())


def test_rest_of_a_server_is_no_time_without_one() -> None:
    """Without tables it writes no beats; the clocks of its next table begin as they should."""

    async def test() -> None:
        house = await House().begin(FirstChoice())
        await house.clock.advance(HOUR // 60)
        table = await house.table(*THREE, options=FAST)
        await house.clock.advance(5 * POLL)
        assert DECISION - 6 * POLL <= await left(house, table) <= DECISION
        await house.end()

    run(test())


def test_server_at_rest_beats_every_hour() -> None:
    """So that a start knows about when it was last alive."""

    async def test() -> None:
        house = await House(Settings(times=replace(Settings().times, poll=10_000, beat=60_000))).begin()
        begun = await house.store.last_beat()
        await house.clock.advance(HOUR // 2)
        assert await house.store.last_beat() == begun
        await house.clock.advance(HOUR)
        assert (await house.store.last_beat() or 0) - (begun or 0) >= HOUR
        await house.end()

    run(test())


# -- the last call -------------------------------------------------------------------------------------


async def called_house() -> tuple[House, str, Ear]:
    """Return a table in a last call that began a second ago."""
    house, table, active, ear = await trading_house()
    await house.do(table, THREE[active], EndTrading(active))
    await house.clock.advance(1_000)
    return house, table, ear


async def ends_when_shown(house: House, table: str, until: int) -> None:
    """Let a last call run out, and see that it is over when it is shown to be."""
    assert 1_000 <= until - house.clock.now() <= 6_000
    await house.clock.advance(until - house.clock.now() - POLL)
    assert isinstance(await phase_of(house, table), TradePhase)
    await house.clock.advance(3 * POLL)
    assert not isinstance(await phase_of(house, table), TradePhase)


def test_last_call_put_off_ends_when_it_is_shown_to_end() -> None:
    """In the frame, in the welcome, and in the game."""

    async def test() -> None:
        house, table, ear = await called_house()
        await stand_still(house, HOUR)
        await house.clock.advance(2 * POLL)
        (told,) = ear.of("clocks")
        room = (await house.tables.welcome(table, None)).room
        assert room.last_call is not None
        assert room.last_call.until == told["last_call"]["until"]
        await ends_when_shown(house, table, room.last_call.until)
        await house.end()

    run(test())


def test_last_call_of_a_restarted_server_ends_when_it_is_shown_to_end() -> None:
    """What the log says of its end is from before the time in which no server ran."""

    async def test() -> None:
        house, table, _ = await called_house()
        await house.tables.background.stop_repeating()
        await stand_still(house, HOUR)
        again = await restarted(house)
        room = (await again.tables.welcome(table, None)).room
        assert room.last_call is not None
        await ends_when_shown(again, table, room.last_call.until)
        await again.end()
        await house.end()

    run(test())


def test_last_call_put_off_before_a_pause_ends_when_it_is_shown_to_end() -> None:
    """Pausing and going on takes nothing of it, over a restart too."""

    async def test() -> None:
        house, table, _ = await called_house()
        await stand_still(house, HOUR)
        await house.do(table, "anna", Pause())
        await house.tables.background.stop_repeating()
        again = await restarted(house)
        again._ids = 100
        await again.do(table, "anna", Resume())
        room = (await again.tables.welcome(table, None)).room
        assert room.last_call is not None
        await ends_when_shown(again, table, room.last_call.until)
        await again.end()
        await house.end()

    run(test())

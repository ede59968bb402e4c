"""The tables' clocks: what is done when one expires, or when enough people call for somebody's choice."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

import structlog
from msgspec.structs import replace

from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room_events import OrdersLookedAt
from bohn.rules.commands import AnyCommand, EndTrading, Pass
from bohn.rules.errors import IllegalCommand
from bohn.rules.legal import waiting
from bohn.server.clock import TimeSource
from bohn.server.room.clocks import (
    LAST_CALL,
    Choice,
    EndTradingNow,
    Expiry,
    LookAtOrders,
    Nothing,
    PassFor,
    choices_called,
    expiry,
    gaps_of,
    lasts_days,
    refused_by_all,
)
from bohn.server.room.decide import calls_needed
from bohn.server.room.resting import shifted
from bohn.server.settings import Settings
from bohn.server.store.protocol import DueTimer, StoreUnavailable, Timer
from bohn.server.tables.api import Observer
from bohn.server.tables.background import Background
from bohn.server.tables.calendar import rests_of
from bohn.server.tables.heartbeat import Beats
from bohn.server.tables.leases import Ownership
from bohn.server.tables.loaded import LoadedTable
from bohn.server.tables.loading import LoadedTables
from bohn.server.tables.log import TableLog
from bohn.server.tables.plan import Request
from bohn.server.tables.snapshot import Snapshot

LOG = structlog.get_logger("bohn.timing")

AT_ONCE = 200
"""Expired clocks that one poll takes on, beside those that were found to wait."""

COUNTER = 1_000
"""Ms that a computer player that has refused the last offer has to make one of its own."""

RETRY = 1_000
"""Ms after which a failed call for the choice is tried again."""

Mark = tuple[str, str, int]
"""An expired clock: its table, its key, and when it was due."""

Choose = Callable[[str, int], Awaitable[AnyCommand | None]]
"""Returns one decision for a seat of a table, if the game still waits for it."""


class Clocks:
    """The clocks of this process: the rows in the store are the truth, and this polls them."""

    def __init__(
        self,
        ownership: Ownership,
        settings: Settings,
        clock: TimeSource,
        observer: Observer,
        background: Background,
        tables: LoadedTables,
        log: TableLog,
        heartbeat: Beats,
        choose: Choose,
        held_open: Callable[[LoadedTable], bool],
        nobody_left: Callable[[LoadedTable], bool],
        settle_times: Callable[[LoadedTable], Awaitable[None]],
    ) -> None:
        """Serve the clocks of the tables that are this worker's; nothing runs before :meth:`start`.

        ``held_open`` tells whether the last call at a table is to wait, ``nobody_left`` whether it has nobody
        left to wait for; ``settle_times`` lets a table know the playing times of its people.
        """
        self._ownership = ownership
        self._settings = settings
        self._clock = clock
        self._observer = observer
        self._background = background
        self._tables = tables
        self._log = log
        self._heartbeat = heartbeat
        self._choose = choose
        self._held_open = held_open
        self._nobody_left = nobody_left
        self._settle_times = settle_times
        self._firing: set[Mark] = set()
        self._waiting: set[Mark] = set()
        """Last calls that are due and wait for somebody: they stand first in every poll."""
        self._crediting = asyncio.Lock()
        self._attempt: asyncio.Task[None] | None = None
        self._unread = False

    async def start(self) -> None:
        """Credit the time in which no server ran, then begin to poll the clocks."""
        times = self._settings.times
        await self._heartbeat.start()
        self._background.repeat(times.poll, self._fire_due)
        self._background.repeat(times.poll, self._beat_early)
        self._background.repeat(times.beat, self._beat)

    async def _beat_early(self) -> None:
        if self._heartbeat.early:  # nobody waits for the next beat whose worker is gone
            await self.beat()

    async def _beat(self) -> None:
        if len(self._tables) or self._heartbeat.wanted:  # else the disk may rest
            await self.beat()

    # -- time that nobody served -----------------------------------------------------------------------

    async def beat(self) -> None:
        """Write that this process is alive; time in which nobody was served is given back first, and told."""
        async with self._crediting:
            if not self.owing:
                await self._heartbeat.beat()
                return
            locked = set(self._tables.all())
            async with AsyncExitStack() as stack:  # what is committed meanwhile would not know of it
                for loaded in locked:
                    await stack.enter_async_context(loaded.lock)
                self._unread = True
                await self._heartbeat.beat()
                here = self._tables.all()
                for loaded in here:
                    if loaded not in locked:  # it came meanwhile, with clocks from before
                        await stack.enter_async_context(loaded.lock)
                await self._log.read_timers(*(loaded for loaded in here if loaded.snapshot.timers))
                self._unread = False

    @property
    def owing(self) -> bool:
        """Whether time must be given back, or what was given be read, before anything is decided."""
        return self._heartbeat.late or self._unread

    @property
    def credits(self) -> int:
        """How often time was given back; who read clocks before the last time must read them anew."""
        return self._heartbeat.credits

    async def credit_first(self) -> None:
        """Give back time that nobody served, if there was any, before anything is decided."""
        if not self.owing:
            return
        if self._attempt is None or self._attempt.done():
            self._attempt = self._background.spawn(self.beat())  # one for all who wait for it
        await asyncio.shield(self._attempt)

    # -- clocks ----------------------------------------------------------------------------------------

    async def _fire_due(self) -> None:
        if self._heartbeat.late:
            if not self._heartbeat.interrupted:  # the process stood still; a failure ends with a beat
                await self.beat()
            return
        now = self._clock.now()
        try:
            timers = await self._ownership.due(now, AT_ONCE + len(self._waiting))
        except StoreUnavailable:
            self._heartbeat.interrupt()
            raise
        self._heartbeat.looked(now)
        marks = {(timer.table, timer.key, timer.due): timer for timer in timers}
        self._waiting &= marks.keys()
        for mark, timer in marks.items():
            if mark not in self._firing:
                self._firing.add(mark)
                self._background.spawn(self._fire_once(timer, mark))

    async def _fire_once(self, timer: DueTimer, mark: Mark) -> None:
        try:
            obsolete = not await self._fire(timer, mark)
        except Refusal as refusal:
            obsolete = refusal.problem is Problem.NO_SUCH_TABLE
        except StoreUnavailable:
            obsolete = False
        if not obsolete:  # it is tried again as long as it stands in the store
            self._firing.discard(mark)

    async def _fire(self, timer: DueTimer, mark: Mark) -> bool:
        """Do what an expired clock brings about; return whether there was anything to do."""
        loaded = await self._tables.get(timer.table)
        kind = timer.key.partition(":")[0]
        if kind == LAST_CALL and self._held_open(loaded):
            self._waiting.add(mark)
            return True  # it is due still, and looked at again
        self._observer.fired(kind)
        expired = Timer(timer.key, timer.due)
        if expired not in loaded.snapshot.timers:
            await self._log.read_anew(loaded)
        if lasts_days(loaded.snapshot.room):
            await self._settle_times(loaded)
        snapshot = loaded.snapshot
        if self._stands_still(snapshot, timer):
            self._waiting.add(mark)
            return True
        due = expiry(snapshot.room, snapshot.rules, snapshot.state, timer.key)
        if isinstance(due, Nothing) or expired not in snapshot.timers:
            return False
        request = Request(f"clock:{timer.key}", "", "clock", None, expired=expired)
        await self._bring_about(loaded, due, request)
        return True

    def _stands_still(self, snapshot: Snapshot, timer: DueTimer) -> bool:
        """Tell whether a clock that was put off into the night waits for the morning."""
        gaps = gaps_of(rests_of(snapshot.room, snapshot.state, snapshot.at), timer.key)
        return shifted(timer.due, gaps) > self._clock.now()

    async def _bring_about(self, loaded: LoadedTable, due: Expiry, request: Request) -> bool:
        """Do what is due, each command by a request like this one; return whether all of it was done."""
        if isinstance(due, LookAtOrders):
            return await self._look_at_orders(loaded, due, request)
        commands: tuple[AnyCommand, ...] = ()
        if isinstance(due, Choice):
            chosen = await self._choose(loaded.id, due.seat)
            commands = () if chosen is None else (chosen,)
        elif isinstance(due, EndTradingNow):
            commands = (EndTrading(due.player),)
        elif isinstance(due, PassFor):
            commands = tuple(Pass(player) for player in due.players)
        done = [await self._do(loaded, command, request) for command in commands]
        return all(done)

    async def _do(self, loaded: LoadedTable, command: AnyCommand, request: Request) -> bool:
        """Play a command for a seat; a player who has moved meanwhile was in time. Return whether to go on.

        The id holds the seq, so that a pass that has fallen since is made again.
        """
        name = f"{loaded.snapshot.seq}:{command.player}"
        return await self._try(loaded, replace(request, command_id=name, command=command, final=True))

    async def _look_at_orders(self, loaded: LoadedTable, due: LookAtOrders, request: Request) -> bool:
        """Do a beat: everything that comes of it in one transaction."""
        looked = (OrdersLookedAt(due.turn),)
        beat = replace(request, command_id=str(loaded.snapshot.seq), events=looked, final=due.all_pass)
        return await self._try(loaded, beat)

    async def _try(self, loaded: LoadedTable, request: Request) -> bool:
        """Do what the server itself wants done; return whether to go on."""
        try:
            await self._log.do(loaded, request)
        except IllegalCommand as refusal:
            LOG.info("clock-too-late", table=loaded.id, actor=request.actor, reason=refusal.reason.value)
        except Refusal as refusal:
            LOG.info("clock-too-late", table=loaded.id, actor=request.actor, reason=refusal.problem.value)
            return refusal.problem is not Problem.NOT_SAVED
        return True

    # -- the end of a last call before its time ----------------------------------------------------------

    def end_call_early(self, loaded: LoadedTable) -> None:
        """End a last call that has nobody left to wait for; looked at after every batch and every sign."""
        snapshot = loaded.snapshot
        call, state = snapshot.room.last_call, snapshot.state
        if call is None or state is None or call.turn != state.turn or loaded.call_ended == snapshot.seq:
            return
        if self._ownership.serves(loaded.id) and self._nobody_left(loaded):
            loaded.call_ended = snapshot.seq
            self._background.spawn(self._end_call(loaded, f"{LAST_CALL}:{call.turn}"))

    async def _end_call(self, loaded: LoadedTable, key: str) -> None:
        """End it, unless the table has moved on or somebody wants to go on after all."""
        snapshot = loaded.snapshot
        if snapshot.state is not None and refused_by_all(snapshot.room, snapshot.state):
            await self._clock.sleep(COUNTER)
            if snapshot.seq != loaded.snapshot.seq:  # looked at anew behind what has come meanwhile
                return
        due = expiry(snapshot.room, snapshot.rules, snapshot.state, key)
        if not self._nobody_left(loaded) or snapshot.seq != loaded.call_ended:
            loaded.call_ended = None
            return
        request = Request(f"clock:{key}", "", "clock", None, seq=snapshot.seq)
        if not await self._bring_about(loaded, due, request):
            loaded.call_ended = None  # its clock runs, and the next sign tries again

    # -- calls for the choice --------------------------------------------------------------------------

    def noticed(self, loaded: LoadedTable) -> None:
        """Look at a table after a batch: whether a last call is over, or enough call for the choice."""
        self.end_call_early(loaded)
        snapshot = loaded.snapshot
        if not self._ownership.serves(loaded.id):
            return
        if not snapshot.room.called or snapshot.state is None or loaded.settled == snapshot.seq:
            return
        if len(snapshot.room.called) >= calls_needed(snapshot.room, waiting(snapshot.rules, snapshot.state)):
            loaded.settled = snapshot.seq
            self._background.spawn(self._settle(loaded))

    async def _settle(self, loaded: LoadedTable) -> None:
        """Make the choice that was called for, for everybody the game waits for; if it fails, do it later.

        They are told of the call first, and have a while to move by themselves.
        """
        snapshot = loaded.snapshot
        await self._clock.sleep(self._settings.times.warned)
        if snapshot.state is None or loaded.settled != snapshot.seq or not loaded.snapshot.room.called:
            return
        done = True
        for due in choices_called(snapshot.rules, snapshot.state):
            # the first choice is void if anybody has moved since; those behind it follow from the same call
            seq = snapshot.seq if loaded.snapshot.seq == snapshot.seq else None
            if seq is None and loaded.snapshot.room.called:
                break
            request = Request("clock:silence", "", "clock", None, seq=seq)
            done = await self._bring_about(loaded, due, request) and done
        if not done and loaded.snapshot.room.called:
            await self._clock.sleep(RETRY)
            loaded.settled = None
            self.noticed(loaded)

"""What happens by itself: clocks that expire, hosts who are gone, tables nobody looks at."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

import structlog
from msgspec.structs import replace

from bohn.rules.commands import AnyCommand, EndTrading, Pass
from bohn.rules.errors import IllegalCommand
from bohn.server.refusals import Problem, Refusal
from bohn.server.room.clocks import (
    Choice,
    EndTradingNow,
    Expiry,
    Nothing,
    PassFor,
    choices_called,
    expiry,
    waited_for,
)
from bohn.server.room.decide import calls_needed, host_after
from bohn.server.room.events import Abandoned, HostPassed
from bohn.server.store.protocol import DueTimer, StoreUnavailable, Timer
from bohn.server.tables.plan import SERVER, Request

if TYPE_CHECKING:
    from bohn.server.tables.live import Live
    from bohn.server.tables.service import TableService

LOG = structlog.get_logger("bohn.timing")

JUMP = 5_000
"""If the clocks were not looked at for so long (ms), the time in between is credited."""

AGAIN = 1_000
"""So long after a failure (ms) a call for the choice is looked at again."""


class Timing:
    """The clocks of this process: the rows in the store are the truth, this looks at them again and again."""

    def __init__(self, tables: TableService) -> None:
        """Time these tables; nothing runs before :meth:`start`."""
        self._tables = tables
        self._loops: list[asyncio.Task[None]] = []
        self._firing: set[tuple[str, str, int]] = set()
        self._settled: dict[str, int] = {}
        self._hostless: set[str] = set()
        self._failing = 0
        self._looked = 0
        self._worker = ""

    async def start(self) -> None:
        """Credit the time in which nobody served, then look at the clocks."""
        tables, times = self._tables, self._tables.settings.times
        now = tables.ambient.now()
        self._worker = tables.ambient.token(8).hex()
        last = await tables.store.last_beat()
        alone = not tables.settings.shared
        if last is not None and now - last > (0 if alone else 2 * times.beat):
            count = await tables.store.credit(now - last)
            LOG.info("clocks-credited", timers=count, ms=now - last)
        await tables.store.beat(self._worker, now)
        loops = [self._every(times.poll, self._fire_due), self._every(times.beat, self._beat)]
        loops.append(self._every(max(times.poll, times.idle_table // 10), self._drop_idle))
        if tables.settings.shared:
            loops.append(self._every(times.sweep, self._sweep))
        self._loops = [asyncio.get_running_loop().create_task(loop) for loop in loops]

    async def stop(self) -> None:
        """Stop looking."""
        for loop in self._loops:
            loop.cancel()
        await asyncio.gather(*self._loops, return_exceptions=True)
        self._loops = []

    async def _every(self, milliseconds: int, work: object) -> None:
        assert callable(work)  # noqa: S101 - methods of this class
        while True:
            await self._tables.ambient.sleep(milliseconds)
            try:
                await work()
            except StoreUnavailable as error:
                LOG.error("store-unavailable", kind=error.kind)  # noqa: TRY400 - the kind says it all
            except Exception as error:  # one mistake must not stop every clock of the server
                LOG.exception("mistake", kind=type(error).__name__)

    async def _beat(self) -> None:
        if self._tables.lives or self._tables.settings.shared:  # a server at rest lets the disk rest
            await self.beat()

    async def beat(self) -> None:
        """Say that this process is alive, so that a later one knows how long nobody served."""
        await self._tables.store.beat(self._worker, self._tables.ambient.now())

    # -- clocks ----------------------------------------------------------------------------------------

    async def _fire_due(self) -> None:
        now = self._tables.ambient.now()
        slept, self._looked = now - (self._looked or now), now
        if slept > JUMP and not self._tables.settings.shared:
            await self._credit(
                slept
            )  # the process stood still, or the system's clock was set: nobody is late
            return
        try:
            timers = await self._tables.store.due(now)
        except StoreUnavailable:
            self._failing = self._failing or now
            raise
        if self._failing:
            await self._credit(now - self._failing)
            return
        for timer in timers:
            mark = (timer.table, timer.key, timer.due)
            if mark not in self._firing:
                self._firing.add(mark)
                self._tables.spawn(self._fire_once(timer, mark))

    async def _credit(self, milliseconds: int) -> None:
        """Put off all clocks by a time in which nobody could be served."""
        await self._tables.store.credit(milliseconds)
        self._failing = 0
        for live in tuple(self._tables.lives.values()):
            await self._tables.refresh_timers(live)

    async def _fire_once(self, timer: DueTimer, mark: tuple[str, str, int]) -> None:
        try:
            void = not await self._fire(timer)
        except Refusal as refusal:
            void = refusal.problem is Problem.NO_SUCH_TABLE
        except StoreUnavailable:
            void = False
        if not void:  # it is tried again as long as it stands in the store
            self._firing.discard(mark)

    async def _fire(self, timer: DueTimer) -> bool:
        """Do what an expired clock brings about; tell whether there was anything to do."""
        tables = self._tables
        tables.observer.fired(timer.key.partition(":")[0])
        live = await tables.live(timer.table)
        expired = Timer(timer.key, timer.due)
        if expired not in live.stage.timers:
            async with live.lock:
                await tables.catch_up(live)
            await tables.refresh_timers(live)
        stage = live.stage
        due = expiry(stage.room, stage.rules, stage.state, timer.key)
        if isinstance(due, Nothing) or expired not in stage.timers:
            return False
        await self._bring_about(live, due, Request(f"clock:{timer.key}", "", "clock", None, expired=expired))
        return True

    async def _bring_about(self, live: Live, due: Expiry, request: Request) -> bool:
        """Do what is due, each command by a request like this one; tell whether all of it was done."""
        if isinstance(due, Choice):
            commands: tuple[AnyCommand, ...] = await self._choice(live, due.seat)
        elif isinstance(due, EndTradingNow):
            commands = (EndTrading(due.player),)
        else:
            commands = tuple(Pass(player) for player in due.players) if isinstance(due, PassFor) else ()
        done = [await self._do(live, command, request) for command in commands]
        return all(done)

    async def _choice(self, live: Live, seat: int) -> tuple[AnyCommand, ...]:
        """Return one decision for a seat (DESIGN 6), if it is still waited for."""
        seats = self._tables.seats
        command = None if seats is None else await seats.choose(await self._tables.peek(live.id), seat)
        return () if command is None else (command,)

    async def _do(self, live: Live, command: AnyCommand, request: Request) -> bool:
        """Play a command for a seat; whoever has moved meanwhile was in time. Tell whether to go on.

        The id holds the seq, so that a pass that has fallen since is made again.
        """
        player = command.player
        name = f"{live.stage.seq}:{player}"
        try:
            await self._tables.do(live, replace(request, command_id=name, command=command, final=True))
        except (IllegalCommand, Refusal) as refusal:
            LOG.info("clock-too-late", table=live.id, actor=request.actor, reason=_reason(refusal))
            return not isinstance(refusal, Refusal) or refusal.problem is not Problem.NOT_SAVED
        return True

    # -- calls for the choice --------------------------------------------------------------------------

    def noticed(self, live: Live) -> None:
        """Look at a table after a batch: at its host, its log, and the calls for the choice."""
        stage = live.stage
        self.host_left(live)
        if stage.seq >= self._tables.settings.limits.log_rows and stage.room.status in ("open", "playing"):
            self._tables.linger(self._give_up(live))
        if not stage.room.called or stage.state is None or self._settled.get(live.id) == stage.seq:
            return
        if len(stage.room.called) >= calls_needed(stage.room, waited_for(stage.rules, stage.state)):
            self._settled[live.id] = stage.seq
            self._tables.spawn(self._settle(live))

    async def _settle(self, live: Live) -> None:
        """Make the choice that was called for, for everybody the game waits for; if it fails, do it later."""
        stage = live.stage
        if stage.state is None:
            return
        done = True
        for due in choices_called(stage.rules, stage.state):
            # the first choice is void if anybody has moved since; those behind it follow from the same call
            seq = stage.seq if live.stage.seq == stage.seq else None
            if seq is None and live.stage.room.called:
                break
            request = Request("clock:silence", "", "clock", None, seq=seq)
            done = await self._bring_about(live, due, request) and done
        if not done and live.stage.room.called:
            await self._tables.ambient.sleep(AGAIN)
            self._settled.pop(live.id, None)
            self.noticed(live)

    async def _give_up(self, live: Live) -> None:
        """Abandon a table whose log is full: nobody could ever end it."""
        await self._tables.do(live, Request(SERVER, "log-full", "clock", None, events=(Abandoned(),)))

    # -- hosts, idle tables, other processes -------------------------------------------------------------

    def host_left(self, live: Live) -> None:
        """Somebody is away: if it is the host, another one takes over when he does not return."""
        room = live.stage.room
        host = room.host
        if host is None or live.id in self._hostless or live.presence.connected(host):
            return
        if self._tables.settings.shared or room.status not in ("open", "playing"):
            return  # presence is known to each process for itself: another one may know better
        if host not in live.presence.users() and host_after(room, live.presence.users()) is not None:
            self._hostless.add(live.id)
            self._tables.linger(self._pass_host(live, host))

    async def _pass_host(self, live: Live, host: str) -> None:
        times = self._tables.settings.times
        await self._tables.ambient.sleep(max(0, times.host_grace - times.away))
        self._hostless.discard(live.id)
        room = live.stage.room
        if room.host != host:
            self.host_left(live)
            return
        if host in live.presence.users() or room.status not in ("open", "playing"):
            return
        heir = host_after(room, live.presence.users())
        if heir is not None and heir != host:
            seq = live.stage.seq
            request = Request(SERVER, f"host:{seq}", "clock", None, events=(HostPassed(heir),), seq=seq)
            with suppress(Refusal):
                await self._tables.do(live, request)
        self.host_left(live)

    async def _drop_idle(self) -> None:
        """Let tables nobody has looked at for long leave memory; their log stays."""
        tables = self._tables
        now, idle = tables.ambient.now(), tables.settings.times.idle_table
        for live in tuple(tables.lives.values()):
            over = live.stage.room.status in ("finished", "abandoned")
            horizon = now - (idle // 20 if over else idle)
            if not live.watched and live.touched < horizon and not live.lock.locked() and not live.collecting:
                tables.showing.close_past(live)
                self._settled.pop(live.id, None)
                tables.drop(live)

    async def _sweep(self) -> None:
        """Read what other processes have appended to tables that are looked at here."""
        tables = self._tables
        watched = tuple(live.id for live in tables.lives.values() if live.watched)
        heads = await tables.store.heads(watched) if watched else {}
        for table, head in heads.items():
            live = tables.lives.get(table)
            if live is not None and head > live.stage.seq:
                async with live.lock:
                    await tables.catch_up(live)


def _reason(refusal: IllegalCommand | Refusal) -> str:
    return refusal.reason.value if isinstance(refusal, IllegalCommand) else refusal.problem.value

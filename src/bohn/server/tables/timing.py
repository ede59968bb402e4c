"""What happens by itself: clocks that expire, hosts who are gone, tables nobody looks at."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import structlog

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
from bohn.server.room.events import HostPassed
from bohn.server.store.protocol import DueTimer, StoreUnavailable
from bohn.server.tables.plan import Request

if TYPE_CHECKING:
    from bohn.server.tables.live import Live
    from bohn.server.tables.service import TableService

LOG = structlog.get_logger("bohn.timing")

SERVER = "server"


class Timing:
    """The clocks of this process: the rows in the store are the truth, this looks at them again and again."""

    def __init__(self, tables: TableService) -> None:
        """Time these tables; nothing runs before :meth:`start`."""
        self._tables = tables
        self._loops: list[asyncio.Task[None]] = []
        self._firing: set[tuple[str, str, int]] = set()
        self._settled: dict[str, int] = {}
        self._hostless: set[str] = set()
        self._worker = ""

    async def start(self) -> None:
        """Credit the time in which nobody served, then look at the clocks."""
        tables, times = self._tables, self._tables.settings.times
        now = tables.ambient.now()
        self._worker = tables.ambient.token(8).hex()
        last = await tables.store.last_beat()
        if last is not None and now - last > 2 * times.beat:
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

    async def _beat(self) -> None:
        if self._tables.lives:  # a server at rest lets the disk rest
            await self.beat()

    async def beat(self) -> None:
        """Say that this process is alive, so that a later one knows how long nobody served."""
        await self._tables.store.beat(self._worker, self._tables.ambient.now())

    # -- clocks ----------------------------------------------------------------------------------------

    async def _fire_due(self) -> None:
        for timer in await self._tables.store.due(self._tables.ambient.now()):
            mark = (timer.table, timer.key, timer.due)
            if mark not in self._firing:
                self._firing.add(mark)
                self._tables.spawn(self._fire_once(timer, mark))

    async def _fire_once(self, timer: DueTimer, mark: tuple[str, str, int]) -> None:
        try:
            void = not await self._fire(timer)
        except Refusal as refusal:
            void = refusal.problem is Problem.NO_SUCH_TABLE
        if not void:  # it is tried again as long as it stands in the store
            self._firing.discard(mark)

    async def _fire(self, timer: DueTimer) -> bool:
        """Do what an expired clock brings about; tell whether there was anything to do."""
        tables = self._tables
        tables.observer.fired(timer.key.partition(":")[0])
        live = await tables.live(timer.table)
        if all(own.key != timer.key or own.due != timer.due for own in live.stage.timers):
            await tables.catch_up(live)
        stage = live.stage
        due = expiry(stage.room, stage.rules, stage.state, timer.key)
        if isinstance(due, Nothing) or all(
            own.key != timer.key or own.due != timer.due for own in stage.timers
        ):
            return False
        await self._bring_about(live, due, f"clock:{timer.key}", str(timer.due))
        return True

    async def _bring_about(self, live: Live, due: Expiry, actor: str, number: str) -> None:
        if isinstance(due, Choice):
            await self._choose(live, due.seat, actor, number)
        elif isinstance(due, EndTradingNow):
            await self._do(live, EndTrading(due.player), actor, number)
        elif isinstance(due, PassFor):
            for player in due.players:
                await self._do(live, Pass(player), actor, f"{number}:{player}")

    async def _choose(self, live: Live, seat: int, actor: str, number: str) -> None:
        """Play one decision for a seat (DESIGN 6); whoever moved meanwhile was in time."""
        seats = self._tables.seats
        if seats is None:
            return
        seq = live.stage.seq
        command = await seats.choose(await self._tables.peek(live.id), seat)
        if command is not None and (live.stage.seq == seq or seat in self._waited(live)):
            await self._do(live, command, actor, number)

    def _waited(self, live: Live) -> tuple[int, ...]:
        stage = live.stage
        return waited_for(stage.rules, stage.state) if stage.running and stage.state is not None else ()

    async def _do(self, live: Live, command: AnyCommand, actor: str, number: str) -> None:
        request = Request(actor, number, "clock", command, final=True)
        try:
            await self._tables.do(live, request)
        except (IllegalCommand, Refusal) as refusal:
            LOG.info("clock-too-late", table=live.id, actor=actor, reason=str(refusal).partition(" ")[0])

    # -- calls for the choice --------------------------------------------------------------------------

    def noticed(self, live: Live) -> None:
        """Look at a table after a batch: perhaps enough have called for the choice."""
        stage = live.stage
        if not stage.room.called or stage.state is None or self._settled.get(live.id) == stage.seq:
            return
        if len(stage.room.called) >= calls_needed(stage.room, waited_for(stage.rules, stage.state)):
            self._settled[live.id] = stage.seq
            self._tables.spawn(self._settle(live))

    async def _settle(self, live: Live) -> None:
        """Make the choice that was called for, for everybody the game waits for."""
        stage = live.stage
        if stage.state is None:
            return
        for number, due in enumerate(choices_called(stage.rules, stage.state)):
            await self._bring_about(live, due, "clock:silence", f"{stage.seq}:{number}")

    # -- hosts, idle tables, other processes -------------------------------------------------------------

    def host_left(self, live: Live) -> None:
        """Somebody is away: if it is the host, another one takes over when he does not return."""
        host = live.stage.room.host
        if host is not None and host not in live.presence.users() and live.id not in self._hostless:
            self._hostless.add(live.id)
            self._tables.linger(self._pass_host(live, host))

    async def _pass_host(self, live: Live, host: str) -> None:
        times = self._tables.settings.times
        await self._tables.ambient.sleep(max(0, times.host_grace - times.away))
        self._hostless.discard(live.id)
        room = live.stage.room
        if room.host != host or host in live.presence.users() or room.status not in ("open", "playing"):
            return
        heir = host_after(room, live.presence.users())
        if heir is not None and heir != host:
            request = Request(SERVER, f"host:{live.stage.seq}", "clock", None, events=(HostPassed(heir),))
            await self._tables.do(live, request)

    async def _drop_idle(self) -> None:
        """Let tables nobody has looked at for long leave memory; their log stays."""
        tables = self._tables
        horizon = tables.ambient.now() - tables.settings.times.idle_table
        for live in tuple(tables.lives.values()):
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

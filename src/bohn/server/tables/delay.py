"""Delayed spectators: they see each row and each line of chat of a table a fixed time later."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from bohn.protocol import frames
from bohn.protocol.room_events import Sat
from bohn.server.clock import TimeSource
from bohn.server.store.protocol import LogRow
from bohn.server.tables.audience import DelayedAudience, DelayedLine
from bohn.server.tables.loaded import LoadedTable
from bohn.server.tables.refusing import or_refuse
from bohn.server.tables.snapshot import snapshot_of

Rows = Callable[[str, int], Awaitable[tuple[LogRow, ...]]]
"""Reads the rows of a table behind a seq."""


class Delay:
    """Shows delayed tables to their spectators, each row when its time has come."""

    def __init__(
        self,
        clock: TimeSource,
        rows: Rows,
        linger: Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]],
        sent: Callable[[int], None],
    ) -> None:
        """Read logs with ``rows``, run what waits with ``linger``; ``sent`` counts the frames sent."""
        self._clock = clock
        self._rows = rows
        self._linger = linger
        self._sent = sent
        self._opening: dict[LoadedTable, asyncio.Task[None]] = {}

    def horizon(self, loaded: LoadedTable) -> int:
        """Return up to when (ms since 1970) the past of a table is shown."""
        return self._clock.now() - loaded.snapshot.room.options.delay * 1000

    async def open(self, loaded: LoadedTable) -> None:
        """Fold the log up to where the delay has passed, once for all who ask; younger rows wait."""
        task = self._opening.get(loaded)
        if task is None:
            task = self._opening[loaded] = self._linger(self._fold(loaded))
            task.add_done_callback(lambda _: self._opening.pop(loaded, None))
        await asyncio.shield(task)

    async def _fold(self, loaded: LoadedTable) -> None:
        rows: tuple[LogRow, ...] = ()
        while len(rows) < loaded.snapshot.seq:  # a batch may be committed while the log is read
            rows += await or_refuse(self._rows(loaded.id, len(rows)))
        rows = rows[: loaded.snapshot.seq]  # another process may be ahead: its rows come by catching up
        horizon = self.horizon(loaded)
        old = max(1, next((place for place, row in enumerate(rows) if row.at > horizon), len(rows)))
        loaded.delayed = DelayedAudience(snapshot_of(rows[:old]), rows[old:])
        self._wake(loaded, loaded.delayed)

    def show(self, loaded: LoadedTable, row: LogRow) -> None:
        """Queue a committed row for the delayed spectators, if there were any."""
        if loaded.delayed is not None:
            loaded.delayed.waiting.append(row)
            self._wake(loaded, loaded.delayed)

    def post(self, loaded: LoadedTable, frame: frames.AnyServerFrame, unread_by: frozenset[str]) -> None:
        """Send delayed spectators a frame that is no batch; chat and remarks wait as rows do."""
        past = loaded.delayed
        if past is None:
            return
        if isinstance(frame, frames.Line | frames.Remark):
            past.waiting.append(DelayedLine(frame.at, frame, unread_by))
            self._wake(loaded, past)
            return
        if isinstance(frame, frames.LineDeleted):
            past.forget(frame.line)
        past.audience.post(frame, unread_by)

    def _wake(self, loaded: LoadedTable, past: DelayedAudience) -> None:
        if past.waiting and (past.task is None or past.task.done()):
            past.task = self._linger(self._play(loaded, past))

    async def _play(self, loaded: LoadedTable, past: DelayedAudience) -> None:
        """Show what waits, each when its time has come."""
        while past.waiting:
            wait = past.waiting[0].at - self.horizon(loaded)
            if wait > 0:
                await self._clock.sleep(wait)
                continue
            oldest = past.waiting.popleft()
            if isinstance(oldest, DelayedLine):
                past.audience.post(oldest.line, oldest.unread_by)
                continue
            seated = any(isinstance(event, Sat) for event in oldest.events)
            sent, _ = past.audience.advance(
                oldest, past.next_snapshot(oldest), loaded.people if seated else {}
            )
            self._sent(sent)

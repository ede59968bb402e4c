"""A clock for the server's tests: time stands still until a test moves it."""

from __future__ import annotations

import asyncio
import heapq
from itertools import count

START = 1_700_000_000_000


class StillClock:
    """A :class:`bohn.server.clock.TimeSource` whose time moves only by :meth:`advance`."""

    def __init__(self, start: int = START) -> None:
        self._now = start
        self._order = count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []

    def now(self) -> int:
        """Return the time in ms."""
        return self._now

    async def sleep(self, milliseconds: float) -> None:
        """Wait until time has been moved so far."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._now + milliseconds, next(self._order), done))
        await done

    async def settle(self) -> None:
        """Let everything run that is not waiting for time; other threads get their chance too."""
        for _ in range(20):
            await asyncio.sleep(0)

    def jump(self, milliseconds: int) -> None:
        """Move time, and wake nobody."""
        self._now += milliseconds

    async def advance(self, milliseconds: int) -> None:
        """Move time, waking every sleeper at his moment."""
        end = self._now + milliseconds
        await self.settle()
        while self._sleepers and self._sleepers[0][0] <= end:
            due, _, done = heapq.heappop(self._sleepers)
            self._now = max(self._now, int(due))
            if not done.done():
                done.set_result(None)
            await self.settle()
        self._now = end
        await self.settle()

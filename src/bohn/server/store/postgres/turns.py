"""Taking turns by key: what is sent together for one table is written in the order in which it was sent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """A queue for each key, for as long as somebody stands in it."""

    def __init__(self) -> None:
        self._last: dict[str, asyncio.Future[None]] = {}

    @asynccontextmanager
    async def turn(self, key: str) -> AsyncIterator[None]:
        """Wait until all who came before with this key have gone."""
        mine = asyncio.get_running_loop().create_future()
        before = self._last.get(key)
        self._last[key] = mine
        try:
            if before is not None:
                await asyncio.shield(before)
            yield
        finally:
            if before is None or before.done():
                self._go(key, mine)
            else:  # he gave up waiting: the next one goes when it would have been his turn
                before.add_done_callback(lambda _: self._go(key, mine))

    def _go(self, key: str, mine: asyncio.Future[None]) -> None:
        mine.set_result(None)
        if self._last.get(key) is mine:
            del self._last[key]

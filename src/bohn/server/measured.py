"""A store that is watched: how long each call took, what failed, and how many batches came back together."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, cast

from bohn.server.metrics import Metrics
from bohn.server.store.protocol import Append, Outcome, Store, StoreUnavailable

_PLAIN = frozenset({"open", "close"})
"""Calls that happen once and would only blur the picture."""


def measured(store: Store, metrics: Metrics) -> Store:
    """Return the same store, watched."""
    return cast("Store", _Measured(store, metrics))


class _Measured:
    """Passes every call on; what a store offers besides is there too."""

    def __init__(self, store: Store, metrics: Metrics) -> None:
        self._store = store
        self._metrics = metrics
        self._together = 0

    async def append(self, append: Append) -> Outcome:
        """Commit a batch."""
        outcome: Outcome = await self._timed("append", self._store.append, append)
        if not self._together:  # the rest of its group is told in this same round of the event loop
            asyncio.get_running_loop().call_soon(self._count)
        self._together += 1
        return outcome

    def _count(self) -> None:
        together, self._together = self._together, 0
        self._metrics.grouped(together)

    async def _timed(self, name: str, call: Callable[..., Awaitable[Any]], *args: Any, **named: Any) -> Any:
        begun = time.perf_counter()
        try:
            return await call(*args, **named)
        except StoreUnavailable as error:
            self._metrics.store_failed(error.kind)
            raise
        finally:
            self._metrics.stored(name, time.perf_counter() - begun)

    def __getattr__(self, name: str) -> Any:
        """Return a call of the store, watched; it is made once."""
        found = getattr(self._store, name)
        if name in _PLAIN or not asyncio.iscoroutinefunction(found):
            return found

        async def watched(*args: Any, **named: Any) -> Any:
            return await self._timed(name, found, *args, **named)

        setattr(self, name, watched)
        return watched

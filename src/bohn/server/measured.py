"""A store that is measured: how long each call takes, what fails, and how many batches share a commit."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, cast

from bohn.server.metrics import Metrics
from bohn.server.store.protocol import Append, Outcome, Store, StoreUnavailable

_UNMEASURED = frozenset({"open", "close"})
"""Calls that are not measured: they happen once."""


def measured(store: Store, metrics: Metrics) -> Store:
    """Return the same store, measured."""
    return cast("Store", _Measured(store, metrics))


class _Measured:
    """Passes every call on to the store."""

    def __init__(self, store: Store, metrics: Metrics) -> None:
        self._store = store
        self._metrics = metrics
        self._together = 0

    async def append(self, append: Append) -> Outcome:
        """Commit a batch."""
        outcome: Outcome = await self._timed("append", self._store.append, append)
        if not self._together:  # the rest of its group returns in this same round of the event loop
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
        """Return a method of the store, measured; the wrapper is made once."""
        found = getattr(self._store, name)
        if name in _UNMEASURED or not asyncio.iscoroutinefunction(found):
            return found

        async def timed(*args: Any, **named: Any) -> Any:
            return await self._timed(name, found, *args, **named)

        setattr(self, name, timed)
        return timed

"""Slow work: one job at a time, a few waiting in line, the others refused; and a cache of the results."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

from bohn.protocol.refusals import Problem, Refusal

T = TypeVar("T")


class WaitingLine:
    """Lets users work one after another, in the order they came, while not too many wait."""

    def __init__(self, most: int, again: int) -> None:
        """Let ``most`` work or wait at once; others are told to ask again in ``again`` ms."""
        self._most = most
        self._again = again
        self._here = 0
        self._users: set[str] = set()
        self._lock = asyncio.Lock()

    def require_room(self, user: str | None = None) -> None:
        """Raise :class:`Refusal` (``rate-limited``) where no place is left, or this user has one already."""
        if self._here >= self._most or user in self._users:
            raise Refusal(Problem.RATE_LIMITED, retry_after=self._again)

    @asynccontextmanager
    async def turn(self, user: str | None = None) -> AsyncIterator[None]:
        """Wait for a turn, and have it. Raises :class:`Refusal` (``rate-limited``)."""
        self.require_room(user)
        self._here += 1
        if user is not None:
            self._users.add(user)
        try:
            async with self._lock:
                yield
        finally:
            self._here -= 1
            if user is not None:
                self._users.discard(user)


class SizedCache(Generic[T]):
    """A cache of the values used last, up to a number of bytes."""

    def __init__(self, most: int) -> None:
        """Hold at most ``most`` bytes."""
        self._most = most
        self._size = 0
        self._values: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()

    def get(self, key: Hashable) -> T | None:
        """Return a cached value, or ``None``."""
        found = self._values.get(key)
        if found is None:
            return None
        self._values.move_to_end(key)
        return found[0]

    def put(self, key: Hashable, value: T, size: int) -> None:
        """Cache a value of this size, and drop those used longest ago; one that is too large is left out."""
        if size > self._most or key in self._values:
            return
        self._values[key] = (value, size)
        self._size += size
        while self._size > self._most:
            _, (_, gone) = self._values.popitem(last=False)
            self._size -= gone

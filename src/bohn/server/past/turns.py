"""Turns: one works at a time, a few wait, the others are told to come back; and what work leaves behind."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

from bohn.server.refusals import Problem, Refusal

T = TypeVar("T")


class Turns:
    """A turn for everybody who has come, in that order, as long as there are not too many."""

    def __init__(self, most: int, again: int) -> None:
        """Let ``most`` be here at once; whoever finds no place may ask again in ``again`` ms."""
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


class Shelf(Generic[T]):
    """What was asked for last, up to so many bytes of it."""

    def __init__(self, most: int) -> None:
        """Keep ``most`` bytes."""
        self._most = most
        self._size = 0
        self._kept: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()

    def get(self, key: Hashable) -> T | None:
        """Return what was kept, if it still is."""
        found = self._kept.get(key)
        if found is None:
            return None
        self._kept.move_to_end(key)
        return found[0]

    def put(self, key: Hashable, value: T, size: int) -> None:
        """Keep a value of this size, and let go what was asked for longest ago; one too large is not kept."""
        if size > self._most or key in self._kept:
            return
        self._kept[key] = (value, size)
        self._size += size
        while self._size > self._most:
            _, (_, gone) = self._kept.popitem(last=False)
            self._size -= gone

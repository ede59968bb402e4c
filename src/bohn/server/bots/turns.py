"""Whose question a process of bots is given next: addresses take turns, at each its tables.

So whoever opens many tables, and fills them with bots that think for long, makes nobody wait but himself.
A turn is a time to think, not a number of questions: who asks much that is soon answered gets all of it
answered in one. Each step takes the same time, however many wait.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

SLICE = 0.01
"""Seconds after which an address is given no further question in its turn: two or three usual decisions.

With five times as much, a table beside 200 busy ones of another address waited 1.2 s at most, not 0.65.
"""


class Rotation(Generic[T]):
    """What waits behind keys that take turns: the key that was served last comes behind all others.

    One that comes while another is served is therefore before it, and nobody waits for the same one twice.
    """

    def __init__(self, empty: Callable[[], T]) -> None:
        """Begin without keys; ``empty`` makes what waits behind a new one."""
        self._empty = empty
        self._keys: OrderedDict[str, T] = OrderedDict()
        self.last: str | None = None

    def __bool__(self) -> bool:
        return bool(self._keys)

    def behind(self, key: str) -> T:
        """Return what waits behind a key."""
        found = self._keys.get(key)
        if found is None:
            found = self._keys[key] = self._empty()
        return found

    def serve(self, *, again: bool = False) -> tuple[str, T]:
        """Return the next key, of which there must be one, and what waits behind it.

        ``again``: the last one keeps its turn, if anything waits behind it.
        """
        if self.last is not None and self.last in self._keys:
            if again:
                return self.last, self._keys[self.last]
            self._keys.move_to_end(self.last)
        self.last, waiting = next(iter(self._keys.items()))
        return self.last, waiting

    def drop(self, key: str) -> None:
        """Remove a key behind which nothing waits any more."""
        del self._keys[key]


Turn = asyncio.Future[None]


def _tables() -> Rotation[deque[Turn]]:
    return Rotation(deque)


class Turns:
    """One turn at a time. Who has it passes it on; who waits for it gets it as the rotation says."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with a turn that nobody has; ``clock`` gives seconds."""
        self._clock = clock
        self._taken = False
        self._began = 0.0
        self._addresses: Rotation[Rotation[deque[Turn]]] = Rotation(_tables)

    async def wait(self, address: str, table: str) -> None:
        """Wait for a turn, and have it. Raises what :meth:`fail` was given."""
        if not self._taken:
            self._taken = True
            self._addresses.last, self._began = address, self._clock()
            return
        turn: Turn = asyncio.get_running_loop().create_future()
        self._addresses.behind(address).behind(table).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self.pass_on()  # it came, and nobody is there any more to use it
            raise

    def pass_on(self) -> None:
        """Give the turn to who is next; whoever has stopped waiting is passed over."""
        while self._addresses:
            turn = self._take()
            if not turn.done():
                turn.set_result(None)
                return
        self._taken = False

    def fail(self, failure: Exception) -> None:
        """Let all fail who wait now."""
        while self._addresses:
            turn = self._take()
            if not turn.done():
                turn.set_exception(failure)

    def _take(self) -> Turn:
        now, last = self._clock(), self._addresses.last
        again = now - self._began < SLICE
        address, tables = self._addresses.serve(again=again)
        if not again or address != last:
            self._began = now
        table, waiting = tables.serve()
        turn = waiting.popleft()
        if not waiting:
            tables.drop(table)
        if not tables:
            self._addresses.drop(address)
        return turn

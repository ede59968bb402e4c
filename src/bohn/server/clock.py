"""The clock the server reads and waits by; tests put a clock in its place that they move themselves."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Protocol

A_MILLISECOND = 1_000_000
"""Nanoseconds of a millisecond."""

Nanoseconds = Callable[[], int]
"""A clock of the operating system."""


class TimeSource(Protocol):
    """The time of day, and waiting; both in ms."""

    def now(self) -> int:
        """Return the time in ms since 1970; it never runs backwards, whoever sets the system's clock."""
        ...

    async def sleep(self, milliseconds: float) -> None:
        """Wait for this long."""
        ...


def _steady_clock() -> Nanoseconds:
    """Return a clock that nobody can set, and that counts while the machine sleeps if there is such a one.

    On Linux the monotonic clock stands still meanwhile, and there is one beside it; on macOS it does not.
    """
    for name in ("CLOCK_BOOTTIME", "CLOCK_MONOTONIC"):
        number: int | None = getattr(time, name, None)
        if number is not None:
            return partial(time.clock_gettime_ns, number)
    return time.monotonic_ns


class SystemClock:
    """The one place where the server learns what time it is.

    The system's time of day is read once. From then on a clock counts that cannot be set: a step of the
    system's clock, of however many hours, is not noticed until the next start. The correction of a clock
    that runs a little fast or slow is followed. Suspending the machine makes time jump (where the system
    has a clock that counts it): :class:`bohn.server.tables.heartbeat.Heartbeat` gives that time back.
    """

    def __init__(
        self,
        last: int | None = None,
        longest: int = 0,
        *,
        system: Nanoseconds | None = None,
        steady: Nanoseconds | None = None,
    ) -> None:
        """Go on from ``last``, when a server was last alive: see :func:`believed`."""
        self._steady = steady or _steady_clock()
        today = (system or time.time_ns)() // A_MILLISECOND
        self._begun = self._steady() - believed(today, last, longest) * A_MILLISECOND

    def now(self) -> int:
        """Return the time in ms since 1970; it never runs backwards."""
        return (self._steady() - self._begun) // A_MILLISECOND

    async def sleep(self, milliseconds: float) -> None:
        """Wait for this long, by the event loop's own time."""
        await asyncio.sleep(milliseconds / 1000)


class DatabaseClock:
    """The database's time, which a worker follows: several workers have one time, whatever their systems say.

    Between two looks a clock counts that cannot be set. Each look tells between which bounds the database's
    time must lie, for it was read after the question and before the answer; a slow answer tells less and
    changes less. Time that turns out to be ahead stands still until the database has come so far.
    """

    def __init__(self, ask: Callable[[], Awaitable[int]], *, steady: Nanoseconds | None = None) -> None:
        """Follow what ``ask`` returns, in ms since 1970; :meth:`look` comes first."""
        self._ask = ask
        self._steady = steady or _steady_clock()
        self._ahead: int | None = None  # nanoseconds by which the database is ahead of the steady clock
        self._last = 0

    def now(self) -> int:
        """Return the time in ms since 1970; it never runs backwards."""
        self._last = max(self._last, (self._steady() + (self._ahead or 0)) // A_MILLISECOND)
        return self._last

    async def look(self) -> None:
        """Ask for the database's time; raises what ``ask`` does."""
        asked = self._steady()
        time_there = await self._ask() * A_MILLISECOND
        least, most = time_there - self._steady(), time_there - asked
        self._ahead = least if self._ahead is None else min(max(self._ahead, least), most)

    async def sleep(self, milliseconds: float) -> None:
        """Wait for this long, by the event loop's own time."""
        await asyncio.sleep(milliseconds / 1000)


def believed(today: int, last: int | None, longest: int) -> int:
    """Return the time at which a server starts; the system says ``today``, the last beat ``last`` (in ms).

    A clock that was set back is not followed: time goes on from ``last``. One that tells of more than
    ``longest`` without a server is followed so far and no further, so that a clock a year ahead does not
    end all that holds for a year.
    """
    return today if last is None else min(max(today, last), last + longest)

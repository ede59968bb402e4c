"""The clock the server reads and waits by; tests put a clock in its place that they move themselves."""

from __future__ import annotations

import asyncio
import time
from typing import Protocol


class TimeSource(Protocol):
    """The time of day, and waiting; both in ms."""

    def now(self) -> int:
        """Return the time in ms since 1970; it may step, so nothing that waits relies on it."""
        ...

    async def sleep(self, milliseconds: float) -> None:
        """Wait for this long."""
        ...


class SystemClock:
    """The clock of the operating system."""

    def now(self) -> int:
        """Return the time in ms since 1970; it may step, so :meth:`sleep` never uses it."""
        return time.time_ns() // 1_000_000

    async def sleep(self, milliseconds: float) -> None:
        """Wait for this long, by the event loop's own time."""
        await asyncio.sleep(milliseconds / 1000)

"""What the server has from outside: the time, chance, and waiting; tests put others in its place."""

from __future__ import annotations

import asyncio
import secrets
import time
from typing import Protocol


class Ambient(Protocol):
    """Time in ms since 1970, unguessable bytes, and waiting in ms."""

    def now(self) -> int:
        """Return the time in ms since 1970."""
        ...

    def token(self, size: int) -> bytes:
        """Return so many unguessable bytes."""
        ...

    async def sleep(self, milliseconds: float) -> None:
        """Wait."""
        ...


class World:
    """The real one."""

    def now(self) -> int:
        """Return the time in ms since 1970; it may step, so waiting never uses it."""
        return time.time_ns() // 1_000_000

    def token(self, size: int) -> bytes:
        """Return so many bytes from the system's generator."""
        return secrets.token_bytes(size)

    async def sleep(self, milliseconds: float) -> None:
        """Wait."""
        await asyncio.sleep(milliseconds / 1000)

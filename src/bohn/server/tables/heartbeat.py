"""The heartbeat in the store: from it a later process knows how long no server ran."""

from __future__ import annotations

from bohn.server.clock import TimeSource
from bohn.server.entropy import Entropy
from bohn.server.store.protocol import Store


class Heartbeat:
    """Writes, under a name of this process's own, when it was last alive."""

    def __init__(self, store: Store, clock: TimeSource, entropy: Entropy) -> None:
        """Beat in this store."""
        self._store = store
        self._clock = clock
        self._entropy = entropy
        self._worker = ""

    async def start(self, now: int) -> None:
        """Choose a name, and write the first beat."""
        self._worker = self._entropy.token_bytes(8).hex()
        await self._store.beat(self._worker, now)

    async def beat(self) -> None:
        """Write that this process is alive."""
        await self._store.beat(self._worker, self._clock.now())

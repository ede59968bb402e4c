"""Every open socket and stream of this process: how many there may be, and how they end."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from bohn.server.ambient import Ambient
from bohn.server.buckets import group
from bohn.server.refusals import Problem, Refusal
from bohn.server.settings import Limits
from bohn.server.tables.api import CutReason
from bohn.server.wire.frames import Goodbye

RETRY: dict[CutReason, tuple[int, int]] = {
    "server-stopping": (500, 2_500),
    "too-slow": (1_000, 1_000),
    "rate-limited": (5_000, 5_000),
    "not-saved": (1_000, 4_000),
    "seat-left": (0, 0),
    "signed-out": (0, 0),
    "look-again": (0, 500),
}
"""After a cut: come back in so many ms, and up to so many more, so that not all come at once."""


class Connection(ABC):
    """One open stream of frames to a client."""

    __slots__ = ("address", "session")

    def __init__(self, address: str, session: str | None) -> None:
        """Note where it comes from, and by which cookie or token (its digest)."""
        self.address = address
        self.session = session

    @abstractmethod
    def cut(self, reason: CutReason) -> None:
        """End: say goodbye if possible, then close."""

    @abstractmethod
    def abort(self) -> None:
        """End at once, whatever is still to be sent."""


class Connections:
    """All connections; a new one is refused when there are too many."""

    def __init__(self, limits: Limits, ambient: Ambient) -> None:
        """Begin without any."""
        self._limits = limits
        self._ambient = ambient
        self._open: set[Connection] = set()
        self._by_address: Counter[str] = Counter()
        self._stopping = False
        self._none: asyncio.Event | None = None

    def __len__(self) -> int:
        return len(self._open)

    @property
    def stopping(self) -> bool:
        """Whether nobody may come any more."""
        return self._stopping

    def admit(self, address: str) -> None:
        """Raise :class:`Refusal` if there is no room for one more from this address."""
        if self._stopping:
            raise Refusal(Problem.SERVER_STOPPING)
        here = self._by_address[group(address)]
        if len(self._open) >= self._limits.sockets or here >= self._limits.sockets_an_address:
            raise Refusal(Problem.SERVER_FULL, retry_after=10_000)

    @contextmanager
    def holding(self, connection: Connection) -> Iterator[None]:
        """Count a connection, which was admitted, for as long as it is open."""
        place = group(connection.address)
        self._open.add(connection)
        self._by_address[place] += 1
        try:
            yield
        finally:
            self._open.discard(connection)
            if self._none is not None and not self._open:
                self._none.set()
            self._by_address[place] -= 1
            if not self._by_address[place]:
                del self._by_address[place]

    def goodbye(self, reason: CutReason) -> Goodbye:
        """Return the last frame of a stream."""
        least, spread = RETRY[reason]
        more = int.from_bytes(self._ambient.token(4)) % (spread + 1) if spread else 0
        return Goodbye(reason, least + more)

    def sign_out(self, session: str) -> None:
        """Cut everything that was opened with this cookie or token (its digest)."""
        for connection in tuple(self._open):
            if connection.session == session:
                connection.cut("signed-out")

    async def stop(self, seconds: float) -> None:
        """Say goodbye to all, let them finish what is in flight, and drop who does not go."""
        self._stopping = True
        for connection in tuple(self._open):
            connection.cut("server-stopping")
        if self._open:
            self._none = asyncio.Event()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._none.wait(), seconds)
        for connection in tuple(self._open):
            connection.abort()

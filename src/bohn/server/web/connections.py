"""All open WebSockets and line streams of this process: their limits, and how they are closed."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from bohn.protocol.frames import Goodbye
from bohn.protocol.refusals import Problem, Refusal
from bohn.server.buckets import group
from bohn.server.entropy import Entropy
from bohn.server.people.service import Identity
from bohn.server.settings import Limits
from bohn.server.tables.api import CutReason

RETRY_MS: dict[CutReason, tuple[int, int]] = {
    "server-stopping": (300, 2_500),
    "too-slow": (1_000, 1_000),
    "rate-limited": (5_000, 5_000),
    "not-saved": (1_000, 4_000),
    "seat-left": (0, 0),
    "signed-out": (0, 0),
    "look-again": (0, 500),
}
"""When a client that was cut may reconnect: the least ms, and the most ms added by chance.

The random part spreads the reconnections, so that not all come at once.
"""

MS_A_RETURN = 2
"""Ms added by chance for each connection of a stopping server, at most those above: few come back at once."""


def session_and_users(identity: Identity | None) -> tuple[str | None, tuple[str | None, ...]]:
    """Return by which cookie or token (its digest) somebody comes, and who he and his maker are."""
    if identity is None:
        return None, ()
    return identity.session.digest, (identity.user.id, identity.user.maker)


class Connection(ABC):
    """One open stream of frames to a client."""

    __slots__ = ("address", "session", "users")

    def __init__(self, address: str, session: str | None, users: tuple[str | None, ...] = ()) -> None:
        """Note the client's address, and the digest of the cookie or token that opened it.

        ``users`` are the user and, for a program, who has made it.
        """
        self.address = address
        self.session = session
        self.users = users

    @abstractmethod
    def push(self, frame: bytes) -> None:
        """Queue one encoded frame; a client that is too slow is cut."""

    @abstractmethod
    def expel(self, frame: bytes) -> None:
        """Send a last frame, and close."""

    @abstractmethod
    def cut(self, reason: CutReason) -> None:
        """Send a ``goodbye`` frame if possible, then close."""

    @abstractmethod
    def abort(self) -> None:
        """Drop the connection at once, with whatever is still to be sent."""


class Connections:
    """All connections; a new one is refused when there are too many."""

    def __init__(self, limits: Limits, entropy: Entropy) -> None:
        """Begin without any."""
        self._limits = limits
        self._entropy = entropy
        self._open: set[Connection] = set()
        self._by_address: Counter[str] = Counter()
        self._stopping = False
        self._leaving = 0
        self._all_closed: asyncio.Event | None = None

    def __len__(self) -> int:
        return len(self._open)

    @property
    def stopping(self) -> bool:
        """Whether the server is stopping and takes no new connection."""
        return self._stopping

    def admit(self, address: str) -> None:
        """Raise :class:`Refusal` if there is no room for one more from this address."""
        if self._stopping:
            raise Refusal(Problem.SERVER_STOPPING)
        here = self._by_address[group(address)]
        if len(self._open) >= self._limits.sockets or here >= self._limits.sockets_an_address:
            raise Refusal(Problem.SERVER_FULL, retry_after=10_000)

    @contextmanager
    def counted(self, connection: Connection) -> Iterator[None]:
        """Count an admitted connection while the ``with`` block runs."""
        place = group(connection.address)
        self._open.add(connection)
        self._by_address[place] += 1
        try:
            yield
        finally:
            self._open.discard(connection)
            if self._all_closed is not None and not self._open:
                self._all_closed.set()
            self._by_address[place] -= 1
            if not self._by_address[place]:
                del self._by_address[place]

    def goodbye(self, reason: CutReason) -> Goodbye:
        """Return the last frame of a stream, with the time of the next attempt."""
        least, spread = RETRY_MS[reason]
        if reason == "server-stopping":
            spread = min(spread, self._leaving * MS_A_RETURN)
        more = int.from_bytes(self._entropy.token_bytes(4)) % (spread + 1) if spread else 0
        return Goodbye(reason, least + more)

    def open(self) -> tuple[Connection, ...]:
        """Return all connections."""
        return tuple(self._open)

    def limit(self, limits: Limits) -> None:
        """Let other limits hold for connections that come from now on."""
        self._limits = limits

    def sign_out(self, session: str) -> None:
        """Cut everything that was opened with this cookie or token (its digest)."""
        for connection in tuple(self._open):
            if connection.session == session:
                connection.cut("signed-out")

    async def stop(self, seconds: float) -> None:
        """Cut all connections, wait for them to close, and drop those that are still open then."""
        self._stopping = True
        self._leaving = len(self._open)
        for connection in tuple(self._open):
            connection.cut("server-stopping")
        if self._open:
            self._all_closed = asyncio.Event()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._all_closed.wait(), seconds)
        for connection in tuple(self._open):
            connection.abort()

"""What a store offers when several processes, the workers, serve its tables together.

Tables fall into buckets. What the server itself does at a table (clocks, bots, hosts that are away) is done
by the worker that holds the lease of the table's bucket. Each taking of a lease raises the bucket's epoch;
what a worker writes for the server carries the epoch that it knows, and is refused once that is stale. So a
worker that stood still longer than its lease writes nothing. All times are those of the database.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from hashlib import sha256
from typing import Protocol, TypeGuard, runtime_checkable

from msgspec import Struct

from bohn.notation.records import Cause
from bohn.rules.commands import AcceptOffer
from bohn.server.store.formats import FIRST, NEWEST
from bohn.server.store.protocol import DueTimer, Store

BUCKETS = 256
"""Into how many buckets the tables fall."""

LONGEST_RING = 7_000
"""Bytes of what rings at once; PostgreSQL takes a little less than 8,000."""


def bucket_of(table: str) -> int:
    """Return the bucket of a table: the first byte of the SHA-256 of its id."""
    return sha256(table.encode()).digest()[0]


class Renewal(Struct, frozen=True, gc=False):
    """What came of a renewal: the database's time, and the epoch of every bucket that is held now.

    ``until`` is when these leases end. In ``taken`` are the buckets that were not held before; ``credited``
    are those of them whose clocks were put off, because nobody had served them for a while. ``formats`` is
    the least that any registered worker knows (:mod:`bohn.server.store.formats`). ``free`` is when the first
    lease of another worker ends if it is not renewed; ``None`` where there are no others.
    """

    now: int
    until: int
    epochs: dict[int, int]
    taken: frozenset[int] = frozenset()
    credited: frozenset[int] = frozenset()
    formats: int = FIRST
    free: int | None = None


class Taking(Struct, frozen=True, gc=False):
    """One taking of a lease, from the history that is kept: which worker, from when on (ms)."""

    bucket: int
    epoch: int
    worker: str
    at: int


class Present(Struct, frozen=True, gc=False):
    """Somebody at a table as one worker sees him: ``user`` is empty for strangers, counted in ``count``.

    ``sign`` is what he has told the others in the trading of a ``turn`` (``composing``, ``enough`` or empty);
    that he composes holds until ``until``.
    """

    table: str
    worker: str
    user: str
    name: str = ""
    count: int = 1
    sign: str = ""
    until: int = 0
    turn: int = 0


class Acceptance(Struct, frozen=True, gc=False):
    """An acceptance that waits with others for the same ``offer``; ``at`` is since when (ms).

    ``actor``, ``command_id``, ``cause`` and ``user`` are those of the command.
    """

    table: str
    actor: str
    command_id: str
    cause: Cause
    user: str | None
    offer: int
    command: AcceptOffer
    at: int = 0


class Notice(Struct, frozen=True, gc=False):
    """What one worker tells all others: ``body`` is JSON, and ``table`` empty if it concerns no table."""

    id: int
    worker: str
    table: str
    at: int
    body: bytes


@runtime_checkable
class SharedStore(Store, Protocol):
    """A store for several workers. Every method raises :class:`StoreUnavailable`."""

    async def time(self) -> int:
        """Return the database's time, in ms since 1970."""
        ...

    async def renew(self, worker: str, label: str, length: int, least: int, formats: int = NEWEST) -> Renewal:
        """Renew this worker's leases for ``length`` ms, take free ones up to its share, and give up more.

        Timers and invitations of a taken bucket are put off by the time in which nobody had it, if that is
        more than ``least`` ms. ``label`` is the worker's name for people, ``formats`` what its program knows.
        """
        ...

    async def leave(self, worker: str) -> None:
        """Give up all leases, and everybody who was present by this worker."""
        ...

    async def workers(self) -> dict[str, str]:
        """Return the workers that are alive, with their names for people."""
        ...

    async def epochs(self) -> dict[int, int]:
        """Return the epoch of every bucket, whoever holds its lease, if anybody does."""
        ...

    async def takings(self) -> tuple[Taking, ...]:
        """Return every taking of a lease, by bucket and epoch."""
        ...

    async def due_in(self, now: int, buckets: tuple[int, ...], limit: int = 200) -> tuple[DueTimer, ...]:
        """Return the timers of these buckets due by ``now``, earliest first."""
        ...

    async def show_present(self, present: Present) -> None:
        """Note who is present by a worker; a ``count`` of 0 ends it."""
        ...

    async def present_at(self, tables: tuple[str, ...]) -> tuple[Present, ...]:
        """Return who is present at these tables by any worker that is alive."""
        ...

    async def attended(self, buckets: tuple[int, ...]) -> tuple[str, ...]:
        """Return the tables of these buckets at which anybody is present."""
        ...

    async def gather(self, acceptance: Acceptance) -> Acceptance:
        """Let an acceptance wait, unless one of its actor and id does; return the one that waits."""
        ...

    async def gathered_at(self, table: str) -> tuple[Acceptance, ...]:
        """Return the acceptances that wait at a table, in the order in which they came."""
        ...

    async def gathering_in(self, buckets: tuple[int, ...]) -> tuple[str, ...]:
        """Return the tables of these buckets at which any acceptance waits."""
        ...

    async def take_back(self, table: str, actor: str, command_id: str, epoch: int | None = None) -> bool:
        """Let an acceptance wait no more, and tell whether it did; nothing is done for a stale ``epoch``."""
        ...

    def one_by_one(self, key: str) -> AbstractAsyncContextManager[None]:
        """Keep all others out that come with the same key, by whichever worker."""
        ...

    async def notify(self, worker: str, table: str, body: bytes) -> None:
        """Tell all other workers something, and ring."""
        ...

    async def notices(self, worker: str, since: int) -> tuple[Notice, ...]:
        """Return what other workers have told since a time (ms), oldest first; it is kept for a minute."""
        ...

    async def ring(self, text: str) -> None:
        """Let all workers that listen hear a text of at most :data:`LONGEST_RING` bytes, soon."""
        ...

    async def listen(self, heard: Callable[[str | None], None]) -> None:
        """Call ``heard`` with every ring until this is cancelled; with ``None`` when some may be missed."""
        ...


def is_shared(store: Store) -> TypeGuard[SharedStore]:
    """Tell whether several workers may serve a store."""
    return isinstance(store, SharedStore)

"""Who does at a table what the server itself does: this worker, or another one that shares its store.

People's commands need no owner: any worker writes them. Clocks, bots, hosts that are away and so on are the
business of the worker that holds the lease of the table's bucket (:mod:`bohn.server.store.shared`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import structlog
from msgspec import Struct

from bohn.server.clock import TimeSource
from bohn.server.settings import Settings
from bohn.server.store.formats import FIRST
from bohn.server.store.protocol import DueTimer, Store
from bohn.server.store.shared import Renewal, SharedStore, bucket_of

LOG = structlog.get_logger("bohn.timing")


class Ownership(Protocol):
    """What this worker knows of the leases."""

    def serves(self, table: str) -> bool:
        """Tell whether this worker does what the server itself does at a table."""
        ...

    def epoch(self, table: str) -> int | None:
        """Return the epoch of a table's bucket as it is known here; ``None`` where there are no leases."""
        ...

    def since(self, table: str) -> int:
        """Return since when (ms since 1970) this worker has served a table."""
        ...

    def writes(self, number: int) -> bool:
        """Tell whether all workers know the rows up to a number (:mod:`bohn.server.store.formats`)."""
        ...

    async def refresh(self) -> None:
        """Read the epochs anew: one was stale. Raises :class:`StoreUnavailable`."""
        ...

    async def due(self, now: int, limit: int) -> tuple[DueTimer, ...]:
        """Return the timers due by ``now`` at the tables that are served here; see the store."""
        ...


class Alone:
    """One process has all tables."""

    def __init__(self, store: Store) -> None:
        """Find timers in this store."""
        self._store = store

    def serves(self, table: str) -> bool:
        """Tell that this process serves every table."""
        del table
        return True

    def epoch(self, table: str) -> int | None:
        """Return that there is none."""
        del table
        return None

    def since(self, table: str) -> int:
        """Return that it was always so."""
        del table
        return 0

    def writes(self, number: int) -> bool:
        """Tell that nobody else reads what this process writes."""
        del number
        return True

    async def refresh(self) -> None:
        """Do nothing: nobody else takes a lease."""

    async def due(self, now: int, limit: int) -> tuple[DueTimer, ...]:
        """Return the timers due by ``now``, earliest first."""
        return await self._store.due(now, limit)


class Change(Struct, frozen=True, gc=False):
    """What a renewal has changed: the buckets that are this worker's no more, and those it has taken.

    Those count as taken, too, that it has held all the time but took for ended: it has acted at none of them.
    """

    lost: frozenset[int]
    taken: frozenset[int]


class Leases:
    """The leases of this worker, with their epochs; a lease counts only while it surely lives.

    It surely lives for its length from the moment at which its renewal was sent: the database has written it
    later than that. So this worker lets go of a lease before anybody can take it.
    """

    def __init__(self, store: SharedStore, now: Callable[[], int]) -> None:
        """Begin with none."""
        self._store = store
        self._now = now
        self._held: dict[int, int] = {}
        self._since: dict[int, int] = {}
        self._known: dict[int, int] = {}
        self._until = 0
        self._formats = FIRST

    def __len__(self) -> int:
        """Return how many buckets are this worker's."""
        return len(self.buckets)

    @property
    def buckets(self) -> tuple[int, ...]:
        """The buckets that are this worker's now."""
        if self._now() >= self._until:
            return ()
        return tuple(bucket for bucket, epoch in self._held.items() if self._known[bucket] == epoch)

    def serves(self, table: str) -> bool:
        """Tell whether the lease of a table's bucket is this worker's."""
        bucket = bucket_of(table)
        epoch = self._held.get(bucket)
        return epoch is not None and self._known[bucket] == epoch and self._now() < self._until

    def epoch(self, table: str) -> int | None:
        """Return the epoch of a table's bucket; a stale one is found out by the store."""
        return self._known.get(bucket_of(table), 0)

    def since(self, table: str) -> int:
        """Return since when this worker has had the lease of a table's bucket."""
        return self._since.get(bucket_of(table), self._now())

    def writes(self, number: int) -> bool:
        """Tell whether every registered worker knows the kinds of rows up to a number."""
        return number <= self._formats

    async def refresh(self) -> None:
        """Read the epochs of all buckets: another worker may have taken some."""
        for bucket, epoch in (await self._store.epochs()).items():
            self._known[bucket] = max(epoch, self._known.get(bucket, 0))

    async def due(self, now: int, limit: int) -> tuple[DueTimer, ...]:
        """Return the timers due by ``now`` at the tables that are served here, earliest first."""
        buckets = self.buckets
        return await self._store.due_in(now, buckets, limit) if buckets else ()

    def renewed(self, sent: int, renewal: Renewal) -> Change:
        """Take in a renewal that was sent at ``sent`` (ms, by this worker's clock)."""
        before, after = self._held.keys(), renewal.epochs.keys()
        taken = frozenset(bucket for bucket in after if self._held.get(bucket) != renewal.epochs[bucket])
        late = self._now() >= self._until  # those that were renewed in time, it took for ended
        change = Change(frozenset(before - after), frozenset(after) if late else taken)
        self._since = {bucket: self._since.get(bucket, sent) for bucket in after - taken} | dict.fromkeys(
            taken, sent
        )
        self._held = dict(renewal.epochs)
        for bucket, epoch in self._held.items():
            self._known[bucket] = max(epoch, self._known.get(bucket, 0))
        self._until = sent + renewal.until - renewal.now
        self._formats = renewal.formats
        return change

    def give_up(self) -> None:
        """Hold nothing any more."""
        self._held = {}


class LeaseHeartbeat:
    """Renews this worker's leases; ``changed`` is called with what a renewal has changed.

    Time in which nobody served a bucket is given back by the worker that takes it, in the same statement;
    what this worker knows of its tables' clocks is found to be of an old epoch.
    """

    def __init__(
        self,
        store: SharedStore,
        leases: Leases,
        clock: TimeSource,
        settings: Settings,
        worker: str,
        changed: Callable[[Change], None],
    ) -> None:
        """Renew the leases of this worker, once it is started."""
        self._store = store
        self._leases = leases
        self._clock = clock
        self._length = settings.times.lease
        self._least = 2 * settings.times.beat
        self._label = settings.worker
        self._worker = worker
        self._changed = changed
        self._free: int | None = None
        self.left = False

    async def start(self) -> None:
        """Take the first leases, and learn the epochs of all."""
        await self._leases.refresh()
        await self.beat()

    @property
    def interrupted(self) -> bool:
        """Whether time is not credited yet: whoever takes a bucket credits it with that, or nobody has to."""
        return False

    @property
    def late(self) -> bool:
        """Whether time must be credited first: what is written in an old epoch is refused anyway."""
        return False

    @property
    def wanted(self) -> bool:
        """Whether to beat even without tables: leases end that are not renewed."""
        return True

    @property
    def early(self) -> bool:
        """Whether to renew now: the lease of another worker must have ended, unless he has renewed it."""
        return self._free is not None and self._clock.now() > self._free

    @property
    def credits(self) -> int:
        """How often all clocks were credited here: never, it is done for each bucket that is taken."""
        return 0

    def looked(self, now: int) -> None:
        """Note nothing: a lease that lives says that players are served."""

    def interrupt(self) -> None:
        """Note nothing: a lease that is not renewed ends by itself."""

    async def beat(self) -> None:
        """Renew, take what is free, and give up what is more than this worker's share."""
        if self.left:
            return
        self._free = None
        sent = self._clock.now()
        await self._take_in(
            sent, await self._store.renew(self._worker, self._label, self._length, self._least)
        )

    async def _take_in(self, sent: int, renewal: Renewal) -> None:
        if self.left:  # it was on its way meanwhile
            await self._store.leave(self._worker)
            return
        change = self._leases.renewed(sent, renewal)
        self._free = renewal.free
        if renewal.credited:
            LOG.info("clocks-credited", count=len(renewal.credited))
        if change.lost or change.taken:
            LOG.info("leases-changed", count=len(self._leases))
            self._changed(change)

    async def leave(self) -> None:
        """Give up all leases at once, and for good: this worker stops."""
        self.left = True
        self._leases.give_up()
        await self._store.leave(self._worker)

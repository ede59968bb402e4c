"""A store in memory that several workers of one test share: the contract of sharing, with a clock to move."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count

from msgspec.structs import replace

from bohn.server.store.formats import NEWEST
from bohn.server.store.protocol import Append, DueTimer
from bohn.server.store.shared import BUCKETS, Acceptance, Notice, Present, Renewal, Taking, bucket_of
from tests.server.support.memory_store import Backing, MemoryStore

KEPT = 60_000
"""Ms for which a notice is kept."""


class Lease:
    """Who holds a bucket, until when, and when that was last renewed."""

    def __init__(self) -> None:
        self.worker = ""
        self.epoch = 0
        self.until = 0
        self.renewed = 0


class SharedBacking(Backing):
    """The data of several workers; ``now`` is their time, in ms."""

    def __init__(self, now: Callable[[], int] | None = None) -> None:
        super().__init__()
        self.now = now or (lambda: time.time_ns() // 1_000_000)
        self.leases = [Lease() for _ in range(BUCKETS)]
        self.takings: list[Taking] = []
        self.workers: dict[str, tuple[str, int, int]] = {}
        self.waiting: dict[tuple[str, str, str], Acceptance] = {}
        self.presence: dict[tuple[str, str, str], Present] = {}
        self.told: list[Notice] = []
        self.counting: dict[str, asyncio.Lock] = {}
        self.listeners: set[Callable[[str | None], None]] = set()
        self.ids = count(1)
        for lease in self.leases:
            lease.renewed = self.now()


class SharedMemoryStore(MemoryStore):
    """A store over a :class:`SharedBacking`; ``deaf`` cuts the bell off."""

    def __init__(self, shared: SharedBacking, *, deaf: bool = False) -> None:
        super().__init__(shared)
        self._shared = shared
        self._deaf = deaf

    def _stale(self, append: Append) -> bool:
        bucket = bucket_of(append.row.table)
        return append.epoch is not None and append.epoch != self._shared.leases[bucket].epoch

    def _attended(self, table: str) -> bool:
        return any(present.table == table for present in self._shared.presence.values())

    def _waits(self, append: Append) -> bool:
        row = append.row
        return not append.gathered or (row.table, row.actor, row.command_id) in self._shared.waiting

    def _decided(self, append: Append) -> None:
        row = append.row
        if append.gathered:
            del self._shared.waiting[row.table, row.actor, row.command_id]

    async def time(self) -> int:
        """Return the time of all workers."""
        await self._ready()
        return self._shared.now()

    async def renew(self, worker: str, label: str, length: int, least: int, formats: int = NEWEST) -> Renewal:
        """Renew this worker's leases, take free ones up to its share, and give up more."""
        await self._ready()
        data, now = self._shared, self._shared.now()
        data.workers[worker] = (label, now + length, formats)
        alive = sum(until >= now for _, until, _ in data.workers.values())
        known = min(knows for _, until, knows in data.workers.values() if until >= now - length)
        most = math.ceil(BUCKETS / alive)
        held = [b for b, lease in enumerate(data.leases) if lease.worker == worker and lease.until >= now]
        for bucket in held[:most]:
            data.leases[bucket].until, data.leases[bucket].renewed = now + length, now
        for bucket in held[most:]:
            self._free(data.leases[bucket])
        free = [b for b, lease in enumerate(data.leases) if lease.until < now and b not in held]
        taken = free[: max(0, most - len(held))]
        credited = frozenset(bucket for bucket in taken if self._take(bucket, worker, now, length, least))
        epochs = {bucket: data.leases[bucket].epoch for bucket in (*held[:most], *taken)}
        others = [lease.until for lease in data.leases if lease.worker != worker and lease.until >= now]
        return Renewal(
            now, now + length, epochs, frozenset(taken), credited, known, min(others, default=None)
        )

    def _free(self, lease: Lease) -> None:
        lease.worker, lease.until, lease.renewed = "", 0, self._shared.now()

    def _take(self, bucket: int, worker: str, now: int, length: int, least: int) -> bool:
        """Take a bucket; put its clocks off by the time in which nobody had it, and tell if that was much."""
        data, lease = self._shared, self._shared.leases[bucket]
        unserved, lease.renewed = now - lease.renewed, now
        lease.worker, lease.epoch, lease.until = worker, lease.epoch + 1, now + length
        data.takings.append(Taking(bucket, lease.epoch, worker, now))
        if unserved <= least:
            return False
        for table, timers in data.timers.items():
            if bucket_of(table) == bucket:
                for key, timer in timers.items():
                    if timer.due is not None:
                        timers[key] = replace(timer, due=timer.due + unserved)
        for name, link in data.links.items():
            if link.table is not None and bucket_of(link.table) == bucket and link.expires > now - unserved:
                data.links[name] = replace(link, expires=link.expires + unserved)
        return True

    async def leave(self, worker: str) -> None:
        """Give up all leases, and everybody who was present by this worker."""
        await self._ready()
        data = self._shared
        data.workers.pop(worker, None)
        data.presence = {key: one for key, one in data.presence.items() if one.worker != worker}
        for lease in data.leases:
            if lease.worker == worker:
                self._free(lease)

    async def present_among(self, users: tuple[str, ...]) -> frozenset[str]:
        """Return those of these users who are present at a table by any worker."""
        await self._ready()
        return frozenset(one.user for one in self._shared.presence.values()) & set(users)

    async def workers(self) -> dict[str, str]:
        """Return the workers that are alive, with their names for people."""
        await self._ready()
        now = self._shared.now()
        return {worker: label for worker, (label, until, _) in self._shared.workers.items() if until >= now}

    async def epochs(self) -> dict[int, int]:
        """Return the epoch of every bucket."""
        await self._ready()
        return {bucket: lease.epoch for bucket, lease in enumerate(self._shared.leases)}

    async def takings(self) -> tuple[Taking, ...]:
        """Return every taking of a lease, by bucket and epoch."""
        await self._ready()
        return tuple(sorted(self._shared.takings, key=lambda one: (one.bucket, one.epoch)))

    async def drop_history(self, by: int, limit: int = 1_000) -> int:
        """Delete takings of leases, too."""
        beats = await super().drop_history(by, limit)
        data = self._shared
        old = [one for one in data.takings if one.at <= by][:limit]
        data.takings = [one for one in data.takings if one not in old]
        return beats + len(old)

    async def due_in(self, now: int, buckets: tuple[int, ...], limit: int = 200) -> tuple[DueTimer, ...]:
        """Return the timers of these buckets due by ``now``, earliest first."""
        found = await self.due(now, 1_000_000)
        return tuple(timer for timer in found if bucket_of(timer.table) in buckets)[:limit]

    async def show_present(self, present: Present) -> None:
        """Note who is present by a worker; a ``count`` of 0 ends it."""
        await self._ready()
        key = (present.table, present.worker, present.user)
        self._shared.presence.pop(key, None)
        if present.count:
            self._shared.presence[key] = present

    async def present_at(self, tables: tuple[str, ...]) -> tuple[Present, ...]:
        """Return who is present at these tables by any worker that is alive."""
        alive = await self.workers()
        return tuple(
            one
            for key, one in sorted(self._shared.presence.items())
            if one.table in tables and one.worker in alive
        )

    async def attended(self, buckets: tuple[int, ...]) -> tuple[str, ...]:
        """Return the tables of these buckets at which anybody is present."""
        alive = await self.workers()
        tables = {one.table for one in self._shared.presence.values() if one.worker in alive}
        return tuple(sorted(table for table in tables if bucket_of(table) in buckets))

    async def gather(self, acceptance: Acceptance) -> Acceptance:
        """Let an acceptance wait, unless one of its actor and id does; return the one that waits."""
        await self._ready()
        key = (acceptance.table, acceptance.actor, acceptance.command_id)
        return self._shared.waiting.setdefault(key, replace(acceptance, at=self._shared.now()))

    async def gathered_at(self, table: str) -> tuple[Acceptance, ...]:
        """Return the acceptances that wait at a table, in the order in which they came."""
        await self._ready()
        return tuple(one for one in self._shared.waiting.values() if one.table == table)

    async def gathering_in(self, buckets: tuple[int, ...]) -> tuple[str, ...]:
        """Return the tables of these buckets at which any acceptance waits."""
        await self._ready()
        return tuple({one.table for one in self._shared.waiting.values() if bucket_of(one.table) in buckets})

    async def take_back(self, table: str, actor: str, command_id: str, epoch: int | None = None) -> bool:
        """Let an acceptance wait no more, and tell whether it did; nothing is done for a stale ``epoch``."""
        await self._ready()
        if epoch is not None and epoch != self._shared.leases[bucket_of(table)].epoch:
            return False
        return self._shared.waiting.pop((table, actor, command_id), None) is not None

    @asynccontextmanager
    async def one_by_one(self, key: str) -> AsyncIterator[None]:
        """Keep all others out that come with the same key."""
        async with self._shared.counting.setdefault(key, asyncio.Lock()):
            yield

    async def notify(self, worker: str, table: str, body: bytes) -> None:
        """Tell all other workers something, and ring."""
        await self._ready()
        data, now = self._shared, self._shared.now()
        data.told = [one for one in data.told if one.at >= now - KEPT]
        data.told.append(Notice(next(data.ids), worker, table, now, body))
        await self.ring(worker)

    async def notices(self, worker: str, since: int) -> tuple[Notice, ...]:
        """Return what other workers have told since a time (ms), oldest first."""
        await self._ready()
        return tuple(one for one in self._shared.told if one.at >= since and one.worker != worker)

    async def ring(self, text: str) -> None:
        """Let all workers that listen hear a text."""
        await self._ready()
        for heard in () if self._deaf else tuple(self._shared.listeners):
            heard(text)

    async def listen(self, heard: Callable[[str | None], None]) -> None:
        """Call ``heard`` with every ring until this is cancelled."""
        self._shared.listeners.add(heard)
        try:
            heard(None)
            await asyncio.get_running_loop().create_future()
        finally:
            self._shared.listeners.discard(heard)

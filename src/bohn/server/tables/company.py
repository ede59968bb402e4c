"""The other workers that share the store: what they commit and tell, and who is present by them.

A bell says at once that something is new: the tables in question, or that there are notices. It may be lost
and nobody minds, for a sweep reads each second whatever there is to read.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable, Mapping
from typing import NamedTuple, Protocol

import structlog

from bohn.protocol.refusals import Refusal
from bohn.server.settings import Settings
from bohn.server.store.protocol import StoreUnavailable
from bohn.server.store.shared import LONGEST_RING, Present, SharedStore
from bohn.server.tables.background import Background
from bohn.server.tables.leases import Leases
from bohn.server.tables.loaded import LoadedTable
from bohn.server.tables.loading import LoadedTables
from bohn.server.tables.notices import AnyNotice, Moved, decoded, encoded

LOG = structlog.get_logger("bohn.tables")

PRESENCE = "+"
"""Before a table in a ring: somebody has come or gone there."""

GATHERED = "?"
"""Before a table in a ring: what waits there of acceptances has changed."""

LEAVING = "!"
"""In a ring: the worker has given up its leases."""

LATE = 5_000
"""Ms within which a notice can be read, behind younger ones that were committed before it."""

UNTOLD = 10_000
"""Notices that wait while the database is lost; then the oldest are dropped."""


class Others(Protocol):
    """What is told to the other workers; nothing here waits."""

    def committed(self, loaded: LoadedTable) -> None:
        """A row was committed here."""
        ...

    def came_or_went(self, loaded: LoadedTable) -> None:
        """Somebody has begun or ceased to look at a table here, or to give a sign."""
        ...

    def tell(self, table: str, notice: AnyNotice) -> None:
        """Tell all others something; ``table`` is empty if it concerns none."""
        ...


class NoOthers:
    """There are no other workers."""

    def committed(self, loaded: LoadedTable) -> None:
        """Ignore."""

    def came_or_went(self, loaded: LoadedTable) -> None:
        """Ignore."""

    def tell(self, table: str, notice: AnyNotice) -> None:
        """Ignore."""


class Told(NamedTuple):
    """What the tables do with what comes from other workers."""

    catch_up: Callable[[LoadedTable], Awaitable[None]]
    """Reads and shows the rows that others have appended."""
    retime: Callable[[LoadedTable], Awaitable[None]]
    """Reads the clocks anew, which were put off."""
    present: Callable[[LoadedTable, tuple[Present, ...]], None]
    """Takes in who is present by other workers."""
    notice: Callable[[str, AnyNotice], None]
    """Takes in a notice of a table, which is empty if it concerns none."""
    renew: Callable[[], Coroutine[None, None, None]]
    """Renews the leases: some are free."""
    gathered: Callable[[str], None]
    """Looks at the acceptances that wait at a table."""
    gathering: Callable[[], Awaitable[None]]
    """Looks at the acceptances that wait at all tables of this worker."""


class Company:
    """Hears the other workers, and lets them hear this one."""

    def __init__(
        self,
        store: SharedStore,
        worker: str,
        leases: Leases,
        settings: Settings,
        now: Callable[[], int],
        background: Background,
        tables: LoadedTables,
        told: Told,
    ) -> None:
        """Go between these tables and the store, once it is started."""
        self._store = store
        self._worker = worker
        self._leases = leases
        self._sweep_every = settings.times.sweep
        self._now = now
        self._background = background
        self._tables = tables
        self._told = told
        self._ringing: dict[str, None] = {}
        self._untold: deque[tuple[str, bytes]] = deque()
        self._shown: dict[str, dict[str, Present]] = {}
        self._unshown: dict[str, None] = {}
        self._heard: OrderedDict[int, int] = OrderedDict()
        self._since = 0
        self._flushing = False
        self._catching_up: set[str] = set()

    async def start(self) -> None:
        """Begin to listen and to sweep; what was told before does not concern this worker."""
        self._since = self._now()
        for stored in await self._store.notices(self._worker, self._since - LATE):
            self._heard[stored.id] = stored.at
        self._background.spawn_until_shutdown(self._store.listen(self._hear))
        self._background.repeat(self._sweep_every, self.sweep)

    # -- what is told -----------------------------------------------------------------------------------

    def committed(self, loaded: LoadedTable) -> None:
        """Ring for a table; where nobody looks, its worker may not know that it is in use."""
        self._ringing[loaded.id] = None
        if not (loaded.watched or self._leases.serves(loaded.id)):
            self.tell(loaded.id, Moved())
        self._flush_soon()

    def came_or_went(self, loaded: LoadedTable) -> None:
        """Note who is present at a table by this worker, and what signs they give."""
        self._unshown[loaded.id] = None
        self._flush_soon()

    async def owners_at(self, tables: Mapping[str, Collection[str]]) -> dict[str, int]:
        """Return how many of these users of each table are present there by any worker."""
        present = await self._store.present_at(tuple(tables))
        seen = {(one.table, one.user) for one in present if one.user in tables[one.table]}
        return dict(Counter(table for table, _ in seen))

    def came(self, loaded: LoadedTable) -> None:
        """Read who is present at a table that was loaded, and what signs they give."""
        self._background.spawn_until_shutdown(self._read_present((loaded.id,)))

    def gathered(self, table: str) -> None:
        """Ring for the acceptances that wait at a table."""
        self._ringing[f"{GATHERED}{table}"] = None
        self._flush_soon()

    def tell(self, table: str, notice: AnyNotice) -> None:
        """Tell all others something, in order."""
        self._untold.append((table, encoded(notice)))
        if len(self._untold) > UNTOLD:
            self._untold.popleft()
        self._flush_soon()

    def took(self, taken: frozenset[int]) -> None:
        """Act at the tables of buckets that were taken; who is present by this worker is noted again.

        It may have stood still, and have been taken for dead.
        """
        if not taken:
            return
        self._background.spawn_until_shutdown(self._take_on())
        self._unshown |= dict.fromkeys(
            (*self._shown, *(one.id for one in self._tables.all() if one.watched_here))
        )
        self._shown = {}
        self._flush_soon()

    async def leave(self, give_up: Callable[[], Awaitable[None]]) -> None:
        """Give this worker's leases up, and say that they are free; what people still do here is told on."""
        try:
            await give_up()
            await self._store.ring(f"{self._worker} {LEAVING}")
        except StoreUnavailable as error:  # the leases end by themselves
            LOG.warning("leases-kept", kind=error.kind)

    def _flush_soon(self) -> None:
        """Write what is to be told; what comes while that is under way goes together behind it."""
        if not self._flushing:
            self._flushing = True
            self._background.spawn(self._flush())

    async def _flush(self) -> None:
        try:
            while self._unshown or self._untold or self._ringing:
                await self._show_present()
                await self._send_notices()
                await self._send_rings()
        except StoreUnavailable as error:  # the next sweep tries again
            LOG.warning("not-told", kind=error.kind)
        finally:
            self._flushing = False

    async def _show_present(self) -> None:
        while self._unshown:
            table = next(iter(self._unshown))
            loaded = self._tables.find(table)
            here = {} if loaded is None else {one.user: one for one in _present(loaded, self._worker)}
            before = self._shown.get(table, {})
            gone = [Present(table, self._worker, user, count=0) for user in before if user not in here]
            for one in (*gone, *(one for user, one in here.items() if before.get(user) != one)):
                await self._store.show_present(one)
            self._shown[table] = here
            if not here:
                del self._shown[table]
            self._ringing[f"{PRESENCE}{table}"] = None
            if loaded is None or here == {one.user: one for one in _present(loaded, self._worker)}:
                self._unshown.pop(table, None)

    async def _send_notices(self) -> None:
        while self._untold:
            table, body = self._untold.popleft()  # others may be dropped while this one is on its way
            try:
                await self._store.notify(self._worker, table, body)
            except StoreUnavailable:
                self._untold.appendleft((table, body))
                raise

    async def _send_rings(self) -> None:
        while self._ringing:
            named = _in_one_ring(self._worker, self._ringing)
            for one in named:
                del self._ringing[one]
            await self._store.ring(" ".join((self._worker, *named)))

    # -- what is heard ----------------------------------------------------------------------------------

    def _hear(self, text: str | None) -> None:
        """Look at what a ring names, or at everything if rings may have been missed."""
        if text is None:
            self._background.spawn_until_shutdown(self.sweep())
            return
        worker, *named = text.split(" ")
        if worker == self._worker:
            return
        if not named:
            self._background.spawn_until_shutdown(self._read_notices())
        elif named == [LEAVING]:
            self._background.spawn_until_shutdown(self._told.renew())
        else:
            self._background.spawn_until_shutdown(self._look(named))

    async def _look(self, named: list[str]) -> None:
        """Look at tables that a ring has named."""
        for one in named:
            if one.startswith(GATHERED):
                self._told.gathered(one.removeprefix(GATHERED))
        tables = [one for one in named if not one.startswith((PRESENCE, GATHERED))]
        present = [one.removeprefix(PRESENCE) for one in named if one.startswith(PRESENCE)]
        for table in tables:
            self._background.spawn_until_shutdown(self._look_at(table))
        if present:
            await self._load(table for table in present if self._leases.serves(table))
            await self._read_present(present)

    async def _look_at(self, table: str) -> None:
        """Read what others have appended to a table, or load it if this worker is to act there."""
        loaded = self._tables.find(table)
        if loaded is not None:
            await self._catch_up(loaded)
        elif self._leases.serves(table):
            await self._load((table,))

    async def _catch_up(self, loaded: LoadedTable) -> None:
        """Read what others have appended to a table, and its clocks if they were put off."""
        if loaded.id in self._catching_up:
            return  # whoever waits for the table's lock reads all there is then
        self._catching_up.add(loaded.id)
        try:
            await loaded.lock.acquire()
        finally:
            self._catching_up.discard(loaded.id)
        try:
            await self._told.catch_up(loaded)
            if loaded.epoch != self._leases.epoch(loaded.id):
                await self._told.retime(loaded)
        finally:
            loaded.lock.release()

    async def _load(self, tables: Iterable[str]) -> None:
        """Load tables, so that their bots and clocks go on."""
        for table in tables:
            if self._tables.find(table) is None:
                try:
                    await self._tables.get(table)
                except Refusal as refusal:
                    LOG.warning("not-loaded", table=table, reason=refusal.problem.value)

    async def _read_present(self, tables: Iterable[str]) -> None:
        """Take in who is present at tables by other workers."""
        loaded = [one for table in tables if (one := self._tables.find(table)) is not None]
        if not loaded:
            return
        found: dict[str, list[Present]] = {one.id: [] for one in loaded}
        for present in await self._store.present_at(tuple(found)):
            if present.worker != self._worker:
                found[present.table].append(present)
        for one in loaded:
            self._told.present(one, tuple(found[one.id]))

    async def _read_notices(self) -> None:
        """Take in what others have told, each once."""
        for stored in await self._store.notices(self._worker, self._since - LATE):
            if stored.id in self._heard:
                continue
            self._heard[stored.id] = stored.at
            self._since = max(self._since, stored.at)
            notice = decoded(stored.body)
            if isinstance(notice, Moved):
                self._background.spawn_until_shutdown(self._look_at(stored.table))
            elif notice is not None:
                self._told.notice(stored.table, notice)
        while self._heard and next(iter(self._heard.values())) < self._since - 2 * LATE:
            self._heard.popitem(last=False)

    async def sweep(self) -> None:
        """Read everything that others may have written: rows, clocks put off, people, and notices.

        A table at which something is under way is read behind that; no other waits for it.
        """
        self._flush_soon()
        await self._leases.refresh()
        await self._take_on()
        tables = self._tables.all()
        heads = await self._store.heads(tuple(loaded.id for loaded in tables)) if tables else {}
        for loaded in tables:
            behind = heads.get(loaded.id, 0) > loaded.snapshot.seq
            if behind or loaded.epoch != self._leases.epoch(loaded.id):
                self._background.spawn_until_shutdown(self._catch_up(loaded))
        await self._read_present(loaded.id for loaded in tables)
        await self._read_notices()

    async def _take_on(self) -> None:
        """Decide what waits at the tables of this worker, and load those at which anybody is present."""
        await self._told.gathering()
        buckets = self._leases.buckets
        if buckets:
            await self._load(await self._store.attended(buckets))


def _present(loaded: LoadedTable, worker: str) -> list[Present]:
    """Return who is present at a table by this worker: users by their connections, and strangers counted."""
    counts: dict[str, int] = {}
    names: dict[str, str] = {}
    for audience in loaded.audiences:
        for watcher in audience.watchers:
            user = watcher.user or ""
            counts[user] = counts.get(user, 0) + 1
            names[user] = watcher.name
    return [
        Present(loaded.id, worker, user, names[user], count, *loaded.signs.of_user(user))
        for user, count in counts.items()
    ]


def _in_one_ring(worker: str, names: Iterable[str]) -> list[str]:
    """Return the first of these names, as many as one ring of a worker has room for."""
    room = LONGEST_RING - len(worker)
    found: list[str] = []
    for name in names:
        room -= len(f" {name}")
        if room < 0:
            break
        found.append(name)
    return found

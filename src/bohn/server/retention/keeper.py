"""The keeper: deletes what is due, one small batch after the other, and rests between them.

Of several workers the one does it that holds the lease of the keeper's bucket. Should two do it at once, for
a worker may notice late that it has lost a lease, they delete what is due twice, and nothing else: every
statement looks at what is stored.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Protocol

import structlog

from bohn.server.clock import TimeSource
from bohn.server.metrics import Metrics
from bohn.server.retention.folder import Altered, ArchiveError, ArchiveFolder
from bohn.server.retention.games import NoRecord, game_in
from bohn.server.retention.goes import guest_goes, table_by, table_goes
from bohn.server.settings import Settings
from bohn.server.store.protocol import Store
from bohn.server.store.retaining import BEGINNING, OverStatus, OverTable, Swept, horizon

LOG = structlog.get_logger("bohn.retention")

LEASE = "retention"
"""Whoever serves the bucket of this id, as if it were a table's, does the keeper's work."""

TABLES_AT_ONCE = 100
"""Tables that are looked at in one go."""

ROWS_AT_ONCE = 500
"""Rows of logs that one transaction deletes: some 15 ms in which no command is written to a file."""

WRITTEN_AT_ONCE = 20
"""Games that are written into the folder of records, and then deleted; each has some 100 KB in memory."""

LEAST_REST, MOST_REST = 5, 10_000
"""Ms of rest behind a batch, however short it was, or long because the machine or the disk stood still.

What a batch took has in it how long it waited behind commands: the more there are, the longer the rest.
"""

HISTORY = 30
"""Days for which is noted which worker had which lease, and when servers that ended were last alive."""

STATUSES: tuple[OverStatus, ...] = ("finished", "abandoned")


class TablesHere(Protocol):
    """What the keeper asks the tables of this process."""

    def serves(self, key: str) -> bool:
        """Tell whether this worker does what the server itself does about a key."""
        ...

    def in_memory(self, table: str) -> bool:
        """Tell whether a table is in this process's memory: somebody looks at it, or has just done so."""
        ...


class Keeper:
    """Does what the settings say about what is over; :meth:`look` does all that is due now."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        clock: TimeSource,
        tables: TablesHere,
        metrics: Metrics,
        forget: Callable[[str], Awaitable[object]],
    ) -> None:
        """Delete from this store; ``forget`` deletes what a user has left, as if he had asked for it."""
        self._store = store
        self._settings = settings
        self._retention = settings.retention
        self._clock = clock
        self._tables = tables
        self._metrics = metrics
        self._forget = forget
        archive = settings.retention.archive
        self._folder = None if archive is None else ArchiveFolder(Path(archive))

    def require_folder(self) -> None:
        """Raise :class:`ArchiveError` if games are to be written into a folder that takes none."""
        if self._folder is not None:
            self._folder.require()

    async def look(self) -> None:
        """Delete all that is due, if that is this worker's business; what fails is tried the next time."""
        tables = (partial(self._thin_all, status) for status in STATUSES)
        people = (self._chat, self._records, self._guests, self._reports, self._sanctions)
        steps: tuple[Callable[[], Awaitable[None]], ...] = (
            self._expired, *tables, *people, self._history, self._measure
        )  # fmt: skip
        for step in steps:
            if not self._mine():
                return
            try:
                await step()
            except ArchiveError as error:
                self._metrics.not_retained("archive")
                LOG.error("not-archived", reason=str(error))  # noqa: TRY400 - the sentence says it all

    def _mine(self) -> bool:
        return self._tables.serves(LEASE)

    async def _did(self, kind: str, removed: int, begun: float) -> int:
        """Count what a batch begun at that moment has removed, and rest for a while."""
        took = time.perf_counter() - begun
        self._metrics.retained(kind, removed, took)
        await self._clock.sleep(min(max(LEAST_REST, took * 1000 * self._retention.rest), MOST_REST))
        return removed

    # -- tables ----------------------------------------------------------------------------------------

    async def _thin_all(self, status: OverStatus) -> None:
        """Delete all tables of a status that are due; those that cannot go now are passed over."""
        after, now = BEGINNING, self._clock.now()
        by = table_by(status, now, self._retention)
        while self._mine():
            found = await self._store.over(status, by, after, TABLES_AT_ONCE)
            if not found:
                return
            after = (found[-1].moved, found[-1].table)
            due = [
                table
                for table in found
                if table_goes(table, now, self._retention) and not self._tables.in_memory(table.table)
            ]
            for group in chunks(due, WRITTEN_AT_ONCE if self._folder else TABLES_AT_ONCE):
                for batch in batches(await self._archived(group), ROWS_AT_ONCE):
                    await self._thin(status, by, batch)

    async def _archived(self, tables: Sequence[OverTable]) -> list[OverTable]:
        """Return which of these tables may be deleted: those that need no record, or have it on the disk."""
        folder = self._folder
        if folder is None:
            return list(tables)
        goes, games, begun = [], [], time.perf_counter()
        for table in tables:
            if table.status != "finished":
                goes.append(table)
                continue
            try:
                if not await self._written(folder, table):
                    games.append(await game_in(self._store, table, names=self._retention.names))
                goes.append(table)
            except (NoRecord, Altered) as error:  # of this one only: the others go on
                self._metrics.not_retained("record")
                LOG.warning("no-record", table=table.table, reason=str(error))
        if games:
            await asyncio.to_thread(folder.write, games)
            await self._did("archived", len(games), begun)
        return goes

    async def _written(self, folder: ArchiveFolder, table: OverTable) -> bool:
        """Tell whether a game is in the folder."""
        return await asyncio.to_thread(folder.has, table.table, table.moved)

    async def _thin(self, status: OverStatus, by: int, batch: Sequence[OverTable]) -> None:
        """Delete a batch of tables; one that alone is longer than a batch goes in pieces."""
        ids = tuple(table.table for table in batch)
        longest = max(table.rows for table in batch)
        for upto in range(min(longest, ROWS_AT_ONCE), longest + ROWS_AT_ONCE, ROWS_AT_ONCE):
            if not self._mine():
                return
            begun = time.perf_counter()
            thinned = await self._store.thin(ids, status, by, upto)
            self._metrics.removed("rows", thinned.rows)
            await self._did(status, thinned.tables, begun)
            if upto >= longest:
                break

    # -- people and what they leave --------------------------------------------------------------------

    async def _expired(self) -> None:
        """Delete expired links and unused cookies."""
        now = self._clock.now()
        unused, begun = now - self._settings.times.cookie, time.perf_counter()
        while self._mine() and await self._did("expired", await self._store.drop_expired(now, unused), begun):
            begun = time.perf_counter()

    async def _chat(self) -> None:
        """Delete old lines of chat."""
        await self._sweep("lines", self._retention.chat, self._store.sweep_chat)

    async def _records(self) -> None:
        """Delete old records of people."""
        await self._sweep("records", self._retention.records, self._store.sweep_records)

    async def _sweep(
        self, kind: str, days: int, page: Callable[[int, tuple[str, int]], Awaitable[Swept]]
    ) -> None:
        """Walk over everything of a kind, page by page, and delete what is older than so many days."""
        by, after = horizon(self._clock.now(), days), ("", 0)
        while days and self._mine():
            begun = time.perf_counter()
            swept = await page(by, after)
            await self._did(kind, swept.removed, begun)
            if swept.after is None:
                return
            after = swept.after

    async def _guests(self) -> None:
        """Forget guests who have not been here for long, and delete those forgotten who sit nowhere."""
        after, now = "", self._clock.now()
        while self._mine():
            found = await self._store.guests(after)
            if not found:
                return
            after = found[-1].id
            gone = [guest.id for guest in found if not guest.named and not guest.seated]
            for guest in found:
                if guest_goes(guest, now, self._retention):
                    begun = time.perf_counter()
                    await self._forget(guest.id)
                    await self._did("guests", 1, begun)
                    gone += () if guest.seated else (guest.id,)
            if gone:
                begun = time.perf_counter()
                await self._did("users", await self._store.drop_users(tuple(gone)), begun)

    async def _reports(self) -> None:
        """Delete old reports that something was done about."""
        await self._drop("reports", self._retention.reports, self._store.drop_reports)

    async def _sanctions(self) -> None:
        """Delete sanctions that ended long ago; the log of operators still tells of them."""
        await self._drop("sanctions", self._retention.sanctions, self._store.drop_sanctions)

    async def _history(self) -> None:
        """Delete what is noted of leases and servers of long ago."""
        await self._drop("history", HISTORY, self._store.drop_history)

    async def _drop(self, kind: str, days: int, drop: Callable[[int], Awaitable[int]]) -> None:
        """Delete what is older than so many days, batch by batch, until there is nothing more."""
        by, begun = horizon(self._clock.now(), days), time.perf_counter()
        while self._mine() and await self._did(kind, await drop(by), begun):
            begun = time.perf_counter()

    async def _measure(self) -> None:
        """Show how much is left."""
        now = self._clock.now()
        found = await self._store.holdings(*(table_by(status, now, self._retention) for status in STATUSES))
        age = 0 if found.oldest is None else now - found.oldest
        self._metrics.left(found.over, found.due, age / 1000, found.size, found.free)


def chunks(tables: Sequence[OverTable], size: int) -> Iterator[Sequence[OverTable]]:
    """Return tables in groups of at most ``size``."""
    for begin in range(0, len(tables), size):
        yield tables[begin : begin + size]


def batches(tables: Sequence[OverTable], rows: int) -> Iterator[tuple[OverTable, ...]]:
    """Return tables in groups of at most so many rows; one that has more is a group of its own."""
    group: list[OverTable] = []
    for table in tables:
        if group and sum(one.rows for one in group) + table.rows > rows:
            yield tuple(group)
            group = []
        group.append(table)
    if group:
        yield tuple(group)

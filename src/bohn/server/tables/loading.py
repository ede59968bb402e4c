"""The tables of this process that are in memory: each is folded from its log when it is asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from bohn.protocol.refusals import Problem, Refusal
from bohn.server.store.protocol import LogRow
from bohn.server.tables.background import Background
from bohn.server.tables.loaded import LoadedTable
from bohn.server.tables.refusing import or_refuse


class LoadedTables:
    """Tables by their id. It is given how a log is read and folded, and what to call.

    ``first`` is called before a table enters an empty memory; ``came`` and ``left`` with each table that
    enters and leaves it. ``credited`` tells how often time was given back to the clocks in the store.
    """

    def __init__(
        self,
        now: Callable[[], int],
        background: Background,
        *,
        rows: Callable[[str], Awaitable[tuple[LogRow, ...]]],
        fold: Callable[[tuple[LogRow, ...]], Awaitable[LoadedTable]],
        first: Callable[[], Awaitable[None]],
        credited: Callable[[], int],
        came: Callable[[LoadedTable], None],
        left: Callable[[LoadedTable], None],
    ) -> None:
        """Begin with none."""
        self._now = now
        self._background = background
        self._rows = rows
        self._fold = fold
        self._first = first
        self._credited = credited
        self._came = came
        self._left = left
        self._tables: dict[str, LoadedTable] = {}
        self._loading: dict[str, asyncio.Task[LoadedTable]] = {}

    def __len__(self) -> int:
        """Return how many tables are in memory."""
        return len(self._tables)

    def all(self) -> tuple[LoadedTable, ...]:
        """Return the tables in memory."""
        return tuple(self._tables.values())

    def find(self, table: str) -> LoadedTable | None:
        """Return a table if it is in memory."""
        return self._tables.get(table)

    async def get(self, table: str) -> LoadedTable:
        """Return a table, read from its log if it is not in memory. Raises :class:`Refusal`."""
        found = self._tables.get(table)
        if found is not None:
            found.touched = self._now()
            return found
        if self._background.stopping:
            raise Refusal(Problem.SERVER_STOPPING)
        task = self._loading.get(table)
        if task is None:
            task = asyncio.get_running_loop().create_task(self._load(table))
            self._loading[table] = task
            task.add_done_callback(lambda _: self._loading.pop(table, None))
        return await or_refuse(asyncio.shield(task))

    async def _load(self, table: str) -> LoadedTable:
        rows = await self._rows(table)
        if not rows or rows[0].seq != 1:  # one that retention is deleting, from its beginning on
            raise Refusal(Problem.NO_SUCH_TABLE)
        if not self._tables:
            await self._first()
        while True:
            known = self._credited()
            loaded = await self._fold(rows)
            if known == self._credited():  # else it may have clocks from before the credit
                break
        self._tables[table] = loaded
        self._came(loaded)
        return loaded

    def drop(self, loaded: LoadedTable) -> None:
        """Remove a table from memory; its log stays."""
        loaded.close_delayed()
        self._tables.pop(loaded.id, None)
        self._left(loaded)

    async def close(self) -> None:
        """Remove all tables from memory: the server stops."""
        loading = tuple(self._loading.values())
        for task in loading:
            task.cancel()
        await asyncio.gather(*loading, return_exceptions=True)
        self._tables.clear()

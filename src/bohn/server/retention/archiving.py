"""Writing every finished game of a store into a folder of records, whether it is due or not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from msgspec import Struct

from bohn.server.retention.folder import Altered, ArchiveFolder, Game
from bohn.server.retention.games import NoRecord, game_in
from bohn.server.store.protocol import Store
from bohn.server.store.retaining import BEGINNING, OverTable

AT_ONCE = 20
"""Games that are written together; their lines of digests are synced once."""


class Archived(Struct):
    """How far it has come: games written, games that were there, and why others have no record, by table."""

    written: int = 0
    there: int = 0
    failed: dict[str, str] = {}

    @property
    def done(self) -> int:
        """All games that were looked at."""
        return self.written + self.there + len(self.failed)


async def archive(
    store: Store, folder: ArchiveFolder, by: int, told: Callable[[Archived], None], *, names: bool
) -> Archived:
    """Write the finished games that have not moved since a time, longest first, and tell how far it is.

    Whoever breaks off loses nothing: what is written already is found. Games at which somebody is present,
    and those about which a report is open, are left for another time, as they are not deleted either.
    Raises ``StoreUnavailable`` and :class:`bohn.server.retention.folder.ArchiveError`.
    """
    found, after = Archived(), BEGINNING
    while tables := await store.over("finished", by, after, AT_ONCE):
        after = (tables[-1].moved, tables[-1].table)
        games = [
            game for table in tables if (game := await _missing(store, folder, table, found, names=names))
        ]
        await asyncio.to_thread(folder.write, games)
        found.written += len(games)
        told(found)
    return found


async def _missing(
    store: Store, folder: ArchiveFolder, table: OverTable, found: Archived, *, names: bool
) -> Game | None:
    """Return the record of a game that is not in the folder; count those that are, and those without one."""
    try:
        if not await asyncio.to_thread(folder.has, table.table, table.moved):
            return await game_in(store, table, names=names)
        found.there += 1
    except (NoRecord, Altered) as error:
        found.failed[table.table] = str(error)
    return None

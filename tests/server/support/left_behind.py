"""What a server has left on the disk, read when it no longer runs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bohn.server.store.place import DATABASE
from bohn.server.store.sqlite import SqliteStore


@asynccontextmanager
async def left_in(data: Path) -> AsyncIterator[SqliteStore]:
    """Open the store of a data folder that no server holds any more."""
    store = SqliteStore(data / DATABASE)
    await store.open()
    try:
        yield store
    finally:
        await store.close()

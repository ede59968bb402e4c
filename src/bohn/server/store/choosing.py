"""Which store a server has: a SQLite file in its data folder, or the PostgreSQL database at an address."""

from __future__ import annotations

from pathlib import Path

from bohn.server.store.place import database_in
from bohn.server.store.protocol import Store, StoreUnavailable
from bohn.server.store.reading import require_current
from bohn.server.store.sqlite import SqliteStore


def store_of(address: str | None, data: Path) -> Store:
    """Return the store at an address, or without one the file in ``data``; not open yet.

    What is not there is made, and what is older is migrated.
    Raises :class:`StoreUnavailable` for an address that is none, and where the extra is not installed.
    """
    return SqliteStore(database_in(data)) if address is None else _postgres(address, upgrades=True)


def beside(address: str | None, data: Path) -> Store:
    """Return the store at an address, or the file in ``data``, to be opened beside a server that may run.

    It must be there already, and of this version: nothing is made and nothing migrated.
    Raises :class:`StoreUnavailable`.
    """
    if address is not None:
        return _postgres(address, upgrades=False)
    path = database_in(data)
    require_current(path)
    return SqliteStore(path, exclusive=False)


def _postgres(address: str, *, upgrades: bool) -> Store:
    try:
        from bohn.server.store.postgres.store import PostgresStore
    except ImportError:
        raise without_postgres() from None
    store = PostgresStore(address)
    store.upgrades = upgrades
    return store


def without_postgres() -> StoreUnavailable:
    """Return why PostgreSQL cannot be reached where the extra is not installed."""
    msg = "PostgreSQL needs more than is installed here; install it: pip install 'bohn[postgres]'"
    return StoreUnavailable("failed", msg)

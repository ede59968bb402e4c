"""Reading one table from a database, while the server may run: nothing is written, locked or migrated."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from msgspec import MsgspecError, Struct

from bohn.protocol.room_events import Sat
from bohn.server.store import statements as sql
from bohn.server.store.failures import unavailable
from bohn.server.store.migrations import HEAD
from bohn.server.store.opening import reading
from bohn.server.store.protocol import LogRow, SecretDeal, StoreUnavailable

BUSY = 2_000
"""Ms to wait for a lock of the server."""

ALL = -1
"""The limit that SQLite takes for none."""


class StoredTable(Struct, frozen=True):
    """What a database has of a table: its log, the names of its users by id, the secret of its deal."""

    rows: tuple[LogRow, ...]
    names: dict[str, str]
    deal: SecretDeal | None


def require_current(path: Path) -> None:
    """Refuse a file that is not there, or of another version; raises :class:`StoreUnavailable`."""
    if not path.is_file():
        msg = f"{path} does not exist; name the folder that `bohn serve` has as its data"
        raise StoreUnavailable("failed", msg)
    try:
        with reading(path, BUSY) as connection:
            _require_ours(path, connection)
    except sqlite3.Error as error:
        msg = f"cannot read {path}: {error}"
        raise StoreUnavailable(unavailable(error).kind, msg) from None


def read_table(path: Path, table: str) -> StoredTable:
    """Return what the database at ``path`` has of a table; no rows if there is no such table.

    The server may run. Raises :class:`StoreUnavailable`.
    """
    if not path.is_file():
        msg = f"{path} does not exist; name the folder that `bohn serve` has as its data"
        raise StoreUnavailable("failed", msg)
    try:
        with reading(path, BUSY) as connection:
            _require_ours(path, connection)
            return _read(connection, table)
    except sqlite3.Error as error:
        failure = unavailable(error)
        msg = f"cannot read {path}: {error}"
        raise StoreUnavailable(failure.kind, msg) from None
    except MsgspecError as error:
        msg = f"{path} is damaged, or was written by a newer version of bohn: {error}"
        raise StoreUnavailable("damaged", msg) from None


def _require_ours(path: Path, connection: sqlite3.Connection) -> None:
    """Refuse the database of another program, or of another version of this one."""
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not {"alembic_version", "log"} <= tables:
        msg = f"{path} is no database of bohn"
        raise StoreUnavailable("failed", msg)
    found = connection.execute("SELECT version_num FROM alembic_version").fetchall()
    if found != [(HEAD,)]:
        msg = f"{path} is of another version of bohn; start `bohn serve` of this one on it once"
        raise StoreUnavailable("failed", msg)


def _read(connection: sqlite3.Connection, table: str) -> StoredTable:
    connection.execute("BEGIN")  # one view of all three, whatever the server writes meanwhile
    rows = sql.ROWS(connection, (table, 0, ALL))
    deal = connection.execute(sql.DEAL, (table,)).fetchall()
    sat = {event.user for row in rows for event in row.events if isinstance(event, Sat)}
    users = sql.USERS(connection, (sql.json_list(sorted(sat)),))
    return StoredTable(rows, {user.id: user.name for user in users}, SecretDeal(*deal[0]) if deal else None)

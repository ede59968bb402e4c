"""The two ends of a move: databases that nobody serves, each with the one connection of the move."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import asyncpg
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.pool import NullPool

from bohn.server.store import opening, upgrading
from bohn.server.store.address import is_postgres, shown, without_password
from bohn.server.store.migrations import HEAD, UNFINISHED
from bohn.server.store.moving.error import MoveError
from bohn.server.store.place import database_in
from bohn.server.store.postgres import opening as postgres
from bohn.server.store.protocol import StoreUnavailable

BUSY = 5_000
"""Ms to wait for a lock of a file."""

ONE_MOVE = 0x6D6F7665
"""The advisory lock that a move holds on a database in PostgreSQL."""

SESSIONS = "bohn move"
"""What a move calls its sessions in PostgreSQL."""

SERVED = "bohn"
"""What servers call theirs."""

Held = Connection | AsyncConnection
"""A connection to one end of a move."""


def name_of(place: str) -> str:
    """Return how a data folder or an address is called before people: without a password."""
    return shown(place) if is_postgres(place) else str(database_in(Path(place)))


@asynccontextmanager
async def source_at(place: str) -> AsyncIterator[Held]:
    """Open what is to be moved, brought to this program's schema; nobody writes into it meanwhile.

    ``place`` is a data folder or the address of a PostgreSQL database. Raises :class:`MoveError` and
    :class:`StoreUnavailable`.
    """
    if is_postgres(place):
        address = without_password(place)
        if await _revision(address) is None:
            raise _unused(place)
        await postgres.open_database(address, lambda: _connect(address))
        async with _session(address) as session:
            yield session
        return
    path = database_in(Path(place))
    if not path.is_file():
        msg = f"there is no database {path}; expected the data folder of a server, or postgresql://..."
        raise MoveError(msg)
    found = _revision_of_file(path)
    if found is None:
        raise _unused(place)
    if found == UNFINISHED:
        raise opening.unfinished(path)
    with _file(path) as connection:
        yield connection


@asynccontextmanager
async def target_at(place: str) -> AsyncIterator[Held]:
    """Open where everything is to go: a new database, an empty one, or one in which a move has broken off.

    Raises :class:`MoveError` and :class:`StoreUnavailable`.
    """
    if not is_postgres(place):
        with _file(database_in(Path(place))) as connection:
            yield connection
        return
    address = without_password(place)
    if await _revision(address) != UNFINISHED:
        await postgres.open_database(address, lambda: _connect(address))
    async with _session(address) as session:
        yield session


def begin(target: Connection, name: str) -> None:
    """Mark a target as unfinished, so that no server opens it; refuse one in which anything is stored."""
    with target.begin():
        if target.execute(text("SELECT version_num FROM alembic_version")).scalar() == UNFINISHED:
            return
        for table in ("log", "users", "sessions"):
            if target.execute(text(f"SELECT 1 FROM {table} LIMIT 1")).first() is not None:  # noqa: S608 - ours
                msg = f"{name} holds tables or people already; name an empty one, for nothing is overwritten"
                raise MoveError(msg)
        _mark(target, UNFINISHED)


def finish(target: Connection) -> None:
    """Give a target its revision: from now on it may be served."""
    with target.begin():
        _mark(target, HEAD)


def _mark(target: Connection, revision: str) -> None:
    target.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})


def _unused(place: str) -> MoveError:
    return MoveError(f"{name_of(place)} is empty: no server has used it yet")


# -- a file --------------------------------------------------------------------------------------------------


@contextmanager
def _file(path: Path) -> Iterator[Connection]:
    """Lock a file against servers, bring it to our schema unless a move has broken off in it, and connect."""
    lock = opening.ServerLock(path)
    unfinished = _revision_of_file(path) == UNFINISHED
    if unfinished:
        lock.take()
    else:
        opening.open_database(path, lock, BUSY).close()
    engine = upgrading.engine(path, BUSY / 1000)
    try:
        with engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()
        lock.drop()


def _revision_of_file(path: Path) -> str | None:
    """Return the revision of a file, ``None`` if there is none or it is empty."""
    if not path.is_file():
        return None
    try:
        with opening.reading(path, BUSY) as connection:
            return opening.revision_of(path, connection)
    except sqlite3.Error as error:
        msg = f"{path} is damaged, or no database: {error}"
        raise StoreUnavailable("damaged", msg) from None


# -- PostgreSQL ----------------------------------------------------------------------------------------------


async def _connect(address: str) -> Any:
    """Return a connection whose statements may take long: some read everything."""
    return await asyncpg.connect(
        address, timeout=postgres.CONNECT_TIMEOUT, server_settings={"application_name": SESSIONS}
    )


async def _revision(address: str) -> str | None:
    """Return the revision of our schema in a database, ``None`` if there are no tables."""
    try:
        connection = await _connect(address)
        try:
            return await postgres.revision_of(address, connection)
        finally:
            await connection.close()
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError) as error:
        raise postgres.refused(address, error) from None


@asynccontextmanager
async def _session(address: str) -> AsyncIterator[AsyncConnection]:
    """Connect to a database that is served by nobody and moved by nobody else."""
    engine = create_async_engine(
        "postgresql+asyncpg://", async_creator=lambda: _connect(address), poolclass=NullPool
    )
    try:
        async with engine.connect() as connection:
            await _require_alone(connection, shown(address))
            yield connection
    finally:
        await engine.dispose()


async def _require_alone(connection: AsyncConnection, name: str) -> None:
    async with connection.begin():
        if not await connection.scalar(text(f"SELECT pg_try_advisory_lock({ONE_MOVE})")):
            msg = f"another move reads or writes {name}; wait for its end"
            raise MoveError(msg)
        served = await connection.scalar(
            text(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE datname = current_database() AND application_name = :served"
            ),
            {"served": SERVED},
        )
    if served:
        msg = f"{name} is served by another process; stop that one first"
        raise MoveError(msg)

"""Opening a database in PostgreSQL: ours or empty, new enough, not behind a pooler, brought to our schema."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import asyncpg

from bohn.server.store.address import PASSWORDS, shown
from bohn.server.store.migrations import HEAD, UNFINISHED
from bohn.server.store.opening import unfinished
from bohn.server.store.postgres.failures import kind_of, told
from bohn.server.store.protocol import StoreUnavailable

OLDEST = 15
"""The oldest version of PostgreSQL that is served."""

MIGRATING = 0x626F686E
"""The advisory lock under which one process at a time looks at the schema and changes it."""

CONNECT_TIMEOUT = 10.0
"""Seconds for a connection to be made."""

Connect = Callable[[], Any]
"""Makes a connection; asyncpg has no types of its own."""


async def open_database(address: str, connect: Connect, *, upgrade: bool = True) -> None:
    """Look at the database, and bring its schema to this program's; errors say in one sentence why not.

    Without ``upgrade`` it has to be there already.
    """
    try:
        connection = await connect()
    except Exception as error:  # noqa: BLE001 - it is raised by its kind
        raise refused(address, error) from None
    try:
        await _require_server(address, connection)
        await _require_no_pooler(address, connection, connect)
        found = await revision_of(address, connection)
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
        raise refused(address, error) from None
    finally:
        await connection.close()
    if found == HEAD:
        return
    if not upgrade:
        msg = f"{shown(address)} is of another version of bohn; start `bohn serve` of this one on it once"
        raise StoreUnavailable("failed", msg)
    await _upgrade(address, connect)


def refused(address: str, error: Exception) -> StoreUnavailable:
    """Return why a database cannot be opened, in a sentence that says what to do."""
    where, said = shown(address), told(error)
    if isinstance(error, StoreUnavailable):
        return error
    if isinstance(error, asyncpg.InvalidAuthorizationSpecificationError | asyncpg.InvalidPasswordError):
        return StoreUnavailable("failed", f"{where} refuses this user or password ({said}); {PASSWORDS}")
    if isinstance(error, asyncpg.InvalidCatalogNameError):
        return StoreUnavailable("failed", f"{where}: {said}; create it first, such as by `createdb`")
    if isinstance(error, asyncpg.TooManyConnectionsError):
        return StoreUnavailable("locked", f"{where} has no connection free ({said}); raise max_connections")
    if isinstance(error, OSError | TimeoutError):
        return StoreUnavailable("lost", f"no PostgreSQL answers at {where}: {said}")
    return StoreUnavailable(kind_of(error) or "failed", f"cannot open {where}: {said}")


async def _require_server(address: str, connection: Any) -> None:
    """Refuse a server that is too old, or a database that cannot hold every letter."""
    version = connection.get_server_version()
    if version.major < OLDEST:
        msg = f"{shown(address)} is PostgreSQL {version.major}; expected {OLDEST} or newer"
        raise StoreUnavailable("failed", msg)
    encoding = await connection.fetchval("SHOW server_encoding")
    if encoding != "UTF8":
        msg = f"{shown(address)} has the encoding {encoding}; expected a database created with UTF8"
        raise StoreUnavailable("failed", msg)


async def _require_no_pooler(address: str, connection: Any, connect: Connect) -> None:
    """Refuse a pooler that lends one session of PostgreSQL to several clients by turns.

    Two connections of ours are two sessions; behind such a pooler the second gets the first one's, which
    is idle between two statements.
    """
    second = await connect()
    try:
        first = await connection.fetchval("SELECT pg_backend_pid()")
        if first == await second.fetchval("SELECT pg_backend_pid()"):
            msg = (
                f"{shown(address)} is a pooler in transaction mode; expected PostgreSQL itself, "
                "or a pooler in session mode"
            )
            raise StoreUnavailable("failed", msg)
    finally:
        await second.close()


async def revision_of(address: str, connection: Any) -> str | None:
    """Return the revision of our schema, ``None`` if there are no tables; refuse another program's."""
    found = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
    names = {name for (name,) in found}
    if not names:
        return None
    if not {"alembic_version", "log"} <= names:
        msg = f"{shown(address)} is the database of another program; name another database"
        raise StoreUnavailable("failed", msg)
    revision = await connection.fetchval("SELECT version_num FROM alembic_version")
    return str(revision or "")


async def _upgrade(address: str, connect: Connect) -> None:
    """Run the migrations in one transaction, under a lock; whoever comes second finds them done.

    Alembic and SQLAlchemy are loaded only here.
    """
    from sqlalchemy import Connection, text
    from sqlalchemy.ext.asyncio import create_async_engine
    from sqlalchemy.pool import NullPool

    from bohn.server.store import upgrading

    def run(connection: Connection) -> None:
        upgrading.upgrade_over(connection)

    engine = create_async_engine("postgresql+asyncpg://", async_creator=connect, poolclass=NullPool)
    try:
        async with engine.begin() as connection:
            await connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATING})"))
            raw = (await connection.get_raw_connection()).driver_connection
            found = await revision_of(address, raw)
            _require_known(address, found, upgrading.revisions())
            await connection.run_sync(run)
    except StoreUnavailable:
        raise
    except Exception as error:
        cause = getattr(error, "orig", None) or error
        msg = f"cannot bring {shown(address)} to revision {HEAD}: {told(cause)}"
        raise StoreUnavailable(kind_of(cause) or "failed", msg) from error
    finally:
        await engine.dispose()


def _require_known(address: str, found: str | None, revisions: tuple[str, ...]) -> None:
    """Refuse a schema that this program does not know, and a database that has not everything yet."""
    if found == UNFINISHED:
        raise unfinished(shown(address))
    if found is not None and found not in revisions:
        msg = (
            f"{shown(address)} was written by a newer bohn (revision {found or '?'}, known here: {HEAD}); "
            "upgrade bohn"
        )
        raise StoreUnavailable("failed", msg)

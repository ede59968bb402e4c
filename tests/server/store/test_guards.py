"""The log of operators cannot be changed: the database refuses, and whoever takes that away is found out."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import asyncpg
import pytest

from bohn.server.store.guards import REFUSED
from bohn.server.store.operating import broken_at, whole_log
from bohn.server.store.postgres.store import PostgresStore
from bohn.server.store.protocol import Store
from bohn.server.store.sqlite import SqliteStore
from tests.patience import PATIENCE
from tests.server.store.contract_operating import DEED
from tests.server.support.postgres import emptied, execute

FORGERIES = [
    "UPDATE deeds SET text = 'nothing'",
    "UPDATE deeds SET id = id + 1",
    "DELETE FROM deeds WHERE id = 2",
]


async def _three(store: Store) -> None:
    await store.open()
    for _ in range(3):
        await store.write_deed(DEED)
    await store.close()


@pytest.mark.parametrize(
    "forgery", [*FORGERIES, "INSERT OR REPLACE INTO deeds SELECT * FROM deeds WHERE id = 1"]
)
def test_log_of_operators_in_a_file_refuses_every_change(tmp_path: Path, forgery: str) -> None:
    """Whoever opens the file with other tools is refused as well."""
    path = tmp_path / "s"
    asyncio.run(_three(SqliteStore(path)))
    other = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match=REFUSED):
        other.execute(forgery)
    other.close()


@pytest.mark.postgres
@pytest.mark.parametrize("forgery", [*FORGERIES, "TRUNCATE deeds"])
def test_log_of_operators_in_postgres_refuses_every_change(postgres_database: str, forgery: str) -> None:
    """The same in PostgreSQL, where a table can be emptied at once."""
    emptied(postgres_database)
    asyncio.run(_three(PostgresStore(postgres_database)))
    with pytest.raises(asyncpg.PostgresError, match=REFUSED):
        asyncio.run(execute(postgres_database, forgery))


def test_log_changed_without_its_guards_is_found_out(tmp_path: Path) -> None:
    """Who owns the file may drop the triggers; the chain tells where the log is another."""
    path = tmp_path / "s"
    asyncio.run(_three(SqliteStore(path)))
    other = sqlite3.connect(path)
    other.executescript("DROP TRIGGER deeds_kept; UPDATE deeds SET text = 'nothing' WHERE id = 2;")
    other.close()

    assert asyncio.run(_first_forged(SqliteStore(path))) == 2


def test_deed_with_a_number_far_ahead_is_found_out(tmp_path: Path) -> None:
    """The whole log is read to its end, whatever numbers it has, and names it."""
    path = tmp_path / "s"
    asyncio.run(_three(SqliteStore(path)))
    other = sqlite3.connect(path)
    other.executescript(
        "DROP TRIGGER deeds_follow;"
        "INSERT INTO deeds SELECT 1000000, at, by_whom, deed, about, text, until, sanction, report, chain "
        "FROM deeds WHERE id = 3;"
    )
    other.close()

    assert asyncio.run(asyncio.wait_for(_first_forged(SqliteStore(path)), PATIENCE)) == 1_000_000


async def _first_forged(store: Store) -> int | None:
    await store.open()
    try:
        return broken_at(await whole_log(store))
    finally:
        await store.close()

"""Every database that ever was can be opened: migrations lead to the schema, and dumps prove it."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from msgspec.structs import replace
from sqlalchemy import make_url
from sqlalchemy.exc import OperationalError
from sqlalchemy.schema import CreateIndex, CreateTable

from bohn.rules.events import Event
from bohn.rules.evolve import fold
from bohn.rules.state import EndPhase, Result
from bohn.server.store.migrations import HEAD
from bohn.server.store.protocol import Committed, LogRow
from bohn.server.store.schema import metadata
from bohn.server.store.sqlite import SqliteStore
from bohn.server.store.upgrading import engine, revisions, upgrade
from tests.server.store.dumps import DEAL, dump_of, load
from tests.server.store.samples import append


def tables(path: Path) -> set[str]:
    """Return the names of all tables of a database."""
    connection = sqlite3.connect(path)
    try:
        return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    finally:
        connection.close()


def counts(path: Path) -> dict[str, int]:
    """Return how many rows each of our tables has."""
    connection = sqlite3.connect(path)
    try:
        names = tables(path) - {"alembic_version"}
        return {name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}  # noqa: S608 - names of our tables
    finally:
        connection.close()


def test_head_is_the_last_migration() -> None:
    """The revision that is known without Alembic is the one it finds."""
    assert revisions()[0] == HEAD


def test_migrated_schema_is_the_declared_one(tmp_path: Path) -> None:
    """Alembic finds nothing that it would still have to change."""
    path = tmp_path / "s"
    upgrade(path)
    using = engine(path)
    with using.connect() as connection:
        differences = compare_metadata(MigrationContext.configure(connection), metadata)
    using.dispose()

    assert differences == []


@pytest.mark.parametrize("address", ["sqlite://", "postgresql://"])
def test_schema_can_be_made_in_both_databases(address: str) -> None:
    """Every table and index has a statement for SQLite and for PostgreSQL."""
    dialect = make_url(address).get_dialect()()
    for table in metadata.sorted_tables:
        assert f"CREATE TABLE {table.name}" in str(CreateTable(table).compile(dialect=dialect))
        for index in table.indexes:
            assert f"ON {table.name}" in str(CreateIndex(index).compile(dialect=dialect))


def test_upgrade_that_fails_changes_nothing(tmp_path: Path) -> None:
    """A migration is done wholly or not at all."""
    path = tmp_path / "s"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE reports (mine TEXT)")  # the last table of the first migration
    connection.close()

    with pytest.raises(OperationalError, match="already exists"):
        upgrade(path)
    assert tables(path) == {"reports"}


def test_stores_that_open_at_once_make_one_schema(tmp_path: Path) -> None:
    """Two workers may start at the same moment on a new file."""
    path = tmp_path / "s"

    async def both() -> None:
        one, two = SqliteStore(path, exclusive=False), SqliteStore(path, exclusive=False)
        await asyncio.gather(one.open(), two.open())
        await one.append(append())
        assert await two.heads(("t1",)) == {"t1": 1}
        await one.close()
        await two.close()

    asyncio.run(both())


@pytest.mark.parametrize("revision", revisions())
def test_every_revision_has_a_dump(revision: str) -> None:
    """Whoever adds a migration adds a database that it has made (python -m tests.server.store.dumps)."""
    assert dump_of(revision).is_file()


def ends(log: tuple[LogRow, ...]) -> bool:
    """Tell whether the game in a log comes to its end."""
    events = [event for batch in log for event in batch.events if isinstance(event, Event)]
    return isinstance(fold(events).phase, EndPhase)


@pytest.mark.parametrize("revision", revisions())
def test_database_of_an_earlier_revision_is_read_whole(tmp_path: Path, revision: str) -> None:
    """A populated database of a released revision is upgraded at open, and everything in it is read back."""
    path = tmp_path / "s"
    load(revision, path)
    before = counts(path)

    async def look() -> None:
        store = SqliteStore(path)
        await store.open()
        finished, running = await store.rows("finished"), await store.rows("running")
        assert len(finished) + len(running) == before["log"]
        assert [row.seq for row in finished] == list(range(1, len(finished) + 1))
        assert ends(finished)
        assert not ends(running)
        for row in (finished[0], finished[-1], running[-1]):
            assert await store.find(row.table, row.actor, row.command_id) == row
        await _look_at_tables(store, before)
        await _look_at_people(store, before)
        if revision >= "0002":
            await _look_at_records(store)
        assert [one.id for one in await store.bots_of("user0")] == (["robot"] if revision >= "0003" else [])
        assert await store.append(replace(append("running", len(running) + 1))) == Committed()
        await store.close()

    asyncio.run(look())
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(HEAD,)]
    connection.close()


async def _look_at_tables(store: SqliteStore, before: dict[str, int]) -> None:
    shown = await store.listings(listed_only=False, statuses=("open", "playing", "finished", "abandoned"))
    assert [one.table for one in shown] == ["finished", "running"]
    assert before["members"] == sum(len(one.users) for one in shown)
    assert [one.table for one in await store.listings_of("user0")] == ["finished", "running"]
    for table in ("finished", "running"):
        assert await store.deal(table) == DEAL
    assert len(await store.timers("running")) == before["timers"] == 2
    assert await store.granted("running", "robot")
    assert await store.last_beat() is not None


async def _look_at_records(store: SqliteStore) -> None:
    shown = await store.listing("finished")
    assert shown is not None
    assert [one.user for one in shown.seats] == ["user0", "user1", "user2"]
    assert shown.result == Result((9, 8, 9), (0, 0, 0), (1, 0, 1), (0, 2))
    assert (shown.origin, shown.lesson) == (True, "first-game")
    assert [one.id for one in await store.records_of("user0")] == ["record"]
    assert await store.record_text("record") == bytes(range(256))


async def _look_at_people(store: SqliteStore, before: dict[str, int]) -> None:
    users = await store.users(("user0", "user1", "user2", "robot"))
    assert len(users) == before["users"]
    assert [one.bot for one in users.values()].count(True) == 1
    assert users["user2"].name == "猫"
    for user in ("user0", "user1", "user2"):
        (session,) = await store.sessions_of(user)
        assert (session.digest, session.used) == (f"session-{user}", session.created)
    assert [one.digest for one in await store.links_of("running")] == ["link-table"]
    device = await store.link("link-device")
    assert device is not None
    assert device.user == "user1"
    assert [(one.id, one.text) for one in await store.chat("running")] == [
        (1, "Guten Tag"),
        (3, "It's a bean"),
    ]
    assert await store.mutes("user0") == {"user1"}
    assert len(await store.reports()) == before["reports"]

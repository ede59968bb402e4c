"""`bohn archive` writes every finished game once, and says what it could not do."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from bohn.notation.records import read_record
from bohn.server.retention.folder import SUMS, ArchiveFolder
from bohn.server.settings import Retention, Settings
from bohn.server.store.place import DATABASE
from bohn.server.store.postgres.store import PostgresStore
from bohn.server.store.protocol import Store, User
from bohn.server.store.sqlite import SqliteStore
from tests.cli.conftest import Run
from tests.server.retention.conftest import OLD, put
from tests.server.support.postgres import NoPostgres, missing, new_database, server_address
from tests.server.support.rooms import ANNA


async def filled(store: Store) -> None:
    """Store three finished games, and two that are none."""
    await store.open()
    try:
        await store.put_user(User(ANNA, "Anna", "de", OLD))
        for number in (1, 2, 3):
            await put(store, f"t{number}", moved=OLD + number)
        await put(store, "t4", "abandoned")
        await put(store, "t5", "playing", rows=20)
    finally:
        await store.close()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a data folder with games."""
    asyncio.run(filled(SqliteStore(tmp_path / "data" / DATABASE)))
    return tmp_path / "data"


def test_archive_writes_every_finished_game(bohn: Run, data: Path, tmp_path: Path) -> None:
    """With seats for people, so that `bohn verify` takes each; what is not finished is left out."""
    folder = tmp_path / "records"
    done = bohn("archive", folder, "--data", data)

    assert (done.status, done.out) == (0, f"{folder}: 3 games written, 0 were there already.\n")
    found = sorted(path.name for path in folder.rglob("*.bohn"))
    assert found == ["t1.bohn", "t2.bohn", "t3.bohn"]
    path = ArchiveFolder(folder).place("t1", OLD + 1)
    assert bohn("verify", path).status == 0
    assert read_record(path.read_bytes()).header.seats == ("Player1", "Player2", "Bot1:pk", "Bot2:b3")


def test_archive_writes_names_that_are_wanted(bohn: Run, data: Path, tmp_path: Path) -> None:
    """Those of people who have any."""
    assert bohn("archive", tmp_path / "records", "--data", data, "--names").status == 0
    path = ArchiveFolder(tmp_path / "records").place("t1", OLD + 1)
    assert read_record(path.read_bytes()).header.seats[:2] == ("Anna", "Player2")


def test_archive_goes_on_where_it_broke_off(bohn: Run, data: Path, tmp_path: Path) -> None:
    """What is there and has its line is not written again; what is half there is."""
    folder = tmp_path / "records"
    bohn("archive", folder, "--data", data)
    month = ArchiveFolder(folder).place("t1", OLD + 1).parent
    sums = (month / SUMS).read_text().splitlines(keepends=True)
    (month / SUMS).write_text("".join(sums[:1]))
    (month / "t3.bohn").unlink()
    (month / ".t3.bohn.1.part").write_bytes(b"half")

    assert bohn("archive", folder, "--data", data).out == f"{folder}: 2 games written, 1 was there already.\n"
    assert (
        bohn("archive", folder, "--data", data).out == f"{folder}: 0 games written, 3 were there already.\n"
    )


def test_archive_works_while_the_server_serves(bohn: Run, data: Path, tmp_path: Path) -> None:
    """It locks nobody out."""

    async def serve() -> int:
        store = SqliteStore(data / DATABASE)
        await store.open()
        try:
            status = await asyncio.to_thread(
                lambda: bohn("archive", tmp_path / "records", "--data", data).status
            )
            await put(store, "t6")
        finally:
            await store.close()
        return status

    assert asyncio.run(serve()) == 0


def test_archive_tells_which_games_have_no_record(bohn: Run, data: Path, tmp_path: Path) -> None:
    """One line each; the others are written, and the status says that it is not all."""
    with closing(sqlite3.connect(data / DATABASE)) as connection, connection:
        connection.execute("DELETE FROM log WHERE table_id = 't2' AND seq = 9")
    done = bohn("archive", tmp_path / "records", "--data", data)

    assert done.status == 1
    assert "table t2: not written" in done.err
    assert "2 games written" in done.out


def test_archive_leaves_an_altered_record(bohn: Run, data: Path, tmp_path: Path) -> None:
    """It names the file."""
    folder = tmp_path / "records"
    bohn("archive", folder, "--data", data)
    path = ArchiveFolder(folder).place("t2", OLD + 2)
    path.write_bytes(b"altered")
    done = bohn("archive", folder, "--data", data)

    assert done.status == 1
    assert "t2.bohn is not what was written" in done.err
    assert path.read_bytes() == b"altered"


def spoiled(data: Path) -> None:
    """Make a database of a newer version."""
    with closing(sqlite3.connect(data / DATABASE)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda data: (data / DATABASE).unlink(), "does not exist"),
        (spoiled, "another version"),
        (lambda data: (data / DATABASE).write_bytes(b"nothing" * 999), "cannot read"),
    ],
)
def test_archive_refuses_a_database_that_is_not_right(
    bohn: Run, data: Path, tmp_path: Path, spoil: Callable[[Path], None], said: str
) -> None:
    """In one line, and no folder is made."""
    spoil(data)
    done = bohn("archive", tmp_path / "records", "--data", data)

    assert done.status == 2
    assert said in done.err
    assert done.err.count("\n") == 1
    assert not (tmp_path / "records").exists()


def test_archive_refuses_a_folder_that_takes_nothing(bohn: Run, data: Path, tmp_path: Path) -> None:
    """Where a file lies in its place."""
    (tmp_path / "file").write_text("")
    done = bohn("archive", tmp_path / "file" / "records", "--data", data)

    assert done.status == 2
    assert "cannot write" in done.err


def test_archive_says_that_the_disk_is_full(
    bohn: Run, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And leaves nothing half."""

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    done = bohn("archive", tmp_path / "records", "--data", data)

    assert done.status == 2
    assert "no space left on device" in done.err
    assert list((tmp_path / "records").rglob("*.bohn")) == []


@pytest.mark.postgres
def test_archive_reads_postgres(bohn: Run, tmp_path: Path) -> None:
    """As it does a file."""
    try:
        with server_address() as server, new_database(server) as address:
            asyncio.run(filled(PostgresStore(address)))
            done = bohn("archive", tmp_path / "records", "--store", address)
    except NoPostgres as reason:
        missing(reason)

    assert done.status == 0
    assert "3 games written" in done.out


def test_serve_takes_days_and_folder(bohn: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over those of the settings; the folder is named as a whole, for the process may go elsewhere."""
    served: list[Settings] = []
    monkeypatch.setattr("bohn.server.run.serve", lambda settings, *_: served.append(settings))
    chosen = tmp_path / "settings.json"
    chosen.write_text('{"retention": {"finished": 3, "chat": 4}}')
    monkeypatch.chdir(tmp_path)
    arguments = ("serve", "--settings", chosen, "--keep", 7, "--archive", "records", "--data", tmp_path)
    assert bohn(*arguments).status == 0

    expected = replace(Retention(), finished=7, chat=4, archive=str(tmp_path / "records"))
    assert served[0].retention == expected
    assert bohn("serve", "--keep", -1).status == 2


def test_serve_refuses_days_of_the_past(bohn: Run, tmp_path: Path) -> None:
    """It says which."""
    chosen = tmp_path / "settings.json"
    chosen.write_text('{"retention": {"guests": -1}}')
    done = bohn("serve", "--settings", chosen)

    assert done.status == 2
    assert "guests" in done.err

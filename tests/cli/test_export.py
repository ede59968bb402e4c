"""`bohn export` writes the record of a table and touches nothing else."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest

from bohn.notation.records import read_record, verify
from bohn.rules.state import EndPhase
from bohn.server.store.place import DATABASE
from bohn.server.store.protocol import Append, LogRow, SecretDeal, User
from bohn.server.store.sqlite import SqliteStore
from tests.cli.conftest import Run
from tests.server.support.logs import DEAL, whole_log
from tests.server.support.rooms import ANNA, OPENED

LOG = whole_log(bot="no-trade")


async def keep(path: Path, rows: Iterable[LogRow], deal: SecretDeal | None = DEAL) -> None:
    """Keep a log as the server does, and Anna with it."""
    store = SqliteStore(path)
    await store.open()
    try:
        await store.put_user(User(ANNA, "Änna", "de", OPENED))
        for row in rows:
            await store.append(Append(row=row, deal=deal if row.seq == 1 else None))
    finally:
        await store.close()


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a data folder with the finished table `t1`."""
    folder = tmp_path_factory.mktemp("data")
    asyncio.run(keep(folder / DATABASE, LOG))
    return folder


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def test_export_writes_a_record_that_verifies(bohn: Run, finished: Path, here: Path) -> None:
    """Into TABLE.bohn, and says so; `bohn verify` checks the deal too."""
    result = bohn("export", "t1", "--data", finished)

    record = read_record((here / "t1.bohn").read_bytes())
    assert (result.status, result.err) == (0, "")
    assert result.out == f"t1.bohn: table t1, with {len(record.entries):,} entries.\n"
    assert isinstance(verify(record).phase, EndPhase)
    assert record.header.seats == ("Änna", "Player2", "Bot1:pk", "Bot2:b3")

    checked = bohn("verify", "t1.bohn")
    assert checked.status == 0
    assert f"commitment {LOG[0].events[0].commitment} " in checked.out  # type: ignore[union-attr] # - its opening


def test_verify_says_nothing_of_a_deal_that_is_not_there(bohn: Run, tmp_path: Path, here: Path) -> None:
    """A table whose secret is lost has a record without it."""
    asyncio.run(keep(tmp_path / "data" / DATABASE, LOG, deal=None))

    assert bohn("export", "t1", "--data", tmp_path / "data").status == 0
    assert "commitment" not in bohn("verify", here / "t1.bohn").out


def test_export_names_the_file(bohn: Run, finished: Path, here: Path) -> None:
    """Folders are made as they are needed."""
    assert bohn("export", "t1", here / "games" / "monday.bohn", "--data", finished).status == 0
    assert bohn("verify", here / "games" / "monday.bohn").status == 0


def test_export_reads_while_the_server_serves(bohn: Run, tmp_path: Path, here: Path) -> None:
    """It writes nothing and locks nobody out."""
    path = tmp_path / "data" / DATABASE

    async def serve() -> int:
        store = SqliteStore(path)
        await store.open()
        try:
            for row in LOG:
                await store.append(Append(row=row, deal=DEAL if row.seq == 1 else None))
            status = await asyncio.to_thread(lambda: bohn("export", "t1", "--data", path.parent).status)
            await store.put_user(User(ANNA, "Anna", "de", OPENED))
        finally:
            await store.close()
        return status

    assert asyncio.run(serve()) == 0
    assert (here / "t1.bohn").exists()


def test_export_finds_the_users_data(
    bohn: Run, finished: Path, here: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Without a folder, where `bohn serve` keeps them."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "bohn").symlink_to(finished)

    assert bohn("export", "t1").status == 0
    assert (here / "t1.bohn").exists()


def test_export_changes_no_file_of_the_server(bohn: Run, tmp_path: Path, here: Path) -> None:
    """The folder stays as it was, byte by byte, and nothing is left in it, also by who reads it first."""
    folder = tmp_path / "data"
    asyncio.run(keep(folder / DATABASE, LOG))
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    assert bohn("export", "t1", here / "t1.bohn", "--data", folder).status == 0

    after = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert sorted(after) == sorted(before)
    assert after == before


# -- what is refused -----------------------------------------------------------------------------------


def refused(bohn: Run, *arguments: object) -> str:
    """Return the one line with which a call is refused."""
    result = bohn("export", *arguments)
    assert (result.status, result.out, result.err.count("\n")) == (2, "", 1)
    return result.err.removeprefix("bohn: ").strip()


def test_export_never_overwrites(bohn: Run, finished: Path, here: Path) -> None:
    """Whatever the file is."""
    (here / "t1.bohn").write_text("dear diary")

    assert refused(bohn, "t1", "--data", finished).startswith("t1.bohn exists already, and a record is never")
    assert (here / "t1.bohn").read_text() == "dear diary"


@pytest.mark.parametrize("rows", [1, 5, len(LOG) - 2])
def test_export_refuses_an_unfinished_table(bohn: Run, tmp_path: Path, here: Path, rows: int) -> None:
    """A record tells all cards."""
    asyncio.run(keep(tmp_path / "data" / DATABASE, LOG[:rows]))

    assert refused(bohn, "t1", "--data", tmp_path / "data").startswith(
        "table t1 is not finished; a record tells"
    )
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("table", ["t2", "", "../../t1", "T1", "x" * 1_000])
def test_export_refuses_an_unknown_table(bohn: Run, finished: Path, here: Path, table: str) -> None:
    """And names the database it has looked in."""
    message = refused(bohn, table, "--data", finished)

    assert message == f"there is no table {table[:80]!r} in {finished / DATABASE}"
    assert list(here.iterdir()) == []


def test_export_refuses_a_folder_without_data(bohn: Run, tmp_path: Path, here: Path) -> None:
    """It makes no database."""
    message = refused(bohn, "t1", "--data", tmp_path / "nothing")

    assert message.startswith(f"{tmp_path / 'nothing' / DATABASE} does not exist")
    assert not (tmp_path / "nothing").exists()
    assert list(here.iterdir()) == []


def test_export_refuses_what_is_no_database(bohn: Run, here: Path) -> None:
    """In one line."""
    (here / DATABASE).write_bytes(b"dear diary" * 1_000)

    assert refused(bohn, "t1", "--data", here).startswith(f"cannot read {here / DATABASE}: ")


def test_export_refuses_another_programs_database(bohn: Run, here: Path) -> None:
    """A table called log makes no log."""
    with closing(sqlite3.connect(here / DATABASE)) as connection:
        connection.execute("CREATE TABLE log (line TEXT)")

    assert refused(bohn, "t1", "--data", here) == f"{here / DATABASE} is no database of bohn"


def changed(path: Path, statement: str) -> None:
    """Change a database behind the server's back."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE alembic_version SET version_num = '9999'", "is of another version of bohn"),
        ("DELETE FROM alembic_version", "is of another version of bohn"),
        ("DELETE FROM log WHERE seq = 8", "the log of table t1 is damaged: table t1: expected row 8, not 9"),
        (
            'UPDATE log SET events = \'[{"event": "rained"}]\' WHERE seq = 8',
            "is damaged, or was written by a newer",
        ),
        ("UPDATE log SET events = '[{' WHERE seq = 8", "cannot read"),
        ("UPDATE deals SET secret = nonce", "header: deal: commitment: expected"),
    ],
)
def test_export_refuses_what_it_cannot_vouch_for(
    bohn: Run, finished: Path, tmp_path: Path, here: Path, statement: str, message: str
) -> None:
    """What `bohn verify` would refuse is not written."""
    shutil.copytree(finished, tmp_path / "data")
    changed(tmp_path / "data" / DATABASE, statement)

    assert message in refused(bohn, "t1", "--data", tmp_path / "data")
    assert list(here.iterdir()) == []


def test_export_leaves_no_half_file(
    bohn: Run, finished: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the disk is full there is no record."""

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)

    assert refused(bohn, "t1", "--data", finished) == "cannot write t1.bohn: no space left on device"
    assert list(here.iterdir()) == []


def test_export_into_no_folder_is_refused(bohn: Run, finished: Path, here: Path) -> None:
    """A file is no folder."""
    (here / "file").touch()

    assert "cannot write" in refused(bohn, "t1", here / "file" / "t1.bohn", "--data", finished)

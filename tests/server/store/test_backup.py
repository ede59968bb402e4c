"""`bohn backup`: a whole copy while the server runs, never over another file, never half."""

from __future__ import annotations

import argparse
import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bohn.cli import backup
from bohn.i18n import Catalog
from bohn.rules.errors import BohnError
from bohn.server.store.backup import BackupError, Copied, back_up
from bohn.server.store.place import DATABASE, data_folder, database_in
from bohn.server.store.sqlite import SqliteStore
from tests.server.store.dumps import populate
from tests.server.store.samples import append, line
from tests.server.store.test_failures import damage, filled


def bohn_backup(*arguments: str | Path) -> int:
    """Run the sub-command."""
    catalog = Catalog.load("en")
    parser = argparse.ArgumentParser()
    backup.add_arguments(parser, catalog)
    return backup.run(parser.parse_args([str(one) for one in arguments]), catalog)


def kept(folder: Path) -> list[str]:
    """Return the names of the files in a folder."""
    return sorted(path.name for path in folder.iterdir())


def test_backup_while_the_store_is_open_holds_what_was_committed(tmp_path: Path) -> None:
    """The copy is one moment of a database in use, and opens as a store of its own."""
    database, copy = tmp_path / "s", tmp_path / "copies" / "today.sqlite"

    async def served() -> None:
        store = SqliteStore(database)
        await store.open()
        await populate(store)
        batches = len(await store.rows("finished")) + len(await store.rows("running"))
        assert back_up(database, copy) == Copied(tables=2, batches=batches)
        await store.append(append("later"))
        await store.close()

    async def restored() -> None:
        store = SqliteStore(copy)
        await store.open()
        assert set(await store.heads(("finished", "running", "later"))) == {"finished", "running"}
        assert len(await store.chat("running")) == 2
        await store.close()

    asyncio.run(served())
    asyncio.run(restored())


def test_backup_waits_for_no_writer(tmp_path: Path) -> None:
    """Somebody's open transaction neither blocks the copy nor gets into it."""
    database = tmp_path / "s"
    filled(database)
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("DELETE FROM log")
        assert back_up(database, tmp_path / "copy").batches > 200


def test_backup_is_one_file(tmp_path: Path) -> None:
    """Nothing lies beside the copy, neither while it was made nor once it is read."""
    filled(tmp_path / "s")
    back_up(tmp_path / "s", tmp_path / "copies" / "copy")
    with closing(sqlite3.connect(tmp_path / "copies" / "copy")) as connection:
        connection.execute("SELECT * FROM log").fetchall()
        assert kept(tmp_path / "copies") == ["copy"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_backup_is_its_owner_s_alone(tmp_path: Path) -> None:
    """Nobody else on the machine may read the copy."""
    filled(tmp_path / "s")
    back_up(tmp_path / "s", tmp_path / "copy")

    assert (tmp_path / "copy").stat().st_mode & 0o077 == 0


def test_backup_has_nothing_that_was_deleted(tmp_path: Path) -> None:
    """What users have deleted is not carried on in copies."""
    database = tmp_path / "s"

    async def talk() -> None:
        store = SqliteStore(database)
        await store.open()
        for text in ("regretted words", "other words"):
            await store.say(line(text=text))
        await store.delete_line("t1", 1)
        back_up(database, tmp_path / "copy")
        await store.close()

    asyncio.run(talk())
    assert b"other words" in (tmp_path / "copy").read_bytes()
    assert b"regretted words" not in (tmp_path / "copy").read_bytes()


def test_backup_overwrites_nothing(tmp_path: Path) -> None:
    """A file that is there stays as it is."""
    filled(tmp_path / "s")
    (tmp_path / "copy").write_text("precious", encoding="utf-8")

    with pytest.raises(BackupError, match="exists already"):
        back_up(tmp_path / "s", tmp_path / "copy")
    assert (tmp_path / "copy").read_text(encoding="utf-8") == "precious"
    assert kept(tmp_path) == ["copy", "s", "s.lock"]


def test_backup_leaves_another_one_alone(tmp_path: Path) -> None:
    """A copy that is being made, or broke off, is told of and not touched."""
    filled(tmp_path / "s")
    (tmp_path / "copy.part").write_text("half", encoding="utf-8")

    with pytest.raises(BackupError, match="another backup"):
        back_up(tmp_path / "s", tmp_path / "copy")
    assert (tmp_path / "copy.part").read_text(encoding="utf-8") == "half"


def test_backup_of_a_damaged_database_is_none(tmp_path: Path) -> None:
    """What cannot be copied whole is not copied at all."""
    filled(tmp_path / "s")
    damage(tmp_path / "s")

    with pytest.raises(BackupError, match="damaged"):
        back_up(tmp_path / "s", tmp_path / "copies" / "copy")
    assert kept(tmp_path / "copies") == []


def test_backup_looks_at_every_index(tmp_path: Path) -> None:
    """A copy whose index contradicts its table is not handed out."""
    filled(tmp_path / "s")
    with closing(sqlite3.connect(tmp_path / "s", isolation_level=None)) as other:
        other.execute("PRAGMA writable_schema = ON")
        other.execute("UPDATE sqlite_master SET sql = replace(sql, 'due BIGINT', 'due BIGINT NOT NULL')")
        other.execute("INSERT INTO timers VALUES ('t', 'k', NULL, 1)")

    with pytest.raises(BackupError, match="the copy is damaged"):
        back_up(tmp_path / "s", tmp_path / "copies" / "copy")
    assert kept(tmp_path / "copies") == []


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (None, "there is no database"),
        ("", "is empty"),
        ("CREATE TABLE recipes (bean TEXT)", "another program"),
    ],
)
def test_backup_of_what_is_no_store_is_refused(tmp_path: Path, script: str | None, words: str) -> None:
    """Without a database of ours there is nothing to copy, and no file is left."""
    if script is not None:
        with closing(sqlite3.connect(tmp_path / "s")) as other:
            other.executescript(script)
        (tmp_path / "s").touch()

    with pytest.raises(BohnError, match=words):
        back_up(tmp_path / "s", tmp_path / "copies" / "copy")
    assert not (tmp_path / "copies").exists() or kept(tmp_path / "copies") == []


def test_backup_to_where_nothing_can_be_written_is_refused(tmp_path: Path) -> None:
    """The path and the system's reason are told."""
    filled(tmp_path / "s")

    with pytest.raises(BackupError, match=r"cannot write .*copy: (file exists|not a directory)"):
        back_up(tmp_path / "s", tmp_path / "s" / "copy")


def test_backup_command_says_what_it_copied(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line: the file, that it was checked, and how much is in it."""
    filled(tmp_path / "data" / DATABASE)
    copy = tmp_path / "copy.sqlite"

    assert bohn_backup(copy, "--data", tmp_path / "data") == 0
    told = capsys.readouterr().out
    assert told.startswith(f"{copy}: a checked copy, 1 table, ")
    assert told.count("\n") == 1


def test_backup_command_finds_the_users_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --data the database of the user's data folder is copied."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    filled(tmp_path / "bohn" / DATABASE)

    assert bohn_backup(tmp_path / "copy") == 0
    assert (tmp_path / "copy").is_file()


def test_data_folder_is_below_home_without_an_absolute_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An XDG folder that is not absolute does not count."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    for value in ("", "relative"):
        monkeypatch.setenv("XDG_DATA_HOME", value)
        assert data_folder() == tmp_path / ".local" / "share" / "bohn"
    assert database_in(tmp_path) == tmp_path / "bohn.sqlite"

"""Opening: one process a file, nothing but our own databases, no loading of what is not needed."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bohn.server.store import opening
from bohn.server.store.backup import back_up
from bohn.server.store.migrations import HEAD
from bohn.server.store.protocol import StoreUnavailable
from bohn.server.store.sqlite import SqliteStore
from tests.server.store.samples import append, head

HOLD = """
import asyncio, sys
from pathlib import Path
from bohn.server.store.sqlite import SqliteStore

async def hold():
    await SqliteStore(Path(sys.argv[1])).open()
    print("open", flush=True)
    await asyncio.sleep(60)

asyncio.run(hold())
"""

LOADED = """
import asyncio, sys
from pathlib import Path
from bohn.server.store.sqlite import SqliteStore

async def look():
    store = SqliteStore(Path(sys.argv[1]))
    await store.open()
    await store.close()

asyncio.run(look())
print(*sorted({"sqlalchemy", "alembic"} & set(sys.modules)))
"""


async def visit(path: Path) -> None:
    """Open a store and close it again."""
    store = SqliteStore(path, busy=50)
    await store.open()
    await store.close()


def refused(path: Path) -> StoreUnavailable:
    """Return why a database is not opened."""
    with pytest.raises(StoreUnavailable) as caught:
        asyncio.run(visit(path))
    return caught.value


def test_open_makes_the_folder_and_the_database(tmp_path: Path) -> None:
    """A server starts in a folder that is not there yet."""
    path = tmp_path / "a" / "b" / "bohn.sqlite"
    asyncio.run(visit(path))

    assert path.stat().st_size > 0


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_database_is_its_owner_s_alone(tmp_path: Path) -> None:
    """Nobody else on the machine may read the deals of running games."""
    path = tmp_path / "data" / "bohn.sqlite"

    async def look() -> list[int]:
        store = SqliteStore(path)
        await store.open()
        await store.append(append())
        names = ("", "-wal", "-shm")
        modes = [path.with_name(path.name + name).stat().st_mode & 0o077 for name in names]
        await store.close()
        return modes

    assert asyncio.run(look()) == [0, 0, 0]
    assert path.parent.stat().st_mode & 0o077 == 0


def test_second_store_is_refused(tmp_path: Path) -> None:
    """A file that is served is not served twice; the word names the process, and the first one goes on."""
    path = tmp_path / "s"

    async def both() -> None:
        first, second = SqliteStore(path), SqliteStore(path)
        await first.open()
        with pytest.raises(StoreUnavailable, match=rf"another process \(pid {os.getpid()}\)") as caught:
            await second.open()
        assert caught.value.kind == "locked"
        await second.close()
        await first.append(append())
        await first.close()
        await second.open()
        assert len(await second.rows("t1")) == 1
        await second.close()

    asyncio.run(both())


def test_killed_process_leaves_the_file_free(tmp_path: Path) -> None:
    """While another process serves, the word names it; after kill -9 the next one starts at once."""
    path = tmp_path / "s"
    with subprocess.Popen([sys.executable, "-c", HOLD, path], stdout=subprocess.PIPE) as other:  # noqa: S603 - ourselves
        assert other.stdout is not None
        try:
            assert other.stdout.readline() == b"open\n"
            assert f"(pid {other.pid})" in str(refused(path))
        finally:
            other.kill()
    asyncio.run(visit(path))


def test_open_that_failed_leaves_the_file_free(tmp_path: Path) -> None:
    """Who was refused holds nothing: mend the file, and the next start succeeds."""
    path = tmp_path / "s"
    path.write_bytes(b"garbage" * 1_000)

    async def mend() -> None:
        first, second = SqliteStore(path), SqliteStore(path)
        with pytest.raises(StoreUnavailable):
            await first.open()
        path.unlink()
        await second.open()
        await second.close()

    asyncio.run(mend())


def test_database_of_another_program_is_refused_untouched(tmp_path: Path) -> None:
    """Tables that are not ours are not added to."""
    path = tmp_path / "s"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE recipes (bean TEXT)")
    other.close()
    before = path.read_bytes()

    assert "another program" in str(refused(path))
    assert path.read_bytes() == before


def test_database_of_another_program_with_alembic_is_refused(tmp_path: Path) -> None:
    """Another program's revision is not taken for a newer one of ours."""
    path = tmp_path / "s"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE alembic_version (version_num TEXT)")
    other.close()

    assert "another program" in str(refused(path))


@pytest.mark.parametrize(
    "change", ["UPDATE alembic_version SET version_num = '9999'", "DELETE FROM alembic_version"]
)
def test_database_of_a_newer_program_is_refused(tmp_path: Path, change: str) -> None:
    """A revision that this program does not know is not touched."""
    path = tmp_path / "s"
    asyncio.run(visit(path))
    other = sqlite3.connect(path, isolation_level=None)
    other.execute(change)
    other.close()

    assert f"newer bohn (revision {'9999' if 'UPDATE' in change else '?'}, known here: {HEAD})" in str(
        refused(path)
    )


def test_place_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    """What cannot be opened at all is told with its path and the system's reason."""
    (tmp_path / "file").write_text("", encoding="utf-8")

    assert str(refused(tmp_path / "file" / "bohn.sqlite")).startswith(f"cannot open {tmp_path}")
    assert str(refused(tmp_path)).startswith(f"cannot open {tmp_path}")


def test_locked_database_is_refused_at_open(tmp_path: Path) -> None:
    """A program that holds the whole file is waited for a moment, then the start fails in a sentence."""
    path = tmp_path / "s"
    asyncio.run(visit(path))
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    try:
        assert refused(path).kind == "locked"
    finally:
        other.close()


def test_path_with_odd_characters_is_opened(tmp_path: Path) -> None:
    """Percent signs, question marks, hashes and spaces in a path mean themselves."""
    path = tmp_path / "50% of? #1 – bohn" / "b%20ohn?x.sqlite"
    asyncio.run(visit(path))

    assert path.exists()


def test_ready_database_is_opened_without_sqlalchemy(tmp_path: Path) -> None:
    """Migrations are loaded only where there is something to migrate: they cost memory and time."""
    path = tmp_path / "s"

    def loaded() -> list[bytes]:
        done = subprocess.run([sys.executable, "-c", LOADED, path], stdout=subprocess.PIPE, check=True)  # noqa: S603 - ourselves
        return done.stdout.split()

    assert loaded() == [b"alembic", b"sqlalchemy"]
    assert loaded() == []


def mode_of(path: Path) -> int:
    """Return how a file gives room back: 0 not at all, 1 with each commit."""
    with closing(sqlite3.connect(path)) as connection:
        ((mode,),) = connection.execute("PRAGMA auto_vacuum").fetchall()
    return int(mode)


async def opened(path: Path, *, exclusive: bool = True) -> None:
    """Open a file, and close it."""
    store = SqliteStore(path, exclusive=exclusive)
    await store.open()
    await store.close()


def of_before(path: Path) -> None:
    """Make a file that cannot give room back, as older versions did."""
    asyncio.run(opened(path))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA auto_vacuum = NONE")
        connection.execute("VACUUM")
    assert mode_of(path) == 0


def test_file_shrinks_when_something_is_deleted(tmp_path: Path) -> None:
    """Whatever is deleted leaves no unused pages behind."""
    path = tmp_path / "s"

    async def story() -> tuple[int, int]:
        store = SqliteStore(path)
        await store.open()
        for number in range(20):
            await store.keep_record(head(f"r{number}"), bytes(100_000), 99)
        before = (await store.holdings(0, 0)).size
        await store.forget_user("anna")
        after = await store.holdings(0, 0)
        await store.close()
        assert after.free == 0
        return before, after.size

    before, after = asyncio.run(story())
    assert before - after > 1_900_000
    assert path.stat().st_size <= after


def test_file_of_before_is_rebuilt_by_its_server(tmp_path: Path) -> None:
    """Not by who opens it beside one, nor if it is large; what is in it stays."""
    path = tmp_path / "s"
    of_before(path)
    asyncio.run(opened(path, exclusive=False))
    assert mode_of(path) == 0
    asyncio.run(opened(path))
    assert mode_of(path) == 1


def test_large_file_of_before_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would take too long: a backup is the way, and the file works as it did."""
    path = tmp_path / "s"
    of_before(path)
    monkeypatch.setattr(opening, "LARGEST_REBUILT", 100)
    asyncio.run(opened(path))
    assert mode_of(path) == 0
    back_up(path, tmp_path / "copy")
    assert mode_of(tmp_path / "copy") == 1


def test_file_that_cannot_be_rebuilt_is_served_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is no room for the copy, for instance."""
    path = tmp_path / "s"
    of_before(path)

    def full(_: sqlite3.Connection) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(opening, "let_shrink", full)
    asyncio.run(opened(path))
    assert mode_of(path) == 0

"""`bohn move`: everything arrives, nothing is overwritten, and what broke off goes on."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bohn.cli.main import main
from bohn.server.store.choosing import store_of
from bohn.server.store.moving import copying
from bohn.server.store.moving.copying import Progress
from bohn.server.store.moving.error import MoveError
from bohn.server.store.moving.run import move
from bohn.server.store.place import database_in
from bohn.server.store.postgres.store import PostgresStore
from bohn.server.store.protocol import Store, StoreUnavailable
from bohn.server.store.sqlite import SqliteStore
from tests.server.store.dumps import populate
from tests.server.store.samples import append, line, report
from tests.server.support.postgres import execute, new_database

pytestmark = pytest.mark.postgres

BEAT = 1_700_000_000_000
"""When the populated store was served last."""


@pytest.fixture
def database(postgres_server: str) -> Iterator[str]:
    """Return the address of a database that nobody has used."""
    with new_database(postgres_server) as address:
        yield address


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """Return a data folder with something of everything."""
    asyncio.run(with_store(SqliteStore(database_in(tmp_path / "home")), populate))
    return str(tmp_path / "home")


async def with_store(store: Any, use: Callable[[Any], Any]) -> Any:
    """Do something with a store that is open meanwhile."""
    await store.open()
    try:
        return await use(store)
    finally:
        await store.close()


def opened(address: str) -> Store:
    """Return the store of a server at an address, or in a folder."""
    return store_of(address if "://" in address else None, Path(address))


def moved(source: str, target: str, told: Callable[[Progress], None] = lambda _: None) -> copying.Moved:
    """Move everything."""
    return asyncio.run(move(source, target, told))


def rows_of(folder: str) -> dict[str, list[tuple[Any, ...]]]:
    """Return what is stored in a folder, table by table."""
    with closing(sqlite3.connect(database_in(Path(folder)))) as connection:
        return {
            table.name: sorted(connection.execute(f"SELECT * FROM {table.name}").fetchall(), key=repr)  # noqa: S608 - ours
            for table in copying.COPIED
        }


def breaking_off(after: int) -> Callable[[Progress], None]:
    """Return what breaks a move off once so many rows are copied."""

    def told(progress: Progress) -> None:
        if progress.done >= after:
            raise KeyboardInterrupt

    return told


def test_move_there_and_back_changes_nothing(folder: str, database: str, tmp_path: Path) -> None:
    """What comes back from PostgreSQL is what went there, row by row, with the same digest."""
    there = moved(folder, database)
    back = moved(database, str(tmp_path / "back"))

    assert rows_of(str(tmp_path / "back")) == rows_of(folder)
    assert back == there
    assert (there.tables, there.people) == (2, 4)
    assert there.batches == len(rows_of(folder)["log"])


def test_move_leaves_the_source_as_it_was(folder: str, database: str) -> None:
    """Whoever changes his mind serves it again."""
    before = rows_of(folder)
    moved(folder, database)
    assert rows_of(folder) == before
    asyncio.run(with_store(opened(folder), lambda store: store.append(append("later"))))


def test_move_goes_on_numbering_where_it_was(folder: str, database: str) -> None:
    """The next line of a chat and the next report have numbers of their own."""
    moved(folder, database)

    async def go_on(store: Store) -> tuple[int, int]:
        said = await store.say(line("running", "user1", "later"))
        await store.report(report(9))
        return said.id, len(await store.reports())

    assert asyncio.run(with_store(opened(database), go_on)) == (4, 2)


def test_move_keeps_when_anybody_was_served_last(folder: str, database: str, tmp_path: Path) -> None:
    """So the time of the move is given back to everybody, as that of any stop."""
    moved(folder, database)
    assert asyncio.run(with_store(opened(database), lambda store: store.last_beat())) == BEAT
    moved(database, str(tmp_path / "back"))
    assert asyncio.run(with_store(opened(str(tmp_path / "back")), lambda store: store.last_beat())) == BEAT


def test_move_credits_the_clocks_of_every_bucket(folder: str, database: str) -> None:
    """The first worker that takes the leases puts off what nobody served meanwhile."""
    moved(folder, database)

    async def taken(store: PostgresStore) -> tuple[int, int]:
        before = {timer.key: timer.due for timer in await store.timers("running")}
        renewal = await store.renew("a", "A", 60_000, 1_000)
        after = {timer.key: timer.due for timer in await store.timers("running")}
        return (after["trading"] or 0) - (before["trading"] or 0), renewal.now - BEAT

    put_off, unserved = asyncio.run(with_store(PostgresStore(database), taken))
    assert put_off == unserved


def test_move_keeps_the_epochs_of_leases(folder: str, database: str, tmp_path: Path) -> None:
    """An epoch never comes twice, wherever the logs have been meanwhile."""
    moved(folder, database)

    async def renewed(store: PostgresStore) -> dict[int, int]:
        epochs = (await store.renew("a", "A", 60_000, 1_000)).epochs
        await store.leave("a")
        return epochs

    assert set(asyncio.run(with_store(PostgresStore(database), renewed)).values()) == {1}
    moved(database, str(tmp_path / "back"))
    asyncio.run(execute(database, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public"))
    moved(str(tmp_path / "back"), database)
    assert set(asyncio.run(with_store(PostgresStore(database), renewed)).values()) == {2}


@pytest.mark.parametrize("back", [False, True])
def test_move_that_broke_off_is_refused_by_servers_and_goes_on(
    folder: str, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, back: bool
) -> None:
    """What was copied of the logs is not copied again, and in the end everything is there."""
    monkeypatch.setattr(copying, "ROWS", 10)
    source, target = folder, database
    if back:
        moved(folder, database)
        source, target = database, str(tmp_path / "back")
    total = sum(map(len, rows_of(folder).values()))
    with pytest.raises(KeyboardInterrupt):
        moved(source, target, breaking_off(total - 5))
    with pytest.raises(StoreUnavailable, match="run the same `bohn move` again"):
        asyncio.run(with_store(opened(target), lambda store: store.last_beat()))
    with pytest.raises(StoreUnavailable, match="run the same `bohn move` again"):
        moved(target, str(tmp_path / "elsewhere"))

    seen: list[Progress] = []
    moved(source, target, seen.append)
    assert max(step.done for step in seen if step.step == "copying") == total
    copied = [step.done for step in seen if step.step == "copying"]
    log = len(rows_of(folder)["log"])
    assert max(later - earlier for earlier, later in pairwise(copied)) >= log - 10
    if not back:
        moved(database, str(tmp_path / "back"))
    assert rows_of(str(tmp_path / "back")) == rows_of(folder)


def test_move_finds_what_arrived_otherwise(
    folder: str, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A single letter that is another one is found, and no server opens what has arrived."""
    settle = copying.settle

    def falsified(target: Any) -> None:
        settle(target)
        with target.begin():
            target.exec_driver_sql("UPDATE chat SET text = 'Guten Tal' WHERE text = 'Guten Tag'")

    monkeypatch.setattr("bohn.server.store.moving.run.settle", falsified)
    for target in (database, str(tmp_path / "copy")):
        with pytest.raises(MoveError, match="not what was sent"):
            moved(folder, target)
        with pytest.raises(StoreUnavailable, match="run the same `bohn move` again"):
            asyncio.run(with_store(opened(target), lambda store: store.last_beat()))


def test_move_into_what_is_in_use_is_refused(folder: str, database: str, tmp_path: Path) -> None:
    """Nothing is overwritten, in a file or in PostgreSQL."""
    moved(folder, database)
    with pytest.raises(MoveError, match="holds tables or people already"):
        moved(folder, database)
    asyncio.run(with_store(opened(str(tmp_path / "other")), lambda store: store.append(append("mine"))))
    with pytest.raises(MoveError, match="holds tables or people already"):
        moved(folder, str(tmp_path / "other"))
    heads = asyncio.run(with_store(opened(str(tmp_path / "other")), lambda store: store.heads(("mine",))))
    assert heads == {"mine": 1}


def test_move_into_what_was_opened_once_is_done(folder: str, database: str) -> None:
    """A database in which a server has made its tables, and nothing else, is empty."""
    asyncio.run(with_store(opened(database), lambda store: store.beat("a", 1)))
    assert moved(folder, database).tables == 2


@pytest.mark.parametrize("end", ["source", "target"])
@pytest.mark.parametrize("kind", ["file", "postgres"])
def test_move_of_what_is_served_is_refused(
    folder: str, database: str, tmp_path: Path, end: str, kind: str
) -> None:
    """The server must be stopped first: at neither end anything is written meanwhile."""
    other = str(tmp_path / "other")
    if kind == "postgres" and end == "source":
        moved(folder, database)
    file, postgres = (folder, database) if end == "source" else (other, database)
    served = opened(file if kind == "file" else postgres)
    ends = {
        ("file", "source"): (folder, database),
        ("file", "target"): (folder, other),
        ("postgres", "source"): (database, other),
        ("postgres", "target"): (folder, database),
    }[kind, end]

    async def refused(_: Store) -> None:
        with pytest.raises((MoveError, StoreUnavailable), match="is served by another process"):
            await move(*ends)

    asyncio.run(with_store(served, refused))


def test_two_moves_at_once_are_refused(folder: str, database: str, tmp_path: Path) -> None:
    """The second one waits for nothing: it says that there is another."""

    async def both() -> list[BaseException | copying.Moved]:
        back = (move(database, str(tmp_path / name)) for name in ("one", "two"))
        return await asyncio.gather(*back, return_exceptions=True)

    moved(folder, database)
    done = asyncio.run(both())
    assert sum(isinstance(one, MoveError) and "another move" in str(one) for one in done) == 1
    assert sum(isinstance(one, copying.Moved) for one in done) == 1


@pytest.mark.parametrize("words", ["there is no database", "is empty", "both ends"])
def test_move_of_nothing_is_refused(tmp_path: Path, database: str, words: str) -> None:
    """Where no server has stored anything there is nothing to move, and nothing is made at the target."""
    source, target = {
        "there is no database": (str(tmp_path / "none"), database),
        "is empty": (database, str(tmp_path / "new")),
        "both ends": (database, database),
    }[words]
    with pytest.raises(MoveError, match=words):
        moved(source, target)
    assert not (tmp_path / "new").exists()
    assert not (tmp_path / "none").exists()


def test_move_takes_no_password_from_the_command_line(
    folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Everybody could read it there; it comes from the environment or from PostgreSQL's own file."""
    assert main(["move", folder, "postgresql://anna:secret@127.0.0.1/bohn"]) == 2
    said = capsys.readouterr().err
    assert "a password on the command line is seen by everybody" in said
    assert "secret" not in said


def test_move_says_what_has_arrived(folder: str, database: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Tables, batches, people, and the digest of the logs."""
    assert main(["move", folder, database]) == 0
    said = capsys.readouterr()
    assert "2 tables" in said.out
    assert "4 people" in said.out
    assert "compared with the source" in said.out

"""Checkpoints: the write-ahead log begins anew while somebody always writes, and nobody waits long for it."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bohn.server.store import checkpoints
from bohn.server.store.opening import connect

PAGE = 4_000
"""Bytes that fill a page."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a database with one table."""
    path = tmp_path / "some.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE pages (content BLOB)")
    return path


@pytest.fixture
def writer(path: Path) -> Iterator[sqlite3.Connection]:
    """Return a connection that writes."""
    with closing(connect(path, 2_000, writing=True)) as connection:
        yield connection


@pytest.fixture
def beside(path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[sqlite3.Connection]:
    """Return the connection of the checkpoints, for which ten pages are a long log."""
    monkeypatch.setattr(checkpoints, "LONG_PAGES", 10)
    with closing(connect(path, checkpoints.PATIENCE, writing=True)) as connection:
        yield connection


def write(connection: sqlite3.Connection, pages: int = 1) -> None:
    """Commit pages, one by one."""
    for _ in range(pages):
        connection.execute("INSERT INTO pages VALUES (zeroblob(?))", (PAGE,))


def length(connection: sqlite3.Connection) -> int:
    """Return the pages of the log."""
    ((_, pages, _),) = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    return int(pages)


class Meanwhile:
    """A connection during whose first checkpoint somebody writes."""

    def __init__(self, connection: sqlite3.Connection, writer: sqlite3.Connection) -> None:
        self._connection = connection
        self._writer = writer

    def execute(self, text: str) -> Any:
        """Run a statement, and write behind a checkpoint that blocks nobody."""
        found = self._connection.execute(text)
        if "PASSIVE" in text:
            write(self._writer)
        return found


def test_long_log_begins_anew_though_somebody_always_writes(
    writer: sqlite3.Connection, beside: sqlite3.Connection
) -> None:
    """Else it would grow until a commit has to move all of it."""
    write(writer, 20)
    checkpoints.checkpoint(Meanwhile(beside, writer))  # type: ignore[arg-type]  # - it is called like one
    write(writer)

    assert length(beside) < 10


def test_short_log_is_left_to_grow(writer: sqlite3.Connection, beside: sqlite3.Connection) -> None:
    """The writer does not wait for every checkpoint."""
    write(writer, 2)
    before = length(beside)
    checkpoints.checkpoint(Meanwhile(beside, writer))  # type: ignore[arg-type]  # - it is called like one
    write(writer)

    assert length(beside) > before


def test_reader_holds_no_checkpoint_up(
    path: Path, writer: sqlite3.Connection, beside: sqlite3.Connection
) -> None:
    """What he reads stays as it is; the checkpoint is tried again, and nobody waits meanwhile."""
    write(writer)
    with closing(connect(path, 0, writing=False)) as reader:
        reader.execute("BEGIN")
        counted = reader.execute("SELECT count(*) FROM pages").fetchall()
        write(writer, 20)
        begun = time.perf_counter()
        checkpoints.checkpoint(beside)
        write(writer)
        assert time.perf_counter() - begun < 1
        assert reader.execute("SELECT count(*) FROM pages").fetchall() == counted
        assert length(beside) > 10
    checkpoints.checkpoint(beside)
    write(writer)

    assert length(beside) < 10

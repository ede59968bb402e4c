"""Opening a database: one process per file, only databases of Bohn, migrated to this program's schema."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from errno import ENOSPC
from pathlib import Path

import structlog
from filelock import BaseFileLock, FileLock, Timeout

from bohn.server.store.checkpoints import MOST_PAGES
from bohn.server.store.failures import unavailable
from bohn.server.store.migrations import HEAD, UNFINISHED
from bohn.server.store.protocol import StoreUnavailable

LOG = structlog.get_logger("bohn.store")

JOURNAL_ATTEMPTS = 25
"""Times the change to a write-ahead log is tried, 20 ms apart: half a second in all."""

CACHED_STATEMENTS = 256
"""Prepared statements that a connection caches."""

LARGEST_JOURNAL = 16_777_216
"""Bytes of the write-ahead log that stay on the disk when it is empty."""


LARGEST_REBUILT = 268_435_456
"""Bytes of a file of an older version that is rebuilt when it is opened, which takes a few seconds."""


class ServerLock:
    """The right to serve a file: a lock beside it, which the system releases however the process ends."""

    def __init__(self, path: Path) -> None:
        self._pid = path.with_name(path.name + ".pid")
        self._lock: BaseFileLock = FileLock(path.with_name(path.name + ".lock"), thread_local=False)
        self._path = path

    def take(self) -> None:
        """Take the lock at once, or raise with the process that has it."""
        try:
            self._lock.acquire(blocking=False)
        except Timeout:
            msg = f"{self._path} is served by another process{self._holder()}; stop that one first"
            raise StoreUnavailable("locked", msg) from None
        with suppress(OSError):  # only a hint for a second process
            self._pid.write_text(f"{os.getpid()}\n", encoding="ascii")

    def _holder(self) -> str:
        with suppress(OSError, ValueError):
            return f" (pid {int(self._pid.read_text(encoding='ascii'))})"
        return ""

    def drop(self) -> None:
        """Release the lock."""
        if self._lock.is_locked:
            with suppress(OSError):
                self._pid.unlink()
            self._lock.release()


def connect(path: Path, busy: int, *, writing: bool) -> sqlite3.Connection:
    """Return a connection in autocommit mode that waits up to ``busy`` ms for a lock."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={'rw' if writing else 'ro'}",
        timeout=busy / 1000,
        isolation_level=None,
        cached_statements=CACHED_STATEMENTS,
        uri=True,
    )
    try:
        connection.create_function(
            "lower", 1, str.lower, deterministic=True
        )  # SQLite's own knows A to Z only
        if writing:
            _prepare(path, connection)
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def reading(path: Path, busy: int) -> Iterator[sqlite3.Connection]:
    """Open a database for reading, whether a server runs or not; no new file is left behind."""
    alone = not path.with_name(path.name + "-wal").exists()
    try:
        with closing(connect(path, busy, writing=False)) as connection:
            yield connection
    finally:
        if alone:
            _remove_log(path)


def _remove_log(path: Path) -> None:
    """Let SQLite remove the empty log that a reader has to leave, if nobody else has it open by now."""
    with (
        suppress(sqlite3.Error),
        closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", timeout=0, uri=True)) as connection,
    ):
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()


def _journal(connection: sqlite3.Connection) -> str:
    """Ask for the write-ahead log, and return what the file has.

    While another connection is about to do the same SQLite gives up at once, whatever the time limit.
    """
    for _ in range(JOURNAL_ATTEMPTS):
        with suppress(sqlite3.OperationalError):
            ((mode,),) = connection.execute("PRAGMA journal_mode = WAL").fetchall()
            return str(mode)
        time.sleep(0.02)
    ((mode,),) = connection.execute("PRAGMA journal_mode = WAL").fetchall()
    return str(mode)


def _prepare(path: Path, connection: sqlite3.Connection) -> None:
    """Set the options of this connection, and the write-ahead log, which is an option of the file."""
    if _journal(connection) != "wal":
        msg = f"{path} cannot have a write-ahead log where it lies; expected a local disk"
        raise StoreUnavailable("failed", msg)
    connection.execute("PRAGMA synchronous = FULL")  # committed means on the disk, after a power cut as well
    connection.execute(f"PRAGMA wal_autocheckpoint = {MOST_PAGES}")  # see checkpoints.py
    connection.execute("PRAGMA secure_delete = FAST")  # a deleted name or line is overwritten
    connection.execute(f"PRAGMA journal_size_limit = {LARGEST_JOURNAL}")


def open_database(path: Path, lock: ServerLock | None, busy: int) -> sqlite3.Connection:
    """Lock, create or upgrade, and return the connection that writes; errors say in one sentence why."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if lock is not None:
            lock.take()
        return _open_locked(path, busy, alone=lock is not None)
    except BaseException as error:
        if lock is not None:
            lock.drop()
        if isinstance(error, OSError):
            msg = f"cannot open {path}: {(error.strerror or str(error)).lower()}"
            raise StoreUnavailable("full" if error.errno == ENOSPC else "failed", msg) from None
        if isinstance(error, sqlite3.Error):
            kind = unavailable(error).kind
            msg = f"{path} is damaged, or no database" if kind == "damaged" else f"cannot open {path}"
            raise StoreUnavailable(kind, f"{msg}: {error}") from None
        raise


def _open_locked(path: Path, busy: int, *, alone: bool) -> sqlite3.Connection:
    with suppress(FileExistsError):  # only the owner may read: it holds the deals of running games
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    with closing(sqlite3.connect(path, timeout=busy / 1000, isolation_level=None)) as connection:
        found = revision_of(path, connection)  # before anything is changed
        if found is None:
            let_shrink(connection)  # an empty file remembers the mode only when it is rebuilt
        elif alone and path.stat().st_size <= LARGEST_REBUILT:
            try:
                let_shrink(connection)
            except sqlite3.Error as error:  # no room for the copy: the file goes on as it was
                LOG.warning("file-cannot-shrink", reason=str(error))
    if found != HEAD:
        _upgrade(path, found, busy)
    return connect(path, busy, writing=True)


def let_shrink(connection: sqlite3.Connection) -> None:
    """Rebuild a file of an older version, so that it can give back room; others are left as they are.

    From then on each commit gives back the pages that it leaves unused: few, for nobody deletes much at once.
    """
    ((mode,),) = connection.execute("PRAGMA auto_vacuum").fetchall()
    if not mode:
        connection.execute("PRAGMA auto_vacuum = FULL")
        connection.execute("VACUUM")


def revision_of(path: Path, connection: sqlite3.Connection) -> str | None:
    """Return the revision of our schema, ``None`` for an empty file; refuse another program's database."""
    found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    if not found:
        return None
    if not {("alembic_version",), ("log",)} <= set(found):
        msg = f"{path} is the database of another program; name another data folder"
        raise StoreUnavailable("failed", msg)
    revisions = connection.execute("SELECT version_num FROM alembic_version").fetchall()
    return str(revisions[0][0]) if revisions else ""


def unfinished(place: object) -> StoreUnavailable:
    """Return why a database is not opened in which a move has broken off."""
    msg = f"{place} has not all that was to be moved there; run the same `bohn move` again"
    return StoreUnavailable("failed", msg)


def _upgrade(path: Path, found: str | None, busy: int) -> None:
    """Run the migrations; Alembic and SQLAlchemy (25 MB, a third of a second) are loaded only here."""
    from bohn.server.store import upgrading

    if found == UNFINISHED:
        raise unfinished(path)
    if found is not None and not upgrading.known(found):
        msg = (
            f"{path} was written by a newer bohn (revision {found or '?'}, known here: {HEAD}); upgrade bohn"
        )
        raise StoreUnavailable("failed", msg)
    try:
        upgrading.upgrade(path, busy / 1000)
    except Exception as error:
        cause = getattr(error, "orig", None)
        kind = unavailable(cause).kind if isinstance(cause, sqlite3.Error) else "failed"
        raise StoreUnavailable(kind, f"cannot bring {path} to revision {HEAD}: {cause or error}") from error

"""Backups: a checked copy of the database in one file, made while the server may run."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from msgspec import Struct

from bohn.rules.errors import BohnError
from bohn.server.store.failures import unavailable
from bohn.server.store.opening import let_shrink, reading, revision_of

BUSY = 5_000
"""Ms to wait for a lock; only a program that locks the whole file makes a reader wait."""


class BackupError(BohnError):
    """The copy could not be made; the message says why."""


class Copied(Struct, frozen=True):
    """What the copy holds."""

    tables: int
    batches: int


def back_up(database: Path, copy: Path) -> Copied:
    """Copy a database into a new file; when this returns it is whole, checked and on the disk.

    What was deleted is not in the copy. Nobody else may read it: it holds the deals of running games.
    Raises :class:`BackupError`, and then leaves no file.
    """
    if not database.is_file():
        msg = f"there is no database {database}; name the data folder of the server"
        raise BackupError(msg)
    _require_absent(copy)
    part = _begun(copy)
    try:
        _copy(database, part)
        found = _checked(part)
        _require_absent(copy)
        _rename(part, copy)
    except BaseException as error:
        with suppress(OSError):
            part.unlink()
        if isinstance(error, OSError):
            raise _cannot_write(copy, error) from None
        raise
    return found


def _begun(copy: Path) -> Path:
    """Return an empty file beside the copy to be, which nobody else has made."""
    part = copy.with_name(copy.name + ".part")
    try:
        copy.parent.mkdir(exist_ok=True)  # only one folder: more would probably be a typing mistake
    except OSError as error:
        raise _cannot_write(copy, error) from None
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        msg = f"{part} exists: another backup is under way, or one broke off; delete it"
        raise BackupError(msg) from None
    except OSError as error:
        raise _cannot_write(copy, error) from None
    return part


def _copy(database: Path, part: Path) -> None:
    try:
        with reading(database, BUSY) as connection:
            if revision_of(database, connection) is None:
                msg = f"{database} is empty: no server has used it yet"
                raise BackupError(msg)
            connection.execute("VACUUM INTO ?", (str(part),))
        with closing(sqlite3.connect(part, isolation_level=None)) as made:
            let_shrink(made)
    except sqlite3.Error as error:
        words = {"full": "there is no room for the copy", "damaged": f"{database} is damaged"}
        msg = words.get(unavailable(error).kind, f"cannot copy {database}")
        raise BackupError(f"{msg}: {error}") from None


def _checked(part: Path) -> Copied:
    """Return what is in the copy, once every page and index of it has been looked at."""
    try:
        with closing(sqlite3.connect(part)) as connection:
            found = connection.execute("PRAGMA integrity_check(1)").fetchall()
            if found != [("ok",)]:
                msg = f"the copy is damaged, and so probably is the database: {found[0][0]}"
                raise BackupError(msg)
            return Copied(
                *connection.execute("SELECT count(DISTINCT table_id), count(*) FROM log").fetchone()
            )
    except sqlite3.Error as error:
        msg = f"the copy is damaged, and so probably is the database: {error}"
        raise BackupError(msg) from None


def _rename(part: Path, copy: Path) -> None:
    """Put the copy on the disk under its name."""
    with part.open("rb+") as file:
        os.fsync(file.fileno())
    part.rename(copy)
    if os.name != "nt":  # where a folder can be synced, the name is to survive a power cut too
        folder = os.open(copy.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _require_absent(copy: Path) -> None:
    if copy.exists():
        msg = f"{copy} exists already, and a backup never overwrites; name another file"
        raise BackupError(msg)


def _cannot_write(copy: Path, error: OSError) -> BackupError:
    return BackupError(f"cannot write {copy}: {(error.strerror or str(error)).lower()}")

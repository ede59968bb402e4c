"""Errors of SQLite, sorted: whether the whole store fails, or only one statement."""

from __future__ import annotations

import sqlite3

from msgspec import MsgspecError

from bohn.server.store.protocol import FailureKind, StoreUnavailable

_KINDS: dict[int, FailureKind] = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_IOERR_SHMSIZE: "full",  # the shared memory beside the log cannot grow
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_NOTADB: "damaged",
}

_OF_A_STATEMENT = frozenset(
    {
        sqlite3.SQLITE_ERROR,  # among them JSON in one row that is none
        sqlite3.SQLITE_CONSTRAINT,
        sqlite3.SQLITE_MISMATCH,
        sqlite3.SQLITE_MISUSE,
        sqlite3.SQLITE_RANGE,
        sqlite3.SQLITE_TOOBIG,
    }
)

_PRIMARY = 0xFF  # the lowest byte of an extended result code


def concerns_all(error: sqlite3.Error) -> bool:
    """Tell whether any statement would fail now, and so a whole group; else only the one that raised."""
    code = getattr(error, "sqlite_errorcode", None)  # absent where the module itself refuses
    return code is not None and (code & _PRIMARY) not in _OF_A_STATEMENT


def unavailable(error: sqlite3.Error) -> StoreUnavailable:
    """Return the failure by its kind."""
    code = getattr(error, "sqlite_errorcode", 0)
    kind = _KINDS.get(code) or _KINDS.get(code & _PRIMARY) or "failed"
    return StoreUnavailable(kind, f"the database does not take or give anything now: {error}")


def reported(error: Exception) -> Exception:
    """Return the error that the caller gets: a failure of the store by its kind, any other as it is."""
    if isinstance(error, sqlite3.Error):
        return unavailable(error)
    if isinstance(error, MsgspecError):
        return StoreUnavailable("damaged", f"what is kept cannot be read: {error}")
    return error


def closed() -> StoreUnavailable:
    """Return the failure of a store that is not open."""
    return StoreUnavailable("closed", "the store is closed")

"""Errors of PostgreSQL, sorted: by kind, and whether the same may be tried again."""

from __future__ import annotations

import asyncpg
from msgspec import MsgspecError

from bohn.server.store.protocol import FailureKind, StoreUnavailable

_KINDS: dict[str, FailureKind] = {
    "08": "lost",  # the connection broke
    "57P": "lost",  # the server stops, starts or has crashed
    "40": "locked",  # given up in favour of another transaction
    "53300": "locked",  # no connection free
    "55": "locked",
    "53": "full",
    "XX001": "damaged",
    "XX002": "damaged",
}
"""By the beginning of the SQLSTATE; the longest that fits decides."""

_RETRIED: frozenset[FailureKind] = frozenset({"lost", "locked"})


def kind_of(error: BaseException) -> FailureKind | None:
    """Return the kind of failure; ``None`` for what is no failure of the database."""
    if isinstance(error, asyncpg.PostgresError):
        state = error.sqlstate or ""
        return next((_KINDS[state[:size]] for size in (5, 3, 2) if state[:size] in _KINDS), "failed")
    if isinstance(error, ValueError):  # a value that no column takes; asyncpg derives it from InterfaceError
        return None
    if isinstance(error, asyncpg.InterfaceError | asyncpg.InternalClientError | OSError | TimeoutError):
        return "lost"
    return "damaged" if isinstance(error, MsgspecError) else None


def may_try_again(error: BaseException) -> bool:
    """Tell whether the same statement may succeed on another connection, or a moment later."""
    return kind_of(error) in _RETRIED


def reported(error: Exception) -> Exception:
    """Return the error that the caller gets: a failure of the store by its kind, any other as it is."""
    kind = kind_of(error)
    if kind is None:
        return error
    return StoreUnavailable(kind, f"the database does not take or give anything now: {told(error)}")


def told(error: BaseException) -> str:
    """Return an error's own words in one line, never empty."""
    return " ".join(str(error).split()) or type(error).__name__

"""SQL texts that cost few steps of SQLite: a query gives all its rows at once as JSON, an insert takes many.

Measured beside a busy event loop: 500 rows of a log, one a step, take 8 to 136 ms, as one JSON text 2 to 8,
because every step waits for the interpreter lock (see :mod:`bohn.server.store.worker`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Generic, TypeVar

import msgspec

from bohn.server.store.accounts_sql import FORGET_ACCOUNT
from bohn.server.store.acquaintances_sql import FORGET_ACQUAINTANCES
from bohn.server.store.alerts_sql import FORGET_ALERTS
from bohn.server.store.away_sql import FORGET_AWAY
from bohn.server.store.protocol import (
    ChatLine,
    DueTimer,
    Link,
    Listing,
    LogRow,
    RecordHead,
    Report,
    Session,
    Timer,
    User,
)
from bohn.server.store.timers import TableTimer

T = TypeVar("T")

MOST_AT_ONCE = 512
"""Rows of one insert: SQLite takes 32,766 parameters."""


class Query(Generic[T]):
    """A query whose rows become structs: ``fields`` maps each field to the SQL of its JSON value.

    ``source`` is what follows ``FROM``; its ``ORDER BY`` decides the order.
    """

    def __init__(self, kind: type[T], fields: Mapping[str, str], source: str) -> None:
        pairs = ", ".join(f"'{name}', {value}" for name, value in fields.items())
        # SQLite keeps the order of a sub-query under an aggregate to which order matters, as this one
        self.text = f"SELECT json_group_array(json_object({pairs})) FROM ({source})"  # noqa: S608 - constants
        self._decoder: msgspec.json.Decoder[tuple[T, ...]] = msgspec.json.Decoder(tuple[kind, ...])  # type: ignore[valid-type] # mypy: - a type at run time

    def __call__(self, connection: sqlite3.Connection, params: Sequence[object] = ()) -> tuple[T, ...]:
        """Return what is found."""
        ((found,),) = connection.execute(self.text, params).fetchall()
        return self._decoder.decode(found)


class Insert:
    """An insert of any number of rows, in chunks of powers of two, so that few texts have to be prepared."""

    def __init__(self, into: str, columns: Sequence[str], ending: str = "") -> None:
        self._head = f"{into} ({', '.join(columns)}) VALUES "
        self._row = f"({', '.join('?' * len(columns))})"
        self._ending = ending
        self.text = lru_cache(self._text)

    def _text(self, rows: int) -> str:
        """Return the text for this number of rows."""
        return f"{self._head}{', '.join([self._row] * rows)} {self._ending}"

    def __call__(self, connection: sqlite3.Connection, rows: Sequence[Sequence[Any]]) -> None:
        """Insert."""
        done = 0
        while done < len(rows):
            size = min(MOST_AT_ONCE, 1 << ((len(rows) - done).bit_length() - 1))
            connection.execute(self.text(size), list(chain.from_iterable(rows[done : done + size])))
            done += size


def json_list(values: Iterable[object]) -> str:
    """Return values as one JSON parameter, for ``json_each``."""
    return msgspec.json.encode(list(values)).decode()


# -- the log ---------------------------------------------------------------------------------------

_ROW = {
    "table": "table_id",
    "seq": "seq",
    "at": "at",
    "actor": "actor",
    "command_id": "command_id",
    "digest": "digest",
    "cause": "cause",
    "command": "json(CAST(command AS TEXT))",
    "events": "json(CAST(events AS TEXT))",
}

ROWS = Query(LogRow, _ROW, "SELECT * FROM log WHERE table_id = ? AND seq > ? ORDER BY seq LIMIT ?")
FIND = Query(LogRow, _ROW, "SELECT * FROM log WHERE table_id = ? AND actor = ? AND command_id = ?")
INSTRUCTION_STANDS = "SELECT 1 FROM orders WHERE id = ? AND table_id = ?"
INSERT_LOG = Insert(
    "INSERT INTO log",
    ("table_id", "seq", "at", "actor", "command_id", "digest", "cause", "command", "events"),
)
HEADS = """
    SELECT json_group_object(value, seq)
    FROM (SELECT value, (SELECT max(seq) FROM log WHERE table_id = value) AS seq FROM json_each(?))
    WHERE seq IS NOT NULL
"""
KNOWN = """
    SELECT json_group_array(json_array(
        (SELECT max(seq) FROM log WHERE table_id = asked.table_id),
        (SELECT seq FROM log
         WHERE table_id = asked.table_id AND actor = asked.actor AND command_id = asked.command_id),
        (SELECT users FROM listings WHERE table_id = asked.table_id)
    ))
    FROM (
        SELECT json_extract(value, '$[0]') AS table_id,
               json_extract(value, '$[1]') AS actor,
               json_extract(value, '$[2]') AS command_id
        FROM json_each(?) ORDER BY key
    ) AS asked
"""
"""For each (table, actor, command id): the table's last seq, the seq of this command, and the users."""

INSERT_DEALS = Insert("INSERT OR IGNORE INTO deals", ("table_id", "secret", "nonce"))
DEAL = "SELECT secret, nonce FROM deals WHERE table_id = ?"

# -- clocks ----------------------------------------------------------------------------------------

TIMERS = Query(
    Timer,
    {"key": "key", "due": "due", "left": "remaining"},
    "SELECT * FROM timers WHERE table_id = ? ORDER BY key",
)
TIMERS_OF = Query(
    TableTimer,
    {"table": "table_id", "key": "key", "due": "due", "left": "remaining"},
    "SELECT * FROM timers WHERE table_id IN (SELECT value FROM json_each(?)) ORDER BY table_id, key",
)
DUE = Query(
    DueTimer,
    {"table": "table_id", "key": "key", "due": "due"},
    "SELECT * FROM timers WHERE due <= ? ORDER BY due, table_id, key LIMIT ?",
)
DELETE_TIMERS = "DELETE FROM timers WHERE table_id IN (SELECT value FROM json_each(?))"
INSERT_TIMERS = Insert("INSERT OR REPLACE INTO timers", ("table_id", "key", "due", "remaining"))
CREDIT_TIMERS = "UPDATE timers SET due = due + ? WHERE due IS NOT NULL"
CREDIT_LINKS = "UPDATE links SET expires = expires + ? WHERE table_id IS NOT NULL AND expires > ?"
BEAT = "INSERT INTO beats (worker, at) VALUES (?, ?) ON CONFLICT (worker) DO UPDATE SET at = excluded.at"
LAST_BEAT = "SELECT max(at) FROM beats"
TRY_READING = """
    SELECT (SELECT max(rowid) FROM log), (SELECT max(rowid) FROM listings), (SELECT max(rowid) FROM users)
"""
"""Reads the end of each of these tables, where the newest rows lie: a few pages, however many there are."""

# -- the lobby -------------------------------------------------------------------------------------

_LISTING = {
    "table": "table_id",
    "status": "status",
    "options": "json(options)",
    "host": "host",
    "users": "json(users)",
    "bots": "bots",
    "opened": "opened",
    "moved": "moved",
    "seats": "json(seats)",
    "result": "json(result)",
    "origin": "json(iif(origin, 'true', 'false'))",
    "lesson": "lesson",
}

LISTINGS = Query(
    Listing,
    _LISTING,
    """SELECT * FROM listings WHERE status IN (SELECT value FROM json_each(?)) AND (listed OR NOT ?)
       ORDER BY moved DESC, table_id LIMIT ?""",
)
LISTINGS_OF = Query(
    Listing,
    _LISTING,
    """SELECT * FROM (
           SELECT listings.* FROM members JOIN listings USING (table_id) WHERE user_id = ?
           ORDER BY status IN ('open', 'playing') DESC, moved DESC, table_id LIMIT ?
       ) ORDER BY moved DESC, table_id""",
)
LISTING = Query(Listing, _LISTING, "SELECT * FROM listings WHERE table_id = ?")
UNOWNED = """
    SELECT json_group_array(table_id)
    FROM (
        SELECT table_id FROM listings
        WHERE users = '[]' AND (status = 'open' AND moved <= ? OR status = 'playing' AND moved <= ?)
        ORDER BY moved, table_id LIMIT ?
    )
"""
INSERT_LISTINGS = Insert(
    "INSERT OR REPLACE INTO listings",
    (
        *("table_id", "status", "listed", "options", "host", "users", "bots", "opened", "moved"),
        *("seats", "result", "origin", "lesson"),
    ),
)
DELETE_MEMBERS = "DELETE FROM members WHERE table_id IN (SELECT value FROM json_each(?))"
INSERT_MEMBERS = Insert("INSERT OR IGNORE INTO members", ("user_id", "table_id"))
INSERT_GRANTS = Insert("INSERT OR IGNORE INTO grants", ("table_id", "user_id"))
REVOKE_GRANTS = "DELETE FROM grants WHERE table_id = ? AND user_id = ?"
REVOKE = (REVOKE_GRANTS, "DELETE FROM links WHERE table_id = ? AND created_by = ?")
"""Deletes what a kicked user had of a table; each takes the table and the user."""
GRANTED = "SELECT EXISTS (SELECT 1 FROM grants WHERE table_id = ? AND user_id = ?)"

# -- people ----------------------------------------------------------------------------------------

_USER = {
    "id": "id",
    "name": "name",
    "language": "language",
    "created": "created",
    "bot": "json(iif(bot, 'true', 'false'))",
    "maker": "made_by",
}
USERS = Query(User, _USER, "SELECT * FROM users WHERE id IN (SELECT value FROM json_each(?))")
BOTS_OF = Query(User, _USER, "SELECT * FROM users WHERE made_by = ? ORDER BY created, id")
INSERT_USERS = Insert(
    "INSERT INTO users",
    ("id", "name", "language", "created", "bot", "made_by"),
    "ON CONFLICT (id) DO UPDATE SET name = excluded.name, language = excluded.language,"
    " created = excluded.created, bot = excluded.bot, made_by = excluded.made_by WHERE users.name <> ''",
)

_SESSION = {
    "digest": "digest",
    "user": "user_id",
    "created": "created",
    "cookie": "json(iif(cookie, 'true', 'false'))",
    "scopes": "json(scopes)",
    "label": "label",
    "used": "used",
}
SESSION = Query(Session, _SESSION, "SELECT * FROM sessions WHERE digest = ?")
SESSIONS_OF = Query(Session, _SESSION, "SELECT * FROM sessions WHERE user_id = ? ORDER BY created, digest")
SESSIONS_OF_BOTS = Query(
    Session,
    _SESSION,
    """SELECT sessions.* FROM users JOIN sessions ON sessions.user_id = users.id WHERE users.made_by = ?
       ORDER BY sessions.created, sessions.digest""",
)
INSERT_SESSIONS = Insert(
    "INSERT OR REPLACE INTO sessions",
    ("digest", "user_id", "created", "cookie", "scopes", "label", "used"),
)
NOTE_USE = "UPDATE sessions SET used = ? WHERE digest = ?"
REVOKE_SESSION = "DELETE FROM sessions WHERE digest = ?"

_LINK = {
    "digest": "digest",
    "id": "id",
    "created_by": "created_by",
    "created": "created",
    "expires": "expires",
    "table": "table_id",
    "user": "user_id",
}
LINK = Query(Link, _LINK, "SELECT * FROM links WHERE digest = ?")
LINKS_OF = Query(Link, _LINK, "SELECT * FROM links WHERE table_id = ? ORDER BY created, digest")
INSERT_LINKS = Insert(
    "INSERT OR REPLACE INTO links",
    ("digest", "id", "created_by", "created", "expires", "table_id", "user_id"),
)
DROP_LINK = "DELETE FROM links WHERE digest = ?"

LINES_OF = """
    SELECT json_group_array(json_array(table_id, id))
    FROM (SELECT table_id, id FROM chat WHERE user_id = ? ORDER BY table_id, id)
"""
FORGET = (
    "UPDATE users SET name = '', made_by = NULL WHERE id = ?",
    "DELETE FROM sessions WHERE user_id = ?",
    *(f"DELETE FROM {table} WHERE user_id = ?" for table in FORGET_ACCOUNT + FORGET_ALERTS + FORGET_AWAY),  # noqa: S608 - constants
    *(
        f"DELETE FROM {table} WHERE {column} = ?"  # noqa: S608 - constants
        for table, columns in FORGET_ACQUAINTANCES
        for column in columns
    ),
    "DELETE FROM links WHERE created_by = ?",
    "DELETE FROM links WHERE user_id = ?",
    "DELETE FROM mutes WHERE user_id = ?",
    "DELETE FROM records WHERE user_id = ?",
    "DELETE FROM chat WHERE user_id = ?",
    "UPDATE reports SET text = '' WHERE against = ?",
    "UPDATE reports SET reason = '' WHERE by_user = ?",
)
"""Each takes the user's id."""

# -- records ---------------------------------------------------------------------------------------

INSERT_RECORD = """
    INSERT INTO records (id, user_id, at, size, about, text, kept)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, (SELECT coalesce(max(kept), 0) + 1 FROM records WHERE user_id = ?2))
"""
DELETE_OLD_RECORDS = """
    DELETE FROM records WHERE user_id = ?1 AND id NOT IN (
        SELECT id FROM records WHERE user_id = ?1 ORDER BY at DESC, kept DESC LIMIT ?2
    )
"""
_RECORD = {"id": "id", "user": "user_id", "at": "at", "size": "size", "about": "about"}
RECORD_HEAD = Query(RecordHead, _RECORD, "SELECT * FROM records WHERE id = ?")
RECORDS_OF = Query(RecordHead, _RECORD, "SELECT * FROM records WHERE user_id = ? ORDER BY at DESC, kept DESC")
RECORD_TEXT = "SELECT text FROM records WHERE id = ?"
DROP_RECORD = "DELETE FROM records WHERE user_id = ? AND id = ?"

# -- chat ------------------------------------------------------------------------------------------

NEXT_LINE = """
    INSERT INTO chat_heads (table_id, last) VALUES (?, 1)
    ON CONFLICT (table_id) DO UPDATE SET last = last + 1 RETURNING last
"""
INSERT_CHAT = Insert("INSERT INTO chat", ("table_id", "id", "user_id", "at", "text", "key"))
DELETE_OLD_LINES = "DELETE FROM chat WHERE table_id = ? AND id <= ?"

_LINE = {"id": "id", "table": "table_id", "user": "user_id", "at": "at", "text": "text", "key": "key"}
LINE = Query(ChatLine, _LINE, "SELECT * FROM chat WHERE table_id = ? AND id = ?")
CHAT = Query(
    ChatLine,
    _LINE,
    """SELECT * FROM (SELECT * FROM chat WHERE table_id = ? AND id > ? ORDER BY id DESC LIMIT ?)
       ORDER BY id""",
)
LINES_BY = Query(
    ChatLine,
    _LINE,
    "SELECT * FROM chat WHERE user_id = ? AND (table_id, id) > (?, ?) ORDER BY table_id, id LIMIT ?",
)
DELETE_LINE = "DELETE FROM chat WHERE table_id = ? AND id = ?"
INSERT_MUTES = Insert("INSERT OR IGNORE INTO mutes", ("user_id", "muted"))
DELETE_MUTE = "DELETE FROM mutes WHERE user_id = ? AND muted = ?"
MUTES = "SELECT json_group_array(muted) FROM mutes WHERE user_id = ?"
INSERT_REPORTS = Insert(
    "INSERT INTO reports", ("table_id", "line", "by_user", "against", "at", "text", "reason")
)
_REPORT = {
    "table": "table_id",
    "line": "line",
    "by": "by_user",
    "against": "against",
    "at": "at",
    "text": "text",
    "reason": "reason",
}
REPORTS = Query(Report, _REPORT, "SELECT * FROM reports ORDER BY at DESC, id DESC LIMIT ?")
REPORTS_BY = Query(Report, _REPORT, "SELECT * FROM reports WHERE by_user = ? ORDER BY at DESC, id DESC")

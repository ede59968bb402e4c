"""The statements for PostgreSQL that are more than a line, and how structs are read from their rows.

Texts are ordered by their bytes (``COLLATE "C"``), as SQLite does, whatever the database's own order is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec
from asyncpg import Record

from bohn.notation.records import Cause
from bohn.protocol.api import Scope
from bohn.protocol.room import Options
from bohn.protocol.room_commands import AnyRoomCommand
from bohn.protocol.room_events import AnyRoomEvent
from bohn.rules.commands import AnyCommand
from bohn.rules.events import AnyEvent
from bohn.rules.state import Result
from bohn.server.store.protocol import (
    ChatLine,
    DueTimer,
    Link,
    ListedSeat,
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


class Query(Generic[T]):
    """A query whose rows become structs: ``columns`` in the order in which ``make`` takes them."""

    def __init__(self, make: Callable[..., T], columns: str, source: str) -> None:
        self.text = f"SELECT {columns} FROM {source}"
        self._make = make

    def read(self, found: list[Record]) -> tuple[T, ...]:
        """Return what was found."""
        return tuple(self._make(*record) for record in found)


# -- the log ---------------------------------------------------------------------------------------

_command = msgspec.json.Decoder(AnyCommand | AnyRoomCommand | None)
_events = msgspec.json.Decoder(tuple[AnyEvent | AnyRoomEvent, ...])

_LOG = "table_id, seq, at, actor, command_id, digest, cause, command, events"


def _row(
    table: str,
    seq: int,
    at: int,
    actor: str,
    command_id: str,
    digest: str,
    cause: Cause,
    command: bytes,
    events: bytes,
) -> LogRow:
    return LogRow(
        table=table,
        seq=seq,
        at=at,
        actor=actor,
        command_id=command_id,
        digest=digest,
        cause=cause,
        command=_command.decode(command),
        events=_events.decode(events),
    )


ROWS = Query(_row, _LOG, "log WHERE table_id = $1 AND seq > $2 ORDER BY seq LIMIT $3")
FIND = Query(_row, _LOG, "log WHERE table_id = $1 AND actor = $2 AND command_id = $3")
HEADS = """
    SELECT asked.table_id, head.seq
    FROM unnest($1::text[]) AS asked (table_id)
    CROSS JOIN LATERAL (
        SELECT seq FROM log WHERE log.table_id = asked.table_id ORDER BY seq DESC LIMIT 1
    ) AS head
"""
DEAL = "SELECT secret, nonce FROM deals WHERE table_id = $1"

# -- clocks ----------------------------------------------------------------------------------------

TIMERS = Query(Timer, "key, due, remaining", 'timers WHERE table_id = $1 ORDER BY key COLLATE "C"')
TIMERS_OF = Query(
    TableTimer,
    "table_id, key, due, remaining",
    'timers WHERE table_id = ANY($1::text[]) ORDER BY table_id, key COLLATE "C"',
)
_timers = msgspec.json.Decoder(tuple[tuple[str, int | None, int | None], ...] | None)


def _news(*columns: Any) -> tuple[LogRow, tuple[Timer, ...]]:
    return _row(*columns[:-1]), tuple(Timer(*one) for one in _timers.decode(columns[-1] or "null") or ())


NEWS = Query(
    _news,
    f"""{_LOG}, (
        SELECT json_agg(json_build_array(key, due, remaining) ORDER BY key COLLATE "C")::text
        FROM timers WHERE timers.table_id = $1
    )""",
    "log WHERE table_id = $1 AND seq > $2 ORDER BY seq",
)
DUE = Query(
    DueTimer,
    "table_id, key, due",
    'timers WHERE due <= $1 ORDER BY due, table_id COLLATE "C", key COLLATE "C" LIMIT $2',
)
BEAT = "INSERT INTO beats (worker, at) VALUES ($1, $2) ON CONFLICT (worker) DO UPDATE SET at = excluded.at"
LAST_BEAT = "SELECT max(at) FROM beats"
LOCK_BEATS = "LOCK TABLE beats IN SHARE ROW EXCLUSIVE MODE"
"""Of two workers that would credit the same time one waits, and then finds nothing left to credit."""
CREDIT_TIMERS = "UPDATE timers SET due = due + $1 WHERE due IS NOT NULL"
CREDIT_LINKS = "UPDATE links SET expires = expires + $1 WHERE table_id IS NOT NULL AND expires > $2"
TRY_READING = """
    SELECT (SELECT 1 FROM log LIMIT 1), (SELECT 1 FROM listings LIMIT 1), (SELECT 1 FROM users LIMIT 1)
"""

# -- the lobby -------------------------------------------------------------------------------------

_options = msgspec.json.Decoder(Options)
_texts = msgspec.json.Decoder(tuple[str, ...])
_seats = msgspec.json.Decoder(tuple[ListedSeat, ...])
_result = msgspec.json.Decoder(Result)

_LISTING = "table_id, status, options, host, users, bots, opened, moved, seats, result, origin, lesson"


def _listing(
    table: str,
    status: Any,
    options: str,
    host: str | None,
    users: str,
    bots: int,
    opened: int,
    moved: int,
    seats: str,
    result: str | None,
    origin: bool,
    lesson: str | None,
) -> Listing:
    return Listing(
        table=table,
        status=status,
        options=_options.decode(options),
        host=host,
        users=_texts.decode(users),
        bots=bots,
        opened=opened,
        moved=moved,
        seats=_seats.decode(seats),
        result=None if result is None else _result.decode(result),
        origin=origin,
        lesson=lesson,
    )


_NEWEST = 'ORDER BY moved DESC, table_id COLLATE "C" LIMIT'
LISTINGS = Query(_listing, _LISTING, f"listings WHERE status = ANY($1) AND (listed OR NOT $2) {_NEWEST} $3")
LISTINGS_OF = Query(
    _listing,
    _LISTING,
    f"""(
        SELECT {_LISTING} FROM members JOIN listings USING (table_id) WHERE user_id = $1
        ORDER BY status IN ('open', 'playing') DESC, moved DESC, table_id COLLATE "C" LIMIT $2
    ) AS own ORDER BY moved DESC, table_id COLLATE "C"
    """,
)
LISTING = Query(_listing, _LISTING, "listings WHERE table_id = $1")
UNOWNED = """
    SELECT table_id FROM listings
    WHERE users = '[]' AND (status = 'open' AND moved <= $1 OR status = 'playing' AND moved <= $2)
    ORDER BY moved, table_id COLLATE "C" LIMIT $3
"""
GRANT = "INSERT INTO grants (table_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING"
REVOKE_GRANTS = "DELETE FROM grants WHERE table_id = $1 AND user_id = $2"
GRANTED = "SELECT EXISTS (SELECT 1 FROM grants WHERE table_id = $1 AND user_id = $2)"

# -- people ----------------------------------------------------------------------------------------

_USER = "id, name, language, created, bot, made_by"
USERS = Query(User, _USER, "users WHERE id = ANY($1)")
BOTS_OF = Query(User, _USER, 'users WHERE made_by = $1 ORDER BY created, id COLLATE "C"')
PUT_USER = f"""
    INSERT INTO users ({_USER}) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO UPDATE SET
        name = excluded.name, language = excluded.language, created = excluded.created,
        bot = excluded.bot, made_by = excluded.made_by
    WHERE users.name <> ''
"""

_scopes = msgspec.json.Decoder(tuple[Scope, ...])


def _session(
    digest: str, user: str, created: int, cookie: bool, scopes: str, label: str, used: int
) -> Session:
    return Session(digest, user, created, cookie, _scopes.decode(scopes), label, used)


_SESSION = "digest, user_id, sessions.created, cookie, scopes, label, used"
_OLDEST_SESSION = 'ORDER BY sessions.created, digest COLLATE "C"'
SESSIONS_OF = Query(_session, _SESSION, f"sessions WHERE user_id = $1 {_OLDEST_SESSION}")
SESSIONS_OF_BOTS = Query(
    _session,
    _SESSION,
    f"users JOIN sessions ON sessions.user_id = users.id WHERE users.made_by = $1 {_OLDEST_SESSION}",
)


def _identity(*columns: Any) -> tuple[Session, User]:
    return _session(*columns[:7]), User(*columns[7:])


IDENTITY = Query(
    _identity,
    f"{_SESSION}, users.id, users.name, users.language, users.created, users.bot, users.made_by",
    "sessions JOIN users ON users.id = sessions.user_id WHERE digest = $1",
)
PUT_SESSION = """
    INSERT INTO sessions (digest, user_id, created, cookie, scopes, label, used)
    VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (digest) DO UPDATE SET
        user_id = excluded.user_id, created = excluded.created, cookie = excluded.cookie,
        scopes = excluded.scopes, label = excluded.label, used = excluded.used
"""
REVOKE_SESSION = "DELETE FROM sessions WHERE digest = $1"
NOTE_USE = "UPDATE sessions SET used = $1 WHERE digest = $2"

_LINK = "digest, id, created_by, created, expires, table_id, user_id"
LINK = Query(Link, _LINK, "links WHERE digest = $1")
LINKS_OF = Query(Link, _LINK, 'links WHERE table_id = $1 ORDER BY created, digest COLLATE "C"')
PUT_LINK = f"""
    INSERT INTO links ({_LINK}) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (digest) DO UPDATE SET
        id = excluded.id, created_by = excluded.created_by, created = excluded.created,
        expires = excluded.expires, table_id = excluded.table_id, user_id = excluded.user_id
"""
DROP_LINK = "DELETE FROM links WHERE digest = $1"

FORGET = """
    WITH nameless AS (UPDATE users SET name = '', made_by = NULL WHERE id = $1),
         sessions AS (DELETE FROM sessions WHERE user_id = $1),
         links AS (DELETE FROM links WHERE created_by = $1 OR user_id = $1),
         mutes AS (DELETE FROM mutes WHERE user_id = $1),
         accounts AS (DELETE FROM accounts WHERE user_id = $1),
         passkeys AS (DELETE FROM passkeys WHERE user_id = $1),
         codes AS (DELETE FROM recovery_codes WHERE user_id = $1),
         blocks AS (DELETE FROM blocks WHERE user_id = $1 OR blocked = $1),
         follows AS (DELETE FROM follows WHERE user_id = $1 OR followed = $1),
         invitations AS (DELETE FROM invitations WHERE to_user = $1 OR by_user = $1),
         private AS (DELETE FROM private_profiles WHERE user_id = $1),
         results AS (DELETE FROM results WHERE user_id = $1),
         channels AS (DELETE FROM channels WHERE user_id = $1),
         preferences AS (DELETE FROM alert_preferences WHERE user_id = $1),
         alerts AS (DELETE FROM alerts WHERE user_id = $1),
         orders AS (DELETE FROM orders WHERE user_id = $1),
         times AS (DELETE FROM playing_times WHERE user_id = $1),
         records AS (DELETE FROM records WHERE user_id = $1),
         reports AS (UPDATE reports SET text = CASE WHEN against = $1 THEN '' ELSE text END,
                                        reason = CASE WHEN by_user = $1 THEN '' ELSE reason END
                     WHERE $1 IN (against, by_user)),
         lines AS (DELETE FROM chat WHERE user_id = $1 RETURNING table_id, id)
    SELECT table_id, id FROM lines ORDER BY table_id COLLATE "C", id
"""

# -- records ---------------------------------------------------------------------------------------

_RECORD = "id, user_id, at, size, about"
_LAST_KEPT = "ORDER BY at DESC, kept DESC"
KEEP_RECORD = """
    INSERT INTO records (id, user_id, at, size, about, text, kept)
    VALUES ($1, $2, $3, $4, $5, $6, (SELECT coalesce(max(kept), 0) + 1 FROM records WHERE user_id = $2))
"""
DROP_OLD_RECORDS = f"""
    DELETE FROM records WHERE user_id = $1 AND id NOT IN (
        SELECT id FROM records WHERE user_id = $1 {_LAST_KEPT} LIMIT $2
    )
"""
RECORD_HEAD = Query(RecordHead, _RECORD, "records WHERE id = $1")
RECORDS_OF = Query(RecordHead, _RECORD, f"records WHERE user_id = $1 {_LAST_KEPT}")
RECORD_TEXT = "SELECT text FROM records WHERE id = $1"
DROP_RECORD = "DELETE FROM records WHERE user_id = $1 AND id = $2"

# -- chat ------------------------------------------------------------------------------------------

SAY = """
    WITH number AS (
        INSERT INTO chat_heads (table_id, last) VALUES ($1, 1)
        ON CONFLICT (table_id) DO UPDATE SET last = chat_heads.last + 1 RETURNING last
    ), old AS (
        DELETE FROM chat WHERE table_id = $1 AND id <= (SELECT last FROM number) - $6
    )
    INSERT INTO chat (table_id, id, user_id, at, text, key)
    SELECT $1, last, $2, $3, $4, $5 FROM number
    RETURNING id
"""
_LINE = "id, table_id, user_id, at, text, key"
LINE = Query(ChatLine, _LINE, "chat WHERE table_id = $1 AND id = $2")
CHAT = Query(
    ChatLine,
    _LINE,
    "(SELECT * FROM chat WHERE table_id = $1 AND id > $2 ORDER BY id DESC LIMIT $3) AS latest ORDER BY id",
)
LINES_BY = Query(
    ChatLine,
    _LINE,
    """chat WHERE user_id = $1 AND (table_id COLLATE "C", id) > ($2, $3)
       ORDER BY table_id COLLATE "C", id LIMIT $4""",
)
DELETE_LINE = "DELETE FROM chat WHERE table_id = $1 AND id = $2"
MUTE = "INSERT INTO mutes (user_id, muted) VALUES ($1, $2) ON CONFLICT DO NOTHING"
UNMUTE = "DELETE FROM mutes WHERE user_id = $1 AND muted = $2"
MUTES = "SELECT muted FROM mutes WHERE user_id = $1"
REPORT = """
    INSERT INTO reports (table_id, line, by_user, against, at, text, reason)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
"""
_REPORT = "table_id, line, by_user, against, at, text, reason"
REPORTS = Query(Report, _REPORT, "reports ORDER BY at DESC, id DESC LIMIT $1")
REPORTS_BY = Query(Report, _REPORT, "reports WHERE by_user = $1 ORDER BY at DESC, id DESC")

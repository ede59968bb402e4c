"""Appending to a log in one statement, which the unique keys judge: all of it is written, or nothing."""

from __future__ import annotations

from typing import Any

from bohn.server.store.alerts_sql import CAME_BACK, TURN_AGAIN, TURN_INTO, TURN_SOURCE, TURN_WANTED
from bohn.server.store.appending import members_of
from bohn.server.store.codec import listing_columns, row_columns
from bohn.server.store.protocol import Append, Listing, LogRow
from bohn.server.store.shared import bucket_of

_LOG = "table_id, seq, at, actor, command_id, digest, cause, command, events"
_LOG_TYPES = ("bigint", "bigint", "text", "text", "text", "text", "bytea", "bytea")  # without the table
_LISTING = (
    *("table_id", "status", "listed", "options", "host", "users", "bots", "opened", "moved"),
    *("seats", "result", "origin", "lesson"),
)

FIRST = "EXISTS (SELECT 1 FROM first)"
"""Whether the first row was written; everything else of an append depends on it."""


class Statement:
    """A statement that is put together: its parts, and the values of its parameters."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._parts: list[str] = []

    def value(self, value: object, kind: str) -> str:
        """Take the value of a parameter, and return how the text names it."""
        self.values.append(value)
        return f"${len(self.values)}::{kind}"

    def add(self, name: str, text: str) -> None:
        """Add a part under a name that others can ask."""
        self._parts.append(f"{name} AS ({text})")

    @property
    def text(self) -> str:
        """Return the whole: it finds a row if the append was written."""
        return f"WITH {', '.join(self._parts)} SELECT seq FROM first"


def appending(append: Append) -> Statement:
    """Return the statement that writes an append at its seq, or nothing."""
    made = Statement()
    table = made.value(append.row.table, "text")
    _add_first(made, table, append)
    if append.behind:
        _add_behind(made, table, append.behind)
    if append.timers is not None:
        _add_timers(made, table, append)
    if append.listing is not None:
        _add_listing(made, append.listing)
        _add_members(made, table, append.listing)
    if append.deal is not None:
        secret, nonce = (made.value(part, "bytea") for part in (append.deal.secret, append.deal.nonce))
        _insert(made, "deal", "deals (table_id, secret, nonce)", f"SELECT {table}, {secret}, {nonce}")
    _add_grants(made, table, append)
    _add_alerts(made, table, append)
    return made


def _insert(
    made: Statement, name: str, into: str, source: str, conflict: str = "ON CONFLICT DO NOTHING"
) -> None:
    made.add(name, f"INSERT INTO {into} {source} WHERE {FIRST} {conflict}")


def _add_first(made: Statement, table: str, append: Append) -> None:
    """Add the row, if its predecessor is there; a seq or a command that is taken writes nothing.

    Nor does a stale epoch: whoever takes the lease waits for this statement, or has it find the new epoch.
    Nor does an acceptance that was taken back; else it waits no more. Nor does an instruction that was: to
    take one back waits for this statement.
    """
    kinds = zip(row_columns(append.row)[1:], _LOG_TYPES, strict=True)
    columns = [table, *(made.value(value, kind) for value, kind in kinds)]
    seq, epoch = columns[1], made.value(append.epoch, "bigint")
    fence, waiting = "", f"table_id = {table} AND actor = {columns[3]} AND command_id = {columns[4]}"
    if append.epoch is not None:
        bucket = made.value(bucket_of(append.row.table), "int")
        fence = f" AND EXISTS (SELECT 1 FROM leases WHERE bucket = {bucket} AND epoch = {epoch} FOR SHARE)"
    if append.gathered:
        fence += f" AND EXISTS (SELECT 1 FROM acceptances WHERE {waiting} FOR UPDATE)"
    if append.instructions:
        named = made.value(sorted(set(append.instructions)), "text[]")
        held = f"SELECT 1 FROM orders WHERE id = ANY({named}) AND table_id = {table} FOR SHARE"
        fence += f" AND (SELECT count(*) FROM ({held}) AS held) = cardinality({named})"
    made.add(
        "first",
        f"INSERT INTO log ({_LOG}, epoch) SELECT {', '.join(columns)}, {epoch}"
        f" WHERE ({seq} = 1 OR EXISTS (SELECT 1 FROM log WHERE table_id = {table} AND seq = {seq} - 1))"
        f"{fence}"
        " ON CONFLICT DO NOTHING RETURNING seq",
    )
    if append.gathered:
        made.add("decided", f"DELETE FROM acceptances WHERE {waiting} AND {FIRST}")


def _add_behind(made: Statement, table: str, rows: tuple[LogRow, ...]) -> None:
    columns = list(zip(*(row_columns(row)[1:] for row in rows), strict=True))
    arrays = [made.value(list(values), f"{kind}[]") for values, kind in zip(columns, _LOG_TYPES, strict=True)]
    source = f"SELECT {table}, behind.* FROM unnest({', '.join(arrays)}) AS behind"
    _insert(made, "behind", f"log ({_LOG})", source, conflict="")


def _add_timers(made: Statement, table: str, append: Append) -> None:
    """Replace all timers: no statement may write a row twice, so those that stay are not deleted."""
    timers = append.timers or ()
    keys = made.value([timer.key for timer in timers], "text[]")
    dues = made.value([timer.due for timer in timers], "bigint[]")
    lefts = made.value([timer.left for timer in timers], "bigint[]")
    made.add("ended", f"DELETE FROM timers WHERE table_id = {table} AND key <> ALL({keys}) AND {FIRST}")
    _insert(
        made,
        "timed",
        "timers (table_id, key, due, remaining)",
        f"SELECT {table}, timer.* FROM unnest({keys}, {dues}, {lefts}) AS timer",
        "ON CONFLICT (table_id, key) DO UPDATE SET due = excluded.due, remaining = excluded.remaining",
    )


_LISTING_TYPES = (
    *("text", "text", "boolean", "text", "text", "text", "integer", "bigint", "bigint"),
    *("text", "text", "boolean", "text"),
)


def _add_listing(made: Statement, listing: Listing) -> None:
    values = zip(listing_columns(listing), _LISTING_TYPES, strict=True)
    columns = ", ".join(made.value(value, kind) for value, kind in values)
    changes = ", ".join(f"{name} = excluded.{name}" for name in _LISTING[1:])
    _insert(
        made,
        "shown",
        f"listings ({', '.join(_LISTING)})",
        f"SELECT {columns}",
        f"ON CONFLICT (table_id) DO UPDATE SET {changes}",
    )


def _add_members(made: Statement, table: str, listing: Listing) -> None:
    members = made.value(list(members_of(listing)), "text[]")
    made.add(
        "gone", f"DELETE FROM members WHERE table_id = {table} AND user_id <> ALL({members}) AND {FIRST}"
    )
    _insert(made, "come", "members (user_id, table_id)", f"SELECT unnest({members}), {table}")


def _add_grants(made: Statement, table: str, append: Append) -> None:
    """Let some enter, and others no more: who is in both lists enters no more."""
    granted = [user for user in append.grants if user not in append.revokes]
    if granted:
        users = made.value(granted, "text[]")
        _insert(made, "granted", "grants (table_id, user_id)", f"SELECT {table}, unnest({users})")
    if append.revokes:
        users = made.value(list(append.revokes), "text[]")
        made.add(
            "revoked", f"DELETE FROM grants WHERE table_id = {table} AND user_id = ANY({users}) AND {FIRST}"
        )
        made.add(
            "unlinked",
            f"DELETE FROM links WHERE table_id = {table} AND created_by = ANY({users}) AND {FIRST}",
        )


def _add_alerts(made: Statement, table: str, append: Append) -> None:
    """Note whose turn begins, and who has come back; nobody is in both lists."""
    if not append.back and not append.turns:
        return
    words = {"true": "TRUE", "false": "FALSE"}
    at = made.value(append.row.at, "bigint")
    for number, user in enumerate(append.back):
        text = CAME_BACK.format(table=table, user=made.value(user, "text"), now=at, **words)
        made.add(f"back{number}", f"{text} AND {FIRST}")
    for number, turn in enumerate(append.turns):
        seq = made.value(append.row.seq, "bigint")
        user, due = made.value(turn.user, "text"), made.value(turn.due, "bigint")
        days, here = made.value(turn.days, "boolean"), made.value(turn.here, "boolean")
        source = TURN_SOURCE.format(table=table, user=user, seq=seq, at=at, due=due, **words)
        wanted = TURN_WANTED.format(user=user, days=days)
        again = TURN_AGAIN.format(here=here, **words)
        made.add(f"turn{number}", f"INSERT INTO {TURN_INTO} {source} WHERE {wanted} AND {FIRST} {again}")

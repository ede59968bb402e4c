"""Appending to logs: many appends in one transaction, each checked by itself before anything is written."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from bohn.server.store import statements as sql
from bohn.server.store.alerts_sql import HAS_COME_BACK, TURN_BEGINS, turn_columns
from bohn.server.store.codec import Columns, listing_columns, row_columns, users_text
from bohn.server.store.protocol import Append, Committed, Conflict, Listing, LogRow, Outcome, Repeated

Known = tuple[int | None, int | None, str | None]

_known = msgspec.json.Decoder(list[Known])


class Prepared(Struct, frozen=True, gc=False):
    """An append with its columns, encoded by its caller: one that cannot be encoded fails alone."""

    append: Append
    columns: tuple[Columns, ...]
    listing: Columns | None
    users: str | None


def prepare(append: Append) -> Prepared:
    """Encode an append into columns."""
    listing = append.listing
    return Prepared(
        append,
        tuple(map(row_columns, (append.row, *append.behind))),
        None if listing is None else listing_columns(listing),
        None if listing is None else users_text(listing),
    )


def append_all(connection: sqlite3.Connection, waiting: Sequence[Prepared]) -> list[Outcome]:
    """Write each append whose seq is still free, and return the outcomes in order.

    The caller's transaction holds the write lock: what is found here stays true until the commit.
    """
    if not waiting:
        return []
    rows = [prepared.append.row for prepared in waiting]
    keys = [(row.table, row.actor, row.command_id) for row in rows]
    ((text,),) = connection.execute(sql.KNOWN, (sql.json_list(keys),)).fetchall()
    known = _known.decode(text)
    heads = {row.table: head or 0 for row, (head, _, _) in zip(rows, known, strict=True)}
    fresh: dict[tuple[str, str, str], LogRow] = {}
    accepted: list[Prepared] = []
    outcomes: list[Outcome] = []
    for prepared, key, row, (_, earlier, _) in zip(waiting, keys, rows, known, strict=True):
        if earlier is not None:
            outcomes.append(Repeated(sql.FIND(connection, key)[0]))
        elif key in fresh:
            outcomes.append(Repeated(fresh[key]))
        elif row.seq != heads[row.table] + 1 or not _stand(connection, prepared.append):
            outcomes.append(Conflict())
        else:
            heads[row.table] = row.seq + len(prepared.append.behind)
            fresh[key] = row
            fresh.update({(one.table, one.actor, one.command_id): one for one in prepared.append.behind})
            accepted.append(prepared)
            outcomes.append(Committed())
    if accepted:
        stored = {row.table: users for row, (_, _, users) in zip(rows, known, strict=True)}
        _write(connection, accepted, stored)
    return outcomes


def _stand(connection: sqlite3.Connection, append: Append) -> bool:
    """Tell whether all instructions of an append are left with the store still."""
    return all(
        connection.execute(sql.INSTRUCTION_STANDS, (one, append.row.table)).fetchone()
        for one in append.instructions
    )


def _write(
    connection: sqlite3.Connection, accepted: Sequence[Prepared], stored: dict[str, str | None]
) -> None:
    """Insert the rows and what comes with them; of several appends to a table the last listing counts."""
    sql.INSERT_LOG(connection, [columns for prepared in accepted for columns in prepared.columns])
    _write_timers(connection, [prepared.append for prepared in accepted])
    _write_listings(connection, accepted, stored)
    deals = [
        (one.append.row.table, one.append.deal.secret, one.append.deal.nonce)
        for one in accepted
        if one.append.deal is not None
    ]
    sql.INSERT_DEALS(connection, deals)
    grants = [(one.append.row.table, user) for one in accepted for user in one.append.grants]
    sql.INSERT_GRANTS(connection, grants)
    for one in accepted:
        for user in one.append.revokes:
            for text in sql.REVOKE:
                connection.execute(text, (one.append.row.table, user))
        _write_alerts(connection, one.append)


def _write_alerts(connection: sqlite3.Connection, append: Append) -> None:
    row = append.row
    for user in append.back:
        connection.execute(HAS_COME_BACK.replace("$", "?"), (row.table, user, row.at))
    for turn in append.turns:
        connection.execute(TURN_BEGINS.replace("$", "?"), turn_columns(row.table, row.seq, row.at, turn))


def _write_timers(connection: sqlite3.Connection, appends: Sequence[Append]) -> None:
    timers = {append.row.table: append.timers for append in appends if append.timers is not None}
    if not timers:
        return
    connection.execute(sql.DELETE_TIMERS, (sql.json_list(timers),))
    rows = [(table, timer.key, timer.due, timer.left) for table in timers for timer in timers[table]]
    sql.INSERT_TIMERS(connection, rows)


def _write_listings(
    connection: sqlite3.Connection, accepted: Sequence[Prepared], stored: dict[str, str | None]
) -> None:
    """Replace listings; who is a member is written only where it may have changed, which is rare.

    Members are those who own seats, and the host, who need not sit.
    """
    listings = {one.append.row.table: one for one in accepted if one.listing is not None}
    sql.INSERT_LISTINGS(connection, [one.listing for one in listings.values() if one.listing is not None])
    changed = {
        table: one
        for table, one in listings.items()
        if one.users != stored[table] or _host_without_seat(one.append)
    }
    if not changed:
        return
    connection.execute(sql.DELETE_MEMBERS, (sql.json_list(changed),))
    members = [
        (user, table)
        for table, one in changed.items()
        if one.append.listing is not None
        for user in members_of(one.append.listing)
    ]
    sql.INSERT_MEMBERS(connection, members)


def members_of(listing: Listing) -> tuple[str, ...]:
    """Return the members of a table: the owners of seats, and the host."""
    host = listing.host
    return listing.users if host is None or host in listing.users else (*listing.users, host)


def _host_without_seat(append: Append) -> bool:
    """Whether the host owns no seat."""
    listing = append.listing
    return listing is not None and listing.host is not None and listing.host not in listing.users

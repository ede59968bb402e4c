"""The store in one SQLite file: a thread that writes, in groups, and a thread that reads."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import structs

from bohn.protocol.room import Status
from bohn.server.store import codec
from bohn.server.store import statements as sql
from bohn.server.store.accounts_sql import HoldingAccounts
from bohn.server.store.acquaintances_sql import HoldingAcquaintances
from bohn.server.store.alerts_sql import HoldingAlerts
from bohn.server.store.appending import Prepared, prepare
from bohn.server.store.away_sql import HoldingAway
from bohn.server.store.checkpoints import Checkpoints
from bohn.server.store.failures import closed, unavailable
from bohn.server.store.opened_file import OpenedFile
from bohn.server.store.opening import ServerLock, connect, open_database
from bohn.server.store.operating_sql import Operating, Statement
from bohn.server.store.protocol import (
    CHAT_LINES,
    Append,
    ChatLine,
    DueTimer,
    Link,
    Listing,
    LogRow,
    Outcome,
    RecordHead,
    Report,
    SecretDeal,
    Session,
    Timer,
    User,
)
from bohn.server.store.retaining_sql import SQLITE, Retaining
from bohn.server.store.timers import timers_by_table
from bohn.server.store.transactions import Job, read_each, write_group
from bohn.server.store.worker import Worker

T = TypeVar("T")

ROWS_AT_ONCE = 200
"""Rows of a log that are decoded at once: about a millisecond for which the event loop is blocked."""

_pairs = msgspec.json.Decoder(tuple[tuple[str, int], ...])
_texts = msgspec.json.Decoder(tuple[str, ...])
_numbers = msgspec.json.Decoder(dict[str, int])
_names = msgspec.json.Decoder(frozenset[str])


class SqliteStore(Operating, Retaining, HoldingAccounts, HoldingAcquaintances, HoldingAlerts, HoldingAway):
    """The store in a file at ``path``.

    ``busy`` is how long a lock of another program is waited for, in ms; ``group`` the most tasks of one
    transaction. Without ``exclusive`` several stores may serve a file; each sees what others have committed.
    """

    DIALECT = SQLITE

    def __init__(self, path: Path, *, exclusive: bool = True, busy: int = 2_000, group: int = 256) -> None:
        self.path = path
        self._opened_file = OpenedFile(path)
        self._lock = ServerLock(path) if exclusive else None
        self._busy = busy
        self._group = group
        self._writer: Worker[Prepared | Job] | None = None
        self._reader: Worker[Job] | None = None
        self._checkpoints: Checkpoints | None = None

    async def open(self) -> None:
        """Lock the file, create or migrate, and start both threads; refuse a database that is not ours."""
        serve = partial(write_group, may_commit=self._opened_file.require)
        writer: Worker[Prepared | Job] = Worker("store-writer", self._open_writer, serve, self._group)
        await writer.start()
        reader: Worker[Job] = Worker("store-reader", self._open_reader, read_each, 1)
        try:
            await reader.start()
        except sqlite3.Error as error:
            await self._close_writer(writer)
            raise unavailable(error) from None
        self._writer, self._reader = writer, reader
        self._checkpoints = Checkpoints(self._open_beside)
        self._checkpoints.start()

    def _open_writer(self) -> sqlite3.Connection:
        connection = open_database(self.path, self._lock, self._busy)
        self._opened_file.note()
        return connection

    def _open_beside(self) -> sqlite3.Connection:
        return connect(self.path, self._busy, writing=True)

    def _open_reader(self) -> sqlite3.Connection:
        return connect(self.path, self._busy, writing=False)

    async def close(self) -> None:
        """Write what is waiting, and close; a second call does nothing."""
        writer, reader = self._writer, self._reader
        self._writer = self._reader = None
        if writer is None or reader is None:
            return
        if self._checkpoints is not None:
            await asyncio.get_running_loop().run_in_executor(None, self._checkpoints.stop)
        await reader.stop()  # first, so that the writer as the last one empties the write-ahead log
        await self._close_writer(writer)

    async def _close_writer(self, writer: Worker[Prepared | Job]) -> None:
        await writer.stop()
        if self._lock is not None:
            self._lock.drop()

    async def _ask(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """Read, and see everything that was committed before."""
        if self._reader is None:
            raise closed()
        answer: T = await self._reader.submit(job)
        return answer

    async def _query(self, query: sql.Query[T], *params: object) -> tuple[T, ...]:
        return await self._ask(lambda connection: query(connection, params))

    async def _value(self, text: str, *params: object) -> Any:
        """Return the one value of a query that always has one."""
        return await self._ask(lambda connection: connection.execute(text, params).fetchall()[0][0])

    async def _change(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """Write, and return what came of it once it is on the disk."""
        if self._writer is None:
            raise closed()
        answer: T = await self._writer.submit(job)
        return answer

    async def _insert(self, insert: sql.Insert, *columns: codec.Columns) -> None:
        await self._change(lambda connection: insert(connection, columns))

    async def _execute(self, text: str, *params: object) -> int:
        """Return how many rows a statement has changed."""
        return await self._change(lambda connection: connection.execute(text, params).rowcount)

    # the log

    async def append(self, append: Append) -> Outcome:
        """Commit a batch; when this returns ``Committed``, it survives anything."""
        if self._writer is None:
            raise closed()
        encode = partial(prepare, append)
        prepared = await asyncio.to_thread(encode) if append.behind else encode()
        if self._writer is None:
            raise closed()
        outcome: Outcome = await self._writer.submit(prepared)
        return outcome

    async def rows(self, table: str, after: int = 0, limit: int | None = None) -> tuple[LogRow, ...]:
        """Return the rows of a table behind ``after``, oldest first; none for an unknown table."""
        found: list[LogRow] = []
        while limit is None or len(found) < limit:
            most = ROWS_AT_ONCE if limit is None else min(ROWS_AT_ONCE, limit - len(found))
            part = await self._query(sql.ROWS, table, after, most)
            found += part
            if len(part) < most:
                break
            after = part[-1].seq
        return tuple(found)

    async def news(self, table: str, after: int) -> tuple[tuple[LogRow, ...], tuple[Timer, ...]]:
        """Return the rows of a table behind ``after``, oldest first, and its timers if there are any rows."""
        rows = await self.rows(table, after)
        return rows, await self.timers(table) if rows else ()

    async def find(self, table: str, actor: str, command_id: str) -> LogRow | None:
        """Return what came of a command, or ``None``."""
        return _only(await self._query(sql.FIND, table, actor, command_id))

    async def heads(self, tables: tuple[str, ...]) -> dict[str, int]:
        """Return the last seq of each of these tables that exists."""
        return _numbers.decode(await self._value(sql.HEADS, sql.json_list(tables)))

    async def deal(self, table: str) -> SecretDeal | None:
        """Return the secret of a table's deal."""
        found = await self._ask(lambda connection: connection.execute(sql.DEAL, (table,)).fetchall())
        return SecretDeal(*found[0]) if found else None

    # clocks

    async def timers(self, table: str) -> tuple[Timer, ...]:
        """Return all timers of a table, by key."""
        return await self._query(sql.TIMERS, table)

    async def timers_of(self, tables: tuple[str, ...]) -> dict[str, tuple[Timer, ...]]:
        """Return the timers of each of these tables that has any, by key."""
        return timers_by_table(await self._query(sql.TIMERS_OF, sql.json_list(tables)))

    async def due(self, now: int, limit: int = 200) -> tuple[DueTimer, ...]:
        """Return the timers due by ``now``, earliest first."""
        return await self._query(sql.DUE, now, limit)

    async def beat(self, worker: str, now: int) -> None:
        """Write that this worker is alive."""
        await self._execute(sql.BEAT, worker, now)

    async def last_beat(self) -> int | None:
        """Return when any worker was last alive."""
        found: int | None = await self._value(sql.LAST_BEAT)
        return found

    async def try_reading(self) -> None:
        """Read what was stored last, so that it is known whether anything can be read."""
        await self._value(sql.TRY_READING)

    async def credit(self, worker: str, now: int, since: int = 0, least: int = 0) -> int:
        """Write a beat, and put off timers and invitations by the time before it in which there was none."""

        def credit(connection: sqlite3.Connection) -> int:
            ((last,),) = connection.execute(sql.LAST_BEAT).fetchall()
            connection.execute(sql.BEAT, (worker, now))
            begun = now if last is None else max(last, since)
            if now - begun <= least:
                return 0
            connection.execute(sql.CREDIT_TIMERS, (now - begun,))
            connection.execute(sql.CREDIT_LINKS, (now - begun, begun))
            return now - begun

        return await self._change(credit)

    # the lobby

    async def listings(
        self,
        *,
        listed_only: bool = True,
        statuses: tuple[Status, ...] = ("open", "playing"),
        limit: int = 100,
    ) -> tuple[Listing, ...]:
        """Return tables, newest move first."""
        return await self._query(sql.LISTINGS, sql.json_list(statuses), listed_only, limit)

    async def listings_of(self, user: str, limit: int = 100) -> tuple[Listing, ...]:
        """Return the tables in which a user owns a seat or is host, newest move first."""
        return await self._query(sql.LISTINGS_OF, user, limit)

    async def listing(self, table: str) -> Listing | None:
        """Return one table's listing."""
        return _only(await self._query(sql.LISTING, table))

    async def unowned(self, open_by: int, playing_by: int, limit: int = 100) -> tuple[str, ...]:
        """Return tables in which no seat has an owner and that have not moved since, oldest move first."""
        return _texts.decode(await self._value(sql.UNOWNED, open_by, playing_by, limit))

    async def grant(self, table: str, user: str) -> None:
        """Let a user enter a table that is not listed."""
        await self._insert(sql.INSERT_GRANTS, (table, user))

    async def revoke_grants(self, table: str, user: str) -> None:
        """Undo :meth:`grant`."""
        await self._execute(sql.REVOKE_GRANTS, table, user)

    async def granted(self, table: str, user: str) -> bool:
        """Tell whether a user may enter a table that is not listed."""
        return bool(await self._value(sql.GRANTED, table, user))

    # people

    async def put_user(self, user: User) -> None:
        """Store a user, new or changed."""
        await self._insert(sql.INSERT_USERS, codec.user_columns(user))

    async def users(self, ids: tuple[str, ...]) -> dict[str, User]:
        """Return those of these users that exist."""
        return {user.id: user for user in await self._query(sql.USERS, sql.json_list(ids))}

    async def bots_of(self, user: str) -> tuple[User, ...]:
        """Return the programs that a user has made, oldest first; forgotten ones are nobody's."""
        return await self._query(sql.BOTS_OF, user)

    async def forget_user(self, user: str) -> tuple[tuple[str, int], ...]:
        """Delete all a user has left but his seats; return the deleted lines of chat."""

        def forget(connection: sqlite3.Connection) -> str:
            ((lines,),) = connection.execute(sql.LINES_OF, (user,)).fetchall()
            for text in sql.FORGET:
                connection.execute(text, (user,))
            return str(lines)

        return _pairs.decode(await self._change(forget))

    async def put_session(self, session: Session) -> None:
        """Store a session."""
        await self._insert(sql.INSERT_SESSIONS, codec.session_columns(session))

    async def identity(self, digest: str) -> tuple[Session, User] | None:
        """Return a session by the digest of its secret, and whose it is."""
        session = _only(await self._query(sql.SESSION, digest))
        user = None if session is None else (await self.users((session.user,))).get(session.user)
        return None if session is None or user is None else (session, user)

    async def sessions_of(self, user: str) -> tuple[Session, ...]:
        """Return all sessions of a user, oldest first."""
        return await self._query(sql.SESSIONS_OF, user)

    async def sessions_of_bots(self, user: str) -> tuple[Session, ...]:
        """Return all sessions of the programs that a user has made, oldest first."""
        return await self._query(sql.SESSIONS_OF_BOTS, user)

    async def revoke_session(self, digest: str) -> bool:
        """Delete a session; tell whether there was one."""
        return await self._execute(sql.REVOKE_SESSION, digest) > 0

    async def note_use(self, digest: str, at: int) -> None:
        """Note when a session was used; one that is gone stays gone."""
        await self._execute(sql.NOTE_USE, at, digest)

    async def put_link(self, link: Link) -> None:
        """Store a link."""
        await self._insert(sql.INSERT_LINKS, codec.link_columns(link))

    async def link(self, digest: str) -> Link | None:
        """Return a link by the digest of its token, expired or not."""
        return _only(await self._query(sql.LINK, digest))

    async def links_of(self, table: str) -> tuple[Link, ...]:
        """Return the links to a table, oldest first."""
        return await self._query(sql.LINKS_OF, table)

    async def drop_link(self, digest: str) -> bool:
        """Delete a link; tell whether it was there, so that exactly one of two users gets it."""
        return await self._execute(sql.DROP_LINK, digest) > 0

    # records

    async def keep_record(self, head: RecordHead, text: bytes, most: int) -> int:
        """Store a record; of its user's only the last ``most`` remain. Return how many were deleted."""

        def insert(connection: sqlite3.Connection) -> int:
            connection.execute(sql.INSERT_RECORD, codec.record_columns(head, text))
            return connection.execute(sql.DELETE_OLD_RECORDS, (head.user, most)).rowcount

        return await self._change(insert)

    async def record_head(self, record: str) -> RecordHead | None:
        """Return what is known of a record."""
        return _only(await self._query(sql.RECORD_HEAD, record))

    async def record_text(self, record: str) -> bytes | None:
        """Return the text of a record, as it was handed over."""
        found = await self._ask(lambda connection: connection.execute(sql.RECORD_TEXT, (record,)).fetchall())
        return bytes(found[0][0]) if found else None

    async def records_of(self, user: str) -> tuple[RecordHead, ...]:
        """Return the records of a user, the newest first."""
        return await self._query(sql.RECORDS_OF, user)

    async def drop_record(self, user: str, record: str) -> bool:
        """Delete a record of a user; tell whether there was one."""
        return await self._execute(sql.DROP_RECORD, user, record) > 0

    # chat

    async def say(self, line: ChatLine, most: int = CHAT_LINES) -> ChatLine:
        """Store a line of chat; return it with its number, which counts from 1 by table."""

        def insert(connection: sqlite3.Connection) -> ChatLine:
            ((number,),) = connection.execute(sql.NEXT_LINE, (line.table,)).fetchall()
            numbered = structs.replace(line, id=number)
            sql.INSERT_CHAT(connection, [codec.line_columns(numbered)])
            if number > most:
                connection.execute(sql.DELETE_OLD_LINES, (line.table, number - most))
            return numbered

        return await self._change(insert)

    async def line(self, table: str, number: int) -> ChatLine | None:
        """Return one line of chat, or ``None``."""
        return _only(await self._query(sql.LINE, table, number))

    async def chat(self, table: str, after: int = 0, limit: int = 200) -> tuple[ChatLine, ...]:
        """Return the last ``limit`` lines behind ``after``, oldest first."""
        return await self._query(sql.CHAT, table, after, limit)

    async def lines_by(self, user: str, after: tuple[str, int], limit: int = 500) -> tuple[ChatLine, ...]:
        """Return lines that a user wrote behind a table and line, in the order of tables and lines."""
        return await self._query(sql.LINES_BY, user, *after, limit)

    async def delete_line(self, table: str, line: int) -> bool:
        """Delete a line of chat for good; tell whether it was there."""
        return await self._execute(sql.DELETE_LINE, table, line) > 0

    async def set_mute(self, user: str, muted: str, *, on: bool) -> None:
        """Note whom a user does not want to read."""
        if on:
            await self._insert(sql.INSERT_MUTES, (user, muted))
        else:
            await self._execute(sql.DELETE_MUTE, user, muted)

    async def mutes(self, user: str) -> frozenset[str]:
        """Return whom a user does not want to read."""
        return _names.decode(await self._value(sql.MUTES, user))

    async def report(self, report: Report) -> None:
        """Store a report for the operator."""
        await self._insert(sql.INSERT_REPORTS, codec.report_columns(report))

    async def reports(self, limit: int = 100) -> tuple[Report, ...]:
        """Return the latest reports, newest first."""
        return await self._query(sql.REPORTS, limit)

    async def reports_by(self, user: str) -> tuple[Report, ...]:
        """Return the reports that a user has made, newest first."""
        return await self._query(sql.REPORTS_BY, user)

    # operators

    async def _fetch(self, text: str, *params: Any) -> Sequence[Sequence[Any]]:
        """Return the rows that a query finds."""
        plain = text.replace("$", "?")
        return await self._ask(lambda connection: connection.execute(plain, params).fetchall())

    async def _all_or_none(self, statements: Sequence[Statement]) -> bool:
        """Run statements in one transaction; if the first changes nothing, none is run: return whether."""

        def run(connection: sqlite3.Connection) -> bool:
            for place, (text, params) in enumerate(statements):
                changed = connection.execute(text.replace("$", "?"), params).rowcount
                if place == 0 and not changed:
                    return False
            return True

        return await self._change(run)

    # retention

    async def _changed(self, statements: Sequence[Statement]) -> list[int]:
        """Run statements in one transaction; return how many rows each has changed."""

        def run(connection: sqlite3.Connection) -> list[int]:
            return [
                connection.execute(text.replace("$", "?"), params).rowcount for text, params in statements
            ]

        return await self._change(run)


def _only(found: tuple[T, ...]) -> T | None:
    return found[0] if found else None

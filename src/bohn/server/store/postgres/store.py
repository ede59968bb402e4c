"""The store in PostgreSQL: a pool of connections, one statement an append, any number of processes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any, TypeVar

from msgspec import structs

from bohn.protocol.room import Status
from bohn.server.store import codec
from bohn.server.store.accounts_sql import HoldingAccounts
from bohn.server.store.acquaintances_sql import HoldingAcquaintances
from bohn.server.store.alerts_sql import HoldingAlerts
from bohn.server.store.away_sql import HoldingAway
from bohn.server.store.operating_sql import Operating
from bohn.server.store.operating_sql import Statement as Written
from bohn.server.store.postgres import sharing, sql
from bohn.server.store.postgres.appending import Statement, appending
from bohn.server.store.postgres.connection import CONNECTIONS, PATIENCE
from bohn.server.store.postgres.sharing_store import Sharing
from bohn.server.store.postgres.turns import Turns
from bohn.server.store.protocol import (
    CHAT_LINES,
    Append,
    ChatLine,
    Committed,
    Conflict,
    DueTimer,
    Fenced,
    Link,
    Listing,
    LogRow,
    Outcome,
    RecordHead,
    Repeated,
    Report,
    SecretDeal,
    Session,
    Timer,
    User,
    Withdrawn,
)
from bohn.server.store.retaining_sql import POSTGRES, Retaining
from bohn.server.store.shared import bucket_of
from bohn.server.store.timers import timers_by_table

T = TypeVar("T")


class PostgresStore(
    Sharing, Operating, Retaining, HoldingAccounts, HoldingAcquaintances, HoldingAlerts, HoldingAway
):
    """The store in a PostgreSQL database at ``address``.

    ``connections`` is the size of the pool, ``patience`` how many seconds a database that was lost is asked
    again before :class:`StoreUnavailable` is raised. A password that the address lacks comes from
    ``PGPASSFILE`` or ``PGPASSWORD``.
    """

    DIALECT = POSTGRES

    def __init__(self, address: str, *, connections: int = CONNECTIONS, patience: float = PATIENCE) -> None:
        super().__init__(address, connections=connections, patience=patience)
        self._turns = Turns()

    # the log

    async def append(self, append: Append) -> Outcome:
        """Commit a batch; when this returns ``Committed``, it survives anything.

        Where the connection is lost before the answer it is sent again: it may have been written, and its
        own command tells so.
        """
        encode = partial(appending, append)
        statement = await asyncio.to_thread(encode) if append.behind else encode()
        attempts = 0

        async def write(connection: Any) -> Outcome:
            nonlocal attempts
            attempts += 1
            return await _append(connection, append, statement, again=attempts > 1)

        async with self._turns.turn(append.row.table):
            return await self._until_done(write)

    async def rows(self, table: str, after: int = 0, limit: int | None = None) -> tuple[LogRow, ...]:
        """Return the rows of a table behind ``after``, oldest first; none for an unknown table."""
        return await self._query(sql.ROWS, table, after, limit)

    async def news(self, table: str, after: int) -> tuple[tuple[LogRow, ...], tuple[Timer, ...]]:
        """Return the rows of a table behind ``after``, oldest first, and its timers if there are any rows.

        One statement: whoever hears of a row of another worker asks for both.
        """
        found = await self._query(sql.NEWS, table, after)
        return tuple(row for row, _ in found), found[-1][1] if found else ()

    async def find(self, table: str, actor: str, command_id: str) -> LogRow | None:
        """Return what came of a command, or ``None``."""
        return _only(await self._query(sql.FIND, table, actor, command_id))

    async def heads(self, tables: tuple[str, ...]) -> dict[str, int]:
        """Return the last seq of each of these tables that exists."""
        return dict(await self._until_done(lambda connection: connection.fetch(sql.HEADS, list(tables))))

    async def deal(self, table: str) -> SecretDeal | None:
        """Return the secret of a table's deal."""
        found = await self._until_done(lambda connection: connection.fetchrow(sql.DEAL, table))
        return None if found is None else SecretDeal(*found)

    # clocks

    async def timers(self, table: str) -> tuple[Timer, ...]:
        """Return all timers of a table, by key."""
        return await self._query(sql.TIMERS, table)

    async def timers_of(self, tables: tuple[str, ...]) -> dict[str, tuple[Timer, ...]]:
        """Return the timers of each of these tables that has any, by key."""
        return timers_by_table(await self._query(sql.TIMERS_OF, list(tables)))

    async def due(self, now: int, limit: int = 200) -> tuple[DueTimer, ...]:
        """Return the timers due by ``now``, earliest first."""
        return await self._query(sql.DUE, now, limit)

    async def beat(self, worker: str, now: int) -> None:
        """Write that this worker is alive."""
        await self._put(sql.BEAT, worker, now)

    async def last_beat(self) -> int | None:
        """Return when any worker was last alive."""
        found: int | None = await self._value(sql.LAST_BEAT)
        return found

    async def try_reading(self) -> None:
        """Read a little of what is stored, so that it is known whether anything can be read."""
        await self._value(sql.TRY_READING)

    async def credit(self, worker: str, now: int, since: int = 0, least: int = 0) -> int:
        """Write a beat, and put off timers and invitations by the time before it in which there was none."""

        async def credit(connection: Any) -> int:
            async with connection.transaction():
                await connection.execute(sql.LOCK_BEATS)
                last = await connection.fetchval(sql.LAST_BEAT)
                await connection.execute(sql.BEAT, worker, now)
                begun = now if last is None else max(last, since)
                if now - begun <= least:
                    return 0
                await connection.execute(sql.CREDIT_TIMERS, now - begun)
                await connection.execute(sql.CREDIT_LINKS, now - begun, begun)
                return now - begun

        return await self._once(credit)

    # the lobby

    async def listings(
        self,
        *,
        listed_only: bool = True,
        statuses: tuple[Status, ...] = ("open", "playing"),
        limit: int = 100,
    ) -> tuple[Listing, ...]:
        """Return tables, newest move first."""
        return await self._query(sql.LISTINGS, list(statuses), listed_only, limit)

    async def listings_of(self, user: str, limit: int = 100) -> tuple[Listing, ...]:
        """Return the tables in which a user owns a seat or is host, newest move first."""
        return await self._query(sql.LISTINGS_OF, user, limit)

    async def listing(self, table: str) -> Listing | None:
        """Return one table's listing."""
        return _only(await self._query(sql.LISTING, table))

    async def unowned(self, open_by: int, playing_by: int, limit: int = 100) -> tuple[str, ...]:
        """Return tables in which no seat has an owner and that have not moved since, oldest move first."""
        found = await self._until_done(
            lambda connection: connection.fetch(sql.UNOWNED, open_by, playing_by, limit)
        )
        return tuple(table for (table,) in found)

    async def grant(self, table: str, user: str) -> None:
        """Let a user enter a table that is not listed."""
        await self._put(sql.GRANT, table, user)

    async def revoke_grants(self, table: str, user: str) -> None:
        """Undo :meth:`grant`."""
        await self._put(sql.REVOKE_GRANTS, table, user)

    async def granted(self, table: str, user: str) -> bool:
        """Tell whether a user may enter a table that is not listed."""
        return bool(await self._value(sql.GRANTED, table, user))

    # people

    async def put_user(self, user: User) -> None:
        """Store a user, new or changed."""
        await self._put(sql.PUT_USER, *codec.user_columns(user))

    async def users(self, ids: tuple[str, ...]) -> dict[str, User]:
        """Return those of these users that exist."""
        return {user.id: user for user in await self._query(sql.USERS, list(ids))}

    async def bots_of(self, user: str) -> tuple[User, ...]:
        """Return the programs that a user has made, oldest first; forgotten ones are nobody's."""
        return await self._query(sql.BOTS_OF, user)

    async def forget_user(self, user: str) -> tuple[tuple[str, int], ...]:
        """Delete all a user has left but his seats; return the deleted lines of chat."""
        found = await self._once(lambda connection: connection.fetch(sql.FORGET, user))
        return tuple((table, line) for table, line in found)

    async def put_session(self, session: Session) -> None:
        """Store a session."""
        await self._put(sql.PUT_SESSION, *codec.session_columns(session))

    async def identity(self, digest: str) -> tuple[Session, User] | None:
        """Return a session by the digest of its secret, and whose it is."""
        return _only(await self._query(sql.IDENTITY, digest))

    async def sessions_of(self, user: str) -> tuple[Session, ...]:
        """Return all sessions of a user, oldest first."""
        return await self._query(sql.SESSIONS_OF, user)

    async def sessions_of_bots(self, user: str) -> tuple[Session, ...]:
        """Return all sessions of the programs that a user has made, oldest first."""
        return await self._query(sql.SESSIONS_OF_BOTS, user)

    async def revoke_session(self, digest: str) -> bool:
        """Delete a session; tell whether there was one."""
        return await self._count(sql.REVOKE_SESSION, digest) > 0

    async def note_use(self, digest: str, at: int) -> None:
        """Note when a session was used; one that is gone stays gone."""
        await self._put(sql.NOTE_USE, at, digest)

    async def put_link(self, link: Link) -> None:
        """Store a link."""
        await self._put(sql.PUT_LINK, *codec.link_columns(link))

    async def link(self, digest: str) -> Link | None:
        """Return a link by the digest of its token, expired or not."""
        return _only(await self._query(sql.LINK, digest))

    async def links_of(self, table: str) -> tuple[Link, ...]:
        """Return the links to a table, oldest first."""
        return await self._query(sql.LINKS_OF, table)

    async def drop_link(self, digest: str) -> bool:
        """Delete a link; tell whether it was there, so that exactly one of two users gets it."""
        return await self._count(sql.DROP_LINK, digest) > 0

    # records

    async def keep_record(self, head: RecordHead, text: bytes, most: int) -> int:
        """Store a record; of its user's only the last ``most`` remain. Return how many were deleted."""

        async def keep(connection: Any) -> int:
            async with connection.transaction():
                await connection.execute(sql.KEEP_RECORD, *codec.record_columns(head, text))
                told: str = await connection.execute(sql.DROP_OLD_RECORDS, head.user, most)
                return int(told.rpartition(" ")[2])

        return await self._once(keep)

    async def record_head(self, record: str) -> RecordHead | None:
        """Return what is known of a record."""
        return _only(await self._query(sql.RECORD_HEAD, record))

    async def record_text(self, record: str) -> bytes | None:
        """Return the text of a record, as it was handed over."""
        found: bytes | None = await self._value(sql.RECORD_TEXT, record)
        return found

    async def records_of(self, user: str) -> tuple[RecordHead, ...]:
        """Return the records of a user, the newest first."""
        return await self._query(sql.RECORDS_OF, user)

    async def drop_record(self, user: str, record: str) -> bool:
        """Delete a record of a user; tell whether there was one."""
        return await self._count(sql.DROP_RECORD, user, record) > 0

    # chat

    async def say(self, line: ChatLine, most: int = CHAT_LINES) -> ChatLine:
        """Store a line of chat; return it with its number, which counts from 1 by table."""
        columns = (line.table, line.user, line.at, line.text, line.key, most)
        number = await self._once(lambda connection: connection.fetchval(sql.SAY, *columns))
        return structs.replace(line, id=number)

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
        return await self._count(sql.DELETE_LINE, table, line) > 0

    async def set_mute(self, user: str, muted: str, *, on: bool) -> None:
        """Note whom a user does not want to read."""
        await self._put(sql.MUTE if on else sql.UNMUTE, user, muted)

    async def mutes(self, user: str) -> frozenset[str]:
        """Return whom a user does not want to read."""
        found = await self._until_done(lambda connection: connection.fetch(sql.MUTES, user))
        return frozenset(muted for (muted,) in found)

    async def report(self, report: Report) -> None:
        """Store a report for the operator."""
        await self._count(sql.REPORT, *codec.report_columns(report))

    async def reports(self, limit: int = 100) -> tuple[Report, ...]:
        """Return the latest reports, newest first."""
        return await self._query(sql.REPORTS, limit)

    async def reports_by(self, user: str) -> tuple[Report, ...]:
        """Return the reports that a user has made, newest first."""
        return await self._query(sql.REPORTS_BY, user)

    # operators

    async def _fetch(self, text: str, *params: Any) -> Sequence[Sequence[Any]]:
        """Return the rows that a query finds."""
        found: Sequence[Sequence[Any]] = await self._until_done(
            lambda connection: connection.fetch(text, *params)
        )
        return [tuple(row) for row in found]

    async def _all_or_none(self, statements: Sequence[Written]) -> bool:
        """Run statements in one transaction; if the first changes nothing, none is run: return whether."""

        async def run(connection: Any) -> bool:
            async with connection.transaction():
                for place, (text, params) in enumerate(statements):
                    told: str = await connection.execute(text, *params)
                    if place == 0 and told.endswith(" 0"):
                        return False
            return True

        return await self._once(run)

    # retention

    async def _changed(self, statements: Sequence[Written]) -> list[int]:
        """Run statements in one transaction; return how many rows each has changed."""

        async def run(connection: Any) -> list[int]:
            async with connection.transaction():
                told = [await connection.execute(text, *params) for text, params in statements]
            return [int(one.rpartition(" ")[2]) for one in told]

        return await self._once(run)

    # what people leave

    def _counted_alone(self, key: str) -> Sequence[Written]:
        """Keep other transactions out that count by the same key."""
        return [(sharing.COUNT_IN_TRANSACTION, (key,))]


async def _append(connection: Any, append: Append, statement: Statement, *, again: bool) -> Outcome:
    """Write, or find out why not; ``again``: the row that is found there may be this very one."""
    row = append.row
    if await connection.fetchval(statement.text, *statement.values) is not None:
        return Committed()
    found = await connection.fetch(sql.FIND.text, row.table, row.actor, row.command_id)
    if not found:
        if append.epoch is not None and await _epoch_of(connection, row.table) != append.epoch:
            return Fenced()
        waits = not append.gathered or await _waits(connection, row)
        return Conflict() if waits else Withdrawn()
    (known,) = sql.FIND.read(found)
    return Committed() if again and known == row else Repeated(known)


async def _epoch_of(connection: Any, table: str) -> int:
    epoch: int = await connection.fetchval("SELECT epoch FROM leases WHERE bucket = $1", bucket_of(table))
    return epoch


async def _waits(connection: Any, row: LogRow) -> bool:
    """Tell whether the acceptance of a row waits still."""
    found: bool = await connection.fetchval(
        "SELECT EXISTS (SELECT 1 FROM acceptances WHERE table_id = $1 AND actor = $2 AND command_id = $3)",
        row.table,
        row.actor,
        row.command_id,
    )
    return found


def _only(found: tuple[T, ...]) -> T | None:
    return found[0] if found else None

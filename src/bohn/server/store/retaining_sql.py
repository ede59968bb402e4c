"""The SQL of retention, for SQLite and PostgreSQL alike, and the part of both stores that runs it.

Parameters are written ``$1``; SQLite calls them ``?1``. Lists of ids come as one JSON parameter.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from bohn.server.store.alerts import UNVERIFIED_FOR
from bohn.server.store.operating_sql import Statement
from bohn.server.store.retaining import BEGINNING, Guest, Holdings, OverStatus, OverTable, Swept, Thinned


class Dialect(Struct, frozen=True):
    """How a database says what they say differently; ``{0}`` is a query for ids."""

    among: str
    ids: str
    size: str


SQLITE = Dialect(
    among="IN ({0})",
    ids="SELECT value FROM json_each($1)",
    size="SELECT page_count * page_size, freelist_count * page_size"
    " FROM pragma_page_count(), pragma_page_size(), pragma_freelist_count()",
)
POSTGRES = Dialect(
    among="= ANY(ARRAY({0}))",  # an array is looked up in the index, whatever the planner thinks of the query
    ids="SELECT jsonb_array_elements_text($1::jsonb)",
    size="SELECT pg_database_size(current_database()), NULL",
)

OF_A_TABLE = (
    "deals", "timers", "members", "grants", "links", "chat", "chat_heads", "presence", "acceptances",
    "closings", "invitations", "alerts", "orders", "listings",
)  # fmt: skip
"""What goes with the last row of a log; the listing last, for it tells that the others are to go."""

_OPEN_REPORT = """
    SELECT 1 FROM reports
    WHERE reports.table_id = {0}.table_id
        AND NOT EXISTS (SELECT 1 FROM deeds WHERE deeds.report = reports.id)
"""
_STILL = "status || '' = $1 AND moved + 0 <= $2"
"""What tables that are named must be to go; so written SQLite looks them up by their ids, not by status."""

_ATTENDED = "EXISTS (SELECT 1 FROM presence WHERE presence.table_id = listings.table_id)"
_STAYS = f"""
    EXISTS ({_OPEN_REPORT.format("listings")})
    OR {_ATTENDED}
"""
"""Tables that stay although they are due: a report about them is open, or somebody is present."""

OVER = f"""
    SELECT table_id, status, moved,
           coalesce((SELECT max(seq) FROM log WHERE log.table_id = listings.table_id), 0)
    FROM listings
    WHERE status = $1 AND moved <= $2 AND moved >= $3 AND (moved > $3 OR table_id > $4) AND NOT ({_STAYS})
    ORDER BY moved, table_id LIMIT $5
"""  # noqa: S608 - constants
COUNT_OVER = """
    SELECT count(*), count(CASE WHEN status = 'finished' AND moved <= $1 THEN 1
                                WHEN status = 'abandoned' AND moved <= $2 THEN 1 END), min(moved)
    FROM listings WHERE status IN ('finished', 'abandoned')
"""

_COOKIES = "SELECT digest FROM sessions WHERE used <= $1 AND cookie ORDER BY used LIMIT $2"
DROP_COOKIES = f"DELETE FROM sessions WHERE digest IN ({_COOKIES})"  # noqa: S608 - constants
DROP_LINKS = "DELETE FROM links WHERE digest IN (SELECT digest FROM links WHERE expires <= $1 LIMIT $2)"
DROP_UNVERIFIED = """
    DELETE FROM channels WHERE id IN (
        SELECT id FROM channels WHERE NOT verified AND created <= $1 ORDER BY created LIMIT $2
    )
"""

LAST_LINE = """
    SELECT table_id, id FROM (
        SELECT table_id, id FROM chat WHERE (table_id, id) > ($1, $2) ORDER BY table_id, id LIMIT $3
    ) AS page ORDER BY table_id DESC, id DESC LIMIT 1
"""
SWEEP_CHAT = f"""
    DELETE FROM chat WHERE (table_id, id) > ($1, $2) AND (table_id, id) <= ($3, $4) AND at <= $5
        AND NOT EXISTS ({_OPEN_REPORT.format("chat")})
"""  # noqa: S608 - constants
LAST_RECORD = """
    SELECT id FROM (SELECT id FROM records WHERE id > $1 ORDER BY id LIMIT $2) AS page
    ORDER BY id DESC LIMIT 1
"""
SWEEP_RECORDS = "DELETE FROM records WHERE id > $1 AND id <= $2 AND at <= $3"

GUESTS = """
    SELECT id, name <> '', created,
           (SELECT max(used) FROM sessions WHERE user_id = page.id),
           EXISTS (SELECT 1 FROM members WHERE user_id = page.id),
           EXISTS (SELECT 1 FROM members JOIN listings USING (table_id)
                   WHERE user_id = page.id AND status IN ('open', 'playing')),
           EXISTS (SELECT 1 FROM sessions WHERE user_id = page.id AND NOT cookie)
           OR EXISTS (SELECT 1 FROM users AS made JOIN sessions ON sessions.user_id = made.id
                      WHERE made.made_by = page.id AND NOT sessions.cookie),
           EXISTS (SELECT 1 FROM accounts WHERE user_id = page.id)
    FROM (SELECT id, name, created FROM users WHERE id > $1 ORDER BY id LIMIT $2) AS page ORDER BY id
"""
DROP_REPORTS = """
    DELETE FROM reports WHERE id IN (
        SELECT id FROM reports
        WHERE at <= $1 AND id IN (SELECT report FROM deeds) AND id < (SELECT max(id) FROM reports)
        ORDER BY at, id LIMIT $2
    )
"""
DROP_SANCTIONS = """
    DELETE FROM sanctions WHERE id IN (
        SELECT id FROM sanctions WHERE until <= $1 OR lifted <= $1 ORDER BY deed LIMIT $2
    )
"""
DROP_TAKINGS = """
    DELETE FROM takings WHERE (bucket, epoch) IN (
        SELECT bucket, epoch FROM takings WHERE at <= $1 LIMIT $2
    )
"""
DROP_BEATS = """
    DELETE FROM beats WHERE worker IN (
        SELECT worker FROM beats WHERE at <= $1 AND at < (SELECT max(at) FROM beats) LIMIT $2
    )
"""
UNMOVED = f"""
    SELECT table_id FROM listings
    WHERE status IN ('open', 'playing') AND moved <= $1 AND NOT {_ATTENDED}
    ORDER BY moved, table_id LIMIT $2
"""  # noqa: S608 - constants


class Retaining(ABC):
    """What :class:`bohn.server.store.retaining.RetentionStore` offers, over two ways to run statements."""

    DIALECT: Dialect

    @abstractmethod
    async def _fetch(self, text: str, *params: Any) -> Sequence[Sequence[Any]]:
        """Return the rows that a query finds."""

    @abstractmethod
    async def _changed(self, statements: Sequence[Statement]) -> list[int]:
        """Run statements in one transaction; return how many rows each has changed."""

    async def over(
        self, status: OverStatus, by: int, after: tuple[int, str] = BEGINNING, limit: int = 100
    ) -> tuple[OverTable, ...]:
        """Return tables of a status that have not moved since a time, longest first."""
        found = await self._fetch(OVER, status, by, *after, limit)
        return tuple(OverTable(*row) for row in found)

    async def thin(self, tables: tuple[str, ...], status: OverStatus, by: int, upto: int) -> Thinned:
        """Delete the rows of such tables up to a seq; with its last row all of a table."""
        ids = msgspec.json.encode(tables).decode()
        among = self._among(self.DIALECT.ids.replace("$1", "$3"))
        still_due = f"""
            SELECT table_id FROM listings WHERE table_id {among} AND {_STILL} AND NOT ({_STAYS})
        """  # noqa: S608 - constants
        empty = f"""
            SELECT table_id FROM listings
            WHERE table_id {self._among(self.DIALECT.ids)} AND status || '' IN ('finished', 'abandoned')
                AND NOT EXISTS (SELECT 1 FROM log WHERE log.table_id = listings.table_id)
        """  # noqa: S608 - constants
        log = f"DELETE FROM log WHERE seq <= $4 AND table_id {self._among(still_due)}"  # noqa: S608 - constants
        statements: list[Statement] = [(log, (status, by, ids, upto))]
        statements += [
            (f"DELETE FROM {name} WHERE table_id {self._among(empty)}", (ids,))  # noqa: S608 - constants
            for name in OF_A_TABLE
        ]
        changed = await self._changed(statements)
        return Thinned(changed[0], changed[-1])

    def _among(self, query: str) -> str:
        return self.DIALECT.among.format(query)

    async def drop_expired(self, now: int, unused_since: int, limit: int = 500) -> int:
        """Delete up to ``limit`` expired links, unused cookies, and channels that nobody has verified, each.

        Return how many were deleted.
        """
        statements: list[Statement] = [
            (DROP_COOKIES, (unused_since, limit)),
            (DROP_LINKS, (now, limit)),
            (DROP_UNVERIFIED, (now - UNVERIFIED_FOR, limit)),
        ]
        return sum(await self._changed(statements))

    async def sweep_chat(self, by: int, after: tuple[str, int], limit: int = 500) -> Swept:
        """Look at lines of chat behind a table and line, and delete those written by then."""
        for table, line in await self._fetch(LAST_LINE, *after, limit):
            (removed,) = await self._changed([(SWEEP_CHAT, (*after, table, line, by))])
            return Swept(removed, (table, line))
        return Swept(0, None)

    async def sweep_records(self, by: int, after: tuple[str, int], limit: int = 100) -> Swept:
        """Look at stored records behind an id, and delete those stored by then."""
        for (record,) in await self._fetch(LAST_RECORD, after[0], limit):
            (removed,) = await self._changed([(SWEEP_RECORDS, (after[0], record, by))])
            return Swept(removed, (record, 0))
        return Swept(0, None)

    async def guests(self, after: str = "", limit: int = 200) -> tuple[Guest, ...]:
        """Return users behind an id, in the order of their ids."""
        found = await self._fetch(GUESTS, after, limit)
        return tuple(
            Guest(user, bool(named), created, used, *map(bool, flags))
            for user, named, created, used, *flags in found
        )

    async def drop_users(self, users: tuple[str, ...]) -> int:
        """Delete those of these users who are forgotten and sit nowhere; return how many were deleted."""
        text = f"""
            DELETE FROM users WHERE id {self._among(self.DIALECT.ids)} AND name = ''
                AND NOT EXISTS (SELECT 1 FROM members WHERE user_id = users.id)
                AND NOT EXISTS (SELECT 1 FROM sessions WHERE user_id = users.id)
        """  # noqa: S608 - constants
        (removed,) = await self._changed([(text, (msgspec.json.encode(users).decode(),))])
        return removed

    async def drop_reports(self, by: int, limit: int = 100) -> int:
        """Delete reports made by then that something was done about; return how many were deleted."""
        (removed,) = await self._changed([(DROP_REPORTS, (by, limit))])
        return removed

    async def drop_sanctions(self, by: int, limit: int = 500) -> int:
        """Delete sanctions that had ended or were lifted by then; return how many were deleted."""
        (removed,) = await self._changed([(DROP_SANCTIONS, (by, limit))])
        return removed

    async def drop_history(self, by: int, limit: int = 1_000) -> int:
        """Delete takings of leases and beats noted by then, but for the last beat; return how many."""
        return sum(await self._changed([(DROP_TAKINGS, (by, limit)), (DROP_BEATS, (by, limit))]))

    async def unmoved(self, by: int, limit: int = 100) -> tuple[str, ...]:
        """Return tables that are open or in play and have not moved since a time, longest first."""
        return tuple(row[0] for row in await self._fetch(UNMOVED, by, limit))

    async def holdings(self, finished: int, abandoned: int) -> Holdings:
        """Return how much is stored, and how much of it is due."""
        ((over, due, oldest),) = await self._fetch(COUNT_OVER, finished, abandoned)
        ((size, free),) = await self._fetch(self.DIALECT.size)
        return Holdings(over, due, oldest, size, free)

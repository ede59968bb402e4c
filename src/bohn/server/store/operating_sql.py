"""The SQL of operators, for SQLite and PostgreSQL alike, and the part of both stores that runs it.

Parameters are written ``$1``; SQLite calls them ``?1``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from msgspec.structs import astuple, replace

from bohn.server.store.operating import (
    FIRST_CHAIN,
    Closing,
    Counts,
    Deed,
    Effect,
    FiledReport,
    OperatorKey,
    Sanction,
    SeenUser,
    SetLimit,
    chained,
)
from bohn.server.store.protocol import StoreUnavailable

ATTEMPTS = 50
"""Times a deed is tried while others write theirs; each time somebody else has got one in."""

Statement = tuple[str, tuple[Any, ...]]

_DEED = "id, at, by_whom, deed, about, text, until, sanction, report, chain"
DEEDS = f"SELECT {_DEED} FROM deeds WHERE id > $1 ORDER BY id LIMIT $2"  # noqa: S608 - a constant
LAST = f"SELECT {_DEED} FROM deeds ORDER BY id DESC LIMIT 1"  # noqa: S608 - a constant
ABOUT = f"SELECT {_DEED} FROM deeds WHERE report = $1 ORDER BY id"  # noqa: S608 - a constant
WRITE = f"""
    INSERT INTO deeds ({_DEED})
    SELECT CAST($1 AS BIGINT), CAST($2 AS BIGINT), CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS TEXT),
           CAST($6 AS TEXT), CAST($7 AS BIGINT), CAST($8 AS TEXT), CAST($9 AS BIGINT), CAST($10 AS TEXT)
    WHERE (SELECT coalesce(max(id), 0) FROM deeds) = CAST($1 AS BIGINT) - 1
    ON CONFLICT DO NOTHING
"""  # noqa: S608 - a constant
"""Writes nothing if somebody was quicker."""

_SANCTION = "id, kind, user_id, network, begun, until, reason, deed"
SANCTIONS = f"""
    SELECT {_SANCTION} FROM sanctions WHERE lifted IS NULL AND (until IS NULL OR until > $1) ORDER BY deed
"""  # noqa: S608 - a constant
BEGIN_SANCTION = f"INSERT INTO sanctions ({_SANCTION}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"  # noqa: S608 - constant
LIFT = "UPDATE sanctions SET lifted = $1 WHERE id = $2 AND lifted IS NULL"
CLOSINGS = """
    SELECT closings.table_id, word, deed FROM closings JOIN listings USING (table_id)
    WHERE status IN ('open', 'playing') ORDER BY deed
"""
CLOSE = """
    INSERT INTO closings (table_id, word, deed) VALUES ($1, $2, $3)
    ON CONFLICT (table_id) DO UPDATE SET word = excluded.word, deed = excluded.deed
"""
LIMITS = "SELECT name, value FROM limits ORDER BY name"
SET_LIMIT = """
    INSERT INTO limits (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value
"""
RESET_LIMIT = "DELETE FROM limits WHERE name = $1"
_KEY = "digest, id, kind, created, expires, network"
KEY = f"SELECT {_KEY} FROM operator_keys WHERE digest = $1"  # noqa: S608 - a constant
PUT_KEY = f"INSERT INTO operator_keys ({_KEY}) VALUES ($1, $2, $3, $4, $5, $6)"  # noqa: S608 - a constant
DROP_KEY = "DELETE FROM operator_keys WHERE digest = $1"
DROP_KEYS = "DELETE FROM operator_keys WHERE expires <= $1"
REPORTS = """
    SELECT id, table_id, line, by_user, against, at, text, reason, settled
    FROM (SELECT reports.*, EXISTS (SELECT 1 FROM deeds WHERE deeds.report = reports.id) AS settled
          FROM reports) AS filed
    WHERE $2 = 0 OR id = $2 ORDER BY settled, at DESC, id DESC LIMIT $1
"""
FIND_USERS = """
    SELECT id, name, language, created, bot, made_by, used
    FROM (SELECT users.*, coalesce((SELECT max(used) FROM sessions WHERE user_id = users.id), 0) AS used
          FROM users WHERE name <> '') AS seen
    WHERE CAST($1 AS TEXT) = '' OR id = $1 OR lower(name) LIKE $2 ESCAPE '!'
    ORDER BY used DESC, created DESC, id LIMIT $3
"""
COUNT_PEOPLE = "SELECT count(*) FROM users WHERE name <> ''"
COUNT_TABLES = "SELECT status, count(*) FROM listings GROUP BY status ORDER BY status"
COUNT_REPORTS = "SELECT count(*) FROM reports WHERE id NOT IN (SELECT report FROM deeds)"


def effects(deed: Deed, effect: Effect) -> list[Statement]:
    """Return what is written with a deed, which has its number."""
    if isinstance(effect, Sanction):
        return [(BEGIN_SANCTION, astuple(replace(effect, deed=deed.id)))]
    if isinstance(effect, Closing):
        return [(CLOSE, (effect.table, effect.word, deed.id))]
    if isinstance(effect, SetLimit):
        return [(SET_LIMIT, astuple(effect))]
    if isinstance(effect, OperatorKey):
        return [(DROP_KEYS, (deed.at,)), (PUT_KEY, astuple(effect))]
    if deed.deed == "lift":
        return [(LIFT, (deed.at, deed.sanction))]
    return [(RESET_LIMIT, (deed.about,))] if deed.deed == "unlimit" else []


def pattern(text: str) -> str:
    """Return the pattern of what has a text in it, whatever letters are in that."""
    plain = text.lower().replace("!", "!!").replace("%", "!%").replace("_", "!_")
    return f"%{plain}%"


class Operating(ABC):
    """What :class:`bohn.server.store.operating.OperatorStore` offers, over two ways to run statements."""

    @abstractmethod
    async def _fetch(self, text: str, *params: Any) -> Sequence[Sequence[Any]]:
        """Return the rows that a query finds."""

    @abstractmethod
    async def _all_or_none(self, statements: Sequence[Statement]) -> bool:
        """Run statements in one transaction; if the first changes nothing, none is run: return whether."""

    async def write_deed(self, deed: Deed, effect: Effect = None) -> Deed:
        """Append a deed to the log, whatever its ``id``, with its effect; return it as it was written."""
        for _ in range(ATTEMPTS):
            last = next((Deed(*row) for row in await self._fetch(LAST)), None)
            number, before = (1, FIRST_CHAIN) if last is None else (last.id + 1, last.chain)
            written = chained(replace(deed, id=number), before)
            if await self._all_or_none([(WRITE, astuple(written)), *effects(written, effect)]):
                return written
        msg = "others write to the log of operators without a pause; try again"
        raise StoreUnavailable("locked", msg)

    async def deeds(self, after: int = 0, limit: int = 1_000) -> tuple[Deed, ...]:
        """Return the deeds behind ``after``, oldest first."""
        return tuple(Deed(*row) for row in await self._fetch(DEEDS, after, limit))

    async def last_deed(self) -> int:
        """Return the number of the last deed, 0 without any."""
        return next((row[0] for row in await self._fetch(LAST)), 0)

    async def deeds_about(self, report: int) -> tuple[Deed, ...]:
        """Return what was done about a report, oldest first."""
        return tuple(Deed(*row) for row in await self._fetch(ABOUT, report))

    async def sanctions(self, now: int) -> tuple[Sanction, ...]:
        """Return the sanctions that hold at ``now``, oldest first."""
        return tuple(Sanction(*row) for row in await self._fetch(SANCTIONS, now))

    async def closings(self) -> tuple[Closing, ...]:
        """Return the tables that are to be closed and are not over yet."""
        return tuple(Closing(*row) for row in await self._fetch(CLOSINGS))

    async def set_limits(self) -> tuple[SetLimit, ...]:
        """Return the limits that operators have set, by name."""
        return tuple(SetLimit(*row) for row in await self._fetch(LIMITS))

    async def operator_key(self, digest: str) -> OperatorKey | None:
        """Return a link or session, expired or not."""
        return next((OperatorKey(*row) for row in await self._fetch(KEY, digest)), None)

    async def drop_operator_key(self, digest: str) -> bool:
        """Delete a link or session; tell whether it was there, so that exactly one of two gets it."""
        return await self._all_or_none([(DROP_KEY, (digest,))])

    async def filed_reports(self, limit: int = 100, report: int = 0) -> tuple[FiledReport, ...]:
        """Return reports, those that nothing was done about first, then the newest; or that of a number."""
        found = await self._fetch(REPORTS, limit, report)
        return tuple(replace(FiledReport(*row), settled=bool(row[-1])) for row in found)

    async def find_users(self, text: str, limit: int = 50) -> tuple[SeenUser, ...]:
        """Return users whose id is ``text`` or whose name has it in it, those here last first."""
        if not text.isprintable():
            return ()  # nobody has such a name or id, and no database takes all of it
        found = await self._fetch(FIND_USERS, text, pattern(text), limit)
        return tuple(replace(SeenUser(*row), bot=bool(row[4])) for row in found)

    async def counts(self) -> Counts:
        """Return how much is stored."""
        ((people,),) = await self._fetch(COUNT_PEOPLE)
        tables = {str(row[0]): int(row[1]) for row in await self._fetch(COUNT_TABLES)}
        ((reports,),) = await self._fetch(COUNT_REPORTS)
        return Counts(people, tables, reports)

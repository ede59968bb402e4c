"""The SQL of acquaintances and results, for SQLite and PostgreSQL alike, and the part of stores that runs it.

Parameters are written ``$1``; SQLite calls them ``?1``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import astuple

from bohn.server.store.acquaintances import (
    INVITATIONS_SHOWN,
    Against,
    GameResult,
    Invitation,
    Tallied,
    Wanted,
)
from bohn.server.store.operating_sql import Statement
from bohn.server.store.retaining_sql import Dialect

BLOCK = "INSERT INTO blocks (user_id, blocked) VALUES ($1, $2) ON CONFLICT DO NOTHING"
UNBLOCK = "DELETE FROM blocks WHERE user_id = $1 AND blocked = $2"
PART = (
    "DELETE FROM follows WHERE user_id = $1 AND followed = $2",
    "DELETE FROM follows WHERE user_id = $2 AND followed = $1",
    "DELETE FROM invitations WHERE to_user = $1 AND by_user = $2",
)
"""What ends with a block; each takes who blocks, and whom."""
BLOCKED_BY = "SELECT blocked FROM blocks WHERE user_id = $1"
BLOCKERS_OF = "SELECT user_id FROM blocks WHERE blocked = $1"
UNREAD = "SELECT muted FROM mutes WHERE user_id = $1 UNION SELECT blocked FROM blocks WHERE user_id = $1"

FOLLOW = """
    INSERT INTO follows (user_id, followed, at)
    SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS BIGINT)
    WHERE NOT EXISTS (SELECT 1 FROM blocks WHERE user_id = $2 AND blocked = $1)
    ON CONFLICT DO NOTHING
"""
UNFOLLOW = "DELETE FROM follows WHERE user_id = $1 AND followed = $2"
FOLLOWS_OF = "SELECT followed FROM follows WHERE user_id = $1 ORDER BY at, followed"

_INVITATION = "to_user, table_id, by_user, at"
INVITE = """
    INSERT INTO invitations (to_user, table_id, by_user, at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING
"""
LET_ENTER = "INSERT INTO grants (table_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING"
INVITATIONS_OF = f"""
    SELECT {_INVITATION} FROM invitations
    WHERE to_user = $1 AND at >= $2
        AND EXISTS (SELECT 1 FROM listings WHERE listings.table_id = invitations.table_id
                    AND status IN ('open', 'playing'))
    ORDER BY at DESC, table_id, by_user LIMIT {INVITATIONS_SHOWN}
"""  # noqa: S608 - constants
INVITATIONS_BY = (
    f"SELECT {_INVITATION} FROM invitations WHERE by_user = $1 ORDER BY at DESC, table_id, to_user"  # noqa: S608 - a constant
)
DROP_INVITATIONS = "DELETE FROM invitations WHERE to_user = $1 AND table_id = $2"

MAKE_PRIVATE = "INSERT INTO private_profiles (user_id) VALUES ($1) ON CONFLICT DO NOTHING"
MAKE_SHOWN = "DELETE FROM private_profiles WHERE user_id = $1"

_RESULT = "user_id, table_id, at, edition, players, place, coins, trades, gifts_given, gifts_received"
PUT_RESULT = f"""
    INSERT INTO results ({_RESULT})
    SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS BIGINT), CAST($4 AS TEXT), CAST($5 AS INTEGER),
           CAST($6 AS INTEGER), CAST($7 AS INTEGER), CAST($8 AS INTEGER), CAST($9 AS INTEGER),
           CAST($10 AS INTEGER)
    WHERE EXISTS (SELECT 1 FROM users WHERE id = $1 AND name <> '')
    ON CONFLICT DO NOTHING
"""  # noqa: S608 - constants
"""Writes nothing for a user who is forgotten."""
UNNOTED = """
    SELECT listings.table_id FROM members JOIN listings USING (table_id)
    WHERE members.user_id = $1 AND listings.status = 'finished' AND listings.lesson IS NULL
        AND NOT listings.origin AND listings.result IS NOT NULL AND listings.seats <> '[]'
        AND NOT EXISTS (SELECT 1 FROM results
                        WHERE results.user_id = $1 AND results.table_id = listings.table_id)
    ORDER BY listings.moved DESC, listings.table_id LIMIT $2
"""
TALLIED = """
    SELECT edition, players, count(*), sum(CASE WHEN place = 1 THEN 1 ELSE 0 END), sum(coins), sum(trades),
           sum(gifts_given), sum(gifts_received)
    FROM results WHERE user_id = $1 GROUP BY edition, players ORDER BY edition, players
"""
AGAINST = """
    SELECT count(*), coalesce(sum(CASE WHEN mine.place < other.place THEN 1 ELSE 0 END), 0),
           coalesce(sum(CASE WHEN mine.place > other.place THEN 1 ELSE 0 END), 0)
    FROM results AS mine JOIN results AS other ON other.table_id = mine.table_id
    WHERE mine.user_id = $1 AND other.user_id = $2
"""
COMPANY_OF = """
    SELECT other.user_id FROM results AS mine JOIN results AS other ON other.table_id = mine.table_id
    WHERE mine.user_id = $1 AND other.user_id <> $1
    GROUP BY other.user_id ORDER BY count(*) DESC, other.user_id LIMIT $2
"""

FORGET_ACQUAINTANCES = (
    ("blocks", ("user_id", "blocked")),
    ("follows", ("user_id", "followed")),
    ("invitations", ("to_user", "by_user")),
    ("private_profiles", ("user_id",)),
    ("results", ("user_id",)),
)
"""Tables whose rows go with a user who stands in one of these columns."""


class HoldingAcquaintances(ABC):
    """What :class:`bohn.server.store.acquaintances.AcquaintanceStore` offers, over ways to run statements."""

    DIALECT: Dialect

    @abstractmethod
    async def _fetch(self, text: str, *params: Any) -> Sequence[Sequence[Any]]:
        """Return the rows that a query finds."""

    @abstractmethod
    async def _changed(self, statements: Sequence[Statement]) -> list[int]:
        """Run statements in one transaction; return how many rows each has changed."""

    async def _ids(self, text: str, *params: Any) -> list[str]:
        """Return the first column of what a query finds."""
        return [str(row[0]) for row in await self._fetch(text, *params)]

    async def set_block(self, user: str, blocked: str, *, on: bool) -> None:
        """Note whom a user blocks; neither follows the other any more, and invitations of the other go."""
        texts = (BLOCK, *PART) if on else (UNBLOCK,)
        await self._changed([(text, (user, blocked)) for text in texts])

    async def blocked_by(self, user: str) -> frozenset[str]:
        """Return whom a user blocks."""
        return frozenset(await self._ids(BLOCKED_BY, user))

    async def blockers_of(self, user: str) -> frozenset[str]:
        """Return who blocks a user."""
        return frozenset(await self._ids(BLOCKERS_OF, user))

    async def unread(self, user: str) -> frozenset[str]:
        """Return whose chat is hidden from a user: whom he has muted, and whom he blocks."""
        return frozenset(await self._ids(UNREAD, user))

    async def set_follow(self, user: str, followed: str, at: int, *, on: bool) -> None:
        """Note whom a user follows; whoever blocks him is not followed."""
        await self._changed([(FOLLOW, (user, followed, at)) if on else (UNFOLLOW, (user, followed))])

    async def follows_of(self, user: str) -> tuple[str, ...]:
        """Return whom a user follows, in the order in which he began to."""
        return tuple(await self._ids(FOLLOWS_OF, user))

    async def invite(self, invitation: Invitation) -> bool:
        """Store an invitation, and let the user enter; tell whether it is new."""
        stored, _ = await self._changed(
            [(INVITE, astuple(invitation)), (LET_ENTER, (invitation.table, invitation.to))]
        )
        return stored > 0

    async def invitations_of(self, user: str, since: int) -> tuple[Invitation, ...]:
        """Return the newest invitations of a user since a time to tables that are not over, newest first."""
        return tuple(Invitation(*row) for row in await self._fetch(INVITATIONS_OF, user, since))

    async def invitations_by(self, user: str) -> tuple[Invitation, ...]:
        """Return the invitations that a user has sent, newest first."""
        return tuple(Invitation(*row) for row in await self._fetch(INVITATIONS_BY, user))

    async def drop_invitations(self, user: str, table: str) -> None:
        """Delete all invitations of a user to a table."""
        await self._changed([(DROP_INVITATIONS, (user, table))])

    async def present_among(self, users: tuple[str, ...]) -> frozenset[str]:
        """Return those of these users who are present at a table by any worker of several."""
        among = self.DIALECT.among.format(self.DIALECT.ids)
        text = f"SELECT DISTINCT user_id FROM presence WHERE user_id {among}"  # noqa: S608 - constants
        return frozenset(await self._ids(text, msgspec.json.encode(users).decode()))

    async def set_private(self, user: str, *, on: bool) -> None:
        """Note whether a user's profile is shown to nobody else."""
        await self._changed([(MAKE_PRIVATE if on else MAKE_SHOWN, (user,))])

    async def private_among(self, users: tuple[str, ...]) -> frozenset[str]:
        """Return those of these users whose profiles are private."""
        among = self.DIALECT.among.format(self.DIALECT.ids)
        text = f"SELECT user_id FROM private_profiles WHERE user_id {among}"  # noqa: S608 - constants
        return frozenset(await self._ids(text, msgspec.json.encode(users).decode()))

    async def put_results(self, results: tuple[GameResult, ...]) -> None:
        """Store results; those that are there already stay as they are."""
        await self._changed([(PUT_RESULT, astuple(one)) for one in results])

    async def unnoted(self, user: str, limit: int) -> tuple[str, ...]:
        """Return finished tables of a user of which no result of his is stored, newest first."""
        return tuple(await self._ids(UNNOTED, user, limit))

    async def results_of(self, user: str, wanted: Wanted, limit: int) -> tuple[GameResult, ...]:
        """Return results of a user, newest first."""
        text, params = self._search(user, wanted, limit)
        return tuple(GameResult(*row) for row in await self._fetch(text, *params))

    def _search(self, user: str, wanted: Wanted, limit: int) -> tuple[str, list[Any]]:
        """Return the query for what is wanted, with its parameters."""
        params: list[Any] = [user]
        where = ["results.user_id = $1"]

        def also(condition: str, *values: Any) -> None:
            numbers = [f"${len(params) + place}" for place in range(1, len(values) + 1)]
            params.extend(values)
            where.append(condition.format(*numbers))

        if wanted.edition is not None:
            also("edition = {}", wanted.edition)
        if wanted.players is not None:
            also("players = {}", wanted.players)
        if wanted.outcome is not None:
            where.append("place = 1" if wanted.outcome == "won" else "place > 1")
        if wanted.since is not None:
            also("at >= {}", wanted.since)
        if wanted.until is not None:
            also("at < {}", wanted.until)
        if wanted.before is not None:
            also("(at, table_id) < ({}, {})", *wanted.before)
        if wanted.company is not None:
            ids = self.DIALECT.ids.replace("$1", f"${len(params) + 1}")
            params.append(msgspec.json.encode(wanted.company).decode())
            where.append(
                f"""EXISTS (SELECT 1 FROM results AS other WHERE other.table_id = results.table_id
                    AND other.user_id {self.DIALECT.among.format(ids)})"""  # noqa: S608 - constants
            )
        params.append(limit)
        text = f"""SELECT {_RESULT} FROM results WHERE {" AND ".join(where)}
            ORDER BY at DESC, table_id DESC LIMIT ${len(params)}"""  # noqa: S608 - constants
        return text, params

    async def results_at(self, tables: tuple[str, ...]) -> tuple[GameResult, ...]:
        """Return all results of these tables, by table, place and user."""
        among = self.DIALECT.among.format(self.DIALECT.ids)
        text = f"SELECT {_RESULT} FROM results WHERE table_id {among}"  # noqa: S608 - constants
        found = [GameResult(*row) for row in await self._fetch(text, msgspec.json.encode(tables).decode())]
        return tuple(sorted(found, key=lambda one: (one.table, one.place, one.user)))

    async def tallied(self, user: str) -> tuple[Tallied, ...]:
        """Return the results of a user added up, by edition and number of players."""
        return tuple(Tallied(*row) for row in await self._fetch(TALLIED, user))

    async def against(self, user: str, other: str) -> Against:
        """Return how a user did in his games with another."""
        (row,) = await self._fetch(AGAINST, user, other)
        return Against(*row)

    async def company_of(self, user: str, limit: int) -> tuple[str, ...]:
        """Return with whom a user has played, most games together first."""
        return tuple(await self._ids(COMPANY_OF, user, limit))

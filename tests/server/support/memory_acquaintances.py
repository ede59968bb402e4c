"""The part of the store in memory for acquaintances and results."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from typing import TYPE_CHECKING

from bohn.server.store.acquaintances import (
    INVITATIONS_SHOWN,
    Against,
    GameResult,
    Invitation,
    Tallied,
    Wanted,
)

if TYPE_CHECKING:
    from tests.server.support.memory_store import Backing


class MemoryAcquaintances(ABC):
    """Does what :class:`bohn.server.store.acquaintances.AcquaintanceStore` says."""

    @abstractmethod
    async def _ready(self) -> Backing:
        """Return the data."""

    async def set_block(self, user: str, blocked: str, *, on: bool) -> None:
        """Note whom a user blocks."""
        data = await self._ready()
        if not on:
            data.blocks.discard((user, blocked))
            return
        data.blocks.add((user, blocked))
        for pair in ((user, blocked), (blocked, user)):
            data.follows.pop(pair, None)
        data.invitations = {
            key: one for key, one in data.invitations.items() if (one.to, one.by) != (user, blocked)
        }

    async def blocked_by(self, user: str) -> frozenset[str]:
        """Return whom a user blocks."""
        return frozenset(blocked for who, blocked in (await self._ready()).blocks if who == user)

    async def blockers_of(self, user: str) -> frozenset[str]:
        """Return who blocks a user."""
        return frozenset(who for who, blocked in (await self._ready()).blocks if blocked == user)

    async def unread(self, user: str) -> frozenset[str]:
        """Return whose chat is hidden from a user."""
        data = await self._ready()
        return frozenset(hidden for who, hidden in data.mutes | data.blocks if who == user)

    async def set_follow(self, user: str, followed: str, at: int, *, on: bool) -> None:
        """Note whom a user follows."""
        data = await self._ready()
        if not on:
            data.follows.pop((user, followed), None)
        elif (followed, user) not in data.blocks:
            data.follows.setdefault((user, followed), at)

    async def follows_of(self, user: str) -> tuple[str, ...]:
        """Return whom a user follows, in the order in which he began to."""
        found = [
            (at, followed) for (who, followed), at in (await self._ready()).follows.items() if who == user
        ]
        return tuple(followed for _, followed in sorted(found))

    async def invite(self, invitation: Invitation) -> bool:
        """Store an invitation, and let the user enter."""
        data = await self._ready()
        data.grants.add((invitation.table, invitation.to))
        key = (invitation.to, invitation.table, invitation.by)
        new = key not in data.invitations
        data.invitations.setdefault(key, invitation)
        return new

    async def invitations_of(self, user: str, since: int) -> tuple[Invitation, ...]:
        """Return the newest invitations of a user to tables that are not over."""
        data = await self._ready()
        running = {table for table, one in data.listings.items() if one.status in ("open", "playing")}
        found = [
            one
            for one in data.invitations.values()
            if one.to == user and one.at >= since and one.table in running
        ]
        return tuple(sorted(found, key=lambda one: (-one.at, one.table, one.by))[:INVITATIONS_SHOWN])

    async def invitations_by(self, user: str) -> tuple[Invitation, ...]:
        """Return the invitations that a user has sent, newest first."""
        found = (one for one in (await self._ready()).invitations.values() if one.by == user)
        return tuple(sorted(found, key=lambda one: (-one.at, one.table, one.to)))

    async def drop_invitations(self, user: str, table: str) -> None:
        """Delete all invitations of a user to a table."""
        data = await self._ready()
        data.invitations = {
            key: one for key, one in data.invitations.items() if (one.to, one.table) != (user, table)
        }

    async def present_among(self, users: tuple[str, ...]) -> frozenset[str]:  # noqa: ARG002 - as stores
        """Return nobody: only stores that several workers share know who is present."""
        await self._ready()
        return frozenset()

    async def set_private(self, user: str, *, on: bool) -> None:
        """Note whether a user's profile is shown to nobody else."""
        private = (await self._ready()).private
        (private.add if on else private.discard)(user)

    async def private_among(self, users: tuple[str, ...]) -> frozenset[str]:
        """Return those of these users whose profiles are private."""
        return frozenset((await self._ready()).private & set(users))

    async def put_results(self, results: tuple[GameResult, ...]) -> None:
        """Store results; those that are there already stay as they are."""
        data = await self._ready()
        for one in results:
            if one.user in data.users and data.users[one.user].name:
                data.results.setdefault((one.user, one.table), one)

    async def unnoted(self, user: str, limit: int) -> tuple[str, ...]:
        """Return finished tables of a user of which no result of his is stored, newest first."""
        data = await self._ready()
        found = [
            (-one.moved, one.table)
            for one in data.listings.values()
            if user in one.users
            and one.status == "finished"
            and one.lesson is None
            and not one.origin
            and one.result is not None
            and one.seats
            and (user, one.table) not in data.results
        ]
        return tuple(table for _, table in sorted(found)[:limit])

    async def results_of(self, user: str, wanted: Wanted, limit: int) -> tuple[GameResult, ...]:
        """Return results of a user, newest first."""
        data = await self._ready()
        found = [one for one in data.results.values() if one.user == user and _fits(one, wanted, data)]
        return tuple(sorted(found, key=lambda one: (one.at, one.table), reverse=True)[:limit])

    async def results_at(self, tables: tuple[str, ...]) -> tuple[GameResult, ...]:
        """Return all results of these tables, by table, place and user."""
        found = (one for one in (await self._ready()).results.values() if one.table in tables)
        return tuple(sorted(found, key=lambda one: (one.table, one.place, one.user)))

    async def tallied(self, user: str) -> tuple[Tallied, ...]:
        """Return the results of a user added up, by edition and number of players."""
        kinds: dict[tuple[str, int], list[GameResult]] = {}
        for one in (await self._ready()).results.values():
            if one.user == user:
                kinds.setdefault((one.edition, one.players), []).append(one)
        return tuple(
            Tallied(
                *kind,
                len(games),
                sum(one.place == 1 for one in games),
                sum(one.coins for one in games),
                sum(one.trades for one in games),
                sum(one.gifts_given for one in games),
                sum(one.gifts_received for one in games),
            )
            for kind, games in sorted(kinds.items())
        )

    async def against(self, user: str, other: str) -> Against:
        """Return how a user did in his games with another."""
        results = (await self._ready()).results
        pairs = [
            (one.place, results[other, one.table].place)
            for one in results.values()
            if one.user == user and (other, one.table) in results
        ]
        return Against(len(pairs), sum(a < b for a, b in pairs), sum(a > b for a, b in pairs))

    async def company_of(self, user: str, limit: int) -> tuple[str, ...]:
        """Return with whom a user has played, most games together first."""
        results = (await self._ready()).results
        met = Counter(other for other, table in results if other != user and (user, table) in results)
        return tuple(other for other, _ in sorted(met.items(), key=lambda item: (-item[1], item[0]))[:limit])


def _fits(one: GameResult, wanted: Wanted, data: Backing) -> bool:
    """Tell whether a result is one of those that are wanted."""
    outcome = "won" if one.place == 1 else "lost"
    company = wanted.company
    return (
        wanted.edition in (None, one.edition)
        and wanted.players in (None, one.players)
        and wanted.outcome in (None, outcome)
        and (wanted.since is None or one.at >= wanted.since)
        and (wanted.until is None or one.at < wanted.until)
        and (wanted.before is None or (one.at, one.table) < wanted.before)
        and (company is None or any((who, one.table) in data.results for who in company))
    )

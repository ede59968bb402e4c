"""People one knows: who is blocked, followed and invited. Whoever is blocked is told so by nothing here."""

from __future__ import annotations

from collections.abc import Iterable

from bohn.protocol.people import KnownPerson
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Room
from bohn.server.clock import TimeSource
from bohn.server.people.service import People
from bohn.server.store.acquaintances import Invitation
from bohn.server.store.protocol import Listing, Store

MOST_FOLLOWED = 200
MOST_BLOCKED = 500
"""People whom one user follows and blocks at most."""

MOST_WAITING = 20
"""Invitations that may wait for one user; no more are sent to him then."""

HOLDS = 7 * 24 * 3600_000
"""Ms for which an invitation holds, as a link does."""

HERE = 45_000
"""Ms for which somebody counts as here after his page has asked who is: it asks every few seconds."""

TOLD_AGAIN = 15_000
"""Ms after which other workers are told again that somebody is here."""


class Acquaintances:
    """Blocks, follows and invitations of all users."""

    def __init__(self, store: Store, people: People, clock: TimeSource) -> None:
        """Use this store for everything; who is here is only remembered for a while."""
        self._store = store
        self._people = people
        self._clock = clock
        self._seen: dict[str, int] = {}
        self._told: dict[str, int] = {}

    # -- blocks and follows ------------------------------------------------------------------------------

    async def block(self, user: str, other: str, *, on: bool) -> None:
        """Block somebody, or end that."""
        await self._require_other(user, other)
        blocked = await self._store.blocked_by(user)
        if on and other not in blocked and len(blocked) >= MOST_BLOCKED:
            raise Refusal(Problem.TOO_MANY, most=MOST_BLOCKED)
        await self._store.set_block(user, other, on=on)

    async def follow(self, user: str, other: str, *, on: bool) -> None:
        """Follow somebody, or end that; whom one blocks one does not follow."""
        await self._require_other(user, other)
        followed = await self._store.follows_of(user)
        if on and other not in followed and len(followed) >= MOST_FOLLOWED:
            raise Refusal(Problem.TOO_MANY, most=MOST_FOLLOWED)
        if on and other in await self._store.blocked_by(user):
            raise Refusal(Problem.NOT_FOUND)
        await self._store.set_follow(user, other, self._clock.now(), on=on)

    async def _require_other(self, user: str, other: str) -> None:
        """Refuse oneself and whoever does not exist."""
        if other == user or other not in await self._store.users((other,)):
            raise Refusal(Problem.NOT_FOUND)

    async def known(self, users: Iterable[str]) -> tuple[KnownPerson, ...]:
        """Return people by their names."""
        found = await self._people.people(tuple(users))
        return tuple(
            KnownPerson(user, person)
            for user, person in sorted(found.items(), key=lambda item: (item[1].name.casefold(), item[0]))
            if person.name
        )

    # -- who is here -------------------------------------------------------------------------------------

    def seen(self, user: str) -> bool:
        """Note that somebody is here; tell whether the other workers are to be told."""
        now = self._clock.now()
        self.follow_seen(user)
        if now - self._told.get(user, -TOLD_AGAIN) < TOLD_AGAIN:
            return False
        self._told.pop(user, None)
        self._told[user] = now
        while now - self._told[first := next(iter(self._told))] >= TOLD_AGAIN:
            del self._told[first]
        return True

    def follow_seen(self, user: str) -> None:
        """Take in that somebody is here."""
        now = self._clock.now()
        self._seen.pop(user, None)
        self._seen[user] = now
        while now - self._seen[first := next(iter(self._seen))] >= HERE:
            del self._seen[first]

    async def here(self, users: tuple[str, ...], connected: frozenset[str]) -> frozenset[str]:
        """Return who of these is here: connected to this worker or another, or seen lately."""
        now = self._clock.now()
        lately = {user for user in users if now - self._seen.get(user, -HERE) < HERE}
        return frozenset(lately | (connected & set(users))) | await self._store.present_among(users)

    async def shown_to(self, user: str, users: tuple[str, ...]) -> frozenset[str]:
        """Return of whom a user learns where they are: not of those who block him or are private."""
        hidden = await self._store.blockers_of(user) | await self._store.private_among(users)
        return frozenset(users) - hidden

    # -- invitations -------------------------------------------------------------------------------------

    async def invite(self, room: Room, user: str, others: tuple[str, ...]) -> tuple[str, ...]:
        """Invite people to a table; return who was. Raises ``not-invitable`` if nobody can be.

        That is said of whoever blocks the user, does not exist, sits there or has many invitations.
        """
        blockers = await self._store.blockers_of(user)
        known = await self._store.users(others)
        now = self._clock.now()
        invited: list[str] = []
        for other in dict.fromkeys(others):
            there = known.get(other)
            if there is None or not there.name or there.bot or other == user or other in blockers:
                continue
            waiting = await self._store.invitations_of(other, now - HOLDS)
            if room.seat_of(other) is None and len(waiting) < MOST_WAITING:
                await self._store.invite(Invitation(other, room.id, user, now))
                invited.append(other)
        if not invited:
            raise Refusal(Problem.NOT_INVITABLE)
        return tuple(invited)

    async def invitations(self, user: str) -> tuple[tuple[Invitation, Listing], ...]:
        """Return the invitations of a user that he may still follow, each with its table."""
        found = []
        for one in await self._store.invitations_of(user, self._clock.now() - HOLDS):
            listing = await self._store.listing(one.table)
            if listing is not None and user not in listing.users:
                found.append((one, listing))
        return tuple(found)


def free_table(
    listings: Iterable[Listing], user: str, viewer: str, kept_from: frozenset[str]
) -> Listing | None:
    """Return an open listed table at which a user sits and a viewer may sit down."""
    for one in listings:
        free = one.options.players - len(one.users) - one.bots
        may = viewer not in one.users and not kept_from.intersection({*one.users, one.host})
        if one.status == "open" and user in one.users and free > 0 and may:
            return one
    return None

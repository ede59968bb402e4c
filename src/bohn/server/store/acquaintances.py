"""People one knows, as the store sees them: whom one blocks and follows, invitations, and results of games.

Times are in ms since 1970.
"""

from __future__ import annotations

from typing import Literal, Protocol

from msgspec import Struct

INVITATIONS_SHOWN = 20
"""Invitations of one user that are read at most, the newest."""


class Invitation(Struct, frozen=True, gc=False):
    """Somebody asks a user to come to a table; one of each inviter, table and user."""

    to: str
    table: str
    by: str
    at: int


class GameResult(Struct, frozen=True, gc=False):
    """How one user did in one finished game; ``place`` counts from 1, and equals share theirs.

    ``trades`` are exchanges in which both sides gave something, gifts those in which one did.
    """

    user: str
    table: str
    at: int
    edition: str
    players: int
    place: int
    coins: int
    trades: int = 0
    gifts_given: int = 0
    gifts_received: int = 0


Outcome = Literal["won", "lost"]
"""What is looked for among results: a first place, alone or shared, or any other."""


class Wanted(Struct, frozen=True, gc=False):
    """Which results are looked for; what is ``None`` does not matter.

    ``company`` are users of whom any has played in the same game. Those before ``before`` (time and table)
    follow, the newest first.
    """

    edition: str | None = None
    players: int | None = None
    outcome: Outcome | None = None
    since: int | None = None
    until: int | None = None
    company: tuple[str, ...] | None = None
    before: tuple[int, str] | None = None


class Tallied(Struct, frozen=True, gc=False):
    """The results of a user in one edition with one number of players, added up."""

    edition: str
    players: int
    games: int
    won: int
    coins: int
    trades: int
    gifts_given: int
    gifts_received: int


class Against(Struct, frozen=True, gc=False):
    """Games of two users together: who of them came before the other how often; the rest are ties."""

    games: int
    ahead: int
    behind: int


class AcquaintanceStore(Protocol):
    """What a store offers of acquaintances and results. Every method raises ``StoreUnavailable``."""

    async def set_block(self, user: str, blocked: str, *, on: bool) -> None:
        """Note whom a user blocks; neither follows the other any more, and invitations of the other go."""
        ...

    async def blocked_by(self, user: str) -> frozenset[str]:
        """Return whom a user blocks."""
        ...

    async def blockers_of(self, user: str) -> frozenset[str]:
        """Return who blocks a user."""
        ...

    async def unread(self, user: str) -> frozenset[str]:
        """Return whose chat is hidden from a user: whom he has muted, and whom he blocks."""
        ...

    async def set_follow(self, user: str, followed: str, at: int, *, on: bool) -> None:
        """Note whom a user follows; whoever blocks him is not followed."""
        ...

    async def follows_of(self, user: str) -> tuple[str, ...]:
        """Return whom a user follows, in the order in which he began to."""
        ...

    async def invite(self, invitation: Invitation) -> bool:
        """Store an invitation, and let the user enter; tell whether it is new."""
        ...

    async def invitations_of(self, user: str, since: int) -> tuple[Invitation, ...]:
        """Return the newest invitations of a user since a time to tables that are not over, newest first."""
        ...

    async def invitations_by(self, user: str) -> tuple[Invitation, ...]:
        """Return the invitations that a user has sent, newest first."""
        ...

    async def drop_invitations(self, user: str, table: str) -> None:
        """Delete all invitations of a user to a table."""
        ...

    async def present_among(self, users: tuple[str, ...]) -> frozenset[str]:
        """Return those of these users who are present at a table by any worker of several."""
        ...

    async def set_private(self, user: str, *, on: bool) -> None:
        """Note whether a user's profile is shown to nobody else."""
        ...

    async def private_among(self, users: tuple[str, ...]) -> frozenset[str]:
        """Return those of these users whose profiles are private."""
        ...

    async def put_results(self, results: tuple[GameResult, ...]) -> None:
        """Store results; those that are there already stay as they are."""
        ...

    async def unnoted(self, user: str, limit: int) -> tuple[str, ...]:
        """Return finished tables of a user of which no result of his is stored, newest first."""
        ...

    async def results_of(self, user: str, wanted: Wanted, limit: int) -> tuple[GameResult, ...]:
        """Return results of a user, newest first."""
        ...

    async def results_at(self, tables: tuple[str, ...]) -> tuple[GameResult, ...]:
        """Return all results of these tables, by table, place and user."""
        ...

    async def tallied(self, user: str) -> tuple[Tallied, ...]:
        """Return the results of a user added up, by edition and number of players."""
        ...

    async def against(self, user: str, other: str) -> Against:
        """Return how a user did in his games with another."""
        ...

    async def company_of(self, user: str, limit: int) -> tuple[str, ...]:
        """Return with whom a user has played, most games together first."""
        ...

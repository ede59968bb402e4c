"""Bodies of the HTTP API about people one knows: follows, blocks, invitations, profiles, and one's games.

Times are in ms since 1970.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from bohn.protocol.api import Body, TableInfo
from bohn.protocol.frames import Person

MOST_INVITED = 12
"""People who are invited by one request at most."""

GameOutcome = Literal["won", "lost"]
"""A first place, alone or shared, or any other."""


class KnownPerson(Struct, frozen=True):
    """Somebody by his id, and how others see him."""

    user: str
    person: Person


class Followed(Struct, frozen=True):
    """Somebody one follows: whether he is ``here`` now, and an open ``table`` of his with a free seat."""

    user: str
    person: Person
    here: bool
    table: TableInfo | None


class InvitationInfo(Struct, frozen=True):
    """An invitation that one has: who asks one to come to which table."""

    user: str
    by: Person
    at: int
    table: TableInfo


class Acquaintances(Struct, frozen=True):
    """Whom one follows and blocks, what one is invited to, and whether the own profile is ``private``."""

    followed: tuple[Followed, ...]
    blocked: tuple[KnownPerson, ...]
    invitations: tuple[InvitationInfo, ...]
    private: bool


class FollowBody(Body, frozen=True):
    """Follow this user, or with ``on`` false no more."""

    user: str
    on: bool = True


class BlockBody(Body, frozen=True):
    """Block this user, or with ``on`` false no more."""

    user: str
    on: bool = True


class PrivacyBody(Body, frozen=True):
    """Show the own profile to nobody else, or with ``private`` false to whoever knows one."""

    private: bool


class InviteBody(Body, frozen=True):
    """Ask these users to come to the table."""

    users: Annotated[tuple[str, ...], Meta(min_length=1, max_length=MOST_INVITED)]


class InvitationsSent(Struct, frozen=True):
    """Who was invited."""

    users: tuple[str, ...]


class KindOfGames(Struct, frozen=True):
    """The games of somebody in one edition with one number of players, added up."""

    edition: str
    players: int
    games: int
    won: int
    coins: int


class GameCoins(Struct, frozen=True):
    """What somebody had at the end of a game."""

    at: int
    coins: int
    place: int
    players: int


class HeadToHead(Struct, frozen=True):
    """Games that the viewer has played with somebody: in how many the viewer was ahead or behind."""

    games: int
    ahead: int
    behind: int


class Profile(Struct, frozen=True):
    """Somebody's games in numbers; gifts are exchanges for nothing.

    ``recent`` are his last games, oldest first. ``against`` are those with the viewer, who may have
    ``followed`` or ``blocked`` him; it is ``None`` in one's own profile.
    """

    user: str
    person: Person
    private: bool
    followed: bool
    blocked: bool
    games: int
    won: int
    coins: int
    trades: int
    gifts_given: int
    gifts_received: int
    kinds: tuple[KindOfGames, ...]
    recent: tuple[GameCoins, ...]
    against: HeadToHead | None


class GamePlayer(Struct, frozen=True):
    """A person in a finished game."""

    user: str
    person: Person
    place: int
    coins: int


class FinishedGame(Struct, frozen=True):
    """A finished game of one's own; ``kept``: its table is there still, with the whole game.

    ``people`` are those of it who are known, by their places; all others were computer players, or have
    deleted their data.
    """

    table: str
    at: int
    edition: str
    players: int
    place: int
    coins: int
    people: tuple[GamePlayer, ...]
    kept: bool


class GamePage(Struct, frozen=True):
    """Finished games, newest first; ``next`` is where those behind them begin, empty at the end."""

    games: tuple[FinishedGame, ...]
    next: str

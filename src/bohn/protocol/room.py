"""The state of a room: all that is true of a table beside the game. Folded from the log, like the game."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from bohn.rules.editions import DEFAULT_EDITION

ClockName = Literal["none", "slow", "fast", "4h", "8h", "12h", "24h", "48h"]
"""How long whoever the game waits for has; those of hours are for games over days."""

HOURS: dict[ClockName, int] = {"4h": 4, "8h": 8, "12h": 12, "24h": 24, "48h": 48}
"""The hours that a move may take in a game over days, by the table's clock."""

PaceName = Literal["relaxed", "normal", "brisk"]
Status = Literal["open", "playing", "finished", "abandoned"]

EndedBy = Literal["", "host", "operator", "left", "server"]
"""Who ended a table before its time: its host, an operator, nobody because all had left, or the server whose
log of it was full; empty where it ended by itself, and where the log is older than that is told."""


Minute = Annotated[int, Meta(ge=0, le=1_439)]


class Hours(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Playing hours: every day from ``begin`` to ``end``, minutes of the day in a time zone by its name.

    They may go over midnight. Equal ones are the whole day.
    """

    begin: Minute
    end: Minute
    zone: str


class Options(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What the host chooses before the start.

    ``delay`` is that of the spectators, in seconds. ``pace`` is how long bots take beside people.
    The clock of a table over days may run in its ``hours`` only.
    """

    edition: str = DEFAULT_EDITION
    players: int = 4
    house_rules: tuple[str, ...] = ()
    clock: ClockName = "none"
    listed: bool = False
    spectators: bool = True
    delay: int = 0
    pace: PaceName = "normal"
    hours: Hours | UnsetType = UNSET


class Origin(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Where a game goes on: behind ``entry`` of a finished ``table`` or stored ``record``, on ``seat``."""

    entry: int
    seat: int
    table: str | None = None
    record: str | None = None


class Seat(Struct, frozen=True, gc=False):
    """One seat: ``user`` owns it, ``bot`` plays it; both are set while a bot plays for an absent owner.

    ``since`` is when the owner sat down (ms since 1970), ``misses`` his expired clocks in a row,
    ``salt`` his part of the seed in hexadecimal digits. ``name`` is a bot's own one, where it has one.
    ``handed_over`` is when he let the bot play himself (ms since 1970), absent where clocks or host did.
    """

    user: str | None = None
    bot: str | None = None
    since: int = 0
    misses: int = 0
    salt: str = ""
    name: str = ""
    handed_over: int | UnsetType = UNSET

    @property
    def empty(self) -> bool:
        """Whether neither a person nor a bot sits here."""
        return self.user is None and self.bot is None


class LastCall(Struct, frozen=True, gc=False):
    """The last call of one turn: it ends at ``until`` (ms since 1970), ``announced`` unless prolonged."""

    turn: int
    until: int
    prolonged: bool = False
    announced: int = 0


class Reveal(Struct, frozen=True, gc=False):
    """What checks the deal: the secret and nonce behind the commitment, and the salts by seat, all in hex."""

    secret: str
    nonce: str
    salts: tuple[str, ...]


class Holiday(Struct, frozen=True, gc=False):
    """A time in which the clocks of somebody stand still, in ms since 1970."""

    begins: int
    ends: int


class PlayingTimes(Struct, frozen=True, gc=False):
    """When the clocks of a seat run: in its ``hours``, where there are any, and not in ``holidays``."""

    seat: int
    hours: Hours | None = None
    holidays: tuple[Holiday, ...] = ()


class Room(Struct, frozen=True, gc=False):
    """A table beside its game.

    ``commitment`` was published when the table was opened (docs/deals.md). ``quiet_since`` is when
    the game last moved (ms since 1970), ``called`` the users who have called for the choice since.
    ``paused_at`` is when the pause began, 0 without one. ``rematch`` is the table that follows. A game that
    was not dealt here has an ``origin`` or is a ``lesson``: its ``commitment`` is empty, and nothing is
    revealed at its end. ``word`` is that of the operator who has closed the table, ``ended_by`` who has ended
    a table that was abandoned. ``done`` are the seats that pass at the next beat of a table over days, or end
    the trading; ``times`` are the playing times of the seats there that have any.
    """

    id: str
    options: Options
    host: str | None
    seats: tuple[Seat, ...]
    commitment: str
    opened: int
    status: Status = "open"
    paused: bool = False
    quiet_since: int = 0
    called: tuple[str, ...] = ()
    last_call: LastCall | None = None
    reveal: Reveal | None = None
    rematch: str | None = None
    paused_at: int = 0
    origin: Origin | None = None
    lesson: str | None = None
    word: str = ""
    ended_by: EndedBy = ""
    done: tuple[int, ...] = ()
    times: tuple[PlayingTimes, ...] | UnsetType = UNSET

    def seat_of(self, user: str | None) -> int | None:
        """Return the seat a user owns, or ``None``."""
        if user is None:
            return None
        return next((place for place, seat in enumerate(self.seats) if seat.user == user), None)

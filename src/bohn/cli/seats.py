"""Who sits where: people and computer players, from the command line or from a record."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from bohn.bots import DEFAULT, LEVELS, PLAYERS, current_name, recorded_name
from bohn.cli.errors import UsageError
from bohn.rules.editions import EDITIONS

YOU = "you"
BOT_NAMES = ("Anna", "Bert", "Chiyo", "Dagur", "Elsa", "Finn", "Greta", "Hugo")
_NAME = re.compile(r"[^\W\d_][\w-]{0,15}")
_RESERVED = ("all", "everybody", YOU)


class Seat(Struct, frozen=True):
    """One seat: its name at the table, and which computer player sits in it, if any."""

    name: str
    bot: str | None = None

    def written(self) -> str:
        """Return the seat as a record's header has it."""
        return f"{self.name}:{self.bot}" if self.bot else self.name


def parse_seats(text: str, you: str) -> tuple[Seat, ...]:
    """Return the seats of a list such as ``you,pk,pk`` or ``Anna,Bert,pk``."""
    words = [current_name(word.strip()) for word in text.split(",")]
    people = [you if word == YOU else word for word in words if word not in PLAYERS]
    for name in words:
        if name in PLAYERS or name == YOU:
            continue
        if not _NAME.fullmatch(name) or name.lower() in _RESERVED:
            msg = (
                f"seat {name[:20]!r}: expected a name of up to 16 letters and digits, "
                f"'{YOU}', or a computer player ({', '.join((*PLAYERS, *LEVELS))})"
            )
            raise UsageError(msg)
    if len({name.lower() for name in people}) < len(people):
        msg = f"expected different names in --seats, not {text[:80]!r}"
        raise UsageError(msg)
    free = iter([name for name in BOT_NAMES if name.lower() not in {person.lower() for person in people}])
    spare = (f"Bot{number}" for number in range(1, 100))
    seats = []
    for word in words:
        if word in PLAYERS:
            seats.append(Seat(next(free, "") or next(spare), word))
        else:
            seats.append(Seat(you if word == YOU else word))
    return tuple(seats)


def usual_players(edition: str) -> int:
    """Return four players where the edition has them, else its smallest number."""
    known = EDITIONS.get(edition, {4: None})
    return 4 if 4 in known else min(known)


def default_seats(players: int, you: str) -> tuple[Seat, ...]:
    """Return one person and the default computer player in all other seats."""
    return parse_seats(",".join([YOU, *[DEFAULT] * (players - 1)]), you)


def read_seats(written: Sequence[str]) -> tuple[Seat, ...]:
    """Return the seats of a record's header; an unknown computer player becomes the default one."""
    seats = []
    for text in written:
        name, _, bot = text.partition(":")
        known = recorded_name(bot or name)
        # computer players among themselves are recorded by their names alone
        sits = known if known in PLAYERS else DEFAULT
        seats.append(Seat(name[:16] or "?", sits if bot or known in PLAYERS else None))
    return tuple(seats)

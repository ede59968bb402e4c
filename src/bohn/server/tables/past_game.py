"""A game that can be looked at whole: that of a finished table, or of a record in the library."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from bohn.bots import PLAYERS, recorded_name
from bohn.notation.records import Entry, Record
from bohn.rules.events import GameEnded
from bohn.rules.ruleset import Rules
from bohn.rules.state import Result

SHOWN_NAME = 48
"""Characters of a name in a record that are shown."""


class PastGame(Struct, frozen=True):
    """A record, and where it is from: a finished ``table``, or ``record_id`` in the library.

    ``times`` are when its entries were written (ms since 1970), as far as that is known.
    """

    record: Record
    times: tuple[int, ...] = ()
    table: str | None = None
    record_id: str | None = None

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.record.header.rules

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The opening, and an entry for every command."""
        return self.record.entries

    @property
    def seats(self) -> tuple[tuple[str, str | None], ...]:
        """The name and the bot of each seat."""
        return named_seats(self.record.header.seats)

    @property
    def result(self) -> Result | None:
        """How the game ended, if it did."""
        last = self.entries[-1].events[-1:]
        return next((event.result for event in last if isinstance(event, GameEnded)), None)

    def at(self, entry: int) -> int | None:
        """Return when an entry was written."""
        return self.times[entry] if entry < len(self.times) else None


def named_seats(written: Sequence[str]) -> tuple[tuple[str, str | None], ...]:
    """Return the name and the bot of each seat of a record's header.

    In a game between computer players they may stand there by their names alone.
    """
    found: list[tuple[str, str | None]] = []
    for text in written:
        name, _, bot = text.partition(":")
        known = recorded_name(bot or name)
        found.append((name[:SHOWN_NAME], known if bot or known in PLAYERS else None))
    return tuple(found)

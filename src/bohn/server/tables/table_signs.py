"""The signs at one table, as they hold now."""

from __future__ import annotations

Shown = tuple[tuple[int, ...], tuple[int, ...]]
"""The seats that compose, and those that have traded enough."""

NO_SIGNS: Shown = ((), ())

LEAST = 3_000
"""Ms that a sign of composing counts for, however short it was, so that many short ones have a bound too."""


class TableSigns:
    """The signs in the trading of one turn.

    ``composing`` has since when and until when (ms since 1970) the sign of a seat holds, ``spent`` how many
    ms those before it have held, ``givers`` who gave a seat's signs. For each seat in ``timed`` somebody
    waits for the end of what holds. ``taken_in``: those are known that were given by other workers before.
    """

    def __init__(self) -> None:
        """Begin without any."""
        self.turn: int | None = None
        self.composing: dict[int, tuple[int, int]] = {}
        self.spent: dict[int, int] = {}
        self.enough: frozenset[int] = frozenset()
        self.givers: dict[int, str] = {}
        self.timed: set[int] = set()
        self.taken_in = False

    @property
    def shown(self) -> Shown:
        """What everybody is told."""
        return tuple(sorted(self.composing)), tuple(sorted(self.enough))

    def of_turn(self, turn: int | None) -> None:
        """Begin anew, unless this is the trading they are of."""
        if turn != self.turn:
            self.turn, self.composing, self.spent, self.enough = turn, {}, {}, frozenset()
            self.givers = {}

    def compose(self, seat: int, now: int, holds: int, most: int) -> bool:
        """Let a seat compose ``holds`` ms from now, within ``most`` ms in all; return whether it may."""
        since, _ = self.composing.get(seat, (now, now))
        left = most - self.spent.get(seat, 0) - (now - since)
        if left <= 0:
            self.end_composing(seat, now)
            return False
        self.composing[seat] = since, now + min(holds, left)
        return True

    def of_user(self, user: str) -> tuple[str, int, int]:
        """Return the sign that a user gives now, until when it holds, and in which turn; or nothing."""
        seat = next((seat for seat, giver in self.givers.items() if giver == user), None)
        if seat in self.composing:
            return "composing", self.composing[seat][1], self.turn or 0
        return ("enough", 0, self.turn or 0) if seat in self.enough else ("", 0, 0)

    def end_composing(self, seat: int, now: int) -> None:
        """Note that a seat composes no more, and for how long it has."""
        if seat in self.composing:
            since, until = self.composing.pop(seat)
            self.spent[seat] = self.spent.get(seat, 0) + max(LEAST, min(now, until) - since)

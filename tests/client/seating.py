"""What the tests of playing share: a clock set by hand, seats at a local table, players that do as told."""

from __future__ import annotations

from collections import deque
from typing import Any

from bohn.client import Game, Pace
from bohn.client.play import Decide, SeatPlayer
from bohn.play.seat import Choices
from bohn.protocol import frames
from bohn.rules.commands import Command, Reveal
from bohn.views.knowledge import Knowledge
from bohn.views.view import View
from tests.client.local import Local

AT_ONCE = Pace(think=(0.0, 0.0), answers=8.0, quiet=6.0, again=1.0)


class Clock:
    """The time of a test, in seconds."""

    def __init__(self) -> None:
        """Begin some time after the beginning of time."""
        self.now = 1000.0

    def __call__(self) -> float:
        """Return the time, a moment later than the last."""
        self.now += 0.001
        return self.now


class Queue:
    """Frames that are there already; whoever waits for more has waited."""

    def __init__(self, queue: deque[frames.AnyServerFrame], clock: Clock | None = None) -> None:
        """Read from here."""
        self._queue = queue
        self._clock = clock

    def next(self, seconds: float) -> frames.AnyServerFrame | None:
        """Return the next frame, or let the time pass."""
        if self._queue:
            return self._queue.popleft()
        if self._clock is not None:
            self._clock.now += seconds
        return None


def seated(table: Local, seat: int, decide: Decide, pace: Pace = AT_ONCE, **more: bool) -> SeatPlayer:
    """Return a seat at a local table that has read what was sent."""
    found = SeatPlayer(table, Game("t1"), decide, pace, **{"trades": True, "off_turn": False, **more})
    read(table, seat, found)
    return found


def read(table: Local, seat: int, reader: SeatPlayer) -> None:
    """Let a seat read what was sent."""
    while table.frames[seat]:
        reader.take(table.frames[seat].popleft())


def to_trading(table: Local) -> int:
    """Plant and turn over, and return the active player."""
    active = table.state.active_player
    table.do("t1", table.choices(active).legal[0])
    table.do("t1", Reveal(active))
    return active


class Noting:
    """A player that notes when it was asked, and does as it is told."""

    def __init__(self, *commands: Command | None) -> None:
        """Return these in turn, then pass."""
        self.asked: list[tuple[View, Choices]] = []
        self._commands = list(commands)

    def __call__(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
        """Note and answer."""
        assert isinstance(knowledge, Knowledge)
        self.asked.append((view, choices))
        return self._commands.pop(0) if self._commands else None


def view_phase(table: Local) -> Any:
    """Return the phase as everybody sees it."""
    game = table.welcome(0).game
    assert game is not None
    return game.phase

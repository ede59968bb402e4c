"""Bots that break their contract, each in one way; named ``py:tests.arena.faulty:...``."""

from __future__ import annotations

import os
import time

from bohn.bots import Choices, ComputerPlayer
from bohn.play.seat import View
from bohn.rules.commands import Command, Harvest
from bohn.views.knowledge import Knowledge


class Plain(ComputerPlayer):
    """Plays the first legal command, and never trades."""

    name, trades = "plain", False
    asked = 0

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
        """Misbehave at the third asking, else play."""
        self.asked += 1
        if self.asked == 3:
            return self.misbehave(view, knowledge)
        return choices.legal[0]

    def misbehave(self, view: View, knowledge: Knowledge) -> Command | None:  # noqa: ARG002 - for those that look
        """Do what it is named for."""
        return None


class Passer(Plain):
    """Passes although the game waits for it."""


class Cheat(Plain):
    """Harvests a field there is not."""

    def misbehave(self, view: View, knowledge: Knowledge) -> Command | None:  # noqa: ARG002 - as above
        """Do what the rules refuse."""
        return Harvest(view.viewer or 0, 9)


class Raiser(Plain):
    """Raises."""

    def misbehave(self, view: View, knowledge: Knowledge) -> Command | None:  # noqa: ARG002 - as above
        """Do what a mistake does."""
        raise ZeroDivisionError("one by zero")


class Looper(Plain):
    """Never comes back."""

    def misbehave(self, view: View, knowledge: Knowledge) -> Command | None:  # noqa: ARG002 - as above
        """Loop, whatever is raised inside."""
        while True:
            try:
                time.sleep(0.01)
            except BaseException:  # noqa: BLE001, S112 - nothing gets it out of here
                continue


class Killer(Plain):
    """Takes its process along."""

    def misbehave(self, view: View, knowledge: Knowledge) -> Command | None:  # noqa: ARG002 - as above
        """End at once."""
        os._exit(7)


class Clock:
    """A clock that stands still but for who lets time pass."""

    def __init__(self) -> None:
        """Begin at nought."""
        self.now = 0.0

    def __call__(self) -> float:
        """Return the seconds."""
        return self.now


CLOCK = Clock()
"""The clock of tests about time, in place of the guard's own."""


class Sleeper(Plain):
    """Answers late, by the clock of the tests."""

    def misbehave(self, view: View, knowledge: Knowledge) -> Command | None:  # noqa: ARG002 - as above
        """Think for too long."""
        CLOCK.now += 0.5
        return None


class Unborn(Plain):
    """Cannot be made."""

    def __init__(self, seed: int = 0) -> None:
        """Fail."""
        super().__init__(seed)
        raise ValueError("no weights")


class Stranger(Plain):
    """Returns what is no command."""

    def misbehave(self, view: View, knowledge: Knowledge) -> Command | None:  # noqa: ARG002 - as above
        """Return a text."""
        return "harvest 1"  # type: ignore[return-value] # - that is the point

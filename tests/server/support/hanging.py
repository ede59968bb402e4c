"""Computer players of whom one never answers."""

from __future__ import annotations

import time

from bohn.bots import PLAYERS as REAL
from bohn.bots.api import Choices, Command, ComputerPlayer, Knowledge, View


class Hanging(ComputerPlayer):
    """Thinks for ever."""

    name = "random"

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:  # noqa: ARG002 - one signature
        """Return nothing for an hour."""
        time.sleep(3600)
        return None


PLAYERS = {**REAL, "random": Hanging}

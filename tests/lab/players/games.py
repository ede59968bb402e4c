"""Compiled games of the tests; ``python -m tests.lab.players.games`` prints their digest."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import numpy as np

from bohn.lab.players.driver import play
from bohn.lab.players.player_memory import MEMORY, expected_coins
from bohn.lab.players.styles import styles_of
from bohn.lab.row import ROW, Rows, tables
from bohn.play.floor import BRISK, FloorSetting
from bohn.rules import resolve

LINE_UPS = (("strong-1", "value-trader", "fair-1"), ("b3", "b4", "b6", "pk"), ("strong-1", "no-trade"))


def played(names: Sequence[str], seed: int, edition: str = "full", setting: FloorSetting = BRISK) -> Rows:
    """Return the row of a finished game."""
    rules = tables(resolve(edition, len(names)), setting)
    states: Rows = np.zeros(2, ROW)
    memories: Rows = np.zeros(2 * len(names), MEMORY)
    memories["style"][: len(names)] = range(len(names))
    play(rules, states, 0, expected_coins(rules), styles_of(names), memories, seed)
    return states[:1]


def digest() -> str:
    """Return the digest of a few games, of all that is in their rows."""
    told = sha256()
    for names in LINE_UPS:
        told.update(played(names, 7).tobytes())
    return told.hexdigest()


if __name__ == "__main__":
    print(digest())  # noqa: T201 - its result is what it prints

"""Compiled games of the tests; ``python -m tests.bots.brains.games`` prints their digest."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import numpy as np

from bohn.bots.brains.driver import play
from bohn.bots.brains.minds import MIND, expected_coins
from bohn.bots.brains.styles import styles_of
from bohn.rules import resolve
from bohn.sim.floor import BRISK, Setting
from bohn.sim.row import ROW, Rows, tables

LINE_UPS = (("strong", "h", "fair"), ("b3", "b4", "b6", "pk"), ("strong", "no-trade"))


def played(names: Sequence[str], seed: int, edition: str = "full", setting: Setting = BRISK) -> Rows:
    """Return the row of a finished game."""
    rules = tables(resolve(edition, len(names)), setting)
    states: Rows = np.zeros(2, ROW)
    minds: Rows = np.zeros(2 * len(names), MIND)
    minds["style"][: len(names)] = range(len(names))
    play(rules, states, 0, expected_coins(rules), styles_of(names), minds, seed)
    return states[:1]


def digest() -> str:
    """Return the digest of a few games, of all that is in their rows."""
    told = sha256()
    for names in LINE_UPS:
        told.update(played(names, 7).tobytes())
    return told.hexdigest()


if __name__ == "__main__":
    print(digest())  # noqa: T201 - its result is what it prints

"""What the players do is frozen: ``python -m tests.bots.test_frozen NAME`` prints a player's digest.

It is entered in the table of ``docs/players.md``, from where the tests read it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from bohn.bots import DIGESTS, LOADED_LAZILY, PLAYERS
from bohn.lab.compile_cache import INTERPRET
from bohn.play.floor import BRISK, FREE, FloorSetting, play_game
from bohn.rules import resolve
from tests.effort import sample

TABLES = (("full", 3), ("full", 5), ("classic-ja", 4), ("full", 2), ("das-duell", 2))
"""One table of each kind; each is played in both settings."""

SLOW: dict[str, tuple[tuple[str, int], ...]] = {
    **dict.fromkeys(
        ("strongest-1", "strongest-2", "strongest-3", "strongest-4"), (("full", 3), ("das-duell", 2))
    ),
    "strongest-5": (("full", 3), ("full", 2), ("das-duell", 2)),
}
"""Players that search play at fewer tables, and only with the brisk setting."""

ALIKE = sample(("generous-trader", "value-trader", "fair-1", "gentle-1"), 2)
"""Traders that never search: by hand one that does not learn from answers and one that does."""

DOCUMENT = Path(__file__).parents[2] / "docs" / "players.md"

_ROW = re.compile(r"^\| `([^`]+)` \| `([0-9a-f]{16})` \|", re.MULTILINE)

DOCUMENTED: dict[str, str] = dict(_ROW.findall(DOCUMENT.read_text(encoding="utf-8")))
"""SHA-256 of the games of each player, first 16 digits. A player whose play changes gets a new name."""


def digest(name: str) -> str:
    """Return the digest of a fixed set of games of one player: of all its commands, as JSON."""
    settings = (BRISK,) if name in SLOW else (BRISK, FREE)
    return _digest(name, [(*table, setting) for table in SLOW.get(name, TABLES) for setting in settings])


def brief(name: str) -> str:
    """Return the digest of one short game and one of the bean duel."""
    return _digest(name, [("full", 3, BRISK), ("full", 2, BRISK)])


def _digest(name: str, games: Sequence[tuple[str, int, FloorSetting]]) -> str:
    told = sha256()
    for edition, players, setting in games:
        bots = [PLAYERS[name](seat) for seat in range(players)]
        result = play_game(resolve(edition, players), "frozen", bots, setting, with_moves=True)
        told.update(msgspec.json.encode([move.command for move in result.moves]))
    return told.hexdigest()[:16]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.compiled(only=True) if name in LOADED_LAZILY else ())
        for name in PLAYERS
    ],
)
def test_player_is_frozen(name: str) -> None:
    """Old results stay true: what a name stands for does not change."""
    assert DOCUMENTED.get(name) == digest(name)


@pytest.mark.compiled(only=True)
def test_traders_play_the_same_interpreted() -> None:
    """A trader decides the same at a table, compiled or not; only search needs compiled code."""
    program = [sys.executable, "-m", "tests.bots.test_frozen", "--brief", *ALIKE]
    root = Path(__file__).parents[2]
    done = subprocess.run(  # noqa: S603 - the interpreter of the tests itself
        program, env=os.environ | {INTERPRET: "1"}, cwd=root, capture_output=True, text=True, check=True
    )

    assert done.stdout.split() == [brief(name) for name in ALIKE]


def test_every_player_is_documented_with_its_digest() -> None:
    """The page of the players has a row for each one, and for nobody else."""
    assert list(DOCUMENTED) == list(PLAYERS)


def test_digests_that_are_stored_are_those_documented() -> None:
    """Records and results name players with the digests of the page."""
    assert DIGESTS == DOCUMENTED


if __name__ == "__main__":
    if sys.argv[1:2] == ["--brief"]:
        print(*map(brief, sys.argv[2:]))  # noqa: T201 - a script
    else:
        for wanted in sys.argv[1:] or PLAYERS:
            print(wanted, digest(wanted))  # noqa: T201 - a script

"""What the players do is frozen: ``python -m tests.bots.test_frozen NAME`` prints a player's digest.

It is entered in two places, ``PLAYERS_DIGEST`` below and the table of ``docs/players.md``.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from bohn.bots import LATE, PLAYERS
from bohn.rules import resolve
from bohn.sim.floor import BRISK, FREE, Setting, play_game
from bohn.sim.warmth import INTERPRET

TABLES = (("full", 3), ("full", 5), ("classic-ja", 4), ("full", 2), ("das-duell", 2))
"""One table of each kind; each is played in both settings."""

SLOW = {"strongest": (("full", 3), ("das-duell", 2))}
"""Who thinks long plays at fewer tables, and those only briskly."""

PLAYERS_DIGEST: dict[str, str] = {
    "random": "c0f09cb477f65dad",
    "random-trader": "8b110dc887884420",
    "no-trade": "d1c65941ef431a40",
    "b3": "7f76b5291d3eae2a",
    "b3u": "480f02a186c2b046",
    "b4": "554521843cd34881",
    "b6": "2d50be6b544886d9",
    "pk": "7d26eeaaef9e9fae",
    "h": "03813ba9ceec0661",
    "g": "f52d10a0257db01a",
    "gentle": "29560af230e8cf1a",
    "fair": "e118299a6fe27f6a",
    "strong": "9e059e3adca06614",
    "strongest": "78e305caf301c51e",
}
"""SHA-256 of the games of each player, first 16 digits. A player whose play changes gets a new name."""

ALIKE = ("h", "g", "gentle", "fair")
"""Who weighs and never searches."""

DOCUMENT = Path(__file__).parents[2] / "docs" / "players.md"


def digest(name: str) -> str:
    """Return the digest of a fixed set of games of one player: of all its commands, as JSON."""
    settings = (BRISK,) if name in SLOW else (BRISK, FREE)
    return _digest(name, [(*table, setting) for table in SLOW.get(name, TABLES) for setting in settings])


def brief(name: str) -> str:
    """Return the digest of one short game and one of the bean duel."""
    return _digest(name, [("full", 3, BRISK), ("full", 2, BRISK)])


def _digest(name: str, games: Sequence[tuple[str, int, Setting]]) -> str:
    told = sha256()
    for edition, players, setting in games:
        bots = [PLAYERS[name](seat) for seat in range(players)]
        result = play_game(resolve(edition, players), "frozen", bots, setting, keep=True)
        told.update(msgspec.json.encode([move.command for move in result.moves]))
    return told.hexdigest()[:16]


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.compiled(only=True) if name in LATE else ()) for name in PLAYERS],
)
def test_player_is_frozen(name: str) -> None:
    """Old results stay true: what a name stands for does not change."""
    assert PLAYERS_DIGEST.get(name) == digest(name)


@pytest.mark.compiled(only=True)
def test_traders_play_the_same_interpreted() -> None:
    """Who weighs decides the same at a table, compiled or not; only search is for the compiled."""
    program = [sys.executable, "-m", "tests.bots.test_frozen", "--brief", *ALIKE]
    root = Path(__file__).parents[2]
    done = subprocess.run(  # noqa: S603 - the interpreter of the tests itself
        program, env=os.environ | {INTERPRET: "1"}, cwd=root, capture_output=True, text=True, check=True
    )

    assert done.stdout.split() == [brief(name) for name in ALIKE]


@pytest.mark.parametrize("name", PLAYERS)
def test_player_is_documented_with_its_digest(name: str) -> None:
    """The page of the players names each one and its digest."""
    rows = [
        line for line in DOCUMENT.read_text(encoding="utf-8").splitlines() if line.startswith(f"| `{name}` |")
    ]

    assert any(PLAYERS_DIGEST[name] in row for row in rows)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--brief"]:
        print(*map(brief, sys.argv[2:]))  # noqa: T201 - a script
    else:
        for wanted in sys.argv[1:] or PLAYERS:
            print(wanted, digest(wanted))  # noqa: T201 - a script

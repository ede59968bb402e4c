"""What the players do is frozen: ``python -m tests.bots.test_frozen NAME`` prints a player's digest.

It is entered in two places, ``PLAYERS_DIGEST`` below and the table of ``docs/players.md``.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from bohn.bots import PLAYERS
from bohn.rules import resolve
from bohn.sim.compiling import COMPILED
from bohn.sim.floor import BRISK, FREE, play_game

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
    "h": "fed098249ca4403c",
    "g": "038c876f180420a4",
    "gentle": "1807d2acb3f0d4ba",
    "fair": "72fafaa8e6b8b1aa",
    "strong": "64169b6f17eb6cde",
    "strongest": "83309850224d1d4b",
}
"""SHA-256 of the games of each player, first 16 digits. A player whose play changes gets a new name."""

DOCUMENT = Path(__file__).parents[2] / "docs" / "players.md"


def digest(name: str) -> str:
    """Return the digest of a fixed set of games of one player: of all its commands, as JSON."""
    told = sha256()
    for edition, players in SLOW.get(name, TABLES):
        for setting in (BRISK,) if name in SLOW else (BRISK, FREE):
            bots = [PLAYERS[name](seat) for seat in range(players)]
            result = play_game(resolve(edition, players), "frozen", bots, setting, keep=True)
            told.update(msgspec.json.encode([move.command for move in result.moves]))
    return told.hexdigest()[:16]


@pytest.mark.parametrize("name", PLAYERS)
def test_player_is_frozen(name: str) -> None:
    """Old results stay true: what a name stands for does not change."""
    if name in {"strong", "strongest"} and not COMPILED:
        pytest.skip("they search only where Numba is installed")
    assert PLAYERS_DIGEST.get(name) == digest(name)


@pytest.mark.parametrize("name", PLAYERS)
def test_player_is_documented_with_its_digest(name: str) -> None:
    """The page of the players names each one and its digest."""
    rows = [
        line for line in DOCUMENT.read_text(encoding="utf-8").splitlines() if line.startswith(f"| `{name}` |")
    ]

    assert any(PLAYERS_DIGEST[name] in row for row in rows)


if __name__ == "__main__":
    for wanted in sys.argv[1:] or PLAYERS:
        print(wanted, digest(wanted))  # noqa: T201 - a script

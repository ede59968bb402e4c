"""Counts of command sequences from fixed positions: a second implementation must find the same.

A count that changes says that what is legal has changed. ``python -m tests.golden.test_perft`` writes the
golden file anew, for whoever means it.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bohn.notation.perft import perft
from bohn.rules.deal import opening
from bohn.rules.decide import decide
from bohn.rules.editions import EDITIONS
from bohn.rules.evolve import fold
from bohn.rules.legal import legal_commands
from bohn.rules.resolve import resolve
from bohn.rules.ruleset import Rules
from bohn.rules.shuffle import seed_from
from bohn.rules.state import EndPhase, State

FILE = Path(__file__).parent / "perft.toml"
MOST = 3000
"""Counts go as deep as they stay below this, so that they are found in a moment."""

HEAD = """\
# Numbers of command sequences over all players, offers and talk aside (bohn.notation.perft), from positions
# reached by always carrying out one listed command: of those that all seats have, seat by seat in the order
# of legal_commands, the one at place (7 * step) modulo their number, harvests only if there is nothing else.
# counts[d - 1] is the number of sequences of length d.
"""
STEPS = (0, 40, 150)


def position(rules: Rules, seed: str, steps: int) -> State:
    """Return the position after a number of steps of the fixed walk, or the last one before the end."""
    state = fold(opening(rules, seed_from(seed)))
    for step in range(steps):
        listed = [command for seat in range(rules.players) for command in legal_commands(rules, state, seat)]
        calm = [command for command in listed if type(command).__name__ != "Harvest"] or listed
        after = fold(decide(rules, state, calm[7 * step % len(calm)]), state)
        if isinstance(after.phase, EndPhase):
            return state
        state = after
    return state


def counts(rules: Rules, state: State) -> list[int]:
    """Return the counts by depth, as deep as they stay small, at most five."""
    found = [perft(rules, state, 1)]
    while found[-1] * max(2, found[0]) < MOST and len(found) < 5:
        found.append(perft(rules, state, len(found) + 1))
    return found


def games() -> list[dict[str, Any]]:
    """Return every fixed position: of each edition and number of players, three."""
    return [
        {"edition": edition, "players": players, "seed": "perft", "steps": steps}
        for edition, by_number in EDITIONS.items()
        for players in by_number
        for steps in STEPS
    ]


@cache
def golden() -> dict[tuple[str, int, int], list[int]]:
    """Return the counts of the golden file."""
    loaded = tomllib.loads(FILE.read_text(encoding="utf-8"))["position"]
    return {(one["edition"], one["players"], one["steps"]): one["counts"] for one in loaded}


def key(game: dict[str, Any]) -> tuple[str, int, int]:
    """Return what a position is filed under."""
    return game["edition"], game["players"], game["steps"]


def label(game: dict[str, Any]) -> str:
    """Return a position's name in the list of tests."""
    return "{}-{}-{}".format(*key(game))


@pytest.mark.parametrize("game", games(), ids=label)
def test_perft_counts_are_as_before(game: dict[str, Any]) -> None:
    """From a fixed position there are as many command sequences of each length as the golden file says."""
    rules = resolve(game["edition"], game["players"])
    state = position(rules, game["seed"], game["steps"])
    expected = golden()[key(game)]
    assert [perft(rules, state, depth + 1) for depth in range(len(expected))] == expected


def test_perft_file_has_every_edition() -> None:
    """The golden file counts three positions of every edition and number of players, and no others."""
    assert set(golden()) == {key(game) for game in games()}


def written() -> str:
    """Return the golden file as it should be written."""
    parts = [HEAD]
    for game in games():
        rules = resolve(game["edition"], game["players"])
        found = counts(rules, position(rules, game["seed"], game["steps"]))
        parts.append(
            f'\n[[position]]\nedition = "{game["edition"]}"\nplayers = {game["players"]}\n'
            f'seed = "{game["seed"]}"\nsteps = {game["steps"]}\ncounts = {found}\n'
        )
    return "".join(parts)


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")

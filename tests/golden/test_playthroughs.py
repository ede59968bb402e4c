"""The golden playthroughs: whatever changes in a game shows here as a difference one can read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bohn.notation.commands import parse_command
from bohn.notation.playthrough import playthrough
from bohn.rules import decide, fold, opening, resolve, seed_from
from bohn.rules.commands import Command
from bohn.rules.editions import EDITIONS
from bohn.rules.events import Event

PLAYTHROUGHS = Path(__file__).parent / "playthroughs"
GAMES = [(edition, players) for edition, by_players in EDITIONS.items() for players in by_players]
SEED = 1


def commands_in(text: str) -> Iterator[Command]:
    """Yield the commands of a playthrough, in order."""
    for line in text.splitlines():
        number, _, said = line.partition(" ")
        seat, _, words = said.partition(": ")
        if number.startswith("#") and seat.isdecimal():
            yield parse_command(words, int(seat))


@pytest.mark.parametrize(("edition", "players"), GAMES)
def test_playthrough_is_unchanged(edition: str, players: int) -> None:
    """The commands of the golden game still lead to the very same game, to its end."""
    text = (PLAYTHROUGHS / f"{edition}-{players}p.txt").read_text(encoding="utf-8")
    rules = resolve(edition, players)
    begun = opening(rules, seed_from(SEED))
    state = fold(begun)
    batches: list[tuple[Command | None, tuple[Event, ...]]] = [(None, begun)]
    for command in commands_in(text):
        events = decide(rules, state, command)
        state = fold(events, state)
        batches.append((command, events))

    assert "  > game-ended " in text
    assert text == playthrough(rules, batches)

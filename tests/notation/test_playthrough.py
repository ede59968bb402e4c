"""Playthroughs: a whole game as readable text."""

from __future__ import annotations

import pytest

from bohn.notation.playthrough import playthrough
from tests.notation.playing import GAMES, game


@pytest.mark.parametrize(("edition", "players", "house_rules"), GAMES)
def test_playthrough_shows_every_batch(edition: str, players: int, house_rules: tuple[str, ...]) -> None:
    """A dump has the rules, and every batch with its number."""
    rules, played = game(edition, players, house_rules)
    text = playthrough(rules, [(command, events) for command, events, _ in played])

    assert text.startswith(f"edition: {edition}\nplayers: {players}\n")
    assert [line.split()[0] for line in text.splitlines() if line.startswith("#")] == [
        f"#{number}" for number in range(len(played))
    ]


def test_playthrough_shows_command_events_and_position() -> None:
    """A batch is the command, its events, and a line for the table and for each seat."""
    rules, played = game("das-duell", 2)
    lines = playthrough(rules, [(command, events) for command, events, _ in played]).splitlines()
    first = lines.index("#0 opening")

    assert lines[first + 1].startswith("  > dealt starter ")
    assert lines[first + 2].startswith("  > turn-began ")
    assert [line.split()[0] for line in lines[first + 3 : first + 6]] == ["turn", "0:", "1:"]
    assert lines[first + 3].startswith("  turn 1: plant of ")


def test_playthrough_shows_the_bonus_cards() -> None:
    """A bonus card is written as its pattern and its pennies."""
    rules, _ = game("das-duell", 2)

    assert "bonus_cards: ((2,2),10) ((2,1,1),40)" in playthrough(rules, [])

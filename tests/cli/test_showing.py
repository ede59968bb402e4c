"""What people see: every event in words, every position as a table, nothing of another's hand."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from rich.console import Console

from bohn.bots import PLAYERS
from bohn.cli.board import board
from bohn.cli.suggest import ordered, sensible_offers, suggestion
from bohn.i18n import Catalog
from bohn.narration.sentences import sentence
from bohn.narration.words import Words
from bohn.play.floor import BRISK, FloorGame
from bohn.rules.commands import Command
from bohn.rules.deal import opening
from bohn.rules.decide import is_legal
from bohn.rules.editions import EDITIONS
from bohn.rules.events import Event
from bohn.rules.evolve import fold
from bohn.rules.legal import legal_commands, offer_space
from bohn.rules.resolve import resolve
from bohn.rules.ruleset import Rules
from bohn.rules.shuffle import seed_from
from bohn.rules.state import State
from bohn.views import view, visible
from tests.effort import sample

NAMES = ("Anna", "Bert", "Chiyo", "Dagur", "Elsa", "Finn", "Greta")
GAMES = [(edition, min(players), seed) for edition, players in EDITIONS.items() for seed in range(2)]
GAMES += [("full", 2, 5), ("full", 7, 6)]
SHOWN = [("full", 2, 5), ("full", 3, 0), ("full", 7, 6), ("classic-ja", 3, 0), ("das-duell", 2, 0)]
"""Every game, and the fewest and the most that a table has to show; a table says nothing of editions else."""


def words_of(rules: Rules, viewer: int | None = None) -> Words:
    """Return English words for a table."""
    return Words(Catalog.load("en"), rules, NAMES[: rules.players], viewer)


def moves(rules: Rules, seed: int) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """Play a game of random traders, which use every command, and return its positions and batches."""
    start = opening(rules, seed_from(seed))
    found: list[tuple[State, tuple[Event, ...]]] = [(fold(start), start)]

    def watch(before: State, command: Command, events: tuple[Event, ...], after: State) -> None:  # noqa: ARG001 - the floor's signature
        found.append((after, events))

    bots = [PLAYERS["random-trader"](seed + seat) for seat in range(rules.players)]
    FloorGame(rules, fold(start), bots, BRISK, watch).play()
    return iter(found)


@pytest.mark.parametrize(("edition", "players", "seed"), GAMES)
def test_every_event_of_a_game_is_a_sentence(edition: str, players: int, seed: int) -> None:
    """For every viewer each event is told without a gap."""
    rules = resolve(edition, players)
    viewers = (None, *range(players))
    texts = {
        sentence(words_of(rules, viewer), shown)
        for _, events in moves(rules, seed)
        for event in events
        for viewer in viewers
        if (shown := visible(event, viewer)) is not None
    }

    assert [text for text in texts if "{" in text or text.startswith("[") or "  " in text] == []


@pytest.mark.parametrize(("edition", "players", "seed"), SHOWN)
def test_positions_of_a_game_are_tables(edition: str, players: int, seed: int) -> None:
    """Positions all through a game, for one viewer after the other, are shown in 80 columns, no gap."""
    rules = resolve(edition, players)
    console = Console(width=80, record=True, file=None, quiet=False)
    with console.capture() as capture:
        for number, (state, _) in enumerate(sample(list(moves(rules, seed)))):
            viewer = (None, *range(players))[number % (players + 1)]
            console.print(board(words_of(rules, viewer), view(rules, state, viewer)))
    shown = capture.get().splitlines()

    assert max(map(len, shown)) <= 80
    assert [line for line in shown if "{" in line or "[board." in line] == []


@pytest.mark.parametrize(("edition", "players", "seed"), GAMES[::2])
def test_every_suggestion_is_legal_and_has_words(edition: str, players: int, seed: int) -> None:
    """What is suggested, offers too, would be accepted, and reads without a gap."""
    rules = resolve(edition, players)
    for state, _ in list(moves(rules, seed))[::7]:
        for seat in range(players):
            seen = view(rules, state, seat)
            commands = ordered(seen, legal_commands(rules, state, seat))
            commands += sensible_offers(seen, offer_space(rules, state, seat))
            texts = [suggestion(words_of(rules, seat), seen, command) for command in commands]

            assert [is_legal(rules, state, command) for command in commands] == [None] * len(commands)
            assert [text for text in texts if "{" in text or text.startswith("[")] == []

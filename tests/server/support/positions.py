"""Positions of whole games between computer players, for tests that need every phase."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from bohn.bots import PLAYERS
from bohn.play import play_game
from bohn.rules import resolve
from bohn.rules.commands import Command
from bohn.rules.events import Event
from bohn.rules.ruleset import Rules
from bohn.rules.state import State


class Step(Struct, frozen=True):
    """One command of a game: the position before it, what it caused, and the position behind it."""

    before: State
    command: Command
    events: tuple[Event, ...]
    after: State


@cache
def steps(edition: str, players: int, seed: int = 1, bot: str = "b3") -> tuple[Rules, tuple[Step, ...]]:
    """Return the rules and all steps of one whole game."""
    rules = resolve(edition, players)
    found: list[Step] = []

    def watch(before: State, command: Command, events: tuple[Event, ...], after: State) -> None:
        found.append(Step(before, command, events, after))

    play_game(rules, seed, [PLAYERS[bot](seat) for seat in range(players)], watch=watch)
    return rules, tuple(found)

"""The row of a phase in the table of a turn: its commands, what may be chosen, and whom it waits for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from bohn.rules.commands import Command
from bohn.rules.events import Event
from bohn.rules.ruleset import Rules
from bohn.rules.state import EndPhase, Phase, State

Handler = Callable[[Rules, State, Any], tuple[Event, ...]]
"""Decides one type of command: the events it causes, or a refusal."""

ListChoices = Callable[[Rules, State, int], list[Command]]
"""Lists a player's legal commands in the phase: all but offers, edits, talk and what is legal at any time."""

ListWaiting = Callable[[Rules, State], tuple[int, ...]]
"""Returns the seats that the game waits for, in the order of play."""


class PhaseRow(Struct, frozen=True, kw_only=True):
    """One phase of a game; a command that is not in its row is illegal there.

    ``next`` are the other phases that a command may lead to, in this turn or by beginning the next.
    """

    commands: Mapping[type[Command], Handler]
    choices: ListChoices
    waiting: ListWaiting
    next: tuple[type[Phase], ...]


TurnTable = Mapping[type[Phase], PhaseRow]
"""The turn of one game."""

HandlerTable = Mapping[tuple[type[Phase], type[Command]], Handler]
"""The handlers of one game by phase and command, so that one lookup finds them."""


def handlers(table: TurnTable) -> HandlerTable:
    """Return the handlers of all rows of a turn."""
    return {
        (phase, command): handler for phase, row in table.items() for command, handler in row.commands.items()
    }


def no_choices(rules: Rules, state: State, player: int) -> list[Command]:  # noqa: ARG001 - one signature
    """Return nothing: the game is over (END-1)."""
    return []


def nobody(rules: Rules, state: State) -> tuple[int, ...]:  # noqa: ARG001 - one signature
    """Wait for nobody: the game is over (END-1)."""
    return ()


def active_player(rules: Rules, state: State) -> tuple[int, ...]:  # noqa: ARG001 - one signature
    """Wait for the active player (TURN-1)."""
    return (state.active_player,)


END: TurnTable = {EndPhase: PhaseRow(commands={}, choices=no_choices, waiting=nobody, next=())}
"""The last row of every game."""

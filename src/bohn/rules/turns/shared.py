"""What the turns of all games share: planting from the hand, revealing, the next turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bohn.rules.batch import Batch
from bohn.rules.commands import Command, MakePromise, Plant, Reveal, SetWish, WithdrawPromise
from bohn.rules.errors import IllegalCommand, Reason
from bohn.rules.events import Event, Planted, TurnBegan
from bohn.rules.farming import require_active, require_fit
from bohn.rules.ruleset import Rules
from bohn.rules.state import Phase, PlantPhase, State
from bohn.rules.talk import make_promise, set_wish, withdraw_promise

Handler = Callable[[Rules, State, Any], tuple[Event, ...]]
TurnTable = dict[tuple[type[Phase], type[Command]], Handler]

AT_MOST_PLANTED = 2  # RU "1. Сажаем 1 или 2 карты бобов" §4

POLICIES: dict[str, tuple[str, ...]] = {
    "singles": ("while_another_has_two", "all_single"),
    "same_kind": ("may_split", "must_join"),
    "payment": ("topmost", "chosen"),
    "tie": ("most_hand_cards", "shared"),
}
"""The policies that a house may choose in any game of growing one kind a field."""

NUMBERS: dict[str, tuple[str, ...]] = {
    "fields": ("2", "3"),  # HOUSE-1
    "field_price": ("2", "3"),  # HOUSE-2
}
"""The numbers that a house may choose."""

TALK: dict[type[Command], Handler] = {
    SetWish: set_wish,
    MakePromise: make_promise,
    WithdrawPromise: withdraw_promise,
}
"""Talk is free in every phase of every game (TALK-2)."""


def turn_table(
    phases: Mapping[Any, Mapping[type[Command], Handler]], any_time: Mapping[type[Command], Handler]
) -> TurnTable:
    """Flatten a table by phase, with what is legal at any time, into ``(phase, command) -> handler``."""
    return {
        (phase, command): handler
        for phase, row in phases.items()
        for command, handler in {**any_time, **row}.items()
    }


def require_planted(state: State, command: Command) -> PlantPhase:
    """Refuse to leave the planting before the front card is planted (PLANT-1, PLANT-6)."""
    require_active(state, command, "TURN-1")
    phase = state.phase
    assert isinstance(phase, PlantPhase)  # noqa: S101 - kept by the turn table
    if not phase.planted and state.players[command.player].hand:
        raise IllegalCommand(Reason.MUST_PLANT_FIRST, "PLANT-1")
    return phase


def plant(rules: Rules, state: State, command: Plant) -> tuple[Event, ...]:
    """Plant the front hand card: the first must, the second may, never a third (PLANT-1..PLANT-6)."""
    require_active(state, command, "PLANT-1")
    phase = state.phase
    assert isinstance(phase, PlantPhase)  # noqa: S101 - kept by the turn table
    player = state.players[command.player]
    if phase.planted >= AT_MOST_PLANTED:
        raise IllegalCommand(Reason.TWO_PLANTED_ALREADY, "PLANT-5")
    if not player.hand:
        raise IllegalCommand(Reason.HAND_EMPTY, "PLANT-6")
    require_fit(rules, player, command.field, player.hand[0])
    return (Planted(command.player, command.field, player.hand[0]),)


def require_reveal(state: State, command: Reveal) -> None:
    """Refuse to turn beans over before the front card is planted (TURN-3, PLANT-1)."""
    require_planted(state, command)


def next_turn(batch: Batch, leftovers: tuple[Any, ...] = ()) -> None:
    """Pass the turn to the left (TURN-2)."""
    following = (batch.state.active_player + 1) % len(batch.state.players)
    batch.add(TurnBegan(following, leftovers))

"""What the turns of all games share: planting, revealing, the next turn, and what is legal at any time."""

from __future__ import annotations

from functools import cache
from typing import Any

from bohn.rules.batch import Batch
from bohn.rules.beans import Bean
from bohn.rules.commands import (
    BuyField,
    Command,
    Harvest,
    MakePromise,
    Plant,
    PlantFaceUp,
    PlantSetAside,
    Reveal,
    SetWish,
    WithdrawPromise,
)
from bohn.rules.errors import IllegalCommand, Reason
from bohn.rules.events import Event, Planted, TurnBegan
from bohn.rules.farming import buy_field, harvest, require_active, require_fit
from bohn.rules.policies import FITS
from bohn.rules.ruleset import Rules
from bohn.rules.state import PlantPhase, State
from bohn.rules.talk import make_promise, set_wish, withdraw_promise
from bohn.rules.turns.row import Handler

AT_MOST_PLANTED = 2  # RU "1. Сажаем 1 или 2 карты бобов" §4
"""Hand cards that may be planted in one turn (PLANT-5)."""

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


ANY_TIME: dict[type[Command], Handler] = {Harvest: harvest, BuyField: buy_field, **TALK}
"""What is legal in every phase of every game (HARVEST-1, BUY-1, TALK-2)."""

# Cached, because there are few seats and fields.
_plant_on = cache(Plant)
_reveal_by = cache(Reveal)


# -- planting from the hand ---------------------------------------------------------------


def require_planted(state: State, command: Command) -> PlantPhase:
    """Refuse to leave the planting before the front card is planted (PLANT-1, PLANT-6)."""
    require_active(state, command, "TURN-1")
    phase = state.phase
    assert isinstance(phase, PlantPhase)  # noqa: S101 - the turn table admits no other phase
    if not phase.planted and state.players[command.player].hand:
        raise IllegalCommand(Reason.MUST_PLANT_FIRST, "PLANT-1")
    return phase


def plant(rules: Rules, state: State, command: Plant) -> tuple[Event, ...]:
    """Plant the front hand card: the first must, the second may, never a third (PLANT-1..PLANT-6)."""
    require_active(state, command, "PLANT-1")
    phase = state.phase
    assert isinstance(phase, PlantPhase)  # noqa: S101 - the turn table admits no other phase
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


def fitting(rules: Rules, state: State, player: int, bean: Bean) -> list[int]:
    """Return the own fields on which a bean may be planted (PLANT-2)."""
    fits = FITS[rules.same_kind]
    fields = state.players[player].fields
    return [field for field in range(len(fields)) if fits(fields, field, bean) is None]


def plant_choices(rules: Rules, state: State, player: int) -> list[Command]:
    """List where the active player may plant his front card (PLANT-1..PLANT-5)."""
    phase = state.phase
    assert isinstance(phase, PlantPhase)  # noqa: S101 - the turn table admits no other phase
    own = state.players[player]
    if player != state.active_player or not own.hand or phase.planted >= AT_MOST_PLANTED:
        return []
    return [_plant_on(player, field) for field in fitting(rules, state, player, own.hand[0])]


def may_end_planting(state: State, player: int) -> bool:
    """Tell whether the active player has planted what he must (PLANT-1, PLANT-6)."""
    phase = state.phase
    assert isinstance(phase, PlantPhase)  # noqa: S101 - the turn table admits no other phase
    return player == state.active_player and bool(phase.planted or not state.players[player].hand)


def plant_or_reveal(rules: Rules, state: State, player: int) -> list[Command]:
    """List where the front card may be planted, and the reveal where it may follow (TURN-3)."""
    found = plant_choices(rules, state, player)
    if may_end_planting(state, player):
        found.append(_reveal_by(player))
    return found


def reveal_choices(rules: Rules, state: State, player: int) -> list[Command]:  # noqa: ARG001 - one signature
    """List the reveal, which is all the active player may do (DUEL-8)."""
    return [_reveal_by(player)] if player == state.active_player else []


# -- planting what is set aside or face up --------------------------------------------------


def set_aside_choices(rules: Rules, state: State, player: int) -> list[Command]:
    """List where a player may plant what he has set aside, in any order (SETASIDE-1)."""
    return [
        PlantSetAside(player, place, field)
        for place, bean in enumerate(state.players[player].set_aside)
        for field in fitting(rules, state, player, bean)
    ]


def face_up_choices(rules: Rules, state: State, player: int, face_up: tuple[Bean, ...]) -> list[Command]:
    """List where the active player may plant what lies face up (DUEL-10, DD-12)."""
    if player != state.active_player:
        return []
    return [
        PlantFaceUp(player, place, field)
        for place, bean in enumerate(face_up)
        for field in fitting(rules, state, player, bean)
    ]


# -- the next turn ------------------------------------------------------------------------------


def next_turn(batch: Batch, leftovers: tuple[Any, ...] = ()) -> None:
    """Pass the turn to the left (TURN-2)."""
    following = (batch.state.active_player + 1) % len(batch.state.players)
    batch.add(TurnBegan(following, leftovers))

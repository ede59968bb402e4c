"""Folds of set-up, piles, planting, harvest and purchase, which all games share, and of the bean duel.

A fold is a function from a state and one event to the next state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from bohn.rules import events as e
from bohn.rules.beans import Bean, Field
from bohn.rules.state import (
    NO_BONUS,
    NO_PILES,
    NO_TALK,
    BonusHand,
    BonusPiles,
    EndPhase,
    FaceUpPhase,
    LeftoversPhase,
    Phase,
    PlantPhase,
    PlantTradedPhase,
    Player,
    RevealPhase,
    State,
    Talk,
    TradePhase,
    Wishes,
)

Fold = Callable[[State, Any], State]
"""The state after one event of one kind, from the state before it."""

EMPTY = State((), 0, PlantPhase(), (), (), (), 0, 0, 0, 0, NO_TALK, b"")
"""The state before anything has been dealt."""


# -- small updates ----------------------------------------------------------------------


def with_player(players: tuple[Player, ...], index: int, player: Player) -> tuple[Player, ...]:
    """Return the players with one replaced."""
    return (*players[:index], player, *players[index + 1 :])


def plant_on(fields: tuple[Field, ...], index: int, bean: Bean) -> tuple[Field, ...]:
    """Return the fields with one bean more on one of them."""
    return (*fields[:index], (*fields[index], bean), *fields[index + 1 :])


def without(cards: tuple[Any, ...], place: int) -> tuple[Any, ...]:
    """Return the cards without the one at a place; the order of the rest is unchanged."""
    return cards[:place] + cards[place + 1 :]


def tokens_of(count: int) -> int | UnsetType:
    """Return a number of coins of a head start as a player has it: unset where none are left (HOUSE-7)."""
    return count or UNSET


# -- the course of the game -----------------------------------------------------------------


def _dealt(state: State, event: e.Dealt) -> State:  # noqa: ARG001 - one signature per table
    face_down = event.face_down or ((),) * len(event.hands)
    bonus = tuple(BonusHand(hand, (-1,) * len(hand)) for hand in event.bonus_hands)
    tokens = (0,) * len(event.hands) if event.tokens is UNSET else event.tokens
    players = tuple(
        Player(
            hand, 0, ((),) * event.fields, (), (), face_down[i], bonus[i] if bonus else NO_BONUS,
            tokens_of(tokens[i]),
        )
        for i, hand in enumerate(event.hands)
    )  # fmt: skip
    talk = Talk(tuple(Wishes() for _ in players))
    piles = BonusPiles(event.bonus_pile) if event.bonus_pile else NO_PILES
    return State(
        players, event.starter, PlantPhase(), event.draw_pile, (), event.box,
        0, 1, 0, event.starter, talk, event.seed, piles,
    )  # fmt: skip


def _turn_began(state: State, event: e.TurnBegan) -> State:
    phase: Phase = LeftoversPhase(event.leftovers) if event.leftovers else PlantPhase()
    return replace(state, active_player=event.player, phase=phase, turn=state.turn + 1)


def _turned_over(state: State, event: e.TurnedOver) -> State:
    phase = state.phase
    lying = phase.face_up if isinstance(phase, RevealPhase) else ()
    rest = state.draw_pile[: -len(event.beans)]
    return replace(state, phase=RevealPhase(lying + event.beans), draw_pile=rest)


def _swept(state: State, event: e.Swept) -> State:
    rest = state.discard_pile[: -len(event.beans)]
    return replace(state, phase=RevealPhase(_face_up(state) + event.beans), discard_pile=rest)


def _face_up(state: State) -> tuple[Bean, ...]:
    phase = state.phase
    return phase.face_up if isinstance(phase, RevealPhase | TradePhase | FaceUpPhase) else ()


def _trading_began(state: State, event: e.TradingBegan) -> State:  # noqa: ARG001 - one signature per table
    return replace(state, phase=TradePhase(_face_up(state)))


def _face_up_began(state: State, event: e.FaceUpBegan) -> State:  # noqa: ARG001 - one signature per table
    return replace(state, phase=FaceUpPhase(_face_up(state)))


def _drew(state: State, event: e.Drew) -> State:
    player = state.players[event.player]
    players = with_player(state.players, event.player, replace(player, hand=player.hand + event.beans))
    return replace(state, players=players, draw_pile=state.draw_pile[: -len(event.beans)])


def _exhausted(state: State, event: e.Exhausted) -> State:
    return replace(state, exhaustions=event.count)


def _reshuffled(state: State, event: e.Reshuffled) -> State:
    return replace(state, draw_pile=event.order, discard_pile=(), shuffles=state.shuffles + 1)


def _game_ended(state: State, event: e.GameEnded) -> State:
    phase = state.phase
    unscored: tuple[Bean, ...] = getattr(phase, "face_up", ()) + getattr(phase, "gift", ())
    return replace(state, phase=EndPhase(event.result, unscored))


# -- planting, harvest, purchase ---------------------------------------------------------


def _planted(state: State, event: e.Planted) -> State:
    old = state.players[event.player]
    fields = plant_on(old.fields, event.field, event.bean)
    player = replace(old, hand=old.hand[1:], hand_revision=old.hand_revision + 1, fields=fields)
    phase = state.phase
    planted = phase.planted + 1 if isinstance(phase, PlantPhase) else 1
    return replace(state, players=with_player(state.players, event.player, player), phase=PlantPhase(planted))


def _set_aside_planted(state: State, event: e.SetAsidePlanted) -> State:
    old = state.players[event.player]
    fields = plant_on(old.fields, event.field, event.bean)
    player = replace(old, fields=fields, set_aside=without(old.set_aside, event.place))
    return replace(state, players=with_player(state.players, event.player, player))


def _harvested(state: State, event: e.Harvested) -> State:
    old = state.players[event.player]
    fields = (*old.fields[: event.field], (), *old.fields[event.field + 1 :])
    player = replace(old, fields=fields, treasury=old.treasury + event.coins)
    players = with_player(state.players, event.player, player)
    return replace(state, players=players, discard_pile=state.discard_pile + event.discards)


def _field_bought(state: State, event: e.FieldBought) -> State:
    old = state.players[event.player]
    treasury = list(reversed(old.treasury))
    for coin in event.coins:
        treasury.remove(coin)
    left = old.tokens_left - (0 if event.tokens is UNSET else event.tokens)
    fields = (*old.fields, ())
    player = replace(old, fields=fields, treasury=tuple(reversed(treasury)), tokens=tokens_of(left))
    players = with_player(state.players, event.player, player)
    if event.to == "box":
        return replace(state, players=players, box=state.box + event.coins)
    return replace(state, players=players, discard_pile=state.discard_pile + event.coins)


# -- the bean duel ---------------------------------------------------------------------------


def _leftovers(state: State) -> tuple[Bean, ...]:
    return state.phase.leftovers if isinstance(state.phase, LeftoversPhase) else ()


def _leftover_planted(state: State, event: e.LeftoverPlanted) -> State:
    old = state.players[event.player]
    player = replace(old, fields=plant_on(old.fields, event.field, event.bean))
    phase = LeftoversPhase(without(_leftovers(state), event.place))
    return replace(state, players=with_player(state.players, event.player, player), phase=phase)


def _leftovers_done(state: State, event: e.LeftoversDone) -> State:  # noqa: ARG001 - one signature per table
    return replace(state, phase=PlantPhase())


def _hand_discarded(state: State, event: e.HandDiscarded) -> State:
    old = state.players[event.player]
    player = replace(old, hand=without(old.hand, event.place), hand_revision=old.hand_revision + 1)
    players = with_player(state.players, event.player, player)
    return replace(
        state, players=players, phase=RevealPhase(), discard_pile=(*state.discard_pile, event.bean)
    )


def _hand_kept(state: State, event: e.HandKept) -> State:  # noqa: ARG001 - one signature per table
    return replace(state, phase=RevealPhase())


def _rest_left(state: State, event: e.RestLeft) -> State:  # noqa: ARG001 - one signature per table
    # The next turn's LeftoversPhase takes the beans over; they stay face up until then.
    return state


# -- the end of trading -----------------------------------------------------------------


def _trading_closed(state: State, event: e.TradingClosed) -> State:
    old = state.players[event.player]
    rest = _face_up(state)
    player = replace(old, set_aside=old.set_aside + rest) if rest else old
    return replace(state, players=with_player(state.players, event.player, player), phase=PlantTradedPhase())


COURSE: dict[type[e.Event], Fold] = {
    e.Dealt: _dealt,
    e.TurnBegan: _turn_began,
    e.TurnedOver: _turned_over,
    e.Swept: _swept,
    e.TradingBegan: _trading_began,
    e.FaceUpBegan: _face_up_began,
    e.Drew: _drew,
    e.Exhausted: _exhausted,
    e.Reshuffled: _reshuffled,
    e.GameEnded: _game_ended,
    e.Planted: _planted,
    e.SetAsidePlanted: _set_aside_planted,
    e.Harvested: _harvested,
    e.FieldBought: _field_bought,
    e.LeftoverPlanted: _leftover_planted,
    e.LeftoversDone: _leftovers_done,
    e.HandDiscarded: _hand_discarded,
    e.HandKept: _hand_kept,
    e.RestLeft: _rest_left,
    e.TradingClosed: _trading_closed,
}
"""The fold of each event that all games share, and of those of the bean duel."""

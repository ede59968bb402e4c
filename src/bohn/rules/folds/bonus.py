"""Folds of Das Duell's bonus cards: how each event changes the state. The rules are in `turns/bonus.py`."""

from __future__ import annotations

from msgspec.structs import replace

from bohn.rules import events as e
from bohn.rules.folds.course import Fold, with_player, without
from bohn.rules.state import BonusHand, BonusPhase, BonusPiles, Player, State


def without_bonus(bonus: BonusHand, card: int, *, from_hand: bool) -> BonusHand:
    """Return a player's bonus cards without one, from his hand or from those he has claimed."""
    if not from_hand:
        return BonusHand(bonus.hand, bonus.stood, tuple(c for c in bonus.claimed if c != card))
    place = bonus.hand.index(card)
    return BonusHand(without(bonus.hand, place), without(bonus.stood, place), bonus.claimed)


def with_bonus(bonus: BonusHand, card: int, *, to_hand: bool) -> BonusHand:
    """Return a player's bonus cards with one more, in his hand or among those he has claimed."""
    if to_hand:
        return BonusHand((*bonus.hand, card), (*bonus.stood, -1), bonus.claimed)
    return BonusHand(bonus.hand, bonus.stood, (*bonus.claimed, card))


def _players_with(state: State, index: int, bonus: BonusHand) -> tuple[Player, ...]:
    """Return the players, one of them with these bonus cards."""
    return with_player(state.players, index, replace(state.players[index], bonus=bonus))


def bonus_passed(phase: BonusPhase, player: int) -> BonusPhase:
    """Return the phase after a player has passed: he neither discards nor, once that is over, refills."""
    if phase.discarding:
        return BonusPhase(tuple(p for p in phase.discarding if p != player), phase.refilling)
    return BonusPhase((), tuple(p for p in phase.refilling if p != player))


def _bonus_began(state: State, event: e.BonusBegan) -> State:
    return replace(state, phase=BonusPhase(event.discarding, event.refilling))


def _bonus_stood(state: State, event: e.BonusStood) -> State:
    bonus = state.players[event.player].bonus
    stood = tuple(
        state.turn if card == event.bonus else turn
        for card, turn in zip(bonus.hand, bonus.stood, strict=True)
    )
    return replace(
        state, players=_players_with(state, event.player, BonusHand(bonus.hand, stood, bonus.claimed))
    )


def _bonus_claimed(state: State, event: e.BonusClaimed) -> State:
    bonus = without_bonus(state.players[event.player].bonus, event.bonus, from_hand=True)
    return replace(
        state, players=_players_with(state, event.player, with_bonus(bonus, event.bonus, to_hand=False))
    )


def _bonus_phase(state: State) -> BonusPhase:
    """Return the bonus phase, or an empty one: `evolve` refuses nothing, so that old logs always replay."""
    return state.phase if isinstance(state.phase, BonusPhase) else BonusPhase()


def _bonus_discarded(state: State, event: e.BonusDiscarded) -> State:
    bonus = without_bonus(state.players[event.player].bonus, event.bonus, from_hand=True)
    phase = _bonus_phase(state)
    waiting = tuple(p for p in phase.discarding if p != event.player)
    players = _players_with(state, event.player, bonus)
    piles = BonusPiles(state.bonus.draw, (*state.bonus.discard, event.bonus))
    return replace(state, players=players, bonus=piles, phase=BonusPhase(waiting, phase.refilling))


def _bonus_refilled(state: State, event: e.BonusRefilled) -> State:
    bonus = state.players[event.player].bonus
    unseen = (-1,) * len(event.cards)
    refilled = BonusHand(bonus.hand + event.cards, bonus.stood + unseen, bonus.claimed)
    phase = _bonus_phase(state)
    rest = state.bonus.draw[: len(state.bonus.draw) - len(event.cards)]
    waiting = tuple(p for p in phase.refilling if p != event.player)
    return replace(
        state,
        players=_players_with(state, event.player, refilled),
        bonus=BonusPiles(rest, state.bonus.discard),
        phase=BonusPhase((), waiting),
    )


def _bonus_reshuffled(state: State, event: e.BonusReshuffled) -> State:
    return replace(state, bonus=BonusPiles(event.order + state.bonus.draw, ()), shuffles=state.shuffles + 1)


BONUS: dict[type[e.Event], Fold] = {
    e.BonusBegan: _bonus_began,
    e.BonusStood: _bonus_stood,
    e.BonusClaimed: _bonus_claimed,
    e.BonusDiscarded: _bonus_discarded,
    e.BonusRefilled: _bonus_refilled,
    e.BonusReshuffled: _bonus_reshuffled,
}
"""The fold of each event of bonus cards, but of passing, which trading has too (`trade.py`)."""

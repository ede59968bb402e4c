"""Folds of gifts and of planting face-up beans, in both duels: how each of these events changes the state."""

from __future__ import annotations

from msgspec.structs import replace

from bohn.rules import events as e
from bohn.rules.beans import Bean
from bohn.rules.folds.bonus import with_bonus, without_bonus
from bohn.rules.folds.course import Fold, plant_on, tokens_of, with_player, without
from bohn.rules.state import (
    BonusPiles,
    FaceUpPhase,
    GiftPhase,
    LeftoversPhase,
    Naming,
    Phase,
    PlantGiftPhase,
    State,
)


def _face_up(state: State) -> tuple[Bean, ...]:
    face_up: tuple[Bean, ...] = getattr(state.phase, "face_up", ())
    return face_up


# -- face-up beans of both duels -------------------------------------------------------------


def _less_face_up(phase: Phase, place: int, planted: int) -> Phase:
    if isinstance(phase, PlantGiftPhase):
        rest = without(phase.face_up, place)
        return PlantGiftPhase(rest, phase.gift, phase.receiver, phase.planted + planted)
    if isinstance(phase, FaceUpPhase):
        return FaceUpPhase(without(phase.face_up, place))
    return LeftoversPhase(without(getattr(phase, "leftovers", ()), place))


def _face_up_planted(state: State, event: e.FaceUpPlanted) -> State:
    old = state.players[event.player]
    player = replace(old, fields=plant_on(old.fields, event.field, event.bean))
    phase = _less_face_up(state.phase, event.place, 1)
    return replace(state, players=with_player(state.players, event.player, player), phase=phase)


def _leftover_discarded(state: State, event: e.LeftoverDiscarded) -> State:
    phase = _less_face_up(state.phase, event.place, 0)
    return replace(state, phase=phase, discard_pile=(*state.discard_pile, event.bean))


# -- the gift ----------------------------------------------------------------------------------


def _haggling_began(state: State, event: e.HagglingBegan) -> State:
    return replace(state, phase=GiftPhase(_face_up(state), (), event.player))


def _gift(state: State) -> GiftPhase:
    return state.phase if isinstance(state.phase, GiftPhase) else GiftPhase()


def _other(state: State, player: int) -> int:
    return (player + 1) % len(state.players)


def _gift_named(state: State, event: e.GiftNamed) -> State:
    phase = _gift(state)
    naming = Naming(event.player, event.bean, event.hand)
    word = _other(state, event.player)
    return replace(state, phase=GiftPhase(phase.face_up, (*phase.named, naming), word, open=True))


def _gift_taken(state: State, event: e.GiftTaken) -> State:
    phase = _gift(state)
    if event.source == "face-up":
        face_up = without(phase.face_up, event.place)
        return replace(state, phase=PlantGiftPhase(face_up, (event.bean,), event.player))
    old = state.players[event.giver]
    giver = replace(old, hand=without(old.hand, event.place), hand_revision=old.hand_revision + 1)
    players = with_player(state.players, event.giver, giver)
    return replace(state, players=players, phase=PlantGiftPhase(phase.face_up, (event.bean,), event.player))


def _bluff_caught(state: State, event: e.BluffCaught) -> State:
    phase = _gift(state)
    return replace(state, phase=GiftPhase(phase.face_up, phase.named, event.giver, open=False))


def _bluff_paid(state: State, event: e.BluffPaid) -> State:
    giver, player = state.players[event.giver], state.players[event.player]
    if event.coin == "treasury":
        player = replace(player, treasury=player.treasury + giver.treasury[-1:])
        giver = replace(giver, treasury=giver.treasury[:-1])
    elif event.coin == "face-down":
        player = replace(player, face_down=player.face_down + giver.face_down[-1:])
        giver = replace(giver, face_down=giver.face_down[:-1])
    elif event.coin == "token":
        player = replace(player, tokens=tokens_of(player.tokens_left + 1))
        giver = replace(giver, tokens=tokens_of(giver.tokens_left - 1))
    piles = state.bonus
    for card in event.bonus:
        giver = replace(giver, bonus=without_bonus(giver.bonus, card, from_hand=event.from_hand))
        if event.discarded:
            piles = BonusPiles(piles.draw, (*piles.discard, card))
        else:
            player = replace(player, bonus=with_bonus(player.bonus, card, to_hand=event.from_hand))
    players = with_player(state.players, event.giver, giver)
    players = with_player(players, event.player, player)
    return replace(state, players=players, bonus=piles)


def _haggling_closed(state: State, event: e.HagglingClosed) -> State:  # noqa: ARG001 - one signature
    if isinstance(state.phase, PlantGiftPhase):
        return state
    return replace(state, phase=PlantGiftPhase(_face_up(state)))


def _gift_planted(state: State, event: e.GiftPlanted) -> State:
    old = state.players[event.player]
    player = replace(old, fields=plant_on(old.fields, event.field, event.bean))
    phase = state.phase if isinstance(state.phase, PlantGiftPhase) else PlantGiftPhase()
    after = PlantGiftPhase(phase.face_up, (), phase.receiver, phase.planted)
    return replace(state, players=with_player(state.players, event.player, player), phase=after)


GIFTS: dict[type[e.Event], Fold] = {
    e.FaceUpPlanted: _face_up_planted,
    e.LeftoverDiscarded: _leftover_discarded,
    e.HagglingBegan: _haggling_began,
    e.GiftNamed: _gift_named,
    e.GiftTaken: _gift_taken,
    e.BluffCaught: _bluff_caught,
    e.BluffPaid: _bluff_paid,
    e.HagglingClosed: _haggling_closed,
    e.GiftPlanted: _gift_planted,
}
"""The fold of each event of gifts, and of beans planted or discarded from the face-up ones."""

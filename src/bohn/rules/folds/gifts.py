"""The folds of gifts and bonus cards, of beans planted from the face-up ones, and of talk."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from bohn.rules import events as e
from bohn.rules.beans import Bean
from bohn.rules.folds.course import Fold, plant_on, with_player, without
from bohn.rules.state import (
    BonusHand,
    BonusPhase,
    BonusPiles,
    FaceUpPhase,
    GiftPhase,
    LeftoversPhase,
    Naming,
    Phase,
    PlantGiftPhase,
    State,
    Wishes,
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
    piles = state.bonus
    for card in event.bonus:
        giver = replace(giver, bonus=_bonus_without(giver.bonus, card, from_hand=event.from_hand))
        if event.discarded:
            piles = BonusPiles(piles.draw, (*piles.discard, card))
        else:
            player = replace(player, bonus=_bonus_with(player.bonus, card, to_hand=event.from_hand))
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


# -- bonus cards -------------------------------------------------------------------------------


def _bonus_without(bonus: BonusHand, card: int, *, from_hand: bool) -> BonusHand:
    if not from_hand:
        return BonusHand(bonus.hand, bonus.stood, tuple(c for c in bonus.claimed if c != card))
    place = bonus.hand.index(card)
    return BonusHand(without(bonus.hand, place), without(bonus.stood, place), bonus.claimed)


def _bonus_with(bonus: BonusHand, card: int, *, to_hand: bool) -> BonusHand:
    if to_hand:
        return BonusHand((*bonus.hand, card), (*bonus.stood, -1), bonus.claimed)
    return BonusHand(bonus.hand, bonus.stood, (*bonus.claimed, card))


def _with_bonus(state: State, index: int, bonus: BonusHand) -> tuple[Any, ...]:
    return with_player(state.players, index, replace(state.players[index], bonus=bonus))


def _bonus_began(state: State, event: e.BonusBegan) -> State:
    return replace(state, phase=BonusPhase(event.discarding, event.refilling))


def _bonus_stood(state: State, event: e.BonusStood) -> State:
    bonus = state.players[event.player].bonus
    stood = tuple(
        state.turn if card == event.bonus else turn
        for card, turn in zip(bonus.hand, bonus.stood, strict=True)
    )
    return replace(
        state, players=_with_bonus(state, event.player, BonusHand(bonus.hand, stood, bonus.claimed))
    )


def _bonus_claimed(state: State, event: e.BonusClaimed) -> State:
    bonus = _bonus_without(state.players[event.player].bonus, event.bonus, from_hand=True)
    return replace(
        state, players=_with_bonus(state, event.player, _bonus_with(bonus, event.bonus, to_hand=False))
    )


def _bonus_phase(state: State) -> BonusPhase:
    return state.phase if isinstance(state.phase, BonusPhase) else BonusPhase()


def _bonus_discarded(state: State, event: e.BonusDiscarded) -> State:
    bonus = _bonus_without(state.players[event.player].bonus, event.bonus, from_hand=True)
    phase = _bonus_phase(state)
    waiting = tuple(p for p in phase.discarding if p != event.player)
    players = _with_bonus(state, event.player, bonus)
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
        players=_with_bonus(state, event.player, refilled),
        bonus=BonusPiles(rest, state.bonus.discard),
        phase=BonusPhase((), waiting),
    )


def _bonus_reshuffled(state: State, event: e.BonusReshuffled) -> State:
    return replace(state, bonus=BonusPiles(event.order + state.bonus.draw, ()), shuffles=state.shuffles + 1)


# -- talk ----------------------------------------------------------------------------------------


def _wish_set(state: State, event: e.WishSet) -> State:
    old = state.talk.wishes[event.player]
    want = tuple(sorted({*old.want, event.bean} if event.mark == "want" else {*old.want} - {event.bean}))
    spare = tuple(sorted({*old.spare, event.bean} if event.mark == "spare" else {*old.spare} - {event.bean}))
    wishes = list(state.talk.wishes)
    wishes[event.player] = Wishes(want, spare)
    return replace(state, talk=replace(state.talk, wishes=tuple(wishes)))


def _promise_made(state: State, event: e.PromiseMade) -> State:
    promises = (*state.talk.promises, event.promise)
    return replace(state, talk=replace(state.talk, promises=promises, next_promise=event.promise.id + 1))


def _promise_withdrawn(state: State, event: e.PromiseWithdrawn) -> State:
    promises = tuple(p for p in state.talk.promises if p.id != event.promise)
    return replace(state, talk=replace(state.talk, promises=promises))


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
    e.BonusBegan: _bonus_began,
    e.BonusStood: _bonus_stood,
    e.BonusClaimed: _bonus_claimed,
    e.BonusDiscarded: _bonus_discarded,
    e.BonusRefilled: _bonus_refilled,
    e.BonusReshuffled: _bonus_reshuffled,
}

TALK: dict[type[e.Event], Fold] = {
    e.WishSet: _wish_set,
    e.PromiseMade: _promise_made,
    e.PromiseWithdrawn: _promise_withdrawn,
}

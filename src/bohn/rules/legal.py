"""What a player may do: legal commands, who may act, and the space of offers."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations

from msgspec import Struct

from bohn.rules.beans import Bean
from bohn.rules.commands import (
    AcceptOffer,
    BuyField,
    Claim,
    ClaimBonus,
    Command,
    DeclineOffer,
    DiscardBonus,
    DiscardFromHand,
    DiscardLeftover,
    EndTrading,
    Harvest,
    KeepHand,
    LeaveRest,
    NameGift,
    Pass,
    Pick,
    Plant,
    PlantFaceUp,
    PlantGift,
    PlantLeftover,
    PlantSetAside,
    RefillBonus,
    Reveal,
    TakeGift,
    WithdrawOffer,
)
from bohn.rules.farming import purchase_refusal
from bohn.rules.policies import FITS, MAY_HARVEST, PROTECTED
from bohn.rules.ruleset import Rules
from bohn.rules.scoring import claimable
from bohn.rules.state import (
    BonusPhase,
    Copies,
    Copy,
    EndPhase,
    FaceUpPhase,
    GiftPhase,
    LeftoversPhase,
    Offer,
    PlantGiftPhase,
    PlantPhase,
    PlantTradedPhase,
    RevealPhase,
    State,
    TradePhase,
)
from bohn.rules.trading import front_copies
from bohn.rules.turns import TURNS
from bohn.rules.turns.shared import AT_MOST_PLANTED

Commands = list[Command]

# Commands that carry nothing but a seat and a small number are made once and kept: seats and fields are few.
_plant_on = cache(Plant)
_harvest_of = cache(Harvest)
_reveal_by = cache(Reveal)
_end_by = cache(EndTrading)
_pass_by = cache(Pass)
_buy_by = cache(BuyField)


def legal_commands(rules: Rules, state: State, player: int) -> tuple[Command, ...]:
    """Return what a player may do now: all but offers, edits, talk and copies other than the front-most.

    Copies are the front-most in the hand; the active player gives face-up beans before hand cards.
    """
    phase = state.phase
    if not 0 <= player < len(state.players) or isinstance(phase, EndPhase):
        return ()
    found: Commands = []
    _BY_PHASE[type(phase)](rules, state, player, found)
    _any_time(rules, state, player, found)
    return tuple(found)


def _any_time(rules: Rules, state: State, player: int, found: Commands) -> None:
    """Add harvests, purchases and bonus claims (HARVEST-1, BUY-1, DD-14).

    The refusals of harvest and purchase are asked here piece by piece: this runs for every list.
    """
    own = state.players[player]
    if MAY_HARVEST[rules.harvest](player, state.active_player):
        protected = PROTECTED[rules.singles]
        for field, beans in enumerate(own.fields):
            if beans and (len(beans) > 1 or not protected(own.fields, field)):
                found.append(_harvest_of(player, field))
    if len(own.treasury) >= rules.field_price and purchase_refusal(rules, own) is None:
        found += _purchases(rules, state, player)
    if own.bonus.hand:
        found += [ClaimBonus(player, card) for card in claimable(state, player)]


def _purchases(rules: Rules, state: State, player: int) -> Commands:
    """Return one purchase, or one for every choice of coins where the payer chooses (BUY-3, BUY-4)."""
    if rules.payment == "topmost":
        return [_buy_by(player)]
    treasury = sorted(state.players[player].treasury)
    return [BuyField(player, coins) for coins in sorted(set(combinations(treasury, rules.field_price)))]


def _plant(rules: Rules, state: State, player: int, found: Commands) -> None:
    if player != state.active_player:
        return
    phase = state.phase
    assert isinstance(phase, PlantPhase)  # noqa: S101 - the table is by phase
    own = state.players[player]
    if own.hand and phase.planted < AT_MOST_PLANTED:
        found += [_plant_on(player, field) for field in _fitting(rules, state, player, own.hand[0])]
    if phase.planted or not own.hand:
        _after_planting(rules, state, player, found)


def _after_planting(rules: Rules, state: State, player: int, found: Commands) -> None:
    """Add what ends the planting from the hand, as the turn's table has it (TURN-3, DUEL-7)."""
    table = TURNS[rules.game]
    if (PlantPhase, Reveal) in table:
        found.append(_reveal_by(player))
        return
    found.append(KeepHand(player))
    phase = state.phase
    if isinstance(phase, PlantPhase) and phase.planted:
        own = state.players[player]
        front = [(own.hand.index(bean), bean) for bean in sorted(set(own.hand))]
        found += [DiscardFromHand(player, Copy(place, bean), own.hand_revision) for place, bean in front]


def _reveal(rules: Rules, state: State, player: int, found: Commands) -> None:  # noqa: ARG001 - one signature
    if player == state.active_player:
        found.append(_reveal_by(player))


def _fitting(rules: Rules, state: State, player: int, bean: Bean) -> list[int]:
    """Return the own fields on which a bean may be planted (PLANT-2)."""
    fits = FITS[rules.same_kind]
    fields = state.players[player].fields
    return [field for field in range(len(fields)) if fits(fields, field, bean) is None]


# -- trading -----------------------------------------------------------------------------------


def _trade(rules: Rules, state: State, player: int, found: Commands) -> None:
    phase = state.phase
    assert isinstance(phase, TradePhase)  # noqa: S101 - the table is by phase
    for offer in phase.offers:
        if offer.maker == player:
            found.append(WithdrawOffer(player, offer.id))
            found += [Pick(player, offer.id, offer.revision, claim.player) for claim in offer.claims]
        elif player in offer.to:
            _answers(state, player, offer, found)
    if rules.closing == "unanimous":
        if player not in phase.passes:
            found.append(_pass_by(player))
    elif player == state.active_player:
        found.append(_end_by(player))


def _answers(state: State, player: int, offer: Offer, found: Commands) -> None:
    """Add acceptance or claim with the front-most copies, and the refusal (OFFER-3, OFFER-4, OFFER-8)."""
    claimed = any(claim.player == player for claim in offer.claims)
    if not claimed:
        copies = copies_for(state, player, offer.want)
        if copies is not None:
            hand, face_up = copies
            revision = state.players[player].hand_revision if hand else 0
            found.append(
                Claim(player, offer.id, offer.revision, hand, revision)
                if offer.open
                else AcceptOffer(player, offer.id, offer.revision, hand, face_up, revision)
            )
    if claimed or player not in offer.declined:
        found.append(DeclineOffer(player, offer.id, offer.revision))


def copies_for(state: State, player: int, want: tuple[Bean, ...]) -> tuple[Copies, Copies] | None:
    """Return hand and face-up copies with which a player can serve these kinds, or ``None``.

    The active player gives face-up beans first, everybody the front-most hand cards (OFFER-12).
    """
    if not want:
        return (), ()
    face_up: Copies = ()
    phase = state.phase
    if player == state.active_player and isinstance(phase, TradePhase) and phase.face_up:
        left = list(want)
        lying: list[Copy] = []
        for place, bean in enumerate(phase.face_up):
            if bean in left:
                left.remove(bean)
                lying.append(Copy(place, bean))
        want, face_up = tuple(left), tuple(lying)
    places = front_copies(state.players[player].hand, want)
    if places is None:
        return None
    hand = state.players[player].hand
    return tuple([Copy(place, hand[place]) for place in places]), face_up


# -- planting what is set aside, left or face up -----------------------------------------------------


def _plant_traded(rules: Rules, state: State, player: int, found: Commands) -> None:
    for place, bean in enumerate(state.players[player].set_aside):
        found += [PlantSetAside(player, place, field) for field in _fitting(rules, state, player, bean)]


def _plant_leftovers(rules: Rules, state: State, player: int, found: Commands) -> None:
    if player != state.active_player:
        return
    phase = state.phase
    assert isinstance(phase, LeftoversPhase)  # noqa: S101 - the table is by phase
    for place, bean in enumerate(phase.leftovers):
        found += [PlantLeftover(player, place, field) for field in _fitting(rules, state, player, bean)]
        found.append(DiscardLeftover(player, place))


def _plant_face_up(rules: Rules, state: State, player: int, found: Commands) -> None:
    if player != state.active_player:
        return
    phase = state.phase
    assert isinstance(phase, FaceUpPhase | PlantGiftPhase)  # noqa: S101 - the table is by phase
    for place, bean in enumerate(phase.face_up):
        found += [PlantFaceUp(player, place, field) for field in _fitting(rules, state, player, bean)]
    if isinstance(phase, FaceUpPhase):
        found.append(LeaveRest(player))


def _plant_gift(rules: Rules, state: State, player: int, found: Commands) -> None:
    phase = state.phase
    assert isinstance(phase, PlantGiftPhase)  # noqa: S101 - the table is by phase
    _plant_traded(rules, state, player, found)
    _plant_face_up(rules, state, player, found)
    if phase.gift and player == phase.receiver:
        found += [PlantGift(player, field) for field in _fitting(rules, state, player, phase.gift[0])]
    if rules.rest == "may_discard" and phase.planted and player == state.active_player:
        found += [DiscardLeftover(player, place) for place in range(len(phase.face_up))]


# -- Das Duell -------------------------------------------------------------------------------------


def _gift(rules: Rules, state: State, player: int, found: Commands) -> None:
    phase = state.phase
    assert isinstance(phase, GiftPhase)  # noqa: S101 - the table is by phase
    if player != phase.word:
        return
    if phase.open:
        found.append(TakeGift(player))
    named = [naming.bean for naming in phase.named]
    found += [NameGift(player, bean) for bean in rules.kinds if bean not in named]


def _bonus(rules: Rules, state: State, player: int, found: Commands) -> None:  # noqa: ARG001 - one signature
    phase = state.phase
    assert isinstance(phase, BonusPhase)  # noqa: S101 - the table is by phase
    if player in phase.discarding:
        found += [DiscardBonus(player, card) for card in state.players[player].bonus.hand]
        found.append(_pass_by(player))
    elif not phase.discarding and phase.refilling[0] == player:
        found += [RefillBonus(player), _pass_by(player)]


_BY_PHASE: dict[type, Callable[[Rules, State, int, Commands], None]] = {
    PlantPhase: _plant,
    RevealPhase: _reveal,
    TradePhase: _trade,
    PlantTradedPhase: _plant_traded,
    LeftoversPhase: _plant_leftovers,
    FaceUpPhase: _plant_face_up,
    GiftPhase: _gift,
    PlantGiftPhase: _plant_gift,
    BonusPhase: _bonus,
}


# -- who may act, and what may be offered ---------------------------------------------------------------


def may_act(rules: Rules, state: State) -> frozenset[int]:
    """Return the players who have any command but talk; anybody may harvest off-turn (HARVEST-1).

    Whoever holds bonus cards is among them: whether he may claim one is known to him only (DD-15).
    """
    if isinstance(state.phase, TradePhase):
        return frozenset(range(len(state.players)))
    if isinstance(state.phase, EndPhase):
        return frozenset()
    return frozenset(
        seat
        for seat, player in enumerate(state.players)
        if player.bonus.hand or legal_commands(rules, state, seat)
    )


class OfferSpace(Struct, frozen=True, gc=False):
    """What a player's offers may be made of, from what he may see (OFFER-1, OFFER-2).

    Every combination of ``hand`` and ``face_up`` copies for any of the ``kinds``, to any of
    ``partners``; ``slots`` more offers may be open at once.
    """

    partners: tuple[int, ...]
    hand: Copies
    face_up: Copies
    kinds: tuple[Bean, ...]
    hand_revision: int
    slots: int
    may_be_open: bool


NO_OFFERS = OfferSpace((), (), (), (), 0, 0, may_be_open=False)


def offer_space(rules: Rules, state: State, player: int) -> OfferSpace:
    """Return what a player's offers may be made of; nothing outside the trading (OFFER-2)."""
    phase = state.phase
    if not isinstance(phase, TradePhase) or not 0 <= player < len(state.players):
        return NO_OFFERS
    own = state.players[player]
    active = player == state.active_player
    partners = (
        tuple(p for p in range(len(state.players)) if p != player) if active else (state.active_player,)
    )
    lying = phase.face_up if active else ()
    return OfferSpace(
        partners,
        tuple([Copy(place, bean) for place, bean in enumerate(own.hand)]),
        tuple([Copy(place, bean) for place, bean in enumerate(lying)]),
        rules.kinds,
        own.hand_revision,
        max(0, rules.offers_a_maker - sum(offer.maker == player for offer in phase.offers)),
        may_be_open=active,
    )

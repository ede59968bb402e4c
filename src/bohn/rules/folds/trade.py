"""Folds of trading: how each trading event changes the state.

No rule is asked here; the rules are in `rules/trading.py` and `turns/main.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from bohn.rules import events as e
from bohn.rules.beans import Bean
from bohn.rules.folds.bonus import bonus_passed
from bohn.rules.folds.course import Fold, with_player
from bohn.rules.state import BonusPhase, Copies, Copy, Offer, Player, StandingClaim, State, TradePhase

# Tuples are built from lists where it is possible: that is faster than from a generator, and offers come and
# go more often than anything else.


def _trade_phase(state: State) -> TradePhase:
    """Return the trade phase, or an empty one: `evolve` refuses nothing, so that old logs always replay."""
    return state.phase if isinstance(state.phase, TradePhase) else TradePhase()


def _without_offer(phase: TradePhase, number: int) -> tuple[Offer, ...]:
    """Return the standing offers without one."""
    return tuple([offer for offer in phase.offers if offer.id != number])


def _with_offer(phase: TradePhase, number: int, change: Callable[[Offer], Offer]) -> tuple[Offer, ...]:
    """Return the standing offers with one of them changed."""
    return tuple([change(offer) if offer.id == number else offer for offer in phase.offers])


# -- the end of trading by mutual consent (TRADE-12) ------------------------------------------


def _remaining_passes(phase: TradePhase, offer: Offer) -> tuple[int, ...]:
    """Return the passes without those of an offer's addressees, who may trade again (TRADE-12)."""
    return tuple([player for player in phase.passes if player not in offer.to])


def _offers_since_pass(state: State, phase: TradePhase, offer: Offer) -> tuple[int, ...]:
    """Return the offers others made or edited since the active player's pass, with this one (TRADE-12)."""
    if not phase.final or offer.maker == state.active_player or offer.id in phase.later:
        return phase.later
    return (*phase.later, offer.id)


def _answered_makers(phase: TradePhase, maker: int | None, offer: int) -> tuple[int, ...]:
    """Return who has had a later offer answered, adding this maker if this is one (TRADE-12)."""
    if maker is None or offer not in phase.later or maker in phase.heard:
        return phase.heard
    return (*phase.heard, maker)


def _maker_of(phase: TradePhase, number: int) -> int | None:
    """Return who made a standing offer, or ``None`` if it does not stand."""
    return next((offer.maker for offer in phase.offers if offer.id == number), None)


# -- offers, claims and passes -------------------------------------------------------------------


def _offer_made(state: State, event: e.OfferMade) -> State:
    """Add the offer; its addressees' passes are lifted."""
    phase = _trade_phase(state)
    offer = event.offer
    offers = (*phase.offers, offer)
    if not phase.passes and not phase.final:  # the common case, faster: nothing else changes
        return replace(state, phase=replace(phase, offers=offers, next_offer=offer.id + 1))
    passes, later = _remaining_passes(phase, offer), _offers_since_pass(state, phase, offer)
    trade = replace(phase, offers=offers, next_offer=offer.id + 1, passes=passes, later=later)
    return replace(state, phase=trade)


def _offer_edited(state: State, event: e.OfferEdited) -> State:
    """Put the new revision in place of the old one; its addressees' passes are lifted."""
    phase = _trade_phase(state)
    offers = _with_offer(phase, event.offer.id, lambda _: event.offer)
    passes, later = _remaining_passes(phase, event.offer), _offers_since_pass(state, phase, event.offer)
    return replace(state, phase=replace(phase, offers=offers, passes=passes, later=later))


def _offer_withdrawn(state: State, event: e.OfferWithdrawn) -> State:
    """Remove the offer; a maker who withdraws a later offer counts as answered (TRADE-12)."""
    phase = _trade_phase(state)
    heard = _answered_makers(phase, _maker_of(phase, event.offer), event.offer)
    return replace(state, phase=replace(phase, offers=_without_offer(phase, event.offer), heard=heard))


def _offer_voided(state: State, event: e.OfferVoided) -> State:
    """Remove the offer; nobody has answered it (TRADE-12)."""
    phase = _trade_phase(state)
    return replace(state, phase=replace(phase, offers=_without_offer(phase, event.offer)))


def _offer_declined(state: State, event: e.OfferDeclined) -> State:
    """Add the player to those who have declined this revision; its maker is answered (TRADE-12)."""
    phase = _trade_phase(state)
    offers = _with_offer(
        phase, event.offer, lambda offer: replace(offer, declined=(*offer.declined, event.player))
    )
    heard = _answered_makers(phase, event.maker, event.offer)
    return replace(state, phase=replace(phase, offers=offers, heard=heard))


def _offer_claimed(state: State, event: e.OfferClaimed) -> State:
    """Add the claim to the open offer."""
    phase = _trade_phase(state)
    claim = StandingClaim(event.player, event.hand)
    offers = _with_offer(phase, event.offer, lambda offer: replace(offer, claims=(*offer.claims, claim)))
    return replace(state, phase=replace(phase, offers=offers))


def _claim_ended(state: State, event: e.ClaimWithdrawn | e.ClaimVoided) -> State:
    """Remove the player's claim from the open offer."""
    phase = _trade_phase(state)
    offers = _with_offer(phase, event.offer, lambda offer: _without_claim(offer, event.player))
    return replace(state, phase=replace(phase, offers=offers))


def _without_claim(offer: Offer, player: int) -> Offer:
    return replace(offer, claims=tuple([claim for claim in offer.claims if claim.player != player]))


def _passed(state: State, event: e.Passed) -> State:
    """Add the player to those who want no more trade; in the bonus phase he is done with its current step."""
    if isinstance(state.phase, BonusPhase):
        return replace(state, phase=bonus_passed(state.phase, event.player))
    phase = _trade_phase(state)
    final = phase.final or event.player == state.active_player
    return replace(state, phase=replace(phase, passes=(*phase.passes, event.player), final=final))


# -- exchanges -------------------------------------------------------------------------------


def without_copies(cards: tuple[Bean, ...], copies: Copies) -> tuple[Bean, ...]:
    """Return the cards without these copies; the order of the rest is unchanged (TRADE-4)."""
    if not copies:
        return cards
    if len(copies) == 1:  # the common case, faster
        place = copies[0].place
        return cards[:place] + cards[place + 1 :]
    places = [copy.place for copy in copies]
    return tuple([card for place, card in enumerate(cards) if place not in places])


def shifted(copies: Copies, removed: Copies) -> Copies:
    """Return copies with the places that the same cards have after others have left.

    If a copy is itself among those that left, its new place means nothing: its offer or claim ends as well.
    """
    if not removed or not copies:
        return copies
    return tuple(
        [Copy(copy.place - sum(gone.place < copy.place for gone in removed), copy.bean) for copy in copies]
    )


def _after_giving(player: Player, copies: Copies, receives: tuple[Bean, ...]) -> Player:
    """Return a player after an exchange: without the copies, and with what he receives set aside."""
    hand = without_copies(player.hand, copies)
    revision = player.hand_revision + len(copies)
    return replace(player, hand=hand, hand_revision=revision, set_aside=player.set_aside + receives)


def _set_aside_beans(hand: Copies, face_up: Copies) -> tuple[Bean, ...]:
    """Return what is set aside: hand beans sorted, for their order would tell their places (OFFER-1)."""
    return (*[copy.bean for copy in face_up], *sorted([copy.bean for copy in hand]))


def _with_new_places(offer: Offer, removed: dict[int, Copies], face_up: Copies) -> Offer:
    """Return an offer whose places name the same physical cards as before (OFFER-9)."""
    claims = tuple(
        [
            StandingClaim(claim.player, shifted(claim.hand, removed.get(claim.player, ())))
            for claim in offer.claims
        ]
    )
    hand = shifted(offer.hand, removed.get(offer.maker, ()))
    return replace(offer, hand=hand, face_up=shifted(offer.face_up, face_up), claims=claims)


def _traded(state: State, event: e.Traded) -> State:
    """Exchange the cards and remove the offer; its maker is answered (TRADE-12)."""
    phase = _trade_phase(state)
    maker, partner = state.players[event.maker], state.players[event.partner]
    maker_gives = _set_aside_beans(event.maker_hand, event.maker_face_up)
    partner_gives = _set_aside_beans(event.partner_hand, event.partner_face_up)
    maker = _after_giving(maker, event.maker_hand, partner_gives)
    partner = _after_giving(partner, event.partner_hand, maker_gives)
    players = with_player(with_player(state.players, event.maker, maker), event.partner, partner)
    face_up = event.maker_face_up + event.partner_face_up
    removed = {event.maker: event.maker_hand, event.partner: event.partner_hand}
    offers = tuple(
        [_with_new_places(offer, removed, face_up) for offer in _without_offer(phase, event.offer)]
    )
    face_up_left = without_copies(phase.face_up, face_up)
    heard = _answered_makers(phase, event.maker, event.offer)
    trade = replace(phase, face_up=face_up_left, offers=offers, heard=heard)
    return replace(state, players=players, phase=trade)


TRADE: dict[type[e.Event], Fold] = {
    e.OfferMade: _offer_made,
    e.OfferEdited: _offer_edited,
    e.OfferWithdrawn: _offer_withdrawn,
    e.OfferVoided: _offer_voided,
    e.OfferDeclined: _offer_declined,
    e.OfferClaimed: _offer_claimed,
    e.ClaimWithdrawn: _claim_ended,
    e.ClaimVoided: _claim_ended,
    e.Passed: _passed,
    e.Traded: _traded,
}
"""The fold of each event of trading."""

"""The folds of trading: offers, claims, passes and exchanges."""

from __future__ import annotations

from msgspec.structs import replace

from bohn.rules import events as e
from bohn.rules.beans import Bean
from bohn.rules.folds.course import Fold, with_player
from bohn.rules.state import BonusPhase, Copies, Copy, Offer, Player, StandingClaim, State, TradePhase


def _trade(state: State) -> TradePhase:
    """Return the trade phase; an event of trading outside it finds an empty one."""
    return state.phase if isinstance(state.phase, TradePhase) else TradePhase()


def _remaining_passes(phase: TradePhase, offer: Offer) -> tuple[int, ...]:
    """Return the passes without those of an offer's addressees, who may trade again (TRADE-12)."""
    return tuple(p for p in phase.passes if p not in offer.to)


def _later(state: State, phase: TradePhase, offer: Offer) -> tuple[int, ...]:
    """Return the offers that others have made since the active player's pass, with this one (TRADE-12)."""
    if not phase.final or offer.maker == state.active_player or offer.id in phase.later:
        return phase.later
    return (*phase.later, offer.id)


def _heard(phase: TradePhase, maker: int, offer: int) -> tuple[int, ...]:
    """Return the makers who have been answered since the active player's pass, with this one (TRADE-12)."""
    if offer not in phase.later or maker in phase.heard:
        return phase.heard
    return (*phase.heard, maker)


def _offer_made(state: State, event: e.OfferMade) -> State:
    phase = _trade(state)
    offer = event.offer
    offers = (*phase.offers, offer)
    if not phase.passes and not phase.final:
        return replace(state, phase=replace(phase, offers=offers, next_offer=offer.id + 1))
    passes, later = _remaining_passes(phase, offer), _later(state, phase, offer)
    trade = replace(phase, offers=offers, next_offer=offer.id + 1, passes=passes, later=later)
    return replace(state, phase=trade)


def _offer_edited(state: State, event: e.OfferEdited) -> State:
    phase = _trade(state)
    offers = tuple(event.offer if o.id == event.offer.id else o for o in phase.offers)
    passes, later = _remaining_passes(phase, event.offer), _later(state, phase, event.offer)
    return replace(state, phase=replace(phase, offers=offers, passes=passes, later=later))


def _offer_withdrawn(state: State, event: e.OfferWithdrawn) -> State:
    """Remove the offer; a maker who withdraws a later offer counts as answered (TRADE-12)."""
    phase = _trade(state)
    heard = phase.heard
    if event.offer in phase.later:
        makers = [offer.maker for offer in phase.offers if offer.id == event.offer]
        heard = _heard(phase, makers[0], event.offer) if makers else heard
    offers = tuple([o for o in phase.offers if o.id != event.offer])
    return replace(state, phase=replace(phase, offers=offers, heard=heard))


def _offer_voided(state: State, event: e.OfferVoided) -> State:
    phase = _trade(state)
    offers = tuple([o for o in phase.offers if o.id != event.offer])
    return replace(state, phase=replace(phase, offers=offers))


def _offer_declined(state: State, event: e.OfferDeclined) -> State:
    phase = _trade(state)
    offers = tuple(
        replace(o, declined=(*o.declined, event.player)) if o.id == event.offer else o for o in phase.offers
    )
    return replace(state, phase=replace(phase, offers=offers, heard=_heard(phase, event.maker, event.offer)))


def _offer_claimed(state: State, event: e.OfferClaimed) -> State:
    phase = _trade(state)
    claim = StandingClaim(event.player, event.hand)
    offers = tuple(replace(o, claims=(*o.claims, claim)) if o.id == event.offer else o for o in phase.offers)
    return replace(state, phase=replace(phase, offers=offers))


def _claim_gone(state: State, event: e.ClaimWithdrawn | e.ClaimVoided) -> State:
    phase = _trade(state)
    offers = tuple(
        replace(o, claims=tuple(c for c in o.claims if c.player != event.player))
        if o.id == event.offer
        else o
        for o in phase.offers
    )
    return replace(state, phase=replace(phase, offers=offers))


def _passed(state: State, event: e.Passed) -> State:
    phase = state.phase
    if isinstance(phase, BonusPhase):
        if phase.discarding:
            waiting = tuple(p for p in phase.discarding if p != event.player)
            return replace(state, phase=BonusPhase(waiting, phase.refilling))
        return replace(state, phase=BonusPhase((), tuple(p for p in phase.refilling if p != event.player)))
    trade = _trade(state)
    final = trade.final or event.player == state.active_player
    return replace(state, phase=replace(trade, passes=(*trade.passes, event.player), final=final))


# -- exchanges -------------------------------------------------------------------------------


def taken_out(cards: tuple[Bean, ...], copies: Copies) -> tuple[Bean, ...]:
    """Return the cards without some places; the order of the rest is unchanged (TRADE-4)."""
    if not copies:
        return cards
    if len(copies) == 1:
        place = copies[0].place
        return cards[:place] + cards[place + 1 :]
    places = [copy.place for copy in copies]
    return tuple(card for place, card in enumerate(cards) if place not in places)


def shifted(copies: Copies, removed: Copies) -> Copies:
    """Return copies with the places that the same cards have after others have left.

    A copy that has left itself has no meaning; its offer or claim ends in the same batch.
    """
    if not removed or not copies:
        return copies
    return tuple(
        Copy(copy.place - sum(gone.place < copy.place for gone in removed), copy.bean) for copy in copies
    )


def _gives(player: Player, copies: Copies, receives: tuple[Bean, ...]) -> Player:
    hand = taken_out(player.hand, copies)
    revision = player.hand_revision + len(copies)
    return replace(player, hand=hand, hand_revision=revision, set_aside=player.set_aside + receives)


def _beans(hand: Copies, face_up: Copies) -> tuple[Bean, ...]:
    """Return what is set aside: hand beans sorted, for their order would tell their places (OFFER-1)."""
    return (*[copy.bean for copy in face_up], *sorted([copy.bean for copy in hand]))


def _with_new_places(offer: Offer, removed: dict[int, Copies], face_up: Copies) -> Offer:
    """Return an offer whose places name the same physical cards as before (OFFER-9)."""
    claims = tuple(StandingClaim(c.player, shifted(c.hand, removed.get(c.player, ()))) for c in offer.claims)
    hand = shifted(offer.hand, removed.get(offer.maker, ()))
    return replace(offer, hand=hand, face_up=shifted(offer.face_up, face_up), claims=claims)


def _traded(state: State, event: e.Traded) -> State:
    phase = _trade(state)
    maker, partner = state.players[event.maker], state.players[event.partner]
    given = _beans(event.maker_hand, event.maker_face_up)
    taken = _beans(event.partner_hand, event.partner_face_up)
    players = with_player(state.players, event.maker, _gives(maker, event.maker_hand, taken))
    partner_after = _gives(partner, event.partner_hand, given)
    players = with_player(players, event.partner, partner_after)
    face_up = event.maker_face_up + event.partner_face_up
    removed = {event.maker: event.maker_hand, event.partner: event.partner_hand}
    offers = tuple(_with_new_places(o, removed, face_up) for o in phase.offers if o.id != event.offer)
    lying = taken_out(phase.face_up, face_up)
    heard = _heard(phase, event.maker, event.offer)
    return replace(state, players=players, phase=replace(phase, face_up=lying, offers=offers, heard=heard))


TRADE: dict[type[e.Event], Fold] = {
    e.OfferMade: _offer_made,
    e.OfferEdited: _offer_edited,
    e.OfferWithdrawn: _offer_withdrawn,
    e.OfferVoided: _offer_voided,
    e.OfferDeclined: _offer_declined,
    e.OfferClaimed: _offer_claimed,
    e.ClaimWithdrawn: _claim_gone,
    e.ClaimVoided: _claim_gone,
    e.Passed: _passed,
    e.Traded: _traded,
}

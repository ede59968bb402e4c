"""Offers, claims, picks and exchanges (TRADE, GIFT, OFFER)."""

from __future__ import annotations

from functools import cache

from bohn.rules.beans import Bean
from bohn.rules.commands import (
    AcceptOffer,
    Claim,
    Command,
    DeclineOffer,
    EditOffer,
    EndTrading,
    MakeOffer,
    Pass,
    Pick,
    WithdrawOffer,
)
from bohn.rules.errors import IllegalCommand, Reason
from bohn.rules.events import (
    ClaimVoided,
    ClaimWithdrawn,
    Event,
    OfferClaimed,
    OfferDeclined,
    OfferEdited,
    OfferMade,
    OfferVoided,
    OfferWithdrawn,
    Traded,
)
from bohn.rules.farming import require_copies
from bohn.rules.giving import first_copies
from bohn.rules.policies import ALL_MUST_PASS
from bohn.rules.ruleset import Rules
from bohn.rules.state import Copies, Offer, State, TradePhase, in_order

NO_COPIES: Copies = ()

# cached, because there are few seats
_end_by = cache(EndTrading)
_pass_by = cache(Pass)


def trade_phase(state: State) -> TradePhase:
    """Return the trade phase; the turn table admits these handlers only in it."""
    phase = state.phase
    assert isinstance(phase, TradePhase)  # noqa: S101 - the turn table admits no other phase
    return phase


# -- making ----------------------------------------------------------------------------------


def require_face_up(state: State, player: int, copies: Copies) -> None:
    """Refuse face-up beans that are not there or not the player's to give (TRADE-2, TRADE-3)."""
    if not copies:
        return
    if player != state.active_player:
        raise IllegalCommand(Reason.FACE_UP_NOT_YOURS, "TRADE-3", active=state.active_player)
    face_up = trade_phase(state).face_up
    for copy in copies:
        if not 0 <= copy.place < len(face_up) or face_up[copy.place] != copy.bean:
            raise IllegalCommand(Reason.NO_SUCH_PLACE, "TRADE-2", place=copy.place, cards=len(face_up))
    if len({copy.place for copy in copies}) < len(copies):
        raise IllegalCommand(Reason.SAME_CARD_TWICE, "TRADE-9")


def require_addressees(state: State, maker: int, to: tuple[int, ...]) -> None:
    """Refuse addressees that are no other seats, or a deal without the active player (TRADE-1, OFFER-2)."""
    seats = len(state.players)
    if not to or len(set(to)) < len(to) or any(not 0 <= p < seats or p == maker for p in to):
        others = tuple(p for p in range(seats) if p != maker)
        raise IllegalCommand(Reason.UNKNOWN_ADDRESSEE, "OFFER-2", expected=others)
    if maker != state.active_player and to != (state.active_player,):
        raise IllegalCommand(Reason.ACTIVE_PLAYER_MISSING, "TRADE-1", active=state.active_player)


def require_terms(rules: Rules, command: MakeOffer | EditOffer) -> None:
    """Refuse nothing for nothing, and kinds or numbers the deck does not have (TRADE-9)."""
    want = command.want
    if not want:
        if not command.hand and not command.face_up:
            raise IllegalCommand(Reason.NOTHING_FOR_NOTHING, "TRADE-9")
        return
    for bean in want:
        if not rules.deck[bean]:
            raise IllegalCommand(Reason.UNKNOWN_BEAN, "TRADE-9", bean=bean.name.lower())
        if want.count(bean) > rules.deck[bean]:
            raise IllegalCommand(
                Reason.WANT_TOO_MANY, "TRADE-9", bean=bean.name.lower(), cards=rules.deck[bean]
            )


def offer_from(
    rules: Rules, state: State, command: MakeOffer | EditOffer, number: int, revision: int
) -> Offer:
    """Return the offer a command describes, or refuse it (OFFER-1, OFFER-2)."""
    require_addressees(state, command.player, command.to)
    require_terms(rules, command)
    require_copies(state.players[command.player], command.hand, command.hand_revision)
    require_face_up(state, command.player, command.face_up)
    if command.open and command.player != state.active_player:
        raise IllegalCommand(Reason.OFFER_IS_DIRECT, "OFFER-3", active=state.active_player)
    want = tuple(sorted(command.want)) if len(command.want) > 1 else command.want
    return Offer(
        number, revision, command.player, command.to, command.hand, command.face_up, want, command.open
    )


def make_offer(rules: Rules, state: State, command: MakeOffer) -> tuple[Event, ...]:
    """Make an offer: a trade, an ask or a gift (OFFER-1, OFFER-2, GIFT-1)."""
    phase = trade_phase(state)
    offer = offer_from(rules, state, command, phase.next_offer, 1)
    if sum(o.maker == command.player for o in phase.offers) >= rules.offers_a_maker:
        raise IllegalCommand(Reason.TOO_MANY_OFFERS, "OFFER-2", limit=rules.offers_a_maker)
    return (OfferMade(offer),)


def edit_offer(rules: Rules, state: State, command: EditOffer) -> tuple[Event, ...]:
    """Replace an own offer: a new revision without claims (OFFER-6)."""
    offer = own_offer(state, command.player, command.offer)
    require_revision(offer, command.revision)
    return (OfferEdited(offer_from(rules, state, command, offer.id, offer.revision + 1)),)


def withdraw_offer(rules: Rules, state: State, command: WithdrawOffer) -> tuple[Event, ...]:  # noqa: ARG001 - one signature for all handlers
    """Take an own offer back (OFFER-7)."""
    return (OfferWithdrawn(own_offer(state, command.player, command.offer).id),)


# -- finding ---------------------------------------------------------------------------------


def find_offer(state: State, number: int) -> Offer:
    """Return a standing offer by its number, or refuse."""
    offers = trade_phase(state).offers
    for offer in offers:
        if offer.id == number:
            return offer
    raise IllegalCommand(Reason.NO_SUCH_OFFER, "OFFER-9", offer=number, expected=tuple(o.id for o in offers))


def own_offer(state: State, player: int, number: int) -> Offer:
    """Return an own offer by its number, or refuse (OFFER-7)."""
    offer = find_offer(state, number)
    if offer.maker != player:
        raise IllegalCommand(Reason.NOT_YOUR_OFFER, "OFFER-7", offer=number, maker=offer.maker)
    return offer


def require_revision(offer: Offer, revision: int) -> None:
    """Refuse an answer to an older revision (OFFER-6)."""
    if offer.revision != revision:
        raise IllegalCommand(Reason.OLD_REVISION, "OFFER-6", offer=offer.id, revision=offer.revision)


def addressed_offer(state: State, player: int, number: int, revision: int) -> Offer:
    """Return an offer to this player at this revision, or refuse (OFFER-3, OFFER-6)."""
    offer = find_offer(state, number)
    if player not in offer.to:
        raise IllegalCommand(Reason.NOT_ADDRESSED, "OFFER-3", offer=number, to=offer.to)
    require_revision(offer, revision)
    return offer


# -- answering --------------------------------------------------------------------------------


def require_wanted(offer: Offer, copies: Copies) -> None:
    """Refuse copies that are not exactly what the offer asks for (OFFER-12)."""
    beans = tuple(sorted(copy.bean for copy in copies))
    if beans != offer.want:
        wanted = tuple(bean.name.lower() for bean in offer.want)
        raise IllegalCommand(Reason.WRONG_COPIES, "OFFER-12", offer=offer.id, want=wanted)


def accept_offer(rules: Rules, state: State, command: AcceptOffer) -> tuple[Event, ...]:  # noqa: ARG001 - one signature for all handlers
    """Execute a direct offer, both sides at once (OFFER-3, TRADE-5, GIFT-3)."""
    offer = addressed_offer(state, command.player, command.offer, command.revision)
    if offer.open:
        raise IllegalCommand(Reason.OFFER_IS_OPEN, "OFFER-4", offer=offer.id)
    require_copies(state.players[command.player], command.hand, command.hand_revision)
    require_face_up(state, command.player, command.face_up)
    require_wanted(offer, command.hand + command.face_up)
    return exchange(state, offer, command.player, command.hand, command.face_up)


def claim(rules: Rules, state: State, command: Claim) -> tuple[Event, ...]:  # noqa: ARG001 - one signature for all handlers
    """Ask to be picked for an open offer (OFFER-4)."""
    offer = addressed_offer(state, command.player, command.offer, command.revision)
    if not offer.open:
        raise IllegalCommand(Reason.OFFER_IS_DIRECT, "OFFER-3", offer=offer.id)
    if any(standing.player == command.player for standing in offer.claims):
        raise IllegalCommand(Reason.ALREADY_CLAIMED, "OFFER-4", offer=offer.id)
    require_copies(state.players[command.player], command.hand, command.hand_revision)
    require_wanted(offer, command.hand)
    return (OfferClaimed(offer.id, offer.revision, command.player, command.hand),)


def pick(rules: Rules, state: State, command: Pick) -> tuple[Event, ...]:  # noqa: ARG001 - one signature for all handlers
    """Execute an own open offer with one of its claimers (OFFER-5)."""
    offer = own_offer(state, command.player, command.offer)
    require_revision(offer, command.revision)
    if not offer.open:
        raise IllegalCommand(Reason.OFFER_IS_DIRECT, "OFFER-3", offer=offer.id)
    for standing in offer.claims:
        if standing.player == command.claimer:
            return exchange(state, offer, standing.player, standing.hand, NO_COPIES)
    claimers = tuple(standing.player for standing in offer.claims)
    raise IllegalCommand(Reason.NO_SUCH_CLAIM, "OFFER-5", offer=offer.id, expected=claimers)


def decline_offer(rules: Rules, state: State, command: DeclineOffer) -> tuple[Event, ...]:  # noqa: ARG001 - one signature for all handlers
    """Decline an offer, which only its maker learns, or withdraw an own claim (OFFER-8, OFFER-4)."""
    offer = addressed_offer(state, command.player, command.offer, command.revision)
    if any(standing.player == command.player for standing in offer.claims):
        return (ClaimWithdrawn(offer.id, command.player),)
    if command.player in offer.declined:
        raise IllegalCommand(Reason.ALREADY_DECLINED, "OFFER-8", offer=offer.id)
    return (OfferDeclined(offer.id, offer.revision, offer.maker, command.player),)


# -- executing --------------------------------------------------------------------------------


def _touches(copies: Copies, removed: Copies) -> bool:
    return any(copy.place == gone.place for copy in copies for gone in removed)


def exchange(state: State, offer: Offer, partner: int, hand: Copies, face_up: Copies) -> tuple[Event, ...]:
    """Return the exchange, and the end of offers and claims that named a moved card (OFFER-9, OFFER-10)."""
    events: list[Event] = [Traded(offer.id, offer.maker, partner, offer.hand, offer.face_up, hand, face_up)]
    removed = {offer.maker: offer.hand, partner: hand}
    lying = offer.face_up + face_up
    for other in trade_phase(state).offers:
        if other.id == offer.id:
            continue
        if _touches(other.hand, removed.get(other.maker, NO_COPIES)) or _touches(other.face_up, lying):
            events.append(OfferVoided(other.id))
            continue
        events += [
            ClaimVoided(other.id, standing.player)
            for standing in other.claims
            if _touches(standing.hand, removed.get(standing.player, NO_COPIES))
        ]
    return tuple(events)


# -- what may be done ------------------------------------------------------------------------


def trade_choices(rules: Rules, state: State, player: int) -> list[Command]:
    """List answers to standing offers, and the end of the trading (OFFER-3..OFFER-8, TRADE-11, TRADE-12)."""
    phase = state.phase
    assert isinstance(phase, TradePhase)  # noqa: S101 - kept by the turn table
    found: list[Command] = []
    for offer in phase.offers:
        if offer.maker == player:
            found.append(WithdrawOffer(player, offer.id))
            found += [Pick(player, offer.id, offer.revision, claim.player) for claim in offer.claims]
        elif player in offer.to:
            _answers(state, player, offer, found)
    if ALL_MUST_PASS[rules.closing]:
        if player not in phase.passes:
            found.append(_pass_by(player))
    elif player == state.active_player:
        found.append(_end_by(player))
    return found


def _answers(state: State, player: int, offer: Offer, found: list[Command]) -> None:
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
    """Return hand and face-up copies that a player can give for these kinds, or ``None``.

    The active player gives face-up beans first, everybody the front-most hand cards (OFFER-12).
    """
    phase = state.phase
    lying = phase.face_up if player == state.active_player and isinstance(phase, TradePhase) else ()
    return first_copies(state.players[player].hand, lying, want)


def who_trades(rules: Rules, state: State) -> tuple[int, ...]:
    """Wait for the active player, or where all must pass for those who have not (TRADE-11, TRADE-12)."""
    if not ALL_MUST_PASS[rules.closing]:
        return (state.active_player,)
    passes = trade_phase(state).passes
    return tuple([seat for seat in in_order(state) if seat not in passes])

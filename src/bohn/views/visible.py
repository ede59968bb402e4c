"""Events as one seat may see them: the event itself, a public version of it, or nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from bohn.rules import events as e
from bohn.rules.beans import Bean, Hand, Pile
from bohn.rules.state import Copies
from bohn.views.exhaustive import require_complete
from bohn.views.view import OfferView, offer_view


class VisibleEvent(Struct, frozen=True, gc=False, tag_field="event"):
    """The base of all public versions of events."""


class DealtShown(VisibleEvent, frozen=True, gc=False, tag="dealt-shown"):
    """The deal: sizes for everybody, one's own hand and bonus cards; ``tokens`` as in ``Dealt``."""

    starter: int
    fields: int
    hand: Hand
    bonus_hand: tuple[int, ...]
    hand_sizes: tuple[int, ...]
    coins: tuple[int, ...]
    draw_pile: int
    box: Pile
    tokens: tuple[int, ...] | UnsetType = UNSET


class DrewHidden(VisibleEvent, frozen=True, gc=False, tag="drew-hidden"):
    """Somebody else drew ``count`` cards."""

    player: int
    count: int


class ReshuffledHidden(VisibleEvent, frozen=True, gc=False, tag="reshuffled-hidden"):
    """The discard pile became a draw pile of ``count`` cards."""

    count: int


class OfferShown(VisibleEvent, frozen=True, gc=False, tag="offer-shown"):
    """An offer of somebody else stands; ``edited`` is true for a new revision."""

    offer: OfferView
    edited: bool = False


class ClaimShown(VisibleEvent, frozen=True, gc=False, tag="claim-shown"):
    """Somebody else asks to be picked."""

    offer: int
    revision: int
    player: int


class TradedShown(VisibleEvent, frozen=True, gc=False, tag="traded-shown"):
    """An exchange: kinds that left hands (sorted), face-up copies, and one's own copies that left."""

    offer: int
    maker: int
    partner: int
    maker_hand: tuple[Bean, ...]
    maker_face_up: Copies
    partner_hand: tuple[Bean, ...]
    partner_face_up: Copies
    own: Copies


class HandDiscardShown(VisibleEvent, frozen=True, gc=False, tag="hand-discard-shown"):
    """Somebody else discarded a hand card."""

    player: int
    bean: Bean


class GiftShown(VisibleEvent, frozen=True, gc=False, tag="gift-shown"):
    """Somebody else named a kind."""

    player: int
    bean: Bean


class GiftTakenShown(VisibleEvent, frozen=True, gc=False, tag="gift-taken-shown"):
    """Somebody else's hand card was given."""

    player: int
    giver: int
    bean: Bean
    source: Literal["face-up", "hand"]


class BluffPaidShown(VisibleEvent, frozen=True, gc=False, tag="bluff-paid-shown"):
    """A caught bluff was paid with a bonus card one may not see."""

    giver: int
    player: int


class BonusDiscardShown(VisibleEvent, frozen=True, gc=False, tag="bonus-discard-shown"):
    """Somebody else discarded a bonus card."""

    player: int


class BonusRefillShown(VisibleEvent, frozen=True, gc=False, tag="bonus-refill-shown"):
    """Somebody else drew ``count`` bonus cards."""

    player: int
    count: int


class BonusReshuffleShown(VisibleEvent, frozen=True, gc=False, tag="bonus-reshuffle-shown"):
    """The bonus discards were shuffled under the bonus pile."""

    count: int


Shown = e.Event | VisibleEvent
Viewer = int | None


def _kinds(copies: Copies) -> tuple[Bean, ...]:
    return tuple(sorted(copy.bean for copy in copies))


def _dealt(event: e.Dealt, viewer: Viewer) -> Shown:
    return DealtShown(
        event.starter,
        event.fields,
        () if viewer is None else event.hands[viewer],
        () if viewer is None or not event.bonus_hands else event.bonus_hands[viewer],
        tuple(len(hand) for hand in event.hands),
        tuple(len(coins) for coins in event.face_down),
        len(event.draw_pile),
        event.box,
        event.tokens,
    )


def _drew(event: e.Drew, viewer: Viewer) -> Shown:
    return event if viewer == event.player else DrewHidden(event.player, len(event.beans))


def _reshuffled(event: e.Reshuffled, viewer: Viewer) -> Shown:  # noqa: ARG001 - one signature per table
    return ReshuffledHidden(len(event.order))


def _offer(event: e.OfferMade | e.OfferEdited, viewer: Viewer) -> Shown:
    if viewer == event.offer.maker:
        return event
    return OfferShown(offer_view(event.offer), edited=isinstance(event, e.OfferEdited))


def _declined(event: e.OfferDeclined, viewer: Viewer) -> Shown | None:
    return event if viewer in (event.maker, event.player) else None


def _claimed(event: e.OfferClaimed, viewer: Viewer) -> Shown:
    return event if viewer == event.player else ClaimShown(event.offer, event.revision, event.player)


def _traded(event: e.Traded, viewer: Viewer) -> Shown:
    own: Copies = ()
    if viewer == event.maker:
        own = event.maker_hand
    elif viewer == event.partner:
        own = event.partner_hand
    return TradedShown(
        event.offer, event.maker, event.partner, _kinds(event.maker_hand), event.maker_face_up,
        _kinds(event.partner_hand), event.partner_face_up, own,
    )  # fmt: skip


def _hand_discarded(event: e.HandDiscarded, viewer: Viewer) -> Shown:
    return event if viewer == event.player else HandDiscardShown(event.player, event.bean)


def _gift_named(event: e.GiftNamed, viewer: Viewer) -> Shown:
    return event if viewer == event.player else GiftShown(event.player, event.bean)


def _gift_taken(event: e.GiftTaken, viewer: Viewer) -> Shown:
    if event.source == "face-up" or viewer == event.giver:
        return event
    return GiftTakenShown(event.player, event.giver, event.bean, event.source)


def _bluff_paid(event: e.BluffPaid, viewer: Viewer) -> Shown:
    if not event.from_hand or viewer == event.giver or (viewer == event.player and not event.discarded):
        return event
    return BluffPaidShown(event.giver, event.player)


def _bonus_stood(event: e.BonusStood, viewer: Viewer) -> Shown | None:
    return event if viewer == event.player else None


def _bonus_discarded(event: e.BonusDiscarded, viewer: Viewer) -> Shown:
    return event if viewer == event.player else BonusDiscardShown(event.player)


def _bonus_refilled(event: e.BonusRefilled, viewer: Viewer) -> Shown:
    return event if viewer == event.player else BonusRefillShown(event.player, len(event.cards))


def _bonus_reshuffled(event: e.BonusReshuffled, viewer: Viewer) -> Shown:  # noqa: ARG001 - one signature per table
    return BonusReshuffleShown(len(event.order))


EVERYBODY = None
"""In the table of events: the event itself is shown, because everybody may see all of it."""

_SHOWN: dict[type[e.Event], Callable[[Any, Viewer], Shown | None] | None] = {
    e.Dealt: _dealt,
    e.Drew: _drew,
    e.Reshuffled: _reshuffled,
    e.OfferMade: _offer,
    e.OfferEdited: _offer,
    e.OfferDeclined: _declined,
    e.OfferClaimed: _claimed,
    e.Traded: _traded,
    e.HandDiscarded: _hand_discarded,
    e.GiftNamed: _gift_named,
    e.GiftTaken: _gift_taken,
    e.BluffPaid: _bluff_paid,
    e.BonusStood: _bonus_stood,
    e.BonusDiscarded: _bonus_discarded,
    e.BonusRefilled: _bonus_refilled,
    e.BonusReshuffled: _bonus_reshuffled,
    e.TurnBegan: EVERYBODY,
    e.TurnedOver: EVERYBODY,
    e.Swept: EVERYBODY,
    e.TradingBegan: EVERYBODY,
    e.FaceUpBegan: EVERYBODY,
    e.HagglingBegan: EVERYBODY,
    e.Exhausted: EVERYBODY,
    e.GameEnded: EVERYBODY,
    e.Planted: EVERYBODY,
    e.SetAsidePlanted: EVERYBODY,
    e.Harvested: EVERYBODY,
    e.FieldBought: EVERYBODY,
    e.OfferWithdrawn: EVERYBODY,
    e.ClaimWithdrawn: EVERYBODY,
    e.ClaimVoided: EVERYBODY,
    e.OfferVoided: EVERYBODY,
    e.Passed: EVERYBODY,
    e.TradingClosed: EVERYBODY,
    e.LeftoverPlanted: EVERYBODY,
    e.LeftoverDiscarded: EVERYBODY,
    e.LeftoversDone: EVERYBODY,
    e.HandKept: EVERYBODY,
    e.FaceUpPlanted: EVERYBODY,
    e.RestLeft: EVERYBODY,
    e.BluffCaught: EVERYBODY,
    e.HagglingClosed: EVERYBODY,
    e.GiftPlanted: EVERYBODY,
    e.BonusBegan: EVERYBODY,
    e.BonusClaimed: EVERYBODY,
    e.WishSet: EVERYBODY,
    e.PromiseMade: EVERYBODY,
    e.PromiseWithdrawn: EVERYBODY,
}
"""How each event is shown to a viewer."""

require_complete("event", e.Event.__subclasses__(), _SHOWN)


def visible(event: e.Event, viewer: int | None) -> Shown | None:
    """Return an event as a seat may see it, or ``None``; ``viewer`` ``None`` is a spectator."""
    show = _SHOWN[type(event)]
    return event if show is None else show(event, viewer)

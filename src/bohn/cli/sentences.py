"""Events in sentences: for every kind of event the parameters of its text ``event.<tag>``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bohn.bots.voices import Saying
from bohn.cli.words import Words
from bohn.i18n import Param
from bohn.rules import events as e
from bohn.rules.beans import BEANS, Bean
from bohn.rules.decide import tag
from bohn.rules.state import Offer
from bohn.views import OfferView
from bohn.views.visible import (
    BluffPaidShown,
    BonusDiscardShown,
    BonusRefillShown,
    BonusReshuffleShown,
    ClaimShown,
    DealtShown,
    DrewHidden,
    GiftShown,
    GiftTakenShown,
    HandDiscardShown,
    OfferShown,
    ReshuffledHidden,
    Shown,
    TradedShown,
)

Params = dict[str, Param]
Teller = Callable[[Words, Any], Params]


def sentence(words: Words, event: Shown) -> str:
    """Return what happened in a sentence."""
    kind = type(event)
    return words.say(f"event.{tag(kind)}", **TELLERS[kind](words, event))


def said(words: Words, saying: Saying) -> str:
    """Return what a computer player says, after its name."""
    numbers = saying.reason.params
    params: Params = {**numbers}
    if "bean" in numbers:
        bean = BEANS[numbers["bean"]]
        params |= {"bean": words.bean(bean), "beans": words.some(bean, numbers.get("count", 1))}
    return words.say("read.says", name=words.name(saying.seat), text=words.say(saying.reason.key, **params))


def kinds_of(cards: tuple[Any, ...]) -> tuple[Bean, ...]:
    """Return the kinds of copies, or of beans."""
    return tuple(card if isinstance(card, Bean) else card.bean for card in cards)


def terms(words: Words, gives: tuple[Bean, ...], wants: tuple[Bean, ...]) -> Params:
    """Return both sides of a deal and its kind: a trade, a gift or an ask."""
    kind = "trade" if gives and wants else "gift" if gives else "ask"
    return {"kind": kind, "gives": words.beans(gives), "wants": words.beans(wants)}


def _who(words: Words, event: Any) -> Params:
    return {"you": words.is_you(event.player), "player": words.name(event.player)}


def _nothing(words: Words, event: Any) -> Params:  # noqa: ARG001 - one signature per table
    return {}


def _dealt(words: Words, event: e.Dealt | DealtShown) -> Params:
    return {"you": words.is_you(event.starter), "player": words.name(event.starter)}


def _turn_began(words: Words, event: e.TurnBegan) -> Params:
    return _who(words, event) | {"count": len(event.leftovers), "beans": words.beans(event.leftovers)}


def _beans(words: Words, event: Any) -> Params:
    return _who(words, event) | {"beans": words.beans(event.beans), "count": len(event.beans)}


def _count(words: Words, event: Any) -> Params:
    return (_who(words, event) if hasattr(event, "player") else {}) | {"count": event.count}


def _order(words: Words, event: e.Reshuffled | e.BonusReshuffled) -> Params:  # noqa: ARG001 - as above
    return {"count": len(event.order)}


def _ended(words: Words, event: e.GameEnded) -> Params:
    winners = event.result.winners
    return {"winners": words.seats(winners), "count": len(winners)}


def _planted(words: Words, event: Any) -> Params:
    return _who(words, event) | {"bean": words.bean(event.bean), "field": event.field}


def _bean(words: Words, event: Any) -> Params:
    return _who(words, event) | {"bean": words.bean(event.bean)}


def _harvested(words: Words, event: e.Harvested) -> Params:
    beans = words.beans(event.coins + event.discards)
    return _who(words, event) | {"field": event.field, "beans": beans, "coins": len(event.coins)}


def _bought(words: Words, event: e.FieldBought) -> Params:
    return _who(words, event) | {"count": len(event.coins), "to": event.to}


def _offer(words: Words, event: Any) -> Params:
    offer: Offer | OfferView = event.offer
    said = terms(words, kinds_of(offer.hand) + kinds_of(offer.face_up), offer.want)
    said |= {"you": words.is_you(offer.maker), "player": words.name(offer.maker)}
    edited = "yes" if getattr(event, "edited", False) else "no"
    return said | {"to": words.group(offer.to), "offer": offer.id, "edited": edited}


def _about_offer(words: Words, event: Any) -> Params:
    return (_who(words, event) if hasattr(event, "player") else {}) | {"offer": event.offer}


def _traded(words: Words, event: e.Traded | TradedShown) -> Params:
    gives = kinds_of(event.maker_hand) + kinds_of(event.maker_face_up)
    takes = kinds_of(event.partner_hand) + kinds_of(event.partner_face_up)
    giver, taker = event.maker, event.partner
    if not gives or taker == words.viewer:  # an ask that was heard; or told from the viewer's side
        giver, taker, gives, takes = taker, giver, takes, gives
    if not gives:
        giver, taker, gives, takes = taker, giver, takes, gives
    said = terms(words, gives, takes)
    return said | {"you": words.is_you(giver), "player": words.name(giver), "partner": words.seat(taker)}


def _gift_taken(words: Words, event: Any) -> Params:
    return _bean(words, event) | {"giver": words.seat(event.giver)}


def _bluff_paid(words: Words, event: e.BluffPaid | BluffPaidShown) -> Params:
    what = "nothing"
    if isinstance(event, e.BluffPaid):
        what = "coin" if event.coin else "bonus" if event.bonus else "nothing"
    return {"you": words.is_you(event.giver), "player": words.name(event.giver), "what": what}


def _bonus(words: Words, event: Any) -> Params:
    return _who(words, event) | {"bonus": words.bonus(event.bonus)}


def _bonus_refilled(words: Words, event: e.BonusRefilled) -> Params:
    return _who(words, event) | {"count": len(event.cards)}


def _wish(words: Words, event: e.WishSet) -> Params:
    return _bean(words, event) | {"mark": event.mark}


def _promise(words: Words, event: e.PromiseMade) -> Params:
    promise = event.promise
    said = terms(words, promise.give, promise.get)
    said |= {"you": words.is_you(promise.player), "player": words.name(promise.player)}
    return said | {"to": words.seat(promise.to), "due": promise.due.replace("-", "_"), "promise": promise.id}


def _promise_gone(words: Words, event: e.PromiseWithdrawn) -> Params:  # noqa: ARG001 - as above
    return {"promise": event.promise}


TELLERS: dict[type, Teller] = {
    e.Dealt: _dealt,
    DealtShown: _dealt,
    e.TurnBegan: _turn_began,
    e.TurnedOver: _beans,
    e.Swept: _beans,
    e.TradingBegan: _who,
    e.FaceUpBegan: _who,
    e.HagglingBegan: _who,
    e.Drew: _beans,
    DrewHidden: _count,
    e.Exhausted: _count,
    e.Reshuffled: _order,
    ReshuffledHidden: _count,
    e.GameEnded: _ended,
    e.Planted: _planted,
    e.SetAsidePlanted: _planted,
    e.Harvested: _harvested,
    e.FieldBought: _bought,
    e.OfferMade: _offer,
    e.OfferEdited: _offer,
    OfferShown: _offer,
    e.OfferWithdrawn: _about_offer,
    e.OfferDeclined: _about_offer,
    e.OfferClaimed: _about_offer,
    ClaimShown: _about_offer,
    e.ClaimWithdrawn: _about_offer,
    e.ClaimVoided: _about_offer,
    e.Traded: _traded,
    TradedShown: _traded,
    e.OfferVoided: _about_offer,
    e.Passed: _who,
    e.TradingClosed: _who,
    e.LeftoverPlanted: _planted,
    e.LeftoverDiscarded: _bean,
    e.LeftoversDone: _nothing,
    e.HandDiscarded: _bean,
    HandDiscardShown: _bean,
    e.HandKept: _who,
    e.FaceUpPlanted: _planted,
    e.RestLeft: _beans,
    e.GiftNamed: _bean,
    GiftShown: _bean,
    e.GiftTaken: _gift_taken,
    GiftTakenShown: _gift_taken,
    e.BluffCaught: _gift_taken,
    e.BluffPaid: _bluff_paid,
    BluffPaidShown: _bluff_paid,
    e.HagglingClosed: _nothing,
    e.GiftPlanted: _planted,
    e.BonusBegan: _nothing,
    e.BonusStood: _bonus,
    e.BonusClaimed: _bonus,
    e.BonusDiscarded: _bonus,
    BonusDiscardShown: _who,
    e.BonusRefilled: _bonus_refilled,
    BonusRefillShown: _count,
    e.BonusReshuffled: _order,
    BonusReshuffleShown: _count,
    e.WishSet: _wish,
    e.PromiseMade: _promise,
    e.PromiseWithdrawn: _promise_gone,
}
"""One function for every kind of event and every public twin."""

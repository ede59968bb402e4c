"""What a seat can remember of all it has seen, folded from the events it was shown.

A view shows the table now; knowledge adds what was shown earlier: the kinds in the discard pile,
cards known to be in a hand, wishes, and who refused what.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bohn.rules import events as e
from bohn.rules.beans import BEANS, Bean
from bohn.rules.state import Wishes
from bohn.views import visible as v
from bohn.views.view import OfferView, TradeView, View, offer_view

Counts = tuple[int, ...]
"""A number for each bean, in ``BEANS`` order."""

NO_CARDS: Counts = (0,) * len(BEANS)


class Knowledge(Struct, frozen=True, gc=False):
    """The memory of one seat.

    ``discards`` counts the cards of the discard pile by bean, ``draw_pile`` those of the draw pile.
    ``shown`` counts by player and bean the cards known to be in a hand; ``refusals`` by player and bean what
    he would not give for an offer of this seat in this turn, ``refused_gifts`` what he would not take.
    ``trades`` counts the exchanges since the seat began to watch, in turn ``since``, ``exchanges`` those of
    each two players ``(player, player)``. ``open`` are the open offers.
    """

    viewer: int | None
    draw_pile: int
    discards: Counts
    shown: tuple[Counts, ...]
    refusals: tuple[Counts, ...]
    refused_gifts: tuple[Counts, ...]
    wishes: tuple[Wishes, ...]
    trades: int = 0
    open: tuple[OfferView, ...] = ()
    since: int = 1
    exchanges: tuple[tuple[int, ...], ...] = ()


def know(view: View) -> Knowledge:
    """Return the knowledge of a seat that begins to watch: what the view shows, and nothing of the past."""
    seats = len(view.players)
    discards = _plus(NO_CARDS, view.discard_top)
    offers = view.phase.offers if isinstance(view.phase, TradeView) else ()
    start = Knowledge(
        view.viewer,
        view.draw_pile,
        discards,
        (NO_CARDS,) * seats,
        (NO_CARDS,) * seats,
        (NO_CARDS,) * seats,
        view.talk.wishes,
        since=max(1, view.turn),
        exchanges=((0,) * seats,) * seats,
    )
    for offer in offers:
        start = _offer_shown(start, v.OfferShown(offer))
    return start


def learn(knowledge: Knowledge, event: v.Shown) -> Knowledge:
    """Return the knowledge after one visible event."""
    update = _UPDATES.get(type(event))
    return knowledge if update is None else update(knowledge, event)


def unseen(view: View, knowledge: Knowledge) -> Counts:
    """Return by bean the number of cards that the viewer cannot see.

    They lie in the draw pile, in others' hands, or face down as coins; for a seat that has just begun to
    watch also in the discard pile, of which it has seen only the top.
    """
    left = [cards - seen for cards, seen in zip(view.rules.deck, knowledge.discards, strict=True)]
    own = view.own.hand if view.own is not None else ()
    visible: tuple[Bean, ...] = getattr(view.phase, "face_up", ()) + getattr(view.phase, "leftovers", ())
    visible += getattr(view.phase, "gift", ()) + getattr(view.phase, "unscored", ())
    for bean in own + visible:
        left[bean] -= 1
    for player in view.players:
        for bean in player.treasury + player.set_aside:
            left[bean] -= 1
        for field in player.fields:
            for bean in field:
                left[bean] -= 1
    boxed = _plus(NO_CARDS, view.box)
    spent = [boxed[bean] - view.rules.boxed[bean] for bean in BEANS]
    return tuple(left[bean] - spent[bean] for bean in BEANS)


# -- counting -----------------------------------------------------------------------------------


def _plus(counts: Counts, beans: tuple[Bean, ...], sign: int = 1) -> Counts:
    if not beans:
        return counts
    table = list(counts)
    for bean in beans:
        table[bean] = max(0, table[bean] + sign)
    return tuple(table)


def _at(rows: tuple[Counts, ...], player: int, row: Counts) -> tuple[Counts, ...]:
    return (*rows[:player], row, *rows[player + 1 :])


def _left_hand(knowledge: Knowledge, player: int, beans: tuple[Bean, ...]) -> tuple[Counts, ...]:
    return _at(knowledge.shown, player, _plus(knowledge.shown[player], beans, -1))


def _showed(knowledge: Knowledge, player: int, beans: tuple[Bean, ...]) -> tuple[Counts, ...]:
    """Return what is known of a hand once at least these beans are known to be in it."""
    row = knowledge.shown[player]
    held = _plus(NO_CARDS, beans)
    return _at(knowledge.shown, player, tuple(max(a, b) for a, b in zip(row, held, strict=True)))


# -- what each event teaches ----------------------------------------------------------------------


def _dealt(knowledge: Knowledge, event: v.DealtShown) -> Knowledge:
    return replace(knowledge, draw_pile=event.draw_pile, discards=NO_CARDS)


def _turn_began(knowledge: Knowledge, event: e.TurnBegan) -> Knowledge:  # noqa: ARG001 - one signature per table
    seats = len(knowledge.shown)
    return replace(knowledge, refusals=(NO_CARDS,) * seats, refused_gifts=(NO_CARDS,) * seats)


def _trading_over(knowledge: Knowledge, event: e.Event) -> Knowledge:  # noqa: ARG001 - one signature per table
    return replace(knowledge, open=())


def _taken(knowledge: Knowledge, event: e.TurnedOver | e.Drew) -> Knowledge:
    return replace(knowledge, draw_pile=knowledge.draw_pile - len(event.beans))


def _drew_hidden(knowledge: Knowledge, event: v.DrewHidden) -> Knowledge:
    return replace(knowledge, draw_pile=knowledge.draw_pile - event.count)


def _swept(knowledge: Knowledge, event: e.Swept) -> Knowledge:
    return replace(knowledge, discards=_plus(knowledge.discards, event.beans, -1))


def _reshuffled(knowledge: Knowledge, event: v.ReshuffledHidden) -> Knowledge:
    return replace(knowledge, draw_pile=event.count, discards=NO_CARDS)


def _planted(knowledge: Knowledge, event: e.Planted) -> Knowledge:
    return replace(knowledge, shown=_left_hand(knowledge, event.player, (event.bean,)))


def _harvested(knowledge: Knowledge, event: e.Harvested) -> Knowledge:
    return replace(knowledge, discards=_plus(knowledge.discards, event.discards))


def _field_bought(knowledge: Knowledge, event: e.FieldBought) -> Knowledge:
    if event.to == "box":
        return knowledge
    return replace(knowledge, discards=_plus(knowledge.discards, event.coins))


def _discarded(knowledge: Knowledge, event: e.LeftoverDiscarded) -> Knowledge:
    return replace(knowledge, discards=_plus(knowledge.discards, (event.bean,)))


def _hand_discarded(knowledge: Knowledge, event: e.HandDiscarded | v.HandDiscardShown) -> Knowledge:
    beans = (event.bean,)
    shown = _left_hand(knowledge, event.player, beans)
    return replace(knowledge, discards=_plus(knowledge.discards, beans), shown=shown)


def _gift_given(knowledge: Knowledge, event: e.GiftTaken | v.GiftTakenShown) -> Knowledge:
    if event.source == "face-up":
        return knowledge
    return replace(knowledge, shown=_left_hand(knowledge, event.giver, (event.bean,)))


def _offer_shown(knowledge: Knowledge, event: v.OfferShown) -> Knowledge:
    offer = event.offer
    others = tuple(o for o in knowledge.open if o.id != offer.id)
    shown = _showed(knowledge, offer.maker, offer.hand)
    return replace(knowledge, shown=shown, open=(*others, offer))


def _own_offer(knowledge: Knowledge, event: e.OfferMade | e.OfferEdited) -> Knowledge:
    others = tuple(o for o in knowledge.open if o.id != event.offer.id)
    return replace(knowledge, open=(*others, offer_view(event.offer)))


def _offer_gone(knowledge: Knowledge, event: e.OfferWithdrawn | e.OfferVoided) -> Knowledge:
    return replace(knowledge, open=tuple(o for o in knowledge.open if o.id != event.offer))


def _claim_shown(knowledge: Knowledge, event: v.ClaimShown) -> Knowledge:
    want = tuple(bean for o in knowledge.open if o.id == event.offer for bean in o.want)
    return replace(knowledge, shown=_showed(knowledge, event.player, want))


def _declined(knowledge: Knowledge, event: e.OfferDeclined) -> Knowledge:
    if knowledge.viewer != event.maker:
        return knowledge
    for offer in knowledge.open:
        if offer.id == event.offer and offer.want:
            row = _plus(knowledge.refusals[event.player], offer.want)
            return replace(knowledge, refusals=_at(knowledge.refusals, event.player, row))
        if offer.id == event.offer:
            row = _plus(knowledge.refused_gifts[event.player], offer.given)
            return replace(knowledge, refused_gifts=_at(knowledge.refused_gifts, event.player, row))
    return knowledge


def _met(exchanges: tuple[tuple[int, ...], ...], one: int, other: int) -> tuple[tuple[int, ...], ...]:
    """Return how often each two have exchanged after one more exchange of two players."""
    both = {one, other}
    return tuple(
        tuple(count + (at != by and both == {at, by}) for by, count in enumerate(row))
        for at, row in enumerate(exchanges)
    )


def _traded(knowledge: Knowledge, event: v.TradedShown) -> Knowledge:
    left = replace(
        knowledge,
        shown=_left_hand(knowledge, event.maker, event.maker_hand),
        open=tuple(o for o in knowledge.open if o.id != event.offer),
        trades=knowledge.trades + 1,
        exchanges=_met(knowledge.exchanges, event.maker, event.partner),
    )
    return replace(left, shown=_left_hand(left, event.partner, event.partner_hand))


def _wish_set(knowledge: Knowledge, event: e.WishSet) -> Knowledge:
    wishes = list(knowledge.wishes)
    wishes[event.player] = wishes[event.player].marked(event.bean, event.mark)
    return replace(knowledge, wishes=tuple(wishes))


_UPDATES: dict[type, Callable[[Knowledge, Any], Knowledge]] = {
    v.DealtShown: _dealt,
    e.TurnBegan: _turn_began,
    e.TradingClosed: _trading_over,
    e.HagglingBegan: _trading_over,
    e.TurnedOver: _taken,
    e.Drew: _taken,
    v.DrewHidden: _drew_hidden,
    e.Swept: _swept,
    v.ReshuffledHidden: _reshuffled,
    e.Planted: _planted,
    e.Harvested: _harvested,
    e.FieldBought: _field_bought,
    e.LeftoverDiscarded: _discarded,
    e.HandDiscarded: _hand_discarded,
    v.HandDiscardShown: _hand_discarded,
    e.GiftTaken: _gift_given,
    v.GiftTakenShown: _gift_given,
    v.OfferShown: _offer_shown,
    e.OfferMade: _own_offer,
    e.OfferEdited: _own_offer,
    e.OfferWithdrawn: _offer_gone,
    e.OfferVoided: _offer_gone,
    v.ClaimShown: _claim_shown,
    e.OfferDeclined: _declined,
    v.TradedShown: _traded,
    e.WishSet: _wish_set,
}

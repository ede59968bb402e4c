"""Suggestions: what a person may do now, best guesses first, each with its words."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from bohn.cli.board import deal
from bohn.cli.fields import grows, worth
from bohn.i18n import Inflected, Param
from bohn.narration.sentences import deal_kind, kinds_of
from bohn.narration.words import Words
from bohn.rules import commands as c
from bohn.rules.beans import Bean
from bohn.rules.decide import tag
from bohn.rules.legal import OfferSpace
from bohn.rules.state import Copy, PlantPhase
from bohn.views import OfferView, View, consequences, gift_ways
from bohn.views.view import GiftView, TradeView

Params = dict[str, Param | Inflected]

ORDER: tuple[type[c.Command], ...] = (
    c.AcceptOffer, c.Pick, c.Claim, c.TakeGift, c.ClaimBonus,
    c.Plant, c.PlantSetAside, c.PlantGift, c.PlantFaceUp, c.PlantLeftover, c.DiscardLeftover,
    c.Reveal, c.LeaveRest, c.KeepHand, c.RefillBonus, c.Pass, c.EndTrading, c.DeclineOffer, c.BuyField,
)  # fmt: skip
"""The order of suggestions: what advances the game first; commands not named here come last."""

_RANK = {kind: index for index, kind in enumerate(ORDER)}

MOST_OFFERS = 5
"""Offers suggested at once."""


def ordered(view: View, legal: tuple[c.Command, ...]) -> list[c.Command]:
    """Return the legal commands with the usual ones first."""
    return sorted(legal, key=lambda command: (_rank(view, command), _tie_break(view, command)))


def _rank(view: View, command: c.Command) -> float:
    """Return the place of a kind of command; a second card that joins nothing is better kept in the hand."""
    may_wait = isinstance(view.phase, PlantPhase) and view.phase.planted
    if may_wait and isinstance(command, c.Plant) and not _joins(view, command.field):
        return len(ORDER) - 0.5
    if isinstance(command, c.AcceptOffer | c.Claim) and _brings_homeless(view, command.offer):
        return len(ORDER) - 0.5
    return _RANK.get(type(command), len(ORDER))


def _brings_homeless(view: View, number: int) -> bool:
    """Tell whether an offer brings beans that fit no field as it is now."""
    offer = _find(view, number)
    return offer is not None and bool(consequences(view.rules, view, offer).homeless)


def _joins(view: View, field: int) -> bool:
    own = view.players[view.viewer].fields if view.viewer is not None else ()
    return 0 <= field < len(own) and bool(own[field])


def _tie_break(view: View, command: c.Command) -> int:
    """Return a small number for the better of two commands of one kind: beans join their own."""
    if isinstance(command, c.NameGift):
        return _bluffs(view, command)
    if isinstance(command, c.Harvest):
        return 0
    field = getattr(command, "field", None)
    return 0 if field is None or _joins(view, field) else 1


def _bluffs(view: View, command: c.NameGift) -> int:
    return int(all(kind.bean != command.bean for kind in gift_ways(view)))


# -- offers to suggest ------------------------------------------------------------------------------


def sensible_offers(view: View, space: OfferSpace) -> list[c.MakeOffer]:
    """Return a few offers: what grows nowhere of mine for what grows on my fields; else gifts."""
    if view.own is None or view.viewer is None or not space.slots:
        return []
    mine = {field[-1] for field in view.players[view.viewer].fields if field}
    spare = [(copy, "face") for copy in space.face_up if copy.bean not in mine]
    spare += [(copy, "hand") for copy in space.hand[:4] if copy.bean not in mine]
    wanted = sorted(kind for kind in mine if kind in space.kinds)
    offers = [
        _offer(view, space, copy, where, (want,))
        for copy, where in spare
        for want in wanted
        if _somebody_grows(view, copy.bean)
    ]
    offers += [
        _offer(view, space, copy, where, ()) for copy, where in spare if _somebody_grows(view, copy.bean)
    ]
    offers += [_offer(view, space, None, "", (want,)) for want in wanted]
    fresh = [offer for offer in offers if not _stands(view, offer)]
    return list(dict.fromkeys(fresh))[:MOST_OFFERS]


def _somebody_grows(view: View, bean: Bean) -> bool:
    return any(
        field and field[-1] == bean
        for seat, player in enumerate(view.players)
        if seat != view.viewer
        for field in player.fields
    )


def _offer(
    view: View, space: OfferSpace, copy: Copy | None, where: str, want: tuple[Bean, ...]
) -> c.MakeOffer:
    assert view.viewer is not None  # noqa: S101 - asked for with a viewer only
    hand = (copy,) if copy is not None and where == "hand" else ()
    lying = (copy,) if copy is not None and where == "face" else ()
    revision = space.hand_revision if hand else 0
    return c.MakeOffer(view.viewer, space.partners, hand, lying, want, open=False, hand_revision=revision)


def _stands(view: View, offer: c.MakeOffer) -> bool:
    """Tell whether the same terms stand already."""
    if not isinstance(view.phase, TradeView):
        return False
    given = tuple(sorted(kinds_of(offer.hand) + kinds_of(offer.face_up)))
    return any(
        standing.maker == view.viewer
        and tuple(sorted(standing.hand + kinds_of(standing.face_up))) == given
        and standing.want == offer.want
        for standing in view.phase.offers
    )


# -- in words ------------------------------------------------------------------------------------------


def suggestion(words: Words, view: View, command: c.Command) -> str:
    """Return a command in words: "plant soy on field 0 (3 -> 4: 2 coins)"."""
    params = _PARAMS.get(type(command), _none)(words, view, command)
    return words.say(f"suggest.{tag(type(command))}", **params)


def _none(words: Words, view: View, command: Any) -> Params:  # noqa: ARG001 - one signature per table
    return {}


def _onto(words: Words, view: View, bean: Bean, field: int) -> Params:
    assert view.viewer is not None  # noqa: S101 - suggestions are for a seat
    own = view.players[view.viewer].fields
    grown = grows(words, own[field], bean) if 0 <= field < len(own) else ""
    return {"bean": partial(words.bean, bean), "field": field, "grows": grown}


def _plant(words: Words, view: View, command: c.Plant) -> Params:
    assert view.own is not None  # noqa: S101 - suggestions are for a seat
    return _onto(words, view, view.own.hand[0], command.field)


def _plant_set_aside(words: Words, view: View, command: c.PlantSetAside) -> Params:
    return _onto(words, view, view.players[command.player].set_aside[command.place], command.field)


def _plant_lying(words: Words, view: View, command: c.PlantLeftover | c.PlantFaceUp) -> Params:
    return _onto(words, view, _lying(view)[command.place], command.field)


def _lying(view: View) -> tuple[Bean, ...]:
    lying: tuple[Bean, ...] = getattr(view.phase, "leftovers", ()) or getattr(view.phase, "face_up", ())
    return lying


def _plant_gift(words: Words, view: View, command: c.PlantGift) -> Params:
    gift: tuple[Bean, ...] = getattr(view.phase, "gift", ())
    return _onto(words, view, gift[0], command.field)


def _discard_lying(words: Words, view: View, command: c.DiscardLeftover) -> Params:
    return {"bean": partial(words.bean, _lying(view)[command.place])}


def _leave(words: Words, view: View, command: c.LeaveRest) -> Params:  # noqa: ARG001 - one signature per table
    return {"beans": words.short(_lying(view))}


def _harvest(words: Words, view: View, command: c.Harvest) -> Params:
    field = view.players[command.player].fields[command.field]
    return {"field": command.field, "beans": words.short(field), "coins": worth(words, field)}


def _buy(words: Words, view: View, command: c.BuyField) -> Params:  # noqa: ARG001 - one signature per table
    paid = f" ({words.short(command.coins)})" if command.coins else ""
    return {"price": words.rules.field_price, "paid": paid}


def _make(words: Words, view: View, command: c.MakeOffer | c.EditOffer) -> Params:  # noqa: ARG001 - as above
    given = kinds_of(command.hand) + kinds_of(command.face_up)
    return {
        "kind": deal_kind(given, command.want),
        "gives": words.short(given),
        "wants": words.short(command.want),
        "to": partial(words.group, command.to),
    }


def _answer(words: Words, view: View, command: c.AcceptOffer | c.Claim) -> Params:
    offer = _find(view, command.offer)
    if offer is None:
        return {"offer": command.offer, "deal": ""}
    preview = consequences(words.rules, view, offer)
    return {
        "offer": f"{offer.id}.{offer.revision}",
        "deal": deal(words, "board.deal", preview.give, preview.get),
    }


def _find(view: View, number: int) -> OfferView | None:
    offers = view.phase.offers if isinstance(view.phase, TradeView) else ()
    return next((offer for offer in offers if offer.id == number), None)


def _numbered(words: Words, view: View, command: Any) -> Params:  # noqa: ARG001 - one signature per table
    return {"offer": f"{command.offer}.{command.revision}"}


def _own_offer(words: Words, view: View, command: c.WithdrawOffer) -> Params:  # noqa: ARG001 - as above
    return {"offer": command.offer}


def _pick(words: Words, view: View, command: c.Pick) -> Params:
    return _numbered(words, view, command) | {"player": words.name(command.claimer)}


def _discard(words: Words, view: View, command: c.DiscardFromHand) -> Params:  # noqa: ARG001 - as above
    return {"bean": partial(words.bean, command.copy.bean)}


def _name(words: Words, view: View, command: c.NameGift) -> Params:
    bluff = "yes" if _bluffs(view, command) else "no"
    return {"bean": partial(words.bean, command.bean), "bluff": bluff}


def _take(words: Words, view: View, command: c.TakeGift) -> Params:  # noqa: ARG001 - as above
    named = view.phase.named if isinstance(view.phase, GiftView) else ()
    return {"bean": partial(words.bean, named[-1][1]) if named else ""}


def _bonus(words: Words, view: View, command: c.ClaimBonus | c.DiscardBonus) -> Params:  # noqa: ARG001 - as above
    return {"bonus": words.bonus(command.bonus)}


_PARAMS: dict[type[c.Command], Callable[[Words, View, Any], Params]] = {
    c.Plant: _plant,
    c.PlantSetAside: _plant_set_aside,
    c.PlantLeftover: _plant_lying,
    c.PlantFaceUp: _plant_lying,
    c.PlantGift: _plant_gift,
    c.DiscardLeftover: _discard_lying,
    c.LeaveRest: _leave,
    c.Harvest: _harvest,
    c.BuyField: _buy,
    c.MakeOffer: _make,
    c.EditOffer: _make,
    c.AcceptOffer: _answer,
    c.Claim: _answer,
    c.DeclineOffer: _numbered,
    c.WithdrawOffer: _own_offer,
    c.Pick: _pick,
    c.DiscardFromHand: _discard,
    c.NameGift: _name,
    c.TakeGift: _take,
    c.ClaimBonus: _bonus,
    c.DiscardBonus: _bonus,
}

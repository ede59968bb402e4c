"""How computer players trade with people: what an offer must be, whatever its player gains by it.

People read every offer that reaches them. So none is made that asks for what it gives, that competes with
another one of the same maker, or that begs for what whoever is asked would miss. All of it follows from what
everybody sees.
Among computer players alone nothing is held back: their strength is measured without manners.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from bohn.bots.bargaining import useful
from bohn.rules.beans import Bean
from bohn.rules.commands import EditOffer, MakeOffer
from bohn.server.bots.messages import Terms, terms_of
from bohn.views.view import OfferView, TradeView, View


def is_mannerly(
    command: MakeOffer | EditOffer, view: View, made: Collection[Terms], people: frozenset[int]
) -> bool:
    """Tell whether an offer suits the people at the table; ``made`` are those of its maker in this turn."""
    terms = terms_of(command)
    give, want = set(terms.give), set(terms.want)
    if people and give & want:
        return False
    asked = people.intersection(terms.to)
    if any(_competes(offer, give, want) for offer in _standing(view, command.player, asked)):
        return False
    return bool(terms.give) or all(_may_ask(view, made, seat, terms.want) for seat in asked)


def _competes(offer: OfferView, give: set[Bean], want: set[Bean]) -> bool:
    """Tell whether a standing offer asks for the same, or gives for nothing what has a price in the other."""
    one_is_gift = not want or not offer.want
    return not want.isdisjoint(offer.want) or (one_is_gift and not give.isdisjoint(offer.given))


def _standing(view: View, maker: int, asked: frozenset[int]) -> Iterator[OfferView]:
    """Yield the offers of a maker that one of those asked has still to answer."""
    if view.own is None or not isinstance(view.phase, TradeView):
        return
    declined = {own.id: own.declined for own in view.own.offers}
    for offer in view.phase.offers:
        if offer.maker == maker and asked.intersection(offer.to).difference(declined.get(offer.id, ())):
            yield offer


def _may_ask(view: View, made: Collection[Terms], seat: int, want: tuple[Bean, ...]) -> bool:
    """Tell whether a person may be asked for a gift: one card, once a turn, which he does not grow.

    What he has said he has to spare is asked for freely.
    """
    if view.talk.wishes[seat].spare and set(want) <= set(view.talk.wishes[seat].spare):
        return True
    before = [terms for terms in made if seat in terms.to and (not terms.give or set(want) & set(terms.want))]
    return len(want) == 1 and not before and useful(view, seat).isdisjoint(want)

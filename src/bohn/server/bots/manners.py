"""How computer players trade with people: what an offer must be, whatever its player gains by it.

People read every offer that reaches them. So none is made that asks for what it gives, that gives a card of
another standing one, that competes with another one of the same maker, that begs for what whoever is asked
might miss, that brings him nothing he has a use for, or that asks for cards he is not likely to have. All of
it follows from what everybody sees.
Among computer players alone nothing is held back: their strength is measured without manners.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from math import comb

from msgspec.structs import replace

from bohn.bots.bargaining import useful
from bohn.bots.farming import hand, lying_before
from bohn.rules.beans import Bean
from bohn.rules.commands import EditOffer, MakeOffer
from bohn.server.bots.haggling import is_countered
from bohn.server.bots.messages import Terms, terms_of
from bohn.server.bots.said import of_use, said_to_give
from bohn.views.knowledge import Knowledge, know, unseen
from bohn.views.view import OfferView, TradeView, View

LIKELY = 0.5
"""How likely a person must have a card that he is asked for, by what everybody has seen."""


def for_those_who_may_have(
    command: MakeOffer | EditOffer, view: View, knowledge: Knowledge | None, people: frozenset[int]
) -> MakeOffer | EditOffer | None:
    """Return an offer without the people who are not likely to have what it asks for, if anybody is left."""
    asked = people.intersection(command.to)
    if not asked or not command.want:
        return command
    known = know(view) if knowledge is None else knowledge
    hidden = unseen(replace(view, viewer=None, own=None), known)
    unlikely = {seat for seat in asked if not _likely(view, known, hidden, seat, command.want)}
    if not unlikely:
        return command
    to = tuple(seat for seat in command.to if seat not in unlikely)
    return replace(command, to=to) if to else None


def _likely(
    view: View, knowledge: Knowledge, hidden: tuple[int, ...], seat: int, want: tuple[Bean, ...]
) -> bool:
    """Tell whether a seat is likely to have each of these kinds: lying, shown, said, or by chance."""
    lying = Counter(lying_before(view, seat))
    said, held = said_to_give(view, seat), view.players[seat].hand_size
    return all(
        bean in said
        or knowledge.shown[seat][bean] >= needed
        or chance_of(needed, hidden[bean], sum(hidden), held) >= LIKELY
        for bean, needed in (Counter(want) - lying).items()
    )


def chance_of(needed: int, cards: int, hidden: int, held: int) -> float:
    """Return how likely at least ``needed`` of ``cards`` are among ``held`` cards out of ``hidden``."""
    if held > hidden:
        return 0.0
    fewer = sum(comb(cards, few) * comb(hidden - cards, held - few) for few in range(min(needed, held + 1)))
    return 1 - fewer / comb(hidden, held)


def is_mannerly(
    command: MakeOffer | EditOffer, view: View, made: Collection[Terms], people: frozenset[int]
) -> bool:
    """Tell whether an offer suits the people at the table; ``made`` are those of its maker in this turn."""
    terms = terms_of(command)
    give, want = set(terms.give), set(terms.want)
    if people and give & want:
        return False
    asked = people.intersection(terms.to)
    replaced = _replaced(view, command, people)
    if people and _sells_twice(view, command, replaced):
        return False
    standing = (offer for offer in _standing(view, command.player, asked) if offer.id != replaced)
    if any(_competes(offer, give, want) for offer in standing):
        return False
    if not terms.give:
        return all(_may_ask(view, made, seat, terms.want) for seat in asked)
    return all(_is_of_use(view, seat, terms) for seat in asked)


def _sells_twice(view: View, command: MakeOffer | EditOffer, replaced: int | None) -> bool:
    """Tell whether a card is in another standing offer of its maker already, who has no second one of it."""
    me = command.player
    everybody = frozenset(range(len(view.players)))
    others = (offer for offer in _standing(view, me, everybody) if offer.id != replaced)
    taken = Counter(bean for offer in others for bean in offer.given)
    own, give = Counter(hand(view) + lying_before(view, me)), Counter(terms_of(command).give)
    return any(taken[bean] and taken[bean] + count > own[bean] for bean, count in give.items())


def _replaced(view: View, command: MakeOffer | EditOffer, people: frozenset[int]) -> int | None:
    """Return the standing offer that a command takes the place of, if nobody thinks about it any more.

    All whom it asks have refused it or offered something back: what was a price a moment ago is no gift yet.
    """
    if not isinstance(command, EditOffer) or view.own is None or not isinstance(view.phase, TradeView):
        return None
    offer = next((one for one in view.phase.offers if one.id == command.offer), None)
    if offer is None:
        return None
    refused = next((own.declined for own in view.own.offers if own.id == offer.id), ())
    thinking = people.intersection(offer.to).difference(refused)
    return command.offer if all(is_countered(view, offer, seat) for seat in thinking) else None


def _is_of_use(view: View, seat: int, terms: Terms) -> bool:
    """Tell whether an offer may be of use to a person: it brings what he grows, wants or has room for.

    Or it rids him of what lies before him and he does not grow.
    """
    if not all(view.players[seat].fields) or not of_use(view, seat).isdisjoint(terms.give):
        return True
    lying, grows = lying_before(view, seat), useful(view, seat)
    return any(bean in lying and bean not in grows for bean in terms.want)


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
    """Tell whether a person may be asked for a gift: one card, once a turn, that is worth nothing to him.

    So it is while all his fields grow other kinds, and he has not wished for it. What he has said he can
    spare, or has promised, is asked for freely.
    """
    if want and said_to_give(view, seat).issuperset(want):
        return True
    before = [terms for terms in made if seat in terms.to and (not terms.give or set(want) & set(terms.want))]
    needless = all(view.players[seat].fields) and useful(view, seat).isdisjoint(want)
    return len(want) == 1 and not before and needless and not set(want) & set(view.talk.wishes[seat].want)

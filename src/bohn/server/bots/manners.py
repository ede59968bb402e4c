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
from math import comb, prod

from msgspec.structs import replace

from bohn.bots.bargaining import useful
from bohn.bots.farming import hand, lying_before
from bohn.rules.beans import Bean
from bohn.rules.commands import Command, EditOffer, MakeOffer
from bohn.server.bots.haggling import is_countered, offers_back
from bohn.server.bots.messages import Terms, terms_of
from bohn.server.bots.said import of_use, said_to_give
from bohn.views.knowledge import Knowledge, know, unseen
from bohn.views.view import OfferView, TradeView, View

LIKELY = 0.5
"""How likely a person must have a card that he is asked for, by what everybody has seen."""


OFTEN = 3
"""Offers that one partner hears from a player in a turn, at the most."""


def for_those_who_may_have(
    command: MakeOffer | EditOffer,
    view: View,
    knowledge: Knowledge | None,
    people: frozenset[int],
    told_none: Collection[tuple[int, Bean]] = (),
) -> MakeOffer | EditOffer | None:
    """Return an offer without the people who are not likely to have what it asks for, if anybody is left.

    Whoever has told in this turn that he has none of a kind (``told_none``) is not asked for it again.
    """
    asked = people.intersection(command.to)
    if not asked or not command.want:
        return command
    known = know(view) if knowledge is None else knowledge
    hidden = unseen(replace(view, viewer=None, own=None), known)
    has_none = {seat for seat, bean in told_none if bean in command.want}
    unlikely = {
        seat for seat in asked if seat in has_none or not _likely(view, known, hidden, seat, command.want)
    }
    if not unlikely:
        return command
    to = tuple(seat for seat in command.to if seat not in unlikely)
    return replace(command, to=to) if to else None


def _likely(
    view: View, knowledge: Knowledge, hidden: tuple[int, ...], seat: int, want: tuple[Bean, ...]
) -> bool:
    """Tell whether a seat is likely to have all of these beans: lying, shown, said, or by chance."""
    lying = Counter(lying_before(view, seat))
    said, held = said_to_give(view, seat), view.players[seat].hand_size
    chances = (
        chance_of(needed, hidden[bean], sum(hidden), held)
        for bean, needed in (Counter(want) - lying).items()
        if bean not in said and knowledge.shown[seat][bean] < needed
    )
    return prod(chances) >= LIKELY


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
    if people and (give & want or _has_agreed_to_it(view, command)):
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


def repeats_itself(terms: Terms, made: Collection[Terms]) -> bool:
    """Tell whether an offer is no better for whoever is asked than one that was made before in this turn.

    Or it gives a kind for which another one of this turn has asked, or the other way round; or the same
    partner has been asked often enough.
    """
    before = [old for old in made if set(terms.to) <= set(old.to)]
    turned = any(
        not set(terms.give).isdisjoint(old.want) or not set(terms.want).isdisjoint(old.give) for old in made
    )
    return turned or len(before) >= OFTEN or any(_no_better(terms, old) for old in before)


def _no_better(terms: Terms, old: Terms) -> bool:
    return Counter(terms.give) <= Counter(old.give) and Counter(old.want) <= Counter(terms.want)


def _has_agreed_to_it(view: View, command: MakeOffer | EditOffer) -> bool:
    """Tell whether an offer asks for what its maker has just said yes to: it waits until it is picked."""
    want = terms_of(command).want
    offers = view.phase.offers if isinstance(view.phase, TradeView) else ()
    return any(command.player in offer.claimers and not {*want}.isdisjoint(offer.given) for offer in offers)


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
    offer = _changed(view, command)
    if offer is None or view.own is None:
        return None
    refused = next((own.declined for own in view.own.offers if own.id == offer.id), ())
    thinking = people.intersection(offer.to).difference(refused)
    return offer.id if all(is_countered(view, offer, seat) for seat in thinking) else None


Answer = tuple[int, int, int, int]
"""What was offered back: the turn, the numbers of offer and answer, and the revision of the answer."""


class ChangedOffers:
    """Which answers to its offers a player has used up by changing them: each is good for one change.

    It lasts as long as the process in which the player thinks; a new one may change an offer once more.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self._used: dict[Answer, int] = {}
        """By answer, the revision of the offer for whose change it was used."""

    def is_too_soon(self, command: MakeOffer | EditOffer, view: View, people: frozenset[int]) -> bool:
        """Tell whether a person asked by an offer has answered nothing since it was changed last.

        An offer that waits for people is changed only where all of them have offered something back; what
        would change it else stands beside it (`bohn.server.bots.recipients`).
        """
        offer = _changed(view, command)
        if offer is None or view.own is None or offer.to != command.to:
            return False
        here = people.intersection(offer.to)
        if not here or not all(is_countered(view, offer, seat) for seat in here):
            return False
        refused = next((own.declined for own in view.own.offers if own.id == offer.id), ())
        return not all(self._fresh(view, offer, seat) for seat in here.difference(refused))

    def note(self, command: Command | None, view: View) -> None:
        """Note a command that is done: the answers to an offer that it changes are used up."""
        offer = _changed(view, command)
        if offer is not None:
            answers = (answer for seat in offer.to for answer in _answers(view, offer, seat))
            self._used.update(dict.fromkeys(answers, offer.revision))

    def _fresh(self, view: View, offer: OfferView, seat: int) -> bool:
        """Tell whether a seat has offered something back that has changed the offer in no earlier form."""
        return any(
            self._used.get(answer, offer.revision) >= offer.revision for answer in _answers(view, offer, seat)
        )


def _answers(view: View, offer: OfferView, seat: int) -> list[Answer]:
    """Return what a seat has offered back for an offer: turn, both numbers, and the answer's revision."""
    offers = view.phase.offers if isinstance(view.phase, TradeView) else ()
    return [
        (view.turn, offer.id, one.id, one.revision)
        for one in offers
        if one.maker == seat and offers_back(one, offer) and (one.id > offer.id or one.revision > 1)
    ]


def _changed(view: View, command: Command | None) -> OfferView | None:
    """Return the offer that a command changes, if it changes one."""
    if not isinstance(command, EditOffer) or not isinstance(view.phase, TradeView):
        return None
    return next((one for one in view.phase.offers if one.id == command.offer), None)


def _is_of_use(view: View, seat: int, terms: Terms) -> bool:
    """Tell whether an offer may be of use to a person: it brings what he grows, wants or has room for.

    Or it rids him of more beans that lie before him, and that he does not grow, than it gives him.
    """
    if not all(view.players[seat].fields) or not of_use(view, seat).isdisjoint(terms.give):
        return True
    grows = useful(view, seat)
    lying = Counter(bean for bean in lying_before(view, seat) if bean not in grows)
    return (Counter(terms.want) & lying).total() > len(terms.give)


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

"""Whose words a computer player still believes: it learns from what came of them (TALK-1, TALK-2).

A word is broken when a person refuses the very thing he said: to take a kind that he wants as a gift, to give
one that he can spare for something he has a use for, or to keep a promise at the price he named. Each
exchange with him makes one broken word good.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from msgspec.structs import replace

from bohn.bots.bargaining import useful
from bohn.rules.state import Promise, Wishes
from bohn.server.bots.said import promises_of
from bohn.views.knowledge import Knowledge
from bohn.views.view import OfferView, TradeView, View

PATIENCE = 2
"""Broken words, beyond those that were made good, after which a person is not believed any more."""


class Trust:
    """The words that each person broke towards one player."""

    def __init__(self) -> None:
        """Believe everybody."""
        self._broken: Counter[int] = Counter()
        self._noted: set[tuple[int, int, int, int]] = set()

    def note(self, view: View, people: Collection[int]) -> None:
        """Note what people refuse against their word, each once."""
        for person, offer in _against_word(view, people):
            key = (view.turn, offer.id, offer.revision, person)
            if key not in self._noted:
                self._noted.add(key)
                self._broken[person] += 1

    def believes(self, view: View, knowledge: Knowledge, person: int) -> bool:
        """Tell whether what a person says counts."""
        me, exchanges = view.viewer, knowledge.exchanges
        made_good = exchanges[me][person] if exchanges and me is not None else 0
        return self._broken[person] < PATIENCE + made_good

    def heard(self, view: View, knowledge: Knowledge, people: Collection[int]) -> View:
        """Return a view without the words of who is not believed; what is kept is kept."""
        doubted = {person for person in people if not self.believes(view, knowledge, person)}
        if not doubted:
            return view
        wishes = tuple(
            [
                Wishes(keep=said.keep) if player in doubted else said
                for player, said in enumerate(view.talk.wishes)
            ]
        )
        promises = tuple([promise for promise in view.talk.promises if promise.player not in doubted])
        return replace(view, talk=replace(view.talk, wishes=wishes, promises=promises))


def _against_word(view: View, people: Collection[int]) -> Iterator[tuple[int, OfferView]]:
    """Yield who has refused an own offer against his word."""
    if view.own is None or not isinstance(view.phase, TradeView):
        return
    declined = {own.id: own.declined for own in view.own.offers}
    for offer in view.phase.offers:
        for person in set(declined.get(offer.id, ())) & set(people):
            if _is_promised(view, person, offer):
                yield person, offer


def _is_promised(view: View, person: int, offer: OfferView) -> bool:
    """Tell whether an offer is what a person has said he would take or give."""
    if any(_keeps(offer, promise) for promise in promises_of(view, person)):
        return True
    said = view.talk.wishes[person]
    if not offer.want:
        return bool(offer.given) and {*offer.given} <= {*said.want}
    of_use = {*said.want, *useful(view, person)}
    return {*offer.want} <= {*said.spare} and not of_use.isdisjoint(offer.given)


def _keeps(offer: OfferView, promise: Promise) -> bool:
    """Tell whether an offer asks for no more than was promised, and gives what was hoped for."""
    asked, given = Counter(offer.want), Counter(offer.given)
    return bool(asked) and asked <= Counter(promise.give) and given >= Counter(promise.get)

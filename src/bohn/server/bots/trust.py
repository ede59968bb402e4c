"""Whose words a computer player still believes: it learns from what came of them (TALK-1, TALK-2).

A word is broken when somebody refuses the very thing he said: to take a kind that he wants as a gift, to give
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
"""Broken words, beyond those that were made good, after which somebody is not believed any more."""


class Trust:
    """The words that each player broke towards one player."""

    def __init__(self) -> None:
        """Believe everybody."""
        self._broken: Counter[int] = Counter()
        self._noted: set[tuple[int, int, int, int]] = set()

    def note(self, view: View, others: Collection[int]) -> None:
        """Note what others refuse against their word, each once."""
        for player, offer in _against_word(view, others):
            key = (view.turn, offer.id, offer.revision, player)
            if key not in self._noted:
                self._noted.add(key)
                self._broken[player] += 1

    def believes(self, view: View, knowledge: Knowledge, player: int) -> bool:
        """Tell whether what a player says counts."""
        me, exchanges = view.viewer, knowledge.exchanges
        made_good = exchanges[me][player] if exchanges and me is not None else 0
        return self._broken[player] < PATIENCE + made_good

    def heard(self, view: View, knowledge: Knowledge, others: Collection[int]) -> View:
        """Return a view without the words of who is not believed; what is kept is kept."""
        doubted = {player for player in others if not self.believes(view, knowledge, player)}
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


def _against_word(view: View, others: Collection[int]) -> Iterator[tuple[int, OfferView]]:
    """Yield who has refused an own offer against his word."""
    if view.own is None or not isinstance(view.phase, TradeView):
        return
    declined = {own.id: own.declined for own in view.own.offers}
    for offer in view.phase.offers:
        for player in set(declined.get(offer.id, ())) & set(others):
            if _is_promised(view, player, offer):
                yield player, offer


def _is_promised(view: View, player: int, offer: OfferView) -> bool:
    """Tell whether an offer is what a player has said he would take or give."""
    if any(_keeps(offer, promise) for promise in promises_of(view, player)):
        return True
    said = view.talk.wishes[player]
    if not offer.want:
        return bool(offer.given) and {*offer.given} <= {*said.want}
    of_use = {*said.want, *useful(view, player)}
    return {*offer.want} <= {*said.spare} and not of_use.isdisjoint(offer.given)


def _keeps(offer: OfferView, promise: Promise) -> bool:
    """Tell whether an offer asks for no more than was promised, and gives what was hoped for."""
    asked, given = Counter(offer.want), Counter(offer.given)
    return bool(asked) and asked <= Counter(promise.give) and given >= Counter(promise.get)

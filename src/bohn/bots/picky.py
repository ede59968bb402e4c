"""The picky but generous player: the default opponent."""

from __future__ import annotations

from collections.abc import Iterator

from bohn.bots.api import Copy, OfferView, TradeView, View
from bohn.bots.bargaining import Bargainer, Proposal, clockwise, given_kinds, own_useful, useful
from bohn.bots.farming import fields, hand, missing, seat, worth


class Picky(Bargainer):
    """Takes only kinds it grows, never gives one away, and gives everything else for nothing if it must."""

    name = "pk"

    def sell(self, view: View, possible: list[int]) -> int:
        """Return the field farthest from its next coin; of equals the one with most coins."""
        beds = fields(view)
        return max(
            possible, key=lambda index: (missing(view.rules, beds[index]), worth(view.rules, beds[index]), -index)
        )

    def accepts(self, view: View, offer: OfferView) -> bool:
        """Take kinds one grows, give kinds one does not grow."""
        grows = own_useful(view)
        brings = given_kinds(offer)
        return bool(brings) and grows.issuperset(brings) and grows.isdisjoint(offer.want)

    def proposals(self, view: View, phase: TradeView) -> Iterator[Proposal]:
        """Yield what it does not grow for what it grows, then as a gift."""
        grows = own_useful(view)
        mine = seat(view) == view.active_player
        partners = clockwise(view) if mine else (view.active_player,)
        lying = phase.face_up if mine else ()
        spare = [((), (Copy(place, bean),)) for place, bean in enumerate(lying) if bean not in grows]
        spare += [((Copy(place, bean),), ()) for place, bean in enumerate(hand(view)) if bean not in grows]
        wanted = sorted(grows)
        for cards, face_up in spare:
            for want in wanted:
                yield Proposal(partners, cards, face_up, (want,))
        for cards, face_up in spare:
            bean = (cards + face_up)[0].bean
            to = tuple(p for p in partners if bean in useful(view, p))
            if to:
                yield Proposal(to, cards, face_up, ())

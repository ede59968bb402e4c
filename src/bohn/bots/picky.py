"""The picky but generous player: the default opponent.

It plays compiled too (`bohn.lab.players.simple`); a test compares every decision of the two forms.
"""

from __future__ import annotations

from collections.abc import Iterator

from bohn.bots.api import Copies, Copy, OfferView, TradeView, View
from bohn.bots.bargaining import Bargainer, Proposal, clockwise, gains, kinds_grown, own_useful
from bohn.bots.farming import hand, least_regret, seat


class Picky(Bargainer):
    """Takes only kinds it grows and never gives one away; face-up beans nobody pays for are a gift."""

    name = "pk"

    def sell(self, view: View, possible: list[int]) -> int:
        """Return the field with most coins that the hand would not raise; of equals the smallest."""
        return least_regret(view, possible)

    def accepts(self, view: View, offer: OfferView) -> bool:
        """Take kinds one grows for kinds one does not grow."""
        return gains(view, offer)

    def proposals(self, view: View, phase: TradeView) -> Iterator[Proposal]:
        """Yield what it does not grow for what it grows, face-up beans first; then these as gifts."""
        grows = own_useful(view)
        mine = seat(view) == view.active_player
        partners = clockwise(view) if mine else (view.active_player,)
        lying = [Copy(place, bean) for place, bean in enumerate(phase.face_up) if mine and bean not in grows]
        held = [Copy(place, bean) for place, bean in enumerate(hand(view)) if bean not in grows]
        spare: list[tuple[Copies, Copies]] = [((), (copy,)) for copy in lying]
        spare += [((copy,), ()) for copy in held]
        for cards, face_up in spare:
            for want in kinds_grown(view):
                yield Proposal(partners, cards, face_up, (want,))
        for copy in lying:
            yield Proposal(partners, (), (copy,), ())

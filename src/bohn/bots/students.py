"""Published student players, re-created from descriptions of how they play.

They play compiled too (`bohn.lab.players.simple`); a test compares every decision of the two forms.
"""

from __future__ import annotations

from collections.abc import Iterator

from bohn.bots.api import Copy, OfferView, TradeView, View
from bohn.bots.bargaining import Bargainer, Proposal, clockwise, gains, kinds_grown, own_useful
from bohn.bots.farming import fields, fitting, hand, least_regret, seat
from bohn.rules.beans import Bean


class DefaultTrader(Bargainer):
    """Takes every offer it can serve, and asks for what it grows with anything it does not grow."""

    name = "b3"

    def place(self, view: View, bean: Bean) -> int | None:
        """Return the first field that fits, in the order of the fields."""
        possible = fitting(view.rules, fields(view), bean)
        return possible[0] if possible else None

    def sell(self, view: View, possible: list[int]) -> int:  # noqa: ARG002 - a hook
        """Return the last field that may be harvested."""
        return possible[-1]

    def wants_second(self, view: View, bean: Bean) -> bool:  # noqa: ARG002 - a hook
        """Plant one card a turn, never a second one."""
        return False

    def wants_field(self, view: View, *, forced: bool) -> bool:  # noqa: ARG002 - a hook
        """Buy with more than three coins."""
        own = view.players[seat(view)]
        return len(own.treasury) + own.tokens_left > 3

    def accepts(self, view: View, offer: OfferView) -> bool:
        """Take everything; as the active player only what brings kinds one grows and costs none of them."""
        return seat(view) != view.active_player or gains(view, offer)

    def proposals(self, view: View, phase: TradeView) -> Iterator[Proposal]:
        """Yield a card it does not grow for a kind it grows: face-up beans first, then the hand."""
        if seat(view) != view.active_player:
            return
        useful = own_useful(view)
        wanted = kinds_grown(view)
        everybody = clockwise(view)
        for place, bean in enumerate(phase.face_up):
            if bean not in useful:
                for want in wanted:
                    yield Proposal(everybody, (), (Copy(place, bean),), (want,))
        for place, bean in enumerate(hand(view)):
            if bean not in useful:
                for want in wanted:
                    yield Proposal(everybody, (Copy(place, bean),), (), (want,))


class OneTrade(DefaultTrader):
    """The default trader as it was published: at most one exchange of its own a turn."""

    name = "b3u"

    def proposals(self, view: View, phase: TradeView) -> Iterator[Proposal]:
        """Yield nothing more once something has been traded this turn."""
        if not any(player.set_aside for player in view.players):
            yield from super().proposals(view, phase)


class Wrath(DefaultTrader):
    """Farms with more care: keeps what its hand would raise, buys when forced, refuses gifts."""

    name = "b4"

    def place(self, view: View, bean: Bean) -> int | None:
        """Return a field of the kind, else an empty one."""
        return super(DefaultTrader, self).place(view, bean)

    def sell(self, view: View, possible: list[int]) -> int:
        """Return the field with most coins that the hand would not raise; of equals the smallest."""
        return least_regret(view, possible)

    def wants_second(self, view: View, bean: Bean) -> bool:
        """Plant a second card on its kind or on an empty field."""
        return self.place(view, bean) is not None

    def wants_field(self, view: View, *, forced: bool) -> bool:  # noqa: ARG002 - a hook
        """Buy rather than harvest."""
        return forced

    def accepts(self, view: View, offer: OfferView) -> bool:
        """As the default trader, but no gifts."""
        return bool(offer.want) and super().accepts(view, offer)


class Smart(Bargainer):
    """Gives face-up beans it does not grow for kinds it grows, or for nothing; bids unplanted hand cards."""

    name = "b6"

    def sell(self, view: View, possible: list[int]) -> int:  # noqa: ARG002 - a hook
        """Return any field that may be harvested."""
        return self.rand.choice(possible)

    def accepts(self, view: View, offer: OfferView) -> bool:
        """Take kinds one grows for kinds one does not grow."""
        return gains(view, offer)

    def proposals(self, view: View, phase: TradeView) -> Iterator[Proposal]:
        """Yield face-up beans for kinds it grows, rarest first, then for nothing; off-turn bids for them."""
        useful = own_useful(view)
        if seat(view) != view.active_player:
            for want in sorted(useful.intersection(phase.face_up)):
                for place, bean in enumerate(hand(view)):
                    if bean not in useful:
                        yield Proposal((view.active_player,), (Copy(place, bean),), (), (want,))
            return
        lying = [Copy(place, bean) for place, bean in enumerate(phase.face_up) if bean not in useful]
        for copy in lying:
            for want in sorted(useful):
                yield Proposal(clockwise(view), (), (copy,), (want,))
        for copy in lying:
            yield Proposal(clockwise(view), (), (copy,), ())

"""Offers that a computer player takes back beside people: those that it would not make any more.

What was sensible when it was offered need not be so after an exchange: the row is full, or the field taken.
Whoever accepted it then would wonder, and its maker would lose by it.
"""

from __future__ import annotations

from collections.abc import Collection

from bohn.bots.reasons import USELESS, Reason
from bohn.play.seat import Choices
from bohn.rules.commands import WithdrawOffer
from bohn.server.bots.common_sense import GAIN, harms_itself, plain_gain
from bohn.server.bots.haggling import Aim, Haggler, offered_by
from bohn.server.bots.messages import Question, Terms
from bohn.views.knowledge import Knowledge
from bohn.views.view import OfferView, TradeView


class StandingOffers:
    """The offers of one player that stand, and what each brought it by what everybody sees, in coins."""

    def __init__(self) -> None:
        """Begin with none."""
        self._brought: dict[tuple[int, int], float] = {}
        self._turn = 0

    def reconsidered(
        self,
        player: Haggler,
        question: Question,
        choices: Choices,
        knowledge: Knowledge,
        kept: Collection[Aim],
    ) -> tuple[WithdrawOffer, Reason | None] | None:
        """Return how the player takes one back that has become senseless; not what it promised (``kept``).

        People to whom it was made are told why.
        """
        view = question.view
        if not isinstance(view.phase, TradeView):
            return None
        if view.turn != self._turn:  # each trading numbers its offers anew
            self._turn, self._brought = view.turn, {}
        promised = {aim.near for aim in kept}
        takes_back = {one.offer: one for one in question.legal if isinstance(one, WithdrawOffer)}
        own = [one for one in view.phase.offers if one.id in takes_back and _terms(one) not in promised]
        gone_bad = (one for one in own if self._has_gone_bad(player, question, choices, knowledge, one))
        offer = next(gone_bad, None)
        if offer is None:
            return None
        return takes_back[offer.id], USELESS if question.people & {*offer.to} else None

    def _has_gone_bad(
        self, player: Haggler, question: Question, choices: Choices, knowledge: Knowledge, offer: OfferView
    ) -> bool:
        """Tell whether an offer does its maker harm by now, or brings nothing any more though it once did."""
        view = question.view
        brings = plain_gain(view, offer.want, offer.given)
        brought = self._brought.setdefault((offer.id, offer.revision), brings)
        if harms_itself(view, question.bot, _terms(offer)):
            return True
        if brought < GAIN or brings > 0:
            return False
        asked = offered_by(view, offer.to[0], offer.want, offer.given)
        return player.gains(view, choices, knowledge, [asked])[0] < GAIN


def _terms(offer: OfferView) -> Terms:
    return Terms(tuple(sorted(offer.to)), tuple(sorted(offer.given)), tuple(sorted(offer.want)))

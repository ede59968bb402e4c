"""Offers that a computer player takes back beside people: those that do it harm by now, or bring it nothing.

What was sensible when it was offered need not be so after an exchange: the row is full, or the field taken.
Whoever accepted it then would wonder, and its maker would lose by it.
"""

from __future__ import annotations

from collections.abc import Collection

from bohn.bots.reasons import USELESS, Reason
from bohn.play.seat import Choices
from bohn.rules.beans import Bean
from bohn.rules.commands import AnyCommand, EditOffer, MakeOffer, WithdrawOffer
from bohn.server.bots.common_sense import GAIN, harms_itself, plain_gain
from bohn.server.bots.haggling import Aim, Haggler, offered_by
from bohn.server.bots.levels import is_hard
from bohn.server.bots.messages import Question, Terms, terms_of, terms_shown
from bohn.views.knowledge import Knowledge
from bohn.views.view import OfferView, TradeView

Exchange = tuple[tuple[Bean, ...], tuple[Bean, ...]]
"""What is given, and what is wanted."""


class StandingOffers:
    """The offers of one player in a turn, and what each brought it when it made it, in coins."""

    def __init__(self) -> None:
        """Begin with none."""
        self._brought: dict[Exchange, float] = {}
        self._turn = 0

    def note(self, question: Question, command: AnyCommand | None) -> None:
        """Note an offer that the player makes, or changes."""
        if isinstance(command, MakeOffer | EditOffer):
            terms = terms_of(command)
            self._brought_by(question, terms, self._brings(question, terms))

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
        promised = {aim.near for aim in kept}
        takes_back = {one.offer: one for one in question.legal if isinstance(one, WithdrawOffer)}
        own = [one for one in view.phase.offers if one.id in takes_back and terms_shown(one) not in promised]
        gone_bad = (one for one in own if self._has_gone_bad(player, question, choices, knowledge, one))
        offer = next(gone_bad, None)
        if offer is None:
            return None
        return takes_back[offer.id], USELESS if question.people & {*offer.to} else None

    def _has_gone_bad(
        self, player: Haggler, question: Question, choices: Choices, knowledge: Knowledge, offer: OfferView
    ) -> bool:
        """Tell whether an offer does its maker harm by now, or brings nothing any more though it once did."""
        view, terms = question.view, terms_shown(offer)
        brings = self._brings(question, terms)
        brought = self._brought_by(question, terms, brings)
        if harms_itself(view, question.bot, terms):
            return True
        if brought < GAIN or brings > 0:
            return False
        asked = [offered_by(view, one, offer.want, offer.given) for one in offer.to]
        return max(player.gains(view, choices, knowledge, asked)) < GAIN

    def _brought_by(self, question: Question, terms: Terms, brings: float) -> float:
        """Return what an exchange brought when it was noted first in this turn: now, if it was not yet."""
        if question.view.turn != self._turn:
            self._turn, self._brought = question.view.turn, {}
        return self._brought.setdefault((terms.give, terms.want), brings)

    def _brings(self, question: Question, terms: Terms) -> float:
        """Return what an exchange brings the player by what everybody sees; a hard one shows no card."""
        return plain_gain(question.view, terms.want, terms.give, with_front=not is_hard(question.bot))

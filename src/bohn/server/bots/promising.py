"""What computer players promise to the person who plays next: a card of use to him for another (TALK-2).

They promise while a third player trades, when neither of them could trade with the other: one exchange, which
the player would agree to there and then, for a card that person has shown or said he can spare, and one at a
time. When that person's turn has come it offers just that, and takes it if he offers it; for its word it does
not weigh it again. What it can keep no more, and what is past, it takes back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator

from bohn.bots.bargaining import Proposal, copies_of, useful
from bohn.bots.farming import grown, hand, seat
from bohn.play.seat import Choices
from bohn.rules.commands import AcceptOffer, AnyCommand, Claim, MakePromise, WithdrawPromise
from bohn.rules.state import Promise
from bohn.server.bots.common_sense import trades_next
from bohn.server.bots.haggling import MOST, Aim, Haggler, welcome
from bohn.server.bots.messages import Terms
from bohn.server.bots.said import own_promises
from bohn.views.knowledge import Knowledge
from bohn.views.view import OfferView, TradeView, View

Suits = Callable[[Proposal], bool]
"""Whether a proposal is mannerly."""


class Promiser:
    """What one player promises, and the turn in which it first knew of each promise of its own."""

    def __init__(self) -> None:
        """Begin with no promise."""
        self._made: dict[int, int] = {}
        self._turn = 0

    def says(
        self,
        player: Haggler,
        view: View,
        choices: Choices,
        knowledge: Knowledge,
        people: Collection[int],
        suits: Suits,
    ) -> MakePromise | WithdrawPromise | None:
        """Return a promise to make, or one to take back, which goes first; it thinks of one once a turn."""
        me, phase = view.viewer, view.phase
        if me is None or view.own is None or not isinstance(phase, TradeView):
            return None
        own = list(own_promises(view))
        for promise in own:
            self._made.setdefault(promise.id, view.turn)
        past = next((promise for promise in own if self._is_past(view, promise)), None)
        if past is not None:
            return WithdrawPromise(me, past.id)
        person = (view.active_player + 1) % len(view.players)
        if me in (view.active_player, person) or person not in people or not knowledge.shown:
            return None
        if own or choices.tries <= 0 or view.turn == self._turn or not trades_next(view):
            return None
        self._turn = view.turn
        has = knowledge.shown[person]
        asked = (one for one in _exchanges(view, person) if all(has[bean] for bean in one.want))
        proposals = [one for one in asked if suits(one)][:MOST]
        best = next(iter(welcome(player, view, choices, knowledge, proposals)), None)
        if best is None:
            return None
        return MakePromise(me, person, tuple(copy.bean for copy in best.hand), best.want, "next-turn")

    def aims(self, view: View) -> Iterator[Aim]:
        """Yield what the viewer has promised to the person whose turn it is now."""
        for promise in _due(view):
            terms = Terms((promise.to,), promise.give, promise.get)
            yield Aim((0, "as-promised", promise.id, 0), promise.to, terms, kept=True)

    def _is_past(self, view: View, promise: Promise) -> bool:
        """Tell whether its turn is over, or a card of it has gone."""
        is_over = view.turn > self._made[promise.id] + 1
        return is_over or not Counter(promise.give) <= Counter(hand(view))


def kept_by(view: View, legal: Collection[AnyCommand]) -> AcceptOffer | Claim | None:
    """Return the answer by which the viewer keeps his word: to an offer of what he has promised."""
    if not isinstance(view.phase, TradeView):
        return None
    due = list(_due(view))
    asked = {offer.id for offer in view.phase.offers if any(_is_meant(offer, promise) for promise in due)}
    answers = (one for one in legal if isinstance(one, AcceptOffer | Claim) and one.offer in asked)
    return next(answers, None)


def _due(view: View) -> Iterator[Promise]:
    """Yield what the viewer has promised to whose turn it is: his next one has come."""
    return (promise for promise in own_promises(view) if promise.to == view.active_player)


def _is_meant(offer: OfferView, promise: Promise) -> bool:
    """Tell whether an offer asks for no more than was promised, and gives what was hoped for."""
    if offer.maker != promise.to:
        return False
    wanted, given = Counter(offer.want), Counter(offer.given)
    return bool(wanted) and wanted <= Counter(promise.give) and given >= Counter(promise.get)


def _exchanges(view: View, person: int) -> Iterator[Proposal]:
    """Yield each card of the hand for one that its player grows or wants, and the person does not."""
    offers = view.phase.offers if isinstance(view.phase, TradeView) else ()
    offered = {bean for offer in offers if offer.maker == view.viewer for bean in offer.given}
    said, his = view.talk.wishes[seat(view)], view.talk.wishes[person]
    grows = grown(view.players[seat(view)].fields)
    wanted = sorted({*grows, *said.want} - {*(his.keep or ()), *his.want, *useful(view, person)})
    for bean in sorted({*hand(view)} - {*grows, *said.want} - offered):
        for other in wanted:
            yield Proposal((person,), copies_of(hand(view), (bean,)), (), (other,))

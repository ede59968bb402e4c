"""Bargaining: what the simple traders share, answering offers and walking down a list of proposals."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator

from msgspec import Struct

from bohn.bots.api import Choices, Command, Copies, Copy, Knowledge, OfferView, TradeView, View
from bohn.bots.farming import Farmer, fields, grown, seat
from bohn.bots.reasons import Reason, why, why_refused
from bohn.rules.beans import Bean
from bohn.rules.commands import AcceptOffer, Claim, DeclineOffer, EditOffer, MakeOffer


class Proposal(Struct, frozen=True, gc=False):
    """An offer to come: to whom, which cards, for what."""

    to: tuple[int, ...]
    hand: Copies
    face_up: Copies
    want: tuple[Bean, ...]


class Bargainer(Farmer, ABC):
    """A farmer who answers offers and proposes, one offer after the other.

    Its only memory is how far down the list of proposals it is. The list is made anew whenever an
    exchange or an own harvest has changed the table, so forgetting it costs repeated offers and nothing else.
    """

    name = "bargainer"

    def __init__(self, seed: int = 0) -> None:
        """Begin without any proposal made."""
        super().__init__(seed)
        self._table: object = None
        self._list: Iterator[Proposal] = iter(())
        self._last: tuple[View, Command | None] | None = None

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
        """Return the next command."""
        command = super().decide(view, choices, knowledge)
        self._last = view, command
        return command

    def reason(self) -> Reason | None:
        """Return why it gave its last command, as far as that can be told without showing its hand."""
        if self._last is None:
            return None
        view, command = self._last
        if isinstance(command, DeclineOffer) and isinstance(view.phase, TradeView):
            offer = next(one for one in view.phase.offers if one.id == command.offer)
            return None if own_useful(view).intersection(offer.given) else why_refused(0.0, 0.0, 0.0)
        return why(view, command)

    # what a kind of trader decides

    @abstractmethod
    def accepts(self, view: View, offer: OfferView) -> bool:
        """Tell whether an offer is welcome; whether one can serve it is asked later."""

    @abstractmethod
    def proposals(self, view: View, phase: TradeView) -> Iterator[Proposal]:
        """Yield what to propose, best first."""

    # the course of a trading phase

    def trade(self, view: View, phase: TradeView, choices: Choices) -> Command | None:
        """Answer the first unanswered offer, else propose the next one on the list."""
        me = seat(view)
        for offer in phase.offers:
            if me in offer.to and me not in offer.claimers:
                answer = self._answer(view, offer, choices)
                if answer is not None:
                    return answer
        return self._propose(view, phase) if choices.tries > 0 else None

    def _answer(self, view: View, offer: OfferView, choices: Choices) -> Command | None:
        me, own = seat(view), view.own
        if own is None or offer.id in own.refused:
            return None
        if self.accepts(view, offer):
            for command in choices.legal:
                if isinstance(command, AcceptOffer | Claim) and command.offer == offer.id:
                    return command
        return DeclineOffer(me, offer.id, offer.revision)

    def _propose(self, view: View, phase: TradeView) -> Command | None:
        table = (view.turn, phase.face_up, fields(view), tuple([player.set_aside for player in view.players]))
        if table != self._table:
            self._table = table
            self._list = self.proposals(view, phase)
        proposal = next(self._list, None)
        return None if proposal is None else offer_command(view, phase, proposal)


def offer_command(view: View, phase: TradeView, proposal: Proposal) -> Command:
    """Return the command for a proposal: an own offer that stands is edited rather than left behind."""
    me, own = seat(view), view.own
    assert own is not None  # noqa: S101 - the floor asks seats only
    revision = own.hand_revision if proposal.hand else 0
    for offer in phase.offers:
        if offer.maker == me:
            return EditOffer(
                me, offer.id, offer.revision, proposal.to, proposal.hand, proposal.face_up, proposal.want,
                open=False, hand_revision=revision,
            )  # fmt: skip
    return MakeOffer(
        me, proposal.to, proposal.hand, proposal.face_up, proposal.want, open=False, hand_revision=revision
    )


def copies_of(cards: tuple[Bean, ...], beans: Iterable[Bean]) -> Copies:
    """Return the front-most copies of these beans, in the order of their places."""
    left = list(beans)
    copies = []
    for place, bean in enumerate(cards):
        if bean in left:
            left.remove(bean)
            copies.append(Copy(place, bean))
    return tuple(copies)


def useful(view: View, player: int) -> set[Bean]:
    """Return the kinds a player grows, as everybody sees."""
    return grown(view.players[player].fields)


def own_useful(view: View) -> set[Bean]:
    """Return the kinds one grows."""
    return grown(fields(view))


def kinds_grown(view: View) -> tuple[Bean, ...]:
    """Return the kinds one grows, in the order of the fields."""
    return tuple(dict.fromkeys([field[-1] for field in fields(view) if field]))


def gains(view: View, offer: OfferView) -> bool:
    """Tell whether an offer brings something, only kinds one grows, and costs none of these."""
    grows = own_useful(view)
    return bool(offer.given) and grows.issuperset(offer.given) and grows.isdisjoint(offer.want)


def clockwise(view: View) -> tuple[int, ...]:
    """Return the other seats, from the left."""
    seats = len(view.players)
    return tuple((seat(view) + step) % seats for step in range(1, seats))

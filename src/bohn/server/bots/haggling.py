"""How computer players haggle with people: what was said, offered and refused is taken up.

An answer to a counter-offer is about the same beans, at a price nearer to it; after a refusal the same beans
come at another price; a kind that somebody wishes for is offered to him, if it is worth it. The player itself
says what is worth it: only the order of its offers is changed here. All follows from what its seat sees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from bohn.bots.bargaining import Proposal
from bohn.bots.reasons import Reason
from bohn.play.seat import Choices
from bohn.rules.beans import Bean
from bohn.rules.commands import Command, EditOffer, MakeOffer
from bohn.server.bots.messages import Terms
from bohn.views.knowledge import Knowledge
from bohn.views.view import OfferView, TradeView, View

MOST = 24
"""Offers that a player looks through for one that takes up what was said."""

CLOSER = Reason("says.closer")

Key = tuple[int, str, int, int]
"""What an aim is about, in a turn: it is taken up once."""


class Haggler(Protocol):
    """A player that can say which offers it would make, and then makes one of them."""

    def next_offers(
        self, view: View, choices: Choices, knowledge: Knowledge, most: int
    ) -> Sequence[Proposal]:
        """Return the offers it would make next, best first, and change nothing."""
        ...

    def propose(self, view: View, knowledge: Knowledge, proposal: Proposal) -> Command:
        """Make one of these."""
        ...


class Aim(Struct, frozen=True):
    """What an offer to the person on ``seat`` is to take up.

    ``near`` are terms as the player would have them: those of a counter-offer (``countered``) to its own
    ``offer``, if it has one, or of one that was refused. Without ``near`` it is to bring a kind that he
    ``wished`` for.
    """

    key: Key
    seat: int
    near: Terms | None = None
    countered: bool = False
    offer: OfferView | None = None
    wished: Bean | None = None

    def distance(self, proposal: Proposal) -> int | None:
        """Return how many beans an offer is away from what is taken up, ``None`` where it does not do so."""
        if proposal.to != (self.seat,):
            return None
        give, want = given(proposal), Counter(proposal.want)
        if self.near is None:
            return 0 if self.wished in give else None
        gave, wanted = Counter(self.near.give), Counter(self.near.want)
        if self.countered:
            same = _meet(give, gave) and _meet(want, wanted)
        else:
            same = bool(want) and want <= wanted and not (want == wanted and give <= gave)
        return _apart(give, gave) + _apart(want, wanted) if same else None

    def reason(self) -> Reason:
        """Return what is said with an offer that takes this up."""
        return CLOSER if self.wished is None else Reason("says.wished", {"bean": self.wished})


def given(proposal: Proposal) -> Counter[Bean]:
    """Count what a proposal gives."""
    return Counter(copy.bean for copy in proposal.hand + proposal.face_up)


def _meet(one: Counter[Bean], other: Counter[Bean]) -> bool:
    """Tell whether two sides are about the same beans; nothing is like nothing."""
    return bool(one & other) or one == other


def _apart(one: Counter[Bean], other: Counter[Bean]) -> int:
    return ((one - other) + (other - one)).total()


def has_to_answer(view: View) -> bool:
    """Tell whether an offer waits for the answer of the viewer: that comes before own offers."""
    me, own, phase = view.viewer, view.own, view.phase
    if own is None or not isinstance(phase, TradeView):
        return False
    asked = (offer for offer in phase.offers if me in offer.to and me not in offer.claimers)
    return any(offer.id not in own.refused for offer in asked)


def aims(view: View, people: Collection[int]) -> Iterator[Aim]:
    """Yield what there is to take up: counter-offers first, then refusals, then wishes."""
    phase, own, me = view.phase, view.own, view.viewer
    if me is None or own is None or not isinstance(phase, TradeView):
        return
    mine = {offer.id: offer for offer in phase.offers if offer.maker == me}
    for offer in reversed(phase.offers):
        if offer.maker in people and me in offer.to and offer.id in own.refused:
            near = Terms((offer.maker,), offer.want, offer.given)
            met = next((one for one in mine.values() if offers_back(offer, one)), None)
            yield Aim((view.turn, "counter", offer.id, offer.revision), offer.maker, near, True, met)
    for about in own.offers:
        refused = mine.get(about.id)
        if refused is not None and refused.to and set(refused.to) <= {*about.declined} & {*people}:
            seat = refused.to[0]
            near = Terms((seat,), refused.given, refused.want)
            yield Aim((view.turn, "refused", refused.id, refused.revision), seat, near)
    asked = set(people) - {me} if me == view.active_player else {view.active_player} & set(people)
    for seat in sorted(asked):
        for bean in view.talk.wishes[seat].want:
            yield Aim((view.turn, "wish", seat, bean), seat, wished=bean)


def offers_back(offer: OfferView, mine: OfferView) -> bool:
    """Tell whether an offer to the maker of another one is about the same beans."""
    reaches = offer.maker in mine.to and mine.maker in offer.to
    return reaches and is_about(_terms(offer), _terms(mine))


def _terms(offer: OfferView) -> Terms:
    return Terms(offer.to, offer.given, offer.want)


def is_about(one: Terms, other: Terms) -> bool:
    """Tell whether an offer gives what another one wants, or wants what that gives."""
    return not {*one.want}.isdisjoint(other.give) or not {*one.give}.isdisjoint(other.want)


def is_countered(view: View, mine: OfferView, seat: int) -> bool:
    """Tell whether a seat has offered something back for an own offer."""
    offers = view.phase.offers if isinstance(view.phase, TradeView) else ()
    return any(one.maker == seat and offers_back(one, mine) for one in offers)


def nearest(aim: Aim, proposals: Sequence[Proposal]) -> Proposal | None:
    """Return the proposal that is nearest to what is taken up, of equal ones the best for its player."""
    apart = [(aim.distance(proposal), place) for place, proposal in enumerate(proposals)]
    found = min(((distance, place) for distance, place in apart if distance is not None), default=None)
    return None if found is None else proposals[found[1]]


def as_offer(aim: Aim, command: Command) -> Command:
    """Return the offer as a change of the one for which something was offered back, else as another one.

    What was refused is not changed: nobody else is to see that it was.
    """
    if not isinstance(command, MakeOffer | EditOffer):
        return command
    about = aim.offer if aim.countered else None
    if about is not None and about.to == command.to and not about.claimers:
        return EditOffer(
            command.player, about.id, about.revision, command.to, command.hand, command.face_up,
            command.want, open=command.open, hand_revision=command.hand_revision,
        )  # fmt: skip
    return MakeOffer(
        command.player, command.to, command.hand, command.face_up, command.want, open=command.open,
        hand_revision=command.hand_revision,
    )  # fmt: skip


def hearing(view: View, knowledge: Knowledge, people: Collection[int]) -> Knowledge:
    """Return what is known with what people say they can spare, until they refuse to give it (TALK-1)."""
    if not knowledge.shown:
        return knowledge
    shown = list(knowledge.shown)
    for seat in people:
        counts = list(shown[seat])
        for bean in view.talk.wishes[seat].spare:
            if not knowledge.refusals[seat][bean]:
                counts[bean] = max(counts[bean], 1)
        shown[seat] = tuple(counts)
    return replace(knowledge, shown=tuple(shown))

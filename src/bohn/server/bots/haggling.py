"""How computer players haggle beside people: what was said, offered and refused is taken up.

A counter-offer that is refused is answered by the nearest price at which the player would have said yes;
after a refusal the same beans come once at a better price; a kind that somebody wishes for is offered to him,
and one that he can spare is asked for by whoever grows it.
The player itself says what is worth it to him. All follows from what its seat sees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from bohn.bots.bargaining import Proposal, clockwise, copies_of
from bohn.bots.farming import grown, hand, lying_before, seat
from bohn.bots.reasons import Reason
from bohn.play.seat import Choices
from bohn.rules.beans import Bean
from bohn.rules.commands import Command, EditOffer, MakeOffer
from bohn.server.bots.messages import Terms, terms_shown
from bohn.server.bots.said import of_use
from bohn.views.knowledge import Knowledge
from bohn.views.view import OfferView, TradeView, View

MOST = 24
"""Offers that a player looks through for one that takes up what was said."""

CLOSER = Reason("says.closer")
PROMISED = Reason("says.promised")
AS_PROMISED = Reason("says.as-promised")

Key = tuple[int, str, int, int]
"""What an aim is about, in a turn: it is taken up once."""


class Haggler(Protocol):
    """A player that can say which offers it would make or accept, and then makes one of them."""

    def next_offers(
        self, view: View, choices: Choices, knowledge: Knowledge, most: int
    ) -> Sequence[Proposal]:
        """Return the offers it would make next, best first, and change nothing."""
        ...

    def gains(
        self, view: View, choices: Choices, knowledge: Knowledge, offers: Sequence[OfferView]
    ) -> Sequence[float]:
        """Return by how much each offer to it is better than the least it accepts, in coins."""
        ...

    def propose(self, view: View, knowledge: Knowledge, proposal: Proposal) -> Command:
        """Make one of these."""
        ...


class Aim(Struct, frozen=True):
    """What an offer to the player on ``seat`` is to take up.

    ``near`` are terms as the player would have them: those of a counter-offer (``countered``) to its own
    ``offer``, if it has one, of one that was refused (that ``offer``, where no person has refused it), or
    what he ``promised``, which is taken at its word, or was promised to him (``kept``). Without ``near`` it
    is to bring a kind that he ``wished`` for, or to ask for one that he has said he can spare (``spared``).
    """

    key: Key
    seat: int
    near: Terms | None = None
    countered: bool = False
    offer: OfferView | None = None
    wished: Bean | None = None
    spared: Bean | None = None
    promised: bool = False
    kept: bool = False

    @property
    def is_exact(self) -> bool:
        """Tell whether it is about these terms and no others: those of a promise."""
        return self.promised or self.kept

    def distance(self, proposal: Proposal) -> int | None:
        """Return how many beans an offer is away from what is taken up, ``None`` where it does not do so."""
        if proposal.to != (self.seat,):
            return None
        give, want = given(proposal), Counter(proposal.want)
        if self.spared is not None:
            return 0 if self.spared in want and give else None
        if self.near is None:
            return 0 if self.wished in give else None
        gave, wanted = Counter(self.near.give), Counter(self.near.want)
        if self.is_exact:
            same = (give, want) == (gave, wanted)
        elif self.countered:
            same = _meet(give, gave) and _meet(want, wanted)
        else:
            same = bool(want) and want <= wanted and not (want == wanted and give <= gave)
        return _apart(give, gave) + _apart(want, wanted) if same else None

    def reason(self) -> Reason:
        """Return what is said with an offer that takes this up."""
        if self.spared is not None:
            return Reason("says.spared", {"bean": self.spared})
        if self.is_exact:
            return PROMISED if self.promised else AS_PROMISED
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


def aims(view: View, others: Collection[int], bots: Collection[int] = ()) -> Iterator[Aim]:
    """Yield what there is to take up: counter-offers, then refusals, then what others want and can spare.

    ``bots`` are those of the others who are computer players: what they alone have refused may be changed.
    """
    phase, own, me = view.phase, view.own, view.viewer
    if me is None or own is None or not isinstance(phase, TradeView):
        return
    mine = {offer.id: offer for offer in phase.offers if offer.maker == me}
    for offer in reversed(phase.offers):
        if offer.maker in others and me in offer.to and offer.id in own.refused:
            near = Terms((offer.maker,), offer.want, offer.given)
            met = next((one for one in mine.values() if offers_back(offer, one)), None)
            yield Aim((view.turn, "counter", offer.id, offer.revision), offer.maker, near, True, met)
    for about in own.offers:
        refused = mine.get(about.id)
        if refused is not None and refused.to and set(refused.to) <= {*about.declined} & {*others}:
            to = refused.to[:1]
            near = Terms(to, refused.given, refused.want)
            changes = refused if {*refused.to} <= {*bots} else None
            yield Aim((view.turn, "refused", refused.id, refused.revision), to[0], near, offer=changes)
    for other in askable(view, others):
        for bean in view.talk.wishes[other].want:
            yield Aim((view.turn, "wish", other, bean), other, wished=bean)
        for bean in grown(view.players[me].fields).intersection(view.talk.wishes[other].spare):
            yield Aim((view.turn, "spare", other, bean), other, spared=bean)


def partners_of(view: View) -> Sequence[int]:
    """Return those with whom the viewer may trade, clockwise from him."""
    return clockwise(view) if view.viewer == view.active_player else (view.active_player,)


def askable(view: View, others: Collection[int]) -> list[int]:
    """Return those of some others with whom he may, clockwise from him."""
    return [other for other in partners_of(view) if other in others]


def offers_back(offer: OfferView, mine: OfferView) -> bool:
    """Tell whether an offer to the maker of another one is about the same beans."""
    reaches = offer.maker in mine.to and mine.maker in offer.to
    return reaches and is_about(terms_shown(offer), terms_shown(mine))


def is_about(one: Terms, other: Terms) -> bool:
    """Tell whether an offer gives what another one wants, or wants what that gives."""
    return not {*one.want}.isdisjoint(other.give) or not {*one.give}.isdisjoint(other.want)


def is_countered(view: View, mine: OfferView, player: int) -> bool:
    """Tell whether a player has offered something back for an own offer."""
    offers = view.phase.offers if isinstance(view.phase, TradeView) else ()
    return any(one.maker == player and offers_back(one, mine) for one in offers)


def nearest(aim: Aim, proposals: Sequence[Proposal]) -> Proposal | None:
    """Return the proposal that is nearest to what is taken up, of equal ones the best for its player."""
    apart = [(aim.distance(proposal), place) for place, proposal in enumerate(proposals)]
    found = min(((distance, place) for distance, place in apart if distance is not None), default=None)
    return None if found is None else proposals[found[1]]


def prices(view: View, aim: Aim) -> tuple[Proposal, ...]:
    """Return other prices for the beans that an aim is about, each a bean or two away.

    What was promised has the price that was said. After a counter-offer the player gives less, gets more of
    what it grows, or gives another bean; after a refusal it gives one more, gives another one, or gets one
    less.
    """
    if aim.spared is not None and isinstance(view.phase, TradeView):
        grows = grown(view.players[seat(view)].fields)
        gives = [
            bean
            for bean in sorted(_own_beans(view))
            if bean not in grows and _is_welcome(view, aim.seat, bean)
        ]
        return tuple([proposal_of(view, aim.seat, (bean,), (aim.spared,)) for bean in gives])
    if aim.near is None or not isinstance(view.phase, TradeView):
        return ()
    give, want = Counter(aim.near.give), Counter(aim.near.want)
    own = _own_beans(view)
    sweet = _ones(bean for bean in own if _is_welcome(view, aim.seat, bean))
    if aim.is_exact:
        exact = _sorted(give), _sorted(want)
        return (proposal_of(view, aim.seat, *exact),) if give <= own and not _overlap(*exact) else ()
    grows = grown(view.players[seat(view)].fields)
    swaps = [(less + one, want) for less in _without_one(give) for one in sweet]
    if aim.countered:
        sides = [(less, want) for less in _without_one(give)]
        sides += [(give, want + one) for one in _ones(grows)]
        sides += [(less, more) for less, _ in tuple(sides) for more in (want + one for one in _ones(grows))]
        sides += [(fewer, want) for less in _without_one(give) for fewer in _without_one(less)]
    else:
        sides = [(give + one, want) for one in sweet] + [(give, less) for less in _without_one(want)]
    found = {(_sorted(gives), _sorted(wants)) for gives, wants in sides + swaps if gives <= own}
    return tuple([proposal_of(view, aim.seat, *terms) for terms in sorted(found) if not _overlap(*terms)])


def _is_welcome(view: View, player: int, bean: Bean) -> bool:
    """Tell whether a player has a use for a bean, or a field: else it makes a price no better."""
    return not all(view.players[player].fields) or bean in of_use(view, player)


def _own_beans(view: View) -> Counter[Bean]:
    """Count what a seat may give: its hand, and in its own turn what lies face up."""
    lying = lying_before(view, seat(view))
    return Counter(hand(view) + lying)


def _ones(beans: Iterable[Bean]) -> list[Counter[Bean]]:
    return [Counter((bean,)) for bean in beans]


def _without_one(beans: Counter[Bean]) -> list[Counter[Bean]]:
    return [beans - one for one in _ones(beans)]


def _sorted(beans: Counter[Bean]) -> tuple[Bean, ...]:
    return tuple(sorted(beans.elements()))


def _overlap(give: tuple[Bean, ...], want: tuple[Bean, ...]) -> bool:
    """Tell whether both sides name a kind, or neither names any."""
    return bool({*give} & {*want}) or not (give or want)


def proposal_of(view: View, to: int, give: tuple[Bean, ...], want: tuple[Bean, ...]) -> Proposal:
    """Return a proposal of these beans: what lies face up goes first, then the front-most cards."""
    lying = lying_before(view, seat(view))
    face_up = copies_of(lying, give)
    left = Counter(give) - Counter(copy.bean for copy in face_up)
    return Proposal((to,), copies_of(hand(view), left.elements()), face_up, want)


def welcome(
    haggler: Haggler, view: View, choices: Choices, knowledge: Knowledge, proposals: Sequence[Proposal]
) -> list[Proposal]:
    """Return those proposals that their player would accept if they were made to it, the best first."""
    offers = [offered_by(view, one.to[0], one.want, given(one).elements()) for one in proposals]
    gains = haggler.gains(view, choices, knowledge, offers)
    order = sorted(range(len(proposals)), key=lambda place: -gains[place])
    return [proposals[place] for place in order if gains[place] > 0]


def offered_by(view: View, maker: int, comes: Iterable[Bean], goes: Iterable[Bean]) -> OfferView:
    """Return an exchange as somebody would offer it to the viewer: what comes to him, and what he gives."""
    wanted = tuple(comes)
    face_up = copies_of(lying_before(view, maker), wanted)
    held = Counter(wanted) - Counter(copy.bean for copy in face_up)
    return OfferView(0, 0, maker, (seat(view),), _sorted(held), face_up, tuple(sorted(goes)), open=False)


def as_offer(aim: Aim, command: Command) -> Command:
    """Return the offer as a change of the one that it takes the place of, else as another one.

    What a person has refused is not changed: nobody else is to see that it was.
    """
    if not isinstance(command, MakeOffer | EditOffer):
        return command
    about = aim.offer
    if about is not None and about.to == command.to and not about.claimers:
        return EditOffer(
            command.player, about.id, about.revision, command.to, command.hand, command.face_up,
            command.want, open=command.open, hand_revision=command.hand_revision,
        )  # fmt: skip
    return MakeOffer(
        command.player, command.to, command.hand, command.face_up, command.want, open=command.open,
        hand_revision=command.hand_revision,
    )  # fmt: skip

"""To whom a bot's offers go: people get a few of them a turn, which stay; the rest goes to bots only.

A bot that knows one offer at a time would replace one that people are still thinking about. So what it
proposes becomes another offer beside that one. All of this follows from public facts: who is a person,
and which offers stand.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec.structs import replace

from bohn.rules.beans import Bean
from bohn.rules.commands import AnyCommand, EditOffer, MakeOffer
from bohn.rules.decide import is_legal
from bohn.rules.ruleset import Rules
from bohn.rules.state import Offer, State, TradePhase
from bohn.server.bots.haggling import is_about
from bohn.server.bots.messages import Terms, terms_of


def addressed(
    rules: Rules,
    state: State,
    command: AnyCommand | None,
    here: frozenset[int],
    made: Collection[Terms],
    most: int,
) -> AnyCommand | None:
    """Return what a bot does, with its offers as they suit the people ``here``; nothing may be left of one.

    Nobody is asked for what he has said he keeps (TALK-1). ``made`` are its offers of this turn, of which
    ``most`` may reach people, and what changes one for which they have offered something back.
    """
    if not isinstance(command, MakeOffer | EditOffer) or not here:
        return command
    heard = 0 if _is_countered(state, command, here) else sum(not here.isdisjoint(terms.to) for terms in made)
    to = tuple(
        seat
        for seat in command.to
        if not (seat in here and heard >= most) and keeps_none(state, seat, command.want)
    )
    if not to:
        return None
    offer = beside(state, replace(command, to=to), here)
    if offer == command:
        return command
    known = to != command.to and terms_of(offer) in made
    return None if known or is_legal(rules, state, offer) is not None else offer


def keeps_none(state: State, seat: int, want: tuple[Bean, ...]) -> bool:
    """Tell whether a seat has said of none of these beans that it keeps them (TALK-1)."""
    return {*state.talk.wishes[seat].kept}.isdisjoint(want)


def beside(state: State, command: MakeOffer | EditOffer, here: frozenset[int]) -> MakeOffer | EditOffer:
    """Return an edit that leaves what people think about standing: of another offer, or a new one."""
    own = {offer.id: offer for offer in _own(state, command.player)}
    if not isinstance(command, EditOffer) or here.isdisjoint(own[command.offer].to):
        return command
    if _is_countered(state, command, here):
        return command
    free = next((offer for offer in own.values() if here.isdisjoint(offer.to)), None)
    if free is not None:
        return replace(command, offer=free.id, revision=free.revision)
    return MakeOffer(
        command.player,
        command.to,
        command.hand,
        command.face_up,
        command.want,
        open=command.open,
        hand_revision=command.hand_revision,
    )


def _is_countered(state: State, command: MakeOffer | EditOffer, here: frozenset[int]) -> bool:
    """Tell whether an offer is changed for those who have offered something back: that is public."""
    if not isinstance(command, EditOffer) or not isinstance(state.phase, TradePhase):
        return False
    offer = next((one for one in state.phase.offers if one.id == command.offer), None)
    if offer is None or offer.to != command.to:
        return False
    back = {
        one.maker
        for one in state.phase.offers
        if offer.maker in one.to and is_about(terms_of(one), terms_of(offer))
    }
    return here.intersection(offer.to) <= back


def _own(state: State, seat: int) -> Iterator[Offer]:
    """Yield the standing offers of a seat."""
    if isinstance(state.phase, TradePhase):
        yield from (offer for offer in state.phase.offers if offer.maker == seat)

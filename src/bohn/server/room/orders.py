"""Standing orders: what is exchanged for people who are not there, looked at at the beats of a table. Pure.

The ruling ``standing-orders`` (docs/rules/rulings.md) says what meets what. What is done for an order are
commands of the game, judged by the rules as any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from bohn.protocol.away import Terms
from bohn.rules.beans import Bean
from bohn.rules.commands import AcceptOffer, AnyCommand, MakeOffer
from bohn.rules.decide import decide
from bohn.rules.errors import IllegalCommand
from bohn.rules.evolve import fold
from bohn.rules.ruleset import Rules
from bohn.rules.state import Offer, State, TradePhase, in_order
from bohn.rules.trading import copies_for


class Order(Struct, frozen=True, gc=False):
    """An order of a seat that may be carried out ``left`` times more."""

    id: str
    seat: int
    terms: Terms
    left: int


class Deed(Struct, frozen=True, gc=False):
    """One command that is done for an order."""

    order: str
    command: AnyCommand


class _Met(Struct, frozen=True, gc=False):
    """Something that meets an order: what its owner would give and get, and what is to be done for it."""

    given: int
    got: int
    deeds: tuple[Deed, ...]


def sound(terms: Terms, kinds: Sequence[Bean]) -> bool:
    """Tell whether an order could ever be met in a game of these kinds."""
    named = [bean for bean in (terms.give, terms.take) if bean is not None]
    return bool(named) and len(set(named)) == len(named) and all(bean in kinds for bean in named)


def next_exchange(rules: Rules, state: State, orders: Sequence[Order]) -> tuple[Deed, ...]:
    """Return the commands of the exchange that comes next at a beat; none where nothing meets any more.

    ``orders`` stand as their owners have listed them (standing-orders).
    """
    phase = state.phase
    if not isinstance(phase, TradePhase):
        return ()
    awake = [order for order in orders if order.left > 0 and order.seat not in phase.passes]
    for seat in in_order(state):
        for order in awake:
            if order.seat != seat:
                continue
            met = list(_meeting(rules, state, order, awake))
            if met:  # the first of the best: offers stand before orders
                return max(met, key=lambda one: (one.got - one.given, -one.given)).deeds
    return ()


def _meeting(rules: Rules, state: State, order: Order, orders: Sequence[Order]) -> Iterator[_Met]:
    """Yield all that meets an order now: offers by their age, then orders of others in the order of play."""
    phase = state.phase
    assert isinstance(phase, TradePhase)  # noqa: S101 - asked by the only caller
    for offer in phase.offers:
        if _fits(order, offer):
            yield from _legal(rules, state, len(offer.want), _offered(offer), (_answer(state, order, offer),))
    for seat in in_order(state):
        for other in orders:
            if other.seat == seat and seat != order.seat and state.active_player in (seat, order.seat):
                yield from _pair(rules, state, order, other)


# -- orders and offers -----------------------------------------------------------------------------------


def _offered(offer: Offer) -> int:
    return len(offer.hand) + len(offer.face_up)


def _fits(order: Order, offer: Offer) -> bool:
    """Whether a direct offer to an order's owner wants no more, gives no less, and nothing else."""
    if offer.open or order.seat not in offer.to or order.seat in offer.declined:
        return False
    terms = order.terms
    given = {copy.bean for copy in (*offer.hand, *offer.face_up)}
    wants = set(offer.want) <= {terms.give} and len(offer.want) <= terms.most
    gives = not given if terms.take is None else given == {terms.take} and _offered(offer) >= terms.least
    return wants and gives


def _answer(state: State, order: Order, offer: Offer) -> Deed | None:
    """Return the acceptance, if its owner has the cards."""
    copies = copies_for(state, order.seat, offer.want)
    if copies is None:
        return None
    hand, face_up = copies
    revision = state.players[order.seat].hand_revision if hand else 0
    return Deed(order.id, AcceptOffer(order.seat, offer.id, offer.revision, hand, face_up, revision))


# -- two orders ------------------------------------------------------------------------------------------


def _pair(rules: Rules, state: State, order: Order, other: Order) -> Iterator[_Met]:
    """Yield the exchange of two orders that meet: each gives the least that the other wants."""
    mine, theirs = order.terms, other.terms
    if mine.give != theirs.take or mine.take != theirs.give:
        return
    given = 0 if mine.give is None else theirs.least
    got = 0 if mine.take is None else mine.least
    if given > mine.most or got > theirs.most:
        return
    makers = (order, other) if order.seat == state.active_player else (other, order)
    for maker, taker in (makers, makers[::-1]):  # one may have as many offers standing as there may be
        numbers = (given, got) if maker is order else (got, given)
        found = list(_legal(rules, state, given, got, _exchange(state, maker, taker, *numbers)))
        if found:
            yield found[0]
            return


def _exchange(state: State, maker: Order, taker: Order, given: int, got: int) -> tuple[Deed | None, ...]:
    """Return the offer of one and the acceptance of the other, as far as they have the cards."""
    phase = state.phase
    assert isinstance(phase, TradePhase)  # noqa: S101 - asked by the only caller
    gives, wants = _kinds(maker.terms.give, given), _kinds(maker.terms.take, got)
    own, answer = copies_for(state, maker.seat, gives), copies_for(state, taker.seat, wants)
    if own is None or answer is None:
        return (None,)
    hand, face_up = own
    revision = state.players[maker.seat].hand_revision if hand else 0
    offer = MakeOffer(maker.seat, (taker.seat,), hand, face_up, wants, hand_revision=revision)
    hand, face_up = answer
    revision = state.players[taker.seat].hand_revision if hand else 0
    accept = AcceptOffer(taker.seat, phase.next_offer, 1, hand, face_up, revision)
    return Deed(maker.id, offer), Deed(taker.id, accept)


def _kinds(bean: Bean | None, number: int) -> tuple[Bean, ...]:
    return () if bean is None else (bean,) * number


def _legal(
    rules: Rules, state: State, given: int, got: int, deeds: tuple[Deed | None, ...]
) -> Iterator[_Met]:
    """Yield what these deeds come to, if the rules allow them one after the other."""
    done: list[Deed] = []
    for deed in deeds:
        if deed is None:
            return
        try:
            state = fold(decide(rules, state, deed.command), state)
        except IllegalCommand:
            return
        done.append(deed)
    yield _Met(given, got, tuple(done))

"""Standing orders: what meets what at a beat, for how much, whose turn it is, and how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bohn.notation.positions import parse_position
from bohn.protocol.away import Terms
from bohn.rules import State
from bohn.rules.beans import Bean
from bohn.rules.commands import (
    AcceptOffer,
    AnyCommand,
    DeclineOffer,
    EndTrading,
    MakeOffer,
    WithdrawOffer,
)
from bohn.rules.decide import decide
from bohn.rules.errors import IllegalCommand
from bohn.rules.events import Traded
from bohn.rules.evolve import fold
from bohn.rules.state import Copy, TradePhase
from bohn.server.room.orders import Deed, Order, next_exchange, sound

WAX, RED, SOY, BLUE = Bean.WAX, Bean.RED, Bean.SOY, Bean.BLUE

RULES, TRADING = parse_position("""
edition = "full"
players = 4
[position]
phase = "trade"
active = 0
face_up = "red soy"
[[position.player]]
hand = "blue red red red"
[[position.player]]
hand = "wax wax wax wax soy"
[[position.player]]
hand = "wax wax green"
[[position.player]]
hand = "blue soy"
""")


def order(name: str, seat: int, terms: Terms, left: int | None = None) -> Order:
    """Return an order that may be carried out as often as it says."""
    return Order(name, seat, terms, terms.times if left is None else left)


def done(deeds: Sequence[Deed], state: State = TRADING) -> State:
    """Return the position behind these deeds."""
    for deed in deeds:
        state = fold(decide(RULES, state, deed.command), state)
    return state


def offered(*commands: AnyCommand) -> State:
    """Return the position behind these commands."""
    state = TRADING
    for command in commands:
        state = fold(decide(RULES, state, command), state)
    return state


def phase(state: State) -> TradePhase:
    """Return the trading."""
    assert isinstance(state.phase, TradePhase)
    return state.phase


def traded(state: State, before: State = TRADING) -> list[Counter[Bean]]:
    """Return how many more cards of each kind each player has set aside than before."""
    pairs = zip(state.players, before.players, strict=True)
    return [Counter(one.set_aside) - Counter(old.set_aside) for one, old in pairs]


def beat(orders: Sequence[Order], state: State = TRADING) -> tuple[State, list[tuple[str, ...]]]:
    """Carry out orders until nothing meets; return the position and whose orders met, of each exchange."""
    left = {one.id: one.left for one in orders}
    met: list[tuple[str, ...]] = []
    while deeds := next_exchange(RULES, state, [replace(one, left=left[one.id]) for one in orders]):
        state = done(deeds, state)
        met.append(tuple(deed.order for deed in deeds))
        for deed in deeds:
            left[deed.order] -= 1
    return state, met


ACTIVE = order("a", 0, Terms(give=RED, most=2, take=WAX, least=1))
OTHER = order("b", 1, Terms(give=WAX, most=3, take=RED, least=1))


# -- which orders make sense -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        (Terms(give=WAX, take=RED), True),
        (Terms(give=WAX), True),
        (Terms(take=RED), True),
        (Terms(), False),
        (Terms(give=WAX, take=WAX), False),
        (Terms(give=Bean.COFFEE), False),
        (Terms(give=WAX, take=Bean.COFFEE), False),
    ],
)
def test_order_names_one_or_two_kinds_of_the_game(terms: Terms, *, expected: bool) -> None:
    """Different ones that are played with; else it could never be met."""
    assert sound(terms, [kind for kind in RULES.kinds if kind is not Bean.COFFEE]) is expected


# -- two orders ------------------------------------------------------------------------------------------


def test_two_orders_that_meet_are_an_offer_and_its_acceptance() -> None:
    """The active player's is the offer; beans that lie open go before those of the hand."""
    deeds = next_exchange(RULES, TRADING, (ACTIVE, OTHER))

    assert [type(deed.command) for deed in deeds] == [MakeOffer, AcceptOffer]
    assert [deed.order for deed in deeds] == ["a", "b"]
    assert traded(done(deeds))[:2] == [Counter({WAX: 1}), Counter({RED: 1})]
    assert phase(done(deeds)).face_up == (SOY,)


@pytest.mark.parametrize(("least", "given"), [(1, 1), (2, 2), (3, 3)])
def test_each_gives_the_least_that_the_other_wants(least: int, given: int) -> None:
    """However much more it would give."""
    wants = order("a", 0, Terms(give=RED, most=4, take=WAX, least=least))
    gives = order("b", 1, Terms(give=WAX, most=3, take=RED, least=2))

    found = traded(done(next_exchange(RULES, TRADING, (wants, gives))))
    assert found[:2] == [Counter({WAX: given}), Counter({RED: 2})]


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (Terms(give=RED, most=1, take=WAX), Terms(give=WAX, take=RED, least=2)),
        (Terms(give=RED, take=WAX, least=2), Terms(give=WAX, most=1, take=RED)),
        (Terms(give=RED, take=WAX), Terms(give=WAX, take=SOY)),
        (Terms(give=RED, take=WAX), Terms(give=WAX)),
        (Terms(take=WAX), Terms(give=WAX, take=RED)),
        (Terms(give=RED), Terms(give=WAX)),
        (Terms(give=BLUE, most=2, take=WAX), Terms(give=WAX, take=BLUE, least=2)),
        (Terms(give=RED, take=WAX, least=5), Terms(give=WAX, most=9, take=RED)),
    ],
    ids=[
        "it wants more", "it gives less", "another kind", "one gives for nothing", "one takes for nothing",
        "both give", "the active player lacks cards", "the other lacks cards",
    ],
)  # fmt: skip
def test_orders_that_differ_do_not_meet(mine: Terms, theirs: Terms) -> None:
    """Kinds must be the same, numbers within what each says, and the cards must be there."""
    assert next_exchange(RULES, TRADING, (order("a", 0, mine), order("b", 1, theirs))) == ()


@pytest.mark.parametrize(("giver", "taker"), [(0, 1), (1, 0)])
def test_gift_meets_who_takes_for_nothing(giver: int, taker: int) -> None:
    """As many cards as the taker wants; the giver gets none."""
    gives = order("a", giver, Terms(give=SOY, most=1))
    takes = order("b", taker, Terms(take=SOY))

    found = traded(done(next_exchange(RULES, TRADING, (takes, gives))))
    assert found[taker] == Counter({SOY: 1})
    assert found[giver] == Counter()


def test_two_who_are_not_active_do_not_meet() -> None:
    """One side of every exchange is the active player (TRADE-1)."""
    orders = (order("a", 1, Terms(give=SOY, take=BLUE)), order("b", 3, Terms(give=BLUE, take=SOY)))

    assert next_exchange(RULES, TRADING, orders) == ()


def test_orders_of_one_player_do_not_meet() -> None:
    """He would trade with himself."""
    orders = (ACTIVE, replace(OTHER, seat=0))

    assert next_exchange(RULES, TRADING, orders) == ()


def test_orders_meet_where_the_active_player_has_no_more_offers_to_make() -> None:
    """Then the offer is the other's."""
    state = offered(*[MakeOffer(0, (3,), want=(BLUE,))] * RULES.offers_a_maker)
    deeds = next_exchange(RULES, state, (ACTIVE, OTHER))

    assert [deed.order for deed in deeds] == ["b", "a"]
    assert traded(done(deeds, state))[:2] == [Counter({WAX: 1}), Counter({RED: 1})]


# -- how often -------------------------------------------------------------------------------------------


def test_order_is_carried_out_as_often_as_it_says() -> None:
    """And no more, though it would be met again."""
    twice = order("a", 0, Terms(give=RED, take=WAX, times=2))
    often = order("b", 1, Terms(give=WAX, take=RED, times=9))
    state, met = beat((twice, often))

    assert met == [("a", "b")] * 2
    assert traded(state)[1] == Counter({RED: 2})


def test_order_that_is_used_up_meets_nothing() -> None:
    """Nor does one that meets it."""
    assert next_exchange(RULES, TRADING, (replace(ACTIVE, left=0), OTHER)) == ()
    assert next_exchange(RULES, TRADING, (ACTIVE, replace(OTHER, left=0))) == ()


# -- offers ----------------------------------------------------------------------------------------------

RED_OPEN, SOY_OPEN = (Copy(0, RED),), (Copy(1, SOY),)


def asking(number: int, to: tuple[int, ...] = (1,), *, open_to_all: bool = False) -> MakeOffer:
    """Return an offer of the red bean that lies open for so many wax beans."""
    return MakeOffer(0, to, face_up=RED_OPEN, want=(WAX,) * number, open=open_to_all)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_offer_is_accepted_by_order_if_it_wants_no_more(number: int) -> None:
    """For what it wants, by the cards that go first."""
    (deed,) = next_exchange(RULES, offered(asking(number)), (OTHER,))

    hand = tuple(Copy(place, WAX) for place in range(number))
    assert deed == Deed("b", AcceptOffer(1, 1, 1, hand, (), 0))


def test_offer_to_several_is_accepted_by_the_order_of_one_of_them() -> None:
    """Those in the order of play first."""
    orders = (replace(OTHER, id="c", seat=2), OTHER)
    (deed,) = next_exchange(RULES, offered(asking(1, (2, 1))), orders)

    assert deed.order == "b"


@pytest.mark.parametrize(
    "offer",
    [
        asking(4),
        asking(1, (2,)),
        asking(1, (1, 2), open_to_all=True),
        MakeOffer(0, (1,), face_up=RED_OPEN, want=(WAX, SOY)),
        MakeOffer(0, (1,), face_up=RED_OPEN, want=(SOY,)),
        MakeOffer(0, (1,), face_up=SOY_OPEN, want=(WAX,)),
        MakeOffer(0, (1,), face_up=(*RED_OPEN, *SOY_OPEN), want=(WAX,)),
        MakeOffer(0, (1,), want=(WAX,)),
    ],
    ids=[
        "it wants more", "to somebody else", "open", "it wants another kind too", "it wants another kind",
        "it gives another kind", "it gives another kind too", "it gives nothing",
    ],
)  # fmt: skip
def test_offer_that_is_not_what_an_order_says_is_not_accepted(offer: MakeOffer) -> None:
    """An open one never is, because a claim would tell what one takes."""
    assert next_exchange(RULES, offered(offer), (OTHER,)) == ()


def test_offer_that_gives_less_than_an_order_wants_is_not_accepted() -> None:
    """One that gives more is."""
    wants = order("b", 1, Terms(give=WAX, take=RED, least=2))
    more = MakeOffer(0, (1,), tuple(Copy(place, RED) for place in (1, 2, 3)), want=(WAX,))

    assert next_exchange(RULES, offered(asking(1)), (wants,)) == ()
    assert len(next_exchange(RULES, offered(more), (wants,))) == 1


def test_gift_is_accepted_by_who_takes_for_nothing_or_would_give() -> None:
    """A present of what an order takes; whoever takes nothing for his gift accepts none."""
    gift = offered(MakeOffer(0, (1,), face_up=RED_OPEN))

    assert len(next_exchange(RULES, gift, (order("b", 1, Terms(take=RED)),))) == 1
    assert len(next_exchange(RULES, gift, (OTHER,))) == 1
    assert next_exchange(RULES, gift, (order("b", 1, Terms(give=WAX)),)) == ()


def test_ask_is_accepted_by_who_gives_for_nothing() -> None:
    """And by nobody who wants something."""
    ask = offered(MakeOffer(0, (1,), want=(WAX, WAX)))

    assert len(next_exchange(RULES, ask, (order("b", 1, Terms(give=WAX, most=2)),))) == 1
    assert next_exchange(RULES, ask, (order("b", 1, Terms(give=WAX, most=1)),)) == ()
    assert next_exchange(RULES, ask, (OTHER,)) == ()


def test_offer_that_was_declined_is_not_accepted() -> None:
    """Whoever has said no has said so of this offer."""
    state = offered(asking(1), DeclineOffer(1, 1, 1))

    assert next_exchange(RULES, state, (OTHER,)) == ()


def test_offer_is_not_accepted_without_the_cards() -> None:
    """The order of somebody who has none of them rests."""
    assert next_exchange(RULES, offered(asking(1, (3,))), (replace(OTHER, seat=3),)) == ()


# -- who, and what first ---------------------------------------------------------------------------------


def test_owner_gets_the_best_of_what_meets_his_order() -> None:
    """Most cards for fewest given, wherever it stands."""
    state = offered(asking(2), asking(1))
    (deed,) = next_exchange(RULES, state, (OTHER,))

    assert isinstance(deed.command, AcceptOffer)
    assert deed.command.offer == 2


def test_of_the_same_the_older_offer_is_accepted() -> None:
    """And offers before orders."""
    (deed,) = next_exchange(RULES, offered(asking(1), asking(1)), (ACTIVE, OTHER)[1:])
    assert isinstance(deed.command, AcceptOffer)
    assert deed.command.offer == 1

    state = offered(MakeOffer(1, (0,), (Copy(0, WAX),), want=(RED,)))
    assert [one.order for one in next_exchange(RULES, state, (ACTIVE, replace(OTHER, seat=2)))] == ["a"]


def test_active_player_is_served_first() -> None:
    """Then the others in the order of play: two orders compete for his only soy bean."""
    takes = [order(name, seat, Terms(give=WAX, take=SOY)) for name, seat in (("c", 2), ("b", 1))]
    gives = order("a", 0, Terms(give=SOY, take=WAX, times=9))
    _, met = beat((*takes, gives))

    assert met == [("a", "b")]


def test_orders_are_gone_through_as_their_owner_has_listed_them() -> None:
    """The first that is met is carried out, though a later one would bring more."""
    first = order("a", 0, Terms(give=RED, most=1, take=WAX))
    later = order("z", 0, Terms(take=WAX, least=2))
    gives = order("c", 2, Terms(give=WAX, most=2))

    assert [one.order for one in next_exchange(RULES, TRADING, (first, later, OTHER, gives))] == ["a", "b"]
    assert [one.order for one in next_exchange(RULES, TRADING, (later, first, OTHER, gives))] == ["z", "c"]


# -- rest ------------------------------------------------------------------------------------------------


def test_orders_rest_where_their_owner_has_passed() -> None:
    """Where passes stand."""
    passed = replace(TRADING, phase=replace(phase(TRADING), passes=(1,)))

    assert next_exchange(RULES, passed, (ACTIVE, OTHER)) == ()


def test_orders_rest_outside_the_trading() -> None:
    """They wait for the next one."""
    assert next_exchange(RULES, offered(EndTrading(0)), (ACTIVE, OTHER)) == ()


# -- everything together ---------------------------------------------------------------------------------

KINDS = (None, WAX, RED, SOY, BLUE)
TERMS = st.builds(
    Terms,
    st.sampled_from(KINDS),
    st.integers(1, 3),
    st.sampled_from(KINDS),
    st.integers(1, 2),
    st.integers(1, 2),
).filter(lambda terms: sound(terms, RULES.kinds))
LIVE = st.sampled_from(
    (
        asking(1, (1, 2)),
        asking(2, (1,)),
        MakeOffer(1, (0,), (Copy(0, WAX),), want=(RED,)),
        *(AcceptOffer(seat, number, 1, (Copy(0, WAX),)) for seat in (1, 2) for number in (1, 2, 3)),
        *(AcceptOffer(0, number, 1, (), RED_OPEN) for number in (1, 2, 3)),
        *(DeclineOffer(seat, number, 1) for seat in (1, 2) for number in (1, 2)),
        *(WithdrawOffer(0, number) for number in (1, 2)),
    )
)


def within(terms: Terms, given: Counter[Bean], got: Counter[Bean]) -> bool:
    """Whether an exchange is one that an order allows."""
    gives = given.total() <= (0 if terms.give is None else terms.most) and set(given) <= {terms.give}
    if terms.take is None:
        return gives and not got
    return gives and set(got) == {terms.take} and got.total() >= terms.least


@given(
    terms=st.lists(st.tuples(st.integers(0, 3), TERMS), max_size=6),
    happens=st.lists(st.one_of(st.none(), LIVE), max_size=12),
)
@settings(max_examples=300, deadline=None)
def test_orders_against_live_answers_are_done_once(
    terms: list[tuple[int, Terms]], happens: list[AnyCommand | None]
) -> None:
    """In every order of beats and answers: an offer is executed once, and an order only as it says."""
    orders = {str(place): order(str(place), *one) for place, one in enumerate(terms)}
    state, executed = TRADING, Counter[int]()
    for command in (*happens, None):
        if command is not None:
            try:
                events = decide(RULES, state, command)
            except IllegalCommand:
                continue
            executed.update(event.offer for event in events if isinstance(event, Traded))
            state = fold(events, state)
            continue
        while deeds := next_exchange(RULES, state, tuple(orders.values())):
            for deed in deeds:
                events = decide(RULES, state, deed.command)
                state = fold(events, state)
                found = [event for event in events if isinstance(event, Traded)]
                executed.update(event.offer for event in found)
                for event in found:
                    gave = Counter(copy.bean for copy in (*event.maker_hand, *event.maker_face_up))
                    got = Counter(copy.bean for copy in (*event.partner_hand, *event.partner_face_up))
                    for one in deeds:
                        mine = orders[one.order]
                        sides = (gave, got) if mine.seat == event.maker else (got, gave)
                        assert within(mine.terms, *sides)
                orders[deed.order] = replace(orders[deed.order], left=orders[deed.order].left - 1)
    assert all(number == 1 for number in executed.values())
    assert all(one.left >= 0 for one in orders.values())

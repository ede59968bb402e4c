"""What people would not understand of a computer player, and what it does instead.

Long, since all of it is about one look at an exchange, on the same few tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from bohn.bots import LEVELS, PLAYERS
from bohn.bots.farming import coins_ahead, lying_before
from bohn.bots.reasons import PRICE, TOO_DEAR, USELESS, Reason
from bohn.rules.beans import Bean
from bohn.rules.commands import (
    AcceptOffer,
    Command,
    DeclineOffer,
    MakeOffer,
    MakePromise,
    Plant,
    Reveal,
    SetWish,
)
from bohn.rules.deal import opening
from bohn.rules.decide import decide
from bohn.rules.evolve import fold
from bohn.rules.resolve import resolve
from bohn.rules.shuffle import seed_from
from bohn.rules.state import Copy, State
from bohn.server.bots.answer_reasons import why_after_all
from bohn.server.bots.common_sense import (
    HOPE,
    asks_much,
    begs_in_vain,
    burdens,
    enriches,
    finds_no_field,
    gives_too_much,
    harmful,
    is_senseless,
    lacks,
    offers_it_too,
    plain_gain,
    planted,
    ploughs_more,
    rows_kept,
    second_thought,
    worth_after_planting,
)
from bohn.server.bots.levels import has_sense
from bohn.server.bots.manners import OFTEN, repeats_itself
from bohn.server.bots.messages import Question, Terms
from bohn.server.bots.worker import BotCache
from bohn.views.view import OfferView, view
from tests.server.bots.company import ask_of

RULES = resolve("full", 4, "starter=seat:0")
PERSON = frozenset({1})
GARDEN, RED, BLACK_EYED, SOY, GREEN, STINK, CHILI, BLUE, WAX = (
    Bean.GARDEN, Bean.RED, Bean.BLACK_EYED, Bean.SOY, Bean.GREEN, Bean.STINK, Bean.CHILI, Bean.BLUE, Bean.WAX,
)  # fmt: skip
GENTLE, STRONG = LEVELS["gentle"], LEVELS["strong"]

Beds = Sequence[Sequence[Bean]]


def market(
    *fields: Beds,
    face_up: Sequence[Bean] = (),
    hands: Sequence[Sequence[Bean]] = (),
    coins: Sequence[int] = (),
) -> State:
    """Return the trading of seat 0 with these fields, hands and coins, seat by seat from 0; else none."""
    state = fold(opening(RULES, seed_from("common sense")))
    for command in (Plant(0, 0), Reveal(0)):
        state = fold(decide(RULES, state, command), state)
    players = []
    for seat, player in enumerate(state.players):
        beds = tuple(map(tuple, fields[seat])) if seat < len(fields) else ()
        players.append(
            replace(
                player,
                fields=beds + ((),) * (2 - len(beds)),
                hand=tuple(hands[seat]) if seat < len(hands) else player.hand,
                treasury=(RED,) * (coins[seat] if seat < len(coins) else 0),
            )
        )
    phase: Any = state.phase
    phase = replace(phase, face_up=tuple(face_up))
    return replace(state, players=tuple(players), phase=phase)


def after(state: State, *commands: Command) -> State:
    """Return a state after these commands."""
    for command in commands:
        state = fold(decide(RULES, state, command), state)
    return state


def asked(state: State, bot: str = GENTLE, seat: int = 0, **more: Any) -> Question:
    """Return the question to a computer player, with a person in seat 1."""
    return ask_of(RULES, state, seat, bot, people=PERSON, **more)


def given(state: State, give: int | None, *want: Bean) -> State:
    """Return the state in which the person offers seat 0 a card of his hand, or nothing, for these beans."""
    person = state.players[1]
    copies = () if give is None else (Copy(give, person.hand[give]),)
    return after(
        state, MakeOffer(1, (0,), copies, (), want, hand_revision=person.hand_revision if copies else 0)
    )


def offers_to(state: State, seat: int) -> list[OfferView]:
    """Return the offers to a seat."""
    phase = view(RULES, state, seat).phase
    return [one for one in getattr(phase, "offers", ()) if seat in one.to]


def refuses(state: State, bot: str = GENTLE) -> Command | None:
    """Return what a player that would refuse the only offer to it answers after all."""
    return second_thought(asked(state, bot), DeclineOffer(0, 1, 1))


def accepts(state: State, bot: str = GENTLE) -> Command | None:
    """Return what a player that would accept the only offer to it answers after all."""
    return second_thought(asked(state, bot), AcceptOffer(0, 1, 1))


# -- what everybody sees -------------------------------------------------------------------------


def test_face_up_beans_lie_before_the_active_player_alone() -> None:
    """Nobody else has to plant them, or can give them."""
    seen = view(RULES, market([[BLUE] * 3, [WAX] * 2], [[BLUE] * 3, [WAX] * 2], face_up=[SOY]), 0)

    assert [lying_before(seen, player) for player in range(4)] == [(SOY,), (), (), ()]
    assert worth_after_planting(seen, 1) > worth_after_planting(seen, 0)


def test_lead_is_over_everybody_else() -> None:
    """Who is level with the best of the others leads by nothing, and who has less is behind."""
    seen = view(RULES, market(coins=[5, 5, 2, 0]), 0)

    assert [coins_ahead(seen, player) for player in range(4)] == [0, 0, -3, -5]


# -- what fields are worth after planting --------------------------------------------------------


def test_planting_counts_what_joins_a_row() -> None:
    """A fourth blue bean on three makes a coin; three are three quarters of one.

    A field that may bring more counts a quarter besides, also an empty one; a row at its highest price not.
    """
    seen = view(RULES, market([[BLUE] * 3], face_up=[BLUE]), 0)

    assert worth_after_planting(seen, 0) == 1.0 + 2 * HOPE
    assert worth_after_planting(seen, 0, goes=Counter([BLUE])) == 0.75 + 2 * HOPE
    assert worth_after_planting(view(RULES, market([[BLUE] * 10]), 0), 0) == 4.0 + HOPE


def test_planting_sells_the_row_that_loses_least() -> None:
    """A single bean is protected; what takes the place of a row counts nothing before its first coin."""
    rows = market([[BLUE] * 3, [WAX]], face_up=[SOY])
    pairs = market([[BLUE] * 3, [WAX] * 2], face_up=[SOY])

    assert worth_after_planting(view(RULES, rows, 0), 0) == pytest.approx(0.25 + HOPE)
    assert worth_after_planting(view(RULES, pairs, 0), 0) == pytest.approx(0.75 + HOPE)


def test_planting_sells_no_row_while_a_field_is_empty() -> None:
    """Though a row that has just made its coin loses nothing by it."""
    assert planted(view(RULES, market([[SOY] * 2], face_up=[WAX]), 0), 0).ploughed == 0


def test_row_is_kept_unless_another_takes_its_place() -> None:
    """Of three blue and two wax beans the wax beans go for a soy bean, which then grows in their place."""
    rows: Beds = [[BLUE] * 3, [WAX] * 2]

    assert rows_kept(view(RULES, market(rows), 0), 0) == {BLUE, WAX}
    assert rows_kept(view(RULES, market(rows, face_up=[SOY]), 0), 0) == {BLUE}
    assert rows_kept(view(RULES, market(rows, face_up=[WAX]), 0), 0) == {BLUE, WAX}


def test_two_beans_that_cost_one_row_do_harm_together() -> None:
    """Without either of them the other would take the place; without both the row stays."""
    rows: Beds = [[BLUE] * 3, [STINK] * 2]

    assert set(harmful(view(RULES, market(rows, face_up=[SOY, GREEN]), 0))) == {SOY, GREEN}
    assert harmful(view(RULES, market(rows, face_up=[BLUE, STINK]), 0)) == []
    assert harmful(view(RULES, market(rows[:1], face_up=[SOY]), 0)) == []


def test_hand_card_given_counts_what_it_would_add() -> None:
    """A blue bean of the hand is missed where blue grows, and nowhere else."""
    seen = view(RULES, market([[BLUE]], hands=[[BLUE, WAX]]), 0)

    assert plain_gain(seen, (), (BLUE,)) == pytest.approx(-0.25)
    assert plain_gain(seen, (), (WAX,)) == 0.0


# -- answers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", [GENTLE, STRONG])
def test_gift_that_grows_is_taken(bot: str) -> None:
    """Whatever the player expects of its field; a kind that it does not grow is left to it."""
    grows = given(market([[BLUE]], [], hands=[[WAX], [BLUE, SOY]]), 0)
    other = given(market([[BLUE], [WAX]], [], hands=[[WAX], [SOY, BLUE]]), 0)

    assert refuses(grows, bot) == AcceptOffer(0, 1, 1)
    assert refuses(other, bot) == DeclineOffer(0, 1, 1)


def test_bean_that_does_harm_may_be_had() -> None:
    """Who asks for a face-up bean that would cost a row helps; one that grows there is not given away."""
    harm = given(market([[BLUE] * 3, [WAX] * 3], face_up=[SOY]), None, SOY)
    own = given(market([[BLUE] * 3, [WAX] * 3], face_up=[WAX]), None, WAX)

    assert isinstance(refuses(harm), AcceptOffer)
    assert refuses(own) == DeclineOffer(0, 1, 1)


def test_even_exchange_for_what_does_not_grow_is_taken_by_good_company() -> None:
    """A hard player takes it if it brings its maker no more, or for what it has said that it can spare."""
    hands = [[BLACK_EYED], [BLUE]]
    even = given(market([[BLUE]], [[CHILI], [RED]], hands=hands), 0, BLACK_EYED)
    other_gains = market([[BLUE]], [[GREEN], [BLACK_EYED]], hands=hands)
    said = after(other_gains, SetWish(0, BLACK_EYED, "spare"))
    uneven = given(market([[BLUE]], [[CHILI], [RED]], hands=[[CHILI], [BLUE]]), 0, CHILI)

    assert isinstance(refuses(even), AcceptOffer)
    assert isinstance(refuses(even, STRONG), AcceptOffer)
    assert isinstance(refuses(given(other_gains, 0, BLACK_EYED)), AcceptOffer)
    assert refuses(given(other_gains, 0, BLACK_EYED), STRONG) == DeclineOffer(0, 1, 1)
    assert refuses(uneven, STRONG) == DeclineOffer(0, 1, 1)  # a third of a coin for a quarter
    assert isinstance(refuses(given(said, 0, BLACK_EYED), STRONG), AcceptOffer)


def test_hard_player_trades_away_what_would_cost_a_row_at_any_price() -> None:
    """The maker gains a coin by the garden bean; without it the row of chili beans would have to go."""
    rows: Beds = [[BLUE] * 3, [CHILI] * 3]
    state = market(rows, [[GARDEN] * 2, [RED]], face_up=[GARDEN], hands=[[WAX], [BLUE]])

    assert harmful(view(RULES, state, 0)) == [GARDEN]
    assert isinstance(refuses(given(state, 0, GARDEN), STRONG), AcceptOffer)
    lies_in_hand = market(rows, [[GARDEN] * 2, [RED]], hands=[[BLUE, GARDEN], [BLUE]])
    assert refuses(given(lies_in_hand, 0, GARDEN), STRONG) == DeclineOffer(0, 1, 1)


def test_leader_gets_no_even_exchange() -> None:
    """Who is three coins ahead of all others has to pay more; a gift of his is taken."""
    hands, coins = [[WAX], [BLUE]], [0, 3, 0, 0]

    assert refuses(given(market([[BLUE]], hands=hands, coins=coins), 0, WAX)) == DeclineOffer(0, 1, 1)
    assert isinstance(refuses(given(market([[BLUE]], hands=hands, coins=coins), 0)), AcceptOffer)


@pytest.mark.parametrize("bot", [GENTLE, STRONG])
def test_no_row_is_ploughed_up_for_an_exchange(bot: str) -> None:
    """Two stink beans are not sold for nothing to plant a soy bean that somebody gives, or gives for wax."""
    rows: Beds = [[BLUE] * 3, [STINK] * 2]
    for want in ([WAX], []):
        state = given(market(rows, hands=[[WAX], [SOY]]), 0, *want)
        assert accepts(state, bot) == DeclineOffer(0, 1, 1)


def test_row_that_goes_in_any_case_is_no_reason_to_refuse() -> None:
    """Who gives away one bean without a field for another one ploughs up no more than before."""
    state = given(market([[BLUE] * 3, [STINK] * 2], hands=[[WAX], [SOY]], face_up=[GREEN]), 0, GREEN)

    assert accepts(state, STRONG) == AcceptOffer(0, 1, 1)
    seen = view(RULES, state, 0)
    assert finds_no_field(seen, [SOY], [GREEN])
    assert not ploughs_more(seen, [SOY], [GREEN])


def test_good_company_takes_nothing_that_costs_a_row_for_what_it_gives_away_for_nothing() -> None:
    """A soy bean for the green one would cost the row that stays if the green one is a gift."""
    rows = market([[BLUE] * 3, [STINK] * 2], hands=[[WAX], [SOY]], face_up=[GREEN])
    room = market([[BLUE] * 3, [SOY]], hands=[[BLUE], [SOY]], face_up=[GREEN])
    leads = market([[BLUE] * 3, [STINK] * 2], hands=[[WAX], [SOY]], face_up=[GREEN], coins=[0, 5])
    rich = market([[BLUE] * 3, [STINK] * 2], [[GREEN] * 6], hands=[[WAX], [SOY]], face_up=[GREEN])
    grows = market([[BLUE] * 3, [GREEN]], hands=[[WAX], [SOY]], face_up=[GREEN])
    many = market([[BLUE] * 3, [STINK] * 2], hands=[[BLUE], [SOY]], face_up=[GREEN, WAX, RED])

    assert enriches(view(RULES, rich, 0), 1, [GREEN])
    for state, answer in (
        (rows, DeclineOffer), (room, AcceptOffer), (leads, AcceptOffer), (rich, AcceptOffer),
        (grows, DeclineOffer), (many, AcceptOffer),
    ):  # fmt: skip
        assert isinstance(accepts(given(state, 0, GREEN)), answer), state.players[0].fields


def test_gift_holds_nothing_that_had_better_be_kept() -> None:
    """Rid of the blue bean alone, whose row has to go for nothing else, the chili joins its own."""
    seen = view(RULES, market([[CHILI], [STINK] * 2], face_up=[CHILI, BLUE]), 0)

    assert gives_too_much(seen, Terms((1,), (CHILI, BLUE), ()))
    assert not gives_too_much(seen, Terms((1,), (BLUE,), ()))
    assert not gives_too_much(seen, Terms((1,), (CHILI, BLUE), (WAX,)))
    assert is_senseless(
        asked(market([[CHILI], [STINK] * 2], face_up=[CHILI, BLUE])), Terms((2,), (CHILI, BLUE), ())
    )


@pytest.mark.parametrize("bot", [GENTLE, STRONG])
def test_what_was_promised_goes_to_nobody_else(bot: str) -> None:
    """Neither by an offer nor by an answer, while there is no second card of it."""
    promise = MakePromise(0, 2, (WAX,), (STINK,), "next-turn")
    one = after(market([[BLUE] * 3, []], hands=[[WAX], [BLUE]]), promise)
    two = after(market([[BLUE] * 3, []], hands=[[WAX, WAX], [BLUE]]), promise)
    terms = Terms((1,), (WAX,), (BLUE,))

    assert is_senseless(asked(one, bot), terms)
    assert not is_senseless(asked(two, bot), terms)
    assert isinstance(accepts(given(one, 0, WAX), bot), DeclineOffer)
    assert isinstance(accepts(given(two, 0, WAX), bot), AcceptOffer)


@pytest.mark.parametrize("bot", [GENTLE, STRONG])
def test_promise_binds_nothing_but_what_was_promised_to_others(bot: str) -> None:
    """The person to whom it was made may pay another price, and a card that has gone binds no other one."""
    price, other = Terms((1,), (WAX,), (BLUE,)), Terms((1,), (RED,), (BLUE,))
    fields = [[BLUE] * 3, []]
    to_person = after(market(fields, hands=[[WAX], [BLUE]]), MakePromise(0, 1, (WAX,), (STINK,), "next-turn"))
    promise = MakePromise(0, 2, (WAX,), (STINK,), "next-turn")
    lost = after(market(fields, hands=[[WAX, RED], [BLUE]]), promise)
    lost = replace(lost, players=(replace(lost.players[0], hand=(RED,)), *lost.players[1:]))

    assert not is_senseless(asked(to_person, bot), price)
    assert isinstance(accepts(given(to_person, 0, WAX), bot), AcceptOffer)
    assert not is_senseless(asked(lost, bot), other)


@pytest.mark.parametrize("bot", [GENTLE, STRONG])
def test_good_company_ruins_no_row_by_what_it_gives(bot: str) -> None:
    """Two red beans of the hand that would make coins on its field only hard ones give for little."""
    state = given(market([[RED], [STINK] * 2], hands=[[RED, RED, RED], [STINK]]), 0, RED, RED)

    assert (accepts(state, bot) == DeclineOffer(0, 1, 1)) is (bot == GENTLE)


@pytest.mark.parametrize("bot", [GENTLE, STRONG])
def test_no_row_is_ploughed_up_by_what_is_asked_for(bot: str) -> None:
    """Neither for the bean itself, nor for one on the table whose field it takes."""
    rid = market([[BLUE] * 3, [STINK] * 2], [[GREEN], [WAX]], face_up=[GREEN])
    room = market([[BLUE] * 3], [[RED], [GREEN]], hands=[[RED]], face_up=[CHILI])

    assert finds_no_field(view(RULES, rid, 0), [SOY], [GREEN])
    assert is_senseless(asked(rid, bot), terms([GREEN], [SOY]))
    assert not finds_no_field(view(RULES, room, 0), [WAX], [RED])
    assert is_senseless(asked(room, bot), terms([RED], [WAX]))


def test_own_offer_is_kept_to_though_a_row_goes_for_it() -> None:
    """Whoever says yes to it himself need not say it first."""
    rows: list[Beds] = [[[BLUE] * 3, [STINK] * 2], [[WAX], [GREEN]]]
    state = market(*rows, hands=[[WAX], [SOY]])
    offer = MakeOffer(0, (1,), (Copy(0, WAX),), (), (SOY,), hand_revision=state.players[0].hand_revision)

    assert accepts(given(state, 0, WAX)) == DeclineOffer(0, 1, 1)
    mine = given(after(state, offer), 0, WAX)
    assert second_thought(asked(mine), AcceptOffer(0, 2, 1)) == AcceptOffer(0, 2, 1)


@pytest.mark.parametrize("bot", [GENTLE, STRONG])
def test_payment_for_what_a_player_gives_for_nothing_is_taken(bot: str) -> None:
    """A bean that grows, offered for what it gives, is taken; it need not take one that finds no field."""
    state = market([[WAX], [BLACK_EYED]], [[BLUE] * 3, [RED]], face_up=[BLUE], hands=[[SOY], [WAX, CHILI]])
    gift = after(state, MakeOffer(0, (1,), (), (Copy(0, BLUE),), ()))

    assert isinstance(second_thought(asked(given(gift, 0, BLUE), bot), DeclineOffer(0, 2, 1)), AcceptOffer)
    wax = given(gift, 0, BLUE)
    assert any(offers_it_too(view(RULES, wax, 0), one) for one in offers_to(wax, 0))
    chili = given(gift, 1, BLUE)
    assert not any(offers_it_too(view(RULES, chili, 0), one) for one in offers_to(chili, 0))


@pytest.mark.parametrize("bot", [GENTLE, STRONG])
def test_no_gift_is_made_of_what_grows(bot: str) -> None:
    """Nobody gives away for nothing a bean that joins a row of his own; another one he may."""
    state = market([[WAX] * 5, [BLACK_EYED]], [[WAX] * 2, [GREEN]], face_up=[GREEN, WAX])

    assert is_senseless(asked(state, bot), terms([WAX], []))
    assert not is_senseless(asked(state, bot), terms([GREEN], []))


@pytest.mark.parametrize("bot", [GENTLE, STRONG])
def test_what_it_offers_itself_a_player_takes(bot: str) -> None:
    """Two who offer each other the same agree, or with more that helps; who asks for more asks in vain."""
    state = market([[BLUE] * 3, [STINK] * 2], [[WAX] * 2, [GREEN] * 2], hands=[[WAX, SOY], [BLUE, BLUE, SOY]])
    hand = state.players[0].hand_revision
    mine = after(state, MakeOffer(0, (1,), (Copy(0, WAX),), (), (BLUE,), hand_revision=hand))
    theirs = (Copy(0, BLUE),)
    revision = state.players[1].hand_revision
    same = after(mine, MakeOffer(1, (0,), theirs, (), (WAX,), hand_revision=revision))
    more = after(mine, MakeOffer(1, (0,), theirs, (), (WAX, SOY), hand_revision=revision))
    both = (Copy(0, BLUE), Copy(1, BLUE))
    besides = after(mine, MakeOffer(1, (0,), both, (), (WAX,), hand_revision=revision))
    with_soy = (Copy(0, BLUE), Copy(2, SOY))
    junk = after(mine, MakeOffer(1, (0,), with_soy, (), (WAX,), hand_revision=revision))

    assert isinstance(second_thought(asked(same, bot), DeclineOffer(0, 2, 1)), AcceptOffer)
    assert second_thought(asked(same, bot), AcceptOffer(0, 2, 1)) == AcceptOffer(0, 2, 1)
    assert second_thought(asked(more, bot), DeclineOffer(0, 2, 1)) == DeclineOffer(0, 2, 1)
    assert isinstance(second_thought(asked(besides, bot), DeclineOffer(0, 2, 1)), AcceptOffer)
    assert not any(offers_it_too(view(RULES, junk, 0), one) for one in offers_to(junk, 0))
    assert any(offers_it_too(view(RULES, same, 0), one) for one in offers_to(same, 0))


def test_good_company_does_not_give_what_it_wants() -> None:
    """What it has said it wants goes only for what plainly helps."""
    state = market([[BLUE], [STINK]], hands=[[BLUE], [STINK]])
    wished = after(state, SetWish(0, BLUE, "want"))

    assert accepts(given(state, 0, BLUE)) == AcceptOffer(0, 1, 1)
    assert accepts(given(wished, 0, BLUE)) == DeclineOffer(0, 1, 1)


def test_second_thought_leaves_everything_else() -> None:
    """It is about answers to offers alone."""
    question = asked(market([[BLUE]]))

    assert second_thought(question, None) is None
    assert second_thought(question, DeclineOffer(0, 9, 1)) == DeclineOffer(0, 9, 1)


def test_player_of_a_level_has_sense_beside_people_alone() -> None:
    """Others play as they do, and nobody is there to wonder."""
    assert has_sense(asked(market()))
    assert has_sense(asked(market(), STRONG))
    assert not has_sense(asked(market(), "pk"))
    assert not has_sense(ask_of(RULES, market(), 0, GENTLE))


def test_answer_of_a_bot_is_thought_over() -> None:
    """A gift that the player itself refuses, for what it will have to plant next, is taken beside people."""
    rows, hand = [[BLUE], [WAX]], [GREEN, CHILI, STINK, RED]
    state = given(market(rows, hands=[hand, [BLUE]]), 0)
    alone: Any = BotCache(PLAYERS).reply(ask_of(RULES, state, 0, LEVELS["beginner"]))
    beside: Any = BotCache(PLAYERS).reply(asked(state, LEVELS["beginner"]))

    assert isinstance(alone.command, DeclineOffer)
    assert isinstance(beside.command, AcceptOffer)
    assert beside.reason == Reason("says.fits", {"bean": BLUE})


# -- reasons -------------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", [GENTLE, STRONG])
@pytest.mark.parametrize(("face_up", "answer"), [([GREEN, CHILI], AcceptOffer), ([RED, CHILI], DeclineOffer)])
def test_gift_of_what_must_be_planted_anyway_is_taken(bot: str, face_up: list[Bean], answer: type) -> None:
    """Though another face-up bean takes the one empty field: it needs no field of its own."""
    state = market([[BLUE]], hands=[[WAX], [GREEN]], face_up=face_up)

    assert isinstance(refuses(given(state, 0), bot), answer)


def test_exchange_for_what_must_be_planted_anyway_is_no_gift() -> None:
    """Whoever asks for a card in return gets the answer that the player thought of first."""
    state = market([[BLUE]], hands=[[BLUE, WAX], [GREEN]], face_up=[GREEN, CHILI])

    assert refuses(given(state, 0, WAX)) == DeclineOffer(0, 1, 1)


@pytest.mark.parametrize(("bot", "answer"), [(GENTLE, AcceptOffer), (STRONG, DeclineOffer)])
def test_hard_player_does_not_show_which_card_of_its_hand_does_harm(bot: str, answer: type) -> None:
    """Good company gives its front card away that will cost it a row; a hard one keeps its counsel."""
    state = market([[BLUE] * 3, [WAX] * 2], hands=[[SOY], [GREEN]])

    assert isinstance(refuses(given(state, None, SOY), bot), answer)


def test_bean_that_does_harm_beside_another_may_be_had_for_the_asking() -> None:
    """Alone it would save nothing, since a row goes for the other one; but not by who leads."""
    rows: list[Beds] = [[[RED], [STINK]], [[SOY], [GREEN]]]
    assert plain_gain(view(RULES, market(*rows, face_up=[SOY, GREEN]), 0), (), (SOY,)) == 0

    for coins, takes in (((), AcceptOffer), ((0, 3), DeclineOffer)):
        state = given(market(*rows, face_up=[SOY, GREEN], coins=coins), None, SOY)
        assert isinstance(refuses(state), takes)


def test_good_company_says_of_which_kind_it_has_none() -> None:
    """Who has one of two that are asked for does not say so; of another kind it says that it has none."""
    no = DeclineOffer(0, 1, 1)
    for want, said in (([RED, RED], None), ([RED, RED, SOY], Reason("says.none", {"bean": SOY}))):
        state = given(market([[BLUE]], hands=[[RED, WAX], [BLUE]]), 0, *want)
        assert why_after_all(asked(state), no, no, PRICE) == (said or PRICE)
        assert why_after_all(asked(state), no, no, USELESS) == (said or USELESS)


@pytest.mark.parametrize("bot", [GENTLE, STRONG])
def test_who_has_no_reason_that_all_see_wants_another_price(bot: str) -> None:
    """No refusal is without a word; of a gift the price is no reason, so it does not help."""
    no = DeclineOffer(0, 1, 1)
    state = market([[BLUE]], hands=[[RED], [BLUE]])

    assert why_after_all(asked(given(state, 0, RED), bot), no, no, None) == PRICE
    assert why_after_all(asked(given(state, 0), bot), no, no, None) == USELESS
    assert why_after_all(asked(given(state, 0, RED), bot), AcceptOffer(0, 1, 1), no, None) == USELESS


@pytest.mark.parametrize("bot", [GENTLE, STRONG])
def test_who_is_asked_for_what_he_has_not_got_says_so(bot: str) -> None:
    """In place of any other reason: whoever hears another one goes on asking."""
    state = given(market([[BLUE]], hands=[[WAX], [BLUE]]), 0, CHILI)
    no = DeclineOffer(0, 1, 1)

    phase: Any = view(RULES, state, 0).phase
    assert lacks(view(RULES, state, 0), phase.offers[0]) == CHILI
    for reason in (USELESS, TOO_DEAR, None):
        assert why_after_all(asked(state, bot), no, no, reason) == Reason("says.none", {"bean": CHILI})


@pytest.mark.parametrize(("row", "said"), [([GREEN], PRICE), ([GREEN] * 2, TOO_DEAR)])
def test_nobody_is_told_of_a_gain_that_all_see_to_be_little(row: Sequence[Bean], said: Reason | None) -> None:
    """The second of three green beans brings no coin, the third one does."""
    no = DeclineOffer(0, 1, 1)
    state = given(market([[BLUE]], [row, [STINK] * 3], hands=[[GREEN], [WAX]]), 0, GREEN)

    assert why_after_all(asked(state, STRONG), no, no, TOO_DEAR) == said
    assert why_after_all(asked(state, STRONG), no, no, USELESS) == USELESS


def test_bean_fits_no_field_from_which_it_will_have_to_go() -> None:
    """The chili joins its row, which is ploughed up for another bean that the exchange brings."""
    yes, fits = AcceptOffer(0, 1, 1), Reason("says.fits", {"bean": CHILI})
    state = market([[CHILI], [BLUE]], hands=[[WAX], [CHILI, GARDEN]], face_up=[RED])
    both = MakeOffer(
        1, (0,), (Copy(0, CHILI), Copy(1, GARDEN)), (), (RED,), hand_revision=state.players[1].hand_revision
    )

    assert why_after_all(asked(after(state, both)), yes, yes, fits) is None
    assert why_after_all(asked(given(state, 0, RED)), yes, yes, fits) == fits


def test_gain_that_all_see_counts_what_is_set_aside() -> None:
    """The third green bean of somebody who has one planted and one set aside brings his coin."""
    state = market([[BLUE]], [[GREEN], [STINK] * 3], hands=[[GREEN], [WAX]])
    players = list(state.players)
    players[1] = replace(players[1], set_aside=(GREEN,))
    no, asks = DeclineOffer(0, 1, 1), given(replace(state, players=tuple(players)), 0, GREEN)

    assert why_after_all(asked(asks, STRONG), no, no, TOO_DEAR) == TOO_DEAR


@pytest.mark.parametrize("bot", [GENTLE, STRONG])
def test_who_is_offered_nothing_that_finds_a_field_says_so(bot: str) -> None:
    """No price would help; where one of the beans grows or a field is empty another price may."""
    no = DeclineOffer(0, 1, 1)
    for fields, said in (
        ([[BLUE], [STINK]], Reason("says.no-field", {"bean": WAX})),
        ([[BLUE], [WAX]], PRICE),
        ([[BLUE]], PRICE),
    ):
        state = given(market(fields, hands=[[RED], [WAX]]), 0, RED)
        assert why_after_all(asked(state, bot), no, no, PRICE) == said
        lies = given(market(fields, hands=[[RED], [WAX]], face_up=[WAX]), 0, RED)
        assert why_after_all(asked(lies, bot), no, no, PRICE) == PRICE
        owner = replace(state.players[0], set_aside=(WAX,))
        aside = replace(state, players=(owner, *state.players[1:]))
        assert why_after_all(asked(aside, bot), no, no, PRICE) == PRICE
        assert why_after_all(asked(state, bot), no, no, Reason("says.ahead")) == Reason("says.ahead")


def test_nobody_hears_that_he_would_gain_much_by_what_he_is_about_to_be_given() -> None:
    """Good company gives away for nothing what costs it a row; a hard player, or to who leads, does not."""
    no, rows = DeclineOffer(0, 1, 1), [[[RED], [STINK]], [[GREEN] * 2, [CHILI]]]
    state = given(market(*rows, face_up=[GREEN], hands=[[SOY], [WAX, STINK]]), 0, GREEN)
    grows = given(market(*rows, face_up=[GREEN], hands=[[SOY], [WAX, STINK]]), 1, GREEN)
    ahead = given(market(*rows, face_up=[GREEN], hands=[[SOY], [WAX, STINK]], coins=(0, 3)), 0, GREEN)

    assert why_after_all(asked(state), no, no, TOO_DEAR) == Reason("says.no-field", {"bean": WAX})
    assert why_after_all(asked(grows), no, no, TOO_DEAR) == PRICE
    assert why_after_all(asked(state, STRONG), no, no, TOO_DEAR) == TOO_DEAR
    assert why_after_all(asked(ahead), no, no, TOO_DEAR) == TOO_DEAR
    rich: list[Beds] = [[[RED], [STINK]], [[GARDEN], [CHILI]]]
    garden = given(market(*rich, face_up=[GARDEN], hands=[[SOY], [WAX]]), 0, GARDEN)
    assert why_after_all(asked(garden), no, no, TOO_DEAR) == TOO_DEAR


def test_one_bean_that_is_spared_is_not_two() -> None:
    """Whoever asks for one is about to be given it, whoever asks for two is not."""
    no = DeclineOffer(0, 1, 1)
    state = market([[WAX] * 3, [STINK] * 2], [[CHILI] * 2, [BLUE]], hands=[[WAX, CHILI, CHILI], [RED]])
    spares = after(state, SetWish(0, CHILI, "spare"))

    assert why_after_all(asked(given(spares, 0, CHILI)), no, no, TOO_DEAR) != TOO_DEAR
    assert why_after_all(asked(given(spares, 0, CHILI, CHILI)), no, no, TOO_DEAR) == TOO_DEAR


@pytest.mark.parametrize("bot", [GENTLE, STRONG])
def test_deputy_tells_nothing_of_a_hand(bot: str) -> None:
    """It is that of somebody who is away."""
    state = given(market([[BLUE]], hands=[[WAX], [BLUE]]), 0, CHILI)
    no = DeclineOffer(0, 1, 1)

    assert why_after_all(asked(state, bot, deputy=True), no, no, USELESS) == USELESS


@pytest.mark.parametrize("bot", [GENTLE, STRONG])
def test_player_keeps_to_what_it_says_it_can_spare(bot: str) -> None:
    """One card, as a gift or for what is of no use, but not where a row would go, nor to who leads.

    That is so whether it thought of a yes or a no itself.
    """
    table = market([[BLUE], [SOY]], [[BLACK_EYED], [RED]], hands=[[BLUE, BLACK_EYED], [WAX, BLUE]])
    said = after(table, SetWish(0, BLACK_EYED, "spare"))

    assert refuses(given(table, None, BLACK_EYED), bot) == DeclineOffer(0, 1, 1)
    assert isinstance(refuses(given(said, None, BLACK_EYED), bot), AcceptOffer)
    assert isinstance(refuses(given(said, 1, BLACK_EYED), bot), AcceptOffer)
    much = market([[BLUE], [SOY]], [[BLACK_EYED] * 4, [RED]], hands=[[BLUE] + [BLACK_EYED] * 2, [WAX]])
    rich = after(much, SetWish(0, BLACK_EYED, "spare"))
    assert accepts(given(much, None, BLACK_EYED), bot) == DeclineOffer(0, 1, 1)
    assert isinstance(accepts(given(rich, None, BLACK_EYED), bot), AcceptOffer)
    assert refuses(given(rich, None, BLACK_EYED, BLACK_EYED), bot) == DeclineOffer(0, 1, 1)
    grows = market([[BLUE], [BLACK_EYED] * 3], [[BLACK_EYED]], hands=[[BLUE, BLACK_EYED], [WAX]])
    planted_since = given(after(grows, SetWish(0, BLACK_EYED, "spare")), None, BLACK_EYED)
    assert refuses(planted_since, bot) == DeclineOffer(0, 1, 1)
    full = after(market([[BLUE] * 10, [SOY]], hands=[[WAX], [BLUE]]), SetWish(0, WAX, "spare"))
    assert refuses(given(full, 0), bot) == DeclineOffer(0, 1, 1)  # a gift that is of no use asks for nothing
    rows = market([[BLUE] * 3, [SOY] * 3], [[BLACK_EYED]], hands=[[BLUE, BLACK_EYED], [WAX]])
    ploughs = given(after(rows, SetWish(0, BLACK_EYED, "spare")), 0, BLACK_EYED)
    assert refuses(ploughs, bot) == DeclineOffer(0, 1, 1)
    ahead = market([[BLUE], [SOY]], [[BLACK_EYED]], hands=[[BLUE, BLACK_EYED], [WAX]], coins=[0, 3, 0, 0])
    leads = given(after(ahead, SetWish(0, BLACK_EYED, "spare")), None, BLACK_EYED)
    assert refuses(leads, bot) == DeclineOffer(0, 1, 1)


def test_other_answer_has_a_reason_of_its_own() -> None:
    """Not that of the first one."""
    grows = given(market([[BLUE]], hands=[[WAX], [BLUE]]), 0)
    yes, no = AcceptOffer(0, 1, 1), DeclineOffer(0, 1, 1)

    assert why_after_all(asked(grows), no, yes, USELESS) == Reason("says.fits", {"bean": BLUE})
    assert why_after_all(asked(grows), yes, no, None) == USELESS
    assert why_after_all(asked(grows), yes, yes, None) is None


# -- offers --------------------------------------------------------------------------------------


def terms(give: Sequence[Bean], want: Sequence[Bean], *to: int) -> Terms:
    """Return the terms of an offer, to seat 1 unless said."""
    return Terms(to or (1,), tuple(give), tuple(want))


@pytest.mark.parametrize(
    ("give", "want", "said"),
    [
        ([WAX], [BLUE], True),
        ([WAX], [BLUE, BLUE], True),
        ([WAX, SOY], [BLUE], False),
        ([SOY], [BLUE], False),
        ([SOY], [WAX], True),
        ([BLUE], [SOY], True),
    ],
)
def test_offer_after_wax_for_blue_repeats_it(give: list[Bean], want: list[Bean], said: bool) -> None:
    """The same, for more, or the other way round; more for it, or another bean, is a better price."""
    assert repeats_itself(terms(give, want), [terms([WAX], [BLUE])]) is said


def test_partner_hears_few_offers_of_a_player_in_a_turn() -> None:
    """Another partner hears his own."""
    made = [terms([bean], [BLUE]) for bean in (SOY, WAX, GREEN)[:OFTEN]]

    assert repeats_itself(terms([STINK], [BLUE]), made)
    assert not repeats_itself(terms([STINK], [BLUE], 2), made)


def test_gift_is_asked_for_where_it_rids_somebody_of_it() -> None:
    """A face-up bean that he does not grow, or what he can spare; a hard player asks for the latter alone."""
    state = replace(market([], [[BLUE]], face_up=[SOY, BLUE]), active_player=1)
    spared = after(state, SetWish(1, WAX, "spare"))
    seen, said = view(RULES, state, 0), view(RULES, spared, 0)

    assert not begs_in_vain(seen, GENTLE, terms([], [SOY]), PERSON)
    assert begs_in_vain(seen, STRONG, terms([], [SOY]), PERSON)
    for bot in (GENTLE, STRONG):
        assert begs_in_vain(seen, bot, terms([], [BLUE]), PERSON)
        assert begs_in_vain(seen, bot, terms([], [WAX]), PERSON)
        assert not begs_in_vain(said, bot, terms([], [WAX]), PERSON)
        assert begs_in_vain(said, bot, terms([], [WAX, WAX]), PERSON)
        assert not begs_in_vain(seen, bot, terms([RED], [WAX]), PERSON)
        assert begs_in_vain(said, bot, terms([], [WAX]), frozenset())  # computer players spare for others


def test_row_that_has_to_go_makes_its_face_up_beans_unwanted() -> None:
    """What will plough it up comes first; a row that stays is wanted."""
    doomed = market([[WAX], [BLUE] * 3], face_up=[WAX, BLACK_EYED])
    kept = market([[WAX], []], face_up=[WAX, BLACK_EYED])

    assert harmful(view(RULES, doomed, 0)) == [BLACK_EYED, WAX]
    assert harmful(view(RULES, kept, 0)) == []


def test_last_trading_counts_coins_alone() -> None:
    """Nothing grows any more, and no card of the hand is planted."""
    state = market([[BLUE] * 2, [WAX] * 3], hands=[[SOY, BLUE]], face_up=[])
    last = replace(state, exhaustions=RULES.exhaustions - 1, draw_pile=state.draw_pile[:1])
    before, then = view(RULES, state, 0), view(RULES, last, 0)

    assert plain_gain(before, [BLUE], []) == pytest.approx(0.25)
    assert plain_gain(then, [BLUE], []) == 0
    assert plain_gain(then, [WAX], []) == 1
    assert plain_gain(before, [], [BLUE]) < 0
    assert plain_gain(then, [], [BLUE]) == 0


def test_last_trading_leaves_the_row_that_is_nearer_to_its_coins() -> None:
    """Both bring their coins in any case: the one that brings none goes."""
    state = market([[BLUE] * 3, [CHILI] * 3], face_up=[SOY])
    last = replace(state, exhaustions=RULES.exhaustions - 1, draw_pile=state.draw_pile[:1])

    assert rows_kept(view(RULES, last, 0), 0) == {CHILI}


@pytest.mark.parametrize(
    ("give", "want", "said"),
    [([SOY], [WAX], False), ([SOY, CHILI], [WAX], True), ([SOY, CHILI], [GREEN], False), ([RED], [], False)],
    ids=["grows", "and-another", "for-what-harms", "wished"],
)
def test_bean_without_use_is_a_burden(give: list[Bean], want: list[Bean], said: bool) -> None:
    """What somebody does not grow is nothing good to him, unless it rids him of another such bean."""
    state = replace(market([], [[SOY], [BLUE]], face_up=[GREEN]), active_player=1)
    wished = after(state, SetWish(1, RED, "want"))

    assert burdens(view(RULES, wished, 0), terms(give, want)) is said


@pytest.mark.parametrize(
    ("give", "want", "gentle", "strong"),
    [
        ([WAX], [BLUE], False, False),
        ([WAX], [BLUE, BLUE, BLUE], True, True),
        ([SOY], [CHILI], True, True),
        ([BLUE], [WAX], True, True),
        ([WAX, STINK], [BLUE], True, True),
    ],
    ids=["fair", "greedy", "what-has-no-field", "no-field-for-what-grows", "burden"],
)
def test_offer_is_senseless(give: list[Bean], want: list[Bean], gentle: bool, strong: bool) -> None:
    """For far more than it gives, for what finds no field, or a burden."""
    rows: list[Beds] = [[[BLUE] * 3, [RED] * 2], [[WAX, WAX], [BLUE]]]
    state = market(*rows, face_up=[CHILI], hands=[[WAX, BLUE, SOY, STINK]])

    assert is_senseless(asked(state), terms(give, want)) is gentle
    assert is_senseless(asked(state, STRONG), terms(give, want)) is strong


def test_good_company_offers_nothing_that_it_grows_for_what_it_does_not() -> None:
    """Though there is a field for that; a hard player may have its reasons."""
    state = market([[BLUE] * 3], [[WAX, WAX], [BLUE]], hands=[[BLUE]])

    assert is_senseless(asked(state), terms([BLUE], [WAX]))
    assert not is_senseless(asked(state, STRONG), terms([BLUE], [WAX]))


def test_two_cards_are_asked_for_one_that_brings_half_a_coin() -> None:
    """A second red bean is half a coin, a third wax bean a quarter; for three cards nobody would listen."""
    rows: list[Beds] = [[[BLUE] * 3, [SOY] * 2], [[RED], [WAX, WAX]], [[WAX] * 3, [STINK] * 3]]
    state = market(*rows, hands=[[RED, WAX]])
    seen = view(RULES, state, 0)

    assert not asks_much(seen, terms([RED], [BLUE, SOY]))
    assert asks_much(seen, terms([WAX], [BLUE, SOY]))
    assert asks_much(seen, terms([RED], [BLUE, BLUE, SOY]))
    assert not asks_much(seen, terms([WAX], [BLUE]))
    assert asks_much(seen, terms([RED], [BLUE, SOY], 1, 2))
    assert is_senseless(asked(state, STRONG), terms([WAX], [BLUE, SOY]))


def test_taking_a_bean_that_costs_a_row_brings_something_too() -> None:
    """Who asks for it and for a card of the hand gives little for both."""
    rows: list[Beds] = [[[RED] * 2, [BLUE]], [[GREEN] * 2, [STINK] * 2]]
    lying, held = (view(RULES, market(*rows, face_up=face_up), 1) for face_up in ([STINK], []))

    assert not asks_much(lying, terms([BLUE], [STINK, WAX], 0))
    assert asks_much(held, terms([BLUE], [STINK, WAX], 0))


class Offers:
    """A player that makes these offers, one after the other, and then passes."""

    name, trades, off_turn, uses_knowledge = "offers", True, False, False

    def __init__(self, *commands: Command) -> None:
        self.left = list(commands)

    def decide(self, *_: Any) -> Command | None:
        """Make the next."""
        return self.left.pop(0) if self.left else None


def _offering(command: Command, _seed: int) -> Offers:
    return Offers(command)


def test_computer_players_have_manners_towards_each_other_beside_people() -> None:
    """What nobody of them can use, or is likely to have, people need not read; alone they may try it."""
    rows: Beds = [[BLUE] * 3, [RED] * 2]
    state = market(rows, [[SOY], [GREEN]], [[SOY], [GREEN]], hands=[[CHILI, SOY, GREEN], [WAX], [WAX] * 6])
    revision = state.players[0].hand_revision
    useless = MakeOffer(0, (2,), (Copy(0, CHILI),), (), (BLUE,), hand_revision=revision)
    unlikely = MakeOffer(0, (2,), (Copy(1, SOY),), (), (RED,), hand_revision=revision)

    again = MakeOffer(0, (2,), (Copy(2, GREEN),), (), (BLUE,), hand_revision=revision)
    first = MakeOffer(0, (2,), (Copy(1, SOY),), (), (BLUE,), hand_revision=revision)

    for command in (useless, unlikely, again):
        if command is again:
            state = after(state, first)
        for people, made in ((PERSON, None), (frozenset[int](), command)):
            cache = BotCache({GENTLE: partial(_offering, command)})
            answer: Any = cache.reply(ask_of(RULES, state, 0, GENTLE, people=people))
            assert answer.command == made

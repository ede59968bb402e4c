"""What computer players do about face-up beans that would cost them a row, before their trading ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from bohn.bots import LEVELS, PLAYERS
from bohn.bots.bargaining import Proposal
from bohn.bots.reasons import Reason
from bohn.play.seat import BotFactory, Choices
from bohn.rules.beans import Bean
from bohn.rules.commands import DeclineOffer, EditOffer, MakeOffer, MakePromise, SetWish
from bohn.rules.state import Copy, State
from bohn.server.bots.common_sense import (
    asks_for_spared,
    enriches,
    harmful,
    is_senseless,
    plain_gain,
    unwanted_card,
)
from bohn.server.bots.haggling import aims
from bohn.server.bots.messages import Terms, terms_of
from bohn.server.bots.parting import KEPT_FOR_PARTING, given_instead, hand_partings, partings
from bohn.server.bots.worker import BotCache, SeatedPlayer
from bohn.views.knowledge import Knowledge
from bohn.views.view import View, view
from tests.server.bots.test_common_sense import (
    BLACK_EYED,
    BLUE,
    CHILI,
    GARDEN,
    GENTLE,
    GREEN,
    PERSON,
    RED,
    RULES,
    SOY,
    STINK,
    STRONG,
    WAX,
    Beds,
    accepts,
    after,
    asked,
    given,
    market,
    offers_to,
    refuses,
    terms,
)


def offers(state: State) -> list[tuple[int, tuple[Bean, ...], tuple[Bean, ...]]]:
    """Return whom seat 0 would offer its face-up beans, with what it gives and wants."""
    found = partings(view(RULES, state, 0))
    return [(one.to[0], tuple(copy.bean for copy in one.face_up), one.want) for one in found]


def test_bean_that_costs_a_row_goes_to_who_grows_it() -> None:
    """Who grows most of it first, for what the player grows, and at last for nothing."""
    state = market(
        [[BLUE] * 3, [WAX] * 2], [[SOY], [RED]], [[SOY] * 3, [RED]], [[RED], [GREEN]], face_up=[SOY]
    )

    assert offers(state) == [
        (2, (SOY,), (BLUE,)), (2, (SOY,), (WAX,)), (1, (SOY,), (BLUE,)), (1, (SOY,), (WAX,)),
        (2, (SOY,), ()), (1, (SOY,), ()),
    ]  # fmt: skip


@pytest.mark.parametrize("bot", [GENTLE, STRONG])
def test_bean_is_no_gift_before_something_was_asked_for_it(bot: str) -> None:
    """A price comes first; it is a gift once that was refused, or if nobody has what is asked, or at last."""
    state = market([[BLUE] * 3, [WAX] * 2], [[SOY], [RED]], [[CHILI], [RED]], face_up=[SOY])
    can = after(state, SetWish(1, WAX, "spare"), SetWish(1, BLUE, "spare"))
    free = MakeOffer(0, (1,), (), (Copy(0, SOY),), ())
    player = SeatedPlayer(PLAYERS[bot](1), bot)
    prices = tuple(Terms((1,), (SOY,), (bean,)) for bean in (BLUE, WAX))

    assert player.sells_first(free, asked(can, bot))
    assert not player.sells_first(replace(free, want=(WAX,)), asked(can, bot))
    assert not player.sells_first(free, asked(can, bot, made=prices))
    assert not player.sells_first(free, asked(can, bot, tries=KEPT_FOR_PARTING))
    assert not player.sells_first(free, replace(asked(can, bot), people=frozenset()))
    for_another = replace(free, to=(2,))  # the person would hear the price; that it was refused is not known
    assert not player.sells_first(for_another, asked(can, bot))
    assert player.sells_first(for_another, replace(asked(can, bot), people=frozenset({3})))


class Giver:
    """Would give the first face-up bean to seat 1 for nothing."""

    name, trades, off_turn, uses_knowledge = "giver", True, False, False

    def decide(self, _view: View, _choices: Choices, _knowledge: Knowledge) -> MakeOffer:
        """Give it."""
        return MakeOffer(0, (1,), (), (Copy(0, SOY),), ())


def test_player_of_a_level_makes_no_gift_of_what_it_can_sell() -> None:
    """Its gift waits; where nothing can be asked for the bean it is made at once."""
    state = market([[BLUE] * 3, [WAX] * 2], [[SOY], [RED]], [[CHILI], [RED]], face_up=[SOY])
    can = after(state, SetWish(1, WAX, "spare"), SetWish(1, BLUE, "spare"))
    players: dict[str, BotFactory] = {"gentle-0": lambda _seed: Giver()}
    nobody_has = tuple((seat, bean) for seat in (1, 2, 3) for bean in (BLUE, WAX))
    waits: Any = BotCache(players).reply(asked(can, "gentle-0"))
    made: Any = BotCache(players).reply(asked(state, "gentle-0", told_none=nobody_has))

    assert waits.command is None
    assert made.command == Giver().decide(made, made, made)


def test_nothing_is_parted_with_that_does_no_harm() -> None:
    """A bean stays that joins a row, finds an empty field or takes the place of a row at its top price."""
    assert offers(market([[BLUE] * 3, [WAX] * 2], [[SOY]], face_up=[BLUE])) == []
    assert offers(market([[BLUE] * 3], [[SOY]], face_up=[SOY])) == []
    assert harmful(view(RULES, market([[CHILI] * 3, [WAX] * 11], [[SOY]], face_up=[SOY]), 0)) == []
    assert harmful(view(RULES, market([[CHILI] * 3, [WAX] * 4], [[SOY]], face_up=[SOY]), 0)) == [SOY]


def test_bean_is_harmful_that_alone_costs_a_row_beside_one_that_fills_a_field() -> None:
    """Rid of both, the player would have an empty field; rid of one, the other grows there."""
    state = market([[CHILI] * 3, []], [[GREEN] * 2, [RED]], face_up=[GREEN, STINK])

    assert set(harmful(view(RULES, state, 0))) == {GREEN, STINK}
    assert (1, (GREEN,), ()) in offers(state)
    assert harmful(view(RULES, market([[CHILI] * 3, []], face_up=[STINK]), 0)) == []


def test_bean_that_brings_somebody_much_is_no_gift() -> None:
    """A third garden bean makes a coin at once: who asks for it pays, and nobody gives it for nothing."""
    state = market(
        [[BLUE] * 3, [WAX] * 2], [[GARDEN] * 2, [STINK]], [[STINK], [RED]], [[STINK], [RED]], face_up=[GARDEN]
    )

    assert enriches(view(RULES, state, 0), 1, [GARDEN])
    assert not enriches(view(RULES, market([], [[GREEN] * 2]), 0), 1, [GREEN])
    assert (1, (GARDEN,), ()) not in offers(state)
    for bot in (GENTLE, STRONG):
        assert refuses(given(state, None, GARDEN), bot) == DeclineOffer(0, 1, 1)
        assert accepts(given(state, None, GARDEN), bot) == DeclineOffer(0, 1, 1)
        assert is_senseless(asked(state, bot), terms([GARDEN], []))
        assert not is_senseless(asked(state, bot), terms([STINK], []))


def test_gift_goes_first_to_who_wished_for_it_and_last_to_who_has_room() -> None:
    """Not to somebody who leads."""
    fields: list[Beds] = [[[BLUE] * 3, [WAX] * 2], [[RED], [GREEN]], [], [[STINK], [CHILI]]]
    wished = after(market(*fields, face_up=[SOY]), SetWish(3, SOY, "want"))
    rich = market(*fields, face_up=[SOY], coins=[0, 0, 9, 0])

    assert offers(wished) == [(3, (SOY,), ()), (2, (SOY,), ())]
    assert offers(rich) == []


def test_only_the_active_player_parts_with_anything() -> None:
    """The others have nothing face up."""
    state = replace(market([[BLUE] * 3, [WAX] * 2], [[SOY]], face_up=[SOY]), active_player=1)

    assert offers(state) == []


@pytest.mark.parametrize("level", ["beginner", "gentle", "fair", "strong"])
def test_bot_parts_before_it_ruins_its_row(level: str) -> None:
    """With its last offers of a turn it offers the bean to who grows it; without people it does not."""
    state = market([[BLUE] * 3, [WAX] * 2], [[SOY] * 2, [RED]], face_up=[SOY], hands=[[CHILI]])
    cache, bot = BotCache(PLAYERS), LEVELS[level]
    made: list[Terms] = []
    reasons = []
    for tries in (2, 1):
        answer: Any = cache.reply(asked(state, bot, tries=tries, made=tuple(made)))
        assert isinstance(answer.command, MakeOffer | EditOffer)
        made.append(terms_of(answer.command))
        reasons.append(answer.reason)

    assert all(one.to == (1,) and one.give == (SOY,) for one in made)
    assert made[0].want
    assert made[1].want == ()  # the last one is a gift
    assert reasons[1] == Reason("says.homeless", {"bean": SOY})


# -- the card of the hand that must be planted next turn -------------------------------------------


ROWS: list[Beds] = [[[BLUE] * 3, [WAX] * 2], [[SOY], [RED]], [[SOY] * 3, [RED]], [[RED], [GREEN]]]
"""Seat 0 has two rows; soy beans grow in seats 1 and 2."""


def of_hand(state: State, seat: int = 0) -> list[tuple[int, tuple[Copy, ...], tuple[Bean, ...]]]:
    """Return whom a seat would offer the front card of its hand, with what it wants for it."""
    return [(one.to[0], one.hand, one.want) for one in hand_partings(view(RULES, state, seat))]


def test_front_card_that_will_cost_a_row_goes_to_who_grows_it() -> None:
    """As a face-up bean does: who grows most of it first, for what the player grows, at last for nothing."""
    card = (Copy(0, SOY),)

    assert of_hand(market(*ROWS, hands=[[SOY, CHILI]])) == [
        (2, card, (BLUE,)), (2, card, (WAX,)), (1, card, (BLUE,)), (1, card, (WAX,)),
        (2, card, ()), (1, card, ()),
    ]  # fmt: skip


@pytest.mark.parametrize("hand", [[], [BLUE, SOY], [STINK, SOY]])
def test_front_card_stays_that_is_wanted_or_that_nobody_grows(hand: list[Bean]) -> None:
    """One that joins a row, or whose kind grows nowhere; only the front card is looked at."""
    assert of_hand(market(*ROWS, hands=[hand])) == []


def test_front_card_stays_that_will_find_an_empty_field() -> None:
    """Unless what lies face up takes that field before."""
    rows: list[Beds] = [[[BLUE] * 3], *ROWS[1:]]

    assert unwanted_card(view(RULES, market(*rows, hands=[[SOY]]), 0)) is None
    assert unwanted_card(view(RULES, market(*rows, hands=[[SOY]], face_up=[CHILI]), 0)) == SOY


def test_front_card_is_no_gift_to_who_leads_or_becomes_rich_by_it() -> None:
    """A third garden bean is worth a coin: for that somebody pays."""
    poor: list[Beds] = [ROWS[0], [[SOY], [RED]]]
    rich: list[Beds] = [ROWS[0], [[GARDEN] * 2, [STINK]]]

    assert (1, (Copy(0, SOY),), ()) in of_hand(market(*poor, hands=[[SOY]]))
    assert (1, (Copy(0, SOY),), ()) not in of_hand(market(*poor, hands=[[SOY]], coins=[0, 9]))
    assert (1, (Copy(0, GARDEN),), ()) not in of_hand(market(*rich, hands=[[GARDEN]]))


def test_front_card_is_a_gift_first_to_who_wished_for_it() -> None:
    """He need not grow it."""
    state = after(market(*ROWS, hands=[[SOY, CHILI]]), SetWish(3, SOY, "want"))

    assert [to for to, _, want in of_hand(state) if not want] == [3, 2, 1]


def test_others_part_with_their_front_card_to_the_active_player_alone() -> None:
    """Nobody else may trade with them."""
    state = market(
        [[SOY], [RED]], ROWS[0], [[SOY] * 3, [RED]], hands=[[GREEN], [SOY, CHILI]], face_up=[GREEN]
    )

    assert {to for to, _, _ in of_hand(state, seat=1)} == {0}


def test_row_that_the_front_card_would_cost_is_part_of_what_an_exchange_brings() -> None:
    """Two blue beans more on the way to a coin, and the card behind it fits."""
    seen = view(RULES, market(*ROWS, hands=[[SOY, WAX, SOY]]), 0)
    behind = view(RULES, market(*ROWS, hands=[[WAX, SOY]]), 0)

    gain = plain_gain(seen, [], [SOY], with_front=True)
    assert gain == pytest.approx(0.75)  # the two wax beans and what they may become
    assert plain_gain(seen, [], [SOY]) == 0
    assert plain_gain(behind, [], [SOY], with_front=True) == 0
    for next_one in (SOY, CHILI):  # which would cost the row as well
        seen = view(RULES, market(*ROWS, hands=[[SOY, next_one]]), 0)
        assert plain_gain(seen, [], [SOY], with_front=True) == 0


def test_field_that_an_exchange_takes_from_the_front_card_is_part_of_what_it_brings() -> None:
    """A stink bean for a green one fills the field that the soy bean was to have."""
    rows: list[Beds] = [[[BLUE] * 3], *ROWS[1:]]
    seen = view(RULES, market(*rows, hands=[[SOY, GREEN]]), 0)

    assert plain_gain(seen, [STINK], [GREEN]) > 0
    assert plain_gain(seen, [STINK], [GREEN], with_front=True) < 0


def test_front_card_costs_nothing_where_its_turn_never_comes() -> None:
    """In the last pass the deck has to last until then."""
    state = replace(market(*ROWS, hands=[[SOY, CHILI]]), exhaustions=RULES.exhaustions - 1)
    turns = 3 * (RULES.reveal + RULES.draw) + RULES.draw  # of the others, and the rest of this one
    over = replace(state, draw_pile=state.draw_pile[:turns])
    comes = replace(state, draw_pile=state.draw_pile[: turns + 1])

    assert unwanted_card(view(RULES, over, 0)) is None
    assert of_hand(over) == []
    assert unwanted_card(view(RULES, comes, 0)) == SOY


def test_strong_answers_the_same_whatever_card_is_in_front() -> None:
    """Else its yes would show its hand."""
    rows: list[Beds] = [[[BLUE] * 3, [WAX] * 3], [[GREEN], [RED]]]
    for hand in ([SOY, WAX, CHILI], [WAX, SOY, CHILI]):
        state = market(*rows, hands=[hand, [BLACK_EYED] * 2])
        both = (Copy(0, BLACK_EYED), Copy(1, BLACK_EYED))
        offer = MakeOffer(1, (0,), both, (), (SOY,), hand_revision=state.players[1].hand_revision)

        assert accepts(after(state, offer), STRONG) == DeclineOffer(0, 1, 1)


# -- what is asked for in exchange for something that is of no use -----------------------------------------


SWAP: Beds = [[BLUE] * 3, [WAX] * 4]
"""Rows on which a soy bean that lies face up has no place."""


def refused_swap(
    fields: Beds = SWAP,
    *want: Bean,
    person: Beds = ([SOY], [RED]),
    hand: Sequence[Bean] = (BLUE, CHILI),
    coins: Sequence[int] = (),
) -> State:
    """Return the trading in which seat 0 has refused a person's green bean for these, else its soy bean."""
    state = market(
        fields, person, [[STINK], [RED]], [[STINK], [RED]], face_up=[SOY], hands=[hand, [GREEN]], coins=coins
    )
    return after(given(state, 0, *want or (SOY,)), DeclineOffer(0, 1, 1))


def offered_instead(state: State, bot: str = GENTLE, **more: Any) -> Terms | None:
    """Return what the player offers next for nothing, if it does."""
    answer: Any = BotCache(PLAYERS).reply(asked(state, bot, **more))
    if not isinstance(answer.command, MakeOffer) or terms_of(answer.command).want:
        return None
    return terms_of(answer.command)


def gift(state: State, bot: str = GENTLE) -> Proposal | None:
    """Return what seat 0 would give for nothing in place of what it has refused."""
    seen = view(RULES, state, 0)
    return given_instead(seen, bot, next(aims(seen, PERSON)))


@pytest.mark.parametrize("level", ["beginner", "gentle", "fair"])
def test_bean_that_costs_a_row_is_a_gift_to_who_has_offered_something_for_it(level: str) -> None:
    """He gets the soy bean as if he had begged for it."""
    answer: Any = BotCache(PLAYERS).reply(asked(refused_swap(), LEVELS[level]))

    assert isinstance(answer.command, MakeOffer)
    assert terms_of(answer.command) == Terms((1,), (SOY,), ())
    assert answer.reason == Reason("says.homeless", {"bean": SOY})


@pytest.mark.parametrize(
    ("state", "bot"),
    [
        pytest.param(refused_swap([[BLUE] * 3, [SOY]]), GENTLE, id="it does no harm"),
        pytest.param(refused_swap(), STRONG, id="a hard player sells what it can"),
        pytest.param(refused_swap(coins=[0, 5]), GENTLE, id="he leads"),
        pytest.param(refused_swap(person=([SOY] * 6, [RED])), GENTLE, id="it would bring him much"),
    ],
)
def test_nothing_is_given_instead(state: State, bot: str) -> None:
    """What would be no gift to who begged for it is none to who has offered something for it."""
    assert gift(state, bot) is None


def test_only_what_costs_a_row_is_given_instead() -> None:
    """He has asked for a blue bean as well, which grows there."""
    assert gift(refused_swap(SWAP, SOY, BLUE)) == Proposal((1,), (), (Copy(0, SOY),), ())


def test_bean_is_given_instead_once_and_by_players_of_the_levels_alone() -> None:
    """What was offered so in this turn is not offered again."""
    assert offered_instead(refused_swap(), made=(Terms((1,), (SOY,), ()),)) is None
    assert offered_instead(refused_swap(), "value-trader") is None


def test_bean_is_no_gift_because_an_own_price_for_it_was_refused() -> None:
    """A lower price comes first."""
    state = market([[BLUE] * 3, [WAX] * 4], [[SOY], [RED]], face_up=[SOY], hands=[[BLUE]])
    price = MakeOffer(0, (1,), (), (Copy(0, SOY),), (BLUE,), hand_revision=0)

    assert gift(after(state, price, DeclineOffer(1, 1, 1))) is None


def test_bean_is_no_gift_while_an_own_price_for_it_stands() -> None:
    """He has not answered that one yet."""
    state = market(SWAP, [[SOY], [RED]], face_up=[SOY], hands=[[BLUE], [GREEN]])
    price = MakeOffer(0, (1,), (), (Copy(0, SOY),), (BLUE,), hand_revision=0)

    assert gift(after(given(after(state, price), 0, SOY), DeclineOffer(0, 2, 1))) is None


def test_bean_is_offered_to_nobody_whose_row_is_full() -> None:
    """A wax bean more would earn him nothing."""
    others: list[Beds] = [[[RED], [GREEN]], [[RED], [GREEN]]]
    full = market([[BLUE] * 3, [STINK] * 2], [[WAX] * 11, [RED]], *others, face_up=[WAX])
    room = market([[BLUE] * 3, [STINK] * 2], [[WAX] * 10, [RED]], *others, face_up=[WAX])

    assert offers(full) == []
    assert {to for to, _, _ in offers(room)} == {1}


SPARES = SetWish(0, CHILI, "spare")
IDLE: Beds = [[BLUE] * 3, [SOY]]
"""Rows on which chilies of the hand are of no use."""


def wanted_chili(fields: Beds = IDLE, *want: Bean, hand: Sequence[Bean] = (BLUE, CHILI)) -> State:
    """Return the trading in which seat 0 has refused a green bean for its chili, which the person grows."""
    return refused_swap(fields, *want or (CHILI,), person=([CHILI], [RED]), hand=hand)


@pytest.mark.parametrize("level", ["beginner", "gentle", "fair"])
def test_bean_that_can_be_spared_is_a_gift_to_who_has_offered_something_for_it(level: str) -> None:
    """Who has said so means it, for nothing as well."""
    bot = LEVELS[level]

    assert offered_instead(wanted_chili(), bot) is None
    assert offered_instead(after(wanted_chili(), SPARES), bot) == Terms((1,), (CHILI,), ())


def test_bean_that_has_come_to_grow_is_spared_no_more() -> None:
    """What was said of it has become untrue."""
    assert gift(after(wanted_chili([[BLUE] * 3, [CHILI]]), SPARES)) is None


def test_one_bean_of_a_kind_is_spared() -> None:
    """Two were asked for; whoever begged for two would get none. Another kind was not asked for."""
    idle = wanted_chili(IDLE, CHILI, CHILI, hand=(BLUE, CHILI, CHILI, GARDEN))
    state = after(idle, SPARES, SetWish(0, GARDEN, "spare"))

    assert gift(state) == Proposal((1,), (Copy(1, CHILI),), (), ())


def test_bean_that_was_promised_is_given_to_nobody_else() -> None:
    """Neither by itself nor to who asks for it; a second one may be."""
    promise = MakePromise(0, 2, (CHILI,), (STINK,), "next-turn")
    state = after(wanted_chili(), SPARES, promise)
    second = after(wanted_chili(hand=(BLUE, CHILI, CHILI)), SPARES, promise)
    begs = given(state, None, CHILI)
    offer = offers_to(begs, 0)[-1]

    assert gift(state) is None
    assert gift(second) == Proposal((1,), (Copy(1, CHILI),), (), ())
    assert not asks_for_spared(view(RULES, begs, 0), offer)
    assert asks_for_spared(view(RULES, given(second, None, CHILI), 0), offer)

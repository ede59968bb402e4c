"""What computer players offer to people: no nonsense, nothing that competes, and few requests."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from bohn.rules.beans import Bean
from bohn.rules.commands import Claim, Command, DeclineOffer, EditOffer, MakeOffer, Plant, Reveal, SetWish
from bohn.rules.deal import opening
from bohn.rules.decide import decide
from bohn.rules.evolve import fold
from bohn.rules.resolve import resolve
from bohn.rules.shuffle import seed_from
from bohn.rules.state import Copies, Copy, State, TradePhase
from bohn.server.bots.manners import ChangedOffers, chance_of, for_those_who_may_have, is_mannerly
from bohn.server.bots.messages import terms_of
from bohn.server.bots.worker import BotCache
from bohn.views.view import TradeView, view
from tests.server.bots.company import ask_of

RULES = resolve("full", 4, "starter=seat:0")
ANNA = frozenset({1})
"""The only person sits in seat 1, the bot that offers in seat 0."""


def trading(*commands: Command) -> State:
    """Return the trading of seat 0 after these commands."""
    state = fold(opening(RULES, seed_from("manners")))
    for command in (Plant(0, 0), Reveal(0), *commands):
        state = fold(decide(RULES, state, command), state)
    return state


def settled(*commands: Command) -> State:
    """Return the same where all fields of seats 1 and 2 grow what nobody asks for in these tests."""
    state = trading()
    grown = ((HAND[0],), (HAND[1],))
    players = [replace(player, fields=grown) if seat in {1, 2} else player
               for seat, player in enumerate(state.players)]  # fmt: skip
    state = replace(state, players=tuple(players))
    for command in commands:
        state = fold(decide(RULES, state, command), state)
    return state


HAND = trading().players[0].hand
REVISION = trading().players[0].hand_revision
OTHERS = [bean for bean in RULES.kinds if bean not in HAND]
COMMON = max(OTHERS, key=lambda bean: RULES.deck[bean])
RARE = min(OTHERS, key=lambda bean: RULES.deck[bean])


def card(place: int = 0) -> Copies:
    """Return a card of the bot's hand."""
    return (Copy(place, HAND[place]),)


def offer(give: Copies, *want: Bean, to: tuple[int, ...] = (1,)) -> MakeOffer:
    """Return an offer of seat 0."""
    return MakeOffer(0, to, give, (), want, hand_revision=REVISION if give else 0)


def suits(command: MakeOffer | EditOffer, *before: Command, people: frozenset[int] = ANNA) -> bool:
    """Tell whether an offer has manners after these commands, of which all offers are remembered."""
    made = [terms_of(one) for one in before if isinstance(one, MakeOffer)]
    return is_mannerly(command, view(RULES, settled(*before), 0), made, people)


def left(command: MakeOffer | EditOffer, state: State, **more: Any) -> tuple[int, ...]:
    """Return whom an offer reaches where it goes to those only who may have what it asks for."""
    found = for_those_who_may_have(command, view(RULES, state, 0), None, more.get("people", ANNA))
    return () if found is None else found.to


def test_bargain_reaches_people() -> None:
    """A card for another one is what people are asked."""
    assert suits(offer(card(), OTHERS[0]))


@pytest.mark.parametrize("to", [(1,), (2, 3)])
def test_no_kind_is_asked_for_and_given(to: tuple[int, ...]) -> None:
    """Where people sit by, not even bots among themselves say so; without people nobody minds."""
    odd = offer(card(), HAND[0], to=to)

    assert not suits(odd)
    assert suits(odd, people=frozenset())


def test_same_card_is_asked_of_a_person_once_at_a_time() -> None:
    """Another price for it waits until the first was refused; others may be asked meanwhile."""
    first, other = offer(card(0), OTHERS[0]), offer(card(1), OTHERS[0])

    assert not suits(other, first)
    assert not suits(EditOffer(0, 1, 1, (1,), card(1), (), (OTHERS[0],), hand_revision=REVISION), first)
    assert suits(other, first, DeclineOffer(1, 1, 1))
    assert suits(replace(other, to=(2,)), first)


def test_price_becomes_a_gift_once_it_is_refused() -> None:
    """Not while it is thought about: nobody would believe the next price."""
    price = offer(card(0), OTHERS[0], OTHERS[1])
    gift = EditOffer(0, 1, 1, (1,), card(0), (), (), hand_revision=REVISION)
    cheaper = replace(gift, want=(OTHERS[0],))

    for better in (gift, cheaper, offer(card(0)), offer(card(0), OTHERS[0])):
        assert not suits(better, price)
    assert suits(cheaper, price, DeclineOffer(1, 1, 1))


def test_offer_that_is_thought_about_is_not_replaced_by_one_to_another_player() -> None:
    """Its card would have two prices at once; who holds a second one may offer that."""
    place = next(place for place, bean in enumerate(HAND) if HAND.count(bean) == 1)
    price = offer(card(place), OTHERS[0])
    gift = EditOffer(0, 1, 1, (2,), card(place), (), (), hand_revision=REVISION)

    assert not suits(gift, price)
    assert suits(gift, price, DeclineOffer(1, 1, 1))
    assert not suits(gift, replace(price, to=(1, 2)), DeclineOffer(2, 1, 1))


def test_answer_is_good_for_one_change_of_an_offer() -> None:
    """Who has offered something back reads the new price first, and says no or offers anew."""
    anna = trading().players[1]
    back = MakeOffer(
        1, (0,), (Copy(0, anna.hand[0]),), (), (HAND[0], HAND[1]), hand_revision=anna.hand_revision
    )
    change = EditOffer(0, 1, 1, (1,), card(1), (), (OTHERS[0],), hand_revision=REVISION)
    again = replace(change, revision=2, hand=card(2))
    begun = (offer(card(0), OTHERS[0]), back)
    other = EditOffer(1, 2, 1, (0,), back.hand, (), (HAND[1],), hand_revision=anna.hand_revision)

    changed = ChangedOffers()
    seen = view(RULES, settled(*begun), 0)
    assert not changed.is_too_soon(change, seen, ANNA)
    changed.note(change, seen)
    assert not changed.is_too_soon(change, seen, ANNA)  # it came to nothing: the offer is as it was
    assert changed.is_too_soon(again, view(RULES, settled(*begun, change), 0), ANNA)
    assert not changed.is_too_soon(again, view(RULES, settled(*begun, change), 0), frozenset())
    older = (replace(back, want=(HAND[0],)), offer(card(0), OTHERS[0]))
    assert changed.is_too_soon(replace(change, offer=2), view(RULES, settled(*older), 0), ANNA)
    anew = EditOffer(1, 1, 1, (0,), back.hand, (), (HAND[0], HAND[1]), hand_revision=anna.hand_revision)
    assert not changed.is_too_soon(replace(change, offer=2), view(RULES, settled(*older, anew), 0), ANNA)
    to_another = replace(again, to=(2,))
    assert not changed.is_too_soon(to_another, view(RULES, settled(*begun, change), 0), ANNA)
    later = replace(view(RULES, settled(*begun, change), 0), turn=2)
    assert not changed.is_too_soon(again, later, ANNA)
    for answer in (DeclineOffer(1, 1, 2), other):
        assert not changed.is_too_soon(again, view(RULES, settled(*begun, change, answer), 0), ANNA)


def test_who_has_said_yes_offers_nothing_else_for_it() -> None:
    """He waits until he is picked; here the person's market is that of seat 0, and seat 2 is the bot."""
    bot = trading().players[2]
    wanted = bot.hand[0]
    market = MakeOffer(0, (1, 2), card(0), (), (wanted,), open=True, hand_revision=REVISION)
    yes = Claim(2, 1, 1, (Copy(0, wanted),), bot.hand_revision)
    place = next(place for place, bean in enumerate(bot.hand) if bean not in {wanted, HAND[0]})
    worse = MakeOffer(
        2, (0,), (Copy(place, bot.hand[place]),), (), (HAND[0],), hand_revision=bot.hand_revision
    )

    def suits_bot(command: MakeOffer, *before: Command) -> bool:
        return is_mannerly(command, view(RULES, trading(*before), 2), (), frozenset({0}))

    assert suits_bot(worse, market)
    assert not suits_bot(worse, market, yes)
    assert suits_bot(replace(worse, want=(OTHERS[0],)), market, yes)


def test_card_stands_in_one_offer_at_a_time() -> None:
    """Whoever is asked: else it would have two prices; who holds a second one may offer that."""
    second = next((place for place, bean in enumerate(HAND) if bean == HAND[0] and place), None)
    first, other = offer(card(0), OTHERS[0]), offer(card(0), OTHERS[1], to=(2,))
    single = next(place for place, bean in enumerate(HAND) if HAND.count(bean) == 1)

    assert suits(other, first) is (second is not None)
    assert not suits(offer(card(single), OTHERS[1], to=(2,)), offer(card(single), OTHERS[0]))
    assert suits(offer(card(single), OTHERS[1], to=(2,)), offer(card(single), OTHERS[0]), people=frozenset())
    assert suits(
        offer(card(single), OTHERS[1], to=(2,)), offer(card(single), OTHERS[0]), DeclineOffer(1, 1, 1)
    )


def test_what_is_a_gift_has_no_price_beside_it() -> None:
    """In either order; another card may be sold."""
    gift, sale = offer(card()), offer(card(), OTHERS[0])

    assert not suits(sale, gift)
    assert not suits(gift, sale)
    assert suits(offer(card(1), OTHERS[0]), gift) is (HAND[1] != HAND[0])


def test_person_is_asked_for_one_card_as_a_gift() -> None:
    """For one in a turn, and no more, whatever became of it."""
    request = offer((), OTHERS[0])

    assert suits(request)
    assert not suits(offer((), OTHERS[0], OTHERS[1]))
    assert not suits(offer((), OTHERS[1]), request, DeclineOffer(1, 1, 1))
    assert suits(offer((), OTHERS[1], to=(2,)), request)


def test_person_is_brought_what_he_has_a_use_for() -> None:
    """What he grows, wishes for or has room for; or he is rid of more than he gets."""
    sale = offer(card(2), OTHERS[0])
    assert HAND[2] not in HAND[:2]

    assert not suits(sale)
    assert suits(sale, people=frozenset())
    assert suits(sale, SetWish(1, HAND[2], "want"))
    assert is_mannerly(sale, view(RULES, trading(), 0), (), ANNA)


def test_person_is_rid_of_more_than_he_gets() -> None:
    """What brings him nothing he grows takes more face-up beans away that he does not grow, not as many."""
    state = settled()
    assert isinstance(state.phase, TradePhase)
    lying = state.phase.face_up
    seen, host = view(RULES, state, 2), frozenset({0})
    useless = next(bean for bean in RULES.kinds if bean not in {*lying, *state.players[0].fields[0]})
    grower = replace(seen.players[0], fields=((useless,), (useless,)))
    seen = replace(seen, players=(grower, *seen.players[1:]))
    own = state.players[2].hand
    place = next(place for place, bean in enumerate(own) if bean != useless)
    given, revision = (Copy(place, own[place]),), state.players[2].hand_revision

    helps = MakeOffer(2, (0,), given, (), lying, hand_revision=revision)
    assert len(lying) == 2
    assert is_mannerly(helps, seen, (), host)
    assert not is_mannerly(replace(helps, want=lying[:1]), seen, (), host)
    assert not is_mannerly(replace(helps, want=(lying[0], useless)), seen, (), host)


def test_answer_to_a_counter_offer_may_ask_for_the_same() -> None:
    """It takes the place of the offer that was countered; a second one beside it competes with that."""
    first = offer(card(0), OTHERS[0])
    anna = trading().players[1].hand
    back = MakeOffer(
        1, (0,), (Copy(0, anna[0]),), (), (HAND[0], HAND[1]),
        hand_revision=trading().players[1].hand_revision,
    )  # fmt: skip
    change = EditOffer(0, 1, 1, (1,), card(1), (), (OTHERS[0],), hand_revision=REVISION)

    assert not suits(change, first)
    assert suits(change, first, back)
    assert not suits(offer(card(1), OTHERS[0]), first, back)


def test_what_had_a_price_is_not_asked_for_as_a_gift() -> None:
    """Not even once that was refused."""
    assert not suits(offer((), OTHERS[0]), offer(card(), OTHERS[0]), DeclineOffer(1, 1, 1))


def test_person_is_not_asked_to_give_away_what_he_grows() -> None:
    """Unless he has said that he has it to spare."""
    state = trading()
    grower, *_ = (seat for seat in range(4) if state.players[seat].fields[0])
    grown = state.players[grower].fields[0][0]
    people = frozenset({grower})
    seen = view(RULES, state, 1)
    request = MakeOffer(1, (grower,), (), (), (grown,))

    assert not is_mannerly(request, seen, (), people)
    spared = fold(decide(RULES, state, SetWish(grower, grown, "spare")), state)
    assert is_mannerly(request, view(RULES, spared, 1), (), people)


def test_bot_is_asked_again_for_an_offer_with_manners() -> None:
    """What suits nobody is never sent; the next one on its list is."""

    class Odd:
        """Offers nonsense before sense."""

        name, trades, off_turn, uses_knowledge = "odd", True, True, False

        def __init__(self, _seed: int) -> None:
            self.left = [offer(card(), HAND[0]), offer(card(), RARE), offer(card(), COMMON)]

        def decide(self, *_: object) -> MakeOffer:
            return self.left.pop(0)

    asked = ask_of(RULES, trading(), 0, "odd", people=ANNA)
    answer = BotCache({"odd": Odd}).reply(asked)

    assert getattr(answer, "command", None) == offer(card(), COMMON)


def test_person_with_an_empty_field_is_not_asked_for_a_gift() -> None:
    """There every card is worth something, so that no game begins with a bot that begs."""
    seen = view(RULES, trading(), 0)

    assert not is_mannerly(offer((), COMMON), seen, (), ANNA)
    assert is_mannerly(offer((), COMMON), seen, (), frozenset())
    assert is_mannerly(offer(card(), COMMON), seen, (), ANNA)


def test_person_is_not_asked_to_give_away_what_he_wishes_for() -> None:
    """A wish says what a card is worth to him."""
    seen = view(RULES, settled(SetWish(1, COMMON, "want")), 0)

    assert not is_mannerly(offer((), COMMON), seen, (), ANNA)


def test_person_is_asked_for_what_he_is_likely_to_have() -> None:
    """Of a rare kind he has none as a rule; bots may be asked for it."""
    state = trading()

    assert left(offer(card(), COMMON, to=(1, 2)), state) == (1, 2)
    assert left(offer(card(), RARE, to=(1, 2)), state) == (2,)
    assert left(offer(card(), RARE), state) == ()
    assert left(offer(card(), RARE), state, people=frozenset()) == (1,)
    assert left(offer(card()), state) == (1,)


def test_person_is_likely_to_have_all_of_what_he_is_asked_for_together() -> None:
    """He has each of several common kinds as a rule, but seldom all of them."""
    state = trading()
    common = sorted(RULES.kinds, key=lambda bean: -RULES.deck[bean])[:3]

    assert all(left(offer(card(), bean), state) == (1,) for bean in common)
    assert left(offer(card(), *common), state) == ()


def test_person_is_asked_for_what_he_says_or_shows_that_he_has() -> None:
    """However rare it is."""
    state = trading()
    rare = min(state.players[1].hand, key=lambda bean: RULES.deck[bean])
    shown = MakeOffer(
        1, (0,), (Copy(state.players[1].hand.index(rare), rare),), (), (COMMON,),
        hand_revision=state.players[1].hand_revision,
    )  # fmt: skip

    assert left(offer(card(), rare), state) == ()
    assert left(offer(card(), rare), trading(SetWish(1, rare, "spare"))) == (1,)
    assert left(offer(card(), rare), trading(shown)) == (1,)


def test_person_is_asked_for_what_lies_before_him() -> None:
    """What lies face up everybody sees."""
    state = trading()
    lying = view(RULES, state, 1)
    assert isinstance(lying.phase, TradeView)
    rare = min(lying.phase.face_up, key=lambda bean: RULES.deck[bean])
    asked = MakeOffer(1, (0,), (), (), (rare,))

    assert for_those_who_may_have(asked, lying, None, frozenset({0})) == asked
    twice = replace(asked, want=(rare, rare, rare))
    assert for_those_who_may_have(twice, lying, None, frozenset({0})) is None


def test_nobody_is_asked_for_what_he_has_said_he_has_none_of() -> None:
    """Whoever else is asked still is, and he for anything else."""
    state, told = trading(), ((1, COMMON),)

    def to(want: Bean, *asked: int) -> tuple[int, ...]:
        seen = view(RULES, state, 0)
        found = for_those_who_may_have(offer(card(), want, to=asked), seen, None, frozenset({1, 2}), told)
        return () if found is None else found.to

    other = next(bean for bean in OTHERS if bean != COMMON and to(bean, 1))
    assert left(offer(card(), COMMON), state) == (1,)
    assert (to(COMMON, 1), to(COMMON, 1, 2), to(other, 1)) == ((), (2,), (1,))


def test_chance_of_a_card_in_a_hand_is_that_of_drawing_it() -> None:
    """Two cards drawn from four, of which two are of the kind."""
    assert chance_of(1, 2, 4, 2) == pytest.approx(5 / 6)
    assert chance_of(2, 2, 4, 2) == pytest.approx(1 / 6)
    assert chance_of(1, 0, 4, 2) == pytest.approx(0)
    assert chance_of(3, 2, 4, 2) == pytest.approx(0)

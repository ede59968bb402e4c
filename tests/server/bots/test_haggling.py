"""Computer players take up what people offer back, refuse and wish for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from bohn.bots.bargaining import Proposal, offer_command
from bohn.bots.named_traders import ThirdStrongTrader
from bohn.bots.reasons import Reason
from bohn.play.floor import BRISK, play_game
from bohn.play.seat import BotFactory, Choices
from bohn.rules.beans import Bean
from bohn.rules.commands import Command, DeclineOffer, EditOffer, MakeOffer, Plant, Reveal, SetWish
from bohn.rules.deal import opening
from bohn.rules.decide import decide
from bohn.rules.evolve import fold
from bohn.rules.legal import legal_commands, offer_space
from bohn.rules.resolve import resolve
from bohn.rules.shuffle import seed_from
from bohn.rules.state import Copies, Copy, State
from bohn.server.bots.haggling import (
    CLOSER,
    Aim,
    aims,
    as_offer,
    given,
    is_countered,
    nearest,
    prices,
    welcome,
)
from bohn.server.bots.messages import BotAnswer, Terms
from bohn.server.bots.said import hearing
from bohn.server.bots.worker import BotCache
from bohn.views.knowledge import Knowledge, know
from bohn.views.view import OfferView, TradeView, View, view
from tests.server.bots.company import ask_of

RULES = resolve("full", 4, "starter=seat:0")
ANNA = frozenset({1})
"""The only person sits in seat 1; the bot in seat 0 trades."""


def trading(*commands: Command) -> State:
    """Return the trading of seat 0 after these commands."""
    state = fold(opening(RULES, seed_from("haggling")))
    for command in (Plant(0, 0), Reveal(0), *commands):
        state = fold(decide(RULES, state, command), state)
    return state


START = trading()
HAND, REVISION = START.players[0].hand, START.players[0].hand_revision
ANNAS = START.players[1].hand


def card(place: int = 0) -> Copies:
    """Return a card of the bot's hand."""
    return (Copy(place, HAND[place]),)


def offer(give: Copies, *want: Bean, to: tuple[int, ...] = (1,)) -> MakeOffer:
    """Return an offer of the bot."""
    return MakeOffer(0, to, give, (), tuple(sorted(want)), hand_revision=REVISION if give else 0)


def annas(give: Sequence[int], *want: Bean) -> MakeOffer:
    """Return an offer of Anna: cards by their places in her hand."""
    copies = tuple(Copy(place, ANNAS[place]) for place in give)
    return MakeOffer(1, (0,), copies, (), tuple(sorted(want)), hand_revision=START.players[1].hand_revision)


def proposal(give: Copies, *want: Bean, to: int = 1) -> Proposal:
    """Return a proposal of the bot."""
    return Proposal((to,), give, (), tuple(sorted(want)))


def found(*commands: Command, people: frozenset[int] = ANNA) -> list[Aim]:
    """Return what the bot may take up after these commands."""
    return list(aims(view(RULES, trading(*commands), 0), people))


ASKED = offer(card(), ANNAS[0])
"""The bot's first card for Anna's first."""

ASKED_GIVES = (HAND[0],)

COUNTER = annas([0], HAND[0], HAND[1])
"""She wants one card more."""


def test_counter_offer_that_was_refused_is_taken_up() -> None:
    """As an offer of the bot with her beans, in place of the one to which she answered."""
    aim, *others = found(ASKED, COUNTER, DeclineOffer(0, 2, 1))

    assert (aim.seat, aim.near) == (1, Terms((1,), COUNTER.want, (ANNAS[0],)))
    assert aim.countered
    assert aim.offer is not None
    assert aim.offer.id == 1
    assert others == []


def test_offer_of_a_person_that_was_refused_is_taken_up_without_an_own_one() -> None:
    """There is nothing to change then."""
    (aim,) = found(COUNTER, DeclineOffer(0, 1, 1))

    assert aim.countered
    assert aim.offer is None


def test_only_those_are_taken_up_who_are_to_be_heard() -> None:
    """What others say and answer is left as it is."""
    assert found(ASKED, COUNTER, DeclineOffer(0, 2, 1), people=frozenset({2})) == []
    assert found(ASKED, DeclineOffer(1, 1, 1), SetWish(1, HAND[0], "want"), people=frozenset()) == []


def test_refused_offer_is_taken_up_once_all_have_refused_it() -> None:
    """Before that it stands."""
    assert found(ASKED) == []
    (aim,) = found(ASKED, DeclineOffer(1, 1, 1))
    assert (aim.near, aim.countered, aim.offer) == (Terms((1,), (HAND[0],), ASKED.want), False, None)


def test_offer_that_computer_players_alone_have_refused_is_changed() -> None:
    """Everybody may see that they refused it: one price after the other, not one beside the other."""
    refused = view(RULES, trading(ASKED, DeclineOffer(1, 1, 1)), 0)
    (aim,) = aims(refused, ANNA, ANNA)
    change: Any = as_offer(aim, offer(card(1), ANNAS[0]))

    assert (aim.countered, isinstance(change, EditOffer)) == (False, True)
    assert (change.offer, change.revision, change.hand) == (1, 1, card(1))
    elsewhere = as_offer(aim, offer(card(1), ANNAS[0], to=(2,)))
    assert isinstance(elsewhere, MakeOffer)


def test_wish_is_taken_up_where_one_may_trade() -> None:
    """Anna's; nobody's with whom the bot cannot trade."""
    (aim,) = found(SetWish(1, HAND[1], "want"), SetWish(2, HAND[2], "spare"))
    assert (aim.seat, aim.wished) == (1, HAND[1])

    beside = view(RULES, trading(SetWish(1, HAND[1], "want")), 2)
    assert list(aims(beside, ANNA)) == []


def test_nearest_offer_has_the_fewest_other_beans() -> None:
    """Of equally near ones the first, which is the best for the player."""
    (aim,) = found(COUNTER, DeclineOffer(0, 1, 1))
    wanted = ANNAS[0]
    far, near = proposal(card(2), wanted), proposal(card(1), wanted)
    both = proposal((*card(0), *card(1)), wanted)

    assert nearest(aim, [far, near]) == near
    assert nearest(aim, [near, proposal(card(0), wanted)]) == near
    assert nearest(aim, [far, near, both]) == both
    assert nearest(aim, [proposal(both.hand, wanted, to=2)]) is None


def test_price_after_a_refusal_is_another_one_for_the_same() -> None:
    """Not less for it, and no other subject."""
    (aim,) = found(ASKED, DeclineOffer(1, 1, 1))
    wanted, other = ANNAS[0], next(bean for bean in RULES.kinds if bean != ANNAS[0])

    assert nearest(aim, [proposal((), wanted), proposal(card(1), other)]) is None
    more = proposal((*card(0), *card(1)), wanted)
    assert nearest(aim, [proposal((), wanted), more]) == more


def test_offer_is_countered_by_one_about_its_beans() -> None:
    """From somebody whom it reaches, to its maker."""
    seen = view(RULES, trading(ASKED, COUNTER), 0)
    other = next(bean for bean in HAND if bean != HAND[0])
    apart = view(RULES, trading(ASKED, annas([next(n for n in range(5) if ANNAS[n] != ANNAS[0])], other)), 0)

    assert isinstance(seen.phase, TradeView)
    assert isinstance(apart.phase, TradeView)
    assert is_countered(seen, seen.phase.offers[0], 1)
    assert not is_countered(seen, seen.phase.offers[0], 2)
    assert not is_countered(apart, apart.phase.offers[0], 1)


def test_card_that_somebody_can_spare_is_known_until_he_refuses_it() -> None:
    """What he says is believed, until he does not give it."""
    state = trading(SetWish(1, ANNAS[0], "spare"))
    seen = view(RULES, state, 0)
    heard = hearing(seen, know(seen), ANNA)

    assert heard.shown[1][ANNAS[0]] == 1
    assert sum(heard.shown[1]) == 1
    assert hearing(seen, know(seen), frozenset()).shown == know(seen).shown
    refused = tuple(int(bean == ANNAS[0]) for bean in Bean)
    doubted = replace(know(seen), refusals=(refused, refused, refused, refused))
    assert sum(hearing(seen, doubted, ANNA).shown[1]) == 0


def test_prices_after_a_counter_offer_are_better_ones_for_the_player() -> None:
    """It gives less or another bean, or gets more of what it grows; nothing on both sides."""
    (aim,) = found(COUNTER, DeclineOffer(0, 1, 1))
    seen = view(RULES, trading(COUNTER, DeclineOffer(0, 1, 1)), 0)
    sides = {(tuple(sorted(given(one).elements())), one.want) for one in prices(seen, aim)}
    grows = {bean for field in seen.players[0].fields for bean in field}

    assert ((HAND[0],), (ANNAS[0],)) in sides
    assert ((HAND[1],), (ANNAS[0],)) in sides
    assert all(len(give) <= 2 for give, _ in sides)
    assert all({*want} <= {ANNAS[0], *grows} for _, want in sides)
    assert all({*give}.isdisjoint(want) for give, want in sides)
    assert all(Counter(give) <= Counter(HAND + lying(seen)) for give, _ in sides)


def test_prices_after_a_refusal_are_better_ones_for_the_person() -> None:
    """One more bean, another one, or the same for less."""
    (aim,) = found(ASKED, DeclineOffer(1, 1, 1))
    seen = view(RULES, trading(ASKED, DeclineOffer(1, 1, 1)), 0)
    sides = {(tuple(sorted(given(one).elements())), one.want) for one in prices(seen, aim)}

    assert (tuple(sorted(HAND[:2])), ASKED.want) in sides
    assert ((HAND[1],), ASKED.want) in sides
    assert all(set(want) <= set(ASKED.want) for _, want in sides)


def test_price_is_made_better_by_what_is_of_use_alone() -> None:
    """To somebody without an empty field only what he grows or wishes for."""
    seen = view(RULES, trading(ASKED, DeclineOffer(1, 1, 1)), 0)
    (aim,) = found(ASKED, DeclineOffer(1, 1, 1))
    full = replace(seen.players[1], fields=((HAND[1],), (ANNAS[0],)))
    seen = replace(seen, players=(seen.players[0], full, *seen.players[2:]))
    more = [given(one) - Counter(ASKED_GIVES) for one in prices(seen, aim)]

    assert more
    assert all(set(beans) <= {HAND[1]} for beans in more)


def test_what_somebody_can_spare_is_asked_for_by_who_grows_it() -> None:
    """Each of the beans that he has a use for is a price; nothing is begged for."""
    spare = SetWish(1, ANNAS[0], "spare")
    assert found(spare) == []  # the bot does not grow it
    seen = view(RULES, trading(spare), 0)
    own = replace(seen.players[0], fields=((ANNAS[0],), ()))
    seen = replace(seen, players=(own, *seen.players[1:]))
    (aim,) = aims(seen, ANNA)
    asked = prices(seen, aim)

    assert (aim.seat, aim.spared) == (1, ANNAS[0])
    assert asked
    assert all(one.want == (ANNAS[0],) and given(one).total() == 1 for one in asked)
    assert aim.distance(asked[0]) == 0
    assert aim.distance(proposal(card(), HAND[1])) is None
    assert aim.distance(proposal((), ANNAS[0])) is None
    assert aim.reason() == Reason("says.spared", {"bean": ANNAS[0]})


def test_prices_are_of_beans_that_the_player_has() -> None:
    """A second bean of which it has one is no price."""
    seen, refused = view(RULES, trading(), 0), Terms((1,), (HAND[1],), (ANNAS[0],))
    own = Counter(HAND + lying(seen))
    assert own[HAND[1]] == 1

    found = prices(seen, Aim((1, "refused", 1, 1), 1, refused))
    assert found
    assert all(given(one) <= own for one in found)
    assert len(found) == len({repr(one) for one in found})


def lying(seen: View) -> tuple[Bean, ...]:
    """Return what lies face up."""
    assert isinstance(seen.phase, TradeView)
    return seen.phase.face_up


class Haggler:
    """Would make these offers, one after the other; what it makes it notes."""

    name, trades, off_turn, uses_knowledge = "haggler", True, False, False

    def __init__(self, *proposals: Proposal) -> None:
        self.left = list(proposals)
        self.welcome: set[tuple[tuple[Bean, ...], tuple[Bean, ...]]] = set()

    def next_offers(self, _view: View, _choices: Choices, _known: Knowledge, _most: int) -> list[Proposal]:
        """Return what is left."""
        return list(self.left)

    def gains(
        self, _view: View, _choices: Choices, _known: Knowledge, offers: Sequence[OfferView]
    ) -> list[float]:
        """Welcome what it is told to."""
        return [float((one.want, one.given) in self.welcome) for one in offers]

    def propose(self, view: View, _known: Knowledge, made: Proposal) -> Command:
        """Make one of them, or another."""
        if made in self.left:
            self.left.remove(made)
        assert isinstance(view.phase, TradeView)
        return offer_command(view, view.phase, made)

    def decide(self, view: View, _choices: Choices, knowledge: Knowledge) -> Command | None:
        """Decline what waits for an answer, else make the first."""
        assert isinstance(view.phase, TradeView)
        assert view.own is not None
        for one in view.phase.offers:
            if 0 in one.to and one.id not in view.own.refused:
                return DeclineOffer(0, one.id, one.revision)
        return self.propose(view, knowledge, self.left[0]) if self.left else None


def answer(cache: BotCache, *commands: Command, **more: Any) -> BotAnswer:
    """Return what the bot does after these commands."""
    asked = ask_of(RULES, trading(*commands), 0, "haggler", people=ANNA, **more)
    reply = cache.reply(asked)
    assert isinstance(reply, BotAnswer)
    return reply


BETTER = proposal((*card(0), *card(1)), ANNAS[0])
NEAR = proposal(card(1), ANNAS[0])
OTHER = proposal(card(2), ANNAS[1])


@pytest.fixture
def cache() -> BotCache:
    """Return a bot that would rather talk of something else."""
    return BotCache({"haggler": lambda _seed: Haggler(OTHER, BETTER, NEAR)})


def test_counter_offer_changes_the_offer_that_it_answers(cache: BotCache) -> None:
    """Before anything else, and the bot says so."""
    got = answer(cache, ASKED, COUNTER, DeclineOffer(0, 2, 1))

    assert got.command == EditOffer(0, 1, 1, (1,), BETTER.hand, (), BETTER.want, hand_revision=REVISION)
    assert got.reason == CLOSER


def test_counter_offer_brings_the_nearest_price_that_is_welcome() -> None:
    """Even where the bot would not have made it by itself."""
    bot = Haggler(OTHER)
    bot.welcome = {((HAND[1],), (ANNAS[0],)), ((HAND[2],), (ANNAS[0],))}
    got = answer(BotCache({"haggler": lambda _seed: bot}), ASKED, COUNTER, DeclineOffer(0, 2, 1))

    assert isinstance(got.command, EditOffer)
    assert (got.command.hand, got.command.want) == (card(1), (ANNAS[0],))


def test_counter_offer_is_answered_before_it_is_taken_up(cache: BotCache) -> None:
    """It might be welcome; so might another one of hers."""
    assert answer(cache, ASKED, COUNTER).command == DeclineOffer(0, 2, 1)
    again = answer(cache, ASKED, COUNTER, DeclineOffer(0, 2, 1), annas([1], HAND[2]))
    assert again.command == DeclineOffer(0, 3, 1)


def test_counter_offer_is_taken_up_once(cache: BotCache) -> None:
    """Then the bot goes on with what it likes best."""
    said = (ASKED, COUNTER, DeclineOffer(0, 2, 1))
    answer(cache, *said)

    got = answer(cache, *said)
    assert isinstance(got.command, MakeOffer | EditOffer)
    assert (got.command.hand, got.command.want) == (OTHER.hand, OTHER.want)


@pytest.mark.parametrize("refused", [False, True])
def test_answer_that_has_changed_an_offer_changes_it_no_more(cache: BotCache, *, refused: bool) -> None:
    """Whoever gave it reads the new price first; once that is refused there is another."""
    said = (ASKED, COUNTER, DeclineOffer(0, 2, 1))
    changed = answer(cache, *said).command
    assert isinstance(changed, EditOffer)

    no = (DeclineOffer(1, 1, 2),) if refused else ()
    assert isinstance(answer(cache, *said, changed, *no).command, EditOffer) is refused


def test_offer_that_waits_for_a_person_stops_no_other_one() -> None:
    """What would change it stands beside it (`bohn.server.bots.recipients`), whatever she has said."""
    for said in ((ASKED,), (ASKED, DeclineOffer(1, 1, 1))):
        fresh = BotCache({"haggler": lambda _seed: Haggler(OTHER)})
        got = answer(fresh, *said).command
        assert isinstance(got, EditOffer)
        assert (got.hand, got.want) == (OTHER.hand, OTHER.want)


def test_bot_without_offers_left_takes_nothing_up(cache: BotCache) -> None:
    """It may make none."""
    assert answer(cache, ASKED, COUNTER, DeclineOffer(0, 2, 1), tries=0).reason != CLOSER


def test_wish_brings_the_offer_that_fulfils_it(cache: BotCache) -> None:
    """Though the bot would rather have made another one."""
    wished = next(bean for bean in (HAND[0], HAND[1]) if bean != HAND[2])
    got = answer(cache, SetWish(1, wished, "want"), SetWish(1, ANNAS[0], "spare"))

    assert isinstance(got.command, MakeOffer)
    assert got.command.hand == BETTER.hand
    assert got.reason == Reason("says.wished", {"bean": wished})


@pytest.mark.compiled
def test_trader_answers_a_counter_offer_at_a_price_that_it_would_accept() -> None:
    """What it then offers it would have taken, had Anna offered it."""
    state = trading(ASKED, COUNTER)
    bot, space = ThirdStrongTrader(1), offer_space(RULES, state, 0)
    seen = view(RULES, state, 0)
    choices, known = Choices(legal_commands(RULES, state, 0), space, 5), know(seen)
    aim = Aim((1, "counter", 2, 1), 1, Terms((1,), COUNTER.want, (ANNAS[0],)), countered=True)
    likes = welcome(bot, seen, choices, known, prices(seen, aim))
    asked = [
        OfferView(9, 1, 1, (0,), one.want, (), tuple(sorted(given(one).elements())), open=False)
        for one in likes
    ]

    assert likes
    assert all(gain > 0 for gain in bot.gains(seen, choices, known, asked))
    assert len(likes) < len(prices(seen, aim))


@pytest.mark.compiled(only=True)
def test_trader_tells_its_next_offers_and_forgets_that_it_was_asked() -> None:
    """It makes them afterwards, in this order, as if it had not been asked."""
    told: list[tuple[Proposal, ...]] = []

    class Asked(ThirdStrongTrader):
        def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
            if choices.tries > 0:
                told.append(self.next_offers(view, choices, knowledge, 5))
            return super().decide(view, choices, knowledge)

    plain = play_game(RULES, 5, [ThirdStrongTrader(seat) for seat in range(4)], BRISK, with_moves=True)
    asked = play_game(RULES, 5, [Asked(seat) for seat in range(4)], BRISK, with_moves=True)

    assert [move.command for move in asked.moves] == [move.command for move in plain.moves]
    assert max(map(len, told)) == 5


# -- computer players among each other -----------------------------------------------------------


def among_bots(bot: str, people: frozenset[int], *commands: Command) -> BotAnswer:
    """Return what a bot of this name does where seat 1 is no person."""
    players: dict[str, BotFactory] = {bot: lambda _seed: Haggler(OTHER, BETTER, NEAR)}
    reply = BotCache(players).reply(ask_of(RULES, trading(*commands), 0, bot, people=people))
    assert isinstance(reply, BotAnswer)
    return reply


@pytest.mark.parametrize(
    ("bot", "people", "heard"),
    [
        ("strongest-0", frozenset({3}), True),
        ("strong-0", frozenset({3}), True),
        ("strong-0", frozenset[int](), False),
        ("haggler", frozenset({3}), False),
    ],
)
def test_players_of_the_levels_take_each_other_up_beside_people(
    bot: str, people: frozenset[int], *, heard: bool
) -> None:
    """A wish and a counter-offer of another one; where no people play nothing is taken up."""
    wished = among_bots(bot, people, SetWish(1, HAND[1], "want"), SetWish(1, ANNAS[0], "spare"))
    countered = among_bots(bot, people, ASKED, COUNTER, DeclineOffer(0, 2, 1))

    assert (wished.reason == Reason("says.wished", {"bean": HAND[1]})) == heard
    assert (countered.reason == CLOSER) == heard


@pytest.mark.parametrize(("person", "kind"), [(3, EditOffer), (1, MakeOffer)])
def test_player_of_a_level_has_one_price_at_a_time_for_another_one(
    person: int, kind: type[EditOffer | MakeOffer]
) -> None:
    """It changes what another one has refused; what a person has refused stays as it is."""
    bot = Haggler()
    bot.welcome = {(tuple(sorted((HAND[0], HAND[3]))), ASKED.want)}
    players: dict[str, BotFactory] = {"strong-0": lambda _seed: bot}
    state = trading(SetWish(1, ANNAS[0], "spare"), ASKED, DeclineOffer(1, 1, 1))
    reply: Any = BotCache(players).reply(ask_of(RULES, state, 0, "strong-0", people=frozenset({person})))

    assert reply.reason == CLOSER
    assert isinstance(reply.command, kind)


def test_player_of_a_level_believes_another_one_no_longer_than_a_person() -> None:
    """Who has refused twice what he said he wants is heard no more."""
    wish, spare, gift = SetWish(1, HAND[0], "want"), SetWish(1, ANNAS[0], "spare"), offer(card())
    once = (wish, gift, DeclineOffer(1, 1, 1))
    heard = Reason("says.wished", {"bean": HAND[0]})

    assert among_bots("strong-0", frozenset({3}), *once, spare).reason == heard
    twice = (*once, gift, DeclineOffer(1, 2, 1))
    assert among_bots("strong-0", frozenset({3}), *twice, spare).reason != heard


def test_player_of_a_level_counts_on_what_another_one_can_spare() -> None:
    """As if he had shown it."""
    known: list[int] = []

    class Listener(Haggler):
        def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
            known.append(knowledge.shown[1][ANNAS[0]])
            return super().decide(view, choices, knowledge)

    state = trading(SetWish(1, ANNAS[0], "spare"))
    learnt = know(view(RULES, state, 0))
    for bot in ("gentle-0", "haggler"):
        players: dict[str, BotFactory] = {bot: lambda _seed: Listener()}
        BotCache(players).reply(ask_of(RULES, state, 0, bot, people=frozenset({3}), knowledge=learnt))

    assert known == [1, 0]


def test_bot_asks_nobody_again_for_what_he_has_said_he_has_none_of(cache: BotCache) -> None:
    """Not by taking up his answer, and not by itself: it comes to what it likes next."""
    said = (ASKED, COUNTER, DeclineOffer(0, 2, 1))
    free: Any = answer(cache, *said, told_none=((1, ANNAS[0]),))
    asked = Haggler(BETTER, OTHER)
    next_best: Any = answer(BotCache({"haggler": lambda _seed: asked}), told_none=((1, ANNAS[0]),))

    assert free.command.want == OTHER.want
    assert next_best.command.want == OTHER.want

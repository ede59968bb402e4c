"""What computer players say they want and can spare, where people sit by."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any, cast

import pytest
from msgspec.structs import replace

from bohn.bots.farming import grown
from bohn.play.seat import Bot, Choices
from bohn.protocol.room_commands import Stand
from bohn.rules.beans import Bean
from bohn.rules.commands import Command, MakeOffer, SetWish
from bohn.rules.legal import legal_commands, offer_space
from bohn.rules.state import State, Wishes
from bohn.server.bots.concerns import meaning_of
from bohn.server.bots.messages import BotAnswer, Question, load_players
from bohn.server.bots.seats import TALK_A_MOVE
from bohn.server.bots.wishing import STILL_WANTED, WANTED, Speaker
from bohn.server.bots.worker import BotCache, SeatedPlayer
from bohn.views.knowledge import know
from bohn.views.view import OfferView, TradeView, View, view
from tests.server.bots.actors import ActorHouse, ask_for, staged, wish
from tests.server.bots.company import BotHouse, HomePool, ask_of
from tests.server.bots.players import WHERE
from tests.server.bots.test_haggling import HAND, RULES, START, trading

ANNA = frozenset({1})
"""The only person sits in seat 1; the bot in seat 0 trades."""
ALL: Any = tuple(legal_commands(RULES, START, 0))
CHOICES = Choices(ALL, offer_space(RULES, START, 0), 5)


class Prices:
    """A player whose gains follow from what it is given and what it gives, in coins."""

    def __init__(self, worth: dict[Bean, float], dear: frozenset[Bean] = frozenset()) -> None:
        """Know what a bean is worth, others are worth nothing; ``dear`` ones it never gives."""
        self.worth, self.dear = worth, dear

    def gains(
        self, _view: View, _choices: Choices, _knowledge: Any, offers: Sequence[OfferView]
    ) -> tuple[float, ...]:
        """Return what each offer brings, less a trifle."""
        return tuple(
            self._sum(offer.given) - self._sum(offer.want) - 9 * (not self.dear.isdisjoint(offer.want)) - 0.01
            for offer in offers
        )

    def _sum(self, beans: Iterable[Bean]) -> float:
        return sum(self.worth.get(bean, 0.0) for bean in beans)

    def next_offers(self, *_: Any) -> tuple[()]:
        """Offer nothing."""
        return ()

    def propose(self, *_: Any) -> Command:
        """Offers nothing, so it is never asked to make one of its offers."""
        msg = "asked to make an offer that it did not name"
        raise AssertionError(msg)


def placed(**more: Any) -> View:
    """Return the trading as the bot sees it, which grows two kinds; Anna grows one of its hand.

    Nothing lies face up.
    """
    seen = view(RULES, START, 0)
    assert isinstance(seen.phase, TradeView)
    seen = replace(seen, phase=replace(seen.phase, face_up=()))
    players = list(seen.players)
    players[0] = replace(players[0], fields=((BEST,), (GOOD,)))
    players[1] = replace(players[1], fields=((HELD,), ()))
    return replace(seen, players=tuple(players), **more)


HELD = next(bean for bean in HAND if bean not in grown(START.players[0].fields))
BEST, GOOD = [bean for bean in RULES.kinds if bean not in HAND][:2]


def said(
    worth: dict[Bean, float], seen: View, people: frozenset[int] = ANNA, *dear: Bean
) -> list[tuple[Bean, str]]:
    """Return what a player says until it is silent, as kinds and marks."""
    speaker = Speaker()
    heard: list[tuple[Bean, str]] = []
    while True:
        command = speaker.says(Prices(worth, frozenset(dear)), seen, CHOICES, know(seen), people)
        if command is None:
            return heard
        heard.append((command.bean, command.mark))
        wishes = list(seen.talk.wishes)
        wishes[0] = wishes[0].marked(command.bean, command.mark)
        seen = replace(seen, talk=replace(seen.talk, wishes=tuple(wishes)))
        assert len(heard) < 10, heard


def test_player_says_what_it_wants_most_and_what_it_would_give_for_that() -> None:
    """One kind of each; what it can spare is a kind that a person grows."""
    assert said({BEST: 1.0, GOOD: 0.9}, placed()) == [(BEST, "want"), (HELD, "spare")]


def test_player_says_nothing_of_kinds_that_nobody_has_a_use_for() -> None:
    """Anna grows nothing, or something else."""
    seen = placed()
    useless = replace(seen.players[1], fields=((), ()))
    players = (seen.players[0], useless, *seen.players[2:])
    assert said({BEST: 1.0}, replace(seen, players=players)) == [(BEST, "want")]


def test_player_spares_nothing_for_who_leads() -> None:
    """He would be given nothing for little, so nobody tells him that he would."""
    seen = placed()
    leader = replace(seen.players[1], treasury=(max(RULES.kinds),) * 3)
    ahead = replace(seen, players=(seen.players[0], leader, *seen.players[2:]))

    assert said({BEST: 1.0}, ahead) == [(BEST, "want")]


def test_player_wants_only_what_it_grows() -> None:
    """However much a card would be worth to it: who reads it looks at its fields."""
    seen = placed()
    bare = replace(seen.players[0], fields=((GOOD,), ()))
    other = replace(seen, players=(bare, *seen.players[1:]))

    assert said({BEST: 1.0, GOOD: 0.9}, other) == [(GOOD, "want"), (HELD, "spare")]
    stale = replace(other.talk, wishes=(Wishes(want=(BEST,)), *other.talk.wishes[1:]))
    assert said({BEST: 1.0}, replace(other, talk=stale))[0] == (BEST, "none")


def test_player_does_not_want_what_it_is_about_to_sell() -> None:
    """Two beans are sold for one that must be planted, since the single one beside them is protected."""
    seen = placed()
    own = replace(seen.players[0], fields=((GOOD, GOOD), (BEST,)))
    assert isinstance(seen.phase, TradeView)
    full = replace(seen, players=(own, *seen.players[1:]))
    doomed = replace(full, phase=replace(seen.phase, face_up=(HELD,)))

    assert (GOOD, "want") in said({GOOD: 1.0}, full)
    assert (GOOD, "want") not in said({GOOD: 1.0}, doomed)


def test_player_wants_for_a_row_that_may_have_to_go_until_it_has_gone() -> None:
    """It trades to save the row: what it has said holds, though it would not say it now."""
    seen = spoken(GOOD, HELD)
    own = replace(seen.players[0], fields=((GOOD, GOOD), (BEST,)))
    assert isinstance(seen.phase, TradeView)
    in_danger = replace(seen, players=(own, *seen.players[1:]), phase=replace(seen.phase, face_up=(HELD,)))
    gone = replace(seen, players=(replace(own, fields=((), (BEST,))), *seen.players[1:]))

    assert (GOOD, "none") not in said({GOOD: 1.0}, in_danger)
    assert (GOOD, "none") in said({GOOD: 1.0}, gone)


@pytest.mark.parametrize(("grows", "joins", "wants"), [(0, 0, False), (-1, 0, True), (-1, 1, False)])
def test_player_wants_nothing_for_a_row_that_is_full(grows: int, joins: int, *, wants: bool) -> None:
    """Nor for one that will be with what was set aside; what it has said of it is untrue then."""
    top = RULES.beanometers[GOOD][-1][0]
    seen = spoken(GOOD, HELD)
    own = replace(seen.players[0], fields=((GOOD,) * (top + grows), (BEST,)), set_aside=(GOOD,) * joins)
    assert isinstance(seen.phase, TradeView)
    seen = replace(seen, players=(own, *seen.players[1:]), phase=replace(seen.phase, face_up=(HELD,)))
    calm = replace(seen, phase=replace(seen.phase, face_up=()))
    silent = replace(calm, talk=replace(seen.talk, wishes=(Wishes(), *seen.talk.wishes[1:])))

    assert ((GOOD, "none") not in said({GOOD: 1.0}, seen)) == wants
    assert ((GOOD, "want") in said({GOOD: 1.0}, silent)) == wants


def test_player_says_nothing_of_what_it_would_not_give() -> None:
    """A card that is worth more to it than what it wants most."""
    assert said({BEST: 1.0}, placed(), ANNA, HELD) == [(BEST, "want")]


def test_player_wants_only_what_is_worth_saying() -> None:
    """Whatever is worth less than half a coin is not asked for."""
    assert (BEST, "want") in said({BEST: WANTED + 0.02}, placed())
    assert all(mark != "want" for _, mark in said({BEST: WANTED - 0.02}, placed()))


def test_player_says_nothing_among_computer_players() -> None:
    """Where no person plays, and in a trading in which no person may trade with it."""
    assert said({BEST: 1.0}, placed(), frozenset()) == []
    assert said({BEST: 1.0}, placed(active_player=2)) == []
    assert said({BEST: 1.0}, placed(active_player=1)) != []


def test_hard_player_spares_nothing() -> None:
    """What is spared is given to whoever asks, and it gives nothing away; what it wants it says."""
    talk, player = placed().talk, Prices({BEST: 1.0})
    wanted = placed(talk=replace(talk, wishes=(Wishes(want=(BEST,)), *talk.wishes[1:])))
    for is_hard, spared in ((False, SetWish(0, HELD, "spare")), (True, None)):
        speaker = Speaker(is_hard=is_hard)
        assert speaker.says(player, wanted, CHOICES, know(wanted), ANNA) == spared
    assert Speaker(is_hard=True).says(player, placed(), CHOICES, know(placed()), ANNA) == SetWish(
        0, BEST, "want"
    )


def test_player_takes_back_what_is_not_true_any_more() -> None:
    """Before it says something else, and of a kind that it no longer holds as well."""
    talk = placed().talk
    wishes = (Wishes(want=(GOOD,), spare=(BEST,)), *talk.wishes[1:])
    stale = placed(talk=replace(talk, wishes=wishes))

    assert said({BEST: 1.0, GOOD: -1.0}, stale)[:2] == [(GOOD, "none"), (BEST, "none")]


def test_player_stays_with_what_is_still_true() -> None:
    """What it wants is not said anew because something else is worth more by now."""
    talk = placed().talk
    wishes = (Wishes(want=(GOOD,), spare=(HELD,)), *talk.wishes[1:])

    assert said({BEST: 1.0, GOOD: STILL_WANTED + 0.02}, placed(talk=replace(talk, wishes=wishes))) == []
    assert (GOOD, "none") in said({BEST: 1.0, GOOD: STILL_WANTED}, placed(talk=replace(talk, wishes=wishes)))


def spoken(want: Bean, spare: Bean, **more: Any) -> View:
    """Return the trading after the player has said this."""
    talk = placed().talk
    wishes = (Wishes(want=(want,), spare=(spare,)), *talk.wishes[1:])
    return placed(talk=replace(talk, wishes=wishes), **more)


def test_player_takes_back_what_is_untrue_in_any_trading() -> None:
    """Whoever's it is; but there it says nothing new, nor while it may make no offer."""
    elsewhere = spoken(GOOD, HELD, active_player=2)
    assert said({BEST: 1.0, GOOD: -1.0}, elsewhere) == [(GOOD, "none")]

    out = Choices(ALL, tries=0)
    speaker, known = Speaker(), know(elsewhere)
    stale = spoken(GOOD, HELD)
    player = Prices({BEST: 1.0, GOOD: -1.0})
    assert speaker.says(player, stale, out, known, ANNA) == SetWish(0, GOOD, "none")
    assert speaker.says(player, placed(), out, known, ANNA) is None


@pytest.mark.parametrize(
    ("give", "want", "stale"), [((GOOD,), (), GOOD), ((), (HELD,), HELD), ((HELD,), (GOOD,), None)]
)
def test_own_offer_takes_back_what_it_denies(
    give: tuple[Bean, ...], want: tuple[Bean, ...], stale: Bean | None
) -> None:
    """Who gives what he wants, or asks for what he can spare, has changed his mind."""
    seen = spoken(GOOD, HELD)
    made = OfferView(1, 1, 0, (1,), give, (), want, open=False)
    seen = replace(seen, phase=replace(seen.phase, offers=(made,)))
    first = Speaker().says(Prices({BEST: 0.4, GOOD: 0.5}), seen, CHOICES, know(seen), ANNA)

    assert first == (None if stale is None else SetWish(0, stale, "none"))


def test_player_says_nothing_that_its_own_offer_denies() -> None:
    """What is given is not wanted, and what is asked for is not to spare."""
    made = OfferView(1, 1, 0, (1,), (BEST,), (), (HELD,), open=False)
    seen = placed()
    seen = replace(seen, phase=replace(seen.phase, offers=(made,)))

    assert said({BEST: 1.0}, seen) == []


def test_player_thinks_of_other_kinds_once_a_turn() -> None:
    """What it took back in a turn is followed by nothing else in it."""
    speaker, seen = Speaker(), placed()
    player, known = Prices({BEST: 1.0}), know(placed())
    for _ in range(3):
        speaker.says(player, seen, CHOICES, known, ANNA)
    spoken = placed(talk=replace(seen.talk, wishes=(Wishes(want=(BEST,)), *seen.talk.wishes[1:])))
    assert speaker.says(player, spoken, CHOICES, known, ANNA) == SetWish(0, HELD, "spare")
    assert speaker.says(player, seen, CHOICES, known, ANNA) is None
    assert speaker.says(player, replace(seen, turn=seen.turn + 1), CHOICES, known, ANNA) is not None


def _asked(state: State, people: frozenset[int], **more: Any) -> Question:
    seen = view(RULES, state, 0)
    return ask_of(RULES, state, 0, "strong-3", knowledge=know(seen), people=people, **more)


def test_trader_speaks_before_it_offers() -> None:
    """As the worker asks it; without people or offers left, or in somebody's place, it says nothing."""
    spoken = BotCache(load_players(WHERE)).reply(_asked(START, ANNA))
    assert isinstance(spoken, BotAnswer)
    assert isinstance(spoken.command, SetWish)
    asked = _asked(START, ANNA)
    for silent in (replace(asked, people=frozenset()), replace(asked, tries=0), replace(asked, deputy=True)):
        answer = BotCache(load_players(WHERE)).reply(silent)
        assert isinstance(answer, BotAnswer)
        assert not isinstance(answer.command, SetWish)


@pytest.mark.parametrize(("name", "said"), [("gentle-0", SetWish(0, HELD, "spare")), ("strong-0", None)])
def test_good_company_alone_says_what_it_can_spare(name: str, said: SetWish | None) -> None:
    """The worker knows a level by its name."""
    talk = placed().talk
    seen = placed(talk=replace(talk, wishes=(Wishes(want=(BEST,)), *talk.wishes[1:])))
    asked = replace(_asked(START, ANNA), bot=name, view=seen)
    player = SeatedPlayer(cast("Bot", Prices({BEST: 1.0, HELD: 0.5})), name)

    assert player.says(asked, CHOICES, know(seen)) == said


def test_answer_is_given_before_anything_is_said() -> None:
    """Whoever asked waits for it."""
    waits = trading(ask_for(1, 0, kind=RULES.kinds.index(HAND[0])))
    answer = BotCache(load_players(WHERE)).reply(_asked(waits, ANNA))
    assert isinstance(answer, BotAnswer)
    assert not isinstance(answer.command, SetWish)


# -- at the table --------------------------------------------------------------------------------------


def test_what_is_said_takes_no_time() -> None:
    """An offer follows in the same look."""

    async def act(house: ActorHouse) -> None:
        def speak(question: Question) -> Any:
            wished = question.view.talk.wishes[1].want
            return ask_for(1, 0) if wished and not question.made else None if wished else wish(1)

        house.actors.says = speak
        await house.trading("anna", "pk", "no-trade")
        await house.wait(2_500)
        done = [type(command) for _, command in (await house.commands())[-2:]]

        assert done == [SetWish, MakeOffer]

    staged(act)


def test_talk_without_end_is_cut_off() -> None:
    """A bot that only talks does so a few times in a look."""

    async def act(house: ActorHouse) -> None:
        def babble(question: Question) -> Any:
            wished = question.view.talk.wishes[1].want
            return SetWish(1, wish(1).bean, "none" if wished else "want")

        house.actors.says = babble
        await house.trading("anna", "pk", "no-trade")
        await house.wait(2_500)

        assert sum(isinstance(command, SetWish) for _, command in await house.commands()) == TALK_A_MOVE

    staged(act)


def test_what_bots_say_keeps_no_trading_open() -> None:
    """The silence before its end goes on; what a person says breaks it."""

    async def act(house: ActorHouse) -> None:
        house.actors.says = lambda question: None if question.view.talk.wishes[1].want else wish(1)
        await house.trading("anna", "pk", "no-trade")
        await house.wait(2_500)
        await house.person(wish(0))
        peek, rows = await house.peek(house.table_id), await house.rows(house.table_id)
        said = [row for row in rows if isinstance(row.command, SetWish)]

        assert [(row.cause, meaning_of(peek, row).alive) for row in said] == [
            ("bot", False),
            ("player", True),
        ]

    staged(act)


def test_bot_is_told_when_it_plays_for_somebody_who_is_away() -> None:
    """In his name it says nothing, so that he finds no words of others when he comes back."""

    async def act(house: ActorHouse) -> None:
        await house.trading("anna", "bert", "pk")
        await house.do(house.table_id, "bert", Stand())
        await house.wait(5_000)
        deputies = {question.seat: question.deputy for question in house.actors.questions}

        assert deputies == {1: True, 2: False}

    staged(act)


def test_bots_at_a_table_with_a_person_speak() -> None:
    """In a game with strong players some say what they want."""

    async def play() -> int:
        house = await BotHouse(HomePool()).begin()
        table = await house.company("anna", "strong-3", "strong-3", house_rules=("starter=seat:1",))
        for _ in range(600):
            await house.clock.advance(100)
        rows = await house.rows(table)
        await house.end()
        return sum(isinstance(row.command, SetWish) and row.cause == "bot" for row in rows)

    assert asyncio.run(play()) > 0

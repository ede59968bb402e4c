"""Offers that computer players take back: what was sensible when it was offered need not be so any more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import pytest
from msgspec.structs import replace

from bohn.bots import LEVELS, PLAYERS
from bohn.bots.reasons import USELESS
from bohn.play.floor import NOTHING_LEARNT
from bohn.play.seat import Choices
from bohn.rules.beans import Bean
from bohn.rules.commands import MakeOffer, WithdrawOffer
from bohn.rules.state import Copy, Promise, State, TradePhase
from bohn.server.bots.haggling import Haggler
from bohn.server.bots.messages import terms_of
from bohn.server.bots.taking_back import StandingOffers
from bohn.server.bots.worker import BotCache
from tests.server.bots.test_common_sense import (
    BLUE,
    CHILI,
    GREEN,
    RED,
    STINK,
    WAX,
    Beds,
    after,
    asked,
    market,
)

HAND = [CHILI]
OTHERS: list[Beds] = [[[CHILI], [STINK]], [[GREEN] * 2, [RED]], [[GREEN], [RED]]]


def with_offer(fields: Beds, want: Bean | None, to: tuple[int, ...] = (1,)) -> State:
    """Return the trading in which seat 0 offers its chili for a bean, or for nothing."""
    state = market(fields, *OTHERS, hands=[HAND])
    revision, wanted = state.players[0].hand_revision, () if want is None else (want,)
    return after(state, MakeOffer(0, to, (Copy(0, CHILI),), (), wanted, hand_revision=revision))


def now(state: State, fields: Beds) -> State:
    """Return a state in which seat 0 has other fields."""
    own = replace(state.players[0], fields=tuple(map(tuple, fields)))
    return replace(state, players=(own, *state.players[1:]))


def answers(bot: str, *states: State, **more: Any) -> list[Any]:
    """Return what one player answers in seat 0 to one state after another, without offers of its own."""
    cache = BotCache(PLAYERS)
    return [cache.reply(replace(asked(state, bot, tries=0), **more)) for state in states]


def commands(replies: Sequence[Any]) -> list[Any]:
    """Return what takes an offer back, of some answers, or ``None``."""
    return [reply.command if isinstance(reply.command, WithdrawOffer) else None for reply in replies]


ROOM: Beds = [[BLUE] * 3, []]
TOP: Beds = [[BLUE] * 10, [WAX] * 3]
NO_ROOM: Beds = [[BLUE] * 3, [WAX] * 3]


@pytest.mark.parametrize("bot", LEVELS.values())
def test_offer_is_taken_back_whose_bean_would_cost_a_row(bot: str) -> None:
    """There was an empty field for a stink bean; now a row would have to go. The person hears why."""
    state = with_offer(ROOM, STINK)

    replies = answers(bot, state, now(state, NO_ROOM))

    assert commands(replies) == [None, WithdrawOffer(0, 1)]
    assert replies[1].reason == USELESS


@pytest.mark.parametrize("bot", LEVELS.values())
def test_offer_is_taken_back_whose_bean_brings_nothing_any_more(bot: str) -> None:
    """A tenth blue bean was a coin; the row that has it earns nothing by an eleventh."""
    state = with_offer([[BLUE] * 9, [WAX] * 3], BLUE)

    assert commands(answers(bot, state, now(state, TOP))) == [None, WithdrawOffer(0, 1)]


@pytest.mark.parametrize("bot", LEVELS.values())
def test_offer_stands_that_still_brings_something(bot: str) -> None:
    """Another bean on the row makes it no worse."""
    state = with_offer([[BLUE] * 3, [WAX] * 3], BLUE)

    assert commands(answers(bot, state, state, now(state, [[BLUE] * 4, [WAX] * 3]))) == [None] * 3


class Sure:
    """A player that is sure what every exchange is worth to it."""

    def __init__(self, gain: float) -> None:
        self.gain = gain

    def gains(self, _view: Any, _choices: Any, _known: Any, offers: Sequence[Any]) -> list[float]:
        """Return the same for each."""
        return [self.gain] * len(offers)


def takes_back(gain: float, *states: State, player: Sure | None = None) -> bool:
    """Tell whether a player to whom every exchange is worth that takes its offer back in the last state."""
    offers, sure, found = StandingOffers(), cast("Haggler", player or Sure(gain)), None
    for state in states:
        question = asked(state)
        choices = Choices(question.legal, question.offers, 0)
        found = offers.reconsidered(sure, question, choices, NOTHING_LEARNT, ())
    return found is not None


def test_offer_that_would_cost_a_row_is_taken_back_whatever_else_it_is_worth() -> None:
    """All see that a row has to go; what a row is filled with up to its top is its player's to judge."""
    state, full = with_offer(ROOM, STINK), with_offer([[BLUE] * 9, [WAX] * 3], BLUE)

    assert takes_back(5.0, state, now(state, NO_ROOM))
    assert takes_back(0.0, full, now(full, TOP))
    assert not takes_back(5.0, full, now(full, TOP))


def test_offer_that_never_brought_anything_stands() -> None:
    """Its player has had its reasons from the start; in another turn the same number is another offer."""
    full = with_offer([[BLUE] * 9, [WAX] * 3], BLUE)

    assert not takes_back(0.0, now(full, TOP), now(full, TOP))
    assert not takes_back(0.0, full, replace(now(full, TOP), turn=full.turn + 4))


@pytest.mark.parametrize("bot", LEVELS.values())
def test_what_an_offer_brought_is_known_from_when_it_was_made(bot: str) -> None:
    """The row is full before its player looks again."""
    state = with_offer([[BLUE] * 9, [WAX] * 3], BLUE)
    before = replace(state, phase=replace(cast("TradePhase", state.phase), offers=()))
    offers, player = StandingOffers(), cast("Haggler", Sure(0.0))
    for bean in (RED, BLUE):  # the chili for a red bean, which has no field, is another exchange
        offers.note(asked(before, bot), MakeOffer(0, (1,), (Copy(0, CHILI),), (), (bean,)))
    question = asked(now(state, TOP), bot)

    choices = Choices(question.legal, question.offers, 0)
    assert offers.reconsidered(player, question, choices, NOTHING_LEARNT, ()) is not None


def test_player_notes_what_it_offers() -> None:
    """Between its offer and its next look its row has become full."""
    state = market([[BLUE] * 3, [WAX] * 10], [[CHILI] * 3, [STINK]], hands=[HAND])
    cache = BotCache(PLAYERS)
    made: Any = cache.reply(asked(state))
    assert (terms_of(made.command).give, terms_of(made.command).want) == ((CHILI,), (BLUE,))
    offered = now(after(state, made.command), [[BLUE] * 10, [WAX] * 10])

    assert commands([cache.reply(asked(offered))]) == [WithdrawOffer(0, 1)]


def test_offer_stands_that_one_of_those_asked_would_make_worth_it() -> None:
    """Whoever is asked first may count for less."""

    class Choosy(Sure):
        """A player to whom the exchange with seat 2 alone is worth something."""

        def gains(self, _view: Any, _choices: Any, _known: Any, offers: Sequence[Any]) -> list[float]:
            """Return what each is worth."""
            return [1.0 if one.maker == 2 else 0.0 for one in offers]

    for to in ((1, 2), (2, 1)):
        state = with_offer([[BLUE] * 9, [WAX] * 3], BLUE, to=to)
        assert not takes_back(0.0, state, now(state, TOP), player=Choosy(0.0))


def test_gift_is_taken_back_once_its_reason_is_gone() -> None:
    """The front card would have cost a row; now there is an empty field for it."""
    state = with_offer(NO_ROOM, None)

    assert commands(answers(LEVELS["gentle"], state, now(state, ROOM))) == [None, WithdrawOffer(0, 1)]


def test_offer_among_computer_players_is_taken_back_without_a_word() -> None:
    """Nobody whom it concerns reads."""
    state = with_offer(ROOM, STINK, to=(2,))

    replies = answers(LEVELS["gentle"], state, now(state, NO_ROOM))

    assert commands(replies) == [None, WithdrawOffer(0, 1)]
    assert replies[1].reason is None


def test_offer_that_was_promised_stands() -> None:
    """Whoever has given his word keeps it, though it costs him a row."""
    state = now(with_offer(ROOM, STINK), NO_ROOM)
    promise = Promise(1, 0, 1, (CHILI,), (STINK,), "next-turn")
    state = replace(state, active_player=1, talk=replace(state.talk, promises=(promise,)))

    assert commands(answers(LEVELS["gentle"], state)) == [None]


@pytest.mark.parametrize("more", [{"deputy": True}, {"people": frozenset()}])
def test_nobody_takes_back_for_another_or_without_people(more: dict[str, Any]) -> None:
    """A deputy leaves what its person has offered; computer players by themselves offer as they play."""
    state = with_offer(ROOM, STINK)

    assert commands(answers(LEVELS["gentle"], state, now(state, NO_ROOM), **more)) == [None, None]

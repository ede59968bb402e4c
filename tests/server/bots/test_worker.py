"""What happens inside a process of computer players."""

from __future__ import annotations

import io

import pytest
from msgspec.structs import replace

from bohn.bots import PLAYERS, Bot
from bohn.play.floor import play_game
from bohn.rules.commands import MakeOffer, SetWish
from bohn.rules.deal import opening
from bohn.rules.evolve import fold
from bohn.rules.resolve import resolve
from bohn.rules.shuffle import seed_from
from bohn.rules.state import State
from bohn.server.bots import worker
from bohn.server.bots.messages import (
    BotAnswer,
    Broken,
    Question,
    Unframed,
    decode_reply,
    encode,
    framed,
    load_players,
    terms_of,
)
from bohn.server.bots.worker import BotCache, serve
from tests.server.bots.company import ask_of
from tests.server.bots.players import WHERE, WORDS

RULES = resolve("full", 4)


def begun() -> State:
    """Return a game just dealt."""
    return fold(opening(RULES, seed_from("worker")))


def trading() -> State:
    """Return a game in its first trading."""
    seen: list[State] = []
    play_game(RULES, 1, [PLAYERS["pk"](0) for _ in range(4)], watch=lambda before, *_: seen.append(before))
    return next(state for state in seen if type(state.phase).__name__ == "TradePhase")


def asked(bot: str, state: State | None = None, **more: object) -> Question:
    """Return the question to a bot whose turn it is."""
    position = state or begun()
    return ask_of(RULES, position, position.active_player, bot, **more)


def test_company_returns_what_the_bot_decides() -> None:
    """The reply holds the bot's command and its traits."""
    question = asked("no-trade")
    reply = BotCache(load_players(WHERE)).reply(question)

    assert isinstance(reply, BotAnswer)
    assert reply.command in question.legal
    assert (reply.traits.trades, reply.traits.off_turn, reply.traits.uses_knowledge) == (False, False, False)


@pytest.mark.parametrize("bot", ["raising", "wrong-type", "nobody"])
def test_company_says_where_a_bot_broke_but_not_its_words(bot: str) -> None:
    """An error's kind and place come back; its words, which may name cards, do not."""
    reply = BotCache(load_players(WHERE)).reply(asked(bot))

    assert isinstance(reply, Broken)
    assert WORDS not in reply.what
    assert reply.what.startswith(("ValueError at players.py:", "returned str", "KeyError at worker.py:"))


def test_bot_is_remembered_by_seat_name_and_seed() -> None:
    """The same bot answers for its seat; another seat, table or seed has another one."""
    bots = BotCache(load_players(WHERE))

    def wish(**changes: object) -> int:
        reply = bots.reply(replace(ask_of(RULES, begun(), 0, "counting"), **changes))
        assert isinstance(reply, BotAnswer)
        assert isinstance(reply.command, SetWish)
        return reply.command.bean

    assert [wish(), wish(), wish(table="t2"), wish(seed=9), wish()] == [1, 2, 1, 1, 3]


def test_oldest_bots_are_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bots that were asked longest ago are made anew."""
    monkeypatch.setattr(worker, "MOST_BOTS", 2)
    bots = BotCache(load_players(WHERE))
    wishes = []
    for seat in (0, 1, 0, 2, 0, 1):
        reply = bots.reply(ask_of(RULES, begun(), seat, "counting"))
        assert isinstance(reply, BotAnswer)
        assert isinstance(reply.command, SetWish)
        wishes.append(int(reply.command.bean))

    assert wishes == [1, 1, 2, 1, 3, 1]


def test_broken_bot_is_forgotten() -> None:
    """Whoever raised is made anew, for it may be in no good order."""
    made: list[int] = []

    class Once:
        name, trades, off_turn, uses_knowledge = "once", True, False, False

        def __init__(self, seed: int) -> None:
            made.append(seed)

        def decide(self, *_: object) -> None:
            raise ValueError

    def maker(seed: int) -> Bot:
        return Once(seed)

    bots = BotCache({"once": maker})
    bots.reply(asked("once"))
    bots.reply(asked("once"))

    assert made == [1, 1]


def test_offer_made_this_turn_is_not_returned_again() -> None:
    """A bot that proposes what was proposed is asked on, and passes if nothing else comes."""
    bots = BotCache(load_players(WHERE))
    state = trading()
    first = bots.reply(asked("beggar", state))
    assert isinstance(first, BotAnswer)
    assert isinstance(first.command, MakeOffer)
    second = bots.reply(asked("beggar", state, made=(terms_of(first.command),)))

    assert second == BotAnswer(None, first.traits)


def test_next_proposal_follows_one_that_was_made() -> None:
    """A bot with more to propose goes on to what is new."""
    state = trading()
    fresh = BotCache(load_players(WHERE)).reply(asked("pk", state))
    assert isinstance(fresh, BotAnswer)
    assert isinstance(fresh.command, MakeOffer)
    made = (terms_of(fresh.command),)
    other = BotCache(load_players(WHERE)).reply(asked("pk", state, made=made))

    assert isinstance(other, BotAnswer)
    assert isinstance(other.command, MakeOffer)
    assert terms_of(other.command) not in made


def test_process_answers_in_order_and_ends_with_its_pipe() -> None:
    """One reply for each question, in their order; a command that holds no data is broken."""
    asked_now = [asked("no-trade"), asked("no-data"), asked("wrong-type")]
    answers = io.BytesIO()
    serve(
        io.BytesIO(b"".join(framed(encode(question)) for question in asked_now)),
        answers,
        BotCache(load_players(WHERE)),
        5.0,
    )
    replies = [decode_reply(data) for data in Unframed().take(answers.getvalue())]

    assert isinstance(replies[0], BotAnswer)
    assert isinstance(replies[1], Broken)
    assert replies[2] == Broken("returned str")

"""What happens inside a process of computer players."""

from __future__ import annotations

import io

import pytest
from msgspec.structs import replace

from bohn.bots import PLAYERS, Bot
from bohn.rules.commands import MakeOffer, SetWish
from bohn.rules.deal import opening
from bohn.rules.evolve import fold
from bohn.rules.resolve import resolve
from bohn.rules.shuffle import seed_from
from bohn.rules.state import State
from bohn.server.bots import worker
from bohn.server.bots.asks import (
    Answer,
    Ask,
    Broken,
    Unframed,
    decode_reply,
    encode,
    framed,
    load_players,
    terms_of,
)
from bohn.server.bots.worker import Company, serve
from bohn.sim.floor import play_game
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


def asked(bot: str, state: State | None = None, **more: object) -> Ask:
    """Return the question to a bot whose turn it is."""
    position = state or begun()
    return ask_of(RULES, position, position.active_player, bot, **more)


def test_company_returns_what_the_bot_decides() -> None:
    """The reply holds the bot's command and its traits."""
    ask = asked("no-trade")
    reply = Company(load_players(WHERE)).reply(ask)

    assert isinstance(reply, Answer)
    assert reply.command in ask.legal
    assert (reply.traits.trades, reply.traits.off_turn, reply.traits.uses_knowledge) == (False, False, False)


@pytest.mark.parametrize("bot", ["raising", "wrong-type", "nobody"])
def test_company_says_where_a_bot_broke_but_not_its_words(bot: str) -> None:
    """An error's kind and place come back; its words, which may name cards, do not."""
    reply = Company(load_players(WHERE)).reply(asked(bot))

    assert isinstance(reply, Broken)
    assert WORDS not in reply.what
    assert reply.what.startswith(("ValueError at players.py:", "returned str", "KeyError at worker.py:"))


def test_bot_is_remembered_by_seat_name_and_seed() -> None:
    """The same bot answers for its seat; another seat, table or seed has another one."""
    company = Company(load_players(WHERE))

    def wish(**changes: object) -> int:
        reply = company.reply(replace(ask_of(RULES, begun(), 0, "counting"), **changes))
        assert isinstance(reply, Answer)
        assert isinstance(reply.command, SetWish)
        return reply.command.bean

    assert [wish(), wish(), wish(table="t2"), wish(seed=9), wish()] == [1, 2, 1, 1, 3]


def test_oldest_bots_are_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bots that were asked longest ago are made anew."""
    monkeypatch.setattr(worker, "REMEMBERED", 2)
    company = Company(load_players(WHERE))
    wishes = []
    for seat in (0, 1, 0, 2, 0, 1):
        reply = company.reply(ask_of(RULES, begun(), seat, "counting"))
        assert isinstance(reply, Answer)
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

    company = Company({"once": maker})
    company.reply(asked("once"))
    company.reply(asked("once"))

    assert made == [1, 1]


def test_offer_made_this_turn_is_not_returned_again() -> None:
    """A bot that proposes what was proposed is asked on, and passes if nothing else comes."""
    company = Company(load_players(WHERE))
    state = trading()
    first = company.reply(asked("beggar", state))
    assert isinstance(first, Answer)
    assert isinstance(first.command, MakeOffer)
    second = company.reply(asked("beggar", state, made=(terms_of(first.command),)))

    assert second == Answer(None, first.traits)


def test_next_proposal_follows_one_that_was_made() -> None:
    """A bot with more to propose goes on to what is new."""
    state = trading()
    fresh = Company(load_players(WHERE)).reply(asked("pk", state))
    assert isinstance(fresh, Answer)
    assert isinstance(fresh.command, MakeOffer)
    made = (terms_of(fresh.command),)
    other = Company(load_players(WHERE)).reply(asked("pk", state, made=made))

    assert isinstance(other, Answer)
    assert isinstance(other.command, MakeOffer)
    assert terms_of(other.command) not in made


def test_process_answers_in_order_and_ends_with_its_pipe() -> None:
    """One reply for each question, in their order; a command that holds no data is broken."""
    asks = [asked("no-trade"), asked("no-data"), asked("wrong-type")]
    answers = io.BytesIO()
    serve(
        io.BytesIO(b"".join(framed(encode(ask)) for ask in asks)), answers, Company(load_players(WHERE)), 5.0
    )
    replies = [decode_reply(data) for data in Unframed().take(answers.getvalue())]

    assert isinstance(replies[0], Answer)
    assert isinstance(replies[1], Broken)
    assert replies[2] == Broken("returned str")

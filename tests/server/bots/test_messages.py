"""The messages between the server and its bots' processes."""

from __future__ import annotations

import msgspec
import pytest

from bohn.bots import PLAYERS
from bohn.play.floor import BRISK, play_game
from bohn.rules.beans import Bean
from bohn.rules.commands import AnyCommand, EditOffer, MakeOffer, Plant
from bohn.rules.resolve import resolve
from bohn.rules.state import Copy, State
from bohn.server.bots.messages import (
    BotAnswer,
    Broken,
    Question,
    Terms,
    Traits,
    Unframed,
    decode_question,
    decode_reply,
    encode,
    framed,
    load_players,
    terms_of,
)
from bohn.views.knowledge import know
from tests.server.bots.company import ask_of

RED, BLUE, SOY = Bean.RED, Bean.BLUE, Bean.SOY


def questions(edition: str, players: int) -> list[Question]:
    """Return the questions of a whole game."""
    rules = resolve(edition, players)
    found: list[Question] = []

    def keep(before: State, command: object, *_: object) -> None:
        question = ask_of(rules, before, getattr(command, "player", 0), "pk", made=(Terms((1,), (RED,), ()),))
        found.append(msgspec.structs.replace(question, knowledge=know(question.view)))

    play_game(rules, 4, [PLAYERS["random-trader"](seat) for seat in range(players)], BRISK, watch=keep)
    return found


@pytest.mark.parametrize(("edition", "players"), [("full", 4), ("full", 2), ("das-duell", 2)])
def test_questions_arrive_as_they_were(edition: str, players: int) -> None:
    """Every question of a game is read back equal: view, choices, offers made and knowledge."""
    sent = questions(edition, players)

    assert [decode_question(encode(question)) for question in sent] == sent
    assert len(sent) > 100


@pytest.mark.parametrize(
    "reply",
    [
        BotAnswer(None, Traits(trades=True, off_turn=False, uses_knowledge=True)),
        BotAnswer(Plant(2, 1), Traits(trades=False, off_turn=True, uses_knowledge=False)),
        Broken("ValueError at bot.py:3"),
    ],
)
def test_replies_arrive_as_they_were(reply: BotAnswer | Broken) -> None:
    """A reply is read back equal."""
    assert decode_reply(encode(reply)) == reply


def test_reply_with_a_text_for_a_number_is_none() -> None:
    """What does not have the types of a command is not read."""
    odd: AnyCommand = Plant(0, "first")  # type: ignore[arg-type]  # - a mistake on purpose

    with pytest.raises(msgspec.DecodeError):
        decode_reply(encode(BotAnswer(odd, Traits(trades=True, off_turn=False, uses_knowledge=False))))


def test_terms_are_the_same_whatever_the_places() -> None:
    """Which copies a maker names, from where, and in which order he names seats, makes no other offer."""
    one = MakeOffer(0, (2, 1), (Copy(3, RED), Copy(0, BLUE)), (), (SOY, RED), open=True, hand_revision=3)
    two = EditOffer(0, 7, 2, (1, 2), (Copy(1, BLUE),), (Copy(0, RED),), (RED, SOY))

    assert terms_of(one) == terms_of(two) == Terms((1, 2), (RED, BLUE), (RED, SOY))


def test_terms_differ_with_seats_and_sides() -> None:
    """Other seats, other kinds or the other way round are another offer."""
    offers = [
        MakeOffer(0, (1,), (Copy(0, RED),), (), (BLUE,)),
        MakeOffer(0, (2,), (Copy(0, RED),), (), (BLUE,)),
        MakeOffer(0, (1,), (Copy(0, BLUE),), (), (RED,)),
        MakeOffer(0, (1,), (Copy(0, RED), Copy(1, RED)), (), (BLUE,)),
    ]

    assert len({terms_of(offer) for offer in offers}) == 4


def test_messages_are_cut_out_of_any_pieces() -> None:
    """However a pipe breaks its bytes up, the same messages come out, empty ones too."""
    messages = [b"", b"one", b"x" * 300, b""]
    stream = b"".join(map(framed, messages))
    for size in (1, 3, 4, 5, 1000):
        unframed = Unframed()
        pieces = [stream[start : start + size] for start in range(0, len(stream), size)]

        assert [message for piece in pieces for message in unframed.take(piece)] == messages


def test_players_are_found_by_module_and_name() -> None:
    """The usual table of players is that of ``bohn.bots``."""
    assert load_players("bohn.bots:PLAYERS") is PLAYERS

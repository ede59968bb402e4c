"""Computer players learn whose wishes and spares they can believe."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bohn.play.seat import Choices
from bohn.rules.beans import Bean
from bohn.rules.commands import Command, DeclineOffer, SetWish
from bohn.rules.state import Wishes
from bohn.server.bots.messages import BotAnswer
from bohn.server.bots.said import hearing
from bohn.server.bots.trust import PATIENCE, Trust
from bohn.server.bots.worker import BotCache
from bohn.views.knowledge import Knowledge, know
from bohn.views.view import View, view
from tests.server.bots.company import ask_of
from tests.server.bots.test_haggling import ANNA, ANNAS, HAND, RULES, card, offer, trading

GIFT = offer(card())
"""The bot's first card for nothing."""
ASKED = offer(card(), ANNAS[0])
"""The bot's first card for Anna's first."""
WANTS = SetWish(1, HAND[0], "want")
SPARES = SetWish(1, ANNAS[0], "spare")
NO = DeclineOffer(1, 1, 1)


def seen(*commands: Command, turn: int | None = None) -> View:
    """Return what the bot sees after these commands, perhaps in another turn."""
    found = view(RULES, trading(*commands), 0)
    return found if turn is None else replace(found, turn=turn)


def met(count: int) -> Knowledge:
    """Return the knowledge of a bot that has made so many exchanges with Anna."""
    row = (0, count, 0, 0)
    return replace(know(seen()), exchanges=(row, (count, 0, 0, 0), (0,) * 4, (0,) * 4))


def learnt(*commands: Command, times: int = PATIENCE) -> Trust:
    """Return what a bot has learnt that has seen this in several turns."""
    trust = Trust()
    for turn in range(1, times + 1):
        trust.note(seen(*commands, turn=turn), ANNA)
    return trust


@pytest.mark.parametrize("commands", [(WANTS, GIFT, NO), (WANTS, SPARES, ASKED, NO)])
def test_word_that_was_broken_twice_is_not_believed(commands: tuple[Command, ...]) -> None:
    """Who will not take what he wants, or will not give what he can spare for something he wants."""
    assert learnt(*commands, times=PATIENCE - 1).believes(seen(), met(0), 1)
    assert not learnt(*commands).believes(seen(), met(0), 1)
    assert learnt(*commands).believes(seen(), met(0), 2)


@pytest.mark.parametrize(
    "commands",
    [(GIFT, NO), (WANTS, ASKED, NO), (SPARES, ASKED, NO), (WANTS, GIFT), (WANTS, SPARES, ASKED)],
)
def test_refusal_is_against_no_word(commands: tuple[Command, ...]) -> None:
    """Of what was not wished for, at a price, or for a card that is of no use; and no answer is none."""
    assert learnt(*commands, times=5).believes(seen(), met(0), 1)


def test_broken_word_counts_once() -> None:
    """However often the refused offer is looked at."""
    trust = Trust()
    for _ in range(5):
        trust.note(seen(WANTS, GIFT, NO), ANNA)
    assert trust.believes(seen(), met(0), 1)


def test_exchange_makes_a_broken_word_good() -> None:
    """One each."""
    assert learnt(WANTS, GIFT, NO).believes(seen(), met(1), 1)
    assert not learnt(WANTS, GIFT, NO, times=PATIENCE + 1).believes(seen(), met(1), 1)


def test_words_of_computer_players_are_not_judged() -> None:
    """Only people are listened to at all."""
    trust = Trust()
    for turn in (1, 2, 3):
        trust.note(seen(WANTS, GIFT, NO, turn=turn), frozenset())
    assert trust.believes(seen(), met(0), 1)


def test_what_is_not_believed_is_not_heard() -> None:
    """Wishes and spares of who is not believed are as if unsaid; what he keeps he keeps."""
    keeps = SetWish(1, Bean.SOY, "keep")
    before = seen(WANTS, SPARES, keeps, SetWish(2, Bean.RED, "want"))
    heard = learnt(WANTS, GIFT, NO).heard(before, met(0), ANNA)

    assert heard.talk.wishes[1] == Wishes(keep=(Bean.SOY,))
    assert heard.talk.wishes[2] == before.talk.wishes[2]
    assert hearing(heard, met(0), ANNA).shown == met(0).shown
    assert learnt().heard(before, met(0), ANNA) is before


class Listener:
    """A bot that notes what Anna wants, and does nothing."""

    name, trades, off_turn, uses_knowledge = "listener", True, False, True

    def __init__(self, _seed: int) -> None:
        """Begin with nothing."""
        self.heard: list[tuple[Bean, ...]] = []

    def decide(self, view: View, _choices: Choices, _knowledge: Knowledge) -> None:
        """Note it."""
        self.heard.append(view.talk.wishes[1].want)


def test_seated_bot_hears_what_it_believes() -> None:
    """As a process of bots asks it: after two broken words a wish is not there."""
    bot = Listener(1)
    bots = BotCache({"listener": lambda _: bot})
    asked = ask_of(RULES, trading(WANTS, GIFT, NO), 0, "listener", people=ANNA)
    for turn in (1, 2, 3):
        assert isinstance(bots.reply(replace(asked, view=replace(asked.view, turn=turn))), BotAnswer)

    assert bot.heard == [(HAND[0],), (), ()]

"""Computer players take people at their word when a promise to them is due, and learn who keeps it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bohn.bots.bargaining import Proposal
from bohn.bots.reasons import Reason
from bohn.rules.beans import Bean
from bohn.rules.commands import Command, DeclineOffer, MakeOffer, MakePromise, SetWish
from bohn.rules.state import Due
from bohn.server.bots.manners import for_those_who_may_have, is_mannerly
from bohn.server.bots.messages import BotAnswer, Terms, terms_of
from bohn.server.bots.promises import Promises
from bohn.server.bots.said import hearing, promises_of, said_to_give
from bohn.server.bots.trust import PATIENCE, Trust
from bohn.server.bots.worker import BotCache
from bohn.views.knowledge import know
from bohn.views.view import View, view
from tests.server.bots.company import ask_of
from tests.server.bots.test_haggling import (
    ANNA,
    ANNAS,
    HAND,
    RULES,
    Haggler,
    card,
    offer,
    proposal,
    trading,
)

HOPED, PROMISED = HAND[0], next(bean for bean in ANNAS if bean not in HAND)


def promise(to: int = 0, due: Due = "some-time", *, get: bool = True, give: bool = True) -> MakePromise:
    """Return what Anna promises: a card of hers, and for it she hopes for one of the bot's."""
    return MakePromise(1, to, (PROMISED,) if give else (), (HOPED,) if get else (), due)


def seen(*commands: Command, turn: int | None = None) -> View:
    """Return what the bot sees after these commands, perhaps in another turn."""
    found = view(RULES, trading(*commands), 0)
    return found if turn is None else replace(found, turn=turn)


def asked_for(promises: Promises, shown: View, people: frozenset[int] = ANNA) -> list[Terms | None]:
    """Return what the bot is to ask for now."""
    return [aim.near for aim in promises.aims(shown, people)]


TERMS = Terms((1,), (HOPED,), (PROMISED,))


@pytest.mark.parametrize(
    ("due", "turns"),
    [
        ("this-turn", [True, False, False]),
        ("next-turn", [False, True, True]),
        ("some-time", [True, True, True]),
    ],
)
def test_promise_is_asked_for_when_it_is_due(due: Due, turns: list[bool]) -> None:
    """Counted from the turn in which the bot heard of it."""
    promises = Promises()
    shown = seen(promise(due=due))
    found = [asked_for(promises, replace(shown, turn=shown.turn + later)) for later in range(3)]

    assert found == [[TERMS] if is_due else [] for is_due in turns]


@pytest.mark.parametrize("made", [promise(to=2), promise(give=False)])
def test_nothing_is_asked_for_by_what_was_not_promised_to_the_bot(made: MakePromise) -> None:
    """A promise to somebody else, or a mere hope."""
    assert asked_for(Promises(), seen(made)) == []


def test_promises_of_computer_players_are_not_asked_for() -> None:
    """Only people are taken at their word."""
    assert asked_for(Promises(), seen(promise()), frozenset()) == []


def test_promise_is_asked_for_where_one_may_trade() -> None:
    """In the trading of somebody else, only if it is his own promise."""
    elsewhere = replace(seen(promise()), active_player=2)
    assert asked_for(Promises(), elsewhere) == []
    assert asked_for(Promises(), replace(elsewhere, active_player=1)) == [TERMS]


def bot_with(*likes: Proposal, welcome: bool = True) -> BotCache:
    """Return a bot with offers of its own, that welcomes what was promised, or does not."""
    bot = Haggler(*likes)
    if welcome:
        bot.welcome = {((HOPED,), (PROMISED,)), ((), (PROMISED,))}
    return BotCache({"haggler": lambda _seed: bot})


def said(cache: BotCache, *commands: Command) -> BotAnswer:
    """Return what the bot does after these commands."""
    reply = cache.reply(ask_of(RULES, trading(*commands), 0, "haggler", people=ANNA))
    assert isinstance(reply, BotAnswer)
    return reply


OTHER = proposal(card(2), ANNAS[1])


def test_bot_takes_a_promise_at_its_word_once() -> None:
    """At the price that was named, and it says so; then it goes on with what it likes best."""
    cache = bot_with(OTHER)
    first, second = said(cache, promise()), said(cache, promise())

    assert isinstance(first.command, MakeOffer)
    assert terms_of(first.command) == TERMS
    assert first.reason == Reason("says.promised")
    assert isinstance(second.command, MakeOffer)
    assert second.command.hand == OTHER.hand


def test_bot_asks_for_a_promised_gift() -> None:
    """Though it would beg for no such card otherwise."""
    got = said(bot_with(), promise(get=False))

    assert isinstance(got.command, MakeOffer)
    assert (got.command.hand, got.command.want) == ((), (PROMISED,))


@pytest.mark.parametrize(
    ("made", "welcome"), [(promise(), False), (MakePromise(1, 0, (PROMISED,), (HOPED,) * 3), True)]
)
def test_bot_asks_for_nothing_that_it_does_not_want_or_cannot_pay(made: MakePromise, welcome: bool) -> None:
    """It does what it would have done."""
    got = said(bot_with(OTHER, welcome=welcome), made)

    assert isinstance(got.command, MakeOffer)
    assert got.command.hand == OTHER.hand
    assert got.reason != Reason("says.promised")


def test_who_promises_a_card_says_that_he_has_it() -> None:
    """So others are not told, but the bot may ask him for it."""
    heard = seen(promise())
    asks = offer(card(), PROMISED)

    assert said_to_give(heard, 1) == {PROMISED}
    assert hearing(heard, know(heard), ANNA).shown[1][PROMISED] == 1
    assert for_those_who_may_have(asks, heard, know(heard), ANNA) == asks
    assert [one.give for one in promises_of(heard, 1)] == [(PROMISED,)]
    assert said_to_give(seen(promise(to=2)), 1) == frozenset()


def test_what_is_hoped_for_is_of_use() -> None:
    """An offer may bring a person what he named as the price of his promise."""
    rid = offer(card(), PROMISED)
    fields = ((Bean.COCOA,), (Bean.SOY,))

    def mannerly(*commands: Command) -> bool:
        shown = seen(*commands)
        players = list(shown.players)
        players[1] = replace(players[1], fields=fields)
        return is_mannerly(rid, replace(shown, players=tuple(players)), (), ANNA)

    assert mannerly(promise())
    assert not mannerly()


NO = DeclineOffer(1, 1, 1)


@pytest.mark.parametrize(
    ("commands", "broken"),
    [
        ((promise(), offer(card(), PROMISED), NO), True),
        ((promise(get=False), offer((), PROMISED), NO), True),
        ((promise(), offer((), PROMISED), NO), False),
        ((promise(to=2), offer(card(), PROMISED), NO), False),
    ],
)
def test_promise_is_broken_by_who_refuses_it_at_his_own_price(
    commands: tuple[Command, ...], broken: bool
) -> None:
    """Less than was hoped for may be refused."""
    trust = Trust()
    for turn in range(PATIENCE):
        trust.note(seen(*commands, turn=turn + 1), ANNA)

    assert trust.believes(seen(), know(seen()), 1) is not broken


def test_promises_of_who_is_not_believed_are_not_heard() -> None:
    """Those of others are."""
    trust = Trust()
    commands = (promise(), offer(card(), PROMISED), NO)
    for turn in range(PATIENCE):
        trust.note(seen(*commands, turn=turn + 1), ANNA)
    shown = seen(*commands, MakePromise(2, 0, (HOPED,)), SetWish(2, HOPED, "want"))
    heard = trust.heard(shown, know(shown), ANNA)

    assert [one.player for one in heard.talk.promises] == [2]
    assert asked_for(Promises(), heard) == []

"""What computer players promise to the person who plays next, and that they keep it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from bohn.bots.reasons import Reason
from bohn.rules.beans import Bean
from bohn.rules.commands import AcceptOffer, Command, MakeOffer, MakePromise, SetWish, WithdrawPromise
from bohn.rules.decide import decide
from bohn.rules.evolve import fold
from bohn.rules.state import Copy, State
from bohn.server.bots.haggling import AS_PROMISED
from bohn.server.bots.messages import BotAnswer, Terms, terms_of
from bohn.server.bots.worker import BotCache
from bohn.views.knowledge import know
from bohn.views.view import view
from tests.server.bots.company import ask_of
from tests.server.bots.test_haggling import ANNA, ANNAS, RULES, START, Haggler, trading

BOT = 2
"""The bot's seat: seat 0 trades, and Anna in seat 1 is next."""

HAND = START.players[BOT].hand
GIVE, OTHER = sorted(set(HAND))[:2]
GET = next(bean for bean in ANNAS if bean not in HAND)
PROMISE = MakePromise(BOT, 1, (GIVE,), (GET,), "next-turn")
SPARED = SetWish(1, GET, "spare")
"""Anna can spare what the bot grows."""


def bot_with(*welcome: Bean) -> BotCache:
    """Return a bot that would give one of these for what it wants."""
    bot = Haggler()
    bot.welcome = {((bean,), (GET,)) for bean in welcome}
    return BotCache({"haggler": lambda _seed: bot})


def does(cache: BotCache, state: State, **more: Any) -> BotAnswer:
    """Return what the bot does in this position."""
    known = know(view(RULES, state, BOT))
    reply = cache.reply(ask_of(RULES, state, BOT, "haggler", **{"people": ANNA, "knowledge": known, **more}))
    assert isinstance(reply, BotAnswer), reply
    return reply


def growing(state: State, seat: int, *fields: tuple[Bean, ...]) -> State:
    """Return a position in which these fields lie before a seat."""
    players = list(state.players)
    players[seat] = replace(players[seat], fields=fields)
    return replace(state, players=tuple(players))


def market(*commands: Command) -> State:
    """Return the trading of seat 0, in which the bot grows what Anna can spare, after these commands."""
    return growing(trading(SPARED, *commands), BOT, (GET,))


def annas_turn(*commands: Command, later: int = 1) -> State:
    """Return the trading of Anna after the promise, so many turns later, with these commands in it."""
    state = replace(market(PROMISE), active_player=1, turn=START.turn + later)
    for command in commands:
        state = fold(decide(RULES, state, command), state)
    return state


def annas(*want: Bean) -> MakeOffer:
    """Return an offer of Anna to the bot: what it wants for these."""
    place = ANNAS.index(GET)
    return MakeOffer(
        1, (BOT,), (Copy(place, GET),), (), tuple(sorted(want)), hand_revision=START.players[1].hand_revision
    )


@pytest.mark.parametrize(
    ("passes", "left", "promises"), [(1, 3, False), (1, 4, True), (2, 1, True), (0, 9, False)]
)
def test_nothing_is_promised_for_a_turn_without_trading(passes: int, left: int, promises: bool) -> None:
    """The last pass of the deck must outlast this turn's three cards; then there is one to turn over."""
    pile = market().draw_pile[:left]
    state = replace(market(), exhaustions=RULES.exhaustions - passes, draw_pile=pile)

    assert (does(bot_with(GIVE), state).command == PROMISE) is promises


def test_bot_promises_what_it_would_exchange_to_who_plays_next() -> None:
    """Due when she plays."""
    assert does(bot_with(GIVE), market()).command == PROMISE


@pytest.mark.parametrize(
    ("welcome", "commands", "more"),
    [
        ((), (), {}),
        ((GIVE,), (), {"people": frozenset({3})}),
        ((GIVE,), (), {"people": frozenset()}),
        ((GIVE,), (), {"deputy": True}),
        ((GIVE,), (), {"tries": 0}),
        ((GIVE,), (SetWish(1, GET, "want"),), {}),
        ((GIVE,), (SetWish(1, GET, "keep"),), {}),
    ],
    ids=["unwelcome", "not-next", "nobody", "deputy", "no-tries", "she-wants-it", "she-keeps-it"],
)
def test_bot_promises_nothing_else(
    welcome: tuple[Bean, ...], commands: tuple[Command, ...], more: dict[str, Any]
) -> None:
    """Not what it would not give, to nobody else, nor in another's name, nor for what she will not give."""
    assert not isinstance(does(bot_with(*welcome), market(*commands), **more).command, MakePromise)


def test_bot_promises_nothing_where_one_can_trade_at_once() -> None:
    """In Anna's own trading it offers instead."""
    state = replace(market(), active_player=1)
    assert not isinstance(does(bot_with(GIVE), state).command, MakePromise)


def test_bot_promises_nothing_in_its_own_trading() -> None:
    """It can offer at once what it would promise to who plays next."""
    state = market(SetWish(3, GET, "spare"))
    own = replace(state, active_player=BOT)
    dora = {"people": frozenset({3})}

    assert not isinstance(does(bot_with(GIVE), own, **dora).command, MakePromise)


def test_bot_promises_only_what_is_of_use() -> None:
    """Anna grows other beans, and wants another one."""
    others = [(bean,) for bean in RULES.kinds if bean not in (GIVE, GET)][:2]
    full = growing(market(), 1, *others)
    assert not isinstance(does(bot_with(GIVE), full).command, MakePromise)
    wished = growing(market(SetWish(1, GIVE, "want")), 1, *others)
    assert does(bot_with(GIVE), wished).command == PROMISE


def test_bot_promises_nothing_for_a_card_that_was_never_shown() -> None:
    """However likely she has it: only what she has shown or can spare."""
    common = max((bean for bean in RULES.kinds if bean not in HAND), key=lambda bean: RULES.deck[bean])
    state = growing(trading(), BOT, (common,))
    known = know(view(RULES, state, BOT))
    counts = tuple(int(bean == common) for bean in range(len(known.shown[1])))
    shown = replace(known, shown=(known.shown[0], counts, *known.shown[2:]))
    bot = Haggler()
    bot.welcome = {((GIVE,), (common,))}
    cache = BotCache({"haggler": lambda seed: bot})  # noqa: ARG005 - one signature

    assert not isinstance(does(cache, state).command, MakePromise)
    later = replace(state, turn=state.turn + 4)
    promise = MakePromise(BOT, 1, (GIVE,), (common,), "next-turn")
    assert does(cache, later, knowledge=shown).command == promise


def test_bot_promises_one_thing_at_a_time() -> None:
    """Nothing more while one stands, in another turn neither, and it thinks of one once a turn."""
    cache = bot_with(GIVE, OTHER)
    later = replace(market(PROMISE), turn=START.turn + 1)
    assert isinstance(does(cache, market()).command, MakePromise)
    assert does(cache, market(PROMISE)).command is None
    assert does(cache, market()).command is None
    assert does(cache, later).command is None


@pytest.mark.parametrize("welcome", [(GIVE,), ()])
def test_bot_offers_what_it_has_promised(welcome: tuple[Bean, ...]) -> None:
    """Once, when her turn has come; for its word it does not weigh it again."""
    cache = bot_with(*welcome)
    first = does(cache, annas_turn())
    assert isinstance(first.command, MakeOffer)
    second = does(cache, annas_turn(first.command))

    assert terms_of(first.command) == Terms((1,), (GIVE,), (GET,))
    assert first.reason == Reason("says.as-promised")
    assert second.command is None


def test_bot_offers_what_it_has_promised_though_it_may_be_of_no_use_any_more() -> None:
    """She grows other beans by then."""
    others = [(bean,) for bean in RULES.kinds if bean not in (GIVE, GET)][:2]
    got = does(bot_with(), growing(annas_turn(), 1, *others))

    assert isinstance(got.command, MakeOffer)
    assert terms_of(got.command) == Terms((1,), (GIVE,), (GET,))


def test_bot_takes_an_offer_of_what_it_has_promised() -> None:
    """Though it would not have agreed otherwise."""
    got = does(bot_with(), annas_turn(annas(GIVE)))

    assert isinstance(got.command, AcceptOffer)
    assert got.reason == AS_PROMISED


def test_bot_need_not_give_more_than_it_has_promised() -> None:
    """It weighs such an offer as any other."""
    assert not isinstance(does(bot_with(), annas_turn(annas(GIVE, OTHER))).command, AcceptOffer)


@pytest.mark.parametrize(("later", "back"), [(1, False), (2, True)])
def test_bot_takes_back_what_is_past(later: int, back: bool) -> None:
    """Once her turn is over."""
    cache = bot_with()
    does(cache, market(PROMISE))
    number = market(PROMISE).talk.promises[0].id
    state = replace(annas_turn(later=later), active_player=later % 4)

    assert (does(cache, state).command == WithdrawPromise(BOT, number)) is back


def test_bot_takes_back_what_it_cannot_keep() -> None:
    """The card has gone."""
    state = market(PROMISE)
    players = list(state.players)
    players[BOT] = replace(players[BOT], hand=tuple(bean for bean in HAND if bean != GIVE))
    gone = replace(state, players=tuple(players))

    assert isinstance(does(bot_with(), gone).command, WithdrawPromise)

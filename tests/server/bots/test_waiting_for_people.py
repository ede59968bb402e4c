"""How long bots leave their trading open for people: for what these are asked, and while one composes."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Options, Room, Seat
from bohn.protocol.room_events import LastCallBegan
from bohn.rules.beans import Bean
from bohn.rules.commands import AnyCommand, DeclineOffer, EndTrading, SetWish
from bohn.rules.deal import opening
from bohn.rules.evolve import fold
from bohn.rules.resolve import resolve
from bohn.rules.shuffle import seed_from
from bohn.rules.state import State, TradePhase
from bohn.server.bots.concerns import may_have
from bohn.server.bots.messages import Question
from bohn.server.bots.pace import is_first_market
from bohn.server.settings import Times
from tests.server.bots.actors import ActorHouse, ask_for, staged
from tests.server.bots.test_closing import ended

FIRST = Times(beat=600_000)
"""The first market is the longest, as at a table that is served."""

RULES = resolve("full", 3, "starter=seat:0")


def asks_anna(question: Question) -> AnyCommand | None:
    """Ask the person in seat 1 for a bean, once."""
    return ask_for(0, 1) if question.seat == 0 and question.tries == 5 else None


async def asked(house: ActorHouse, **options: Any) -> None:
    """Come to a trading in which the bot has asked Anna for a bean."""
    house.actors.says = asks_anna
    await house.trading("pk", "anna", "no-trade", **options)
    while not await house.offers():
        await house.wait(50)


async def compose(house: ActorHouse, seconds: int) -> None:
    """Let Anna put an offer together so long, and say so as often as a page does."""
    for _ in range(seconds // 4):
        await house.tables.give_sign(house.table_id, "anna", "composing")
        await house.wait(4_000)


@pytest.mark.parametrize(("clock", "least", "most"), [("slow", 12_000, 15_000), ("none", 48_000, 60_000)])
def test_offer_to_a_person_is_left_open_for_a_time_drawn_with_it(clock: str, least: int, most: int) -> None:
    """Whether or not the person looks or declines; without a clock the only person has four times as long."""
    found: list[int | None] = []

    async def act(house: ActorHouse) -> None:
        await asked(house, clock=clock)
        if found:
            await house.wait(1_000)
            await house.person(DeclineOffer(1, 1, 1))
        found.append(await ended(house, 70_000))

    staged(act)
    staged(act)

    assert found[0] is not None
    assert found[1] is not None
    assert least - 100 <= found[0] <= most + 100
    assert found[1] == found[0] - 1_000


def test_offer_is_left_open_as_long_for_several_people_without_a_clock() -> None:
    """Nobody hurries them: who types a message to the other loses no exchange by it."""

    async def act(house: ActorHouse) -> None:
        house.actors.says = asks_anna
        await house.trading("pk", "anna", "bert", clock="none")
        while not await house.offers():
            await house.wait(50)
        after = await ended(house, 70_000)

        assert after is not None
        assert 47_900 <= after <= 60_100

    staged(act)


@pytest.mark.parametrize(("pace", "long"), [("relaxed", 24_000), ("normal", 12_000), ("brisk", 6_000)])
def test_market_stays_open_for_people_to_look_at_it(pace: str, long: int) -> None:
    """Before the last call they have twelve seconds at normal pace, also where nobody asks them anything."""

    async def act(house: ActorHouse) -> None:
        await house.trading("pk", "anna", "no-trade", pace=pace)
        after = await ended(house, 30_000)

        assert after is not None
        assert long - 100 <= after <= long + 700

    staged(act)


@pytest.mark.parametrize(("pace", "long"), [("relaxed", 80_000), ("normal", 40_000), ("brisk", 20_000)])
def test_first_market_stays_open_longer_for_who_has_done_nothing_in_it(pace: str, long: int) -> None:
    """A newcomer reads the table; that he declines an offer in secret changes nothing."""

    async def act(house: ActorHouse) -> None:
        await asked(house, pace=pace, clock="slow")
        await house.person(DeclineOffer(1, 1, 1))
        after = await ended(house, 100_000)

        assert after is not None
        assert long - 4_200 * long // 40_000 <= after <= long + 100

    staged(act, times=FIRST)


def test_first_market_ends_as_any_other_once_all_people_have_done_something() -> None:
    """One who has offered, taken or harvested something has read what lies there."""

    async def act(house: ActorHouse) -> None:
        await house.trading("pk", "anna", "no-trade")
        await house.wait(10_000)
        await house.person(SetWish(1, Bean.RED, "want"))
        after = await ended(house, 20_000)

        assert after is not None
        assert after <= 3_000

    staged(act, times=FIRST)


def test_first_market_of_a_game_is_the_first_that_a_bot_ends() -> None:
    """People end their own when they like; a lesson has its own times."""
    anna, bot = Seat(user="anna"), Seat(bot="pk")
    state = fold(opening(RULES, seed_from(1)))

    def first(turn: int, *seats: Seat, lesson: str | None = None) -> bool:
        room = Room("t1", Options(players=3), None, seats, "", 0, "playing", lesson=lesson)
        return is_first_market(room, replace(state, turn=turn, active_player=(turn - 1) % 3))

    assert [first(turn, bot, anna, bot) for turn in (1, 2, 3, 4)] == [True, False, False, False]
    assert [first(turn, anna, bot, bot) for turn in (1, 2, 3, 4, 5)] == [False, True, False, False, False]
    assert not first(1, bot, anna, bot, lesson="first-game")


def test_market_is_not_kept_open_to_be_looked_at_by_who_has_enough() -> None:
    """Whoever has traded enough needs no time to look, once the bots have had theirs."""

    async def act(house: ActorHouse) -> None:
        await house.trading("pk", "anna", "no-trade")
        await house.wait(4_200)
        await house.tables.give_sign(house.table_id, "anna", "enough")
        after = await ended(house, 20_000)

        assert after is not None
        assert after <= 600

    staged(act)


def test_trading_ends_at_once_when_all_people_have_traded_enough() -> None:
    """Nobody is waited for any more, nor called a last time."""

    async def act(house: ActorHouse) -> None:
        await asked(house)
        await house.wait(3_000)
        await house.tables.give_sign(house.table_id, "anna", "enough")
        after = await ended(house, 5_000)
        events = [event for row in await house.rows(house.table_id) for event in row.events]

        assert after is not None
        assert after <= 200
        assert not any(isinstance(event, LastCallBegan) for event in events)

    staged(act)


def test_last_call_ends_when_all_people_have_traded_enough() -> None:
    """Whoever says so during the last call need not wait for its end."""

    async def act(house: ActorHouse) -> None:
        await house.trading("pk", "anna", "no-trade")
        await ended(house, 16_000)
        await house.wait(500)
        await house.tables.give_sign(house.table_id, "anna", "enough")
        await house.wait(300)

        assert not isinstance((await house.now()).phase, TradePhase)

    staged(act)


def test_one_person_of_two_who_has_enough_ends_nothing() -> None:
    """The other one may still answer."""

    async def act(house: ActorHouse) -> None:
        house.actors.says = lambda question: (
            ask_for(0, 1, 2) if question.seat == 0 and question.tries == 5 else None
        )
        await house.trading("pk", "anna", "bert", clock="slow")
        while not await house.offers():
            await house.wait(50)
        await house.tables.give_sign(house.table_id, "anna", "enough")
        after = await ended(house, 20_000)

        assert after is not None
        assert after > 11_000

    staged(act)


def test_person_who_has_enough_is_waited_for_no_longer() -> None:
    """Only he was asked for something: the other person has his time to look, and no more."""

    async def act(house: ActorHouse) -> None:
        house.actors.says = asks_anna
        await house.trading("pk", "anna", "bert")
        while not await house.offers():
            await house.wait(50)
        await house.tables.give_sign(house.table_id, "anna", "enough")
        after = await ended(house, 20_000)

        assert after is not None
        assert after <= 12_200

    staged(act)


def test_trading_stays_open_while_a_person_composes() -> None:
    """For as long as he says so, and a silence longer."""

    async def act(house: ActorHouse) -> None:
        await house.trading("pk", "anna", "no-trade")
        await compose(house, 40)
        during = await house.commands()
        await house.tables.give_sign(house.table_id, "anna", None)
        after = await ended(house, 16_000)

        assert not any(isinstance(command, EndTrading) for _, command in during)
        assert after is not None
        assert 1_900 <= after <= 2_200

    staged(act)


def test_bot_does_not_end_a_trading_over_what_somebody_has_just_begun() -> None:
    """Also after its last call, and though everybody had traded enough when it looked."""

    async def act(house: ActorHouse) -> None:
        await house.trading("pk", "anna", "no-trade")
        await ended(house, 16_000)
        await house.tables.give_sign(house.table_id, "anna", "enough")
        await house.tables.give_sign(house.table_id, "anna", "composing")
        with pytest.raises(Refusal) as refused:
            await house.tables.execute_for_bot(house.table_id, 0, "late", EndTrading(0))

        assert refused.value.problem is Problem.NOT_WAITED_FOR
        assert isinstance((await house.now()).phase, TradePhase)

    staged(act)


def test_trading_is_held_open_no_longer_than_the_bound() -> None:
    """After a minute of composing the bot ends its trading all the same."""

    async def act(house: ActorHouse) -> None:
        await house.trading("pk", "anna", "no-trade")
        await compose(house, 80)

        assert not isinstance((await house.now()).phase, TradePhase)

    staged(act)


def test_last_call_waits_for_a_person_who_composes() -> None:
    """It is not over before he has sent his offer, which then has its time."""

    async def act(house: ActorHouse) -> None:
        await house.trading("pk", "anna", "no-trade")
        await ended(house, 16_000)
        await compose(house, 8)
        await house.person(ask_for(1, 0))
        await house.tables.give_sign(house.table_id, "anna", None)
        await house.wait(8_800)
        open_still = isinstance((await house.now()).phase, TradePhase)
        await house.wait(3_000)

        assert open_still
        assert not isinstance((await house.now()).phase, TradePhase)

    staged(act)


def test_last_call_waits_a_minute_for_who_only_goes_on_looking() -> None:
    """He says so as who composes does, and offers nothing: nobody holds a market for ever."""

    async def act(house: ActorHouse) -> None:
        await house.trading("pk", "anna", "no-trade")
        await ended(house, 16_000)
        await compose(house, 56)
        open_still = isinstance((await house.now()).phase, TradePhase)
        await compose(house, 8)

        assert open_still
        assert not isinstance((await house.now()).phase, TradePhase)

    staged(act)


def test_pace_of_the_table_scales_what_bots_take() -> None:
    """A relaxed table waits twice as long for people, a brisk one half as long."""
    found: dict[str, int | None] = {}

    async def act(house: ActorHouse, pace: str) -> None:
        await asked(house, pace=pace, clock="slow")
        found[pace] = await ended(house, 40_000)

    for pace in ("relaxed", "normal", "brisk"):
        staged(partial(act, pace=pace))

    assert found["normal"] is not None
    assert 23_800 <= (found["relaxed"] or 0) <= 30_200
    assert 5_800 <= (found["brisk"] or 0) <= 7_700


def test_offer_that_a_person_cannot_take_as_all_see_is_not_waited_for() -> None:
    """He has fewer cards than it wants, or all of the kind lie open."""
    dealt = fold(opening(RULES, seed_from("waiting")))
    kind = Bean.COFFEE

    assert may_have(RULES, dealt, 1, (kind,) * 5)
    assert not may_have(RULES, dealt, 1, (kind,) * 6)
    assert may_have(RULES, _planted(dealt, kind, RULES.deck[kind] - 1), 1, (kind,))
    assert not may_have(RULES, _planted(dealt, kind, RULES.deck[kind]), 1, (kind,))


def test_what_a_person_may_have_does_not_depend_on_his_hand() -> None:
    """It is said of public facts, so that the end of a trading tells no card."""
    dealt = fold(opening(RULES, seed_from("waiting")))
    for bean in RULES.kinds:
        other = replace(dealt.players[1], hand=tuple(RULES.kinds[:5]))
        changed = replace(dealt, players=(dealt.players[0], other, dealt.players[2]))

        assert may_have(RULES, dealt, 1, (bean,)) == may_have(RULES, changed, 1, (bean,))


def _planted(state: State, bean: Bean, count: int) -> State:
    """Return a position in which seat 2 has so many beans of a kind on a field."""
    player = replace(state.players[2], fields=((bean,) * count, *state.players[2].fields[1:]))
    return replace(state, players=(*state.players[:2], player))

"""Bots in their seats: asked when the game waits, dismissed when another plays, never a table's end."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from bohn.bots.api import TradeView
from bohn.bots.reasons import Reason
from bohn.protocol.room_commands import EndTable, Kick, Pause, Resume, SeatBot, Stand, TakeBack
from bohn.rules.commands import AnyCommand, Command, EndTrading, Plant, SetWish
from bohn.rules.resolve import resolve
from bohn.rules.state import PlantPhase, TradePhase
from bohn.server.bots.messages import Question
from bohn.server.bots.seats import BotSeats
from bohn.server.clock import SystemClock
from bohn.server.settings import Settings, Times
from tests.server.bots.actors import KINDS, ActorHouse, ask_for, decline, staged
from tests.server.bots.company import BotHouse, HomePool
from tests.server.bots.players import WHERE

BEGINS = ("starter=seat:0",)
TINY = Times(
    bot_move=(1, 4), bot_delay=(1, 4), bot_chatter=(1, 2), bot_beside_people=(5, 8), bot_quiet=20,
    bot_open=(5, 10), collect=2, last_call=30, poll=10, beat=600_000,
    bot_limit=250,
)  # fmt: skip


# -- when the game waits -------------------------------------------------------------------------------


def test_bot_acts_in_its_time() -> None:
    """Whom the game waits for moves after a moment, once, and then again."""

    async def act(house: ActorHouse) -> None:
        table = await house.company("pk", "anna", "pk", house_rules=BEGINS)
        start = house.clock.now()
        while len(await house.rows(table)) < 6:
            await house.clock.advance(10)
        first = house.clock.now() - start
        seqs = [question.seat for question in house.actors.questions]

        assert 300 <= first <= 710
        assert seqs == [0]

    staged(act)


def test_seats_that_are_not_waited_for_are_not_asked() -> None:
    """Outside the trading only bots that say so look when others move."""

    async def act(house: ActorHouse) -> None:
        await house.company("pk", "pk", "anna", house_rules=BEGINS)
        while not isinstance((await house.state(house.tables.loaded.all()[0].id)).phase, PlantPhase):
            await house.clock.advance(10)
        await house.wait(900)

        assert {question.seat for question in house.actors.questions} <= {0}

    staged(act)


def test_watchful_bots_look_after_every_batch() -> None:
    """A bot that asks for it looks once after each batch outside the trading, if it has any choice."""

    async def play() -> None:
        pool = HomePool()
        house = await BotHouse(pool, Times(beat=600_000)).begin()
        table = await house.company("anna", "watchful", "no-trade", house_rules=BEGINS)
        for _ in range(12):
            await house.clock.advance(20_000)
            await person_moves(house, table)
        idle = [
            question
            for question in pool.questions
            if question.view.viewer not in question.view.waiting
            and not isinstance(question.view.phase, TradeView)
        ]

        assert {question.seat for question in idle} == {1}
        assert all(question.legal for question in idle)
        await house.end()

    asyncio.run(play())


def test_talk_wakes_no_watchful_bot() -> None:
    """Outside the trading, too, a word alone makes nobody look."""

    async def play() -> None:
        pool = HomePool()
        house = await BotHouse(pool).begin()
        table = await house.company("anna", "watchful", "watchful", house_rules=BEGINS)
        await house.clock.advance(10_000)
        await house.do(table, "anna", SetWish(0, resolve("full", 3).kinds[0], "want"))
        assert pending(house.seats) == 0
        await house.do(table, "anna", Plant(0, 0))
        assert pending(house.seats) == 2
        await house.end()

    asyncio.run(play())


async def person_moves(house: BotHouse, table: str, user: str = "anna") -> None:
    """Let Anna in seat 0 do one thing that the game waits for."""
    peek = await house.peek(table)
    assert peek.state is not None
    command: Command | None = await house.seats.choose(peek, 0)
    if isinstance(peek.state.phase, TradePhase) and peek.state.active_player == 0:
        command = EndTrading(0)
    if command is not None:
        await house.do(table, user, command)


# -- who plays -----------------------------------------------------------------------------------------


def pending(seats: BotSeats) -> int:
    """Return how many tasks wait."""
    return len([task for task in seats._tasks if not task.done()])


@pytest.mark.parametrize("returning", [TakeBack(), Plant(0, 0)])
def test_owner_who_returns_ends_the_looks_of_his_bot(returning: Any) -> None:
    """A seat that is taken back, by a word or by a move, is not played by the bot any more."""

    async def act(house: ActorHouse) -> None:
        table = await house.company("anna", "bert", "carl", house_rules=BEGINS)
        await house.do(table, "bert", Stand())
        assert pending(house.seats) == 0
        await house.do(table, "anna", Stand())
        await house.clock.advance(500)
        assert pending(house.seats) == 1
        await house.do(table, "anna", returning)
        await house.clock.settle()
        assert pending(house.seats) == 0
        await house.wait(20_000)

        assert house.actors.questions == []

    staged(act)


def test_bot_takes_over_where_its_owner_left() -> None:
    """A bot that is handed a seat in the middle of things does what is to be done."""

    async def act(house: ActorHouse) -> None:
        table = await house.company("anna", "bert", "carl", house_rules=BEGINS)
        await house.do(table, "anna", SeatBot(0, "no-trade"))
        await house.wait(2_600)

        assert any(isinstance(row.command, Plant) for row in await house.rows(table))

    staged(act)


def test_bot_takes_over_a_trading() -> None:
    """A bot that comes into a trading looks at it, and at the offers that have reached it."""

    async def act(house: ActorHouse) -> None:
        await house.trading("anna", "bert", "carl")
        await house.person(ask_for(0, 1, 2))
        await house.person(Kick(1))
        house.began = house.clock.now()
        await house.wait(20_000)
        looked = house.looked()

        assert [seat for _, seat in looked] == [1, 1]
        assert 800 <= looked[0][0] <= 2_500
        assert 3_000 <= looked[1][0] <= 4_500

    staged(act)


def test_another_bot_in_the_seat_is_the_one_that_is_asked() -> None:
    """When the host puts another bot into a seat, that one plays on."""

    async def act(house: ActorHouse) -> None:
        table = await house.company("anna", "bert", "carl", house_rules=BEGINS)
        await house.do(table, "anna", SeatBot(0, "b3"))
        await house.clock.settle()
        await house.do(table, "anna", TakeBack())
        await house.do(table, "anna", SeatBot(0, "b4"))
        await house.wait(2_600)

        assert [player.bot for player in house.seats._bot_tables[table].bots.values()] == ["b4"]

    staged(act)


def test_pause_stops_bots_and_resuming_wakes_them() -> None:
    """While a table pauses nothing is pending; afterwards the game goes on."""

    async def act(house: ActorHouse) -> None:
        table = await house.company("pk", "anna", "pk", house_rules=BEGINS)
        await house.clock.advance(300)
        await house.do(table, "anna", Pause())
        await house.clock.settle()
        assert pending(house.seats) == 0
        await house.wait(20_000)
        assert house.actors.questions == []
        await house.do(table, "anna", Resume())
        await house.wait(2_600)

        assert house.actors.questions != []

    staged(act)


def test_pause_in_the_trading_stops_the_silence_too() -> None:
    """No bot ends the trading of a table that pauses; resumed, it is quiet for two seconds first."""

    async def act(house: ActorHouse) -> None:
        await house.trading("pk", "anna", "no-trade")
        await house.wait(1_500)
        await house.person(Pause())
        await house.clock.settle()
        assert pending(house.seats) == 0
        await house.wait(20_000)
        rows = len(await house.rows(house.table_id))
        await house.person(Resume())
        await house.wait(1_900)
        assert len(await house.rows(house.table_id)) == rows + 1
        await house.wait(700)

        assert len(await house.rows(house.table_id)) == rows + 2

    staged(act)


def test_offers_of_a_turn_outlast_a_pause() -> None:
    """What was offered before a pause is not offered again behind it."""

    async def act(house: ActorHouse) -> None:
        house.actors.says = lambda question: ask_for(1, 0) if question.tries == 5 else None
        await house.trading("anna", "pk", "no-trade")
        await house.wait(5_000)
        await house.person(Pause())
        await house.person(Resume())
        await house.wait(30_000)

        assert house.actors.questions[-1].tries == 4
        assert len(house.actors.questions[-1].made) == 1

    staged(act)


def test_standing_offers_are_remembered_when_a_table_is_loaded() -> None:
    """What stands when a table comes back into memory was offered this turn."""

    async def act(house: ActorHouse) -> None:
        house.actors.says = lambda question: ask_for(1, 0) if question.tries == 5 else None
        await house.trading("anna", "pk", "no-trade")
        await house.wait(3_000)
        house.drop(house.table_id)
        house.actors.questions.clear()
        await house.peek(house.table_id)
        await house.wait(30_000)

        assert max(question.tries for question in house.actors.questions) == 4

    staged(act)


def test_who_was_told_that_somebody_has_none_is_told_so_when_asked() -> None:
    """The maker of the offer knows it for the rest of the turn, nobody else; of other reasons nobody does."""

    def says(question: Question) -> AnyCommand | None:
        if question.seat == 0 and question.tries == 5:
            return ask_for(0, 1)
        return decline(question)

    async def act(house: ActorHouse, reason: Reason) -> set[tuple[int, Any]]:
        house.actors.says, house.actors.reason = says, reason
        await house.trading("pk", "pk", "anna")
        await house.wait(30_000)
        return {(question.seat, question.told_none) for question in house.actors.questions}

    async def none(house: ActorHouse) -> None:
        assert await act(house, Reason("says.none", {"bean": KINDS[0]})) == {
            (0, ()), (0, ((1, KINDS[0]),)), (1, ()),
        }  # fmt: skip

    async def useless(house: ActorHouse) -> None:
        assert await act(house, Reason("says.useless")) == {(0, ()), (1, ())}

    staged(none)
    staged(useless)


def test_nothing_is_pending_at_a_table_that_is_over() -> None:
    """An abandoned table and a finished one leave nothing behind."""

    async def play() -> None:
        house = await BotHouse(HomePool()).begin()
        table = await house.company("anna", "pk", "pk")
        await house.clock.advance(5_000)
        await house.do(table, "anna", EndTable())
        await house.clock.settle()
        assert pending(house.seats) == 0
        await house.play_out(await house.company("pk", "no-trade", "random"))
        await house.clock.settle()
        assert pending(house.seats) == 0
        assert house.seats._bot_tables == {}
        await house.end()

    asyncio.run(play())


def test_dropped_table_is_forgotten_and_taken_up_again() -> None:
    """A table that leaves memory has no bots; once it is loaded, they go on."""

    async def act(house: ActorHouse) -> None:
        table = await house.company("pk", "anna", "pk", house_rules=BEGINS)
        house.drop(table)
        await house.clock.settle()
        assert pending(house.seats) == 0
        await house.wait(10_000)
        assert house.actors.questions == []
        await house.peek(table)
        await house.wait(2_600)

        assert [question.seat for question in house.actors.questions[:1]] == [0]

    staged(act)


def test_stop_ends_everything() -> None:
    """After the end of all work nothing is pending, nothing is heard, and the processes are stopped."""

    async def play() -> None:
        pool = HomePool()
        house = await BotHouse(pool).begin()
        tables = [await house.company("pk", "pk", "anna", house_rules=BEGINS) for _ in range(3)]
        await house.clock.advance(300)
        assert pending(house.seats) >= 3
        peek = await house.peek(tables[0])
        await house.seats.stop()
        house.seats.noticed(peek, None)

        assert pending(house.seats) == 0
        assert house.seats._bot_tables == {}
        assert pool.stopped
        await house.end()

    asyncio.run(play())


def test_stop_while_bots_think_leaves_no_task() -> None:
    """Bots that are thinking in a process when all is stopped leave neither task nor process."""

    async def play() -> None:
        house = BotHouse(times=TINY, clock=SystemClock())
        settings = Settings(times=replace(TINY, bot_limit=60_000))
        house.seats = BotSeats(house.tables, settings, SystemClock(), Random(1), players=WHERE)
        await house.begin()
        await house.company("hanging", "hanging", "anna")
        await asyncio.sleep(0.3)
        await house.end()

        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(play())


def test_batch_that_is_told_twice_is_heard_once() -> None:
    """A batch one has seen changes nothing."""

    async def act(house: ActorHouse) -> None:
        await house.trading("anna", "pk", "pk")
        await house.wait(5_000)
        house.looked()
        row = (await house.rows(house.table_id))[-1]
        peek = await house.peek(house.table_id)
        house.seats.noticed(peek, row)
        await house.wait(10_000)

        assert house.looked() == []

    staged(act)

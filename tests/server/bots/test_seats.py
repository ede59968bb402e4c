"""Bots in their seats: asked when the game waits, dismissed when another plays, never a table's end."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from bohn.bots.api import TradeView
from bohn.bots.farming import is_due
from bohn.rules.commands import Command, EndTrading, Plant, SetWish
from bohn.rules.resolve import resolve
from bohn.rules.state import PlantPhase, TradePhase
from bohn.server.ambient import World
from bohn.server.bots.seats import BotSeats
from bohn.server.room.commands import EndTable, Kick, Pause, Resume, SeatBot, Stand, TakeBack
from bohn.server.settings import Settings, Times
from tests.server.bots.company import BotHouse, HomePool
from tests.server.bots.players import WHERE
from tests.server.bots.stage import Stage, ask_for, staged

BEGINS = ("starter=seat:0",)
TINY = Times(
    bot_move=(1, 4), bot_delay=(1, 4), bot_chatter=(1, 2), bot_beside_people=(5, 8), bot_quiet=20,
    collect=2, last_call=30, poll=10, beat=600_000,
    bot_limit=250,
)  # fmt: skip


# -- when the game waits -------------------------------------------------------------------------------


def test_bot_acts_in_its_time() -> None:
    """Whom the game waits for moves after a moment, once, and then again."""

    async def act(stage: Stage) -> None:
        table = await stage.company("pk", "anna", "pk", house_rules=BEGINS)
        start = stage.world.now()
        while len(await stage.rows(table)) < 6:
            await stage.world.advance(10)
        first = stage.world.now() - start
        seqs = [ask.seat for ask in stage.actors.asks]

        assert 300 <= first <= 710
        assert seqs == [0]

    staged(act)


def test_seats_that_are_not_waited_for_are_not_asked() -> None:
    """Outside the trading only bots that say so look when others move."""

    async def act(stage: Stage) -> None:
        await stage.company("pk", "pk", "anna", house_rules=BEGINS)
        while not isinstance((await stage.state(next(iter(stage.tables.lives)))).phase, PlantPhase):
            await stage.world.advance(10)
        await stage.wait(900)

        assert {ask.seat for ask in stage.actors.asks} <= {0}

    staged(act)


def test_watchful_bots_look_after_every_batch() -> None:
    """A bot that asks for it looks once after each batch outside the trading, if it has any choice."""

    async def play() -> None:
        pool = HomePool()
        house = await BotHouse(pool, Times(beat=600_000)).begin()
        table = await house.company("anna", "watchful", "no-trade", house_rules=BEGINS)
        for _ in range(12):
            await house.world.advance(20_000)
            await person_moves(house, table)
        idle = [
            ask for ask in pool.asks if not is_due(ask.view) and not isinstance(ask.view.phase, TradeView)
        ]

        assert {ask.seat for ask in idle} == {1}
        assert all(ask.legal for ask in idle)
        await house.end()

    asyncio.run(play())


def test_talk_wakes_no_watchful_bot() -> None:
    """Outside the trading, too, a word alone makes nobody look."""

    async def play() -> None:
        pool = HomePool()
        house = await BotHouse(pool).begin()
        table = await house.company("anna", "watchful", "watchful", house_rules=BEGINS)
        await house.world.advance(10_000)
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

    async def act(stage: Stage) -> None:
        table = await stage.company("anna", "bert", "carl", house_rules=BEGINS)
        await stage.do(table, "bert", Stand())
        assert pending(stage.seats) == 0
        await stage.do(table, "anna", Stand())
        await stage.world.advance(500)
        assert pending(stage.seats) == 1
        await stage.do(table, "anna", returning)
        await stage.world.settle()
        assert pending(stage.seats) == 0
        await stage.wait(20_000)

        assert stage.actors.asks == []

    staged(act)


def test_bot_takes_over_where_its_owner_left() -> None:
    """A bot that is handed a seat in the middle of things does what is to be done."""

    async def act(stage: Stage) -> None:
        table = await stage.company("anna", "bert", "carl", house_rules=BEGINS)
        await stage.do(table, "anna", SeatBot(0, "no-trade"))
        await stage.wait(2_600)

        assert any(isinstance(row.command, Plant) for row in await stage.rows(table))

    staged(act)


def test_bot_takes_over_a_trading() -> None:
    """A bot that comes into a trading looks at it, and at the offers that have reached it."""

    async def act(stage: Stage) -> None:
        await stage.trading("anna", "bert", "carl")
        await stage.person(ask_for(0, 1, 2))
        await stage.person(Kick(1))
        stage.began = stage.world.now()
        await stage.wait(20_000)
        looked = stage.looked()

        assert [seat for _, seat in looked] == [1, 1]
        assert 800 <= looked[0][0] <= 2_500
        assert 3_000 <= looked[1][0] <= 4_500

    staged(act)


def test_another_bot_in_the_seat_is_the_one_that_is_asked() -> None:
    """When the host puts another bot into a seat, that one plays on."""

    async def act(stage: Stage) -> None:
        table = await stage.company("anna", "bert", "carl", house_rules=BEGINS)
        await stage.do(table, "anna", SeatBot(0, "b3"))
        await stage.world.settle()
        await stage.do(table, "anna", TakeBack())
        await stage.do(table, "anna", SeatBot(0, "b4"))
        await stage.wait(2_600)

        assert [player.bot for player in stage.seats._desks[table].players.values()] == ["b4"]

    staged(act)


def test_pause_stops_bots_and_resuming_wakes_them() -> None:
    """While a table pauses nothing is pending; afterwards the game goes on."""

    async def act(stage: Stage) -> None:
        table = await stage.company("pk", "anna", "pk", house_rules=BEGINS)
        await stage.world.advance(300)
        await stage.do(table, "anna", Pause())
        await stage.world.settle()
        assert pending(stage.seats) == 0
        await stage.wait(20_000)
        assert stage.actors.asks == []
        await stage.do(table, "anna", Resume())
        await stage.wait(2_600)

        assert stage.actors.asks != []

    staged(act)


def test_pause_in_the_trading_stops_the_silence_too() -> None:
    """No bot ends the trading of a table that pauses; resumed, it is quiet for two seconds first."""

    async def act(stage: Stage) -> None:
        await stage.trading("pk", "anna", "no-trade")
        await stage.wait(1_500)
        await stage.person(Pause())
        await stage.world.settle()
        assert pending(stage.seats) == 0
        await stage.wait(20_000)
        rows = len(await stage.rows(stage.table_id))
        await stage.person(Resume())
        await stage.wait(1_900)
        assert len(await stage.rows(stage.table_id)) == rows + 1
        await stage.wait(700)

        assert len(await stage.rows(stage.table_id)) == rows + 2

    staged(act)


def test_offers_of_a_turn_outlast_a_pause() -> None:
    """What was offered before a pause is not offered again behind it."""

    async def act(stage: Stage) -> None:
        stage.actors.says = lambda ask: ask_for(1, 0) if ask.tries == 5 else None
        await stage.trading("anna", "pk", "no-trade")
        await stage.wait(5_000)
        await stage.person(Pause())
        await stage.person(Resume())
        await stage.wait(30_000)

        assert stage.actors.asks[-1].tries == 4
        assert len(stage.actors.asks[-1].made) == 1

    staged(act)


def test_open_offers_are_remembered_when_a_table_is_loaded() -> None:
    """What lies open when a table comes back into memory was offered this turn."""

    async def act(stage: Stage) -> None:
        stage.actors.says = lambda ask: ask_for(1, 0) if ask.tries == 5 else None
        await stage.trading("anna", "pk", "no-trade")
        await stage.wait(3_000)
        stage.tables.drop(stage.tables.lives[stage.table_id])
        stage.actors.asks.clear()
        await stage.peek(stage.table_id)
        await stage.wait(30_000)

        assert max(ask.tries for ask in stage.actors.asks) == 4

    staged(act)


def test_nothing_is_pending_at_a_table_that_is_over() -> None:
    """An abandoned table and a finished one leave nothing behind."""

    async def play() -> None:
        house = await BotHouse(HomePool()).begin()
        table = await house.company("anna", "pk", "pk")
        await house.world.advance(5_000)
        await house.do(table, "anna", EndTable())
        await house.world.settle()
        assert pending(house.seats) == 0
        await house.play_out(await house.company("pk", "no-trade", "random"))
        await house.world.settle()
        assert pending(house.seats) == 0
        assert house.seats._desks == {}
        await house.end()

    asyncio.run(play())


def test_dropped_table_is_forgotten_and_taken_up_again() -> None:
    """A table that leaves memory has no bots; once it is loaded, they go on."""

    async def act(stage: Stage) -> None:
        table = await stage.company("pk", "anna", "pk", house_rules=BEGINS)
        stage.tables.drop(stage.tables.lives[table])
        await stage.world.settle()
        assert pending(stage.seats) == 0
        await stage.wait(10_000)
        assert stage.actors.asks == []
        await stage.peek(table)
        await stage.wait(2_600)

        assert [ask.seat for ask in stage.actors.asks[:1]] == [0]

    staged(act)


def test_stop_ends_everything() -> None:
    """After the end of all work nothing is pending, nothing is heard, and the processes are stopped."""

    async def play() -> None:
        pool = HomePool()
        house = await BotHouse(pool).begin()
        tables = [await house.company("pk", "pk", "anna", house_rules=BEGINS) for _ in range(3)]
        await house.world.advance(300)
        assert pending(house.seats) >= 3
        peek = await house.peek(tables[0])
        await house.seats.stop()
        house.seats.noticed(peek, None)

        assert pending(house.seats) == 0
        assert house.seats._desks == {}
        assert pool.stopped
        await house.end()

    asyncio.run(play())


def test_stop_while_bots_think_leaves_no_task() -> None:
    """Bots that are thinking in a process when all is stopped leave neither task nor process."""

    async def play() -> None:
        house = BotHouse(times=TINY, world=World())
        settings = Settings(times=replace(TINY, bot_limit=60_000))
        house.seats = BotSeats(house.tables, settings, World(), Random(1), players=WHERE)
        await house.begin()
        await house.company("hanging", "hanging", "anna")
        await asyncio.sleep(0.3)
        await house.end()

        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(play())


def test_batch_that_is_told_twice_is_heard_once() -> None:
    """A batch one has seen changes nothing."""

    async def act(stage: Stage) -> None:
        await stage.trading("anna", "pk", "pk")
        await stage.wait(5_000)
        stage.looked()
        row = (await stage.rows(stage.table_id))[-1]
        peek = await stage.peek(stage.table_id)
        stage.seats.noticed(peek, row)
        await stage.wait(10_000)

        assert stage.looked() == []

    staged(act)

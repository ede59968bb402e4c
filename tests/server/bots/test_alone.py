"""Games that bots play alone: they go on while somebody looks, and rest while nobody does."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from bohn.protocol.room_commands import Stand
from bohn.rules.commands import AnyCommand
from bohn.server.bots import seats
from bohn.server.bots.messages import BotAnswer, Question
from bohn.server.tables.api import Watcher
from tests.server.bots.actors import TIMES, ActorHouse, accept, decline, gift, staged
from tests.server.bots.company import BotHouse, HomePool
from tests.server.support.tables import Ear

BEGINS = ("starter=seat:0",)


async def asked(house: ActorHouse, milliseconds: int = 2_000) -> bool:
    """Let time pass, and tell whether anything has happened at the table."""
    before = len(await house.rows(house.table_id))
    await house.wait(milliseconds)
    return len(await house.rows(house.table_id)) > before


async def alone(house: ActorHouse) -> None:
    """Begin a game in which the only person has left her seat to a bot."""
    house.table_id = await house.company("anna", "pk", "pk", house_rules=BEGINS)
    await house.do(house.table_id, "anna", Stand())


def test_bots_alone_are_not_asked_while_nobody_looks() -> None:
    """No move is made, and nothing is pending."""

    async def act(house: ActorHouse) -> None:
        await alone(house)
        assert not await asked(house)
        assert all(task.done() for task in house.seats._tasks)

    staged(act)


def test_bots_alone_go_on_when_somebody_looks_and_rest_when_the_last_has_left() -> None:
    """The owner, or anybody else, finds the game where it was; the second one who looks changes nothing."""

    async def act(house: ActorHouse) -> None:
        await alone(house)
        first = await house.tables.watch(house.table_id, "anna", Ear(), None)
        second = await house.tables.watch(house.table_id, None, Ear(), None)
        assert await asked(house)
        house.tables.unwatch(first)
        assert await asked(house)
        house.tables.unwatch(second)
        assert not await asked(house)
        await house.tables.watch(house.table_id, None, Ear(), None)
        assert await asked(house)

    staged(act)


class ThinkingPool(HomePool):
    """A pool whose bots think until they are let go."""

    def __init__(self) -> None:
        super().__init__()
        self.done = asyncio.Event()

    async def decide(self, question: Question) -> BotAnswer:
        """Return the answer once it is let go."""
        await self.done.wait()
        return await super().decide(question)


def test_bots_alone_go_on_if_one_leaves_and_another_comes_while_a_bot_thinks() -> None:
    """The look that was given up in between does not keep the next one from beginning."""

    async def run() -> None:
        pool = ThinkingPool()
        house = await BotHouse(pool).begin()
        table = await house.company("pk", "pk", "pk", house_rules=BEGINS)
        await house.clock.advance(2_000)
        (watcher,) = house.tables.loaded.all()[0].live.watchers
        house.tables.unwatch(watcher)
        await house.tables.watch(table, "anna", Ear(), None)
        before = len(await house.rows(table))
        pool.done.set()
        await house.clock.advance(10_000)
        assert len(await house.rows(table)) > before
        await house.end()

    asyncio.run(run())


def test_bots_alone_keep_their_offers_of_the_turn_while_they_rest() -> None:
    """What was offered before is not offered again to who looks later."""

    async def act(house: ActorHouse) -> None:
        await house.trading("pk", "pk", "pk")
        table = house.seats._bot_tables[house.table_id]
        made = table.offers_made
        (watcher,) = house.tables.loaded.all()[0].live.watchers
        house.tables.unwatch(watcher)
        await house.tables.watch(house.table_id, None, Ear(), None)

        assert house.seats._bot_tables[house.table_id] is table
        assert table.offers_made is made

    staged(act)


def test_bots_alone_are_not_heard_anew_because_somebody_looks_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has done all he may in a trading is left alone there, however often a stream breaks."""
    monkeypatch.setattr(seats, "ACTS_A_TURN", 3)

    def says(question: Question) -> AnyCommand | None:
        return accept(question) or decline(question) if question.seat == 2 else None

    async def act(house: ActorHouse) -> None:
        house.actors.says = says
        await house.trading("pk", "pk", "pk")
        offer = gift(await house.phase(), 0, 2, open_=True)
        await house.tables.execute_for_bot(house.table_id, 0, "gift", offer)
        watcher: Watcher = next(iter(house.tables.loaded.all()[0].live.watchers))
        for _ in range(3):
            await house.wait(20_000)
            house.tables.unwatch(watcher)
            watcher = await house.tables.watch(house.table_id, None, Ear(), None)
        acts = [command for actor, command in await house.commands() if actor == "bot:2"]

        assert len(acts) == 3
        assert (await house.phase()).offers

    staged(act, times=replace(TIMES, bot_quiet=3_600_000))


def test_bots_beside_a_person_play_while_nobody_looks() -> None:
    """A program that sits there needs no stream."""

    async def act(house: ActorHouse) -> None:
        house.table_id = await house.company("pk", "anna", "pk", house_rules=BEGINS)
        assert await asked(house)

    staged(act)


def test_bots_alone_rest_after_a_restart_until_somebody_looks() -> None:
    """A table that is only loaded is not looked at."""

    async def play() -> None:
        house = await BotHouse(HomePool()).begin()
        table = await house.company("pk", "pk", "pk", house_rules=BEGINS)
        house.drop(table)
        rows = len(await house.rows(table))
        await house.peek(table)
        await house.clock.advance(5_000)
        assert len(await house.rows(table)) == rows
        await house.tables.watch(table, "host", Ear(), None)
        await house.clock.advance(5_000)

        assert len(await house.rows(table)) > rows
        await house.end()

    asyncio.run(play())

"""Bots at real tables, for tests: in this process or in others, in real time or by a stopped clock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec

from bohn.protocol.room import Options
from bohn.protocol.room_commands import SeatBot, Sit, Start
from bohn.rules.commands import AnyCommand
from bohn.rules.legal import legal_commands, offer_space
from bohn.rules.resolve import resolve
from bohn.rules.ruleset import Rules
from bohn.rules.state import State
from bohn.server.bots.deciding import BotPool
from bohn.server.bots.messages import (
    BotAnswer,
    Broken,
    Question,
    Traits,
    decode_question,
    decode_reply,
    encode,
    load_players,
)
from bohn.server.bots.pool import BotFailed
from bohn.server.bots.seats import BotSeats
from bohn.server.bots.worker import BotCache
from bohn.server.settings import Settings, Times
from bohn.server.store.protocol import LogRow
from bohn.server.tables.api import Peek
from bohn.views.view import view
from tests.patience import PATIENCE
from tests.server.bots.players import WHERE
from tests.server.support.clock import StillClock
from tests.server.support.tables import Ear, House

RARELY = Times(poll=60_000, beat=600_000)
"""The usual times; clocks are polled rarely, so that long games pass quickly."""


def ask_of(rules: Rules, state: State, seat: int, bot: str, **more: Any) -> Question:
    """Return the question to a bot in a seat."""
    legal: Any = legal_commands(rules, state, seat)
    space = offer_space(rules, state, seat)
    tries = more.pop("tries", 5)
    return Question("t1", seat, bot, 1, view(rules, state, seat), legal, space, tries, **more)


class HomePool:
    """Bots in this process: every question and reply goes through the same bytes as between processes."""

    def __init__(self, players: str = WHERE) -> None:
        self.bots = BotCache(load_players(players))
        self.questions: list[Question] = []
        self.stopped = False

    async def decide(self, question: Question) -> BotAnswer:
        """Ask a bot at once."""
        self.questions.append(question)
        try:
            reply = decode_reply(encode(self.bots.reply(decode_question(encode(question)))))
        except (msgspec.DecodeError, TypeError) as error:
            raise BotFailed("broken") from error
        if isinstance(reply, Broken):
            raise BotFailed("broken", reply.what)
        return reply

    async def stop(self) -> None:
        """Note it."""
        self.stopped = True


class Scripted:
    """Answers by a function; an exception that it returns is raised."""

    def __init__(self, script: Callable[[Question], AnyCommand | Exception | None], **traits: bool) -> None:
        self.script = script
        self.questions: list[Question] = []
        self.traits = Traits(**{"trades": True, "off_turn": False, "uses_knowledge": False, **traits})

    async def decide(self, question: Question) -> BotAnswer:
        """Ask the function."""
        self.questions.append(question)
        found = self.script(question)
        if isinstance(found, Exception):
            raise found
        return BotAnswer(found, self.traits)

    async def stop(self) -> None:
        """Do nothing."""


def silent() -> Scripted:
    """Return a pool in which every bot passes."""
    return Scripted(lambda _: None)


class RecordingClock(StillClock):
    """A clock that stands still and notes how long everybody slept, and when."""

    def __init__(self) -> None:
        super().__init__()
        self.slept: list[tuple[int, float]] = []

    async def sleep(self, milliseconds: float) -> None:
        """Note it and wait."""
        self.slept.append((self.now(), milliseconds))
        await super().sleep(milliseconds)


class BotHouse(House):
    """A house with bots in its seats."""

    def __init__(
        self,
        pool: BotPool | None = None,
        times: Times = RARELY,
        clock: Any = None,
        seed: int = 1,
        **seats: Any,
    ) -> None:
        super().__init__(Settings(times=times), clock=clock, bots=load_players(WHERE))
        self.pool = pool
        self.seats = BotSeats(
            self.tables, self.settings, self.clock, Random(seed), players=WHERE, pool=pool, **seats
        )

    async def begin(self, seats: Any = None) -> BotHouse:
        """Begin with these bots."""
        await super().begin(seats or self.seats)
        return self

    async def company(self, *names: str, **options: Any) -> str:
        """Open a table, seat these bots and people in this order, and deal; the first person is the host.

        Without people somebody looks on, for else the bots would not play.
        """
        people = [name for name in names if name not in self.seats._factories]
        host = people[0] if people else "host"
        table = await self.tables.open_table(host, Options(players=len(names), listed=True, **options))
        for place, name in enumerate(names):
            if name in people:
                await self.do(table, name, Sit(place))
            else:
                await self.do(table, host, SeatBot(place, name))
        await self.do(table, host, Start())
        if not people:
            await self.tables.watch(table, host, Ear(), None)
        return table

    async def peek(self, table: str) -> Peek:
        """Return a table as it is."""
        return await self.tables.peek(table)

    async def state(self, table: str) -> State:
        """Return the position of a table."""
        state = (await self.peek(table)).state
        assert state is not None
        return state

    async def rows(self, table: str) -> tuple[LogRow, ...]:
        """Return the log of a table."""
        return await self.store.rows(table)

    async def over(self, table: str) -> Peek:
        """Wait in real time until the game is over."""
        async with asyncio.timeout(PATIENCE):
            while (peek := await self.peek(table)).room.status == "playing":  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.01)
        return peek

    async def play_out(self, table: str, minutes: int = 240) -> Peek:
        """Let time go on until the game is over."""
        for _ in range(minutes * 2):
            peek = await self.peek(table)
            if peek.room.status != "playing":
                return peek
            await self.clock.advance(30_000)
        msg = f"not over after {minutes} minutes: {(await self.peek(table)).state}"
        raise AssertionError(msg)


def rules_for(edition: str, players: int, *house: str) -> Rules:
    """Return the rules of a game."""
    return resolve(edition, players, *house)

"""A lesson with a learner, while the clock stands still: he does what he is told, or something else."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

from bohn.notation.beans import parse_beans
from bohn.protocol.room import Options
from bohn.rules.commands import (
    AcceptOffer,
    Command,
    DeclineOffer,
    EndTrading,
    Harvest,
    MakeOffer,
    Plant,
    PlantSetAside,
    Reveal,
)
from bohn.rules.legal import legal_commands
from bohn.rules.state import Copy, Offer, State, TradePhase
from bohn.server.bots.seats import BotSeats
from bohn.server.lessons import LESSONS, Lesson
from bohn.server.settings import Settings, Times
from bohn.server.store.protocol import LogRow
from bohn.server.tables.midgame import MidgameTable
from tests.server.bots.company import HomePool
from tests.server.support.tables import House

LEARNER = "lena"
PLAYERS = "bohn.server.lessons:PLAYERS"
STEP = 200
TIMES = Times(poll=100, beat=600_000)


class Class(House):
    """A house with one lesson in it."""

    def __init__(self, name: str = "first-game", times: Times = TIMES) -> None:
        super().__init__(Settings(times=times))
        self.lesson: Lesson = LESSONS[name]
        self.table_id = ""
        self.outcomes: set[str] = set()

    async def open(self) -> None:
        """Open the lesson."""
        seats = BotSeats(
            self.tables, self.settings, self.clock, Random(1), players=PLAYERS, log=self.store.rows,
            pool=HomePool(PLAYERS), decided=lambda outcome, _: self.outcomes.add(outcome),
        )  # fmt: skip
        await self.begin(seats)
        rules = self.lesson.rules
        options = Options(rules.edition, rules.players, rules.house_rules, spectators=False)
        bots = tuple((self.lesson.name, name) for name in self.lesson.names)
        begun = MidgameTable(options, self.lesson.seat, bots, self.lesson.entries, lesson=self.lesson.name)
        self.table_id = (await self.tables.open_midgame(LEARNER, begun, None, ""))[0]

    async def state(self) -> State:
        """Return the position."""
        state = (await self.tables.peek(self.table_id)).state
        assert state is not None
        return state

    async def log(self) -> tuple[LogRow, ...]:
        """Return the whole log."""
        return await self.store.rows(self.table_id)

    async def learner(self, *commands: Command) -> None:
        """Do what the learner does."""
        for command in commands:
            task = asyncio.ensure_future(self.do(self.table_id, LEARNER, command))
            await asyncio.wait([task], timeout=0)
            while not task.done():  # acceptances of an offer to several are gathered for a moment
                await self.clock.advance(50)
            await task

    async def wait(self, until: Callable[[State], object], most: int = 60_000) -> State:
        """Let time pass until something is so; fail if it takes longer than that (ms)."""
        for _ in range(most // STEP):
            state = await self.state()
            if until(state):
                return state
            await self.clock.advance(STEP)
        raise AssertionError((await self.state()).phase)

    async def rest(self, milliseconds: int) -> None:
        """Let time pass."""
        for _ in range(milliseconds // STEP):
            await self.clock.advance(STEP)

    # what the learner is taught

    async def plant(self, *fields: int) -> None:
        """Plant from the hand on these fields, one after the other, and turn beans over."""
        await self.learner(*(Plant(0, field) for field in fields), Reveal(0))

    async def take(self) -> Offer:
        """Wait for an offer to the learner, and take it."""
        state = await self.wait(_offered)
        offer = _offered(state)[0]
        legal: Any = legal_commands(self.lesson.rules, state, 0)
        await self.learner(
            next(one for one in legal if isinstance(one, AcceptOffer) and one.offer == offer.id)
        )
        return offer

    async def refuse(self) -> Offer:
        """Wait for an offer to the learner, and decline it."""
        offer = _offered(await self.wait(_offered))[0]
        await self.learner(DeclineOffer(0, offer.id, offer.revision))
        return offer

    async def offer(self, to: int, give: str, want: str = "-") -> int:
        """Offer one card of the hand; return how many cards of the learner have left it before."""
        own = (await self.state()).players[0]
        (bean,) = parse_beans(give)
        copy = Copy(own.hand.index(bean), bean)
        wanted = parse_beans(want)
        await self.learner(MakeOffer(0, (to,), (copy,), (), wanted, hand_revision=own.hand_revision))
        return own.hand_revision

    async def end_trading(self) -> None:
        """End the trading."""
        await self.learner(EndTrading(0))

    async def plant_set_aside(self, **fields: int) -> None:
        """Plant all that was set aside, each kind on its field."""
        state = await self.wait(
            lambda now: now.players[0].set_aside and not isinstance(now.phase, TradePhase)
        )
        for _ in state.players[0].set_aside:
            bean = (await self.state()).players[0].set_aside[0]
            await self.learner(PlantSetAside(0, 0, fields[bean.name.lower()]))

    async def harvest(self, field: int) -> None:
        """Harvest a field."""
        await self.learner(Harvest(0, field))


def _offered(state: State) -> list[Offer]:
    """Return the offers to the learner that he has not answered."""
    if not isinstance(state.phase, TradePhase):
        return []
    return [one for one in state.phase.offers if 0 in one.to and 0 not in one.declined and one.maker != 0]


def taught(story: Callable[[Class], Awaitable[None]], **more: Any) -> None:
    """Run a lesson; nothing is left of it."""

    async def run() -> None:
        room = Class(**more)
        await room.open()
        try:
            await story(room)
        finally:
            await room.end()
        assert room.outcomes <= {"decided"}, room.outcomes  # no bot has broken its contract

    asyncio.run(run())

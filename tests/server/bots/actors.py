"""A table in its trading, with people, and bots that say what they are told; it notes who looks when."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from msgspec.structs import replace

from bohn.bots.api import TradeView
from bohn.bots.reasons import Reason
from bohn.rules.commands import (
    AcceptOffer,
    AnyCommand,
    Claim,
    Command,
    DeclineOffer,
    MakeOffer,
    Plant,
    Reveal,
    SetWish,
)
from bohn.rules.resolve import resolve
from bohn.rules.state import Copy, Offer, State, TradePhase
from bohn.server.bots.messages import BotAnswer, Question, Traits
from bohn.server.settings import Times
from tests.server.bots.company import BotHouse, HomePool, RecordingClock

Says = Callable[[Question], AnyCommand | None]

TIMES = Times(beat=600_000, bot_first_market=0)
"""The first market is like all others, as it is the only one of most tests."""
KINDS = resolve("full", 3).kinds


def ask_for(seat: int, *to: int, kind: int = 0, open_: bool = False) -> MakeOffer:
    """Return an offer that asks for one bean of a kind, for nothing."""
    return MakeOffer(seat, to, (), (), (KINDS[kind],), open=open_)


def wish(seat: int) -> SetWish:
    """Return a wish of a seat."""
    return SetWish(seat, KINDS[0], "want")


def gift(stage_phase: TradePhase, seat: int, *to: int, open_: bool = False) -> MakeOffer:
    """Return the gift of the first bean that lies face up."""
    return MakeOffer(seat, to, (), (Copy(0, stage_phase.face_up[0]),), (), open=open_)


def accept(question: Question) -> AnyCommand | None:
    """Accept or claim what may be had."""
    return next((one for one in question.legal if isinstance(one, AcceptOffer | Claim)), None)


def decline(question: Question) -> AnyCommand | None:
    """Decline the first unanswered offer."""
    return next((one for one in question.legal if isinstance(one, DeclineOffer)), None)


def nothing(_: Question) -> AnyCommand | None:
    """Pass."""
    return None


class Actors(HomePool):
    """Bots that say in the trading what they are told to say, and plant like ``no-trade``."""

    def __init__(self, clock: RecordingClock) -> None:
        super().__init__()
        self.clock = clock
        self.says: Says = nothing
        self.reason: Reason | None = None
        self.traits = Traits(trades=True, off_turn=False, uses_knowledge=False)
        self.looks: list[tuple[int, int]] = []

    async def decide(self, question: Question) -> BotAnswer:
        """Answer, and note when a seat has looked at the trading."""
        if not isinstance(question.view.phase, TradeView):
            return BotAnswer((await super().decide(replace(question, bot="no-trade"))).command, self.traits)
        self.questions.append(question)
        self.looks.append((self.clock.now(), question.seat))
        return BotAnswer(self.says(question), self.traits, self.reason)


class ActorHouse(BotHouse):
    """A house of actors. The trading of seat 0 begins with :meth:`trading`."""

    def __init__(self, times: Times = TIMES, **more: Any) -> None:
        clock = RecordingClock()
        self.actors = Actors(clock)
        super().__init__(self.actors, times, clock, **more)
        self.clock: RecordingClock = clock
        self.table_id = ""
        self.began = 0

    async def trading(self, *names: str, house_rules: tuple[str, ...] = (), **options: Any) -> None:
        """Seat these bots and people at a table on which seat 0 begins, and come to its trading."""
        self.table_id = await self.company(*names, house_rules=("starter=seat:0", *house_rules), **options)
        if names[0] not in self.seats._factories:
            await self.person(Plant(0, 0), names[0])
            await self.person(Reveal(0), names[0])
        while not isinstance((await self.now()).phase, TradePhase):
            await self.clock.advance(10)
        self.began = self.clock.now()

    async def person(self, command: Any, user: str = "anna") -> int:
        """Do a person's command."""
        return await self.do(self.table_id, user, command)

    async def now(self) -> State:
        """Return the position."""
        return await self.state(self.table_id)

    async def phase(self) -> TradePhase:
        """Return the trading."""
        phase = (await self.now()).phase
        assert isinstance(phase, TradePhase)
        return phase

    async def offers(self) -> tuple[Offer, ...]:
        """Return the standing offers."""
        phase = (await self.now()).phase
        return phase.offers if isinstance(phase, TradePhase) else ()

    async def commands(self) -> list[tuple[str, Command]]:
        """Return who has done what in the game, in order."""
        rows = await self.rows(self.table_id)
        return [(row.actor, row.command) for row in rows if isinstance(row.command, Command)]

    def looked(self) -> list[tuple[int, int]]:
        """Return the looks at the trading since the last call: ms since the trading began, and the seat."""
        found = [(at - self.began, seat) for at, seat in self.actors.looks]
        self.actors.looks.clear()
        return found

    async def wait(self, milliseconds: int) -> None:
        """Let time pass, in small steps, so that whatever follows has its moment."""
        for _ in range(milliseconds // 50):
            await self.clock.advance(50)
        await self.clock.advance(milliseconds % 50)


def staged(act: Callable[[ActorHouse], Awaitable[None]], **more: Any) -> None:
    """Run something on a house; nothing is left of it."""

    async def run() -> None:
        house = ActorHouse(**more)
        await house.begin()
        try:
            await act(house)
        finally:
            await house.end()
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(run())

"""Random play through the table service itself, without a wire between."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from random import Random
from typing import Any

from bohn.bots import PLAYERS
from bohn.bots.api import Choices
from bohn.protocol.refusals import Refusal
from bohn.rules.commands import EndTrading, SetWish
from bohn.rules.errors import IllegalCommand
from bohn.rules.legal import legal_commands, offer_space
from bohn.rules.state import EndPhase, TradePhase
from bohn.server.tables.api import Peek, Tables
from bohn.views.knowledge import know
from bohn.views.view import view
from tests.server.support.clock import StillClock


class Hands:
    """People at one table who play at random, each through a service of his own if there are several."""

    def __init__(
        self,
        table: str,
        people: tuple[str, ...],
        services: tuple[Tables, ...],
        seed: int,
        haste: float = 0.05,
        clock: StillClock | None = None,
    ) -> None:
        """Seat these people, in the order of their seats; a clock that stands still is moved when it must."""
        self.clock = clock
        self.haste = haste
        self.table = table
        self.people = people
        self.services = services
        self.rand = Random(seed)
        self.bots = [PLAYERS["random-trader"](seed * 10 + seat) for seat in range(len(people))]
        self.number = 0
        self.acked: dict[str, int] = {}
        self.refused: list[str] = []

    def service(self, seat: int) -> Tables:
        """Return the service a seat's owner is connected to."""
        return self.services[seat % len(self.services)]

    def choose(self, seat: int, peek: Peek) -> Any:
        """Draw something for a seat to do, or nothing; in haste the trading ends soon."""
        state = peek.state
        if state is None or isinstance(state.phase, EndPhase):
            return None
        trading = isinstance(state.phase, TradePhase) and peek.rules.closing == "active"
        if trading and seat == state.active_player and self.rand.random() < self.haste:
            return EndTrading(seat)
        seen = view(peek.rules, state, seat)
        legal = legal_commands(peek.rules, state, seat)
        if not legal and not isinstance(state.phase, TradePhase):
            return None  # bots expect to be asked where they have a choice
        choices = Choices(legal, offer_space(peek.rules, state, seat))
        return self.bots[seat].decide(seen, choices, know(seen))

    async def move(self, seat: int) -> bool:
        """Let a seat do something through its service; tell whether anything was done."""
        peek = await self.service(seat).peek(self.table)
        command = self.choose(seat, peek)
        return command is not None and await self.do(seat, command)

    async def do(self, seat: int, command: Any) -> bool:
        """Send a command under a new id, and note what came of it."""
        self.number += 1
        key = f"{seat}.{self.number}"
        work = self.service(seat).execute(self.table, self.people[seat], key, command)
        try:
            seq = await (work if self.clock is None else self._moving(work, self.clock))
        except (IllegalCommand, Refusal):
            self.refused.append(key)
            return False
        self.acked[key] = seq
        return True

    @staticmethod
    async def _moving(work: Coroutine[Any, Any, int], clock: StillClock) -> int:
        """Let time pass until something is done: acceptances are gathered for a moment."""
        task = asyncio.ensure_future(work)
        await asyncio.wait([task], timeout=0)
        while not task.done():
            await clock.advance(50)
        return await task

    async def wish(self, seat: int) -> bool:
        """Let a seat toggle a wish."""
        peek = await self.service(seat).peek(self.table)
        assert peek.state is not None
        bean = self.rand.choice(peek.rules.kinds)
        wishes = peek.state.talk.wishes[seat]
        marked = bean in wishes.want or bean in wishes.spare
        return await self.do(seat, SetWish(seat, bean, "none" if marked else "want"))

    async def play_on(self, commands: int) -> None:
        """Send a number of commands from seats by chance, fewer if the game ends."""
        sent = 0
        while sent < commands and not await self.over():
            sent += await self.move(self.rand.randrange(len(self.people)))

    async def over(self) -> bool:
        """Whether the game has ended, as the first service knows it."""
        state = (await self.services[0].peek(self.table)).state
        return state is not None and isinstance(state.phase, EndPhase)

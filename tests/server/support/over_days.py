"""A table over days in its trading, with two players who have what the other could want."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from bohn.protocol.away import Terms
from bohn.protocol.room import Options
from bohn.rules.commands import AcceptOffer, MakeOffer
from bohn.rules.events import Traded
from bohn.rules.state import Copy, State, TradePhase
from bohn.rules.trading import copies_for
from bohn.server.room.clocks import HOUR
from bohn.server.store.protocol import LogRow
from tests.server.support.memory_store import MemoryStore
from tests.server.support.tables import Ear, House

PEOPLE = ("anna", "bert", "cleo", "dora")
CLOCK = 8 * HOUR
BEAT = CLOCK // 8
OPTIONS = Options(players=4, clock="8h")


class Hall:
    """A table over days in the trading: ``me`` has the turn, ``you`` holds ``theirs``, ``mine`` lies open."""

    def __init__(self, house: House, table: str, state: State) -> None:
        """Find out who has what."""
        self.house, self.table = house, table
        self.seat = state.active_player
        self.me = PEOPLE[self.seat]
        assert isinstance(state.phase, TradePhase)
        self.mine = state.phase.face_up[0]
        self.other = next(
            seat for seat, player in enumerate(state.players)
            if seat != self.seat and sum(bean != self.mine for bean in player.hand) > 3
        )  # fmt: skip
        self.you = PEOPLE[self.other]
        hand = state.players[self.other].hand
        self.theirs = max((bean for bean in hand if bean != self.mine), key=hand.count)
        self.ears: dict[str | None, Ear] = {}

    async def listen(self) -> None:
        """Let everybody, and a spectator, watch."""
        for user in (*PEOPLE, None):
            self.ears[user] = Ear()
            await self.house.tables.watch(self.table, user, self.ears[user], None)

    async def leave(self, user: str, terms: Terms) -> str:
        """Leave an order; return its id."""
        await self.house.tables.add_instruction(self.table, user, terms)
        return (await self.house.tables.away(self.table, user)).orders[-1].id

    async def leave_two(self) -> None:
        """Leave two orders that meet."""
        await self.leave(self.me, Terms(give=self.mine, take=self.theirs))
        await self.leave(self.you, Terms(give=self.theirs, take=self.mine))

    def asking(self, *to: int, open_to_all: bool = False) -> MakeOffer:
        """Return an offer of what lies open for one of the other's beans."""
        face_up = (Copy(0, self.mine),)
        return MakeOffer(
            self.seat, to or (self.other,), face_up=face_up, want=(self.theirs,), open=open_to_all
        )

    async def accepting(self) -> AcceptOffer:
        """Return the other's acceptance of the first offer."""
        copies = copies_for(await self.state(), self.other, (self.theirs,))
        assert copies is not None
        return AcceptOffer(self.other, 1, 1, *copies)

    async def do(self, user: str, command: Any) -> int:
        """Do a command of a user."""
        return await self.house.do(self.table, user, command)

    async def beat(self) -> None:
        """Let the time until the next beat pass."""
        await self.house.clock.advance(BEAT)

    async def state(self) -> State:
        """Return the position."""
        state = (await self.house.tables.peek(self.table)).state
        assert state is not None
        return state

    async def rows(self) -> tuple[LogRow, ...]:
        """Return the log."""
        return await self.house.store.rows(self.table)

    async def traded(self) -> list[Traded]:
        """Return all exchanges."""
        return [event for row in await self.rows() for event in row.events if isinstance(event, Traded)]

    async def next_beat(self) -> int | None:
        """Return when orders are looked at next."""
        return (await self.house.tables.away(self.table, self.me)).beat


Story = Callable[[Hall], Awaitable[None]]


def tell(story: Story, store: MemoryStore | None = None) -> Hall:
    """Run a story at a table in its trading."""

    async def run() -> Hall:
        house = await House(store=store).begin()
        table = await house.table(*PEOPLE, options=OPTIONS)
        await house.until_trading(table, PEOPLE)
        state = (await house.tables.peek(table)).state
        assert state is not None
        hall = Hall(house, table, state)
        await hall.listen()
        await story(hall)
        await house.end()
        return hall

    return asyncio.run(run())

"""How often people have to look in at a table over days: ``python -m bench.visits``.

Whole games in one process whose clock is moved. Everybody comes only when he is told: once when the game
begins to wait for him, as alerts have it. He then does what a computer player would do in his place (three
offers at most in a visit), says in a trading that he is done at the next beat, and goes. Prints visits a
turn and person, and in how many of them he came how often; ends with 1 if that is more than two on average.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from collections import Counter
from dataclasses import dataclass, field

import structlog

from bohn.bots import PLAYERS
from bohn.play.seat import Bot, Choices
from bohn.protocol.refusals import Refusal
from bohn.protocol.room import Options
from bohn.protocol.room_commands import BeDone
from bohn.rules.commands import Command, EditOffer, EndTrading, MakeOffer, Pass
from bohn.rules.errors import IllegalCommand
from bohn.rules.state import EndPhase, TradePhase
from bohn.server.room.clocks import BEATS, HOUR
from bohn.server.tables.snapshot import Snapshot
from bohn.server.tables.turns import awaited
from bohn.views.knowledge import know
from bohn.views.view import view
from tests.server.bots.company import BotHouse, HomePool

MOST = 2.0
"""Visits a turn and person that a game over days may ask for."""

BEAT = 8 * HOUR // BEATS
"""Ms between two beats of a clock of eight hours."""

STEP = 50
"""Ms by which the clock is moved while a command waits."""

OFFERS = 3
"""Offers that somebody makes in one visit."""

MANY = 200
"""Commands in one visit, and beats without one, that no game has: something goes round in a circle."""


@dataclass
class Table:
    """One game, with who has come how often in each turn."""

    house: BotHouse
    id: str
    people: tuple[str, ...]
    bots: tuple[Bot, ...]
    visits: Counter[tuple[int, int]] = field(default_factory=Counter)
    told: set[int] = field(default_factory=set)
    turns: int = 0

    async def play(self) -> None:
        """Play to the end."""
        idle = 0
        while True:
            now = await self._now()
            if now.state is None or isinstance(now.state.phase, EndPhase):
                return
            self.turns = now.state.turn
            waited = {self.people.index(user) for user in awaited(now)}
            new = waited - self.told
            if not new:
                idle += 1
                if idle >= MANY:
                    raise AssertionError("somebody is waited for and was not told")
                await self.house.clock.advance(BEAT)
                continue
            idle = 0
            self.told |= new
            for seat in sorted(new):
                await self._visit(seat)

    async def _now(self) -> Snapshot:
        """Return the table; whom it does not wait for any more will be told again."""
        now = (await self.house.tables.loaded.get(self.id)).snapshot
        self.told &= {self.people.index(user) for user in awaited(now)}
        return now

    async def _visit(self, seat: int) -> None:
        """Let somebody look in, and do what he finds to do."""
        tries = OFFERS
        for number in range(MANY):
            now = await self._now()
            command = self._choice(now, seat, tries)
            if number == 0 and now.state is not None:
                self.visits[now.state.turn, seat] += 1
            if command is None:
                return
            tries -= isinstance(command, MakeOffer | EditOffer)
            if not await self._do(seat, command):
                return
        raise AssertionError(f"{self.people[seat]} does not come to an end")

    def _choice(self, now: Snapshot, seat: int, tries: int) -> Command | None:
        """Return what he does, or nothing more; who has no offer left to make ends his part of a trading."""
        state = now.state
        if state is None or self.people[seat] not in awaited(now):
            return None
        trades = isinstance(state.phase, TradePhase)
        shown = view(now.rules, state, seat)
        choices = Choices.at(now.rules, state, seat, tries if trades else 0)
        return self.bots[seat].decide(shown, choices, know(shown)) or (Pass(seat) if trades else None)

    async def _do(self, seat: int, command: Command) -> bool:
        """Do a command, or be done at the beat where he would end the trading; tell whether he stays."""
        user = self.people[seat]
        done = isinstance(command, Pass | EndTrading)
        deed = asyncio.create_task(self.house.do(self.id, user, BeDone() if done else command))
        await self.house.clock.settle()
        while not deed.done():  # an acceptance waits a moment for others
            await self.house.clock.advance(STEP)
        try:
            await deed
        except (IllegalCommand, Refusal):
            return False  # somebody has changed it meanwhile
        return not done


async def measure(games: int, people: int, seated: int) -> tuple[Counter[int], int]:
    """Play games of so many people and computer players; return turns by visits, and turns x people."""
    house = await BotHouse(HomePool()).begin()
    found: Counter[int] = Counter()
    turns = 0
    for number in range(games):
        names = tuple(f"u{number}x{seat}" for seat in range(people))
        options = Options(players=seated, clock="8h")
        id_ = await house.table(*names, options=options)
        bots = tuple(PLAYERS["pk"](number * seated + seat) for seat in range(people))
        table = Table(house, id_, names, bots)
        await table.play()
        found.update(table.visits[turn, seat] for turn in range(1, table.turns + 1) for seat in range(people))
        turns += table.turns * people
    await house.end()
    return found, turns


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10, help="games of each kind of table")
    games = parser.parse_args().games
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    worst = 0.0
    print(f"{'people':>6} {'computer':>8} {'turns x people':>14} {'visits':>7}   share with 0, 1, 2, 3, more")
    for people, seated in ((3, 3), (4, 4), (5, 5), (3, 4)):
        found, turns = asyncio.run(measure(games, people, seated))
        mean = sum(count * times for count, times in found.items()) / turns
        worst = max(worst, mean)
        shares = [found[count] / turns for count in range(4)]
        shares.append(1 - sum(shares))
        listed = "  ".join(f"{100 * share:4.1f} %" for share in shares)
        print(f"{people:>6} {seated - people:>8} {turns:>14} {mean:>7.2f}   {listed}", flush=True)
    return int(worst > MOST)


if __name__ == "__main__":
    sys.exit(main())

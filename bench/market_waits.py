"""How long a person waits for bots, and how long markets last: ``python -m bench.market_waits``.

Whole games of one person and three bots, at a clock that stands still but for their delays. The person is a
computer player that takes as long as people do, lets the table know when it composes an offer, and says that
it has traded enough as the page does at a table without other people. It waits while nothing is asked of it:
the game waits for somebody else, and there is no offer that it could take.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
from random import Random
from statistics import median
from typing import Any

import structlog
from msgspec import Struct

from bohn.bots import PLAYERS
from bohn.play.seat import Choices
from bohn.protocol.refusals import Refusal
from bohn.protocol.room import Options, PaceName
from bohn.protocol.room_commands import SeatBot, Sit, Start
from bohn.rules.commands import AcceptOffer, AnyCommand, Claim, DeclineOffer, EndTrading, MakeOffer
from bohn.rules.errors import IllegalCommand
from bohn.rules.legal import legal_commands, offer_space, waiting
from bohn.rules.state import EndPhase, State, TradePhase
from bohn.server.bots.seats import BotSeats
from bohn.server.settings import Limits, Settings, Times
from bohn.views.knowledge import know
from bohn.views.view import view
from tests.server.bots.company import HomePool
from tests.server.support.tables import House

WHERE = "bohn.bots:PLAYERS"
STEP = 100
"""Ms between two looks of the person."""

MOVE, ANSWER, COMPOSE = (1_500, 3_000), (3_000, 6_000), (5_000, 9_000)
"""How long he takes to plant, to answer an offer, and to put one together, in ms."""

PACES: dict[PaceName, float] = {"relaxed": 2.0, "normal": 1.0, "brisk": 0.5}
LOOK, ACTED, NEW, MOST = 14_000, 10_000, 2_000, 18_000
"""Ms without anything for him to do, after which the page, or he if he is quick, says that he has enough.

``LOOK`` in a trading in which he has done nothing, ``ACTED`` after his last deed, ``NEW`` more for each offer
of others and each exchange since, ``MOST`` in all: as in ``web/src/table/offers/signs.svelte.ts``.
"""

ASKS = 0.4
"""How often he makes an offer in a trading of somebody else."""


class Seen(Struct):
    """What one game was like, in ms; of the offers that he could take, ``asked``, some were ``taken``."""

    whole: int = 0
    waited: int = 0
    markets: list[int] = []
    own: list[int] = []
    asked: int = 0
    taken: int = 0


class Person:
    """The person in seat 0: what he does next, and when."""

    def __init__(
        self, house: House, table: str, seed: int, pace: PaceName, *, signs: bool, quick: float
    ) -> None:
        """Sit down; without ``signs`` he lets nobody know anything. ``quick`` is a factor on his times."""
        self.house, self.table, self.pace, self.signs = house, table, pace, signs
        self.quick = quick
        self.player = PLAYERS["fair-1"](seed)
        self.rand = Random(seed)
        self.seen = Seen()
        self.turn = self.offers = self.last = self.began = 0
        self.due: int | None = None
        self.doing = ""
        self.answered: set[tuple[int, int]] = set()
        self.wants_to_ask = self.has_acted = False
        self.read: set[tuple[int, int]] = set()
        self.news = self.set_aside = 0

    async def play(self) -> Seen:
        """Play until the game is over."""
        clock = self.house.clock
        start = clock.now()
        while True:
            peek = await self.house.tables.peek(self.table)
            state = peek.state
            if state is None:
                continue
            if isinstance(state.phase, EndPhase):
                self.seen.whole = clock.now() - start
                return self.seen
            self._follow(state)
            what = self._needed(peek.rules, state)
            if what != self.doing:
                self.doing, self.due = what, None
            if what == "":
                self.seen.waited += STEP
                await self._maybe_enough(state)
            else:
                self.last = clock.now()
                await self._take_time(what, peek, state)
            await clock.advance(STEP)

    def _follow(self, state: State) -> None:
        now = self.house.clock.now()
        trading = isinstance(state.phase, TradePhase)
        if trading and self.turn != state.turn:
            self.turn, self.began, self.last, self.offers, self.answered = state.turn, now, now, 0, set()
            self.has_acted = False
            self.read, self.news = set(), 0
            self.mine = state.active_player == 0
            self.wants_to_ask = self.mine or self.rand.random() < ASKS
        elif not trading and self.began:
            (self.seen.own if self.mine else self.seen.markets).append(now - self.began)
            self.began = 0
        self._hear(state)

    def _hear(self, state: State) -> None:
        """Count what others have offered or exchanged since he did something."""
        phase = state.phase
        set_aside = sum(len(player.set_aside) for player in state.players)
        if isinstance(phase, TradePhase):
            shown = {(one.id, one.revision) for one in phase.offers if one.maker != 0}
            self.news += len(shown - self.read) + (set_aside > self.set_aside)
            self.read |= shown
        self.set_aside = set_aside

    def _acts(self) -> None:
        self.has_acted, self.news = True, 0

    def _open(self, rules: Any, state: State) -> list[AnyCommand]:
        legal: Any = legal_commands(rules, state, 0)
        takes = [one for one in legal if isinstance(one, AcceptOffer | Claim)]
        return [one for one in takes if (one.offer, one.revision) not in self.answered]

    def _needed(self, rules: Any, state: State) -> str:
        if not isinstance(state.phase, TradePhase):
            return "move" if 0 in waiting(rules, state) else ""
        if self.doing == "compose" and self.wants_to_ask:
            return "compose"
        if self._open(rules, state):
            return "answer"
        if self.wants_to_ask:
            return "compose"
        return "end" if state.active_player == 0 else ""

    async def _take_time(self, what: str, peek: Any, state: State) -> None:
        now = self.house.clock.now()
        if self.due is None:
            span = {"move": MOVE, "answer": ANSWER, "compose": COMPOSE, "end": ANSWER}[what]
            self.due = now + int(self.rand.uniform(*span) * self.quick)
        if what == "compose" and self.signs:
            await self._sign("composing")
        if now < self.due:
            return
        self.due = None
        with contextlib.suppress(IllegalCommand, Refusal):  # the table has moved on
            await getattr(self, f"_{what}")(peek, state)
            self._acts()
        if what == "compose" and self.signs:
            await self._sign(None)

    async def _maybe_enough(self, state: State) -> None:
        quiet = self.house.clock.now() - max(self.last, self.began)
        reads = min(MOST, (ACTED if self.has_acted else LOOK) + NEW * self.news)
        trading = isinstance(state.phase, TradePhase)
        if self.signs and trading and quiet >= reads * PACES[self.pace] * self.quick:
            await self._sign("enough")

    async def _sign(self, sign: Any) -> None:
        tables: Any = self.house.tables
        await tables.give_sign(self.table, "anna", sign)

    def _asked(self, peek: Any, state: State, tries: int) -> AnyCommand | None:
        space = offer_space(peek.rules, state, 0)
        seen = view(peek.rules, state, 0)
        legal: Any = legal_commands(peek.rules, state, 0)
        decide: Any = self.player.decide
        found: AnyCommand | None = decide(seen, Choices(legal, space, tries), know(seen))
        return found

    async def _move(self, peek: Any, state: State) -> None:
        found = self._asked(peek, state, 0)
        await self.house.do(self.table, "anna", found or legal_commands(peek.rules, state, 0)[0])

    async def _answer(self, peek: Any, state: State) -> None:
        self.seen.asked += 1
        offered: Any = self._open(peek.rules, state)[0]
        self.answered.add((offered.offer, offered.revision))
        found = self._asked(peek, state, 0)
        if isinstance(found, AcceptOffer | Claim):
            self.seen.taken += 1
            await self.house.do(self.table, "anna", found)
        else:
            await self.house.do(self.table, "anna", DeclineOffer(0, offered.offer, offered.revision))

    async def _compose(self, peek: Any, state: State) -> None:
        self.offers += 1
        found = self._asked(peek, state, 1)
        self.wants_to_ask = self.mine and isinstance(found, MakeOffer) and self.offers < 3
        if isinstance(found, MakeOffer):
            await self.house.do(self.table, "anna", found)

    async def _end(self, peek: Any, state: State) -> None:  # noqa: ARG002 - one signature
        await self.house.do(self.table, "anna", EndTrading(0))


async def game(seed: int, pace: PaceName, *, signs: bool, quick: float) -> Seen:
    """Play one game."""
    limits = Limits(commands_at_once=5_000, commands_a_second=500)
    house = House(Settings(times=Times(beat=600_000), limits=limits), bots=PLAYERS)
    pool = HomePool(WHERE)
    seats = BotSeats(house.tables, house.settings, house.clock, Random(seed), players=WHERE, pool=pool)
    await house.begin(seats)
    table = await house.tables.open_table("anna", Options(players=4, listed=True, pace=pace))
    await house.do(table, "anna", Sit(0))
    for place in (1, 2, 3):
        await house.do(table, "anna", SeatBot(place, "fair"))
    await house.do(table, "anna", Start())
    seen = await Person(house, table, seed, pace, signs=signs, quick=quick).play()
    await house.end()
    return seen


def report(games: list[Seen]) -> None:
    """Print the share of waiting, and the lengths of the markets of bots."""
    whole, waited = sum(one.whole for one in games), sum(one.waited for one in games)
    markets = sorted(length / 1000 for one in games for length in one.markets)
    asked, taken = sum(one.asked for one in games), sum(one.taken for one in games)
    print(f"{len(games)} games of {whole / len(games) / 60_000:.1f} minutes, {waited / whole:.0%} waiting")
    print(
        f"{len(markets)} markets of bots: median {median(markets):.1f} s, shortest {markets[0]:.1f} s, "
        f"longest {markets[-1]:.1f} s; {taken} of {asked} offers he could take were taken"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--pace", choices=("relaxed", "normal", "brisk"), default="normal")
    parser.add_argument("--no-signs", action="store_true", help="he lets nobody know anything")
    parser.add_argument("--quick", type=float, default=1.0, help="factor on the times of the person")
    options = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    report(
        [
            asyncio.run(game(seed, options.pace, signs=not options.no_signs, quick=options.quick))
            for seed in range(1, options.games + 1)
        ]
    )


if __name__ == "__main__":
    main()

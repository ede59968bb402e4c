"""Many players at many tables of one server, playing on over its deaths."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from random import Random

from bohn.protocol.room import ClockName, Options
from tests.patience import PATIENCE
from tests.server.support.http import Http
from tests.server.support.wire import Player, seated_table

EDITIONS = (("full", 4), ("full", 3), ("classic", 5), ("classic-ja", 3), ("full", 2), ("das-duell", 2))
"""Of every kind of game one: with and without trading, closed by one or by all."""


@dataclass
class Company:
    """One table with its players."""

    table: str
    players: list[Player]
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    @property
    def over(self) -> bool:
        """Whether the game has ended, as anybody has seen it."""
        return any(player.over for player in self.players)


class Crowd:
    """Tables with a player in every seat, who together send a number of commands a second."""

    def __init__(self, port: int, seed: int, rate: float) -> None:
        """Aim at a server; nobody has come yet."""
        self.port = port
        self.rand = Random(seed)
        self.rate = rate
        self.companies: list[Company] = []
        self.retired: list[Company] = []
        self._keeper: asyncio.Task[None] | None = None

    @property
    def players(self) -> list[Player]:
        """Everybody at the tables that go on."""
        return [player for company in self.companies for player in company.players]

    @property
    def everybody(self) -> list[Company]:
        """Every company there has ever been."""
        return [*self.retired, *self.companies]

    async def come(self, tables: int, clock: ClockName = "none") -> None:
        """Open a number of tables, seat everybody, and wait until all have their welcome."""
        http = Http(self.port)
        try:
            for number in range(tables):
                self.companies.append(await self._company(http, number, clock))
        finally:
            await http.close()

    async def _company(self, http: Http, number: int, clock: ClockName) -> Company:
        edition, players = EDITIONS[number % len(EDITIONS)]
        options = Options(edition=edition, players=players, clock=clock, listed=True)
        table, guests = await seated_table(http, options, f"P{number}.")
        company = Company(table, [Player(guest, table, self.rand.randrange(10**9)) for guest in guests])
        for player in company.players:
            player.begin()
        for player in company.players:
            async with asyncio.timeout(PATIENCE):
                await player.welcomed.wait()
        return company

    def play(self) -> None:
        """Let everybody play; tables whose games are over are left, the others play faster."""
        for company in self.companies:
            company.tasks = [asyncio.create_task(player.play(self.pause)) for player in company.players]

    @property
    def pause(self) -> float:
        """The seconds between two commands of one player."""
        return len(self.players) / self.rate

    async def pause_play(self) -> None:
        """Let everybody stop sending; streams stay."""
        tasks = [task for company in self.companies for task in company.tasks]
        for task in tasks:
            task.cancel()
        for task in tasks:
            with contextlib.suppress(asyncio.CancelledError):
                await task
        for company in self.companies:
            company.tasks = []

    async def renew(self, clock: ClockName = "none") -> int:
        """Replace every table whose game is over by one with new players; return how many there were."""
        over = [company for company in self.companies if company.over]
        if not over:
            return 0
        for company in over:
            self.companies.remove(company)
            self.retired.append(company)
        for company in over:
            await self.settled(company)
            for player in company.players:
                await player.end()
        await self.come(len(over), clock)
        return len(over)

    async def settled(self, company: Company, seconds: float = PATIENCE) -> None:
        """Wait until everybody at a table has every answer, and every batch that he may see."""
        http = Http(self.port)
        try:
            async with asyncio.timeout(seconds):
                while unanswered(company) or await behind(http, company):  # noqa: ASYNC110 - hangs on streams
                    await asyncio.sleep(0.02)
        finally:
            await http.close()

    async def all_settled(self) -> None:
        """Wait for everybody."""
        for company in self.companies:
            await self.settled(company)

    async def leave(self) -> None:
        """End all play and all streams, and raise what went wrong on the way."""
        await self.pause_play()
        for player in self.players:
            await player.end()


def unanswered(company: Company) -> bool:
    """Whether somebody at a table waits for an answer; raises what has ended a stream."""
    for player in company.players:
        player.check()
    return any(player.ledger.open or player.socket is None for player in company.players)


async def behind(http: Http, company: Company) -> bool:
    """Whether somebody at a table has not been sent what he would be shown if he came now."""
    for player in company.players:
        shown = await http.expect(200, "GET", f"/api/tables/{company.table}", cookie=player.cookie)
        if player.mirror.seq < shown["seq"]:
            return True
    return False

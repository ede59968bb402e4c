"""Rounds of kill -9: a server dies while everybody plays, starts again, and nothing may be lost."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from msgspec.structs import replace

from bohn.protocol.frames import Clock
from bohn.server.settings import Settings, Times
from bohn.server.store.place import DATABASE
from bohn.server.store.protocol import LogRow, SecretDeal
from bohn.server.store.statements import LAST_BEAT
from tests.patience import PATIENCE
from tests.server.support.audit import Faults, Folded, promises
from tests.server.support.crowd import Company, Crowd
from tests.server.support.left_behind import left_in
from tests.server.support.serving import PLENTY, Serving

WITHIN = 0.030
"""Seconds behind the sending of a command within which the server dies."""

LONG = 1.0
"""Seconds in which no server runs, every second time; else the server is started again at once."""

ACKNOWLEDGED = 110
"""Commands that are acknowledged between two deaths at least."""

LAST_WORDS = 6
"""Commands that are sent at once, just before a death."""

QUICK = Times(collect=100, last_call=400, away=2_000, poll=50, sweep=500, beat=250, stop=3_000)
SETTINGS = Settings(limits=PLENTY, times=QUICK, bots=0)


@dataclass
class Round:
    """What one death has cost: seconds without a server, until it was ready, until everybody was back."""

    down: float
    ready: float
    back: float
    resent: int
    clocks: int


@dataclass
class KillReport:
    """What all rounds have shown."""

    rounds: list[Round] = field(default_factory=list)
    faults: Faults = field(default_factory=list)
    tables: int = 0
    players: int = 0
    sent: int = 0
    acked: int = 0
    refused: int = 0
    committed_unacked: int = 0
    rows: int = 0
    games_over: int = 0


class Killing:
    """A server, a crowd, and chance."""

    def __init__(
        self, folder: Path, *, kills: int, tables: int, rate: float, seed: int, gently: bool = False
    ) -> None:
        """Note how much of everything there is to be; ``gently`` asks the server to end instead."""
        self.gently = gently
        self.server = Serving(folder, SETTINGS)
        self.rand = Random(seed)
        self.kills = kills
        self.tables = tables
        self.crowd = Crowd(self.server.port, seed, rate)
        self.report = KillReport()

    async def run(self) -> KillReport:
        """Play all rounds, compare everything, and return what was found."""
        await self.server.start()
        try:
            await self.crowd.come(self.tables, "slow")
            self.crowd.play()
            for _ in range(self.kills):
                self.report.rounds.append(await self._round())
                self.report.games_over += await self.crowd.renew("slow")
            await self.crowd.pause_play()
            await self.crowd.all_settled()
            await self.crowd.leave()
            await self.server.stop()
        finally:
            self.server.kill()
        await self._compare()
        return self.report

    async def _round(self) -> Round:
        await self._work(ACKNOWLEDGED)
        await self._die_behind_a_command()
        died, beat = time.monotonic(), self._last_beat()
        unanswered = sum(len(player.ledger.open) for player in self.crowd.players)
        before = {company.table: clocks_of(company) for company in self.crowd.companies}
        await asyncio.sleep(len(self.report.rounds) % 2 * LONG)
        started, started_at = time.monotonic(), time.time()
        ready = await self.server.start()
        ready_at = time.time()
        await self._everybody_back(died)
        back = max(player.returns[-1][0] for player in self.crowd.players) - started
        credit = started_at * 1000 - beat, ready_at * 1000 - beat
        counted = self._credited(before, credit)
        return Round(started - died, ready, back, unanswered, counted)

    async def _work(self, number: int) -> None:
        """Wait until a number of further commands is acknowledged, and a random moment longer."""
        enough = self._acknowledged() + number
        async with asyncio.timeout(PATIENCE):
            while self._acknowledged() < enough:  # noqa: ASYNC110 - it hangs on the frames of several streams
                await asyncio.sleep(0.01)
        await asyncio.sleep(self.rand.uniform(0, 0.5))

    def _acknowledged(self) -> int:
        return sum(len(player.ledger.acked) for player in self.crowd.players)

    def _last_beat(self) -> int:
        """Return when the killed server last wrote its heartbeat, in ms since 1970."""
        with contextlib.closing(sqlite3.connect(self.server.data / DATABASE)) as database:
            (at,) = database.execute(LAST_BEAT).fetchone()
        return int(at)

    async def _die_behind_a_command(self) -> None:
        """Send a few more commands, and kill the server a random moment behind them, rather soon."""
        here = [one for one in self.crowd.players if one.welcomed.is_set()]
        for player in self.rand.sample(here, min(LAST_WORDS, len(here))):
            command = player.choose()
            if command is not None:
                await player.send(command)
        await asyncio.sleep(WITHIN * self.rand.random() ** 2)
        if self.gently:
            await self.server.stop()
        self.server.kill()

    async def _everybody_back(self, died: float) -> None:
        async with asyncio.timeout(PATIENCE):
            while any(not one.returns or one.returns[-1][0] < died for one in self.crowd.players):
                for player in self.crowd.players:
                    player.check()
                await asyncio.sleep(0.01)

    def _credited(self, before: dict[str, tuple[int, list[Clock]]], credit: tuple[float, float]) -> int:
        """Check that running clocks were put off by the time without a server; return how many were seen.

        Only tables count that came back at the very batch everybody had seen. The time counts from the last
        beat before the death to a moment between the start of the process and its being ready.
        """
        counted = 0
        for company in self.crowd.companies:
            seq, clocks = before[company.table]
            welcome = company.players[0].returns[-1][1]
            now = {clock.seat: clock.due for clock in welcome.clocks}
            for clock in clocks if welcome.seq == seq else ():
                due = now.get(clock.seat)
                if clock.due is None or due is None:
                    continue
                counted += 1
                if not credit[0] <= due - clock.due <= credit[1]:
                    self.report.faults.append(
                        f"{company.table}: a clock was put off by {due - clock.due} ms, not by {credit}"
                    )
        return counted

    # -- the comparison ------------------------------------------------------------------------------

    async def _compare(self) -> None:
        report = self.report
        async with left_in(self.server.data) as store:
            for company in self.crowd.everybody:
                rows, deal = await store.rows(company.table), await store.deal(company.table)
                report.tables += 1
                report.rows += len(rows)
                report.faults += [f"{company.table}: {one}" for one in self._faults(company, rows, deal)]

    def _faults(self, company: Company, rows: tuple[LogRow, ...], deal: SecretDeal | None) -> Faults:
        found = list(Folded(rows, deal).faults)
        for player in company.players:
            ledger = player.ledger
            self.report.players += 1
            self.report.sent += len(ledger.entries)
            self.report.acked += len(ledger.acked)
            self.report.refused += len(ledger.refused)
            self.report.committed_unacked += sum(
                entry.resent > 0 and rows[entry.seq - 1].at < entry.resent_at * 1000 - 1
                for entry in ledger.acked
                if entry.seq is not None and entry.seq <= len(rows)
            )
            found += promises(player.guest.user, ledger, rows)
            found += Folded(rows[: player.mirror.seq]).shown_otherwise(player.mirror)
            if ledger.acked and player.mirror.seq < max(entry.seq or 0 for entry in ledger.acked):
                found.append(f"{player.guest.name} has not seen what was acknowledged to him")
        return found


def clocks_of(company: Company) -> tuple[int, list[Clock]]:
    """Return the last batch that anybody at a table has seen, and the clocks as he saw them."""
    latest = max((player.mirror for player in company.players), key=lambda mirror: mirror.at)
    return latest.at, [replace(clock) for clock in latest.clocks]

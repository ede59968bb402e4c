"""Measure who is away how long when workers stop: ``python -m bench.restart``.

Three workers of one PostgreSQL database behind nginx, set up by the file of deploy/, and five players at each
of 400 tables, who come back as the page does. First the workers are restarted one after the other (SIGTERM);
then one is killed, and started again. An absence lasts from the end of a connection to the next welcome.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct

from bench.load.company import Table, moved, opened
from bench.load.schedule import percentile
from bench.load.shared import database, started, workers_on
from bench.load.sockets import Socket
from tests.server.support.proxies import proxy
from tests.server.support.serving import Serving

FIRST_WAIT = 0.4
LONGEST_WAIT = 8.0
"""Seconds as in web/src/lib/socket.ts; they double with each attempt."""

WORKERS = 3
"""As many as the file of deploy/ names."""

GOODBYE = b'{"type":"goodbye"'
AWAY = 8.0
"""Seconds after which whoever is not back counts as lost."""


class Goodbye(Struct):
    """Why a server ends a connection, and ms until one may come back."""

    reason: str
    retry: int


_goodbye = msgspec.json.Decoder(Goodbye)


class Connection(Socket):
    """A connection that notes how it ended."""

    goodbye: Goodbye | None = None
    ended: asyncio.Event

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the upgrade."""
        self.ended = asyncio.Event()
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Note the end."""
        super().connection_lost(exc)
        self.ended.set()

    def _text(self, data: bytes, start: int, end: int) -> None:
        if data.startswith(GOODBYE, start):
            self.goodbye = _goodbye.decode(data[start:end])
            if self.transport is not None:
                self.transport.close()
        super()._text(data, start, end)


class Absence(Struct):
    """When a connection ended (by the clock of the measurement), how long it took to be back, and why."""

    began: float
    seconds: float
    reason: str
    attempts: int


class Person:
    """Somebody at a table who comes back by himself; the batches seen before are named."""

    def __init__(self, port: int, table: str, cookie: str, rand: Random) -> None:
        """Come by this port."""
        self._port = port
        self._table = table
        self._cookie = cookie
        self._rand = rand
        self.absences: list[Absence] = []
        self.here = asyncio.Event()
        self.fell_behind = 0

    async def stay(self) -> None:
        """Connect, and again whenever a connection ends, until cancelled."""
        seen: int | None = None
        gone, reason, tries = time.perf_counter(), "first", 0
        while True:
            connection = await self._connected(seen)
            if connection is not None:
                if reason != "first":
                    self.absences.append(Absence(gone, time.perf_counter() - gone, reason, tries + 1))
                    self.fell_behind += connection.seq < (seen or 0)
                self.here.set()
                await connection.ended.wait()
                self.here.clear()
                seen, gone, tries = connection.seq, time.perf_counter(), 0
                said = connection.goodbye
                reason = "cut off" if said is None else said.reason
                pause = self._pause(0) if said is None else max(said.retry, 100) / 1000
            else:
                tries += 1
                pause = self._pause(tries)
            await asyncio.sleep(pause)

    def _pause(self, tries: int) -> float:
        longest: float = min(FIRST_WAIT * 2**tries, LONGEST_WAIT)
        return longest * (0.5 + self._rand.random() / 2)

    async def _connected(self, seen: int | None) -> Connection | None:
        def made() -> Connection:
            return Connection(self._port, self._table, self._cookie, lambda *_: None, seen)

        loop = asyncio.get_running_loop()
        try:
            pair = await loop.create_connection(made, "127.0.0.1", self._port)
        except OSError:
            return None
        try:
            await asyncio.wait_for(pair[1].welcomed, 10)
        except (OSError, TimeoutError):
            pair[0].close()
            return None
        return pair[1]


async def measured(servers: list[Serving], port: int, options: argparse.Namespace) -> bool:
    """Restart and kill, print what was seen, and tell whether all goals are met."""
    good = True
    async with started(servers):
        tables = await opened(servers[0].port, options.tables)
        await moved(servers[0].port, tables, 2)
        people = people_at(port, tables)
        staying = [asyncio.create_task(person.stay()) for person in people]
        await all_here(people, 120)
        await asyncio.sleep(2)
        for number in range(options.rounds):
            good &= await _rolling(servers, people, number)
            good &= await _killed(servers[number % len(servers)], people, number)
        for task in staying:
            task.cancel()
    return good


def people_at(port: int, tables: list[Table]) -> list[Person]:
    """Return the players of all tables."""
    rand = Random(7)
    return [Person(port, table.id, cookie, rand) for table in tables for cookie in table.cookies]


async def all_here(people: list[Person], seconds: float) -> None:
    """Wait until everybody is here."""
    async with asyncio.timeout(seconds):
        for person in people:
            await person.here.wait()


async def _rolling(servers: list[Serving], people: list[Person], number: int) -> bool:
    begun = time.perf_counter()
    for one in servers:
        status = await one.stop()
        if status:
            print(f"a worker ended with {status}")
        await one.start()
        await asyncio.sleep(1.0)
        await all_here(people, 60)
    return _told(f"rolling restart {number + 1}", people, begun, 0.95, 4.0, {"server-stopping"})


async def _killed(server: Serving, people: list[Person], number: int) -> bool:
    begun = time.perf_counter()
    server.kill()
    await asyncio.sleep(AWAY)
    await server.start()
    await all_here(people, 60)
    return _told(f"kill -9 {number + 1}", people, begun, 1.0, 5.0, {"cut off"})


def _told(
    what: str, people: list[Person], begun: float, share: float, goal: float, reasons: set[str]
) -> bool:
    """Print the absences since ``begun``; tell whether this share of them was shorter than the goal."""
    found = [one for person in people for one in person.absences if one.began >= begun]
    seconds = sorted(one.seconds for one in found)
    if not seconds:
        print(f"{what}: nobody was away")
        return False
    within = sum(one <= goal for one in seconds) / len(seconds)
    odd = {one.reason for one in found} - reasons
    behind = sum(person.fell_behind for person in people)
    met = within >= share and not odd and not behind
    print(
        f"{what}: {len(people)} sockets, {len(found)} absences; p50 {statistics.median(seconds):.2f} s, "
        f"p95 {percentile(seconds, 0.95):.2f} s, longest {seconds[-1]:.2f} s; "
        f"{within:.1%} within {goal:.0f} s"
        f"{f'; other reasons: {sorted(odd)}' if odd else ''}{f'; {behind} fell behind' if behind else ''}"
        f"{'' if met else '   MISSED'}",
        flush=True,
    )
    return met


def main() -> int:
    """Measure and print; return 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with database() as server, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        servers = workers_on(folder, server.address, WORKERS)
        with proxy("nginx", folder / "nginx", [one.port for one in servers]) as port:
            return 0 if asyncio.run(measured(servers, port, options)) else 1


if __name__ == "__main__":
    sys.exit(main())

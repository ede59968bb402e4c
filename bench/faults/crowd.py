"""The crowd: all tables with their people, and an open-loop schedule; a process of its own.

It is told what to do by lines on its standard input (``stop``), and says on its standard output when it is
ready; what it has to tell in the end goes into a file.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import resource
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct

from bench.faults.clients import Client, trades
from bench.faults.history import Told, Viewer
from bohn.protocol.room import ClockName, Options
from bohn.protocol.room_commands import Sit, Start
from bohn.server.settings import Settings
from tests.server.support.crowd import EDITIONS
from tests.server.support.http import Http, Unexpected
from tests.server.support.wire import come_in, do, open_table

PORT = Settings().port

AT_ONCE = 8
"""Tables that are opened at the same time."""

MOST_WAITING = 20
"""Commands of one person without an answer; what is due beyond that is given up and counted."""

SETTLE = 60.0
"""Seconds in which everything must have an answer once nothing is sent any more."""

CLOSING = 12.0
"""Seconds for which everybody looks on behind the last command, to see what is still to come."""


class Plan(Struct):
    """What the crowd is to do."""

    places: list[str]
    tables: int
    rate: float
    seed: int
    file: str


class Company:
    """One table with its people."""

    def __init__(self, table: str, clients: list[Client]) -> None:
        """Note who sits there."""
        self.table = table
        self.clients = clients

    @property
    def over(self) -> bool:
        """Whether the game has ended, as anybody has seen it."""
        return any(client.over for client in self.clients)


class Crowd:
    """Everybody, and what they do."""

    def __init__(self, plan: Plan) -> None:
        """Nobody has come yet."""
        self.plan = plan
        self.rand = Random(plan.seed)
        self.companies: list[Company] = []
        self.told: list[Viewer] = []
        self.given_up = 0
        self.late: list[float] = []
        self._numbers = iter(range(10**9))
        self._renewing: set[int] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def come(self) -> None:
        """Open all tables, and wait until everybody has his welcome."""
        numbers = iter(range(self.plan.tables))

        async def some() -> None:
            for _ in numbers:
                self.companies.append(await self._patiently_opened())

        async with asyncio.TaskGroup() as group:
            for _ in range(AT_ONCE):
                group.create_task(some())

    async def _patiently_opened(self) -> Company:
        while True:
            number = next(self._numbers)
            http = Http(PORT, self.plan.places[number % len(self.plan.places)])
            try:
                async with asyncio.timeout(20):
                    return await self._opened(http, number)
            except (OSError, TimeoutError, EOFError, Unexpected, RuntimeError) as error:
                said = f"table {number} again: {error!r}, {error.__context__!r}"
                print(said[:300], file=sys.stderr, flush=True)
                await asyncio.sleep(0.5)
            finally:
                with contextlib.suppress(Exception):
                    await http.close()

    async def _opened(self, http: Http, number: int) -> Company:
        edition, players = EDITIONS[number % len(EDITIONS)]
        bots = 1 if number % 5 == 4 and players > 2 else 0
        clock: ClockName = "fast" if number % 3 == 0 else "none"
        options = Options(edition=edition, players=players, clock=clock, listed=True)
        guests = [await come_in(http, f"P{number}.{seat}") for seat in range(players - bots)]
        table = await open_table(http, guests[0], options)
        for seat, guest in enumerate(guests[1:], 1):
            await do(http, guest, table, Sit(seat), f"sit-{seat}")
        await do(http, guests[0], table, Start(fill="pk" if bots else None), "start")
        clients = [
            Client(guest, table, seat, self.rand.randrange(10**9), self.plan.places, PORT)
            for seat, guest in enumerate(guests)
        ]
        for client in clients:
            client.begin()
        return Company(table, clients)

    # -- playing -----------------------------------------------------------------------------------

    async def play(self, stop: asyncio.Event) -> None:
        """Send commands on their schedule until told to stop."""
        begun, number = time.monotonic(), 0
        order = self.rand.sample(range(len(self.companies)), len(self.companies))
        watching = asyncio.create_task(self._watch())
        try:
            while not stop.is_set():
                due = begun + number / self.plan.rate
                now = time.monotonic()
                if due > now:
                    await asyncio.sleep(due - now)
                    continue
                self.late.append((now - due) * 1000)
                await self._send(order[number % len(order)], due)
                number += 1
                if not number % 8:
                    await asyncio.sleep(0)
        finally:
            watching.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await watching

    async def _send(self, place: int, due: float) -> None:
        company = self.companies[place]
        if company.over:
            if place not in self._renewing:
                self._renewing.add(place)
                self._spawn(self._renew(place))
            return
        clients = company.clients
        asked = [client for client in clients if trades(client)]
        client = self.rand.choice(asked if asked and self.rand.random() < 0.7 else clients)
        if len(client.waiting) >= MOST_WAITING:
            self.given_up += 1
            return
        command = client.chosen()
        if command is not None:
            await client.command(command, due)

    async def _renew(self, place: int) -> None:
        before = self.companies[place]
        self.companies[place] = await self._patiently_opened()
        self._renewing.discard(place)
        await asyncio.sleep(5)
        await self._leave(before)

    async def _leave(self, company: Company) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SETTLE):
                while any(client.waiting for client in company.clients):
                    await asyncio.sleep(0.2)
                    await self._look(company.clients)
        for client in company.clients:
            self.told.append(await client.finish())

    def _spawn(self, work: object) -> None:
        task = asyncio.ensure_future(work)  # type: ignore[call-overload]  # - it is a coroutine
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(0.25)
            for company in tuple(self.companies):
                await self._look(company.clients)

    async def _look(self, clients: Iterable[Client]) -> None:
        now = time.monotonic()
        for client in clients:
            if client.waiting:
                await client.look(now)

    async def settle(self) -> None:
        """Wait until everything has its answer, and look on for a while; then everybody leaves."""
        watching = asyncio.create_task(self._watch())
        end = time.monotonic() + SETTLE
        while time.monotonic() < end and not self._settled():  # noqa: ASYNC110 - it hangs on many streams
            await asyncio.sleep(0.2)
        await asyncio.sleep(CLOSING)
        watching.cancel()
        for company in self.companies:
            for client in company.clients:
                self.told.append(await client.finish())

    def _settled(self) -> bool:
        everybody = (client for company in self.companies for client in company.clients)
        return all(client.welcomed.is_set() and not client.waiting for client in everybody)


async def run(plan: Plan) -> None:
    """Come, play until told to stop, settle, and write down everything."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # a socket for each person
    crowd, stop = Crowd(plan), asyncio.Event()
    await crowd.come()
    gc.collect()
    gc.freeze()
    print("ready", flush=True)
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin.buffer
    )

    async def told_to_stop() -> None:
        await reader.readline()
        stop.set()

    listening = asyncio.create_task(told_to_stop())
    begun, used = time.monotonic(), time.process_time()
    await crowd.play(stop)
    cores = (time.process_time() - used) / (time.monotonic() - begun)
    await listening
    await crowd.settle()
    late = sorted(crowd.late)[int(len(crowd.late) * 0.99)] if crowd.late else 0.0
    told = Told(crowd.told, begun, time.monotonic(), crowd.given_up, cores, late)
    await asyncio.to_thread(Path(plan.file).write_bytes, msgspec.json.encode(told))
    print("done", flush=True)


if __name__ == "__main__":
    asyncio.run(run(msgspec.json.decode(sys.argv[1], type=Plan)))

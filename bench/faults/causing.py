"""The faults: what each kind does, and the schedule by which chance brings them about."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from random import Random

import asyncpg

from bench.faults.database import MACHINE, Database
from bench.faults.history import Fault, Overdue, Violation
from bench.faults.machines import Worker
from bench.faults.network import Network

EVERY = (5.0, 15.0)
"""Seconds from the beginning of one fault to that of the next."""

STOPPED = 8.0
"""Seconds for which a worker stands still: longer than its lease."""

DOWN = (0.0, 3.0)
"""Seconds for which a killed process is not there."""

CUT = (2.0, 10.0)
"""Seconds for which a worker is cut off from the database."""

DEAF = (4.0, 14.0)
"""Seconds in which whoever listens is cut off again and again."""

WRONG = 3_600
"""Seconds by which a clock of the day is wrong."""

SOON = 90.0
"""Seconds in which a process that was started has to serve."""

LOOK = 5.0
"""Seconds between two looks for clocks that are overdue."""

ALIVE = """
    SELECT label FROM workers WHERE label = $1 AND worker <> ALL($2::text[])
      AND until >= (extract(epoch FROM clock_timestamp()) * 1000)::bigint
"""


class Causing:
    """Brings faults about, one kind after the other in an order of chance, each as often as any other."""

    KINDS = ("kill", "stop", "database", "bell", "cut", "clock")

    def __init__(
        self,
        network: Network,
        database: Database,
        workers: list[Worker],
        rand: Random,
        kinds: tuple[str, ...],
    ) -> None:
        """Aim at these processes."""
        self._network = network
        self._database = database
        self._workers = workers
        self._rand = rand
        self._kinds = kinds
        self._under_way: set[asyncio.Task[None]] = set()
        self._down = asyncio.Lock()
        self._bell = asyncio.Lock()
        self.faults: list[Fault] = []
        self.overdue: list[Overdue] = []
        self.violations: list[Violation] = []

    async def run(self, end: float) -> None:
        """Bring faults about until a time of the steady clock, and wait until all have ended."""
        looking = asyncio.create_task(self.look())
        order: list[str] = []
        while self._kinds:
            pause = self._rand.uniform(*EVERY)
            if time.monotonic() + pause > end:
                break
            await asyncio.sleep(pause)
            order = order or self._rand.sample(self._kinds, len(self._kinds))
            task = asyncio.create_task(self._one(order.pop()))
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)
        await asyncio.sleep(max(0.0, end - time.monotonic()))
        await asyncio.gather(*self._under_way)
        for worker in self._workers:
            worker.set_clock(0)
        looking.cancel()
        with suppress(asyncio.CancelledError):
            await looking

    async def _one(self, kind: str) -> None:
        free = [worker for worker in self._workers if not worker.busy]
        alone = kind in {"database", "bell"}
        if not free and not alone:
            return
        worker = self._rand.choice(free or self._workers)
        fault = Fault(kind, MACHINE if alone else worker.name, time.monotonic(), 0.0)
        self.faults.append(fault)
        deeds: dict[str, Callable[[Worker, Fault], Awaitable[None]]] = {
            "kill": self._kill, "stop": self._stop, "database": self._kill_database,
            "bell": self._cut_bell, "cut": self._cut, "clock": self._set_clock,
        }  # fmt: skip
        if not alone:
            worker.busy = True
        try:
            await deeds[kind](worker, fault)
        finally:
            fault.ended = time.monotonic()
            if not alone:
                worker.busy = False

    # -- each kind -----------------------------------------------------------------------------------

    async def _kill(self, worker: Worker, fault: Fault) -> None:
        known = await self._known()
        worker.kill()
        await asyncio.sleep(self._rand.uniform(*DOWN))
        worker.launch()
        if not await self.serves(worker, known):
            fault.note = "does not come back"
            self.violations.append(Violation("start", "", f"worker {worker.name} does not come back"))

    async def _stop(self, worker: Worker, _: Fault) -> None:
        worker.send(signal.SIGSTOP)
        await asyncio.sleep(STOPPED)
        worker.send(signal.SIGCONT)

    async def _kill_database(self, _: Worker, __: Fault) -> None:
        async with self._down:
            self._database.kill()
            await asyncio.sleep(self._rand.uniform(*DOWN))
            await self._database.start()

    async def _cut_bell(self, _: Worker, fault: Fault) -> None:
        async with self._bell:
            cut = await self._database.cut_listeners(self._rand.uniform(*DEAF))
            fault.note = f"{cut} times"

    async def _cut(self, worker: Worker, fault: Fault) -> None:
        questions, answers = (worker.name, MACHINE), (MACHINE, worker.name)
        ways = {"questions": [questions], "answers": [answers], "both": [questions, answers]}
        fault.note = self._rand.choice(sorted(ways))
        for here, there in ways[fault.note]:
            self._network.cut(here, there)
        await asyncio.sleep(self._rand.uniform(*CUT))
        for here, there in ways[fault.note]:
            self._network.mend(here, there)

    async def _set_clock(self, worker: Worker, fault: Fault) -> None:
        wrong = self._rand.choice((-WRONG, 0, WRONG)) or self._rand.choice((-WRONG, WRONG))
        fault.note = f"{wrong} s"
        worker.set_clock(wrong)
        await asyncio.sleep(1)

    # -- looking -------------------------------------------------------------------------------------

    async def _known(self) -> list[str]:
        with suppress(OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
            connection = await self._database.connect(timeout=2)
            try:
                return [name for (name,) in await connection.fetch("SELECT worker FROM workers")]
            finally:
                await connection.close(timeout=2)
        return []

    async def serves(self, worker: Worker, known: list[str]) -> bool:
        """Wait until a worker that was started has leases; one that cannot start yet is started again."""
        end = time.monotonic() + SOON
        while time.monotonic() < end:
            if worker.gone:
                worker.launch()
            with suppress(OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
                connection = await self._database.connect(timeout=2)
                try:
                    if await connection.fetchval(ALIVE, worker.name, known) is not None:
                        worker.ready = True
                        return True
                finally:
                    await connection.close(timeout=2)
            await asyncio.sleep(0.2)
        return False

    async def look(self) -> None:
        """Look for clocks that are overdue, and for workers that have ended by themselves."""
        while True:
            await asyncio.sleep(LOOK)
            at = time.monotonic()
            self.overdue += [Overdue(*found, at) for found in await self._database.overdue(10_000)]
            for worker in self._workers:
                if worker.gone and not worker.busy:
                    what = f"worker {worker.name} ended by itself: {worker.words()[-300:]}"
                    self.violations.append(Violation("ended", "", what))
                    worker.launch()

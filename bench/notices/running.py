"""One run: workers, people, a push service, and a hand that kills workers."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from msgspec.structs import replace

from bench.notices import worker
from bench.notices.checker import Death, Faults, Message, Verdict, judged, turns_of
from bench.notices.people import Company, Workers
from bohn.server.alerts.sender import TAKEN
from bohn.server.settings import Alerts, Settings
from bohn.server.store.postgres.store import PostgresStore
from bohn.server.tables.writes import TOLD_AFTER
from tests.server.support.push_service import PushService, Taken, push_service
from tests.server.support.serving import PLENTY, Serving

ROOT = Path(__file__).parents[2]

AT_ONCE = 4
"""Tables that are opened at the same time."""

SLOW = 0.1
"""The share of messages that the push service answers late, and up to how many seconds."""
SLOWNESS = 1.5

LONGER = 4.0
"""Seconds behind the time for which a message is taken, in which it is sent again."""

BOTH = 0.2
"""The share of kills that two workers die of."""


@dataclass
class Plan:
    """How much of everything there is to be; ``taken`` and ``told_after`` are in ms, other times in s.

    A message may be ``more`` later than it is taken at most; then its turn counts as not told.
    """

    turns: int = 10_000
    tables: int = 80
    workers: int = 3
    seed: int = 1
    gap: tuple[float, float] = (5.0, 20.0)
    taken: int = TAKEN
    told_after: int = TOLD_AFTER
    plant: str = ""
    most: float = 3_600.0
    more: float = 90.0
    say: Callable[[str], None] | None = None

    @property
    def owed(self) -> float:
        """Seconds after which a turn counts as not told."""
        return (self.taken + self.told_after) / 1000 + self.more


@dataclass
class Found:
    """What a run has shown."""

    plan: Plan
    verdict: Verdict
    faults: Faults
    seconds: float
    deaths: list[Death]
    under_way: list[int]
    commands: int
    asked_again: int
    tables: int


@dataclass
class Evening:
    """A run while it lasts."""

    plan: Plan
    service: PushService
    workers: Workers
    rand: Random
    companies: list[Company] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    deaths: list[Death] = field(default_factory=list)
    under_way: list[int] = field(default_factory=list)
    overdue: Faults = field(default_factory=list)
    wanted: dict[str, asyncio.Event] = field(default_factory=dict)
    by_user: dict[str, Company] = field(default_factory=dict)
    begun: float = field(default_factory=time.monotonic)

    def enough(self) -> bool:
        """Tell whether all turns were told, something is wrong already, or the time is over."""
        over = time.monotonic() - self.begun > self.plan.most
        return over or bool(self.overdue) or len(self.messages) >= self.plan.turns

    async def take(self, taken: Taken) -> None:
        """Take a message, let its user come, and answer; whoever would kill its sender does so before."""
        sub = str(taken.claims["sub"]).removeprefix("mailto:").partition("@")[0]
        user, said = taken.path.lstrip("/"), taken.message
        seen = int(taken.headers.get(worker.SEEN.lower(), 0))
        self.messages.append(Message(taken.at, sub, user, said["table"], said["kind"], seen))
        doomed = sub in self.wanted
        if user in self.by_user:  # one whose sender is killed comes only after it could be sent again
            self.by_user[user].hear(user, self.plan.taken / 1000 + LONGER if doomed else 0.0)
        if doomed:
            self.wanted[sub].set()
            await asyncio.sleep(SLOWNESS)
        elif self.rand.random() < SLOW:
            await asyncio.sleep(self.rand.uniform(0, SLOWNESS))

    async def come(self) -> None:
        """Let everybody come in and sit down, a few tables at once."""
        numbers = iter(range(self.plan.tables))

        async def some() -> None:
            for number in numbers:
                company = Company(
                    self.workers, Random(f"{self.plan.seed}-{number}"), self.plan.told_after / 1000,
                    self.plan.owed, self.enough, self.overdue.append,
                )  # fmt: skip
                await company.come(number, self.service.subscription)
                self.by_user |= dict.fromkeys(company.guests, company)
                self.companies.append(company)

        await asyncio.gather(*(some() for _ in range(AT_ONCE)))

    async def kill_on(self) -> None:
        """Kill workers at random, half of them with a message on its way, and start them again."""
        while not self.enough():
            await asyncio.sleep(self.rand.uniform(*self.plan.gap))
            number = 2 if self.rand.random() < BOTH else 1
            victims = self.rand.sample(range(self.plan.workers), number)
            if self.rand.random() < 0.5:
                await self._until_message(self.workers.servers[victims[0]])
            self.under_way.append(sum(company.under_way() for company in self.companies))
            if self.plan.say is not None:
                self.plan.say(f"{len(self.messages)} messages, {len(self.deaths)} killed")
            for victim in victims:
                self._kill(victim)
            await asyncio.sleep(self.rand.uniform(0, 1.0))
            for victim in victims:
                await self.workers.servers[victim].start()
                self.workers.up.add(victim)

    async def _until_message(self, server: Serving) -> None:
        name = str(server.settings.worker)
        event = self.wanted[name] = asyncio.Event()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(event.wait(), 5.0)
        del self.wanted[name]

    def _kill(self, number: int) -> None:
        server = self.workers.servers[number]
        self.workers.up.discard(number)
        server.kill()
        self.deaths.append(Death(str(server.settings.worker), time.time_ns() // 1_000_000))


def served(folder: Path, address: str, plan: Plan) -> list[Serving]:
    """Return the workers, not started yet; each signs with a name of its own, and compiles no bots."""
    environment = {
        worker.TAKEN: str(plan.taken), worker.TOLD_AFTER: str(plan.told_after), worker.PLANT: plan.plant,
        "PYTHONPATH": str(ROOT), "BOHN_INTERPRET": "1",
    }  # fmt: skip
    settings = Settings(limits=PLENTY, store=address, bots=0)
    found = []
    for number in range(plan.workers):
        name = f"worker-{number + 1}"
        alerts = Alerts(private=True, contact=f"mailto:{name}@bohn.example")
        own = replace(settings, worker=name, alerts=alerts)
        found.append(Serving(folder / name, own, module="bench.notices.worker", environment=environment))
    return found


async def run(folder: Path, address: str, plan: Plan) -> Found:
    """Run it all, and compare what came with the log."""
    servers = served(folder, address, plan)
    rand = Random(plan.seed)
    begun = time.monotonic()
    async with push_service() as service:
        evening = Evening(plan, service, Workers(servers, rand), rand)
        service.before_answer = evening.take
        try:
            for server in servers:
                await server.start()
            await evening.come()
            begun = evening.begun = time.monotonic()
            await _all(evening.kill_on(), *(company.play() for company in evening.companies))
        finally:
            for server in servers:
                server.kill()
            for company in evening.companies:
                await company.end()
        seconds = time.monotonic() - begun
        unread = service.asked - len(service.taken)
    return await _found(evening, address, seconds, unread)


async def _all(*work: Awaitable[None]) -> None:
    """Do everything until it is done; what fails ends the rest."""
    async with asyncio.TaskGroup() as group:
        for one in work:
            group.create_task(_awaited(one))


async def _awaited(one: Awaitable[None]) -> None:
    await one


async def _found(evening: Evening, address: str, seconds: float, unread: int) -> Found:
    store = PostgresStore(address, connections=1)
    await store.open()
    try:
        tables = [table for company in evening.companies for table in company.tables]
        turns = [turn for table in tables for turn in turns_of(await store.rows(table))]
    finally:
        await store.close()
    now = time.time_ns() // 1_000_000
    owed = int(evening.plan.owed * 1000)
    last = max((message.at for message in evening.messages), default=now)
    verdict = judged(turns, evening.messages, evening.deaths, owed, last)
    faults = [*evening.overdue, *verdict.faults]
    if unread:
        faults.append(f"{unread} messages that were not signed by VAPID or could not be read")
    return Found(
        evening.plan, verdict, faults, seconds, evening.deaths, evening.under_way,
        sum(company.commands for company in evening.companies),
        sum(company.asked_again for company in evening.companies), len(tables),
    )  # fmt: skip

"""What a worker tells the others and hears from them, over a store in memory that can be held back."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from bohn.server.settings import Settings
from bohn.server.store.protocol import StoreUnavailable
from bohn.server.store.shared import LONGEST_RING
from bohn.server.tables import company
from bohn.server.tables.background import Background
from bohn.server.tables.company import Company, Told
from bohn.server.tables.leases import Leases
from bohn.server.tables.notices import SignedOut, decoded
from tests.server.support.clock import StillClock
from tests.server.support.shared_memory_store import SharedBacking, SharedMemoryStore


class Held(SharedMemoryStore):
    """A store that tells nothing before ``gate`` is open, and fails as often as ``failures`` says."""

    def __init__(self, shared: SharedBacking) -> None:
        super().__init__(shared)
        self.gate = asyncio.Event()
        self.failures = 0
        self.seqs: dict[str, int] = {}
        self.rung: list[str] = []

    async def notify(self, worker: str, table: str, body: bytes) -> None:
        """Tell, once the gate is open."""
        await self.gate.wait()
        if self.failures:
            self.failures -= 1
            raise StoreUnavailable("lost", "planned")
        await super().notify(worker, table, body)

    async def ring(self, text: str) -> None:
        """Keep what rings."""
        self.rung.append(text)

    async def heads(self, tables: tuple[str, ...]) -> dict[str, int]:
        """Return what the test says."""
        return {table: self.seqs[table] for table in tables}


class Table:
    """As much of a table in memory as a worker's company looks at."""

    watched = True
    watched_here = False
    audiences = ()
    epoch = 0

    def __init__(self, name: str) -> None:
        self.id = name
        self.lock = asyncio.Lock()
        self.snapshot = SimpleNamespace(seq=1)


async def _nothing() -> None:
    return


class Worker:
    """A company with its store, and what it has done: the tables that were caught up with."""

    def __init__(self, *tables: Table) -> None:
        clock = StillClock()
        self.store = Held(SharedBacking(clock.now))
        self.caught: list[str] = []
        loaded: Any = SimpleNamespace(
            all=lambda: tables, find=lambda name: next((one for one in tables if one.id == name), None)
        )
        ignored: Any = lambda *_: None  # noqa: E731 - what the tables do is not tested here
        self.company = Company(
            self.store, "me", Leases(self.store, clock.now), Settings(), clock.now, Background(clock), loaded,
            Told(self._catch_up, self._catch_up, ignored, ignored, ignored, ignored, _nothing),
        )  # fmt: skip

    async def _catch_up(self, table: Any) -> None:
        self.caught.append(table.id)

    def tell(self, *users: str) -> None:
        """Tell the others that users have signed out."""
        for user in users:
            self.company.tell("", SignedOut(user))

    async def told(self) -> list[str]:
        """Return who was told to have signed out, in order."""
        await settled()
        notices = [decoded(stored.body) for stored in await self.store.notices("another", 0)]
        return [notice.user for notice in notices if isinstance(notice, SignedOut)]


async def settled() -> None:
    """Let everything go on that can."""
    for _ in range(50):
        await asyncio.sleep(0)


def test_notice_that_waits_is_told_though_too_many_come(monkeypatch: pytest.MonkeyPatch) -> None:
    """While one is on its way the oldest of the others are dropped, and no younger one is."""
    monkeypatch.setattr(company, "UNTOLD", 3)

    async def test() -> None:
        worker = Worker()
        await worker.store.open()
        worker.tell("first")
        await settled()
        worker.tell("dropped", "second", "third", "fourth")
        worker.store.gate.set()
        assert await worker.told() == ["first", "second", "third", "fourth"]

    asyncio.run(test())


def test_notice_that_could_not_be_told_goes_before_those_behind_it() -> None:
    """A store that fails costs nothing: the next flush tells all, in order."""

    async def test() -> None:
        worker = Worker()
        await worker.store.open()
        worker.store.failures = 1
        worker.store.gate.set()
        worker.tell("first", "second")
        assert await worker.told() == []
        worker.tell("third")
        assert await worker.told() == ["first", "second", "third"]

    asyncio.run(test())


def test_table_that_is_busy_holds_up_no_other() -> None:
    """A sweep reads the tables behind it meanwhile, and that one as soon as it can, once."""

    async def test() -> None:
        busy, free = Table("busy"), Table("free")
        worker = Worker(busy, free)
        await worker.store.open()
        worker.store.seqs = {"busy": 2, "free": 2}
        await busy.lock.acquire()
        sweeps = []
        for _ in range(2):
            sweeps.append(asyncio.create_task(worker.company.sweep()))
            await settled()
        assert worker.caught == ["free", "free"]
        busy.lock.release()
        await asyncio.gather(*sweeps)
        await settled()
        assert worker.caught == ["free", "free", "busy"]

    asyncio.run(test())


def test_tables_are_looked_at_when_rings_may_have_been_missed() -> None:
    """As soon as the bell is heard again, and not only with the next sweep."""

    async def test() -> None:
        table = Table("behind")
        worker = Worker(table)
        await worker.store.open()
        worker.store.seqs = {"behind": 2}
        worker.company._hear(None)
        await settled()
        assert worker.caught == ["behind"]

    asyncio.run(test())


def test_ring_names_no_more_tables_than_a_database_takes() -> None:
    """What does not fit into one ring comes in the next; every table is named once."""

    async def test() -> None:
        worker = Worker()
        await worker.store.open()
        names = [f"table-{number:>040}" for number in range(1_000)]
        for name in names:
            loaded: Any = Table(name)
            worker.company.committed(loaded)
        await settled()
        assert max(len(text) for text in worker.store.rung) <= LONGEST_RING
        assert [name for text in worker.store.rung for name in text.split(" ")[1:]] == names

    asyncio.run(test())

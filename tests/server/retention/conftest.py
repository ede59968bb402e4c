"""Stores with games that are over, and a keeper whose clock does not make anybody wait."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from prometheus_client import CollectorRegistry

from bohn.protocol.room import Status
from bohn.server.metrics import Metrics
from bohn.server.retention.keeper import Keeper
from bohn.server.settings import Retention, Settings
from bohn.server.store.postgres.store import PostgresStore
from bohn.server.store.protocol import Append, LogRow, SecretDeal, Store
from bohn.server.store.retaining import DAY
from bohn.server.store.sqlite import SqliteStore
from tests.server.store.samples import listing
from tests.server.support.logs import DEAL, whole_log
from tests.server.support.memory_store import MemoryStore
from tests.server.support.postgres import emptied
from tests.server.support.rooms import ANNA

NOW = 20_000 * DAY
OLD = NOW - 400 * DAY
LOG = whole_log(bot="no-trade")

Make = Callable[[], Store]
"""Makes another store on the same data."""


class QuickClock:
    """Time stands still, and whoever waits waits for nothing; ``rests`` are the times for which he would."""

    def __init__(self) -> None:
        self.rests: list[float] = []

    def now(self) -> int:
        """Return the time in ms."""
        return NOW

    async def sleep(self, milliseconds: float) -> None:
        """Let others go on."""
        self.rests.append(milliseconds)
        await asyncio.sleep(0)


class Here:
    """The tables of this process: which are in memory, and for how many questions the lease is held."""

    def __init__(self) -> None:
        self.memory: set[str] = set()
        self.mine = 1_000_000

    def serves(self, key: str) -> bool:
        """Tell whether the lease is held, as often as that was said."""
        del key
        self.mine -= 1
        return self.mine >= 0

    def in_memory(self, table: str) -> bool:
        """Tell whether a table is in memory."""
        return table in self.memory


class House:
    """A store, and keepers for it."""

    def __init__(self, store: Store, retention: Retention) -> None:
        self.store = store
        self.retention = retention
        self.here = Here()
        self.metrics = Metrics()
        self.clock = QuickClock()

    def keeper(self) -> Keeper:
        """Return a keeper that has just been started."""
        settings = Settings(retention=self.retention)
        return Keeper(self.store, settings, self.clock, self.here, self.metrics, self.store.forget_user)

    async def look(self) -> None:
        """Do all that is due."""
        await self.keeper().look()

    def removed(self, kind: str) -> float:
        """Return how much of a kind was counted as removed."""
        return value(self.metrics.registry, "bohn_retention_removed_total", kind)

    def failed(self, kind: str) -> float:
        """Return how often something could not be done."""
        return value(self.metrics.registry, "bohn_retention_failed_total", kind)


def value(registry: CollectorRegistry, name: str, kind: str) -> float:
    """Return what a counter says of a kind."""
    return registry.get_sample_value(name, {"kind": kind}) or 0.0


def log_of(table: str, rows: int | None = None) -> tuple[LogRow, ...]:
    """Return the log of a finished game as that of another table."""
    return tuple(replace(row, table=table, command_id=f"{table}-{row.seq}") for row in LOG[:rows])


async def put(
    store: Store,
    table: str,
    status: Status = "finished",
    moved: int = OLD,
    rows: int | None = None,
    user: str = ANNA,
) -> None:
    """Store a table with a log, its listing and its deal."""
    first, *rest = log_of(table, rows)
    shown = listing(table, status=status, moved=moved, users=(user,))
    deal = SecretDeal(DEAL.secret, DEAL.nonce)
    await store.append(Append(row=first, behind=tuple(rest), listing=shown, deal=deal))


@pytest.fixture(params=["memory", "sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    """Return an empty store of each kind, not open yet."""
    if request.param == "memory":
        return MemoryStore()
    if request.param == "sqlite":
        return SqliteStore(tmp_path / "data" / "bohn.sqlite")
    address: str = request.getfixturevalue("postgres_database")
    emptied(address)
    return PostgresStore(address)


def story(store: Store, retention: Retention, tell: Callable[[House], Awaitable[None]]) -> None:
    """Run a story with an open store."""

    async def run() -> None:
        await store.open()
        try:
            await tell(House(store, retention))
        finally:
            await store.close()

    asyncio.run(run())

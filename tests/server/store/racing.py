"""A process of its own that appends to tables at which another does the same."""

from __future__ import annotations

import asyncio

from bohn.server.store.postgres.store import PostgresStore
from tests.server.store.contract_log import persist


def race(address: str, actor: str, commands: str) -> None:
    """Append this many commands of an actor to each of two tables."""
    asyncio.run(_race(address, actor, int(commands)))


async def _race(address: str, actor: str, commands: int) -> None:
    store = PostgresStore(address)
    await store.open()
    try:
        for number in range(commands):
            await asyncio.gather(*(persist(store, table, actor, f"c{number}") for table in ("t1", "t2")))
    finally:
        await store.close()

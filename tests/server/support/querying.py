"""Queries that documents and boards give to whoever runs a server, asked of a database that is in use."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import asyncpg

from bohn.server.store.postgres.store import PostgresStore
from tests.server.support.postgres import emptied


def rows_found(address: str, queries: Iterable[str]) -> list[int]:
    """Return how many rows each query finds, where one worker has leases and nothing else has happened."""
    emptied(address)

    async def found() -> list[int]:
        store = PostgresStore(address, connections=1)
        await store.open()
        try:
            await store.renew("a", "one", 3_500, 2_000)
            connection = await asyncpg.connect(address)
            try:
                return [len(await connection.fetch(query)) for query in queries]
            finally:
                await connection.close()
        finally:
            await store.close()

    return asyncio.run(found())

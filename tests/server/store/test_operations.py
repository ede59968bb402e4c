"""The queries that docs/operations.md gives to whoever runs a server."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import asyncpg
import pytest

from bohn.server.store.postgres.store import PostgresStore
from tests.server.support.postgres import emptied

pytestmark = pytest.mark.postgres

GUIDE = Path(__file__).parents[3] / "docs" / "operations.md"
QUERIES = re.findall(r"```sql\n(.*?)```", GUIDE.read_text(encoding="utf-8"), flags=re.DOTALL)


@pytest.mark.parametrize("query", QUERIES)
def test_query_of_the_guide_runs(postgres_database: str, query: str) -> None:
    """It names tables and columns that there are."""
    emptied(postgres_database)

    async def rows() -> int:
        store = PostgresStore(postgres_database, connections=1)
        await store.open()
        try:
            await store.renew("a", "one", 3_500, 2_000)
            connection = await asyncpg.connect(postgres_database)
            try:
                return len(await connection.fetch(query))
            finally:
                await connection.close()
        finally:
            await store.close()

    assert asyncio.run(rows()) == 1

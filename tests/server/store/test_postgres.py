"""The store in PostgreSQL keeps the contract, in one process and in two."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from bohn.server.store.postgres.store import PostgresStore
from bohn.server.store.protocol import Store
from tests.server.store.contract import StoreContract
from tests.server.store.contract_sharing import SharingContract
from tests.server.support.postgres import emptied

pytestmark = pytest.mark.postgres


class TestPostgresStore(StoreContract, SharingContract):
    """The contract, with two stores on one database."""

    @pytest.fixture(autouse=True)
    def _database(self, postgres_database: str) -> None:
        """Begin with nothing in the tables."""
        emptied(postgres_database)
        self.address = postgres_database

    def make(self, folder: Path) -> tuple[Store, Store]:
        """Return two stores on the same database."""
        del folder
        return PostgresStore(self.address), PostgresStore(self.address)


COMMANDS = 60


def test_two_processes_lose_and_double_nothing(postgres_database: str) -> None:
    """Processes that append to the same tables at the same moment get every command in, once each."""
    emptied(postgres_database)
    code = "import sys; from tests.server.store.racing import race; race(*sys.argv[1:])"
    racers = [
        subprocess.Popen([sys.executable, "-c", code, postgres_database, name, str(COMMANDS)])  # noqa: S603 - our own interpreter
        for name in ("anna", "ben")
    ]
    assert [racer.wait(120) for racer in racers] == [0, 0]

    async def look() -> None:
        store = PostgresStore(postgres_database)
        await store.open()
        for table in ("t1", "t2"):
            rows = await store.rows(table)
            assert [row.seq for row in rows] == list(range(1, 2 * COMMANDS + 1))
            assert Counter((row.actor, row.command_id) for row in rows).most_common(1)[0][1] == 1
        await store.close()

    asyncio.run(look())

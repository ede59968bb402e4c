"""The store in PostgreSQL keeps the contract, in one process and in two."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections import Counter
from pathlib import Path

import asyncpg
import pytest

from bohn.server.store.choosing import beside
from bohn.server.store.postgres.store import PostgresStore
from bohn.server.store.protocol import Append, Fenced, Store, StoreUnavailable
from bohn.server.store.shared import Present, bucket_of
from tests.server.store.contract import StoreContract
from tests.server.store.contract_sharing import SharingContract
from tests.server.store.samples import row
from tests.server.support.postgres import emptied, execute, new_database

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


def test_row_that_comes_while_its_lease_is_being_taken_is_refused(postgres_database: str) -> None:
    """It waits for the end of the taking; before that, the epoch that it carries can still be seen."""
    emptied(postgres_database)

    async def test() -> None:
        store = PostgresStore(postgres_database)
        await store.open()
        epochs = (await store.renew("a", "A", 60_000, 60_000)).epochs
        bucket = bucket_of("t1")
        taking = await asyncpg.connect(postgres_database)
        async with taking.transaction():
            await taking.execute("UPDATE leases SET epoch = epoch + 1 WHERE bucket = $1", bucket)
            appending = asyncio.create_task(store.append(Append(row=row(), epoch=epochs[bucket])))
            await asyncio.wait({appending}, timeout=0.5)
        assert await appending == Fenced()
        assert await store.rows("t1") == ()
        await taking.close()
        await store.close()

    asyncio.run(test())


def test_presence_of_a_worker_that_is_long_gone_is_deleted(postgres_database: str) -> None:
    """It was shown to nobody any more; the next worker that renews clears it away."""
    emptied(postgres_database)

    async def test() -> None:
        store = PostgresStore(postgres_database)
        await store.open()
        await store.renew("gone", "G", 100, 60_000)
        await store.renew("here", "H", 100, 60_000)
        for worker in ("gone", "here"):
            await store.show_present(Present("t1", worker, "anna"))
        asked = await asyncpg.connect(postgres_database)
        for _ in range(5):
            await asyncio.sleep(0.1)
            await store.renew("here", "H", 100, 60_000)
        assert [one["worker"] for one in await asked.fetch("SELECT worker FROM presence")] == ["here"]
        await asked.close()
        await store.close()

    asyncio.run(test())


@pytest.mark.parametrize("served", [False, True], ids=["empty", "older"])
def test_database_that_an_operator_names_is_not_migrated(postgres_server: str, *, served: bool) -> None:
    """`bohn admin` has been given the wrong address, or comes before the server of its version."""
    with new_database(postgres_server) as address:
        if served:
            asyncio.run(opened(PostgresStore(address)))
            asyncio.run(execute(address, "UPDATE alembic_version SET version_num = '0006'"))
        with pytest.raises(StoreUnavailable, match="start `bohn serve`"):
            asyncio.run(opened(beside(address, Path())))
        found = asyncio.run(tables_of(address))
        assert bool(found) is served


async def opened(store: Store) -> None:
    """Open a store, and close it."""
    await store.open()
    await store.close()


async def tables_of(address: str) -> list[str]:
    """Return the tables of a database."""
    connection = await asyncpg.connect(address)
    try:
        found = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
        return [name for (name,) in found]
    finally:
        await connection.close()

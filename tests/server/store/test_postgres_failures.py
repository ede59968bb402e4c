"""Bad days of a database server: one clear line, nothing lost or done twice, and work again afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest
from msgspec.structs import replace

from bohn.server.store.postgres.opening import open_database
from bohn.server.store.postgres.store import PostgresStore
from bohn.server.store.protocol import Committed, Fenced, Repeated, StoreUnavailable
from bohn.server.store.shared import bucket_of
from tests.server.store.samples import append, line
from tests.server.support.cutting_proxy import CuttingProxy
from tests.server.support.postgres import (
    LocalPostgres,
    NoPostgres,
    execute,
    local_server,
    missing,
    new_database,
)

pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module")
def server() -> Iterator[LocalPostgres]:
    """Return a server of its own, which may be killed; what it has acknowledged is on the disk."""
    try:
        with local_server(("fsync=on",)) as found:
            yield found
    except NoPostgres as reason:
        missing(reason)


@pytest.fixture
def database(server: LocalPostgres) -> Iterator[str]:
    """Return the address of an empty database on this server."""
    with new_database(server.address) as address:
        yield address


@asynccontextmanager
async def opened(address: str, patience: float = 20.0) -> AsyncIterator[PostgresStore]:
    """Return an open store."""
    store = PostgresStore(address, patience=patience)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def refusal(address: str) -> str:
    """Return in which words a database is not opened."""

    async def attempt() -> str:
        with pytest.raises(StoreUnavailable) as refused:
            await PostgresStore(address).open()
        return str(refused.value)

    return asyncio.run(attempt())


def tell(address: str, story: Callable[[PostgresStore], Awaitable[None]], patience: float = 20.0) -> None:
    """Run a story with one open store."""

    async def run() -> None:
        async with opened(address, patience) as store:
            await story(store)

    asyncio.run(run())


# -- opening ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["postgresql://host", "postgresql://host:port/bohn", "mysql://host/bohn"])
def test_address_that_is_none_is_refused(address: str) -> None:
    """What is no address of a database is told with one that would be."""
    with pytest.raises(StoreUnavailable, match="expected postgresql://USER@HOST:PORT/DATABASE"):
        PostgresStore(address)


def test_wrong_address_never_shows_a_password() -> None:
    """Neither an address that is refused nor one where nobody answers is told with its password."""
    with pytest.raises(StoreUnavailable) as refused:
        PostgresStore("postgresql://anna:secret@host:port/bohn")

    assert "secret" not in str(refused.value)
    assert "secret" not in refusal("postgresql://anna:secret@127.0.0.1:1/bohn")


def test_server_that_does_not_answer_is_named() -> None:
    """Where nobody listens, the address is told."""
    assert refusal("postgresql://127.0.0.1:1/bohn").startswith(
        "no PostgreSQL answers at postgresql://127.0.0.1:1/bohn"
    )


def test_missing_database_is_told(server: LocalPostgres) -> None:
    """A database is not created behind anybody's back; what creates it is said."""
    assert "create it first" in refusal(f"{server.address.rpartition('/')[0]}/nowhere")


def test_wrong_password_is_told(server: LocalPostgres, database: str) -> None:
    """A user whose password is missing or wrong reads where it comes from."""
    asyncio.run(execute(server.address, "CREATE ROLE stranger LOGIN PASSWORD 'right'"))
    server.require_password("stranger")
    address = database.replace("postgres@", "stranger:wrong@")

    assert "PGPASSFILE" in refusal(address)
    assert "wrong" not in refusal(address)
    assert "PGPASSFILE" in refusal(address.replace(":wrong", ""))


def test_database_of_a_newer_program_is_refused(database: str) -> None:
    """A schema that this program does not know is left as it is."""
    tell(database, _nothing)
    asyncio.run(execute(database, "UPDATE alembic_version SET version_num = '9999'"))

    assert "written by a newer bohn (revision 9999" in refusal(database)


def test_database_of_another_program_is_refused(database: str) -> None:
    """Nothing is added to tables that are not ours."""
    asyncio.run(execute(database, "CREATE TABLE customers (id int)"))

    assert "is the database of another program" in refusal(database)


def test_database_that_cannot_hold_every_letter_is_refused(server: LocalPostgres) -> None:
    """Names are in every script, so the encoding must be UTF-8."""
    with new_database(server.address, "ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0") as address:
        assert "has the encoding LATIN1; expected a database created with UTF8" in refusal(address)


def test_too_few_connections_are_told(server: LocalPostgres, database: str) -> None:
    """A server without a free connection is told as that."""
    asyncio.run(execute(server.address, "CREATE ROLE narrow LOGIN SUPERUSER CONNECTION LIMIT 0"))
    asyncio.run(execute(server.address, "ALTER ROLE narrow NOSUPERUSER"))

    assert "has no connection free" in refusal(database.replace("postgres@", "narrow@"))


class _Lent:
    """A connection that shares its session with others, as a pooler's clients do by turns."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def get_server_version(self) -> Any:
        return self._connection.get_server_version()

    async def fetchval(self, text: str) -> Any:
        return await self._connection.fetchval(text)

    async def close(self) -> None:
        """Leave the session to the others."""


def test_pooler_that_lends_sessions_is_refused(database: str) -> None:
    """Where two connections are one session, prepared statements and notices would be lost."""

    async def attempt() -> str:
        connection = await asyncpg.connect(database)

        async def lend() -> _Lent:
            return _Lent(connection)

        with pytest.raises(StoreUnavailable) as refused:
            await open_database(database, lend)
        await connection.close()
        return str(refused.value)

    assert "is a pooler in transaction mode" in asyncio.run(attempt())


def test_stores_that_open_at_once_make_one_schema(database: str) -> None:
    """Many workers may start at the same moment on an empty database."""

    async def all_at_once() -> None:
        stores = [PostgresStore(database) for _ in range(6)]
        await asyncio.gather(*(store.open() for store in stores))
        await stores[0].append(append())
        assert await stores[5].heads(("t1",)) == {"t1": 1}
        await asyncio.gather(*(store.close() for store in stores))

    asyncio.run(all_at_once())


async def _nothing(_store: PostgresStore) -> None:
    """Do nothing with an open store."""


# -- while it serves -------------------------------------------------------------------------------


def test_append_goes_on_when_a_killed_server_is_back(server: LocalPostgres, database: str) -> None:
    """Whoever waits while the server is away is answered when it is back, and nothing is lost."""

    async def story(store: PostgresStore) -> None:
        assert await store.append(append(seq=1)) == Committed()
        await asyncio.to_thread(server.kill)
        waiting = asyncio.create_task(store.append(append(seq=2)))
        reading = asyncio.create_task(store.heads(("t1",)))
        await asyncio.sleep(0.3)
        assert not waiting.done()
        await asyncio.to_thread(server.start)
        assert await waiting == Committed()
        assert (await reading)["t1"] in (1, 2)
        assert [row.seq for row in await store.rows("t1")] == [1, 2]

    tell(database, story)


def test_lost_server_is_told_after_a_while(server: LocalPostgres, database: str) -> None:
    """Nobody waits for ever: what could not be written is refused as that, and goes in later."""

    async def story(store: PostgresStore) -> None:
        await asyncio.to_thread(server.kill)
        with pytest.raises(StoreUnavailable) as refused:
            await store.append(append())
        assert refused.value.kind == "lost"
        await asyncio.to_thread(server.start)
        assert await store.append(append()) in (Committed(), Repeated(append().row))

    tell(database, story, patience=0.3)


@asynccontextmanager
async def behind_proxy(
    server: LocalPostgres, database: str, patience: float = 20.0
) -> AsyncIterator[tuple[PostgresStore, CuttingProxy]]:
    """Return a store that reaches its database through a proxy which can lose answers."""
    proxy = CuttingProxy(server.port)
    port = await proxy.start()
    try:
        async with opened(database.replace(f":{server.port}/", f":{port}/"), patience) as store:
            yield store, proxy
    finally:
        await proxy.stop()


def test_append_whose_answer_is_lost_is_told_once(server: LocalPostgres, database: str) -> None:
    """A row that was committed while its answer went astray is committed, not repeated, and stands once."""

    async def story() -> None:
        async with behind_proxy(server, database) as (store, proxy):
            await store.append(append(seq=1))
            for seq in range(2, 12):
                proxy.lose_answers(1)
                assert await store.append(append(seq=seq)) == Committed()
            assert proxy.lost == 10
            assert [row.seq for row in await store.rows("t1")] == list(range(1, 12))

    asyncio.run(story())


def test_append_whose_answer_stays_lost_is_found_when_it_is_sent_again(
    server: LocalPostgres, database: str
) -> None:
    """It is refused as not saved although it was; under the same id it is told, and stands once."""

    async def story() -> None:
        async with behind_proxy(server, database, patience=0.0) as (store, proxy):
            await store.append(append(seq=1))
            proxy.lose_answers(1)
            with pytest.raises(StoreUnavailable):
                await store.append(append(seq=2))
            assert await store.append(append(seq=2)) == Repeated(append(seq=2).row)
            assert [row.seq for row in await store.rows("t1")] == [1, 2]

    asyncio.run(story())


class Overtaken(PostgresStore):
    """One whose connection is lost at an append, and whose leases are taken before it is sent again."""

    lost: bool | None = None
    """Before the append reaches the database, or behind it; ``None`` once that has happened."""

    async def _run(self, run: Callable[[Any], Awaitable[Any]]) -> Any:
        before, self.lost = self.lost, None
        if before is None:
            return await super()._run(run)
        if not before:
            await super()._run(run)
        await self.leave("a")
        await self.renew("b", "B", 60_000, 60_000)
        raise ConnectionResetError


@pytest.mark.parametrize("before", [True, False], ids=["not written", "written"])
def test_append_that_is_sent_again_in_a_stale_epoch(database: str, before: bool) -> None:
    """Was it written while its epoch held, it is committed; else it is refused, and nothing is written."""

    async def story() -> None:
        store = Overtaken(database)
        await store.open()
        epochs = (await store.renew("a", "A", 60_000, 60_000)).epochs
        row = append(seq=1)
        store.lost = before
        outcome = await store.append(replace(row, epoch=epochs[bucket_of("t1")]))
        assert outcome == (Fenced() if before else Committed())
        assert len(await store.rows("t1")) == (0 if before else 1)
        await store.close()

    asyncio.run(story())


def test_line_whose_answer_is_lost_is_not_said_twice(server: LocalPostgres, database: str) -> None:
    """What cannot be told apart from a second one is not sent again: whoever spoke reads that it failed."""

    async def story() -> None:
        async with behind_proxy(server, database) as (store, proxy):
            await store.say(line())
            proxy.lose_answers(1)
            with pytest.raises(StoreUnavailable):
                await store.say(line())
            assert [one.id for one in await store.chat("t1")] in ([1], [1, 2])

    asyncio.run(story())


def test_ended_session_is_replaced(server: LocalPostgres, database: str) -> None:
    """An operator may end all sessions: the next call has another one."""

    async def story(store: PostgresStore) -> None:
        await store.append(append(seq=1))
        end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'bohn'"
        await execute(server.address, end)
        assert await store.append(append(seq=2)) == Committed()

    tell(database, story)


def test_text_that_no_database_takes_is_refused_alone(database: str) -> None:
    """A zero byte or half a surrogate pair is the caller's mistake; the store goes on."""

    async def story(store: PostgresStore) -> None:
        for text in ("\0", "\ud800"):
            with pytest.raises((StoreUnavailable, ValueError)):
                await store.say(line(text=text))
        assert (await store.say(line())).id >= 1

    tell(database, story)

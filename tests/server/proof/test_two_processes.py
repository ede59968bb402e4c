"""Two processes of `bohn serve` on one database: one is killed or asked to end, the other goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest
from msgspec.structs import replace

from bohn.protocol.room import Options
from bohn.protocol.room_commands import Start
from bohn.server.settings import Settings, Times
from bohn.server.store.postgres.sharing import NOW
from bohn.server.store.postgres.store import PostgresStore
from bohn.server.store.protocol import LogRow
from bohn.server.store.shared import bucket_of
from tests.patience import PATIENCE
from tests.server.support.audit import Folded, promises
from tests.server.support.http import Http
from tests.server.support.postgres import emptied
from tests.server.support.serving import PLENTY, Serving
from tests.server.support.wire import Guest, Player, come_in, do, open_table

pytestmark = pytest.mark.postgres

TIMES = Times(
    collect=50, last_call=200, bot_move=(20, 60), bot_delay=(20, 60), bot_chatter=(5, 10),
    bot_beside_people=(30, 90), bot_quiet=150, bot_first_market=0, bot_open=(100, 200), stop=3_000,
)  # fmt: skip
OPTIONS = Options(players=3, listed=True)

OWNER = "SELECT label FROM leases JOIN workers USING (worker) WHERE bucket = $1"

SHARES = f"""
    SELECT label, count(*) FROM leases JOIN workers USING (worker)
    WHERE renewed > {NOW} - {2 * TIMES.beat} GROUP BY worker, label
"""  # noqa: S608 - constants
"""How many buckets each worker holds that is alive."""

SHARED = [("one", 128), ("other", 128)]


@asynccontextmanager
async def serving(address: str, folder: Path) -> AsyncIterator[tuple[Serving, Serving]]:
    """Run two processes that share the tables."""
    await asyncio.to_thread(emptied, address)
    settings = Settings(limits=PLENTY, times=TIMES, store=address)
    servers = [Serving(folder / name, replace(settings, worker=name)) for name in ("one", "other")]
    try:
        for server in servers:
            await server.start()
        await shared(address)
        yield servers[0], servers[1]
    finally:
        for server in servers:
            server.kill()


async def shared(address: str) -> None:
    """Wait until each of the two holds its part: which buckets these are does not matter."""
    connection = await asyncpg.connect(address)
    try:
        while sorted(map(tuple, await connection.fetch(SHARES))) != SHARED:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.1)
    finally:
        await connection.close()


async def owner_of(address: str, bucket: int) -> str | None:
    """Return the name of the worker that holds a bucket."""
    connection = await asyncpg.connect(address)
    try:
        name: str | None = await connection.fetchval(OWNER, bucket)
        return name
    finally:
        await connection.close()


async def table_of(address: str, name: str, port: int) -> tuple[str, Guest]:
    """Open tables by the worker at a port until one belongs to the worker of this name; deal there."""
    http = Http(port)
    try:
        guest = await come_in(http, "Anna")
        table = await open_table(http, guest, OPTIONS)
        while await owner_of(address, bucket_of(table)) != name:
            table = await open_table(http, guest, OPTIONS)
        await do(http, guest, table, Start(fill="pk"), "start")
    finally:
        await http.close()
    return table, guest


async def rows_of(address: str, table: str) -> tuple[LogRow, ...]:
    """Return the log of a table."""
    store = PostgresStore(address, connections=1)
    await store.open()
    try:
        return await store.rows(table)
    finally:
        await store.close()


async def bots_moved(address: str, table: str, behind: int) -> None:
    """Wait until a bot has moved behind a seq."""
    async with asyncio.timeout(PATIENCE):
        while True:
            if any(row.cause == "bot" and row.seq > behind for row in await rows_of(address, table)):
                break
            await asyncio.sleep(0.1)


@pytest.mark.parametrize("gently", [False, True], ids=["kill -9", "SIGTERM"])
def test_other_process_goes_on(postgres_database: str, tmp_path: Path, gently: bool) -> None:
    """The bots of a table go on by the other worker, whether the first was killed or told to stop.

    Whoever plays there notices nothing, and the log holds all that he was told; a viewer of the worker that
    stops is told so.
    """

    async def test() -> None:
        async with serving(postgres_database, tmp_path) as (one, other):
            table, guest = await table_of(postgres_database, "one", other.port)
            player, viewer = Player(guest, table, 1), Player(Guest(one.port, "", "", ""), table, 2)
            for each in (player, viewer):
                each.begin()
                await asyncio.wait_for(each.welcomed.wait(), PATIENCE)
            playing = asyncio.create_task(player.play(0.05))
            await bots_moved(postgres_database, table, 5)
            assert '"worker": "one"' in one.words()
            if gently:
                assert await one.stop() == 0
                assert [goodbye.reason for goodbye in viewer.goodbyes] == ["server-stopping"]
            else:
                one.kill()
            head = len(await rows_of(postgres_database, table))
            await bots_moved(postgres_database, table, head)
            playing.cancel()
            await player.until(lambda: not player.ledger.open)
            rows = await rows_of(postgres_database, table)
            assert Folded(rows).faults == []
            assert promises(guest.user, player.ledger, rows) == []
            assert len(player.returns) == 1
            for each in (player, viewer):
                await each.end()

    asyncio.run(test())

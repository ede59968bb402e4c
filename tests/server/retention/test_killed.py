"""Servers that are killed while they delete: nothing is lost that stays, and the next one goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from bohn.notation.records import read_record
from bohn.protocol.room_events import Abandoned
from bohn.server.retention.folder import ArchiveFolder
from bohn.server.settings import Retention, Settings, Times
from bohn.server.store.operating import Deed, Sanction
from bohn.server.store.place import DATABASE
from bohn.server.store.postgres.store import PostgresStore
from bohn.server.store.protocol import Append, Store
from bohn.server.store.sqlite import SqliteStore
from tests.patience import PATIENCE
from tests.server.retention.conftest import LOG, log_of, put
from tests.server.store.samples import listing
from tests.server.support.http import Http
from tests.server.support.logs import DEAL, whole_log
from tests.server.support.postgres import emptied
from tests.server.support.rooms import ANNA
from tests.server.support.serving import PLENTY, Serving

GAMES = 60
"""Games that are due; the record of each takes some ten milliseconds."""

KILLS = 4

FAR = 2**42
"""A time (ms) that is not over yet."""

STAYS = (("stays1", "playing", 1), ("stays2", "open", 1), ("stays3", "finished", FAR))

DESERTED = "deserted"
"""A table that waits for owners who never come back."""

LEFT = whole_log(table=DESERTED, bot="no-trade")[:4]
"""Its log: two people have sat down."""


async def filled(store: Store) -> None:
    """Store games that are due, and some that are not."""
    await store.open()
    try:
        for number in range(GAMES):
            await put(store, f"t{number}", moved=1_000 + number)
        for table, status, moved in STAYS:
            await put(store, table, status, moved)  # type: ignore[arg-type]  # - statuses
        shown = listing(DESERTED, moved=1)
        await store.append(Append(row=LEFT[0], behind=LEFT[1:], listing=shown, deal=DEAL))
        for name, until in (("ended", 1), ("holds", None)):
            begun = Sanction(name, "mute", ANNA, None, 0, until, "rude")
            await store.write_deed(Deed(0, 1, "terminal:root", "mute", ANNA, sanction=name), begun)
    finally:
        await store.close()


async def logs(make: Callable[[], Store]) -> dict[str, int]:
    """Return how many rows are left of each table; of a game in part, its end is."""
    store, found = make(), {}
    await store.open()
    try:
        for table in (*(f"t{number}" for number in range(GAMES)), *(table for table, _, _ in STAYS)):
            rows = await store.rows(table)
            assert rows == log_of(table)[len(LOG) - len(rows) :]
            found[table] = len(rows)
        await look_at_the_rest(store)
    finally:
        await store.close()
    return found


async def look_at_the_rest(store: Store) -> None:
    """Compare what is left beside the games: the deserted table is as it was or given up, nothing between."""
    rows, shown = await store.rows(DESERTED), await store.listing(DESERTED)
    assert shown is not None
    assert rows[: len(LEFT)] == LEFT
    given_up = any(isinstance(event, Abandoned) for row in rows[len(LEFT) :] for event in row.events)
    assert (shown.status, len(rows) > len(LEFT)) == (("abandoned", True) if given_up else ("open", False))
    assert [one.id for one in await store.sanctions(0)][-1] == "holds"
    assert len(await store.deeds()) == 2


async def until_all_is_gone(servers: list[Serving]) -> None:
    """Wait until a server says that two tables that are over are left: one is young, one just given up."""
    async with asyncio.timeout(PATIENCE):
        while not any([b"bohn_over_tables 2.0" in await metrics(server) for server in servers]):  # noqa: ASYNC110 - of other processes
            await asyncio.sleep(0.05)


async def metrics(server: Serving) -> bytes:
    """Return what a server shows of its metrics."""
    http = Http(server.port)
    try:
        return (await http.request("GET", "/metrics")).body
    finally:
        await http.close()


async def killed_again_and_again(
    servers: list[Serving], make: Callable[[], Store], folder: ArchiveFolder
) -> None:
    """Kill the servers while they delete, look at what is left, and let them finish in the end."""
    rand, before = Random(7), GAMES
    for _ in range(KILLS):
        for server in servers:
            await server.start()
        await asyncio.sleep(rand.random())
        for server in servers:
            server.kill()
        left = await logs(make)
        for number in range(GAMES):
            assert left[f"t{number}"] == len(LOG) or folder.has(f"t{number}", 1_000 + number)
        assert all(left[table] == len(LOG) for table, _, _ in STAYS)
        whole = sum(left[f"t{number}"] == len(LOG) for number in range(GAMES))
        assert whole <= before
        before = whole
    for server in servers:
        await server.start()
    await until_all_is_gone(servers)
    for server in servers:
        await server.stop()
    left = await logs(make)
    store = make()
    await store.open()
    assert [one.id for one in await store.sanctions(0)] == ["holds"]
    await store.close()
    assert {table for table, rows in left.items() if rows} == {table for table, _, _ in STAYS}
    for number in range(GAMES):
        record = read_record(folder.place(f"t{number}", 1_000 + number).read_bytes())
        assert len(record.entries) > 100
        assert folder.has(f"t{number}", 1_000 + number)


def settings(folder: ArchiveFolder) -> Settings:
    """Return settings by which is looked for what is due all the time."""
    times = Times(unowned_table=500)
    return Settings(
        limits=PLENTY, times=times, bots=0, retention=Retention(archive=str(folder.path), every=100)
    )


def test_killed_server_loses_nothing(tmp_path: Path) -> None:
    """Whenever it is killed each game is whole, or its record is on the disk."""
    folder = ArchiveFolder(tmp_path / "records")
    server = Serving(tmp_path / "server", settings(folder))
    asyncio.run(filled(SqliteStore(server.data / DATABASE)))
    asyncio.run(killed_again_and_again([server], lambda: SqliteStore(server.data / DATABASE), folder))


@pytest.mark.postgres
def test_killed_workers_lose_nothing(tmp_path: Path, postgres_database: str) -> None:
    """The same of two workers of one database, whichever of them does it."""
    emptied(postgres_database)
    folder = ArchiveFolder(tmp_path / "records")
    chosen = replace(settings(folder), store=postgres_database)
    servers = [Serving(tmp_path / name, replace(chosen, worker=name)) for name in ("one", "two")]
    asyncio.run(filled(PostgresStore(postgres_database)))
    asyncio.run(killed_again_and_again(servers, lambda: PostgresStore(postgres_database), folder))

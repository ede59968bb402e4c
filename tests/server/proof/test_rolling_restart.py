"""Three workers behind a proxy are restarted one after the other: players come back, and nothing is lost."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from bohn.protocol import frames
from bohn.protocol.room import Options
from bohn.server.settings import Settings, Times
from bohn.server.store.postgres.store import PostgresStore
from tests.server.support.audit import Folded, promises
from tests.server.support.http import Http
from tests.server.support.postgres import emptied
from tests.server.support.proxies import KINDS, proxy
from tests.server.support.serving import PLENTY, Serving
from tests.server.support.wire import Guest, Player, decode, seated_table

pytestmark = pytest.mark.postgres

TABLES, SEATS = 5, 3
WORKERS = ("one", "two", "three")
OPTIONS = Options(players=SEATS, listed=True)
TIMES = Times(collect=50, last_call=200, stop=9_000)


class Witness(Player):
    """A player who notes every time at which somebody is shown as away, once all have been there."""

    def __init__(self, guest: Guest, table: str, seed: int) -> None:
        super().__init__(guest, table, seed)
        self.missed: list[tuple[int, ...]] = []
        self._all_came = False

    async def _take(self, raw: bytes) -> None:
        await super()._take(raw)
        frame = decode(raw)
        if isinstance(frame, frames.Welcome | frames.Presence):
            others = set(range(SEATS)) - {self.mirror.seat}
            if self._all_came and not others <= set(frame.present):
                self.missed.append(frame.present)
            self._all_came |= others <= set(frame.present)

    async def answered(self) -> None:
        """Wait until everything that was sent has its answer."""
        await self.until(lambda: not self.ledger.open)


async def rows_of(address: str, tables: tuple[str, ...]) -> dict[str, Any]:
    """Return the logs of tables."""
    store = PostgresStore(address, connections=1)
    await store.open()
    try:
        return {table: await store.rows(table) for table in tables}
    finally:
        await store.close()


async def restart_all(servers: list[Serving], players: list[Witness]) -> None:
    """Restart each worker while everybody plays; the next one once all are back."""
    for server in servers:
        await asyncio.sleep(1)
        assert await server.stop() == 0
        await server.start()
        for player in players:
            await player.until(player.welcomed.is_set)


async def knock(port: int, enough: asyncio.Event) -> Counter[int]:
    """Make a guest every 20 ms until it is enough, and count how the requests were answered."""
    http, statuses = Http(port), Counter[int]()
    while not enough.is_set():
        statuses[(await http.request("POST", "/api/guests", {"name": "Vera"})).status] += 1
        await asyncio.sleep(0.02)
    await http.close()
    return statuses


@pytest.mark.parametrize("kind", KINDS)
def test_rolling_restart_loses_nothing(postgres_database: str, tmp_path: Path, kind: str) -> None:
    """Who is cut off is told why and comes back; what was sent is done once; nobody is shown as away.

    Who comes meanwhile finds no door closed.
    """
    emptied(postgres_database)
    settings = Settings(limits=PLENTY, times=TIMES, store=postgres_database, bots=0)
    servers = [Serving(tmp_path / name, replace(settings, worker=name)) for name in WORKERS]

    statuses: Counter[int] = Counter()

    async def test(port: int) -> list[Witness]:
        async with AsyncExitStack() as stack:
            for server in servers:
                stack.callback(server.kill)
                await server.start()
            http = Http(port)
            players = []
            for number in range(TABLES):
                table, guests = await seated_table(http, OPTIONS, f"T{number}")
                players += [Witness(guest, table, number * SEATS + seat) for seat, guest in enumerate(guests)]
            await http.close()
            for player in players:
                player.begin()
            for player in players:
                await player.until(player.welcomed.is_set)
            playing = [asyncio.create_task(player.play(0.1)) for player in players]
            enough = asyncio.Event()
            knocking = asyncio.create_task(knock(port, enough))
            await restart_all(servers, players)
            enough.set()
            statuses.update(await knocking)
            for task in playing:
                task.cancel()
            for player in players:
                await player.answered()
            logs = await rows_of(postgres_database, tuple({player.table for player in players}))
            for player in players:
                assert promises(player.guest.user, player.ledger, logs[player.table]) == []
                await player.end()
            assert [fault for rows in logs.values() for fault in Folded(rows).faults] == []
            return players

    with proxy(kind, tmp_path / kind, [server.port for server in servers]) as port:
        players = asyncio.run(test(port))
    assert set(statuses) == {200}
    goodbyes = [goodbye.reason for player in players for goodbye in player.goodbyes]
    assert set(goodbyes) == {"server-stopping"}
    assert sum(len(player.returns) - 1 for player in players) == len(goodbyes)
    assert [player.missed for player in players if player.missed] == []

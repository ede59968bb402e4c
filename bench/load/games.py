"""Very many games played to their end in one process, to see what they leave behind."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from bohn.protocol.room import Options
from bohn.protocol.room_commands import Sit, Start
from bohn.server.run import running
from bohn.server.settings import Settings, Times
from bohn.server.store.place import database_in
from bohn.server.store.sqlite import SqliteStore
from bohn.server.tables.api import Tables
from bohn.server.web.services import Services
from tests.server.support.playing import Hands
from tests.server.support.serving import PLENTY

OPTIONS = Options(edition="classic", players=3, house_rules=("exhaustions=1",), listed=True)
QUICK = Times(collect=1, last_call=1, away=10, host_grace=20, poll=20, idle_table=200, stale_table=1_000)
AT_ONCE = 48
SAMPLES = 10
LONGEST = 20_000


class Sample(Struct):
    """What the process holds after ``games`` games, when nothing goes on: memory in bytes, tasks, tables."""

    games: int
    rss: int
    tasks: int
    tables: int
    commands: int


class _Viewer:
    """A viewer who throws away what he is shown."""

    def push(self, frame: bytes) -> None:
        """Take a frame."""

    def cut(self, reason: object) -> None:
        """Be cut off."""


async def play(folder: Path, games: int, report: Callable[[Sample], None]) -> list[Sample]:
    """Play a number of games, some at a time, and return what was held in between."""
    samples: list[Sample] = []
    commands = 0
    settings = Settings(limits=PLENTY, times=QUICK, bots=0)
    async with running(settings, SqliteStore(database_in(folder))) as services:
        for begin in range(0, games, max(1, games // SAMPLES)):
            numbers = iter(range(begin, min(games, begin + max(1, games // SAMPLES))))
            counts = await asyncio.gather(
                *(_table_after_table(services.tables, numbers) for _ in range(AT_ONCE))
            )
            commands += sum(counts)
            samples.append(await _at_rest(services, min(games, begin + max(1, games // SAMPLES)), commands))
            report(samples[-1])
    return samples


async def _table_after_table(tables: Tables, numbers: object) -> int:
    """Play games as long as there are any, and return how many commands they took."""
    commands = 0
    for number in numbers:  # type: ignore[attr-defined]  # an iterator that several players share
        commands += await _game(tables, number)
    return commands


async def _game(tables: Tables, number: int) -> int:
    people = tuple(f"user{number}.{seat}" for seat in range(OPTIONS.players))
    table = await tables.open_table(people[0], OPTIONS)
    for seat, user in enumerate(people):
        await tables.execute(table, user, f"sit{seat}", Sit(seat))
    await tables.execute(table, people[0], "start", Start())
    watchers = [await tables.watch(table, user, _Viewer(), None) for user in (*people, None)]
    hands = Hands(table, people, (tables,), number, haste=0.5)
    await hands.play_on(LONGEST)
    if not await hands.over():
        msg = f"game {number} does not end"
        raise RuntimeError(msg)
    for watcher in watchers:
        tables.unwatch(watcher)
    return len(hands.acked)


async def _at_rest(services: Services, games: int, commands: int) -> Sample:
    """Wait until tables that nobody looks at have left memory, and look at what is held."""
    await asyncio.sleep(3 * QUICK.idle_table / 1000)
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])  # noqa: ASYNC240 - no disk
    rss = pages * os.sysconf("SC_PAGE_SIZE")
    return Sample(games, rss, len(asyncio.all_tasks()), len(getattr(services.tables, "lives", ())), commands)

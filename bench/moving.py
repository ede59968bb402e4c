"""Measure `bohn move` there and back with many tables: ``python -m bench.moving``.

A data folder is filled with begun games, moved into a PostgreSQL database of its own, and from there into a
new folder. Each move reads both ends once more and compares them; the digests of both moves must be equal.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import structlog

from bench.load.shared import database
from bohn.protocol.room import Options
from bohn.protocol.room_commands import Sit, Start
from bohn.server.run import running
from bohn.server.settings import Settings, Times
from bohn.server.store.place import database_in
from bohn.server.store.sqlite import SqliteStore
from bohn.server.tables.api import Tables
from tests.server.support.playing import Hands
from tests.server.support.serving import PLENTY

AT_ONCE = 48
OPTIONS = Options(edition="classic", players=3, listed=True)
TIMES = Times(collect=1, last_call=1, idle_table=2_000, poll=200)
DIGEST = re.compile(r"\b[0-9a-f]{16}\b")


async def fill(folder: Path, tables: int, moves: int) -> None:
    """Open tables of three people in a new data folder, begin their games, and play a few commands."""
    settings = Settings(limits=PLENTY, times=TIMES, bots=0)
    async with running(settings, SqliteStore(database_in(folder))) as services:
        numbers = iter(range(tables))
        await asyncio.gather(*(_begun(services.tables, numbers, moves) for _ in range(AT_ONCE)))


async def _begun(tables: Tables, numbers: Iterator[int], moves: int) -> None:
    for number in numbers:
        people = tuple(f"user{number}.{seat}" for seat in range(OPTIONS.players))
        table = await tables.open_table(people[0], OPTIONS)
        for seat, user in enumerate(people):
            await tables.execute(table, user, f"sit{seat}", Sit(seat))
        await tables.execute(table, people[0], "start", Start())
        await Hands(table, people, (tables,), number).play_on(moves)


def moved(source: str, target: str) -> tuple[float, str]:
    """Run `bohn move`; return its seconds and the digest it printed."""
    begun = time.perf_counter()
    command = (sys.executable, "-m", "bohn", "move", source, target)
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - our own program
    found = DIGEST.search(done.stdout)
    if found is None:
        msg = f"no digest in {done.stdout!r}"
        raise RuntimeError(msg)
    print(done.stdout.strip(), flush=True)
    return time.perf_counter() - begun, found.group()


def main() -> int:
    """Measure and print; return 1 if the digests differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=10_000)
    parser.add_argument("--moves", type=int, default=20, help="commands at every table")
    options = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with tempfile.TemporaryDirectory() as name, database() as server:
        there, back = Path(name) / "there", Path(name) / "back"
        there.mkdir()
        asyncio.run(fill(there, options.tables, options.moves))
        size = sum(path.stat().st_size for path in there.iterdir()) / 1e6
        to, first = moved(str(there), server.address)
        back_again, second = moved(server.address, str(back))
        print(f"{options.tables} tables, {size:.0f} MB: there in {to:.1f} s, back in {back_again:.1f} s")
        print("the same digest" if first == second else f"NOT THE SAME: {first} and {second}")
    return 0 if first == second else 1


if __name__ == "__main__":
    sys.exit(main())

"""Measure what tables over days cost at which nobody looks: ``python -m bench.sleeping``.

So many tables are opened and dealt in one process, on a file of SQLite; then nobody comes for an hour, and
they leave memory. Python's own memory is counted, by ``tracemalloc``: beside what there was before.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import tempfile
import time
import tracemalloc
from pathlib import Path

import structlog

from bohn.protocol.room import Options
from bohn.server.settings import Settings, Times
from bohn.server.store.sqlite import SqliteStore
from bohn.server.tables.turns import awaited_at
from tests.server.support.tables import House

TABLES = 2_000
"""Tables over days of a server that many people come back to."""

HOUR = 3_600_000
TIMES = Times(poll=60_000, beat=600_000, idle_table=HOUR, stale_table=HOUR)

PEOPLE = 3
SEATED_BY_ONE = 5
"""Tables at which the same people sit: fewer than anybody may have open."""


def used() -> int:
    """Return the bytes that are in use."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


async def measure(count: int, folder: Path) -> None:
    """Open the tables, let them leave memory, and let one come back."""
    house = await House(Settings(times=TIMES), SqliteStore(folder / "tables.sqlite")).begin()
    empty = used()
    tables = []
    for number in range(count):
        people = tuple(f"u{number // SEATED_BY_ONE}x{place}" for place in range(PEOPLE))
        tables.append(await house.table(*people, options=Options(players=PEOPLE, clock="24h")))
    awake, loaded = used() - empty, house.tables.loaded_here()
    for _ in range(130):  # a minute each: what reads from the disk has its time in between
        await house.clock.advance(60_000)
        await asyncio.sleep(0.01)
    asleep, left = used() - empty, house.tables.loaded_here()
    cold, warm = [await listed(house, tables[:SEATED_BY_ONE]) for _ in range(2)]
    print(f"{'tables':>8} {'in memory':>10} {'MB':>8} {'kB a table':>11}")
    for name, number, size in (("awake", loaded, awake), ("asleep", left, asleep)):
        print(f"{name:>8} {number:>10} {size / 1e6:>8.1f} {size / 1e3 / count:>11.2f}")
    print(
        f"{SEATED_BY_ONE} come back for the list of one of their people in {cold:.1f} ms, then {warm:.1f} ms"
    )
    await house.end()


async def listed(house: House, tables: list[str]) -> float:
    """Return the ms that it takes to say for what each of somebody's tables waits."""
    begun = time.perf_counter()
    for table in tables:
        awaited_at(await house.tables.peek(table), "u0x0", house.clock.now())
    return 1000 * (time.perf_counter() - begun)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=TABLES)
    args = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    tracemalloc.start()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(args.tables, Path(folder)))


if __name__ == "__main__":
    main()

"""How long nobody serves the tables of a worker that was killed: from `kill -9` until another has its leases.

Two workers share a PostgreSQL database of their own; one is killed, or told to stop with ``--gently``:

    python -m bench.takeover --runs 5
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path
from statistics import median

import asyncpg

from bench.load.shared import database, workers_on

HELD = "SELECT count(*) FROM leases JOIN workers USING (worker) WHERE label = $1 AND leases.until > 0"


async def held(address: str, label: str) -> int:
    """Return how many leases a worker holds."""
    connection = await asyncpg.connect(address)
    try:
        found: int = await connection.fetchval(HELD, label)
        return found
    finally:
        await connection.close()


async def taken_over(folder: Path, address: str, *, gently: bool) -> float:
    """Return the seconds from the end of one worker until the other holds all leases."""
    one, other = workers_on(folder, address, 2)
    try:
        for worker in (one, other):
            await worker.start()
        while await held(address, "worker-2") < 128:  # noqa: ASYNC110 - the database is asked
            await asyncio.sleep(0.1)
        begun = time.perf_counter()
        if gently:
            await one.stop()
        else:
            one.kill()
        while await held(address, "worker-2") < 256:  # noqa: ASYNC110 - the database is asked
            await asyncio.sleep(0.02)
        return time.perf_counter() - begun
    finally:
        one.kill()
        other.kill()


def main() -> None:
    """Measure, and print each run and the median."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=5, help="how often (5)")
    parser.add_argument("--gently", action="store_true", help="tell it to stop instead of killing it")
    chosen = parser.parse_args()
    seconds = []
    for _ in range(chosen.runs):
        with tempfile.TemporaryDirectory() as folder, database() as server:
            seconds.append(asyncio.run(taken_over(Path(folder), server.address, gently=chosen.gently)))
        print(f"{seconds[-1]:.2f} s", flush=True)
    print(f"median {median(seconds):.2f} s, longest {max(seconds):.2f} s")


if __name__ == "__main__":
    main()

"""Measure one, two and three workers side by side: ``python -m bench.workers``.

The workers share a PostgreSQL database of their own that waits for its disk. The five players of each table
come by all workers in turn, and one generator sends commands on an open-loop schedule, as in
:mod:`bench.server_load`; acknowledgements are measured from when a command was due. All of them, the database
and the generator share the processors of one machine, so processor time a command and ratios are what counts.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
from pathlib import Path

from msgspec import Struct

from bench.load.company import PLAYERS, Table, moved, opened
from bench.load.schedule import Figures, Generator, percentile
from bench.load.shared import cpu_of_database, database, started, workers_on
from bench.load.sockets import Socket, connected
from tests.server.support.postgres import LocalPostgres, emptied
from tests.server.support.serving import Serving

LATE = 20.0
"""Ms by which 99 of 100 commands may be sent late; else the run says nothing of the server."""


class Run(Struct):
    """One run: processor seconds of all workers and of the database, beside what the generator saw."""

    workers: int
    rate: float
    seconds: float
    of_workers: float
    of_database: float
    figures: Figures

    @property
    def commands(self) -> int:
        """How many commands were acknowledged."""
        return max(1, len(self.figures.acknowledged))

    @property
    def faults(self) -> int:
        """Commands without an answer, gaps, and sockets that have not seen the end of their table."""
        return self.figures.lost + self.figures.gaps + self.figures.behind


async def one_run(server: LocalPostgres, number: int, rate: float, options: argparse.Namespace) -> Run:
    """Empty the database, start this many workers, and measure them."""
    await asyncio.to_thread(emptied, server.address)
    with tempfile.TemporaryDirectory() as folder:
        servers = workers_on(Path(folder), server.address, number)
        async with started(servers):
            tables = await opened(servers[0].port, options.tables)
            await moved(servers[0].port, tables, options.moves)
            generator = Generator([], number)
            generator.tables = await all_connected(servers, tables, generator, together=options.together)
            await asyncio.sleep(2.0)
            before: list[float] = []

            def spent() -> float:
                before.append(cpu_of_database(server))
                return sum(one.cpu() for one in servers)

            figures = await generator.run(rate, options.seconds, spent)
            database_cpu = before[-1] - before[0]
    return Run(number, rate, options.seconds, figures.other_cpu, database_cpu, figures)


async def all_connected(
    servers: list[Serving], tables: list[Table], generator: Generator, *, together: bool
) -> list[list[Socket]]:
    """Connect everybody: the players of a table by one worker after the other, or all by the same."""
    found = []
    for number, table in enumerate(tables):
        places = [number if together else number + seat for seat in range(len(table.cookies))]
        pending = [
            connected(servers[place % len(servers)].port, table.id, cookie, generator.answered)
            for place, cookie in zip(places, table.cookies, strict=True)
        ]
        found.append(list(await asyncio.gather(*pending)))
    return found


def report(runs: list[Run]) -> None:
    """Print a line for each run, and the medians for each number of workers and rate."""
    print(
        "workers  rate/s  p50 ms  p99 ms  longest  worker ms/cmd  database ms/cmd  late p99  faults  refused"
    )
    for run in runs:
        print(_line(run.workers, run.rate, [run]))
    print("medians")
    for rate in sorted({run.rate for run in runs}):
        for number in sorted({run.workers for run in runs}):
            chosen = [run for run in runs if (run.workers, run.rate) == (number, rate)]
            print(_line(number, rate, chosen))


def _line(number: int, rate: float, runs: list[Run]) -> str:
    def middle(values: list[float]) -> float:
        return statistics.median(values)

    late = middle([percentile(run.figures.late, 0.99) for run in runs])
    return (
        f"{number:>7}{rate:>8.0f}"
        f"{middle([percentile(run.figures.acknowledged, 0.50) for run in runs]):>8.1f}"
        f"{middle([percentile(run.figures.acknowledged, 0.99) for run in runs]):>8.1f}"
        f"{middle([run.figures.acknowledged[-1] for run in runs]):>9.1f}"
        f"{middle([run.of_workers * 1000 / run.commands for run in runs]):>15.2f}"
        f"{middle([run.of_database * 1000 / run.commands for run in runs]):>17.2f}"
        f"{late:>10.1f}{sum(run.faults for run in runs):>8}"
        f"{middle([sum(run.figures.refused.values()) / max(1, run.figures.sent) for run in runs]):>9.1%}"
        f"{'' if late < LATE else '  DOES NOT COUNT: the generator was late'}"
    )


def main() -> int:
    """Measure and print; return 1 if a run has lost something."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--rates", type=float, nargs="+", default=[300.0, 1000.0], help="commands a second")
    parser.add_argument("--tables", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--runs", type=int, default=3, help="of each; they alternate")
    parser.add_argument("--moves", type=int, default=4, help="commands at every table before it begins")
    parser.add_argument(
        "--together", action="store_true", help="all players of a table come by the same worker"
    )
    options = parser.parse_args()
    runs = []
    with database() as server:
        for _ in range(options.runs):
            for number in options.workers:
                for rate in options.rates:
                    runs.append(asyncio.run(one_run(server, number, rate, options)))
                    print(_line(number, rate, runs[-1:]), flush=True)
    print(
        f"{options.tables} tables x {PLAYERS} sockets, {options.seconds:.0f} s a run, {os.cpu_count()} cores"
    )
    report(runs)
    return 1 if any(run.faults for run in runs) else 0


if __name__ == "__main__":
    sys.exit(main())

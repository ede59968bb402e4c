"""Measure the table server under load: ``python -m bench.server_load``.

`bohn serve` runs in a process of its own; one generator sends commands on an open-loop schedule from five
sockets at each of 400 tables, all of people. Acknowledgements are measured from the time a command was due,
whenever it was really sent; a run counts if 99 of 100 commands were sent less than 20 ms late. Collected
acceptances do not occur: no offer goes to several people directly.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
from pathlib import Path

from msgspec import Struct

from bench.load.company import PLAYERS, Table, moved, opened
from bench.load.schedule import Figures, Generator, percentile
from bench.load.sockets import Socket, connected
from tests.server.support.serving import Serving

LATE = 20.0
KB = 1024
MB = 1024 * 1024


class Run(Struct):
    """One run: the server's costs beside what the generator saw. Memory in bytes, times in seconds."""

    ready: float
    rest: int
    rest_of_all: int
    per_table: float
    per_socket: float
    at_end: int
    server_cpu: float
    seconds: float
    figures: Figures

    @property
    def a_command(self) -> float:
        """The server's processor time for one committed command, in ms, with all it sends to everybody."""
        return self.server_cpu * 1000 * self.seconds / max(1, len(self.figures.acknowledged))

    @property
    def counts(self) -> bool:
        """Whether the generator kept its schedule."""
        return percentile(self.figures.late, 0.99) < LATE


async def one_run(folder: Path, options: argparse.Namespace, seed: int) -> Run:
    """Start a server, fill it, measure it, and stop it."""
    server = Serving(folder)
    ready = await server.start()
    await asyncio.sleep(1.0)
    rest, rest_of_all = server.rss(), server.rss_of_all()
    async with _stopping(server):
        tables = await opened(server.port, options.tables)
        await moved(server.port, tables, options.moves)
        await asyncio.sleep(1.0)
        with_tables = server.rss()
        generator = Generator([], seed)
        generator.tables = await _all_connected(server.port, tables, generator)
        await asyncio.sleep(1.0)
        with_sockets = server.rss()
        figures = await generator.run(options.rate, options.seconds, server.cpu)
        cpu = figures.other_cpu / options.seconds
        at_end = server.rss()
    sockets = options.tables * PLAYERS
    return Run(
        ready,
        rest,
        rest_of_all,
        (with_tables - rest) / options.tables,
        (with_sockets - with_tables) / sockets,
        at_end,
        cpu,
        options.seconds,
        figures,
    )


class _stopping:  # noqa: N801 - reads as a phrase where it is used
    """Stops a server at the end, the hard way after an error."""

    def __init__(self, server: Serving) -> None:
        self.server = server

    async def __aenter__(self) -> None:
        pass

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            print(self.server.words(), file=sys.stderr)
            self.server.kill()
        else:
            await self.server.stop()


async def _all_connected(port: int, tables: list[Table], generator: Generator) -> list[list[Socket]]:
    found = []
    for table in tables:
        pending = [connected(port, table.id, cookie, generator.answered) for cookie in table.cookies]
        found.append(list(await asyncio.gather(*pending)))
    return found


# -- the report ----------------------------------------------------------------------------------------


def report(runs: list[Run]) -> bool:
    """Print medians; tell whether every goal is met."""
    figures = [run.figures for run in runs]
    lost = sum(one.lost for one in figures)
    print(f"{'':<34}{'measured':>12}{'goal':>12}   runs")
    good = [
        _line("acknowledged p50, ms", [percentile(one.acknowledged, 0.50) for one in figures], 10),
        _line("acknowledged p90, ms", [percentile(one.acknowledged, 0.90) for one in figures], None),
        _line("acknowledged p99, ms", [percentile(one.acknowledged, 0.99) for one in figures], 150),
        _line("acknowledged longest, ms", [one.acknowledged[-1] for one in figures], None),
        _line("from start to ready, s", [run.ready for run in runs], 2.0),
        _line("memory at rest, MB", [run.rest / MB for run in runs], 120),
        _line("  with the bots' processes, MB", [run.rest_of_all / MB for run in runs], None),
        _line("memory a live table, KB", [run.per_table / KB for run in runs], 60),
        _line("memory an idle socket, KB", [run.per_socket / KB for run in runs], 40),
        _line("memory after the load, MB", [run.at_end / MB for run in runs], None),
        _line("server's cores in use", [run.server_cpu for run in runs], None),
        _line("server's time a command, ms", [run.a_command for run in runs], None),
        _line("generator's cores in use", [one.cpu for one in figures], None),
        _line("generator late p50, ms", [percentile(one.late, 0.50) for one in figures], None),
        _line("generator late p99, ms", [percentile(one.late, 0.99) for one in figures], LATE),
    ]
    for run in runs:
        print(_sentence(run))
    total = sum((one.mix for one in figures), start=type(figures[0].mix)())
    print(
        "commands:", ", ".join(f"{name} {share / total.total():.0%}" for name, share in total.most_common())
    )
    refused = sum((one.refused for one in figures), start=type(figures[0].refused)())
    print("refused:", ", ".join(f"{name} {number}" for name, number in refused.most_common(12)) or "none")
    broken = lost + sum(one.gaps + one.behind for one in figures)
    return all(good) and not broken and all(run.counts for run in runs)


def _sentence(run: Run) -> str:
    """Return what became of the commands of one run."""
    one = run.figures
    return (
        f"{one.sent} sent, {len(one.acknowledged)} acknowledged, {one.refused.total()} refused, "
        f"{one.lost} lost; "
        f"{one.batches} batches of {one.received / max(one.batches, 1):.0f} bytes, {one.gaps} gaps, "
        f"{one.behind} sockets behind{'' if run.counts else '; DOES NOT COUNT: the generator was late'}"
    )


def _line(name: str, values: list[float], goal: float | None) -> bool:
    """Print one figure with its goal and all runs; tell whether its median is below the goal."""
    middle = statistics.median(values)
    met = goal is None or middle < goal
    print(
        f"{name:<34}{middle:>12.2f}{'' if goal is None else f'{goal:g}':>12}   "
        + " ".join(f"{value:.2f}" for value in values)
        + ("" if met else "   MISSED")
    )
    return met


def main() -> int:
    """Measure and print; return 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=400)
    parser.add_argument("--rate", type=float, default=1000.0, help="commands a second")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument(
        "--moves", type=int, default=8, help="commands at every table before memory is measured"
    )
    options = parser.parse_args()
    runs = []
    for number in range(options.runs):
        with tempfile.TemporaryDirectory() as folder:
            runs.append(asyncio.run(one_run(Path(folder), options, number)))
    size = f"{options.tables} tables x {PLAYERS} sockets"
    print(f"{size}, {options.rate:,.0f} commands/s for {options.seconds:.0f} s")
    return 0 if report(runs) else 1


if __name__ == "__main__":
    sys.exit(main())

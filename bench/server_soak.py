"""Kill the table server many times under load, and compare every promise with the log.

``python -m bench.server_soak --kills 50``; with ``--games 10000`` it plays that number of games to their end
in one process instead, and sees that they leave neither memory nor tasks behind.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
from pathlib import Path

from bench.load.games import Sample, play
from bohn.server import logs
from tests.server.support.killing import Killing, KillReport

MB = 1024 * 1024


def report(found: KillReport) -> bool:
    """Print what the rounds have shown; tell whether nothing is wrong."""
    back = [one.back for one in found.rounds]
    print(
        f"{len(found.rounds)} kills: {found.tables} tables, {found.games_over} games played to their end, "
        f"{found.rows} rows; {found.sent} commands sent, {found.acked} acknowledged, {found.refused} refused"
    )
    print(
        f"without an answer at a death {sum(one.resent for one in found.rounds)}, "
        f"of these committed already {found.committed_unacked}; "
        f"clocks seen again {sum(one.clocks for one in found.rounds)}"
    )
    print(
        f"ready after {statistics.median(one.ready for one in found.rounds):.2f} s, "
        f"all back after {statistics.median(back):.2f} s (at most {max(back):.2f}, goal 5)"
    )
    for fault in found.faults[:20]:
        print("  wrong:", fault[:500])
    print(f"{len(found.faults)} faults" if found.faults else "none lost, none doubled")
    return not found.faults and max(back) < 5


def games_report(samples: list[Sample]) -> bool:
    """Tell whether many games hold no more than some: memory after the first fifth is the measure."""
    first, last = samples[len(samples) // 5], samples[-1]
    growth = (last.rss - first.rss) / MB
    print(f"memory grew by {growth:.1f} MB from {first.games} to {last.games} games (goal 40)")
    left = last.tables or last.tasks > samples[0].tasks
    if left:
        print(f"  left behind: {last.tables} tables, {last.tasks - samples[0].tasks} tasks")
    return growth < 40 and not left


def print_sample(sample: Sample) -> None:
    """Print what is held."""
    print(
        f"{sample.games:>7} games, {sample.commands:>9} commands: {sample.rss / MB:6.1f} MB, "
        f"{sample.tasks} tasks, {sample.tables} tables",
        flush=True,
    )


def main() -> int:
    """Kill and compare, or play and look; return 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--rate", type=float, default=200.0, help="commands a second")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=0, help="play so many games instead")
    options = parser.parse_args()
    logs.configure("warning")
    with tempfile.TemporaryDirectory() as folder:
        if options.games:
            return 0 if games_report(asyncio.run(play(Path(folder), options.games, print_sample))) else 1
        killing = Killing(
            Path(folder), kills=options.kills, tables=options.tables, rate=options.rate, seed=options.seed
        )
        return 0 if report(asyncio.run(killing.run())) else 1


if __name__ == "__main__":
    sys.exit(main())

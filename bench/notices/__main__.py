"""Kill workers over and over while people are told of their turns: ``python -m bench.notices``.

Three workers share a PostgreSQL database of their own. People at tables over days come when a push service of
this machine was sent a message for them, which it verifies (VAPID) and decrypts; a quarter comes by itself,
about when the message is due. Workers are killed by SIGKILL at random, half of the time while a message is on
its way, and started again. Then the messages are compared with the log: each turn that lasted was told, none
was sent of a turn of which the sender could see that it was over, and none came twice unless its sender was
killed. ``--plants`` shows that planted mistakes are found.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
from pathlib import Path

from bench.load.shared import database
from bench.notices.plants import PLANTS
from bench.notices.running import Found, Plan, run
from bohn.server import logs
from tests.server.support.postgres import emptied

QUICK = Plan(turns=400, tables=30, gap=(0.5, 2.0), taken=4_000, told_after=800, most=120, more=20.0)
"""A run in which each planted mistake shows itself."""


def report(found: Found) -> bool:
    """Print what a run has shown; tell whether nothing is wrong."""
    verdict = found.verdict
    first = [(turn, messages[0]) for turn, messages in verdict.told]
    late = sorted((message.at - turn.begun_at - found.plan.told_after) / 1000 for turn, message in first) or [
        0.0
    ]
    messages = [(turn, message) for turn, several in verdict.told for message in several]
    behind = [message.at - turn.ended_at for turn, message in messages if turn.ended_at is not None]
    crossed = [ms for ms in behind if ms > 0]
    ended = [turn for number, turn in enumerate(verdict.turns) if number not in verdict.messages]
    table = [
        ("turns told at least once", f"{len(first)}"),
        ("turns over or running when a message was not due yet", f"{len(ended)}"),
        ("commands, and asked again", f"{found.commands}, {found.asked_again}"),
        ("tables", f"{found.tables}"),
        ("workers killed", f"{len(found.deaths)}"),
        ("turns between commit and message at a kill", f"{sum(found.under_way)}"),
        ("messages, verified and decrypted", f"{len(messages)}"),
        ("repeated, each after its sender was killed", f"{verdict.repeated}"),
        ("told behind due: median, 95 of 100, longest", spread(late)),
        ("arrived while the end was being written; longest", f"{len(crossed)}; {max(crossed, default=0)} ms"),
        ("seconds", f"{found.seconds:.0f}"),
    ]  # fmt: skip
    for name, value in table:
        print(f"{name:<56}{value}")
    for fault in found.faults[:20]:
        print("  wrong:", fault)
    print(f"{len(found.faults)} faults" if found.faults else "none missing, none too late, none doubled")
    return not found.faults


def spread(seconds: list[float]) -> str:
    """Return the median of sorted seconds, what 95 of 100 do not exceed, and the longest."""
    chosen = statistics.median(seconds), seconds[int(len(seconds) * 0.95)], seconds[-1]
    return ", ".join(f"{one:.1f} s" for one in chosen)


def plants(address: str) -> bool:
    """Plant every mistake in turn, and tell whether each was found."""
    missed = []
    for name in PLANTS:
        found = one(address, Plan(**{**vars(QUICK), "plant": name}))
        print(
            f"{name:<24}{len(found.faults):>5} faults, such as: {(found.faults or ['none'])[0]}", flush=True
        )
        missed += [] if found.faults else [name]
    print(f"not found: {', '.join(missed)}" if missed else "all were found")
    return not missed


def one(address: str, plan: Plan) -> Found:
    """Run once, on an empty database."""
    emptied(address)
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(run(Path(folder), address, plan))


def main() -> int:
    """Run, print, and return 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--turns", type=int, default=Plan.turns)
    parser.add_argument("--tables", type=int, default=Plan.tables)
    parser.add_argument("--seed", type=int, default=Plan.seed)
    parser.add_argument(
        "--most", type=float, default=Plan.most, help="seconds after which it ends in any case"
    )
    parser.add_argument("--quick", action="store_true", help="with shorter times than the server's own")
    parser.add_argument("--plant", choices=sorted(PLANTS), help="plant a mistake, with --quick")
    parser.add_argument("--plants", action="store_true", help="plant every mistake in turn")
    options = parser.parse_args()
    logs.configure("warning")
    with database("fsync=off") as server:
        if options.plants:
            return 0 if plants(server.address) else 1
        plan = Plan(turns=options.turns, tables=options.tables, seed=options.seed, most=options.most)
        if options.quick or options.plant:
            plan = Plan(**{**vars(QUICK), "plant": options.plant or "", "seed": options.seed})
        plan.say = lambda word: print(word, file=sys.stderr, flush=True)
        found = one(server.address, plan)
        return 0 if report(found) and len(found.verdict.told) >= plan.turns * 0.9 else 1


if __name__ == "__main__":
    sys.exit(main())

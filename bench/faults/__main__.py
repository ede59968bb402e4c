"""Serve tables by three workers while machines fail, and compare every promise with the log.

``python -m bench.faults --minutes 60``: three workers, PostgreSQL and a crowd, each in a network namespace of
its own, which the program makes and removes (as root, on Linux). Every 5 to 15 s one of these faults happens:
a worker is killed and started again; one stands still for longer than its lease; PostgreSQL is killed and
started again; whoever listens to the bell is cut off; a worker is cut off from the database; the clock of a
worker is wrong by an hour. ``--plant`` plants a mistake, which must then be found.
``--sum DIR`` adds up the results that ``--out DIR`` has kept.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from secrets import randbelow

import msgspec

from bench.faults.causing import Causing
from bench.faults.checker import BEHIND
from bench.faults.network import Missing, require_programs
from bench.faults.plants import PLANTS
from bench.faults.result import kept, report
from bench.faults.running import Asked, run


def arguments() -> argparse.ArgumentParser:
    """Return what is understood."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.faults", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=20.0, help="how long faults happen")
    parser.add_argument("--tables", type=int, default=400)
    parser.add_argument("--rate", type=float, default=200.0, help="commands a second")
    parser.add_argument("--seed", type=int, help="of tables, people and faults; drawn if it is not given")
    parser.add_argument("--out", type=Path, default=Path("build/faults"), help="where results are kept")
    parser.add_argument("--plant", choices=sorted(PLANTS), default="", help="plant a mistake")
    kinds = ",".join(Causing.KINDS)
    parser.add_argument("--faults", default=kinds, help=f"some of {kinds}, or none")
    parser.add_argument("--behind", type=float, default=BEHIND, help="seconds within which rows are shown")
    parser.add_argument("--sum", type=Path, metavar="DIR", help="add up the results in a folder")
    return parser


def main() -> int:
    """Run and report; return 1 if anything is wrong, 2 if something is missing."""
    options = arguments().parse_args()
    if options.sum is not None:
        results = kept(options.sum)
        if not results:
            print(f"bench.faults: there are no results in {options.sum}", file=sys.stderr)
            return 2
        return 0 if report(results) else 1
    seed = randbelow(10**6) if options.seed is None else options.seed
    kinds = tuple(kind for kind in options.faults.split(",") if kind not in {"", "none"})
    if unknown := set(kinds) - set(Causing.KINDS):
        print(f"bench.faults: there is no fault {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    print(f"seed {seed}", flush=True)
    try:
        require_programs()
        result = run(
            Asked(options.minutes, options.tables, options.rate, seed, options.plant, kinds, options.behind)
        )
    except Missing as missing:
        print(f"bench.faults: {missing}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("bench.faults: stopped; nothing is left behind, and no result is kept", file=sys.stderr)
        return 130
    options.out.mkdir(parents=True, exist_ok=True)
    file = options.out / f"run-{seed}-{time.strftime('%Y%m%dT%H%M%S')}.json"
    file.write_bytes(msgspec.json.format(msgspec.json.encode(result), indent=1))
    print(f"kept in {file}")
    return 0 if report([result]) else 1


if __name__ == "__main__":
    sys.exit(main())

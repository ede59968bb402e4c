"""Play the rules core and the compiled twin side by side: ``python -m bench.twin_soak --commands 10000000``.

All editions and numbers of players that the twin plays in turn, half of the games with house rules.
After every command the positions are compared, at every ``--every``-th decision also what is legal
(:mod:`bohn.lab.mirrored`). Game ``n`` is the same on every machine: ``--first n`` plays it again. With
``--counts FILE`` a run that was stopped goes on where it was, unless a source has changed. The exit status is
1 at the first difference.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

from bohn.lab.compiling import COMPILED
from bohn.lab.mirrored import EVERY_TABLE, Chance, Differs, mirrored_game, plan_for

ROUND = len(EVERY_TABLE)
"""Games in a piece of work: one at every table."""

KEYS = ("games", "commands", "decisions", "checks", "trades", "stuck")
ROOT = Path(__file__).resolve().parent.parent
QUIET = 30
"""Seconds between two lines of progress where there is no terminal."""

Sums = dict[str, dict[str, int]]


def digest() -> str:
    """Return the digest of everything that is compared, and of what compares it."""
    names = ("play/floor", "lab/compiling", "lab/row", "lab/twin", "lab/mirror", "lab/mirrored")
    paths = [ROOT / "src/bohn" / f"{name}.py" for name in names]
    result = sha256()
    for path in (*sorted((ROOT / "src/bohn/rules").rglob("*.py")), *paths):
        result.update(path.read_bytes())
    return result.hexdigest()


def play_round(first: int, every: int) -> Sums:
    """Play one game at every table and return sums by table."""
    sums: Sums = {}
    for number in range(first, first + ROUND):
        edition, players = EVERY_TABLE[number % ROUND]
        try:
            played = mirrored_game(plan_for(number), Chance(number), every)
        except Exception as error:
            error.add_note(f"game {number}: {edition} for {players}")
            raise
        row = sums.setdefault(f"{edition} {players}", dict.fromkeys(KEYS, 0))
        row["games"] += 1
        for key in KEYS[1:]:
            row[key] += int(getattr(played, key))
    return sums


class Counts:
    """What has been compared so far, stored in a file if one is named."""

    def __init__(self, path: Path | None, first: int, every: int) -> None:
        """Read what an earlier run of the same sources has counted."""
        self.path = path
        self.kind: dict[str, Any] = {"digest": digest(), "first": first, "every": every}
        self.next = first
        self.sums: Sums = {}
        if path is not None and path.exists():
            kept = json.loads(path.read_text())
            if kept["kind"] == self.kind:
                self.next, self.sums = kept["next"], kept["sums"]

    def add(self, sums: Sums) -> None:
        """Add a round, and store the counts."""
        self.next += ROUND
        for name, row in sums.items():
            total = self.sums.setdefault(name, dict.fromkeys(KEYS, 0))
            for key, value in row.items():
                total[key] += value
        if self.path is not None:
            text = json.dumps({"kind": self.kind, "next": self.next, "sums": self.sums})
            fresh = self.path.with_suffix(".new")
            fresh.write_text(text)
            fresh.replace(self.path)

    def total(self, key: str) -> int:
        """Return a sum over all tables."""
        return sum(row[key] for row in self.sums.values())


def rounds(counts: Counts, every: int, workers: int) -> Iterator[Sums]:
    """Yield the sums of round after round, in order, over worker processes."""
    if workers == 1:
        for first in count(counts.next, ROUND):
            yield play_round(first, every)
    pool = ProcessPoolExecutor(workers)
    waiting: deque[Future[Sums]] = deque()
    try:
        for first in count(counts.next, ROUND):
            waiting.append(pool.submit(play_round, first, every))
            if len(waiting) > 2 * workers:
                yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


class Progress:
    """Says how far it is: on one line of a terminal, else in a line now and then."""

    def __init__(self, counts: Counts) -> None:
        """Begin to count the time."""
        self.counts = counts
        self.begin = self.said = time.monotonic()
        self.before = counts.total("commands")

    def rate(self) -> float:
        """Return commands a second of this run."""
        return (self.counts.total("commands") - self.before) / (time.monotonic() - self.begin)

    def say(self) -> None:
        """Say it, if it is time."""
        terminal = sys.stderr.isatty()
        if not terminal and time.monotonic() - self.said < QUIET:
            return
        self.said = time.monotonic()
        text = f"{self.counts.total('commands'):,} commands, {self.rate():,.0f}/s"
        print(f"\r{text}" if terminal else text, end="" if terminal else "\n", file=sys.stderr, flush=True)


def soak(counts: Counts, commands: int, every: int, workers: int) -> float:
    """Compare at least ``commands`` commands; return how many a second."""
    progress = Progress(counts)
    if counts.total("commands") < commands:
        mirrored_game(plan_for(0), Chance(0))  # compiles before the workers begin, so that each does not
        for sums in rounds(counts, every, workers):
            counts.add(sums)
            progress.say()
            if counts.total("commands") >= commands:
                break
    return progress.rate()


def report(counts: Counts) -> None:
    """Print the sums by edition and number of players."""
    print(f"{'edition, players':<18}" + "".join(f"{key:>14}" for key in KEYS))
    for name, row in counts.sums.items():
        print(f"{name:<18}" + "".join(f"{row[key]:>14,}" for key in KEYS))
    print(f"{'total':<18}" + "".join(f"{counts.total(key):>14,}" for key in KEYS))


def main() -> int:
    """Play, print, and return 1 if core and twin differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commands", type=int, default=10_000_000, help="compare at least so many")
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--every", type=int, default=10, help="compare what is legal at every n-th decision")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--counts", type=Path, help="a file to go on from after a stop")
    options = parser.parse_args()
    counts = Counts(options.counts, options.first, options.every)
    mode = "compiled" if COMPILED else "interpreted"
    print(f"{mode}, {options.workers} workers, sources {counts.kind['digest'][:16]}", flush=True)
    begin = time.monotonic()
    try:
        rate = soak(counts, options.commands, options.every, options.workers)
    except Differs as difference:
        print(f"\ncore and twin differ: {difference}")
        print(*getattr(difference, "__notes__", ()), sep="\n")
        return 1
    report(counts)
    print(f"core and twin are the same game: {time.monotonic() - begin:.0f} s, {rate:,.0f} commands a second")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""What a run has shown, as JSON; and how several results add up."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import msgspec
from msgspec import Struct

from bench.faults.history import Fault, Told, Violation

RESTED = 1.0
"""Seconds behind a fault that still belong to it."""

SLOW = 1.0
"""Seconds beyond which an answer was held up by a fault."""

MOST_TOLD = 200
"""Violations of one run that are written down in words; all are counted."""

FEW = 4
"""Violations of each kind that are printed; the others are in the file."""


class Result(Struct):
    """One run: times in seconds, latencies as numbers of answers by milliseconds."""

    seed: int
    plant: str
    minutes: float
    tables: int
    rate: float
    started: str
    faults: list[Fault] = []
    counts: dict[str, int] = {}
    violations: dict[str, int] = {}
    told: list[Violation] = []
    latencies: dict[int, int] = {}
    latencies_in_faults: dict[int, int] = {}
    crowd_cores: float = 0.0
    crowd_late: float = 0.0

    @property
    def right(self) -> bool:
        """Whether nothing was wrong."""
        return not self.violations


def note_returns(faults: list[Fault], told: Told) -> None:
    """Note for each fault when the last of those whom it held up had his answer or his connection again."""
    held: list[tuple[float, float]] = []
    for viewer in told.viewers:
        slow = (one for one in viewer.sent if one.answered - one.due > SLOW)
        held += [(one.due, one.answered) for one in slow]
        held += [(before[1], after[0]) for before, after in pairwise(sorted(viewer.links))]
    held.sort()
    for number, fault in enumerate(faults):
        until = faults[number + 1].begun if number + 1 < len(faults) else told.ended
        ends = [
            end for begin, end in held if begin < until and end > fault.begun and begin >= fault.begun - SLOW
        ]
        fault.back = max(ends, default=fault.begun)


def note_latencies(result: Result, told: Told) -> None:
    """Sort every acknowledgement by whether it was due while a fault lasted."""
    spans = [(one.begun, max(one.ended, one.back) + RESTED) for one in result.faults]
    quiet: Counter[int] = Counter()
    rough: Counter[int] = Counter()
    for viewer in told.viewers:
        for sent in viewer.sent:
            if sent.seq is None:
                continue
            within = any(begun <= sent.due <= ended for begun, ended in spans)
            (rough if within else quiet)[round((sent.answered - sent.due) * 1000)] += 1
    result.latencies, result.latencies_in_faults = dict(sorted(quiet.items())), dict(sorted(rough.items()))


def note_violations(result: Result, found: Iterable[Violation]) -> None:
    """Count all, and keep the words of some of each kind."""
    counts: Counter[str] = Counter()
    for one in found:
        counts[one.kind] += 1
        if counts[one.kind] <= MOST_TOLD // 10:
            result.told.append(one)
    result.violations = dict(counts)


def percentile(histogram: dict[int, int], share: float) -> float:
    """Return the value below which this share of a histogram lies."""
    wanted = sum(histogram.values()) * share
    for value, count in sorted(histogram.items()):
        wanted -= count
        if wanted <= 0:
            return value
    return float("nan")


def added(results: list[Result]) -> dict[int, int]:
    """Return all quiet latencies of several runs."""
    total: Counter[int] = Counter()
    for one in results:
        total.update(one.latencies)
    return dict(total)


def report(results: list[Result]) -> bool:
    """Print what runs have shown together; tell whether nothing is wrong."""
    for one in results:
        planted = f", planted: {one.plant}" if one.plant else ""
        print(
            f"seed {one.seed}: {one.minutes:g} minutes, {one.tables} tables, {one.rate:g}/s{planted}; "
            f"the crowd used {one.crowd_cores:.2f} cores, and was {one.crowd_late:.0f} ms late (p99)"
        )
    counts: Counter[str] = Counter()
    violations: Counter[str] = Counter()
    for one in results:
        counts.update(one.counts)
        violations.update(one.violations)
    print(", ".join(f"{number} {name}" for name, number in counts.items()))
    print(f"{'fault':<10}{'times':>7}{'back after, s: median':>24}{'longest':>10}")
    faults = [fault for one in results for fault in one.faults]
    for kind in sorted({fault.kind for fault in faults}):
        back = [fault.back - fault.begun for fault in faults if fault.kind == kind]
        print(f"{kind:<10}{len(back):>7}{statistics.median(back):>24.1f}{max(back):>10.1f}")
    quiet = added(results)
    rough: Counter[int] = Counter()
    for one in results:
        rough.update(one.latencies_in_faults)
    for name, histogram in (("outside faults", quiet), ("within faults", dict(rough))):
        shares = ", ".join(f"p{share:g} {percentile(histogram, share / 100):.0f} ms" for share in (50, 99))
        print(f"acknowledged {name}: {sum(histogram.values())}, from when it was due {shares}")
    shown: Counter[str] = Counter()
    for violation in (violation for one in results for violation in one.told):
        shown[violation.kind] += 1
        if shown[violation.kind] <= FEW:
            print(f"  {violation.kind} {violation.table[:8]}: {violation.what[:400]}")
    told = ", ".join(f"{number} {kind}" for kind, number in violations.items())
    print(f"VIOLATIONS: {told}" if violations else "0 violations")
    return not violations


def kept(folder: Path) -> list[Result]:
    """Return the results in a folder, oldest first."""
    paths = sorted(folder.glob("run-*.json"))
    return [msgspec.json.decode(path.read_bytes(), type=Result) for path in paths]

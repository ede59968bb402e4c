"""Two trees of this project measured in turn: ``python -m bench.pairs OTHER -- -m bench.core``.

The same Python command runs alternately here and in another checkout (``OTHER``, with a ``.venv`` of its
own), so that whatever else the machine does falls on both. Every ``name: figure`` it prints is compared: the
median of the ratios here/there, with the interval that holds the true median in 95 of 100 cases, by the
order of the ratios alone. Nine pairs or more make it narrow.
"""

from __future__ import annotations

import argparse
import math
import re
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
FIGURE = re.compile(r"^(?P<name>[^:\n]+): (?P<figure>\d[\d,.]*)", re.MULTILINE)
CONFIDENCE = 0.95


def figures(text: str) -> dict[str, float]:
    """Return every figure of a printout by its name."""
    return {
        found["name"].strip(): float(found["figure"].replace(",", "").rstrip("."))
        for found in FIGURE.finditer(text)
    }


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the narrowest pair of these values, equally far from both ends, around the true median.

    Raises ``ValueError`` for fewer than six values: even the whole range is then too narrow.
    """
    ordered, count = sorted(values), len(values)
    outside = 0.0
    cut = -1
    while outside + math.comb(count, cut + 1) / 2**count <= (1 - CONFIDENCE) / 2:
        cut += 1
        outside += math.comb(count, cut) / 2**count
    if cut < 0:
        msg = f"expected at least six pairs, not {count}"
        raise ValueError(msg)
    return ordered[cut], ordered[count - 1 - cut]


def measured(tree: Path, command: Sequence[str]) -> dict[str, float]:
    """Run a Python command in a tree and return the figures it prints."""
    python = tree / ".venv" / "bin" / "python"
    done = subprocess.run(  # noqa: S603 - commands of our own, named by whoever measures
        [str(python), *command], cwd=tree, capture_output=True, text=True, check=True
    )
    return figures(done.stdout)


def main() -> None:
    """Measure pairs, and print the ratio of every figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=Path, help="the checkout to compare with")
    parser.add_argument("--pairs", type=int, default=9)
    parser.add_argument("command", nargs="+", help="what Python is to run, after --")
    options = parser.parse_args()
    trees = (ROOT, options.other.resolve())
    runs: tuple[list[dict[str, float]], ...] = ([], [])
    for pair in range(options.pairs):
        for side in (0, 1) if pair % 2 else (1, 0):
            runs[side].append(measured(trees[side], options.command))
        print(f"pair {pair + 1} of {options.pairs}", file=sys.stderr, flush=True)
    for name in runs[0][0]:
        pairs = [(a[name], b[name]) for a, b in zip(*runs, strict=True) if name in a and b.get(name)]
        if len(pairs) < options.pairs:
            print(f"{name}: only {len(pairs)} pairs have it")
            continue
        ratios = [here / there for here, there in pairs]
        low, high = interval(ratios)
        here, there = (statistics.median(side) for side in zip(*pairs, strict=True))
        print(f"{name}: {statistics.median(ratios):.3f} [{low:.3f}..{high:.3f}], {here:,.4g} to {there:,.4g}")


if __name__ == "__main__":
    main()

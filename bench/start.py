"""How long a program waits: ``import bohn`` in a fresh interpreter, and a reference record folded."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from bohn.notation.records import read_record, replay

RECORD = Path(__file__).parents[1] / "tests" / "golden" / "records" / "core-1.bohn"
TIMED_IMPORT = "import time; begin = time.perf_counter(); import bohn; print(time.perf_counter() - begin)"


def import_milliseconds() -> float:
    """Return the milliseconds that ``import bohn`` takes in a fresh interpreter."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}  # as installed: compiled once
    run = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", TIMED_IMPORT], capture_output=True, text=True, check=True, env=environment
    )
    return float(run.stdout) * 1000


def replay_milliseconds(events: object) -> float:
    """Return the milliseconds that folding the reference record takes."""
    begin = time.perf_counter()
    replay(events)  # type: ignore[arg-type]
    return (time.perf_counter() - begin) * 1000


def main() -> None:
    """Print medians of eleven runs after one warm-up."""
    imports = [import_milliseconds() for _ in range(12)][1:]
    print(f"import bohn: {statistics.median(imports):.1f} ms (goal 60)")
    record = read_record(RECORD.read_bytes())
    folds = [replay_milliseconds(record) for _ in range(12)][1:]
    print(f"replay of {len(record.entries)} entries: {statistics.median(folds):.2f} ms (goal 5)")


if __name__ == "__main__":
    main()

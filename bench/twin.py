"""Decisions a second of the twin: whole random games, playouts, the batch interface, copies, worlds, start.

``full``, four players, the random policy of :mod:`bohn.lab.batch`, whose mix is printed beside the
figures. Every figure is a median; where two things are compared, they are measured in turn. One-core
figures are by processor time, so that other work on the machine disturbs them less. The same loop
in C (``twin_loop.c``) is built where there is a compiler, and has to end every game as the twin does.
"""

from __future__ import annotations

import ctypes
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bohn.lab import batch, twin
from bohn.lab.batch import COLUMNS, DECISIONS, Games, Ints
from bohn.lab.compile_cache import CACHE
from bohn.lab.compiling import COMPILED
from bohn.lab.row import ROW, TABLES, Rows, tables
from bohn.rules import resolve

RUNS = 7
GAMES = 10_000
COMPARED = 5_000
BATCH = 1_024
STEPS = 600
SEED = 7
SOURCE = Path(__file__).with_name("twin_loop.c")

Play = Callable[[Rows, int, int, int], Ints]


def main() -> None:
    """Print every figure of the twin."""
    cores = os.cpu_count() or 1
    print(
        f"{_processor()}, {cores} cores, CPython {platform.python_version()}, load {os.getloadavg()[0]:.1f}"
    )
    if not COMPILED:
        print("the twin runs interpreted here: these figures need Numba (bohn[fast])")
        return
    rules = tables(resolve("full", 4))
    measure_games(rules)
    measure_loop_in_c(rules)
    if cores > 1:
        measure_two_cores(rules)
    measure_playouts(rules)
    measure_batch()
    measure_rows(rules)
    measure_start()


def measure_games(rules: Rows) -> None:
    """Print the speed of whole games from the deal."""
    batch.play_games(rules, 0, 100, SEED)
    runs = [timed(batch.play_games, rules, run * GAMES, GAMES, SEED) for run in range(RUNS)]
    report("random games", [seconds for seconds, _ in runs], np.concatenate([found for _, found in runs]))


def measure_playouts(rules: Rows) -> None:
    """Print the speed of playouts from the deal: copies instead of deals."""
    states: Rows = np.zeros(1, ROW)
    twin.deal(rules, states, 0, SEED)
    batch.playouts(rules, states, 0, 100, SEED)
    runs = [timed(batch.playouts, rules, states, 0, GAMES, SEED + run) for run in range(RUNS)]
    report(
        "playouts of one deal", [seconds for seconds, _ in runs], np.concatenate([found for _, found in runs])
    )


def measure_loop_in_c(rules: Rows) -> None:
    """Print how the twin compares with the same loop in C, after checking that it is the same."""
    compiler = shutil.which("cc")
    if compiler is None:
        print("no C compiler here: the comparison with C is left out")
        return
    with tempfile.TemporaryDirectory() as folder:
        in_c = build(compiler, Path(folder) / "twin_loop.so")
        for edition, players in (("full", 2), ("full", 3), ("full", 4), ("full", 7), ("classic", 5)):
            other = tables(resolve(edition, players))
            one, two = in_c(other, 0, 1000, SEED), batch.play_games(other, 0, 1000, SEED)
            if not np.array_equal(one, two):
                sys.exit(f"twin_loop.c plays {edition} for {players} otherwise than the twin: mend it first")
        ratios, seconds, found = [], [], []
        for run in range(2 * RUNS):
            ours, _ = timed(batch.play_games, rules, run * COMPARED, COMPARED, SEED)
            theirs, results = timed(in_c, rules, run * COMPARED, COMPARED, SEED)
            ratios.append(theirs / ours)
            seconds.append(theirs)
            found.append(results)
        report("the same games in C", seconds, np.concatenate(found))
        print(
            f"  the twin runs at {statistics.median(ratios):.2f} of C [{min(ratios):.2f}..{max(ratios):.2f}]"
        )


def build(compiler: str, library: Path) -> Play:
    """Compile the loop in C and return it as a function like ``play_games``."""
    command = [compiler, "-O3", "-march=native", "-shared", "-fPIC", "-o", str(library), str(SOURCE)]
    subprocess.run(command, check=True)  # noqa: S603 - our own source and the system's compiler
    loop = ctypes.CDLL(str(library))
    loop.row_size.restype = loop.tables_size.restype = ctypes.c_int64
    if (loop.row_size(), loop.tables_size()) != (ROW.itemsize, TABLES.itemsize):
        sys.exit("twin_loop.c has another data layout than the twin: mend it first")
    loop.play_games.argtypes = [ctypes.c_void_p, *[ctypes.c_int64] * 3, ctypes.c_void_p]

    def play(rules: Rows, first: int, n: int, seed: int) -> Ints:
        results: Ints = np.zeros((n, COLUMNS), np.int64)
        loop.play_games(rules.ctypes.data, first, n, seed, results.ctypes.data)
        return results

    return play


def measure_two_cores(rules: Rows) -> None:
    """Print how much two threads gain over one; other work on the machine spoils this figure first."""
    gains = []
    for run in range(RUNS):
        seconds = []
        for threads in (1, 2):
            start = time.perf_counter()
            batch.play_games_on(rules, GAMES, SEED + run, threads)
            seconds.append(time.perf_counter() - start)
        gains.append(seconds[0] / seconds[1])
    print(f"two threads: {statistics.median(gains):.2f} times one [{min(gains):.2f}..{max(gains):.2f}]")


def measure_batch() -> None:
    """Print the speed of ``Games``: random actions, legality check, masks, observations, new deals."""
    games = Games(resolve("full", 4), BATCH, SEED)
    figures: list[float] = []
    for run in range(RUNS + 1):
        start = time.thread_time()
        for _ in range(STEPS):
            games.step(games.random_actions())
        if run:  # the first is a warm-up
            figures.append(BATCH * STEPS / (time.thread_time() - start))
    print(
        f"batch of {BATCH} games with masks and observations:"
        f" {statistics.median(figures) / 1e6:.2f} M decisions/s"
        f" [{min(figures) / 1e6:.2f}..{max(figures) / 1e6:.2f}], {int(games.rounds.sum())} games ended"
    )


def measure_rows(rules: Rows) -> None:
    """Print the time of a copy and of a determinization."""
    source: Rows = np.zeros(1, ROW)
    twin.deal(rules, source, 0, SEED)
    copies: Rows = np.zeros(64, ROW)
    known = np.zeros((4, 11), np.int64)
    batch.spread(copies, source, 0)
    worlds(copies, 1, known)
    copying, dealing = [], []
    for _ in range(RUNS):
        start = time.thread_time()
        for _ in range(500):
            batch.spread(copies, source, 0)
        copying.append((time.thread_time() - start) / 500 / 64)
        start = time.thread_time()
        worlds(copies, 2_000, known)
        dealing.append((time.thread_time() - start) / 2_000)
    print(f"copy of a row ({ROW.itemsize} bytes): {statistics.median(copying) * 1e9:.0f} ns")
    print(f"determinization, called from Python: {statistics.median(dealing) * 1e6:.2f} us")


def worlds(states: Rows, n: int, known: Ints) -> None:
    """Deal the hidden cards of a game anew ``n`` times."""
    for seed in range(n):
        batch.determinize(states, 0, 0, known, seed)


def measure_start() -> None:
    """Print the time of a new process that imports, deals and plays: first without, then with a cache."""
    code = (
        "from bohn.rules import resolve; from bohn.lab.batch import Games, play_games;"
        "games = Games(resolve('full', 4), 8); games.step(games.random_actions());"
        "play_games(games.rules, 0, 1, 1)"
    )
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, CACHE: folder}
        walls, works = [], []
        for _ in range(4):
            start, before = time.perf_counter(), _children()
            subprocess.run([sys.executable, "-c", code], env=environment, check=True)  # noqa: S603 - our own code
            walls.append(time.perf_counter() - start)
            works.append(_children() - before)
    for name, wall, work in (
        ("first start, compiling", walls[0], works[0]),
        ("warm start", statistics.median(walls[1:]), statistics.median(works[1:])),
    ):
        print(f"{name}: {wall:.2f} s, of which {work:.2f} s of work")


def _children() -> float:
    """Return the processor seconds of all ended child processes."""
    times = os.times()
    return times.children_user + times.children_system


def timed(function: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    """Return the processor seconds a call takes, and its result."""
    start = time.thread_time()
    found = function(*arguments)
    return time.thread_time() - start, found


def report(name: str, seconds: list[float], results: Ints) -> None:
    """Print the median speed of runs of equally many games, and their mix."""
    mean = results.mean(0)
    games = len(results) / len(seconds)
    speeds = [games / taken for taken in seconds]
    speed = statistics.median(speeds)
    offers, answers, commands = (mean[c] for c in (batch.OFFERS, batch.ANSWERS, batch.COMMANDS))
    print(
        f"{name}: {speed:,.0f} games/s [{min(speeds):,.0f}..{max(speeds):,.0f}],"
        f" {speed * mean[DECISIONS] / 1e6:.1f} M decisions/s, {speed * commands / 1e6:.1f} M commands/s"
    )
    print(
        f"  a game: {mean[DECISIONS]:.0f} decisions, {commands:.0f} commands, {offers:.1f} offers,"
        f" {answers:.1f} answers ({(offers + answers) / commands:.0%} of commands),"
        f" {mean[batch.TRADES]:.1f} trades, {mean[batch.GIFTS]:.1f} gifts,"
        f" {mean[batch.TURNS]:.0f} turns"
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next(
        (line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine()
    )


if __name__ == "__main__":
    main()

"""The proof of the arena on Ray: ``python -m bench.arena_on_ray [--runs 20] [--pairs 9] [--only PART]``.

``kills``: the same match again and again on two machines that are pretended here; every ten seconds a
process that plays or a whole machine is killed, by chance from the seed, and each time the result must be
that of one process, to the byte. ``hang``: a bot that hangs there is named. ``overhead``: the same chunks
of about a second by the arena's own processes and by Ray, in turn, two of each; the ratios of pairs, in time
and in processor time. Ends with 1 if a result differs, a bot is not named, or Ray's median is more than 5 %
slower.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from bench.on_ray.killing import Killer
from bench.on_ray.machines import Machines, Relative, own_family
from bench.pairs import interval
from bohn.arena.build import Bots, Order, plan_of, run_cells
from bohn.arena.core import CoreEngine
from bohn.arena.executor import Executor, PoolExecutor, SerialExecutor
from bohn.arena.match import Match
from bohn.arena.plan import Chunk, Limits, Plan, chunks_of
from bohn.arena.ray_executor import RayExecutor
from bohn.arena.store import Store

WORKERS = 2
MOST_OVERHEAD = 1.05
"""How much slower the cluster may be, in the median of pairs."""

FIRST = 4
"""Chunks that are played before the time is taken: processes have begun then."""


def match_plan(seed: str, deals: int, chunk: int) -> Plan:
    """Return a match of one cell: `pk` against three `b3`, by the rules themselves."""
    order = Order(seed=seed, engine="core", deals=deals, chunk=chunk)
    bots = Bots()
    return plan_of("run", run_cells("pk", [("b3",)], order), bots, order)


def played(plan: Plan, folder: Path, executor: Executor) -> bytes:
    """Play a plan in a new folder; return its result as it is written."""
    with Store(folder, plan) as store:
        Match(store, CoreEngine(), executor).play()
    return (folder / "result.json").read_bytes()


def all_chunks(plan: Plan) -> tuple[Chunk, ...]:
    """Return the chunks of a plan of one cell."""
    return chunks_of(plan, plan.cells[0], 0, plan.cells[0].deals)


# -- kills -------------------------------------------------------------------------------------------------


def kills(given: argparse.Namespace) -> bool:
    """Play the match with kills; tell whether all results were equal."""
    per_chunk = deals_of_a_second()
    plan = match_plan(f"kills {given.seed}", given.chunks * per_chunk, per_chunk)
    equal: int = 0
    processes = machines = 0
    with tempfile.TemporaryDirectory() as name:
        began = time.monotonic()
        serial = played(plan, Path(name) / "serial", SerialExecutor())
        print(f"serial: {len(all_chunks(plan))} chunks, {time.monotonic() - began:.1f} s", flush=True)
        for run in range(given.runs):
            killer = Killer(f"{given.seed}/{run}", given.every)
            began = time.monotonic()
            same = killed_run(plan, Path(name) / str(run), killer) == serial
            took, told = time.monotonic() - began, ", ".join(killer.done) or "nothing"
            print(
                f"run {run + 1}: {took:.1f} s, killed {told}: {'equal' if same else 'DIFFERENT'}", flush=True
            )
            equal += same
            processes += killer.done.count("process")
            machines += killer.done.count("machine")
    print(f"{equal} of {given.runs} results equal; {processes} processes and {machines} machines killed")
    return bool(equal == given.runs)


def killed_run(plan: Plan, folder: Path, killer: Killer) -> bytes:
    """Play a plan on two machines under a killer."""
    with Machines(WORKERS) as machines, closing(RayExecutor(machines.address)) as executor:
        return killer.while_done(machines, lambda: played(plan, folder, executor))


# -- a bot that hangs --------------------------------------------------------------------------------------


def hang(_: argparse.Namespace) -> bool:
    """Let a bot hang on two machines; tell whether it is named."""
    order = Order(players=3, engine="core", deals=1, chunk=1, limits=Limits(seconds=3, grace=0.5))
    bots = Bots(["looper=py:tests.arena.faulty:Looper"])
    plan = plan_of("run", run_cells("looper", [("random",)], order), bots, order)
    (chunk,) = all_chunks(plan)
    with Machines(WORKERS) as machines, closing(RayExecutor(machines.address)) as executor:
        (found,) = executor.run(CoreEngine(), [replace(chunk, skip=2)])
    named = [(fault.player, fault.reason, fault.asked) for fault in found.faults]
    print(f"a bot that hangs: {named}")
    return named == [("looper", "hang", 3)]


# -- overhead ----------------------------------------------------------------------------------------------


def deals_of_a_second() -> int:
    """Return how many deals make a chunk of about a second."""
    plan = match_plan("how long", 12, 12)
    engine, (chunk,) = CoreEngine(), all_chunks(plan)
    engine.play(chunk)
    began = time.process_time()  # whatever else the machine does
    engine.play(chunk)
    return max(1, round(12 / (time.process_time() - began)))


class Timed(NamedTuple):
    """Seconds for all chunks but the first ones; processor time for them, by whom; seconds before."""

    wall: float
    worked: dict[str, float]
    start: float

    @property
    def processor(self) -> float:
        """The processor time of all."""
        return sum(self.worked.values())


def timed(make: Callable[[], Executor], chunks: tuple[Chunk, ...]) -> Timed:
    """Play chunks, and take the time of all but the first, with which processes begin."""
    began = time.perf_counter()
    engine = CoreEngine()
    with closing(make()) as executor:
        first = list(executor.run(engine, chunks[:FIRST]))
        ready, before = time.perf_counter(), own_family()
        rest = list(executor.run(engine, chunks[FIRST:]))
        done, after = time.perf_counter(), own_family()
    assert len(first) + len(rest) == len(chunks)  # noqa: S101 - else the time is worth nothing
    return Timed(done - ready, worked(before, after), ready - began)


def worked(before: list[Relative], after: list[Relative]) -> dict[str, float]:
    """Return the processor time between two looks: of those that play, of who hands over, of all others."""
    earlier = {one.pid: one.seconds for one in before}
    found = dict.fromkeys(("playing", "handing over", "others"), 0.0)
    for one in after:
        plays = b"spawn_main" in one.command
        kind = "playing" if plays else "handing over" if one.pid == os.getpid() else "others"
        found[kind] += one.seconds - earlier.get(one.pid, 0.0)
    return found


def overhead(given: argparse.Namespace) -> bool:
    """Measure pairs; tell whether Ray's median is quick enough."""
    per_chunk = deals_of_a_second()
    chunks = all_chunks(match_plan("overhead", (given.chunks + FIRST) * per_chunk, per_chunk))
    makers: tuple[Callable[[], Executor], ...] = (
        lambda: PoolExecutor(WORKERS),
        lambda: RayExecutor(workers=WORKERS),
    )
    pairs: list[tuple[Timed, Timed]] = []
    for pair in range(given.pairs):
        order = (0, 1) if pair % 2 else (1, 0)
        by_side = {side: timed(makers[side], chunks) for side in order}
        pairs.append((by_side[0], by_side[1]))
        print(f"pair {pair + 1}: {told(*pairs[-1], given.chunks)}", flush=True)
    for name in ("wall", "processor"):
        ratios = [getattr(ray, name) / getattr(pool, name) for pool, ray in pairs]
        within = "" if len(ratios) < 6 else " [{:.3f}..{:.3f}]".format(*interval(ratios))
        ratio = statistics.median(ratios)
        print(f"Ray to processes, {name} time: {ratio:.3f}{within} in {len(ratios)} pairs")
    for kind in pairs[0][0].worked:
        pool, ray = (statistics.median(pair[side].worked[kind] for pair in pairs) for side in (0, 1))
        print(f"processor time of {kind}: {pool:.2f} and {ray:.2f} s")
    print(f"start: {statistics.median(ray.start - pool.start for pool, ray in pairs):.1f} s longer")
    return statistics.median(ray.wall / pool.wall for pool, ray in pairs) <= MOST_OVERHEAD


def told(pool: Timed, ray: Timed, chunks: int) -> str:
    """Return a pair as a text."""
    ratio = ray.processor / pool.processor
    return (
        f"wall {pool.wall:.2f} and {ray.wall:.2f} s, ratio {ray.wall / pool.wall:.3f}; "
        f"processor {pool.processor:.2f} and {ray.processor:.2f} s, ratio {ratio:.3f}; "
        f"a chunk {pool.processor / chunks:.2f} s; start {pool.start:.1f} and {ray.start:.1f} s"
    )


PARTS: dict[str, Callable[[argparse.Namespace], bool]] = {"kills": kills, "hang": hang, "overhead": overhead}


def main() -> int:
    """Prove what is asked for."""
    parser = argparse.ArgumentParser(
        description="Prove that the arena on Ray loses nothing, and how fast it is."
    )
    parser.add_argument("--only", choices=list(PARTS), help="one part (default: all)")
    parser.add_argument("--runs", type=int, default=20, help="runs with kills (default: 20)")
    parser.add_argument("--every", type=float, default=10.0, help="seconds between kills (default: 10)")
    parser.add_argument(
        "--chunks", type=int, default=40, help="chunks of a run, of about a second (default: 40)"
    )
    parser.add_argument("--pairs", type=int, default=9, help="pairs that are timed (default: 9)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the match and of the kills (default: 1)")
    given = parser.parse_args()
    held = [part(given) for name, part in PARTS.items() if given.only in (None, name)]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())

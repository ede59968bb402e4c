"""The arena on Ray itself: a cluster plays what one process plays, whatever ends meanwhile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from bench.on_ray.machines import Machines, working_processes
from bohn.arena.core import CoreEngine
from bohn.arena.engine import ChunkResult, Engine
from bohn.arena.errors import ArenaError
from bohn.arena.executor import Executor
from bohn.arena.match import Match
from bohn.arena.plan import Chunk, Plan, chunks_of
from bohn.arena.ray_executor import RayExecutor
from bohn.arena.store import Store, readable
from tests.arena.support import faulty, plan, play, require_ray

pytestmark = [
    pytest.mark.ray,
    pytest.mark.xdist_group("ray"),  # one cluster at a time
    pytest.mark.filterwarnings("default"),  # Ray leaves sockets and files to the collector
]


def chunks(wanted: Plan) -> tuple[Chunk, ...]:
    """Return all chunks of a plan of one cell."""
    return chunks_of(wanted, wanted.cells[0], 0, wanted.cells[0].deals)


@pytest.fixture
def on_cluster() -> Iterator[RayExecutor]:
    """Start a cluster of two cores on this machine; one of which processes were killed starts others late."""
    require_ray()
    executor = RayExecutor(workers=2)
    yield executor
    executor.close()


def result_of(wanted: Plan, folder: Path, executor: Executor, engine: Engine | None = None) -> bytes:
    """Play a plan and return its result as it is written."""
    with Store(folder, wanted) as store:
        Match(store, engine or CoreEngine(), executor).play()
    return (folder / "result.json").read_bytes()


class Killing:
    """An executor whose processes are killed after each of the first results."""

    def __init__(self, executor: RayExecutor, times: int) -> None:
        self.executor = executor
        self.left = times

    def run(self, engine: Engine, wanted: Sequence[Chunk]) -> Iterator[ChunkResult]:
        """Play chunks, and kill."""
        for result in self.executor.run(engine, wanted):
            found = working_processes() if self.left else []
            for process in found:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            self.left -= bool(found)
            yield result

    def close(self) -> None:
        """Do nothing: the cluster is used again."""


def test_cluster_plays_what_one_process_plays(on_cluster: RayExecutor, tmp_path: Path) -> None:
    """The result is the same, byte for byte."""
    wanted = plan(deals=12, chunk=1)
    serial = readable(play(wanted, tmp_path / "serial"))
    assert result_of(wanted, tmp_path / "cluster", on_cluster) == serial


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="finds processes by /proc")
def test_killed_processes_change_nothing(on_cluster: RayExecutor, tmp_path: Path) -> None:
    """What they played is played anew, and counts once."""
    wanted = plan(deals=24, chunk=1)
    killing = Killing(on_cluster, times=3)
    found = result_of(wanted, tmp_path / "cluster", killing)
    assert killing.left == 0
    assert found == readable(play(wanted, tmp_path / "serial"))


def test_bot_that_hangs_is_named_on_the_cluster(on_cluster: RayExecutor) -> None:
    """The watchdog looks at it where it plays."""
    (chunk,) = chunks(faulty("Looper", seconds=3, grace=0.5))
    (found,) = on_cluster.run(CoreEngine(), [replace(chunk, skip=2)])
    assert [(one.player, one.reason, one.asked) for one in found.faults] == [("Looper", "hang", 3)]


def test_error_on_the_cluster_is_one_of_the_arena(on_cluster: RayExecutor) -> None:
    """It says in one line which chunk cannot be played, and why; the cluster plays on."""
    (chunk,) = chunks(plan(deals=1))
    with pytest.raises(ArenaError, match=r"^no-trade vs random, deal 0: UnknownEdition: [^\n]*$"):
        list(on_cluster.run(CoreEngine(), [replace(chunk, edition="no such edition")]))
    (found,) = on_cluster.run(CoreEngine(), [chunk])
    assert found.games == CoreEngine().play(chunk).games


def test_command_plays_on_a_running_cluster(on_cluster: RayExecutor, tmp_path: Path) -> None:
    """As ``--executor ray:ADDRESS`` says, and the result is that of processes here."""
    import ray

    del on_cluster
    address = ray.get_runtime_context().gcs_address
    run = [sys.executable, "-m", "bohn", "arena", "run", "no-trade", "--against", "random"]
    found = [
        subprocess.run(  # noqa: S603 - our own program
            [*run, "--deals", "2", "--json", "--out", str(tmp_path / where[:4]), "--executor", where],
            capture_output=True,
            check=True,
            timeout=120,
        ).stdout
        for where in ("pool", f"ray:{address}")
    ]
    assert found[0] == found[1] != b""


class Noting(CoreEngine):
    """Notes for each chunk which machine plays it, and which game comes first."""

    def __init__(self, file: Path) -> None:
        """Write into this file."""
        super().__init__()
        self.file = file

    def play(self, chunk: Chunk) -> ChunkResult:
        """Note, and play; chunks of which the last game is warmed by take no time."""
        with self.file.open("a", encoding="ascii") as file:
            file.write(f"{os.environ['RAY_RAYLET_PID']} {chunk.skip}\n")
        time.sleep(0 if chunk.skip else 0.2)
        return super().play(chunk)

    def noted(self) -> list[tuple[str, bool]]:
        """Return of each chunk in the order of their beginnings: the machine, and whether it warms."""
        lines = [line.split() for line in self.file.read_text(encoding="ascii").splitlines()]
        return [(machine, skip != "0") for machine, skip in lines]


class Between:
    """An executor that does something after one of the results."""

    def __init__(self, executor: Executor, after: int, deed: Callable[[], object]) -> None:
        self._executor = executor
        self._after = after
        self._deed = deed

    def run(self, engine: Engine, wanted: Sequence[Chunk]) -> Iterator[ChunkResult]:
        """Play chunks, and do it."""
        for number, result in enumerate(self._executor.run(engine, wanted)):
            if number == self._after:
                self._deed()
            yield result

    def close(self) -> None:
        """Do nothing: whoever began it ends it."""


@pytest.fixture
def machines() -> Iterator[Machines]:
    """Start a cluster of two machines, pretended on this one."""
    require_ray()
    with Machines() as found:
        yield found


@pytest.fixture
def on_machines(machines: Machines) -> Iterator[RayExecutor]:
    """Join that cluster."""
    executor = RayExecutor(machines.address)
    yield executor
    executor.close()


def test_two_machines_play_what_one_process_plays(on_machines: RayExecutor, tmp_path: Path) -> None:
    """Both play; each was warmed once, before anything else; a second run warms none."""
    wanted, engine = plan(deals=16, chunk=1), Noting(tmp_path / "noted")
    serial = readable(play(wanted, tmp_path / "serial"))
    assert result_of(wanted, tmp_path / "first", on_machines, engine) == serial
    assert result_of(wanted, tmp_path / "second", on_machines, engine) == serial

    warmed = [machine for machine, warms in engine.noted() if warms]
    assert [warms for _, warms in engine.noted()[:2]] == [True, True]
    assert len(set(warmed)) == len(warmed) == 2
    assert {machine for machine, warms in engine.noted() if not warms} == set(warmed)


def test_killed_machine_changes_nothing(
    machines: Machines, on_machines: RayExecutor, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """What it played is played elsewhere and counts once; another may join meanwhile."""
    wanted, engine = plan(deals=24, chunk=1), Noting(tmp_path / "noted")

    def replace_machine() -> None:
        assert machines.kill(Random(1))
        machines.fill_up()

    killing = Between(on_machines, 5, replace_machine)
    found = result_of(wanted, tmp_path / "cluster", killing, engine)
    assert found == readable(play(wanted, tmp_path / "serial"))
    assert len({machine for machine, _ in engine.noted()}) >= 2
    assert capfd.readouterr().out == "", "Ray talks where results are written"

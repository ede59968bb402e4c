"""A cluster of Ray plays every chunk once, as one process does, whatever ends meanwhile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from bohn.arena import cluster
from bohn.arena.cluster import RayExecutor
from bohn.arena.core import CoreEngine
from bohn.arena.engine import ChunkResult, Engine
from bohn.arena.errors import ArenaError
from bohn.arena.executor import Executor
from bohn.arena.match import Match
from bohn.arena.plan import Chunk, Plan, chunks_of
from bohn.arena.store import Store, readable
from bohn.cli.main import main
from tests.arena.support import faulty, plan, play

PLAYING = b"ray::_play"
"""How Ray calls its processes while they play."""

VARIABLE = "BOHN_TEST_RAY"
"""``require``: where Ray is not installed its tests fail; else they are skipped."""

on_ray = [
    pytest.mark.ray,
    pytest.mark.xdist_group("ray"),  # one cluster at a time
    pytest.mark.filterwarnings("default"),  # Ray leaves sockets and files to the collector
]


def chunks(wanted: Plan) -> tuple[Chunk, ...]:
    """Return all chunks of a plan of one cell."""
    return chunks_of(wanted, wanted.cells[0], 0, wanted.cells[0].deals)


# -- without Ray ---------------------------------------------------------------------------------------------


class PretendedRay:
    """Ray's functions as far as they are used, in this process: ``answers`` says what becomes of a chunk."""

    def __init__(self, answers: Any) -> None:
        self.answers = answers
        self.most = 0
        self.played: list[Chunk] = []
        self.alive = True
        self.exceptions = SimpleNamespace(RayError=LookupError)
        strategies = SimpleNamespace(NodeAffinitySchedulingStrategy=lambda node, **_: node)
        self.util = SimpleNamespace(scheduling_strategies=strategies)

    def init(self, *_: object, **__: object) -> None:
        """Begin."""

    def shutdown(self) -> None:
        """End."""

    def put(self, engine: Engine) -> Engine:
        """Hand an object over."""
        return engine

    def nodes(self) -> list[dict[str, Any]]:
        """Return one machine."""
        return [{"NodeID": "one", "Alive": self.alive, "Resources": {"CPU": 2.0}}]

    def cluster_resources(self) -> dict[str, float]:
        """Return two cores."""
        return {"CPU": 2.0}

    def remote(self, _: Any) -> Any:
        """Return what hands a chunk over."""

        def hand_over(engine: Engine, chunk: Chunk) -> ChunkResult:
            self.played.append(chunk)
            result: ChunkResult = self.answers(engine.play(chunk))
            return result

        handed = SimpleNamespace(remote=hand_over)
        handed.options = lambda **_: handed
        return handed

    def wait(self, tasks: Sequence[Any], num_returns: int, timeout: float) -> tuple[list[Any], list[Any]]:
        """Return the last task as the first that is done; nothing once the machine is gone."""
        assert num_returns == 1
        assert timeout > 0
        if not self.alive:
            return [], list(tasks)
        self.most = max(self.most, len(tasks))
        return [tasks[-1]], list(tasks[:-1])

    def get(self, task: Any) -> Any:
        """Return the result of a task."""
        if task is None:
            msg = "first line\nthe machine is gone"
            raise LookupError(msg)
        return task


def pretended(monkeypatch: pytest.MonkeyPatch, answers: Any = lambda result: result) -> PretendedRay:
    """Let the executor have a pretended Ray."""
    ray = PretendedRay(answers)
    monkeypatch.setattr(cluster, "_ray", lambda: ray)
    return ray


def test_every_chunk_is_handed_over_once_and_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """However results come back; there are never more under way than two for each core."""
    ray = pretended(monkeypatch)
    wanted = chunks(plan(deals=11, chunk=1))
    found = list(RayExecutor().run(CoreEngine(), wanted))

    assert sorted(result.first for result in found) == list(range(11))
    warm, *played = ray.played
    assert (warm.first, warm.skip) == (0, warm.games - 1)
    assert sorted(chunk.first for chunk in played) == list(range(11))
    assert ray.most == 4


def test_result_that_comes_twice_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else one chunk would count twice, and another not at all."""
    pretended(monkeypatch, lambda result: replace(result, first=0))
    with pytest.raises(ArenaError, match=r"nobody asked for, or twice: .*, deal 0"):
        list(RayExecutor().run(CoreEngine(), chunks(plan(deals=3, chunk=1))))


def test_chunk_that_cannot_be_played_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says the last line of what Ray tells, which is the reason."""
    pretended(monkeypatch, lambda _: None)
    with pytest.raises(ArenaError, match=r"has not played a chunk: the machine is gone"):
        list(RayExecutor().run(CoreEngine(), chunks(plan())))


def test_cluster_that_is_gone_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else everybody would wait for ever; what was played is stored."""
    ray = pretended(monkeypatch)
    results = RayExecutor().run(CoreEngine(), chunks(plan(deals=8, chunk=1)))
    next(results)
    ray.alive = False
    with pytest.raises(ArenaError, match="no machine of the cluster is left"):
        next(results)


def test_missing_ray_is_told_with_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only whoever asks for it needs it."""
    monkeypatch.setitem(sys.modules, "ray", None)
    where = str(tmp_path / "run")
    assert main(["arena", "run", "pk", "--against", "random", "--out", where, "--executor", "ray"]) == 2
    assert "pip install 'bohn[ray]'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--executor", "dask"], "expected pool, ray or ray:ADDRESS"),
        (["--executor", "pool:2"], "expected pool, ray or ray:ADDRESS"),
        (["--executor", "ray:auto", "--workers", "2"], "leave it out"),
        (["--executor", "ray", "--workers", "0"], "expected a number from 1"),
        (["--executor", "ray:127.0.0.1:1"], "no cluster of Ray at 127.0.0.1:1"),
    ],
)
def test_executor_that_is_none_is_told(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    words: str,
) -> None:
    """The line says what was expected."""
    pretended(monkeypatch)
    run = ["arena", "run", "pk", "--against", "random", "--out", str(tmp_path / "run"), *options]
    assert main(run) == 2
    assert words in capsys.readouterr().err


# -- with Ray ------------------------------------------------------------------------------------------------


@pytest.fixture
def on_cluster() -> Iterator[RayExecutor]:
    """Start a cluster of two cores on this machine; one of which processes were killed starts others late."""
    if find_spec("ray") is None:
        if os.environ.get(VARIABLE) == "require":
            pytest.fail("Ray is not installed: pip install --require-hashes -r requirements/ray.txt")
        pytest.skip("Ray is not installed")
    executor = RayExecutor(workers=2)
    yield executor
    executor.close()


def result_of(wanted: Plan, folder: Path, executor: Executor) -> bytes:
    """Play a plan and return its result as it is written."""
    with Store(folder, wanted) as store:
        return readable(Match(store, CoreEngine(), executor).play())


def processes() -> list[int]:
    """Return Ray's processes on this machine that play chunks."""
    found = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            if entry.name.isdigit() and (entry / "cmdline").read_bytes().startswith(
                (b"ray::_play", b"ray::IDLE")
            ):
                found.append(int(entry.name))
    return found


class Killing:
    """An executor whose processes are killed after each of the first results."""

    def __init__(self, executor: RayExecutor, times: int) -> None:
        self.executor = executor
        self.left = times

    def run(self, engine: Engine, wanted: Sequence[Chunk]) -> Iterator[ChunkResult]:
        """Play chunks, and kill."""
        for result in self.executor.run(engine, wanted):
            found = processes() if self.left else []
            for process in found:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            self.left -= bool(found)
            yield result

    def close(self) -> None:
        """Do nothing: the cluster is used again."""


class TestOnRay:
    """What needs Ray itself."""

    pytestmark = on_ray

    def test_cluster_plays_what_one_process_plays(self, on_cluster: RayExecutor, tmp_path: Path) -> None:
        """The result is the same, byte for byte."""
        wanted = plan(deals=12, chunk=1)
        serial = readable(play(wanted, tmp_path / "serial"))
        assert result_of(wanted, tmp_path / "cluster", on_cluster) == serial

    @pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="finds processes by /proc")
    def test_killed_processes_change_nothing(self, on_cluster: RayExecutor, tmp_path: Path) -> None:
        """What they played is played anew, and counts once."""
        wanted = plan(deals=24, chunk=1)
        killing = Killing(on_cluster, times=3)
        found = result_of(wanted, tmp_path / "cluster", killing)
        assert killing.left == 0
        assert found == readable(play(wanted, tmp_path / "serial"))

    def test_bot_that_hangs_is_named_on_the_cluster(self, on_cluster: RayExecutor) -> None:
        """The watchdog looks at it where it plays."""
        (chunk,) = chunks(faulty("Looper", seconds=3, grace=0.5))
        (found,) = on_cluster.run(CoreEngine(), [replace(chunk, skip=2)])
        assert [(one.player, one.reason, one.asked) for one in found.faults] == [("Looper", "hang", 3)]

    def test_error_on_the_cluster_is_one_of_the_arena(self, on_cluster: RayExecutor) -> None:
        """It says which chunk cannot be played, and why."""
        (chunk,) = chunks(plan(deals=1))
        with pytest.raises(ArenaError, match="deal 0: "):
            list(on_cluster.run(CoreEngine(), [replace(chunk, edition="no such edition")]))

    def test_command_plays_on_a_running_cluster(self, on_cluster: RayExecutor, tmp_path: Path) -> None:
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

"""What the arena makes of a cluster of Ray, pretended here: every chunk counts once, or the run ends."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from bohn.arena import cluster
from bohn.arena.cluster import Cluster
from bohn.arena.core import CoreEngine
from bohn.arena.engine import ChunkResult
from bohn.arena.errors import ArenaError
from bohn.arena.plan import Chunk, Plan, chunks_of
from bohn.arena.ray_executor import RayExecutor
from bohn.cli.main import main
from tests.arena.pretended import Repeating, lose, pretend
from tests.arena.support import plan


def chunks(wanted: Plan) -> tuple[Chunk, ...]:
    """Return all chunks of a plan of one cell."""
    return chunks_of(wanted, wanted.cells[0], 0, wanted.cells[0].deals)


class Hasty(CoreEngine):
    """Plays nothing."""

    def play(self, chunk: Chunk) -> ChunkResult:
        """Return no games."""
        return ChunkResult(chunk.cell, chunk.first, ())


def half(number: int) -> float:
    """Return half of a number."""
    return number / 2


def test_every_chunk_is_handed_over_once_and_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """However results come back; there are never more under way than two for each core."""
    ray = pretend(monkeypatch)
    wanted = chunks(plan(deals=11, chunk=1))
    found = list(RayExecutor().run(CoreEngine(), wanted))

    assert sorted(result.first for result in found) == list(range(11))
    (called, (_, _, first)), *played = ray.done
    assert (called, first.first, first.skip) == ("play-first", 0, first.games - 1)
    assert sorted(parts[-1].first for _, parts in played) == list(range(11))
    assert ray.most == 4


def test_machine_is_warmed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A later round of the same run, or another run, warms only what has come since."""
    ray = pretend(monkeypatch)
    executor = RayExecutor()
    list(executor.run(CoreEngine(), chunks(plan())))
    ray.machines.append("two")
    list(executor.run(CoreEngine(), chunks(plan(seed="other"))))

    assert [name for name, _ in ray.done].count("play-first") == 2


def test_what_compiles_is_warmed_by_a_chunk_that_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first chunk may be of players for whom nothing is compiled."""
    ray = pretend(monkeypatch)
    plain, other = chunks(plan())
    compiling = replace(other, bots={**other.bots, "random": "fair-1"})
    list(RayExecutor().run(Hasty(), [plain, compiling]))

    assert ray.done[0][1][-1].first == other.first


def test_machine_that_joins_is_given_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """How many chunks are under way follows the cores that are there."""
    ray = pretend(monkeypatch)
    results = RayExecutor().run(CoreEngine(), chunks(plan(deals=20, chunk=1)))
    next(results)
    ray.machines.append("two")
    list(results)

    assert ray.most == 8


def test_result_that_comes_twice_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else one chunk would count twice, and another not at all."""
    pretend(monkeypatch, Repeating())
    with pytest.raises(ArenaError, match=r"nobody asked for, or twice: play 0"):
        list(RayExecutor().run(CoreEngine(), chunks(plan(deals=3, chunk=1))))


def test_result_of_another_chunk_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a result says of itself must be what was asked for under its number."""
    pretend(monkeypatch, lambda answer: (answer[0], replace(answer[1], first=7)))
    with pytest.raises(ArenaError, match=r"deal 7 was played; expected .*, deal 2"):
        list(RayExecutor().run(CoreEngine(), chunks(plan(deals=3, chunk=1))))


def test_chunk_that_is_lost_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that is one short would look like any other."""
    lose(monkeypatch)
    with pytest.raises(ArenaError, match=r"pieces of work were never done, among them play \d"):
        list(RayExecutor().run(CoreEngine(), chunks(plan(deals=9, chunk=1))))


def test_chunk_that_cannot_be_played_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says the last line of what Ray tells, which is the reason."""
    pretend(monkeypatch, lambda _: None)
    with pytest.raises(ArenaError, match=r"has not done a piece of work: the machine is gone"):
        list(RayExecutor().run(CoreEngine(), chunks(plan())))


def test_cluster_that_is_gone_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else everybody would wait for ever; what was played is stored."""
    ray = pretend(monkeypatch)
    results = RayExecutor().run(CoreEngine(), chunks(plan(deals=8, chunk=1)))
    next(results)
    ray.machines.clear()
    with pytest.raises(ArenaError, match="no machine of the cluster is left"):
        next(results)


def test_run_that_is_left_early_ends_what_is_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the next run would share its cores with work that nobody waits for."""
    ray = pretend(monkeypatch)
    results = Cluster().each(half, [(number,) for number in range(9)])
    next(results)
    results.close()  # type: ignore[attr-defined] # - a generator is more than the iterator it is called

    assert sorted(ray.dropped) == [(0, 0.0), (1, 0.5), (2, 1.0)]


def test_machine_with_another_version_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would play other games from the same seeds."""
    pretend(monkeypatch)
    versions = iter(["ours"])
    monkeypatch.setattr(cluster, "digest_of_sources", lambda: next(versions, "theirs"))
    with pytest.raises(ArenaError, match="another version of bohn"):
        list(RayExecutor().run(CoreEngine(), chunks(plan())))


def test_cluster_that_does_not_start_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray raises a bare exception where a busy machine takes too long."""

    def init(*_: object, **__: object) -> None:
        raise Exception("timed out during startup")  # noqa: TRY002 - as Ray does

    monkeypatch.setattr(pretend(monkeypatch), "init", init)
    with pytest.raises(ArenaError, match="no cluster of Ray at this machine: timed out"):
        RayExecutor(workers=2)


def test_map_finds_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """In whatever order pieces come back: as the pools of `concurrent.futures` do."""
    pretend(monkeypatch)
    assert list(Cluster().map(half, range(7))) == [0, 0.5, 1, 1.5, 2, 2.5, 3]


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
    pretend(monkeypatch)
    run = ["arena", "run", "pk", "--against", "random", "--out", str(tmp_path / "run"), *options]
    assert main(run) == 2
    assert words in capsys.readouterr().err

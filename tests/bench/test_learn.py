"""Learning and climbing find the same wherever they play, and count every piece of work."""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest

from bench import climb, learn
from bench.learning import jury
from bench.learning.forks import Forks
from bench.learning.jury import Seat
from bench.learning.value import Positions
from bohn.arena.errors import ArenaError
from bohn.lab.players.player_memory import FACTS, PARTS, SCENES
from bohn.lab.row import SEATS, Rows
from tests.arena.pretended import PretendedRay, Repeating, lose, pretend

HERE, THERE = ("--workers", "1"), ("--executor", "ray", "--workers", "2")


def some_positions(_: Rows, seeds: Sequence[int], company: Sequence[str]) -> Positions:
    """Return what games might have shown, drawn from their seeds: playing takes interpreted code minutes."""
    assert company == ["pk", "b4"]
    drawn = [np.random.default_rng(seed) for seed in seeds]
    there = np.ones((len(seeds), SEATS))
    return Positions(
        np.array([rand.random((SEATS, FACTS)) for rand in drawn]),
        there,
        there / SEATS,
        np.array([10 * rand.random(SEATS) for rand in drawn]),
        np.array(seeds),
    )


def some_forks(_: Rows, __: Any, seeds: Sequence[int], company: Sequence[str]) -> Forks:
    """Return what forks might have been worth, drawn from the seeds of their games."""
    assert company == ["pk", "b4"]
    drawn = [np.random.default_rng(seed) for seed in seeds]
    inputs = np.array([rand.random(PARTS * SCENES) for rand in drawn])
    return Forks(inputs, inputs.sum(1) + np.array([rand.random() for rand in drawn]), np.array(seeds))


def some_result(_: Rows, __: Seat, place: int, first: int, deals: int) -> tuple[Any, Any]:
    """Return what games might have come to, drawn from their first seed."""
    rand = np.random.default_rng([place, first])
    return rand.random(deals), rand.normal(size=deals)


class Here:
    """A pool of this process."""

    def __init__(self, _: int) -> None:
        self.map = map

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave nothing."""


@pytest.fixture(autouse=True)
def _drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw what would be played."""
    monkeypatch.setattr(learn, "PIECE", 20)
    monkeypatch.setattr(learn, "positions_of", some_positions)
    monkeypatch.setattr(learn, "forks_of", some_forks)
    monkeypatch.setattr(jury, "from_place", some_result)
    monkeypatch.setattr(learn, "ProcessPoolExecutor", Here)


def learnt(monkeypatch: pytest.MonkeyPatch, out: Path, where: Sequence[str]) -> dict[str, bytes]:
    """Learn for two rounds; return what was written, by name."""
    options = ["--games", "90", "--forked", "110", "--company", "pk,b4", "--jury", "pk,b4:3", "--deals", "4"]
    monkeypatch.setattr(sys, "argv", ["learn", "--out", str(out), *options, *where])
    learn.main()
    return {path.name: path.read_bytes() for path in out.glob("*.json")}


def shares_told(log: Path) -> list[Any]:
    """Return what a log says of each step, but for the time."""
    return [{**json.loads(line), "s": 0} for line in log.read_text(encoding="utf-8").splitlines()]


def names(ray: PretendedRay) -> list[str]:
    """Return the names of the pieces that were handed over, in order and each once."""
    return list(dict.fromkeys(name for name, _ in ray.done))


def test_learning_on_a_cluster_finds_what_processes_find(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Tables and values are the same to the byte, in whatever order pieces come back."""
    serial = learnt(monkeypatch, tmp_path / "here", HERE)
    ray = pretend(monkeypatch)
    assert learnt(monkeypatch, tmp_path / "there", THERE) == serial
    assert shares_told(tmp_path / "there" / "log.jsonl") == shares_told(tmp_path / "here" / "log.jsonl")
    assert {"advantage-2.json", "value-2.json"} < serial.keys()
    assert {"positions_in-first", "positions_in", "forks_in-first", "forks_in"} < set(names(ray))


def test_piece_of_learning_that_is_lost_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Else a table would be learnt from fewer games than it says."""
    lose(monkeypatch)
    with pytest.raises(ArenaError, match="pieces of work were never done"):
        learnt(monkeypatch, tmp_path, THERE)


def test_piece_of_learning_that_comes_twice_is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Else some games would count twice, and others not at all."""
    pretend(monkeypatch, Repeating())
    with pytest.raises(ArenaError, match="nobody asked for, or twice"):
        learnt(monkeypatch, tmp_path, THERE)


def climbed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], where: Sequence[str]
) -> list[Any]:
    """Climb for six trials; return what is told, but for the time."""
    options = ["--start", "value-trader", "--jury", "pk,b4:3", "--trials", "6", "--final", "5"]
    monkeypatch.setattr(sys, "argv", ["climb", *options, *where])
    climb.main()
    return [{**json.loads(line), "s": 0} for line in capsys.readouterr().out.splitlines()]


def test_climb_on_a_cluster_finds_what_threads_find(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each trial, and the numbers at the end; all games of a trial are handed over at once."""
    here = climbed(monkeypatch, capsys, HERE)
    ray = pretend(monkeypatch)
    assert climbed(monkeypatch, capsys, THERE) == here
    assert [line.get("trials") for line in here] == [None] * 6 + [6]
    assert ray.most == 4


def test_climb_refuses_the_bean_duel(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """There other numbers count."""
    monkeypatch.setattr(sys, "argv", ["climb", "--jury", "pk,strong-5:2", "--minutes", "0"])
    with pytest.raises(SystemExit):
        climb.main()

    assert "expected tables with trading" in capsys.readouterr().err


def test_executor_of_learning_that_is_none_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the words of `bohn arena`."""
    with pytest.raises(SystemExit):
        learnt(monkeypatch, tmp_path, ["--executor", "dask"])
    assert "expected pool, ray or ray:ADDRESS" in capsys.readouterr().err


def test_seat_of_the_jury_travels_to_other_processes() -> None:
    """As its text, from which the tables are made there."""
    seat = pickle.loads(pickle.dumps(Seat("value-trader:classic:3:brisk")))  # noqa: S301 - our own
    assert (seat.player, seat.edition, seat.players, seat.floor) == ("value-trader", "classic", 3, "brisk")
    assert len(pickle.dumps(seat)) < 200

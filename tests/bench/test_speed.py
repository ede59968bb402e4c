"""How quick players are: the decisions of a game are timed, and its players measured in turn."""

from __future__ import annotations

import pytest

from bench import speed
from bench.speed import games_a_second, time_decisions
from bohn.arena.timing import Histogram


def test_every_decision_of_a_game_is_timed() -> None:
    """Those of four players, on the floor that is asked for."""
    times: Histogram = {}
    time_decisions("pk", times, "brisk", 1)

    assert sum(times.values()) > 100


@pytest.mark.compiled(only=True)
def test_games_are_played_with_the_player_in_every_seat() -> None:
    """A second is enough for some."""
    assert games_a_second("pk", "brisk", 0, 2) > 1


def test_players_are_measured_in_turn(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Other work on the machine falls on all of them; a ratio is to the last one named."""
    asked: list[tuple[str, int]] = []
    decided: list[str] = []
    played_in_all: list[int] = []

    def played(name: str, table: str, first: int, games: int) -> float:
        assert table == "free"
        asked.append((name, first))
        played_in_all.append(games)
        return 30.0 if name == "strong-5" else 60.0

    def timed(name: str, times: Histogram, floor: str, seed: int) -> None:
        assert floor == "free"
        decided.append(f"{name} {seed}")
        times[100] = 1

    monkeypatch.setattr(speed, "COMPILED", True)
    monkeypatch.setattr(speed, "games_a_second", played)
    monkeypatch.setattr(speed, "time_decisions", timed)
    speed.main(["--player", "strong-5", "strong-1", "--runs", "2", "--games", "3", "--decided", "1"])
    told = capsys.readouterr().out

    assert asked[1:] == [("strong-5", 0), ("strong-1", 0), ("strong-5", 3), ("strong-1", 3)]
    assert played_in_all[1:] == [3, 3, 3, 3]
    assert decided[2:] == ["strong-5 1", "strong-1 1", "strong-5 2", "strong-1 2"]
    assert "four strong-5: 30.0 games/s, 0.50 times strong-1 [0.50..0.50]" in told
    assert "decision of strong-1, compiled: " in told

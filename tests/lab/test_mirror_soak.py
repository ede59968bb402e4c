"""The long comparison of core and twin counts what it has compared, and says where they differ."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bench import twin_soak
from bohn.lab.mirrored import Differs, Plan, Played


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Run the soak with these arguments in this process."""
    monkeypatch.setattr(sys, "argv", ["twin_soak", "--workers", "1", *arguments])
    return twin_soak.main()


def counted(_plan: Plan, _choose: object, _every: int = 1) -> Played:
    """Pretend to have played a game of ten commands."""
    return Played(commands=10, decisions=20)


def test_soak_counts_by_table_and_goes_on_after_a_stop(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A second run adds to what the first has counted, until the goal is reached."""
    monkeypatch.setattr(twin_soak, "mirrored_game", counted)
    kept = str(tmp_path / "counts.json")
    assert run(monkeypatch, "--commands", "300", "--counts", kept) == 0
    assert run(monkeypatch, "--commands", "600", "--counts", kept) == 0
    counts = twin_soak.Counts(Path(kept), 0, 10)
    assert counts.next == 2 * twin_soak.ROUND
    assert counts.total("commands") == 20 * twin_soak.ROUND
    assert "classic-ja 4" in capsys.readouterr().out


def test_soak_begins_anew_for_other_sources(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What was counted for another version of the rules does not count."""
    monkeypatch.setattr(twin_soak, "mirrored_game", counted)
    kept = tmp_path / "counts.json"
    assert run(monkeypatch, "--commands", "300", "--counts", str(kept)) == 0
    monkeypatch.setattr(twin_soak, "digest", lambda: "another")
    assert twin_soak.Counts(kept, 0, 10).total("commands") == 0


def test_soak_fails_at_a_difference(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exit status says that core and twin differ, the output where."""

    def differing(_first: int, _every: int) -> twin_soak.Sums:
        raise Differs("coins after Harvest")

    monkeypatch.setattr(twin_soak, "mirrored_game", counted)
    monkeypatch.setattr(twin_soak, "play_round", differing)
    assert run(monkeypatch, "--commands", "300") == 1
    assert "coins after Harvest" in capsys.readouterr().out


def test_soak_plays_real_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """A round plays and counts; this one is of the first table only."""
    monkeypatch.setattr(twin_soak, "ROUND", 1)
    sums = twin_soak.play_round(0, 50)
    assert list(sums) == ["full 2"]
    assert sums["full 2"]["commands"] > 100

"""`bohn arena`: what it prints, writes and refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

SMALL = ("--players", 3, "--deals", 2, "--workers", 1)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for a run that the tests of this file share."""
    return tmp_path_factory.mktemp("arena") / "run"


def test_run_prints_json_and_leaves_a_page(bohn: Run, played: Path) -> None:
    """The result is that of the file, the page stands beside it."""
    result = bohn("arena", "run", "no-trade", "--against", "random", *SMALL, "--json", "--out", played)

    assert result.status == 0
    assert json.loads(result.out) == json.loads((played / "result.json").read_text(encoding="utf-8"))
    assert (played / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_league_writes_the_standing_from_a_result(bohn: Run, home: Path) -> None:
    """A short league is played, its table printed; a second call takes the result and plays nothing."""
    out = home / "league"
    first = bohn("arena", "league", "--bots", "no-trade,random", *SMALL, "--budget", "random=1", "--out", out)
    page = home / "players.md"
    page.write_text("<!-- league:begin -->\n<!-- league:end -->\n", encoding="utf-8")
    second = bohn("arena", "league", "--from", out, "--write", page)

    assert (first.status, second.status) == (0, 0)
    assert "no-trade vs random" in first.out
    assert "| 1 | `no-trade` |" in first.out
    assert "| 1 | `no-trade` |" in page.read_text(encoding="utf-8")


def test_report_is_written_again(bohn: Run, home: Path) -> None:
    """A page can be made from the folder alone."""
    out = home / "matrix"
    bohn("arena", "matrix", "random", *SMALL, "--deals", 1, "--out", out)
    result = bohn("arena", "report", out, "--out", home / "page.html")

    assert result.status == 0
    assert (home / "page.html").exists()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("run", "nobody", "--against", "b3"), "player 'nobody': expected one of"),
        (("run", "pk,b3", "--against", "b3"), "expected one candidate"),
        (("run", "pk", "--against", "b3,b4"), "expected 1 name or 3"),
        (("run", "pk"), "--against"),
        (("run", "pk", "--against", "b3", "--goal", "0"), "--goal 0: expected"),
        (("run", "pk", "--against", "b3", "--half-width", "100"), "--half-width 100: expected"),
        (("run", "pk", "--against", "b3", "--deals", "0"), "--deals 0: expected"),
        (("run", "pk", "--against", "b3", "--chunk", "0"), "--chunk 0: expected"),
        (("run", "pk", "--against", "b3", "--workers", "0"), "--workers 0: expected"),
        (("run", "pk", "--against", "b3", "--limit", "0"), "--limit 0: expected"),
        (("run", "pk", "--against", "b3", "--players", "9"), "9"),
        (("run", "pk", "--against", "b3", "--edition", "new"), "new"),
        (("run", "pk", "--against", "b3", "--bot", "mine"), "expected NAME=PLAYER"),
        (("run", "pk", "--against", "b3", "--engine", "steam"), "--engine"),
        (("matrix", "pk", "--columns", "nobody"), "player 'nobody'"),
        (("league", "--budget", "pk"), "NAME=DEALS"),
        (("league", "--from", "nowhere"), "nowhere: expected the result of a run"),
        (("report", "nowhere"), "nowhere: expected the result of a run"),
        (("dance",), "dance"),
    ],
)
def test_wrong_call_is_one_line(bohn: Run, arguments: tuple[str, ...], expected: str) -> None:
    """Each error says what was expected, and nothing is played."""
    result = bohn("arena", *arguments)

    assert result.status == 2
    assert result.err.startswith("bohn: ")
    assert result.err.count("\n") == 1
    assert expected in result.err


def test_folder_of_another_run_is_one_line(bohn: Run, home: Path) -> None:
    """Results of different plans are never mixed."""
    arena = ("arena", "run", "random", "--against", "random", *SMALL, "--out", home / "run")
    bohn(*arena)
    result = bohn(*arena, "--seed", "2")

    assert result.status == 2
    assert "holds another run" in result.err

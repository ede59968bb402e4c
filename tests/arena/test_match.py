"""A run goes on where it was, gives the same bytes again, and refuses what is not its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from bohn.arena.core import CoreEngine
from bohn.arena.errors import ArenaError
from bohn.arena.executor import SerialExecutor
from bohn.arena.match import Match, Progress
from bohn.arena.plan import Stopping
from bohn.arena.reading import read_run
from bohn.arena.store import Store, read_plan
from tests.arena.support import plan, play
from tests.patience import PATIENCE

REPOSITORY = Path(__file__).parents[2]


def names(folder: Path) -> list[str]:
    """Return the chunks that are there."""
    return sorted(path.name for path in (folder / "chunks").glob("*.json"))


def test_run_does_not_depend_on_its_chunks(tmp_path: Path) -> None:
    """The same games come to the same figures, however the work is cut."""
    one = play(plan(deals=5, chunk=5), tmp_path / "one")
    two = play(plan(deals=5, chunk=2), tmp_path / "two")

    assert names(tmp_path / "two") == ["0000-0000000.json", "0000-0000002.json", "0000-0000004.json"]
    assert one.cells == two.cells


def test_run_goes_on_where_it_was(tmp_path: Path) -> None:
    """Chunks that are there are not played again; one that is damaged is."""
    whole = play(plan(), tmp_path)
    content = (tmp_path / "result.json").read_bytes()
    kept, damaged = (tmp_path / "chunks" / name for name in names(tmp_path))
    damaged.write_bytes(damaged.read_bytes()[:-9])
    (tmp_path / "result.json").unlink()
    before = kept.stat().st_mtime_ns

    assert play(plan(), tmp_path) == whole
    assert (tmp_path / "result.json").read_bytes() == content
    assert kept.stat().st_mtime_ns == before


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_killed_run_ends_in_the_same_bytes(tmp_path: Path) -> None:
    """A kill -9 in the middle: the next run goes on, and its result is that of a run nobody disturbed."""
    folder = tmp_path / "killed"
    arena = [sys.executable, "-m", "bohn", "arena", "run", "no-trade", "--against", "random"]
    arena += [
        "--players",
        "3",
        "--deals",
        "24",
        "--chunk",
        "1",
        "--workers",
        "1",
        "--out",
        str(folder),
        "--seed",
        "k",
    ]
    running = subprocess.Popen(arena, cwd=REPOSITORY, stdout=subprocess.DEVNULL)  # noqa: S603 - our own
    until = time.monotonic() + PATIENCE
    while not (folder / "chunks").is_dir() or len(names(folder)) < 2:
        assert time.monotonic() < until
        time.sleep(0.01)
    running.send_signal(signal.SIGKILL)
    running.wait()
    survived = names(folder)

    assert not (folder / "result.json").exists()
    assert 2 <= len(survived) < 24
    subprocess.run(arena, cwd=REPOSITORY, stdout=subprocess.DEVNULL, check=True)  # noqa: S603 - as above
    play(read_plan(folder / "plan.json"), tmp_path / "undisturbed")
    assert (folder / "result.json").read_bytes() == (tmp_path / "undisturbed" / "result.json").read_bytes()
    assert (folder / "chunks" / survived[0]).read_bytes() == (
        tmp_path / "undisturbed" / "chunks" / survived[0]
    ).read_bytes()


def test_folder_of_another_plan_is_refused(tmp_path: Path) -> None:
    """What differs is said."""
    play(plan(), tmp_path)

    with pytest.raises(ArenaError, match='its seed is "test", not "other"'):
        play(plan(seed="other"), tmp_path)


def test_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    """The arena writes into no folder that holds what it did not put there."""
    (tmp_path / "thesis.tex").write_text("", encoding="utf-8")

    with pytest.raises(ArenaError, match="expected an empty folder"):
        play(plan(), tmp_path)


def test_folder_is_for_one_process(tmp_path: Path) -> None:
    """Two runs in one folder would write into each other's files."""
    with Store(tmp_path, plan()), pytest.raises(ArenaError, match="another process"), Store(tmp_path, plan()):
        pass


def test_decided_cell_is_played_no_longer(tmp_path: Path) -> None:
    """A cell far from its goal ends at an early look; its interval has the level of that look."""
    wanted = plan(("random", "no-trade", "no-trade"), 96, stopping=Stopping(goal=0.8), chunk=4)
    cell = play(wanted, tmp_path).cells[0]

    assert cell.end == "below the goal"
    assert cell.deals < 96
    assert cell.looks[-1].deals == cell.deals
    assert cell.rows[0].share.level > 0.95


def test_narrow_cell_is_played_no_longer(tmp_path: Path) -> None:
    """A wanted half width ends a cell."""
    cell = play(plan(deals=32, stopping=Stopping(half_width=0.95, first=8)), tmp_path).cells[0]

    assert (cell.end, cell.deals) == ("narrow enough", 8)


def test_progress_ends_at_the_games_played(tmp_path: Path) -> None:
    """The watcher is called with how far the run is, in the end with all games over."""
    told: list[Progress] = []
    with Store(tmp_path, plan()) as store:
        Match(store, CoreEngine(), SerialExecutor(), told.append).play()

    assert [one.games for one in told] == [6, 12, 12]
    assert told[-1] == Progress(12, 12, 1, 1)


def test_times_are_no_part_of_the_result(tmp_path: Path) -> None:
    """What depends on the machine lies beside the chunks."""
    play(plan(), tmp_path)
    chunk = msgspec.json.decode((tmp_path / "chunks" / names(tmp_path)[0]).read_bytes())

    assert chunk["times"] == {}
    assert Store(tmp_path, plan()).times()["no-trade"]


def test_result_is_read_back(tmp_path: Path) -> None:
    """A result file has everything that the run returned."""
    result = play(plan(), tmp_path)

    assert read_run(tmp_path) == (result, tmp_path)
    assert read_run(tmp_path / "result.json") == (result, tmp_path)


def test_unfinished_run_has_no_result(tmp_path: Path) -> None:
    """Reading it too early is an error that says so."""
    with pytest.raises(ArenaError, match="not over"):
        read_run(tmp_path)


def test_plan_of_another_format_is_refused(tmp_path: Path) -> None:
    """A file that is no plan is named."""
    (tmp_path / "plan.json").write_text("[]", encoding="utf-8")

    with pytest.raises(ArenaError, match="expected the plan of a run"):
        play(replace(plan(), format=1), tmp_path)

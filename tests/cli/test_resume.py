"""Records of games in play: kept after every command, resumed after a crash, never overwritten."""

from __future__ import annotations

import io
import itertools
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bohn.cli import main
from bohn.notation.records import LARGEST_LINE, LARGEST_RECORD, read_record, verify
from bohn.rules.state import EndPhase
from tests.cli.conftest import Lines, Run

FIRST = itertools.repeat("1\n")
NEW = ("play", "--edition", "classic", "--players", 3, "--seed", 4)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the record of a finished game, played once."""
    path = tmp_path_factory.mktemp("played") / "finished.bohn"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", Lines(FIRST))
        patch.setattr("sys.stdout", io.StringIO())
        main([*map(str, NEW), "--record", str(path)])
    return path.read_bytes()


@pytest.fixture
def finished(played: bytes, home: Path) -> Path:
    """Return the file of a finished game."""
    path = home / "finished.bohn"
    path.write_bytes(played)
    return path


def ends(path: Path) -> bool:
    """Tell whether a record follows the rules to the end of its game."""
    return isinstance(verify(read_record(path.read_bytes())).phase, EndPhase)


@pytest.mark.parametrize("chance", range(6))
def test_resume_after_a_kill_at_a_random_byte(bohn: Run, finished: Path, home: Path, chance: int) -> None:
    """A record cut anywhere after its header, in the middle of a line too, is played to a legal end."""
    data = finished.read_bytes()
    header = data.index(b"\n") + 1
    cut = home / "cut.bohn"
    cut.write_bytes(data[: random.Random(chance).randrange(header, len(data) - 200)])

    result = bohn("play", "--resume", cut, lines=FIRST)

    assert (result.status, result.err) == (0, "")
    assert ends(cut)


def test_resume_deals_where_only_the_header_was_written(bohn: Run, finished: Path, home: Path) -> None:
    """A crash before the deal loses nothing: the header has the seed."""
    data = finished.read_bytes()
    cut = home / "cut.bohn"
    cut.write_bytes(data[: data.index(b"\n") + 1])
    bohn("play", "--resume", cut, lines=())

    deals = [read_record(path.read_bytes()).entries[0].events for path in (cut, finished)]
    assert deals[0] == deals[1]


def test_resume_keeps_what_was_played(bohn: Run, home: Path) -> None:
    """The lines of the record so far stay as they are."""
    path = home / "game"
    bohn(*NEW, "--record", path, lines=["1\n"] * 5)
    before = path.read_bytes()
    bohn("play", "--resume", path, lines=["1\n"] * 5)

    assert path.read_bytes().startswith(before)


def test_resume_without_a_file_takes_the_last_game(bohn: Run) -> None:
    """`--resume` alone goes on with the game that was played last."""
    bohn(*NEW, lines=["1\n"] * 3)
    result = bohn("play", "--resume", lines=FIRST)

    assert "game over" in result.out


def test_resume_says_that_a_game_is_finished(bohn: Run, finished: Path) -> None:
    """There is nothing to go on with."""
    result = bohn("play", "--resume", finished)

    assert result.status == 2
    assert "is finished" in result.err


def test_record_is_never_overwritten(bohn: Run, finished: Path) -> None:
    """A file that exists is refused and stays as it was."""
    before = finished.read_bytes()
    result = bohn(*NEW, "--record", finished)

    assert "never overwritten" in result.err
    assert finished.read_bytes() == before


def test_default_record_takes_a_new_name(bohn: Run, home: Path) -> None:
    """Two games without --record are two files."""
    for _ in range(2):
        bohn(*NEW, lines=())

    assert sorted(path.name for path in (home / "state/bohn").iterdir()) == ["last-2.bohn", "last.bohn"]


def test_record_grows_before_the_next_question(bohn: Run, home: Path) -> None:
    """When somebody is asked, everything before is in the file."""
    path = home / "game"
    sizes: list[int] = []

    def lines() -> Iterator[str]:
        for _ in range(3):
            sizes.append(path.stat().st_size)
            yield "1\n"

    bohn(*NEW, "--record", path, lines=lines())

    assert sizes == sorted(set(sizes))


@pytest.mark.parametrize("command", [("play", "--resume"), ("verify",), ("replay",)])
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"no record\n",
        b"\xff\xfe\x00" * 3_500_000,
        b"[" * 10_000_000,
        b"[" * 900_000 + b"\n",
        b'{"format":"bohn-record","version":99}\n',
        b"{}\n{}\n",
    ],
    ids=["empty", "blank", "text", "garbage-10MB", "deep-10MB", "deep-line", "version", "objects"],
)
def test_garbage_is_refused_in_one_line(bohn: Run, home: Path, command: tuple[str, ...], data: bytes) -> None:
    """What is no record is an error that names the file."""
    path = home / "garbage"
    path.write_bytes(data)
    result = bohn(*command, path)

    assert result.status == 2
    assert str(path) in result.err
    assert result.err.count("\n") == 1


def test_resume_refuses_a_record_that_breaks_the_rules(bohn: Run, finished: Path, home: Path) -> None:
    """A game that was tampered with is not played on."""
    lines = finished.read_bytes().splitlines(keepends=True)
    (home / "tampered").write_bytes(b"".join([*lines[:2], *lines[3:4]]))

    assert bohn("play", "--resume", home / "tampered").status == 2


@contextmanager
def played_elsewhere(*arguments: object) -> Iterator[subprocess.Popen[str]]:
    """Play in another process, which waits for its first answer; kill it at the end."""
    command = [sys.executable, "-m", "bohn", "play", *map(str, arguments)]
    with subprocess.Popen(  # noqa: S603 - this program
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if "Your move" in line or "bohn:" in line:
                    break
            yield process
        finally:
            process.kill()


MINE = ("--players", 3, "--seed", 1, "--house", "starter=seat:0")
"""A new game in which the person begins."""


@pytest.mark.parametrize("new", [True, False], ids=["new", "resumed"])
def test_resume_refuses_a_game_that_is_being_played(bohn: Run, home: Path, new: bool) -> None:
    """Of two processes on one file the second is refused, and the first plays on as if nothing had been."""
    path = home / "game.bohn"
    if not new:
        bohn("play", *MINE, "--record", path)
    with played_elsewhere(*((*MINE, "--record", path) if new else ("--resume", path))) as first:
        before = path.read_bytes()
        result = bohn("play", "--resume", path, lines=["1\n"] * 3)
        after = path.read_bytes()
        out, _ = first.communicate("1\nquit\n", timeout=60)

    assert result.status == 2
    assert f"the game in {path} is being played in another window" in result.err
    assert after == before
    assert "The game is saved" in out
    assert len(read_record(path.read_bytes()).entries) == 2
    verify(read_record(path.read_bytes()))


def test_resume_refuses_a_game_under_another_name(bohn: Run, home: Path) -> None:
    """It is the file that is locked: a link leads to the same game."""
    path, link = home / "game.bohn", home / "link.bohn"
    with played_elsewhere(*MINE, "--record", path):
        link.hardlink_to(path)
        result = bohn("play", "--resume", link, lines=["1\n"])

    assert "is being played" in result.err


def test_resume_goes_on_after_a_kill(bohn: Run, home: Path) -> None:
    """A process that was killed leaves nothing locked."""
    path = home / "game.bohn"
    with played_elsewhere(*MINE, "--record", path) as first:
        first.kill()
        first.wait()
    result = bohn("play", "--resume", path, lines=["1\n"])

    assert (result.status, result.err) == (0, "")
    assert len(read_record(path.read_bytes()).entries) > 1


@pytest.mark.skipif(sys.platform == "win32", reason="a lock there keeps readers away too")
def test_record_of_a_running_game_can_be_looked_at(bohn: Run, home: Path) -> None:
    """Who only reads is not refused."""
    path = home / "game.bohn"
    with played_elsewhere(*MINE, "--record", path):
        assert bohn("verify", path).status == 0


@pytest.mark.parametrize("command", [("play", "--resume"), ("verify",), ("replay",)])
def test_record_over_the_limit_is_refused_whole(bohn: Run, finished: Path, command: tuple[str, ...]) -> None:
    """A file that is too large is never cut: the message says its size and the limit."""
    size = 40_002_347
    with finished.open("r+b") as file:
        file.truncate(2000)
        file.seek(0, io.SEEK_END)
        file.truncate(size)
    before = finished.read_bytes()
    result = bohn(*command, finished, lines=["1\n"])

    assert result.status == 2
    assert f"expected at most {LARGEST_RECORD} bytes, not {size}" in result.err
    assert finished.read_bytes() == before


def test_resume_cuts_off_no_more_than_a_line(bohn: Run, finished: Path) -> None:
    """What stands behind the last whole line is dropped only if it can be the beginning of another."""
    lines = finished.read_bytes().splitlines(keepends=True)
    torn = b"".join(lines[:9]) + b"x" * (LARGEST_LINE + 1)
    finished.write_bytes(torn)
    result = bohn("play", "--resume", finished, lines=["1\n"])

    assert result.status == 2
    assert f"expected a last line of at most {LARGEST_LINE} bytes, not {LARGEST_LINE + 1}" in result.err
    assert finished.read_bytes() == torn

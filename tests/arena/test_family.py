"""Bots that start processes: all of them end with the bot, wherever they went, and nobody waits for them."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from bohn.arena.lines import LineError, Program
from bohn.arena.plan import Limits

BOT = Path(__file__).with_name("forking.py")
WAYS = ("child", "group", "session", "orphan")
IN_TIME = 60
"""Seconds in which all this is done on a busy machine; processes that are left sleep ten times as long."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere these processes are not found")


def command(noted: Path, *ways: str) -> str:
    """Return the command line of a program that leaves processes behind in these ways."""
    return shlex.join([sys.executable, "-I", "-S", str(BOT), str(noted), *ways])


def numbers(noted: Path, wanted: int) -> list[int]:
    """Return the numbers of the processes, once as many as are wanted have been noted."""
    for _ in range(IN_TIME * 20):
        found = noted.read_text(encoding="ascii").split() if noted.exists() else []
        if len(found) >= wanted:
            return [int(number) for number in found]
        time.sleep(0.05)
    msg = f"fewer than {wanted} processes began"
    raise AssertionError(msg)


def alive(pid: int) -> bool:
    """Tell whether a process has not ended."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] not in ("Z", "X")


def left(noted: Path, wanted: int) -> list[int]:
    """Return which processes are still there after a moment, and end them."""
    found = numbers(noted, wanted)
    for _ in range(300):
        if not any(map(alive, found)):
            return []
        time.sleep(0.05)
    running = [pid for pid in found if alive(pid)]
    subprocess.run(["/bin/kill", "-9", *map(str, running)], check=False)  # noqa: S603 - those of this test
    return running


def closes(program: Program) -> bool:
    """Close a program and tell whether that came to an end."""
    closing = threading.Thread(target=program.close, daemon=True)
    closing.start()
    closing.join(IN_TIME / 4)
    return not closing.is_alive()


@pytest.mark.parametrize("way", WAYS)
def test_program_ends_with_what_it_has_started(tmp_path: Path, way: str) -> None:
    """No process is left of a program that was closed, and closing does not wait for who holds its pipe."""
    program = Program(command(tmp_path / "noted", way), Limits())
    assert program.exchange({"type": "begin"})
    numbers(tmp_path / "noted", 2)

    ended = closes(program)
    assert left(tmp_path / "noted", 2) == []
    assert ended


def test_program_that_ended_leaves_nothing(tmp_path: Path) -> None:
    """What a program leaves behind when it ends by itself is found as well."""
    program = Program(command(tmp_path / "noted", "session", "orphan", "end"), Limits(seconds=0.5, grace=0.5))
    numbers(tmp_path / "noted", 3)
    with pytest.raises(LineError):
        program.exchange({"type": "begin"})

    ended = closes(program)
    assert left(tmp_path / "noted", 3) == []
    assert ended


def arena(noted: Path, out: Path) -> subprocess.Popen[str]:
    """Start a run of one deal with a program that leaves processes behind in every way."""
    bot = f"mine=cmd:{command(noted, *WAYS, 'bare')}"
    run = ["arena", "run", "mine", "--bot", bot, "--against", "random", "--players", "3", "--deals", "1"]
    return subprocess.Popen(  # noqa: S603 - this program
        [sys.executable, "-m", "bohn", *run, "--workers", "1", "--out", str(out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


EACH = len(WAYS) + 2


def test_run_ends_with_all_that_its_bots_have_started(tmp_path: Path) -> None:
    """A run with bots that fork ends in time with its result, and no process is left of them."""
    with arena(tmp_path / "noted", tmp_path / "out") as run:
        try:
            out, _ = run.communicate(timeout=IN_TIME)
        except subprocess.TimeoutExpired:
            run.kill()
            out = "waits without end"
    running = left(tmp_path / "noted", EACH)

    assert (run.returncode, running) == (0, []), out
    assert json.loads((tmp_path / "out" / "result.json").read_bytes())["faults"] == []


def test_run_that_is_killed_leaves_nothing(tmp_path: Path) -> None:
    """Also when the arena itself is killed, its bots and what they have started end."""
    with arena(tmp_path / "noted", tmp_path / "out") as run:
        numbers(tmp_path / "noted", EACH)
        run.kill()

    assert left(tmp_path / "noted", EACH) == []

"""Programs as players: the example, and programs that break the protocol."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from bohn.arena import guard
from bohn.arena.core import CoreEngine
from bohn.arena.engine import ChunkResult
from bohn.arena.plan import Limits
from tests.arena.faulty import CLOCK
from tests.arena.support import plan, whole

EXAMPLE = Path(__file__).parents[2] / "examples" / "line_bot.py"
DOCUMENT = Path(__file__).parents[2] / "docs" / "arena.md"
ECHO = "import sys, json\nfor line in sys.stdin:\n    m = json.loads(line)\n    "
FIRST = ECHO + "print(json.dumps(m['legal'][0] if m['type'] == 'decide' else {'trades': False}), flush=True)"


def played(command: str, limits: Limits | None = None) -> ChunkResult:
    """Return what came of one deal with a program against two others."""
    line_up = ("program", "random", "random")
    wanted = plan(line_up, 1, bots={"program": f"cmd:{command}"}, limits=limits)
    return CoreEngine().play(whole(wanted))


def script(text: str) -> str:
    """Return the command line of a Python program without start-up costs."""
    return shlex.join([sys.executable, "-I", "-S", "-c", text])


def test_example_plays_without_faults() -> None:
    """The bot of the documents keeps its contract, and trades."""
    found = played(shlex.join([sys.executable, str(EXAMPLE)]))

    assert found.faults == ()
    assert sum(sum(one.offers) for one in found.games) > 0


def test_example_is_short() -> None:
    """A bot needs at most 40 lines."""
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) <= 40


def test_program_plays_the_same_again() -> None:
    """A program that draws no chance of its own gives the same games."""
    assert played(script(FIRST)).games == played(script(FIRST)).games


@pytest.mark.parametrize(
    ("text", "reason", "detail"),
    [
        ("import sys; sys.exit('no luck')", "crash", "no luck"),
        (ECHO + "print('{}' if m['type'] == 'decide' else 'null', flush=True)", "illegal", "answered"),
        (ECHO + "print('hello', flush=True)", "illegal", "hello"),
        (ECHO + "print('null', flush=True)", "illegal", "passed"),
        (ECHO + "print('null\\nnull', flush=True)", "illegal", ""),
        ("import time; time.sleep(60)", "hang", "no answer in 0.3 s"),
    ],
)
def test_faulty_program_is_named(
    monkeypatch: pytest.MonkeyPatch, text: str, reason: str, detail: str
) -> None:
    """What ends, talks nonsense, talks unasked or is silent is replaced for that game."""
    monkeypatch.setattr(guard, "perf_counter", CLOCK)  # on a busy machine the other two are not late either
    found = played(script(text), Limits(seconds=0.2, grace=0.1) if reason == "hang" else None)

    assert {one.reason for one in found.faults} == {reason}
    assert any(detail in one.detail for one in found.faults)
    assert len(found.games) == 3


def test_program_that_is_missing_is_named() -> None:
    """What cannot be started crashed."""
    assert "cannot be started" in played("/nowhere/bot").faults[0].detail


def test_lines_have_the_parts_that_the_document_names(tmp_path: Path) -> None:
    """What a program is sent is what docs/arena.md lists."""
    note = f"m = json.loads(line); print(*m, file=open({str(tmp_path / 'p')!r}, 'a'))"
    noting = ECHO.replace("m = json.loads(line)", note)
    played(script(noting + "print(json.dumps(m['legal'][0] if m['type'] == 'decide' else None), flush=True)"))
    sent = {tuple(line.split()) for line in (tmp_path / "p").read_text(encoding="utf-8").splitlines()}
    blocks = re.findall(r"```json\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), flags=re.DOTALL)

    assert sent == {tuple(json.loads(line)) for line in blocks[0].splitlines()}

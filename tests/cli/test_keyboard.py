"""The keyboard of a terminal: what was typed before a question is no answer to it."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bohn.notation.records import read_record

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")

IN_TIME = 30
"""Seconds in which a game has asked on a busy machine."""


class Screen:
    """A game at a pseudo-terminal."""

    def __init__(self, end: int) -> None:
        self._end = end

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self._end, text.encode())

    def wait_for(self, text: str) -> None:
        """Read what is printed until a text has come, and then until nothing has been for a moment."""
        seen = ""
        until = time.monotonic() + IN_TIME
        while text not in seen:
            assert time.monotonic() < until, seen
            seen += self._printed(0.1)
        while self._printed(1.0):
            pass

    def _printed(self, patience: float) -> str:
        if not select.select([self._end], [], [], patience)[0]:
            return ""
        return os.read(self._end, 65536).decode(errors="replace")


@contextmanager
def played(record: Path) -> Iterator[Screen]:
    """Play at a pseudo-terminal, in which the person begins."""
    end, terminal = os.openpty()
    game = ["play", "--players", "3", "--seed", "1", "--house", "starter=seat:0", "--record", str(record)]
    with subprocess.Popen(  # noqa: S603 - this program
        [sys.executable, "-m", "bohn", *game],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env={**os.environ, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"},
        start_new_session=True,
    ) as process:
        try:
            yield Screen(end)
        finally:
            process.kill()
            process.wait()
            os.close(terminal)
            os.close(end)


def test_terminal_takes_no_number_that_was_typed_before_its_question(tmp_path: Path) -> None:
    """A number means what stood beside it when it was typed: of three in one go only the first counts."""
    record = tmp_path / "game"
    with played(record) as screen:
        screen.wait_for("Press Enter")
        screen.type("\r")
        screen.wait_for("You>")
        screen.type("1\r1\r1\r")
        screen.wait_for("Your move:")
        one = len(read_record(record.read_bytes()).entries)
        screen.type("1\r")
        screen.wait_for("You>")
        two = len(read_record(record.read_bytes()).entries)

    assert (one, two) == (2, 3)

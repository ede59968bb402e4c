"""The command line in this process: lines go in, what it prints and its exit status come out."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from msgspec import Struct

from bohn.cli import main

Run = Callable[..., "Result"]


class Result(Struct, frozen=True):
    """What a call of the command line left behind."""

    status: int
    out: str
    err: str


class Lines(io.TextIOBase):
    """A standard input that gives out lines one by one, without end if they have none."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)

    def readline(self, size: int | None = -1) -> str:  # type: ignore[override] # - the base names it otherwise
        """Return the next line, or nothing at the end."""
        return next(self._lines, "")[: size or None]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep games in a folder of the test, and speak English."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("LC_ALL", "en")
    monkeypatch.setenv("COLUMNS", "120")
    return tmp_path


@pytest.fixture
def bohn(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs the command line with these arguments and this input."""

    def run(*arguments: object, lines: Iterable[str] = ()) -> Result:
        capsys.readouterr()
        monkeypatch.setattr("sys.stdin", Lines(lines))
        status = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Result(status, captured.out, captured.err)

    return run

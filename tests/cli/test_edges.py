"""The edges of the command line: broken bytes, closed pipes, narrow terminals, files that are none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bohn.cli.main import main
from bohn.i18n import Catalog


def bohn(*arguments: str, given: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the program as a user does."""
    return subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-m", "bohn", *arguments],
        input=given,
        capture_output=True,
        check=False,
        env={**os.environ, **environment},
    )


def test_bytes_that_are_no_text_are_an_unknown_command(tmp_path: Path) -> None:
    """Bytes that are not UTF-8 are answered like any other word nobody knows, and the game goes on."""
    run = bohn("play", "--seed", "1", "--record", str(tmp_path / "game"), given=b"\xff\xfe\nquit\n")

    assert run.returncode == 0
    assert b"mistake of ours" not in run.stderr


def test_catalog_takes_halves_of_characters() -> None:
    """A parameter with half a character, as broken input leaves it, is shown with a mark in its place."""
    assert "?" in Catalog.load("en").text("house.fields", value="\udcff")


def test_closed_pipe_ends_quietly() -> None:
    """``bohn rules full | head -1`` shows a line and leaves without a word."""
    program = f"{sys.executable} -m bohn rules full | head -1"
    run = subprocess.run(["sh", "-c", program], capture_output=True, check=False)  # noqa: S603, S607 - the user's shell

    assert run.stdout.startswith(b"full")
    assert run.stderr == b""


def test_narrow_terminal_shows_whole_names() -> None:
    """In a very narrow terminal the names of editions and rules are not cut."""
    run = bohn("rules", "full", COLUMNS="10", TERM="dumb")

    assert b"reshuffle=when_needed" in run.stdout


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="needs a device file")
def test_device_is_no_record(capsys: pytest.CaptureFixture[str]) -> None:
    """A device is refused as what it is."""
    assert main(["verify", "/dev/null"]) == 2
    assert "is no regular file" in capsys.readouterr().err


def test_language_may_stand_before_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    """``--lang`` is understood before and after the sub-command."""
    assert main(["--lang", "en", "rules"]) == 0
    assert "das-duell" in capsys.readouterr().out


def test_number_without_a_suggestion_is_explained(tmp_path: Path) -> None:
    """A number that stands for no suggestion is no silent pass."""
    run = bohn("play", "--seed", "1", "--record", str(tmp_path / "game"), given=b"99\nquit\n")

    assert b"Choose a number from 1 to" in run.stdout


def test_rules_show_house_rules_for_whom() -> None:
    """Where a house rule changes something only for some numbers of players, they are named."""
    out = bohn("rules", "full", COLUMNS="200").stdout.decode()

    assert "field_price=2" in out
    assert "starter=left-of:N" in out

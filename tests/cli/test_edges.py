"""The edges of the command line: broken bytes, closed pipes, narrow terminals, files that are none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

import bohn as package
from bohn.cli.console import NARROWEST
from bohn.i18n import Catalog
from bohn.rules.commands import AnyCommand
from bohn.rules.decide import tag
from bohn.rules.turns.shared import TALK
from tests.cli.conftest import Run

NO_TEXT = os.fsdecode(b"a\xffb")
"""A word of the command line whose bytes are no UTF-8."""


def started(*arguments: str, given: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run ``python -m bohn`` as a user does."""
    return subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-m", "bohn", *arguments],
        input=given,
        capture_output=True,
        check=False,
        env={**os.environ, **environment},
    )


def test_module_is_the_program() -> None:
    """``python -m bohn`` is the same as ``bohn``."""
    run = started("--version")

    assert (run.returncode, run.stdout.split()) == (0, [b"bohn", package.__version__.encode()])


# -- bytes that are no text -------------------------------------------------------------------------


def test_line_that_is_no_text_is_an_unknown_command() -> None:
    """Bytes that are not UTF-8 are answered like any other word nobody knows, and the game goes on."""
    run = started("play", "--seed", "1", given=b"\xff\xfe\nquit\n", PYTHONIOENCODING="utf-8")

    assert (run.returncode, run.stderr) == (0, b"")
    assert b"There is no command" in run.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the file system takes no such name")
@pytest.mark.parametrize("command", ["play", "verify", "replay"])
def test_file_name_that_is_no_text_is_used(bohn: Run, home: Path, command: str) -> None:
    """A record whose name is not UTF-8 is written and read like any other."""
    path = home / NO_TEXT
    written = bohn("play", "--seed", 1, "--record", path)
    read = written if command == "play" else bohn(command, path)

    assert (read.status, read.err) == (0, "")


def test_missing_file_whose_name_is_no_text_is_one_line(bohn: Run) -> None:
    """A name that cannot be shown is shown with marks in place of its odd bytes."""
    assert bohn("verify", NO_TEXT).err == "bohn: a?b does not exist; expected a file\n"


def test_seed_that_is_no_text_is_refused(bohn: Run) -> None:
    """A seed whose bytes nobody could type again deals no game."""
    result = bohn("play", "--seed", NO_TEXT)

    assert result.status == 2
    assert "--seed: expected a number or a text" in result.err


def test_catalog_takes_halves_of_characters() -> None:
    """A parameter with half a character, as broken input leaves it, is shown with a mark in its place."""
    assert "a?b" in Catalog.load("en").text("desk.saved", path=NO_TEXT)


# -- pipes that are closed --------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break differently there")
@pytest.mark.parametrize(
    "arguments",
    [
        ("--version",),
        ("rules", "full"),
        ("rules", "HARVEST-1"),
        ("players",),
        ("play", "--seats", "b3,b3,b3"),
    ],
)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_closed_pipe_ends_quietly(arguments: tuple[str, ...], unbuffered: str) -> None:
    """Whatever prints, if nobody reads any more it stops without a word and without an error."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        run = subprocess.run(  # noqa: S603 - our own interpreter
            [sys.executable, "-m", "bohn", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=writing,
            stderr=subprocess.PIPE,
            check=False,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        )
    finally:
        os.close(writing)

    assert (run.returncode, run.stderr) == (0, b"")


# -- narrow terminals -------------------------------------------------------------------------------


def words_of(text: str) -> set[str]:
    """Return the words of a text, without the colons of headings."""
    return {word.rstrip(":") for word in text.split()}


@pytest.mark.parametrize("columns", [10, 30, 45, 59, 64, 80])
@pytest.mark.parametrize("arguments", [("rules",), ("rules", "full"), ("rules", "das-duell"), ("players",)])
def test_narrow_terminal_cuts_nothing(
    bohn: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], columns: int
) -> None:
    """Every word is there, however narrow the terminal is."""
    wide = words_of(bohn(*arguments).out)
    monkeypatch.setenv("COLUMNS", str(columns))
    narrow = bohn(*arguments).out

    assert "…" not in narrow
    assert {word for word in wide if len(word) <= NARROWEST} - words_of(narrow) == set()


def test_narrow_terminal_has_a_block_for_each_row(bohn: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a table does not fit, each row is told cell by cell with its headings."""
    monkeypatch.setenv("COLUMNS", "30")
    lines = [line.rstrip() for line in bohn("rules").out.splitlines()]

    assert lines[:4] == ["edition: full", "  players: 2-7", "  kinds: 11", "  cards: 154"]


def test_narrow_terminal_shows_the_table_of_the_game(bohn: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game can be followed in thirty columns."""
    monkeypatch.setenv("COLUMNS", "30")
    shown = bohn("play", "--seed", 1).out

    assert "…" not in shown
    assert max(len(line) for line in shown.splitlines() if "bohn" not in line) <= NARROWEST


# -- what is no file, no number, no place -----------------------------------------------------------


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="needs a device file")
@pytest.mark.parametrize("command", ["verify", "replay", "scenarios"])
def test_device_is_no_record(bohn: Run, command: str) -> None:
    """A device is refused as what it is."""
    result = bohn(command, "/dev/null")

    assert (result.status, result.err) == (2, "bohn: /dev/null is no regular file; expected a file\n")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipe_is_no_record(bohn: Run, home: Path) -> None:
    """A named pipe is refused at once instead of waiting for somebody to write."""
    os.mkfifo(home / "pipe")

    assert "is no regular file" in bohn("verify", home / "pipe").err


@pytest.mark.parametrize("number", ["0", "99", "123456789012345678901234567890"])
def test_number_that_is_no_suggestion_is_explained(bohn: Run, number: str) -> None:
    """A number beyond the suggestions tells which there are."""
    assert "Choose a number from 1 to" in bohn("play", "--seed", 1, lines=[f"{number}\n"]).out


def test_number_without_suggestions_is_no_pass(bohn: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing is suggested a number is explained, though the game does not wait for the person."""
    monkeypatch.setattr("bohn.cli.dialogue.ordered", lambda *_: [])
    monkeypatch.setattr("bohn.cli.dialogue.sensible_offers", lambda *_: [])
    shown = bohn("play", "--seed", 1, lines=["1\n"]).out

    assert shown.count("There is no numbered choice now") == 1
    assert "Chiyo is trading. Offer, answer, or press Enter to wait:" in shown


@pytest.mark.parametrize(
    "words", [("--lang", "de", "rules"), ("--lang=de", "rules"), ("rules", "--lang", "de")]
)
def test_language_may_stand_before_the_command(bohn: Run, words: tuple[str, ...]) -> None:
    """``--lang`` is understood before and after the sub-command."""
    result = bohn(*words)

    assert result.status == 0
    assert "das-duell" in result.out


# -- house rules ------------------------------------------------------------------------------------


def house_rules(bohn: Run, edition: str) -> dict[str, str]:
    """Return the house rules that are listed for an edition, each with its words."""
    block = bohn("rules", edition).out.partition("House rules")[2].partition("\n\n")[0]
    rows = [line.rstrip().partition("  ") for line in block.splitlines()[1:]]
    return {rule: words.strip() for rule, _, words in rows}


@pytest.mark.parametrize(
    ("rule", "players"),
    [
        ("field_price=2", "(2, 3, 4, 5 players)"),
        ("field_price=3", "(6, 7 players)"),
        ("closing=unanimous", "(3, 4, 5, 6, 7 players)"),
        ("exhaustions=3", "(3 players)"),
    ],
)
def test_house_rules_say_for_whom_they_change_something(
    bohn: Run, monkeypatch: pytest.MonkeyPatch, rule: str, players: str
) -> None:
    """A house rule that some numbers of players refuse or have anyway names the others."""
    monkeypatch.setenv("COLUMNS", "200")

    assert house_rules(bohn, "full")[rule].endswith(players)


def test_house_rules_for_everybody_name_no_players(bohn: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A house rule that every number of players may choose says no more than what it does."""
    monkeypatch.setenv("COLUMNS", "200")

    assert house_rules(bohn, "full")["tie=shared"] == "a tie is a shared victory"


def test_house_rules_say_who_begins_in_one_row(bohn: Run) -> None:
    """Both ways to name the starter stand in one row, not one row for each seat."""
    rows = [rule for rule in house_rules(bohn, "classic") if rule.startswith("starter")]

    assert rows == ["starter=seat:N | left-of:N"]


def test_catalog_lets_nothing_steer_the_terminal() -> None:
    """Control characters in a parameter, from a file or a paste, are shown as a mark."""
    assert "\x1b" not in Catalog.load("en").text("house.fields", value="\x1b[31mred")


@pytest.mark.parametrize("command", [c for c in get_args(AnyCommand) if c not in TALK])
def test_every_command_of_the_game_can_be_suggested(command: type) -> None:
    """A hint may name any command but talk, so each has its words."""
    assert f"suggest.{tag(command)}" in Catalog.load("en")

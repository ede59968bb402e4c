"""docs/notation.md names all that can be written, and its examples are read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bohn.notation.beans import parse_beans
from bohn.notation.commands import format_command, parse_command
from bohn.notation.positions import format_position, parse_position
from bohn.notation.scenarios import load_scenario, run_scenario

DOCUMENT = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", DOCUMENT, flags=re.MULTILINE | re.DOTALL)
TOML = [text for language, text in BLOCKS if language == "toml"]
SCENARIOS = [text for text in TOML if "[[steps]]" in text]
POSITIONS = [text for text in TOML if "[[steps]]" not in text]
COMMANDS = next(text for _, text in BLOCKS if text.startswith("offer ")).splitlines()


def test_document_has_examples() -> None:
    """Two scenarios and a position are shown whole."""
    assert (len(SCENARIOS), len(POSITIONS)) == (2, 1)


@pytest.mark.parametrize("text", SCENARIOS)
def test_scenario_of_the_document_holds(text: str) -> None:
    """The scenarios shown come out as they say."""
    assert run_scenario(load_scenario(text)) == []


@pytest.mark.parametrize("text", POSITIONS)
def test_position_of_the_document_round_trips(text: str) -> None:
    """The positions shown can be read, and what is written of them too."""
    assert parse_position(format_position(*parse_position(text))) == parse_position(text)


@pytest.mark.parametrize("text", COMMANDS)
def test_command_of_the_document_is_read(text: str) -> None:
    """The commands shown can be read in a position."""
    _, state = parse_position(POSITIONS[0])

    assert format_command(parse_command(text, 1, state)).split()[0] == text.split(maxsplit=1)[0]


def test_document_lists_the_beans() -> None:
    """The names shown are all there are, rarest first."""
    (names,) = (text for _, text in BLOCKS if text.startswith("cocoa"))

    assert parse_beans(names) == tuple(range(11))

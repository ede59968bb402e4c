"""A whole game as readable text, kept as a golden file: whatever changes in a game shows in it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import asdict

from bohn.notation.commands import format_command
from bohn.notation.events import format_event
from bohn.notation.summary import summary
from bohn.rules.commands import Command
from bohn.rules.events import Event
from bohn.rules.evolve import fold
from bohn.rules.folds.course import EMPTY
from bohn.rules.ruleset import BonusCard, Rules

Batch = tuple[Command | None, tuple[Event, ...]]
"""A command, or ``None`` for the opening, and the events it has caused."""


def playthrough(rules: Rules, batches: Iterable[Batch]) -> str:
    """Return a game as text: its rules, then each command with its events and the position after it."""
    lines = [f"{name}: {_text(value)}" for name, value in asdict(rules).items()]
    state = EMPTY
    for number, (command, events) in enumerate(batches):
        state = fold(events, state)
        said = "opening" if command is None else f"{command.player}: {format_command(command)}"
        lines += ["", f"#{number} {said}"]
        lines += [f"  > {format_event(event)}" for event in events]
        lines += [f"  {line}" for line in summary(rules, state)]
    return "\n".join(lines) + "\n"


def _text(value: Any) -> str:
    """Return a value of the rules; the bonus cards as pattern and pennies."""
    if isinstance(value, tuple):
        return " ".join(map(_part, value)) or "-"
    return str(value)


def _part(value: Any) -> str:
    """Return one member of a list without spaces, so that the members stay apart."""
    plain = tuple(asdict(value).values()) if isinstance(value, BonusCard) else value
    return str(plain).replace(" ", "")

"""A whole game as readable text, for golden files: any change of a game shows in it.

After each batch only what has changed in the position is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import UNSET
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
    """Return a game as text: its rules, then each command with its events and what they changed."""
    lines = [f"{name}: {_text(value)}" for name, value in asdict(rules).items() if value is not UNSET]
    state = EMPTY
    before: tuple[str, ...] = ()
    for number, (command, events) in enumerate(batches):
        state = fold(events, state)
        written = "opening" if command is None else f"{command.player}: {format_command(command)}"
        lines += ["", f"#{number} {written}"]
        lines += [f"  > {format_event(event)}" for event in events]
        after = summary(rules, state)
        lines += _changed(before, after)
        before = after
    return "\n".join(lines) + "\n"


def _changed(before: tuple[str, ...], after: tuple[str, ...]) -> list[str]:
    """Return the lines of a position that differ, and of the line of the table only the parts that do."""
    known = before[0].split("; ") if before else []
    table = "; ".join(part for part in after[0].split("; ") if part not in known)
    seats = [line for line in after[1:] if line not in before]
    return [f"  {line}" for line in ([table] if table else []) + seats]


def _text(value: Any) -> str:
    """Return a value of the rules; the bonus cards as pattern and pennies."""
    if isinstance(value, tuple):
        return " ".join(map(_part, value)) or "-"
    return str(value)


def _part(value: Any) -> str:
    """Return one member of a list without spaces, so that the members stay apart."""
    plain = tuple(asdict(value).values()) if isinstance(value, BonusCard) else value
    return str(plain).replace(" ", "")

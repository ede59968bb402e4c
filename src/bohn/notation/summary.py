"""A position in a few lines, for people."""

from __future__ import annotations

from typing import Any

from bohn.notation.beans import format_beans
from bohn.notation.positions import position_table
from bohn.rules.ruleset import Rules
from bohn.rules.state import State

TOP_CARDS = 5
"""Cards of the discard pile that are shown, from its top."""

_NOTHING: tuple[object, ...] = ("-", 0, [])
_IN_THE_HEAD = frozenset({"phase", "active", "turn", "draw_pile", "discard_pile", "player"})
_LEFT_OUT = _IN_THE_HEAD | {"starter", "shuffles", "next_offer", "next_promise", "bonus_pile", "stood"}


def summary(rules: Rules, state: State) -> tuple[str, ...]:
    """Return a line for the table and one for each seat; what is empty is left out."""
    table = position_table(rules, state)
    head = [f"turn {state.turn}: {table['phase']} of {state.active_player}", f"draw {len(state.draw_pile)}"]
    if state.discard_pile:
        top = format_beans(state.discard_pile[: -TOP_CARDS - 1 : -1])
        head.append(f"discards {len(state.discard_pile)}: {top}")
    players = (f"{seat}: {'; '.join(_described(player))}" for seat, player in enumerate(table["player"]))
    return ("; ".join(head + _described(table)), *players)


def _described(table: dict[str, Any]) -> list[str]:
    shown = ((key, value) for key, value in table.items() if key not in _LEFT_OUT)
    return [f"{key} {_text(value)}" for key, value in shown if value not in _NOTHING]


def _text(value: Any) -> str:
    return " | ".join(map(str, value)) if isinstance(value, list) else str(value)

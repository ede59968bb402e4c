"""The steps of a turn in their order, for programs that show one; the tables of turns say what is legal."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from bohn.rules.policies import TRADES_AS_WELL
from bohn.rules.ruleset import Rules

StepName = Literal[
    "leftovers", "plant", "turn-over", "lies", "trade", "plant-traded", "gift", "plant-gift", "bonus"
]


class Step(Struct, frozen=True, gc=False):
    """A step of a turn: the phase it belongs to, the command that stands for it, and its clause.

    The step of a phase is the first one that names it: what ends a phase may be a step of its own.
    """

    name: StepName
    phase: str
    command: str
    clause: str


Steps = tuple[Step, ...]

_TRADE = Step("trade", "trade", "end-trading", "DD-23")

STEPS: dict[str, Steps] = {
    "main": (
        Step("plant", "plant", "plant", "PLANT-1"),
        Step("turn-over", "plant", "reveal", "REVEAL-1"),
        Step("trade", "trade", "end-trading", "TRADE-11"),
        Step("plant-traded", "plant-traded", "plant-set-aside", "SETASIDE-1"),
    ),
    "bean-duel": (
        Step("leftovers", "leftovers", "discard-leftover", "DUEL-5"),
        Step("plant", "plant", "discard-from-hand", "DUEL-7"),
        Step("turn-over", "reveal", "reveal", "DUEL-8"),
        Step("lies", "plant-face-up", "leave-rest", "DUEL-10"),
    ),
    "das-duell": (
        Step("plant", "plant", "plant", "PLANT-1"),
        Step("turn-over", "plant", "reveal", "DD-5"),
        _TRADE,
        Step("gift", "gift", "take-gift", "DD-6"),
        Step("plant-gift", "plant-gift", "plant-gift", "DD-12"),
        Step("bonus", "bonus", "pass", "DD-17"),
    ),
}
"""The steps of each game, by the name that ``Rules.game`` carries."""

_WITHOUT_TRADE: dict[str, Steps] = {
    game: tuple(step for step in steps if step is not _TRADE) for game, steps in STEPS.items()
}


def steps_of(rules: Rules) -> Steps:
    """Return the steps of a turn in their order; Das Duell trades only where the house does (DD-23)."""
    return (STEPS if TRADES_AS_WELL[rules.trading] else _WITHOUT_TRADE)[rules.game]

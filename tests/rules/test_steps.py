"""The steps of a turn, against the tables that say what is legal."""

from __future__ import annotations

import pytest

from bohn.rules.decide import tag
from bohn.rules.resolve import resolve
from bohn.rules.turns import TURNS
from bohn.rules.turns.steps import STEPS, steps_of


@pytest.mark.parametrize("game", TURNS)
def test_steps_stand_in_the_table_of_their_game(game: str) -> None:
    """The command of each step is one of its phase."""
    table = {(tag(phase), tag(command)) for phase, row in TURNS[game].items() for command in row.commands}

    assert {(step.phase, step.command) for step in STEPS[game]} <= table


@pytest.mark.parametrize("game", TURNS)
def test_steps_leave_out_no_phase(game: str) -> None:
    """Every phase of a turn has a step; the end of the game is none."""
    assert {step.phase for step in STEPS[game]} == {tag(phase) for phase in TURNS[game]} - {"end"}


def test_steps_of_a_house_that_trades_too() -> None:
    """In Das Duell there is trading only where the house says so (DD-23)."""
    usual, also = resolve("das-duell", 2), resolve("das-duell", 2, "trading=also")

    assert [step.name for step in steps_of(usual)] == ["plant", "turn-over", "gift", "plant-gift", "bonus"]
    assert [step.name for step in steps_of(also)][2:4] == ["trade", "gift"]

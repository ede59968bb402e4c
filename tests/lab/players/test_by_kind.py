"""What a trader weighs by kind: how much more of each comes, who wants what, what is too late to plant."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bohn.lab.players.player_memory import BITS, MEMORY, expected_coins
from bohn.lab.players.styles import style_of
from bohn.lab.players.worth import hand_value, look, purse_of
from bohn.lab.row import ROW, Rows, tables
from bohn.lab.twin import deal_in
from bohn.rules import resolve
from bohn.rules.beans import Bean

RULES = tables(resolve("full", 4))
COINS = expected_coins(RULES)
ME, OTHER = 0, 1


def looked(style: Rows, turns: float | None = None) -> tuple[Rows, Rows]:
    """Return a fresh deal in which the left neighbour grows garden beans, and the memory of who looked."""
    states, memory = np.zeros(1, ROW), np.zeros(1, MEMORY)
    deal_in(RULES[0], states[0], 3)
    states["kind"][0, OTHER, 0], states["beans"][0, OTHER, 0] = Bean.GARDEN, 1
    memory["stamp"] = -1
    memory["known"][0, OTHER, Bean.BLUE] = 2
    look(RULES[0], states[0], COINS, style[0], memory[0], ME)
    if turns is not None:
        memory["turns"] = turns
    return states, memory


def plain() -> Rows:
    """Return the style of strong-2 that weighs by kind, with everything at nothing."""
    style = style_of("strong-2")
    style["by_kind"] = 1
    return style


def test_nothing_by_kind_changes_nothing() -> None:
    """With all its numbers at nothing it expects and weighs what the former player does."""
    one, other = looked(plain())[1], looked(style_of("strong-2"))[1]

    for what in ("supply", "before", "before_hand"):
        assert one[what].tobytes() == other[what].tobytes()


def test_supply_of_a_kind_is_scaled() -> None:
    """A number is the logarithm of how much more of its kind is expected, and of no other."""
    style = plain()
    style["supplies"][0, Bean.RED] = 0.5
    ratio = looked(style)[1]["supply"][0] / np.maximum(1e-9, looked(plain())[1]["supply"][0])

    assert ratio[Bean.RED] == pytest.approx(math.exp(0.5))
    assert ratio[Bean.GARDEN] == pytest.approx(1.0)


def test_cards_known_in_other_hands_are_expected() -> None:
    """What an offer has shown of a hand may come to one's own fields."""
    style = plain()
    style["known"] = 0.25
    more = looked(style)[1]["supply"][0] - looked(plain())[1]["supply"][0]

    assert more[Bean.BLUE] == pytest.approx(0.5)
    assert more[Bean.RED] == pytest.approx(0.0)


def test_hand_card_counts_what_another_would_gain_by_it() -> None:
    """A card that somebody grows has a price; his own card of it has none for him."""
    states, memory = looked(plain())
    row, style, card = states[0], plain(), 1 << BITS * Bean.GARDEN
    style["prices"][0, Bean.GARDEN] = 0.1
    need = float(memory["need"][0, OTHER, Bean.GARDEN])
    own = purse_of(row, style[0], memory[0], ME, card, 0.5)
    others = purse_of(row, style[0], memory[0], OTHER, card, 0.5)

    assert need > 0.1
    assert own == pytest.approx(0.1 + 0.5 * need)
    assert others < own


def test_hand_card_that_is_too_late_to_plant_counts_less() -> None:
    """Three cards need two own turns; where there is half a one left the later two count less."""
    style = plain()
    style["late"] = 0.4
    states, soon = looked(style, 0.5)
    late = [
        hand_value(states[0], COINS, style[0], memory[0], ME, 0) for memory in (soon, looked(style, 9.0)[1])
    ]

    assert 0.0 < late[0] < late[1]

"""How the players for rows farm: when the second card is planted, and when a row is sold unasked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bohn.lab.players.farm import FOR_A_GAIN, ON_AN_EMPTY_FIELD, farm
from bohn.lab.players.player_memory import MEMORY, expected_coins
from bohn.lab.players.styles import style_of
from bohn.lab.row import BEAN_DUEL, DUE, FACE_UP, LEFTOVERS, PLANT, PLANT_TRADED, ROW, Rows, tables
from bohn.lab.twin import A_FACE, A_GO_ON, A_HARVEST, A_PLANT, deal_in
from bohn.rules import resolve
from bohn.rules.beans import Bean

RULES = tables(resolve("full", 4))
COINS = expected_coins(RULES)
ME = 0
RED, SOY, BLUE, WAX = Bean.RED, Bean.SOY, Bean.BLUE, Bean.WAX


def done(
    style: Rows,
    fields: Sequence[tuple[Bean, int]],
    hand: Sequence[Bean],
    planted: int = 0,
    *,
    phase: int = PLANT,
    set_aside: Sequence[Bean] = (),
) -> int:
    """Return what seat 0 does in its turn with these fields and cards."""
    states: Rows = np.zeros(1, ROW)
    row = states[0]
    deal_in(RULES[0], row, 5)
    row["phase"], row["mode"], row["seat"], row["active"] = phase, DUE, ME, ME
    row["planted"], row["selected"] = planted, -1
    for place, (kind, beans) in enumerate(fields):
        row["kind"][ME, place], row["beans"][ME, place] = kind, beans
    row["hand"][ME, : len(hand)], row["hands"][ME] = hand, len(hand)
    row["held"][ME] = np.bincount(np.array(hand, np.int64), minlength=len(row["held"][ME]))
    for bean in set_aside:
        row["set_aside"][ME, bean] = 1
    if len(set_aside) == 1:
        row["selected"] = set_aside[0]
    memory: Rows = np.zeros(1, MEMORY)
    memory["stamp"] = -1
    return int(farm(RULES[0], row, COINS, style[0], memory[0], ME))


def second(rule: int, **numbers: float) -> Rows:
    """Return strong-3 with another rule for the second card."""
    style = style_of("strong-3")
    for name, number in {"second": rule, "second_gain": 0.2, **numbers}.items():
        style[name] = number
    return style


def test_second_card_waits_unless_it_gains() -> None:
    """A red bean takes no last empty field that blue beans of the hand will want; where it joins it goes."""
    hand = [RED, BLUE, BLUE, BLUE]

    assert done(second(ON_AN_EMPTY_FIELD), [(WAX, 3)], hand, planted=1) == A_PLANT + 1
    assert done(second(FOR_A_GAIN), [(WAX, 3)], hand, planted=1) == A_GO_ON
    assert done(second(FOR_A_GAIN), [(WAX, 3), (RED, 1)], hand, planted=1) == A_PLANT + 1


def test_strong_holds_a_second_card_that_its_predecessor_plants() -> None:
    """On the same table: a red bean before three blue ones, and one empty field."""
    hand = [RED, BLUE, BLUE, BLUE]

    assert done(style_of("strong-4"), [(WAX, 3)], hand, planted=1) == A_PLANT + 1
    assert done(style_of("strong-5"), [(WAX, 3)], hand, planted=1) == A_GO_ON


def test_second_card_waits_for_the_gain_that_the_style_asks_for() -> None:
    """As much as one likes."""
    assert done(second(FOR_A_GAIN, second_gain=50.0), [(WAX, 3), (RED, 1)], [RED], planted=1) == A_GO_ON


def test_first_card_never_waits() -> None:
    """It must be planted."""
    assert done(second(FOR_A_GAIN, second_gain=50.0), [(WAX, 3), (RED, 1)], [RED]) == A_PLANT + 1


def test_beginner_plants_what_joins_and_then_sells() -> None:
    """The bean that comes next from the hand, or was set aside; a row that nothing joins is sold at once."""
    old, new, rows = style_of("beginner-1"), style_of("beginner-2"), [(BLUE, 4), (SOY, 1)]

    assert done(old, rows, [BLUE]) == A_HARVEST
    assert done(new, rows, [BLUE]) == A_PLANT
    assert done(new, rows, [SOY]) == A_HARVEST
    assert done(new, rows, [BLUE], planted=2) == A_HARVEST
    assert done(new, rows, [], phase=PLANT_TRADED, set_aside=[BLUE]) == A_PLANT
    assert done(new, rows, [], phase=PLANT_TRADED, set_aside=[SOY, BLUE]) == A_FACE + SOY
    assert done(new, rows, [], phase=PLANT_TRADED, set_aside=[SOY]) == A_HARVEST


def test_beginner_plants_what_joins_in_the_bean_duel_too() -> None:
    """What lies face up or was left for a row is planted there before the row is sold."""
    rules = tables(resolve("full", 2))
    states: Rows = np.zeros(1, ROW)
    row, memory, style = states[0], np.zeros(1, MEMORY), style_of("beginner-2", BEAN_DUEL)
    deal_in(rules[0], row, 5)
    row["mode"], row["seat"], row["active"], row["selected"] = DUE, ME, ME, -1
    row["kind"][ME, :2], row["beans"][ME, :2] = (BLUE, SOY), (4, 1)
    for phase in (FACE_UP, LEFTOVERS):
        for lying, does in ((BLUE, A_FACE + BLUE), (SOY, A_HARVEST)):
            row["phase"], row["face_up"], memory["stamp"] = phase, 0, -1
            row["face_up"][lying] = 1
            assert farm(rules[0], row, expected_coins(rules), style[0], memory[0], ME) == does

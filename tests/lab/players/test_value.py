"""The learnt value of a position: player and training compute the same, from what a seat may see."""

from __future__ import annotations

import numpy as np
import pytest

from bench.learning.value import Value
from bohn.lab.players.player_memory import FACTS, MEMORY, expected_coins
from bohn.lab.players.quick import play_turns
from bohn.lab.players.styles import style_of, styles_of
from bohn.lab.players.value import ahead_of_others, coins_of, describe
from bohn.lab.row import ROW, Rows, tables
from bohn.lab.twin import deal_in
from bohn.rules import resolve

RULES = tables(resolve("full", 4))
COINS = expected_coins(RULES)
STYLE = style_of("strongest-1")


def described(coins: int = 3, me: int = 1) -> tuple[Rows, Rows]:
    """Return a position in which one seat has these coins, and its memory, which has described it."""
    states: Rows = np.zeros(1, ROW)
    deal_in(RULES[0], states[0], 9)
    states["coins"][0, me] = coins
    memory: Rows = np.zeros(1, MEMORY)
    memory["stamp"] = -1
    describe(RULES[0], states[0], COINS, STYLE[0], memory[0], me, memory["seen"][0])
    return states, memory


def test_value_as_played_is_the_value_as_trained() -> None:
    """The plain loops of the player and the arrays of the training give the same coins."""
    rand = np.random.default_rng(4)
    size = 2 * FACTS
    value = Value(
        {
            "a": rand.normal(size=(size, 24)), "b": rand.normal(size=24), "c": rand.normal(size=(24, 2)),
            "d": rand.normal(size=(size, 2)), "e": rand.normal(size=2),
        }
    )  # fmt: skip
    style, (_, memory) = style_of("strongest-1"), described()
    style["deep"], style["flat"] = value.kept()["deep"], value.kept()["flat"]
    _, expected = value.of(memory["seen"][0, :4])

    assert [coins_of(style[0], memory[0], 4, seat) for seat in range(4)] == pytest.approx(expected, abs=1e-3)


def test_value_of_more_coins_is_higher() -> None:
    """A seat with five coins more is expected to be further ahead."""
    (poor, memory), (rich, other) = described(3), described(8)

    assert ahead_of_others(RULES[0], rich[0], COINS, STYLE[0], other[0], 1) > (
        ahead_of_others(RULES[0], poor[0], COINS, STYLE[0], memory[0], 1) + 2
    )


def test_value_knows_nothing_of_hidden_cards() -> None:
    """Other cards in other hands and another order of the draw pile change nothing of what is described."""
    states, memory = described()
    row = states[0]
    before = memory["seen"].copy()
    row["held"][2] = row["held"][2][::-1].copy()
    row["hand"][2, : row["hands"][2]] = row["hand"][2, : row["hands"][2]][::-1].copy()
    row["draw"][: row["draws"]] = row["draw"][: row["draws"]][::-1].copy()
    memory["stamp"] = -1
    describe(RULES[0], row, COINS, STYLE[0], memory[0], 1, memory["seen"][0])

    assert (memory["seen"] == before).all()


def test_short_playout_ends_after_its_turns() -> None:
    """Playing a few turns on ends at the beginning of a turn, with every card still there."""
    states, _ = described(coins=0)
    memories: Rows = np.zeros(8, MEMORY)
    styles = styles_of(["strongest-1"])
    play_turns(RULES[0], states[0], COINS, styles, memories, 3, 2)
    row = states[0]
    cards = row["draws"] + row["discards"] + row["hands"].sum() + row["beans"].sum() + row["coins"].sum()

    assert row["turn"] == 3
    assert cards == RULES["cards"][0]

"""Two who favour each other: how they are noticed, and how the others are traded with then."""

from __future__ import annotations

import numpy as np
import pytest

from bohn.lab.players.pairs import against_pair, notice_pairs, price_of_pair
from bohn.lab.players.player_memory import MEMORY
from bohn.lab.players.remembering import note_exchange
from bohn.lab.players.styles import WARY, style_of
from bohn.lab.row import ROW, Rows

ME, ONE, OTHER, FOURTH = 0, 1, 2, 3
STYLE = style_of("strong-3")
ENOUGH = int(WARY["wary"])


def watched(*pairs: tuple[int, int, int]) -> Rows:
    """Return the memory of a seat that has seen each two exchange so often, after it has looked."""
    row, memory = np.zeros(1, ROW), np.zeros(1, MEMORY)
    row["players"] = 4
    for one, other, times in pairs:
        memory["exchanges"][0, one, other] = memory["exchanges"][0, other, one] = times
    notice_pairs(row[0], STYLE[0], memory[0], ME)
    return memory


def test_pair_is_noticed_when_it_exchanges_much_more_than_the_others() -> None:
    """Who exchange with each other alone, and often enough, are noticed, and nobody else."""
    memory = watched((ONE, OTHER, ENOUGH))

    assert memory["noticed"][0]
    assert memory["paired"][0, :4].tolist() == [0, 1, 1, 0]


@pytest.mark.parametrize(
    "seen",
    [
        pytest.param([(ONE, OTHER, ENOUGH - 1)], id="too few"),
        pytest.param([(ONE, OTHER, ENOUGH), (ONE, FOURTH, 1)], id="others exchange too"),
        pytest.param([(ME, OTHER, 3 * ENOUGH)], id="one of them oneself"),
    ],
)
def test_pair_is_not_noticed_where_trade_is_as_usual(seen: list[tuple[int, int, int]]) -> None:
    """A few exchanges, or many at a table where many are made, or one's own, tell nothing."""
    assert not watched(*seen)["noticed"][0]


def test_other_victim_is_traded_with_and_the_pair_pays_a_price() -> None:
    """From then on a coin of the fourth counts for one's own side, and an exchange with the two costs."""
    memory = watched((ONE, OTHER, ENOUGH))
    told = [
        (bool(against_pair(STYLE[0], memory[0], q)), price_of_pair(STYLE[0], memory[0], q)) for q in (1, 3)
    ]

    assert told == [(False, WARY["shun"]), (True, 0.0)]


def test_who_was_told_of_a_pair_looks_for_no_other() -> None:
    """What was said before the deal stays so, whoever exchanges."""
    row, memory = np.zeros(1, ROW), np.zeros(1, MEMORY)
    row["players"] = 4
    memory["told"] = memory["noticed"] = 1
    memory["paired"][0, [ONE, FOURTH]] = 1
    memory["exchanges"][0, ONE, OTHER] = memory["exchanges"][0, OTHER, ONE] = ENOUGH
    notice_pairs(row[0], STYLE[0], memory[0], ME)

    assert memory["noticed"][0]
    assert memory["paired"][0, :4].tolist() == [0, 1, 0, 1]


def test_former_strong_player_notices_nobody() -> None:
    """A player that is not wary trades on as before, whatever it has seen."""
    memory, former = watched((ONE, OTHER, ENOUGH)), style_of("strong-2")

    assert not against_pair(former[0], memory[0], FOURTH)
    assert price_of_pair(former[0], memory[0], ONE) == 0.0


def test_exchange_is_counted_in_every_memory() -> None:
    """Everybody sees who exchanges with whom, to either side."""
    row, memories = np.zeros(1, ROW), np.zeros(3, MEMORY)
    row["players"], row["maker"], row["partner"] = 3, 2, 0
    note_exchange(row[0], memories, 0)

    assert memories["exchanges"][:, 2, 0].tolist() == memories["exchanges"][:, 0, 2].tolist() == [1, 1, 1]
    assert memories["exchanges"].sum() == 6

"""What noticing pairs costs where nobody colludes: the same deals with it and without it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import pytest

from bench import honest
from bench.exploiting.evolution import HELD_OUT
from bench.honest import BLOCK, Compared, line_of, measured, plus_minus
from bench.learning.jury import Floats, Seat
from bohn.lab.row import Rows


class Here:
    """A pool of this thread."""

    def map(self, work: Callable[..., Any], /, *parts: Iterable[Any]) -> Iterator[Any]:
        """Do every piece at once, in order."""
        return map(work, *parts)


def found(*lost: float) -> Compared:
    """Return what a player took from one seat, so much less with noticing in each deal."""
    without = np.full((1, len(lost)), 0.5)
    return Compared(without - np.array([lost]), without, without - np.array([lost]), without)


def test_both_play_equal_deals_from_every_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    """They differ in nothing but from when on a pair is noticed."""
    asked: list[tuple[float, int, int, int]] = []

    def pretended(style: Rows, _: Seat, place: int, first: int, deals: int) -> tuple[Floats, Floats]:
        asked.append((float(style["wary"][0]), place, first, deals))
        return np.full(deals, float(style["wary"][0])), np.full(deals, float(place))

    monkeypatch.setattr(honest, "from_place", pretended)
    deals = BLOCK + 2
    compared = measured(Here(), "strong-5", "strong-5:3", deals)

    pieces = [(at, first, number) for at in range(3) for first, number in ((0, BLOCK), (BLOCK, 2))]
    assert asked == [
        (wary, at, HELD_OUT + first, number) for at, first, number in pieces for wary in (4.0, 0.0)
    ]
    assert compared.share.shape == compared.share_without.shape == (3, deals)
    assert (compared.share - compared.share_without).min() == 4.0
    assert (compared.coins == compared.coins_without).all()


def test_player_that_never_notices_is_refused() -> None:
    """There is nothing to compare."""
    with pytest.raises(ValueError, match="expected a player that notices pairs"):
        measured(Here(), "strong-1", "strong-1", 1)


def test_games_that_end_alike_count_as_unchanged() -> None:
    """Neither wins nor coins differ in them."""
    assert found(0.0, 0.25, 0.0, -0.25).changed == 0.5


def test_where_no_game_changes_three_of_as_many_may() -> None:
    """No variance is no proof: what is not seen in forty games may be in fewer than three of forty."""
    assert found(*([0.0] * 40)).at_most == pytest.approx(7.5)


def test_interval_is_over_deals() -> None:
    """It is that of the differences, and of one deal nothing is known."""
    assert plus_minus(np.array([0.0, 1.0])) == pytest.approx(1.96 * np.sqrt(0.5) / np.sqrt(2))
    assert plus_minus(np.array([1.0])) == float("inf")


def test_row_says_what_noticing_costs_and_at_the_most() -> None:
    """In points of the share, in coins, and how often the result is another."""
    row = line_of("pk", found(0.0, 0.02, 0.0, 0.02))

    assert row == ("| three `pk` | 49.0 % | 50.0 % | +1.00 ± 1.13 | +2.13 | +0.010 ± 0.011 | 50 % | 4 |")

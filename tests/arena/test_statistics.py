"""Means, intervals, ranks and looks against values computed by hand."""

from __future__ import annotations

from math import log, sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bohn.arena.overall import overall
from bohn.arena.statistics import look_levels, looks_for, mean_of, ranks, student


@pytest.mark.parametrize(
    ("freedom", "expected"), [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (9, 2.262), (99, 1.984)]
)
def test_student_is_that_of_the_tables(freedom: int, expected: float) -> None:
    """The quantiles for 95 % are those printed in every table."""
    assert student(0.95, freedom) == pytest.approx(expected, rel=0.002)


def test_mean_has_the_interval_of_student() -> None:
    """Five deals 1 2 3 4 5: the mean is 3, the standard error the root of 2.5 / 5."""
    found = mean_of([1, 2, 3, 4, 5])

    assert found.mean == 3
    assert found.plus_minus == pytest.approx(2.776 * sqrt(0.5), rel=0.002)


def test_mean_of_one_deal_has_no_interval() -> None:
    """A single deal says nothing about chance."""
    assert mean_of([0.5]).plus_minus is None


def test_mean_of_nothing_is_refused() -> None:
    """Without deals there is no mean."""
    with pytest.raises(ValueError, match="at least one deal"):
        mean_of([])


def test_share_of_equal_deals_keeps_an_interval() -> None:
    """A hundred wins in a hundred deals are no proof of certainty."""
    assert mean_of([1.0] * 100, share=True).plus_minus == pytest.approx(log(40) / 100)


def test_ranks_split_ties_and_put_winners_first() -> None:
    """The winner is ahead of equal coins that lost by the tie-break; the two others share ranks 3 and 4."""
    assert ranks((1.0, 0.0, 0.0, 0.0), (9, 9, 5, 5)) == (1, 2, 3.5, 3.5)


def test_ranks_of_shared_victories_are_shared() -> None:
    """Two winners stand at one and a half each."""
    assert ranks((0.5, 0.5, 0.0), (9, 9, 5)) == (1.5, 1.5, 3)


@given(st.lists(st.integers(0, 30), min_size=2, max_size=7))
def test_ranks_add_up(coins: list[int]) -> None:
    """Whatever the ties, the ranks of n seats add up to n (n + 1) / 2."""
    assert sum(ranks([0.0] * len(coins), coins)) == len(coins) * (len(coins) + 1) / 2


@given(st.integers(1, 5000), st.integers(0, 500), st.integers(1, 60))
def test_looks_rise_to_the_end_in_whole_chunks(deals: int, first: int, chunk: int) -> None:
    """Looks are multiples of the chunk, all but the last."""
    looks = looks_for(deals, first, chunk)

    assert looks[-1] == deals
    assert sorted(set(looks)) == list(looks)
    assert all(look % chunk == 0 for look in looks[:-1])


def test_looks_spend_five_percent_together() -> None:
    """The errors of all looks add up to that of one 95 % interval."""
    levels = look_levels((100, 200, 400))

    assert sum(1 - level for level in levels) == pytest.approx(0.05)
    assert sorted(levels, reverse=True) == list(levels)


def test_looking_early_is_wrong_at_most_once_in_twenty() -> None:
    """Where the goal is the truth, hardly any cell is decided, although each is looked at four times."""
    rand = Random("looks")
    looks = (25, 50, 100, 200)
    levels = look_levels(looks)

    def decided() -> bool:
        shares = [float(rand.random() < 0.5) for _ in range(looks[-1])]
        means = (mean_of(shares[:look], level, share=True) for look, level in zip(looks, levels, strict=True))
        return any(not mean.low <= 0.5 <= mean.high for mean in means)

    assert sum(decided() for _ in range(400)) <= 20


def test_overall_of_one_cell_is_that_cell() -> None:
    """With one opponent the mean over opponents is nothing new."""
    shares = [0.25, 0.5, 0.75] * 40

    assert overall("pk", [shares]).share.mean == mean_of(shares).mean
    assert overall("pk", [shares]).share.plus_minus == pytest.approx(mean_of(shares, share=True).plus_minus)


def test_overall_counts_equal_deals_once() -> None:
    """The same shares in two cells are no more evidence than in one; opposite ones cancel out."""
    shares = [0.0, 1.0] * 60
    once, twice, none = (
        overall("pk", cells).share for cells in ([shares], [shares] * 2, [shares, shares[::-1]])
    )

    assert twice == once
    assert none.plus_minus == pytest.approx(log(40) / 120 / 2)


def test_overall_takes_cells_of_different_length() -> None:
    """A slow opponent with fewer deals counts as much as the others."""
    assert overall("pk", [[0.0] * 9, [1.0] * 3]).share.mean == 0.5

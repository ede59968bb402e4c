"""The comparison of two trees: what it reads, and how sure it is."""

from __future__ import annotations

import pytest

from bench.pairs import figures, interval


def test_figures_are_read_by_their_name() -> None:
    """Thousands, decimals and units do not matter; lines without a figure do not either."""
    told = "core: 123,456 decisions/s (goal 150,000)\n  mix\nwarm start: 0.75 s\nload: none\n"

    assert figures(told) == {"core": 123456.0, "warm start": 0.75}


def test_interval_of_nine_leaves_one_out_at_each_end() -> None:
    """The true median lies between the second and the eighth of nine values in 96 of 100 cases."""
    assert interval([9, 1, 8, 2, 7, 3, 6, 4, 5]) == (2, 8)


def test_interval_of_six_is_the_whole_range() -> None:
    """Six values hold it in 97 of 100 cases, five in 94."""
    assert interval([1, 2, 3, 4, 5, 6]) == (1, 6)
    with pytest.raises(ValueError, match="at least six pairs, not 5"):
        interval([1, 2, 3, 4, 5])

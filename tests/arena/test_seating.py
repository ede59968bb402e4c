"""Every distinct arrangement is played, or a sample in which every name sits everywhere equally often."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bohn.arena.seating import arrangements, number_of

LINE_UPS = st.lists(st.sampled_from("abcd"), min_size=2, max_size=6).map(tuple)


@given(LINE_UPS)
@settings(max_examples=40)
def test_arrangements_are_the_distinct_permutations(line_up: tuple[str, ...]) -> None:
    """Nobody is left out and nothing is played twice."""
    found = arrangements(line_up, most=720)

    assert len(found) == len(set(found)) == number_of(line_up)
    assert set(found) == set(permutations(line_up))


@pytest.mark.parametrize(
    ("line_up", "number"),
    [("abbb", 4), ("abcd", 24), ("aaaa", 1), ("aabb", 6), ("abcde", 120), ("abbcc", 30)],
)
def test_number_of_arrangements_is_known(line_up: str, number: int) -> None:
    """One candidate against n-1 copies has n arrangements, four different players 24."""
    assert number == number_of(line_up) == len(arrangements(tuple(line_up)))


@given(st.lists(st.sampled_from("abcdefg"), min_size=6, max_size=7).map(tuple), st.text(max_size=3))
@settings(max_examples=25)
def test_sample_seats_each_name_everywhere_equally_often(line_up: tuple[str, ...], seed: str) -> None:
    """A sample of many arrangements is balanced over the seats, without repeats, and within its cap."""
    found = arrangements(line_up, seed)
    seats = [Counter(arrangement[seat] for arrangement in found) for seat in range(len(line_up))]

    assert len(set(found)) == len(found) <= 120
    assert all(seat == seats[0] for seat in seats)


def test_sample_depends_on_the_seed_alone() -> None:
    """The same seed draws the same sample, another one another."""
    line_up = tuple("abcdefg")

    assert arrangements(line_up, "one") == arrangements(line_up, "one")
    assert arrangements(line_up, "one") != arrangements(line_up, "two")

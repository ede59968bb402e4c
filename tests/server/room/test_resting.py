"""Counting over times in which a clock stands still, compared with counting every moment."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bohn.server.room.resting import Gaps, Rests, ahead, behind, between, joined, shifted, standing

END = 60
"""How far the examples look; behind it a clock runs."""

gaps = st.lists(st.tuples(st.integers(0, END), st.integers(0, END)), max_size=4).map(joined)


def runs(moment: int, rests: Gaps) -> bool:
    """Tell whether a clock runs at a moment."""
    return not any(begins <= moment < ends for begins, ends in rests)


@given(now=st.integers(0, END), length=st.integers(1, END), rests=gaps)
def test_clock_that_runs_so_long_ends_behind_its_rests(now: int, length: int, rests: Gaps) -> None:
    """It counts the moments in which it runs, and ends behind the last of them."""
    moments = [moment for moment in range(now, 3 * END) if runs(moment, rests)]
    assert behind(now, length, rests) == moments[length - 1] + 1


@given(now=st.integers(0, END), length=st.integers(0, END), rests=gaps)
def test_what_is_left_is_what_was_given(now: int, length: int, rests: Gaps) -> None:
    """Between now and its end a clock runs as long as it was set to, unless it has run out in a rest."""
    assert between(now, behind(now, length, rests), rests) == length or length == 0


@given(due=st.integers(0, END), now=st.integers(0, END), rests=gaps)
def test_rests_are_not_counted(due: int, now: int, rests: Gaps) -> None:
    """From a moment to another there are as many as those in which it runs."""
    end = shifted(due, rests)
    if now <= end:
        assert between(now, due, rests) == sum(runs(moment, rests) for moment in range(now, end))


@given(due=st.integers(END, 2 * END), length=st.integers(1, END), rests=gaps)
def test_moment_before_the_end_is_one_in_which_the_clock_runs(due: int, length: int, rests: Gaps) -> None:
    """As long before it as is asked, its rests not counted."""
    moment = ahead(due, length, rests)
    assert sum(runs(one, rests) for one in range(moment, due)) == length
    assert runs(moment, rests)


def test_clock_put_off_into_a_rest_ends_behind_it() -> None:
    """As long behind it as it was put off into it, be that the next one; at its beginning it ends."""
    assert shifted(12, ((10, 20), (25, 30))) == 22
    assert shifted(17, ((10, 20), (25, 30))) == 32
    assert shifted(10, ((10, 20),)) == 10


def test_standing_tells_until_when() -> None:
    """The first moment of a rest is in it, its end is not."""
    assert standing(10, ((10, 20),)) == 20
    assert standing(20, ((10, 20),)) is None


def test_rests_that_touch_are_one() -> None:
    """Empty ones are none."""
    assert joined(((5, 9), (1, 3)), ((3, 4), (8, 12), (20, 20))) == ((1, 4), (5, 12))


def test_seat_without_rests_has_none() -> None:
    """Whatever its number."""
    rests = Rests(((1, 2),), (((3, 4),),))
    assert (rests.of(None), rests.of(0), rests.of(5)) == (((1, 2),), ((3, 4),), ())

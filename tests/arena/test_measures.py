"""Times of decisions, the public yardstick of exchanges, and ratings."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bohn.arena.ratings import Rated, ratings
from bohn.arena.surplus import worth_of_seat
from bohn.arena.timing import added, bucket, count, middle, quantile, times_of
from bohn.notation.positions import parse_position
from bohn.rules.beans import on_the_way

METER = ((2, 1), (4, 2), (5, 3))


@given(st.floats(1e-6, 100))
def test_bucket_is_right_within_its_width(seconds: float) -> None:
    """A duration is remembered to 5 %."""
    assert middle(bucket(seconds)) == pytest.approx(seconds, rel=0.05)


def test_quantiles_of_known_times() -> None:
    """Of 90 decisions in 1 ms and 10 in 1 s the median is 1 ms and the 95th percentile 1 s."""
    histogram: dict[int, int] = {}
    for seconds in [0.001] * 90 + [1.0] * 10:
        count(histogram, seconds)
    (found,) = times_of({"pk": added([histogram, histogram])})

    assert (found.player, found.decisions) == ("pk", 200)
    assert found.median == pytest.approx(0.001, rel=0.05)
    assert found.p95 == pytest.approx(1.0, rel=0.05)
    assert quantile({}, 0.5) == 0


@pytest.mark.parametrize(("beans", "coins"), [(0, 0), (1, 0.5), (2, 1), (3, 1.5), (4, 2), (5, 3), (9, 3)])
def test_yardstick_counts_the_way_to_the_next_coin(beans: int, coins: float) -> None:
    """Half of the way to a coin is half a coin; beyond the last step there is nothing."""
    assert on_the_way(METER, beans) == coins


def test_yardstick_plants_what_must_be_planted() -> None:
    """Face-up beans of the active player grow his field, take the empty one, or find none."""
    rules, state = parse_position(
        """
edition = "full"
players = 4
[position]
phase = "trade"
active = 0
face_up = "red soy"
[[position.player]]
fields = ["red", "-"]
[[position.player]]
fields = ["red", "blue"]
set_aside = "blue soy"
[[position.player]]
[[position.player]]
"""
    )
    meters = rules.beanometers
    red, blue, soy = (
        next(bean for bean in range(11) if _name(bean) == name) for name in ("RED", "BLUE", "SOY")
    )

    assert worth_of_seat(rules, state, 0) == on_the_way(meters[red], 2) + on_the_way(meters[soy], 1)
    assert worth_of_seat(rules, state, 1) == on_the_way(meters[red], 1) + on_the_way(meters[blue], 2)
    assert worth_of_seat(rules, state, 2) == 0


def _name(bean: int) -> str:
    from bohn.rules.beans import Bean

    return Bean(bean).name


RATED_GAMES = [Rated(("a", "b", "b"), (1, 0, 0), (9, 4, 5))] * 20


def test_ratings_put_the_winner_first() -> None:
    """A player who always wins is rated above the one he beats; the careful number is three sigma lower."""
    pytest.importorskip("openskill")
    found = ratings(RATED_GAMES, "seed")

    assert found is not None
    assert [one.player for one in found] == ["a", "b"]
    assert found[0].careful == pytest.approx(found[0].mu - 3 * found[0].sigma, abs=0.01)
    assert found == ratings(RATED_GAMES, "seed")


def test_ratings_are_left_out_without_openskill(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra is optional."""
    monkeypatch.setitem(sys.modules, "openskill.models", None)

    assert ratings(RATED_GAMES, "seed") is None

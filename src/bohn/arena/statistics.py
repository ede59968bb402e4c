"""Means and intervals, clustered by deal: games on the same cards are one observation.

An interval is Student's over the means of the deals. For a share of the wins it is never narrower than what
the number of deals alone allows: if all of n deals come out the same, shares up to about ln(2/a)/n away are
still possible at level 1 - a (the interval of Clopper and Pearson at its end).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf, log, pi, sqrt, tan
from statistics import NormalDist

from msgspec import Struct

LEVEL = 0.95
"""Intervals hold with this probability."""


class Mean(Struct, frozen=True):
    """A mean with its interval: half its width, and the level at which it holds.

    ``plus_minus`` is ``None`` where a single deal allows none.
    """

    mean: float
    plus_minus: float | None
    level: float = LEVEL

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return -inf if self.plus_minus is None else self.mean - self.plus_minus

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return inf if self.plus_minus is None else self.mean + self.plus_minus


def student(level: float, freedom: int) -> float:
    """Return how many standard errors lie on either side of a mean, by degrees of freedom.

    Exact for 1 and 2; else the expansion of Cornish and Fisher, whose error is below 1 % from 3 on
    at 95 %, and vanishes with more. Not SciPy's: no extra has that, and a result must not depend on
    what is installed (docs/adr/0015).
    """
    upper = (1 + level) / 2
    if freedom == 1:
        return tan(pi * (upper - 0.5))
    if freedom == 2:
        return (2 * upper - 1) * sqrt(2 / (4 * upper * (1 - upper)))
    z = NormalDist().inv_cdf(upper)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return sum((float(term / freedom**power) for power, term in enumerate(terms)), 0.0)


def mean_of(values: Sequence[float], level: float = LEVEL, *, share: bool = False) -> Mean:
    """Return mean and interval of independent values, one for each deal; ``share`` lie between 0 and 1.

    Raises ``ValueError`` without values.
    """
    number = len(values)
    if not number:
        raise ValueError("expected at least one deal")
    mean = sum(values) / number
    if number == 1:
        return Mean(mean, None, level)
    spread = sum((value - mean) ** 2 for value in values)
    half = student(level, number - 1) * sqrt(spread / (number - 1) / number)
    return Mean(mean, max(half, least_half_width(number, level)) if share else half, level)


def least_half_width(deals: int, level: float = LEVEL) -> float:
    """Return the half width that a share has even if all deals come out the same."""
    return min(1.0, log(2 / (1 - level)) / deals)


def ranks(shares: Sequence[float], coins: Sequence[float]) -> tuple[float, ...]:
    """Return the rank of each seat in one game, 1 for the best; equal seats share the mean of their ranks.

    Winners come first, as the edition breaks ties; the others follow by coins.
    """
    keys = [(share > 0, money) for share, money in zip(shares, coins, strict=True)]
    keys = [(True, inf) if won else (False, money) for won, money in keys]
    return tuple(1 + sum(other > key for other in keys) + (keys.count(key) - 1) / 2 for key in keys)


def look_levels(looks: Sequence[int]) -> tuple[float, ...]:
    """Return the level of the interval at each look, so that all hold together with probability ``LEVEL``.

    ``looks`` are numbers of deals, rising. Each look spends a part of the 5 % in proportion to its deals
    (a union bound, so it holds whatever is done after a look); the last one, which most cells reach, spends
    the most.
    """
    total = sum(looks)
    return tuple(1 - (1 - LEVEL) * look / total for look in looks)


def looks_for(deals: int, first: int, chunk: int) -> tuple[int, ...]:
    """Return after how many deals one looks: at the first look, and whenever they have doubled.

    All but the last are whole chunks.
    """
    look = max(chunk, -(-first // chunk) * chunk)
    found: list[int] = []
    while look * 3 <= deals * 2:  # a look just before the end would cost level and save next to nothing
        found.append(look)
        look *= 2
    return (*found, deals)


def total(values: Iterable[float]) -> float:
    """Return a sum that starts as a float."""
    return sum(values, 0.0)

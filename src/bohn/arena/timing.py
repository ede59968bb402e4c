"""How long decisions take: a histogram of few numbers that can be added up over processes."""

from __future__ import annotations

from collections.abc import Iterable
from math import log

from msgspec import Struct

LEAST = 1e-7
"""Seconds of the first bucket: no decision is quicker."""

STEP = 1.05
"""Each bucket is 5 % wider than the one before, so that a quantile is right within 2.5 %."""

_LOG_STEP = log(STEP)

Histogram = dict[int, int]
"""How many decisions by bucket."""


class Time(Struct, frozen=True):
    """Seconds for a decision: median, 95th percentile, longest; and how many there were."""

    player: str
    decisions: int
    median: float
    p95: float
    longest: float


def bucket(seconds: float) -> int:
    """Return the bucket of a duration."""
    return int(log(seconds / LEAST) / _LOG_STEP) if seconds > LEAST else 0


def middle(number: int) -> float:
    """Return the duration in the middle of a bucket, in seconds."""
    return float(LEAST * STEP ** (number + 0.5))


def count(histogram: Histogram, seconds: float) -> None:
    """Count one decision."""
    place = bucket(seconds)
    histogram[place] = histogram.get(place, 0) + 1


def added(histograms: Iterable[Histogram]) -> Histogram:
    """Return the sum of histograms."""
    total: Histogram = {}
    for histogram in histograms:
        for place, number in histogram.items():
            total[place] = total.get(place, 0) + number
    return dict(sorted(total.items()))


def quantile(histogram: Histogram, part: float) -> float:
    """Return the duration below which that part of the decisions is, in seconds; 0 if there are none."""
    left = part * sum(histogram.values())
    for place in sorted(histogram):
        left -= histogram[place]
        if left <= 0:
            return middle(place)
    return 0.0


def times_of(histograms: dict[str, Histogram]) -> tuple[Time, ...]:
    """Return the times of each player, by name."""
    return tuple(
        Time(
            player,
            sum(histogram.values()),
            quantile(histogram, 0.5),
            quantile(histogram, 0.95),
            quantile(histogram, 1.0),
        )
        for player, histogram in sorted(histograms.items())
    )

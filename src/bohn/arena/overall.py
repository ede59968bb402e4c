"""How a candidate does over all its cells: the plain mean, with an interval that knows they share deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt

from msgspec import Struct

from bohn.arena.statistics import LEVEL, Mean, least_half_width, student, total


class Overall(Struct, frozen=True):
    """The mean share of a candidate over its cells against others; each cell counts the same."""

    player: str
    cells: int
    share: Mean


def overall(player: str, cells: Sequence[Sequence[float]]) -> Overall:
    """Return the mean over cells, each of which is a share for each deal from the first on.

    What a deal adds to the means of all cells is one observation, so that equal cards count once. The least
    half width is that of one cell, since a rare deal need not be rare in all.
    """
    means = [total(shares) / len(shares) for shares in cells]
    deals = max(map(len, cells))
    adds = [
        total(
            (shares[deal] - mean) / len(shares)
            for shares, mean in zip(cells, means, strict=True)
            if deal < len(shares)
        )
        / len(cells)
        for deal in range(deals)
    ]
    mean = total(means) / len(means)
    if deals == 1:
        return Overall(player, len(cells), Mean(mean, None))
    half = student(LEVEL, deals - 1) * sqrt(total(add**2 for add in adds) * deals / (deals - 1))
    return Overall(player, len(cells), Mean(mean, max(half, least_half_width(deals) / len(cells))))


def overalls(shares: Mapping[str, Sequence[Sequence[float]]]) -> tuple[Overall, ...]:
    """Return the candidates with their shares by cell and deal, best first."""
    found = [overall(player, cells) for player, cells in shares.items()]
    return tuple(sorted(found, key=lambda one: (-one.share.mean, one.player)))

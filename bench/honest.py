"""What noticing pairs costs where nobody colludes: ``python -m bench.honest --deals 1000``.

One player that notices two who favour each other, and the same one that never does, play equal deals from
every seat of the same table. Where it notices nobody both play the same game, so the difference has a small
variance. Of each company the shares of the wins are printed, what noticing costs with a 95 % interval over
deals, and in how many games it changed anything.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

import numpy as np

from bench.exploiting.evolution import HELD_OUT
from bench.exploiting.forms import seat_of
from bench.exploiting.table import WIDTH
from bench.learning.jury import Floats, from_place
from bench.learning.pools import Pool
from bohn.bots import current_name
from bohn.lab.players.styles import style_of

BLOCK = 25
"""Deals of one piece of work."""


OF_NONE = 3.0
"""Where none of many games is changed, how many of as many others may be at the most, 95 times in 100."""


class Compared(NamedTuple):
    """What a player takes with noticing and without it: by seat and deal, in wins and coins over others."""

    share: Floats
    share_without: Floats
    coins: Floats
    coins_without: Floats

    @property
    def lost(self) -> Floats:
        """What noticing costs in each deal, in points of the share."""
        by_deal: Floats = 100 * (self.share_without - self.share).mean(0)
        return by_deal

    @property
    def at_most(self) -> float:
        """The upper end of the 95 % interval of that, in points.

        Where no game is another one there is no variance: of as many others three may be, with a win each.
        """
        if not self.changed:
            return 100 * OF_NONE / self.share.size
        return float(self.lost.mean()) + plus_minus(self.lost)

    @property
    def changed(self) -> float:
        """The part of the games in which noticing changed the result."""
        same = (self.share == self.share_without) & (self.coins == self.coins_without)
        return 1 - float(same.mean())


def compared(player: str, member: str, place: int, first: int, deals: int) -> tuple[Floats, ...]:
    """Play deals from one place with noticing and without it: a piece of work."""
    noticing = style_of(player)
    careless = noticing.copy()
    careless["wary"] = 0.0
    table = seat_of(member)
    share, coins = from_place(noticing, table, place, first, deals)
    share_without, coins_without = from_place(careless, table, place, first, deals)
    return share, share_without, coins, coins_without


def measured(pool: Pool, player: str, member: str, deals: int) -> Compared:
    """Play all deals from every seat of a table.

    Raises ``ValueError`` for a player that never notices a pair.
    """
    name = current_name(player)
    if not style_of(name)["wary"][0]:
        msg = f"{player}: expected a player that notices pairs, as strong"
        raise ValueError(msg)
    blocks = [(HELD_OUT + at, min(BLOCK, deals - at)) for at in range(0, deals, BLOCK)]
    by_seat = []
    for place in range(seat_of(member).players):
        pieces = [(name, member, place, first, number) for first, number in blocks]
        found = list(pool.map(compared, *zip(*pieces, strict=True)))
        by_seat.append([np.concatenate(part) for part in zip(*found, strict=True)])
    return Compared(*(np.array(part) for part in zip(*by_seat, strict=True)))


def plus_minus(by_deal: Floats) -> float:
    """Return half the 95 % interval of a mean over deals."""
    if len(by_deal) < 2:
        return math.inf
    return WIDTH * float(by_deal.std(ddof=1)) / math.sqrt(len(by_deal))


def line_of(company: str, found: Compared) -> str:
    """Return a row of a table of Markdown; what noticing costs is in points, and in coins over the others."""
    lost = found.lost
    coins = (found.coins_without - found.coins).mean(0)
    return (
        f"| three `{company}` | {100 * found.share.mean():.1f} % | {100 * found.share_without.mean():.1f} % "
        f"| {lost.mean():+.2f} ± {plus_minus(lost):.2f} | {found.at_most:+.2f} "
        f"| {coins.mean():+.3f} ± {plus_minus(coins):.3f} | {100 * found.changed:.0f} % | {lost.size:,} |"
    )


HEAD = (
    "| company | with noticing | without | it costs, in points | at the most | in coins "
    "| games it changes | deals |\n|---|--:|--:|--:|--:|--:|--:|--:|"
)


def main(options: Sequence[str] | None = None) -> None:
    """Print a row for each company."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--player", default="strong", help="who notices pairs (default: strong)")
    parser.add_argument("--company", nargs="+", default=["strong", "value-trader", "pk"])
    parser.add_argument("--deals", type=int, default=1000, help="deals, each from every seat (default: 1000)")
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args(options)
    print(HEAD)
    with ProcessPoolExecutor(given.workers) as pool:
        for company in given.company:
            print(
                line_of(current_name(company), measured(pool, given.player, company, given.deals)), flush=True
            )


if __name__ == "__main__":
    main()

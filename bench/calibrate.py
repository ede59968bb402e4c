"""Measure the simple players against each other: ``python bench/calibrate.py --games 600``.

Duplicate deals in all rotations on the ``free`` floor, full edition, three players. The table in
docs/players.md comes from here; *expected* are figures measured earlier on another engine, with
another floor of the same idea.
"""

from __future__ import annotations

import argparse

from bohn.bots import PLAYERS
from bohn.play.simulate import simulate

SELF_PLAY = {"random": 2.7, "no-trade": 3.9, "b3u": 10.6, "b6": 14.8, "b3": 18.0, "b4": 19.6, "pk": 21.1}
"""Coins a player that three equal players were expected to make."""

DUELS = {("pk", "b3"): 79, ("b4", "b3"): 55, ("b6", "b3"): 53, ("b3u", "b3"): 4, ("random", "no-trade"): 10}
"""Share of the wins, in per cent, that one player was expected to take from two of the other."""


def main() -> None:
    """Play every cell and print it beside what was expected."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=600, help="games a cell")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", default="calibrate")
    options = parser.parse_args()

    print(f"{options.games} games a cell; full, 3 players, free floor; ± is a 95 % interval over deals")
    print("self-play: coins a player")
    for name, expected in SELF_PLAY.items():
        summary = simulate(
            "full", 3, (name,) * 3, options.games, options.seed, workers=options.workers, factories=PLAYERS
        )
        coins = summary.by_name[0].coins
        print(f"  {name:<10} {coins.mean:6.2f} ± {coins.plus_minus:4.2f}   expected {expected}")
    print("one against two: share of the wins, coins of the one / of each of the two")
    for (one, two), percent in DUELS.items():
        summary = simulate(
            "full",
            3,
            (one, two, two),
            options.games,
            options.seed,
            workers=options.workers,
            factories=PLAYERS,
        )
        row, column = summary.by_name
        share = f"{100 * row.share.mean:5.1f} ± {100 * row.share.plus_minus:3.1f} %"
        coins_of = f"{row.coins.mean:5.1f} / {column.coins.mean:4.1f}"
        print(f"  {one:<10} {two:<10} {share}   {coins_of}   expected {percent} %")


if __name__ == "__main__":
    main()

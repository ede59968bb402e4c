"""Fit the numbers of a trader: ``python -m bench.climb --start strong --jury value-trader,pk,fair:3``.

A random change of one to three numbers is kept if it is better against the whole jury by more than 1.6
standard errors, on two sets of fresh deals; both sides play the same deals in every seat. With ``--jury
strong`` the same climb looks for a best reply to the frozen strong trader. With ``--executor ray:ADDRESS``
games are played by a cluster; the same seed and ``--trials`` give the same numbers anywhere.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from bench.learning.jury import Seat, all_scores, scores
from bench.learning.pools import Pool, add_where, on, where_of
from bohn.bots import current_name
from bohn.lab.players.player_memory import TRADER
from bohn.lab.players.styles import style_of
from bohn.lab.row import Rows

RANGES = {
    "capture": (0.05, 0.6), "rounds": (0.5, 3.0), "rival": (0.0, 0.6), "empty": (0.0, 1.0),
    "hand": (0.3, 1.3), "depth": (0.6, 1.0), "burden": (0.0, 2.0),
    "unknown": (0.0, 1.0), "k_answer": (0.1, 1.6),
    "k_answer_own": (0.1, 1.6), "k_offer": (0.0, 1.5), "k_offer_own": (0.0, 1.5), "theta_answer": (0.0, 0.4),
    "theta_offer": (0.0, 0.4), "lead": (0.0, 1.0), "cost": (0.0, 0.6), "adapt": (3.0, 40.0),
    "rate": (0.4, 1.4), "busy": (0.0, 1.0), "buy": (0.8, 3.0), "ahead": (0.0, 2.0), "k_guess": (0.0, 1.5),
    "chance": (0.05, 1.0),
}  # fmt: skip
"""What is fitted, and between which limits."""


def changed(style: Rows, names: list[str], rand: random.Random) -> Rows:
    """Return a style with one to three of its numbers changed."""
    other = style.copy()
    for name in rand.sample(names, rand.choice((1, 1, 2, 3))):
        low, high = RANGES[name]
        value = float(style[name][0])
        moved = value * math.exp(rand.gauss(0, 0.3)) if value > 0.05 else value + rand.gauss(0, 0.05)
        other[name] = min(high, max(low, moved))
    return other


class Climb:
    """One climb: a style, a jury, and the deals that have not been used."""

    def __init__(self, style: Rows, jury: list[Seat], deals: int, seed: int, pool: Pool) -> None:
        """Begin at a style; games are played by the pool."""
        self.best = style
        self._jury = jury
        self._deals = deals
        self._rand = random.Random(seed)
        self._first = 10_000_000 * (seed + 1)
        self._pool = pool

    def step(self) -> dict[str, Any]:
        """Try one change; return what came of it."""
        candidate = changed(self.best, list(RANGES), self._rand)
        gain, variance = self._gain(candidate, self._deals)
        kept = False
        if gain > 0.5 * math.sqrt(variance):
            again, spread = self._gain(candidate, 2 * self._deals)
            weight = 1 / variance + 1 / spread
            gain = (gain / variance + again / spread) / weight
            variance = 1 / weight
            kept = again > 0 and gain > 1.6 * math.sqrt(variance)
        if kept:
            self.best = candidate
        return {"gain": round(gain, 4), "error": round(math.sqrt(variance), 4), "kept": kept}

    def _gain(self, candidate: Rows, deals: int) -> tuple[float, float]:
        """Return by how much a style is better than the best on fresh deals, and the variance of that."""
        gain, variance = 0.0, 1e-9
        asked = [(style, seat) for seat in self._jury for style in (candidate, self.best)]
        found = iter(all_scores(asked, self._first, deals, self._pool))
        for (new, _), (old, _) in zip(found, found, strict=True):
            gain += float((new - old).mean())
            variance += float((new - old).var(ddof=1)) / deals
        self._first += deals
        return gain, variance

    def shares(self, deals: int) -> dict[str, tuple[float, float]]:
        """Return the share of the best against each member on fresh deals, with half its interval, in %."""
        found = {}
        for seat in self._jury:
            _, share = scores(self.best, seat, self._first, deals, self._pool)
            error = 196 * float(share.std(ddof=1)) / math.sqrt(deals)
            found[seat.text] = (round(100 * float(share.mean()), 1), round(error, 1))
        self._first += deals
        return found


def numbers(style: Rows) -> dict[str, float]:
    """Return the fitted numbers of a style."""
    return {name: round(float(style[name][0]), 4) for name in RANGES}


def main() -> None:
    """Climb and print every trial as a line of JSON, and last the best."""
    parser = argparse.ArgumentParser(description="Fit the numbers of a trader against a jury.")
    parser.add_argument("--start", default="strong", help="the trader to begin with (default: strong)")
    parser.add_argument(
        "--jury",
        default="value-trader,generous-trader,pk,b4,no-trade,value-trader:3,value-trader:classic",
        help="PLAYER[:EDITION][:N][:FLOOR],...",
    )
    parser.add_argument("--deals", type=int, default=24, help="deals a trial and member (default: 24)")
    parser.add_argument("--minutes", type=float, default=10.0, help="how long (default: 10)")
    parser.add_argument("--trials", type=int, help="at most so many changes (default: no limit)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the changes and the deals (default: 1)")
    parser.add_argument(
        "--final", type=int, default=400, help="fresh deals for the last figures (default: 400)"
    )
    add_where(parser)
    given = parser.parse_args()
    start = style_of(current_name(given.start))
    if start["kind"][0] != TRADER:
        parser.error(f"--start {given.start}: expected a trader, whose numbers can be fitted")
    jury = [Seat(text) for text in given.jury.split(",")]
    if any(seat.is_bean_duel for seat in jury):
        parser.error(
            f"--jury {given.jury}: expected tables with trading; for the bean duel there is bench.exploit"
        )
    where = where_of(parser, given)
    with on(where.cluster()) as cluster, ThreadPoolExecutor(where.workers) as threads:
        climb = Climb(start, jury, given.deals, given.seed, cluster or threads)
        began, trial = time.monotonic(), 0
        while time.monotonic() - began < 60 * given.minutes and trial != given.trials:
            trial += 1
            told = climb.step()
            print(json.dumps({"trial": trial, "s": round(time.monotonic() - began), **told}), flush=True)
        shares = climb.shares(given.final)
    print(json.dumps({"trials": trial, "numbers": numbers(climb.best), "shares": shares}))


if __name__ == "__main__":
    main()

"""Fit the numbers of a trader: ``python -m bench.climb --start strong --jury value-trader,pk,fair:3``.

A random change of one to three numbers is kept if it is better against the whole jury by more than 1.6
standard errors, on two sets of fresh deals; both sides play the same deals in every seat. With ``--jury
strong`` the same climb looks for a best reply to the frozen strong trader.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from bohn.bots import current_name
from bohn.lab.players.driver import play, winners
from bohn.lab.players.player_memory import MEMORY, TRADER, Table, expected_coins
from bohn.lab.players.styles import MODELS, style_of
from bohn.lab.row import ROW, Rows, tables
from bohn.play.floor import FLOOR_SETTINGS
from bohn.rules import resolve

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

COINS = 0.02
"""What a coin more than the others counts beside a fair share of the wins: it makes the climb less noisy."""

Floats = npt.NDArray[np.float64]


class Seat:
    """One of the jury: three (or as many as there are) copies of a player at a table."""

    def __init__(self, text: str) -> None:
        """Read ``PLAYER[:EDITION][:PLAYERS][:FLOOR]``, in any order but the first."""
        self.text = text
        player, *rest = text.split(":")
        self.player = current_name(player)
        self.edition, self.players, self.floor = "full", 4, "free"
        for part in rest:
            if part.isdecimal():
                self.players = int(part)
            elif part in FLOOR_SETTINGS:
                self.floor = part
            else:
                self.edition = part
        self.rules, self.table = _tables(self.edition, self.players, self.floor)


@lru_cache
def _tables(edition: str, players: int, floor: str) -> tuple[Rows, Table]:
    rules = tables(resolve(edition, players), FLOOR_SETTINGS[floor])
    return rules, expected_coins(rules)


def scores(
    candidate: Rows, seat: Seat, first: int, deals: int, pool: ThreadPoolExecutor
) -> tuple[Floats, Floats]:
    """Return for each deal the mean over the seats: wins in fair shares with coins, and the plain share."""
    n = seat.players
    styles: Rows = np.concatenate([candidate, style_of(seat.player), *map(style_of, MODELS)])
    styles["model"] = 2

    def from_seat(place: int) -> tuple[Floats, Floats]:
        states: Rows = np.zeros(2, ROW)
        memories: Rows = np.zeros(2 * n, MEMORY)
        memories["style"][:n] = 1
        memories["style"][place] = 0
        share, margin = np.zeros(deals), np.zeros(deals)
        for deal in range(deals):
            play(seat.rules, states, 0, seat.table, styles, memories, first + deal)
            won = int(winners(seat.rules, states, 0))
            share[deal] = (won >> place & 1) / won.bit_count()
            coins = states["coins"][0, :n].astype(float)
            margin[deal] = coins[place] - (coins.sum() - coins[place]) / (n - 1)
        return share, margin

    results = list(pool.map(from_seat, range(n)))
    share: Floats = np.mean([one for one, _ in results], axis=0)
    margin: Floats = np.mean([other for _, other in results], axis=0)
    return share * n + COINS * margin, share


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

    def __init__(self, style: Rows, jury: list[Seat], deals: int, seed: int) -> None:
        """Begin at a style."""
        self.best = style
        self._jury = jury
        self._deals = deals
        self._rand = random.Random(seed)
        self._first = 10_000_000 * (seed + 1)
        self._pool = ThreadPoolExecutor()

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
        for seat in self._jury:
            new, _ = scores(candidate, seat, self._first, deals, self._pool)
            old, _ = scores(self.best, seat, self._first, deals, self._pool)
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
    parser.add_argument("--seed", type=int, default=1, help="seed of the changes and the deals (default: 1)")
    parser.add_argument(
        "--final", type=int, default=400, help="fresh deals for the last figures (default: 400)"
    )
    given = parser.parse_args()
    start = style_of(current_name(given.start))
    if start["kind"][0] != TRADER:
        parser.error(f"--start {given.start}: expected a trader, whose numbers can be fitted")
    climb = Climb(start, [Seat(text) for text in given.jury.split(",")], given.deals, given.seed)
    began, trial = time.monotonic(), 0
    while time.monotonic() - began < 60 * given.minutes:
        trial += 1
        told = climb.step()
        print(json.dumps({"trial": trial, "s": round(time.monotonic() - began), **told}), flush=True)
    print(json.dumps({"trials": trial, "numbers": numbers(climb.best), "shares": climb.shares(given.final)}))


if __name__ == "__main__":
    main()

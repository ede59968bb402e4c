"""A player against a jury: as many copies of each member as there are seats, or of several, in every seat."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bench.learning.pools import Pool, warmed
from bohn.bots import current_name
from bohn.lab.players.driver import play, winners
from bohn.lab.players.player_memory import MEMORY, Table, expected_coins
from bohn.lab.players.styles import MODELS, evolved_style, style_of
from bohn.lab.row import BEAN_DUEL, MAIN_GAME, ROW, Rows, tables
from bohn.play.floor import FLOOR_SETTINGS
from bohn.rules import resolve

COINS = 0.02
"""What a coin more than the others counts beside a fair share of the wins: it makes the climb less noisy."""

FILE = "@"
"""What the name of a company begins with if it is a file that `bench.exploit --freeze` wrote."""

PAIR = "pair"
"""The part of a jury's member that lets two of the company count each other's coins as their own."""

Floats = npt.NDArray[np.float64]


class Seat:
    """One of the jury: as many copies of a player as there are seats left, or of several in turn."""

    def __init__(self, text: str) -> None:
        """Read ``PLAYER[+PLAYER...][:EDITION][:PLAYERS][:FLOOR][:pair]``, in any order but the first.

        Instead of a player there may be ``@FILE``, the best of a run of `bench.exploit`.
        """
        self.text = text
        player, *rest = text.split(":")
        self.company = tuple(current_name(name) for name in player.split("+"))
        self.player = self.company[0]
        self.edition, self.players, self.floor, self.pair = "full", 4, "free", False
        for part in rest:
            if part.isdecimal():
                self.players = int(part)
            elif part in FLOOR_SETTINGS:
                self.floor = part
            elif part == PAIR:
                self.pair = True
            else:
                self.edition = part
        self.rules, self.table = _tables(self.edition, self.players, self.floor)

    @property
    def is_bean_duel(self) -> bool:
        """Tell whether it plays the bean duel, where traders have other numbers."""
        return bool(self.rules["game"][0] == BEAN_DUEL)

    def styles(self, place: int) -> list[int]:
        """Return the row of styles of every seat: the candidate's is 0, the company follows in turn."""
        others = (1 + n % len(self.company) for n in range(self.players - 1))
        return [0 if at == place else next(others) for at in range(self.players)]

    def __reduce__(self) -> tuple[type[Seat], tuple[str]]:
        """Travel to other processes as a text, since each makes the tables once."""
        return Seat, (self.text,)


@lru_cache
def _tables(edition: str, players: int, floor: str) -> tuple[Rows, Table]:
    rules = tables(resolve(edition, players), FLOOR_SETTINGS[floor])
    return rules, expected_coins(rules)


def company_style(name: str, game: int = MAIN_GAME) -> Rows:
    """Return the style of a player in a game by name, or of the file that is named."""
    return evolved_style(Path(name.removeprefix(FILE))) if name.startswith(FILE) else style_of(name, game)


def from_place(candidate: Rows, seat: Seat, place: int, first: int, deals: int) -> tuple[Floats, Floats]:
    """Play deals from one place; return the share of the wins in each, and the coins over the others."""
    n = seat.players
    company = [company_style(name, int(seat.rules["game"][0])) for name in seat.company]
    styles: Rows = np.concatenate([candidate, *company, *map(style_of, MODELS)])
    styles["model"] = 1 + len(seat.company)
    states: Rows = np.zeros(2, ROW)
    memories: Rows = np.zeros(2 * n, MEMORY)
    memories["style"][:n] = seat.styles(place)
    share, margin = np.zeros(deals), np.zeros(deals)
    for deal in range(deals):
        if seat.pair:
            one, other = ((place + 1 + (deal + after) % (n - 1)) % n for after in (0, 1))
            memories["favours"] = 0.0
            memories["favours"][one, other] = memories["favours"][other, one] = 1.0
        play(seat.rules, states, 0, seat.table, styles, memories, first + deal)
        won = int(winners(seat.rules, states, 0))
        share[deal] = (won >> place & 1) / won.bit_count()
        coins = states["coins"][0, :n].astype(float)
        margin[deal] = coins[place] - (coins.sum() - coins[place]) / (n - 1)
    return share, margin


def all_scores(
    asked: Sequence[tuple[Rows, Seat]], first: int, deals: int, pool: Pool
) -> list[tuple[Floats, Floats]]:
    """Return what :func:`scores` does for each of several candidates and seats, all handed over at once."""
    pieces = [
        (candidate, seat, place, first, deals) for candidate, seat in asked for place in range(seat.players)
    ]
    warmed(pool, from_place, *pieces[0][:4], 1)
    found = pool.map(from_place, *zip(*pieces, strict=True))
    scored = []
    for _, seat in asked:
        results = [next(found) for _ in range(seat.players)]
        share: Floats = np.mean([one for one, _ in results], axis=0)
        margin: Floats = np.mean([other for _, other in results], axis=0)
        scored.append((share * seat.players + COINS * margin, share))
    return scored


def scores(candidate: Rows, seat: Seat, first: int, deals: int, pool: Pool) -> tuple[Floats, Floats]:
    """Return for each deal the mean over the seats: wins in fair shares with coins, and the plain share."""
    (found,) = all_scores([(candidate, seat)], first, deals, pool)
    return found

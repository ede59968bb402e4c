"""The traders by name: each is a :class:`~bohn.bots.traders.Trader` with the numbers of its name.

The numbers stand in `bohn.lab.players.styles`, what tells the traders apart in docs/players.md.
"""

from __future__ import annotations

from functools import cache

from bohn.bots.farming import NoTrade
from bohn.bots.traders import Trader
from bohn.lab.compiling import COMPILED
from bohn.play.floor import BRISK, play_game
from bohn.rules.resolve import resolve


class ValueTrader(Trader):
    """The yardstick: weighs what it gets against what the other gains."""

    name = "value-trader"


class GenerousTrader(Trader):
    """The yardstick made generous: takes nearly every exchange that helps it."""

    name = "generous-trader"


class BeginningTrader(Trader):
    """For a first game: sells every field at its first coin, and saves for nothing."""

    name = "beginner-1"


class SecondBeginningTrader(Trader):
    """For a first game: sells every field at its first coin, once it has planted on it what it can."""

    name = "beginner-2"


class FairTrader(Trader):
    """Fair company: few offers, likely to be welcome, and easily content."""

    name = "fair-1"


class SecondFairTrader(Trader):
    """Good company: proposes only what helps the other too, is content with little, and buys no field."""

    name = "fair-2"


class ThirdFairTrader(Trader):
    """Good company: takes whatever helps it, keeps what its hand will plant, saves for a third field."""

    name = "fair-3"


class StrongTrader(Trader):
    """Hard to beat: counts cards, minds who leads, has learnt what an exchange is worth."""

    name = "strong-1"


class SecondStrongTrader(Trader):
    """Hard to beat: as strong-1, with numbers that evolved against it, its attackers and others."""

    name = "strong-2"


class ThirdStrongTrader(Trader):
    """Hard to beat: weighs by kind and by who wants what, and notices two who favour each other."""

    name = "strong-3"


class FourthStrongTrader(Trader):
    """Hard to beat: as strong-3; for two who haggle over gifts it has learnt from games."""

    name = "strong-4"


class FifthStrongTrader(Trader):
    """Hard to beat: as strong-4, but holds the second card back; in the bean duel it weighs its hand too."""

    name = "strong-5"


class GentleTrader(Trader):
    """Easy company: takes whatever helps it, and proposes only what helps the other as well."""

    name = "gentle-1"


class SecondGentleTrader(Trader):
    """Easy company that lives for the moment: it gives any card of its hand for one it grows now."""

    name = "gentle-2"


class ThirdGentleTrader(Trader):
    """Easy company that is glad of what others gain: what helps them much it gives for too little."""

    name = "gentle-3"


class StrongestTrader(Trader):
    """As strong-1, and plays hidden cards out where the choice of a field matters; that needs Numba."""

    name = "strongest-1"


class SecondStrongestTrader(Trader):
    """As strong-2, and plays hidden cards out where the choice of a field matters; that needs Numba."""

    name = "strongest-2"


class ThirdStrongestTrader(Trader):
    """As strong-3, and plays hidden cards out where the choice of a field matters; that needs Numba."""

    name = "strongest-3"


class FourthStrongestTrader(Trader):
    """As strong-4, and plays hidden cards out where the choice of a field matters; that needs Numba."""

    name = "strongest-4"


class FifthStrongestTrader(Trader):
    """As strong-5, and plays hidden cards out where the choice of a field matters; that needs Numba."""

    name = "strongest-5"


TRADERS: dict[str, type[Trader]] = {
    kind.name: kind
    for kind in (
        *(ValueTrader, GenerousTrader, BeginningTrader, SecondBeginningTrader),
        *(GentleTrader, SecondGentleTrader, ThirdGentleTrader),
        *(FairTrader, SecondFairTrader, ThirdFairTrader),
        *(StrongTrader, SecondStrongTrader, ThirdStrongTrader, FourthStrongTrader, FifthStrongTrader),
        *(StrongestTrader, SecondStrongestTrader, ThirdStrongestTrader, FourthStrongestTrader),
        FifthStrongestTrader,
    )
}  # fmt: skip
"""The traders by name."""


@cache
def compile_all() -> None:
    """Let a trader make every kind of decision once, so that all is compiled; without Numba do nothing."""
    if COMPILED:
        bots = [StrongTrader(0), NoTrade(1), NoTrade(2)]  # among players who never trade it searches, too
        play_game(resolve("full", len(bots)), 0, bots, BRISK)
        play_game(resolve("full", len(bots)), 0, [StrongTrader(seed) for seed in range(3)], BRISK)

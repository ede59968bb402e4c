"""Ratings by OpenSkill's Plackett-Luce model, from the extra ``bohn[arena]``.

They order players that never met; how far one is ahead of another, the cells say better.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from msgspec import Struct

from bohn.arena.statistics import ranks

MOST_GAMES = 20_000
"""The most games that are rated, drawn evenly; more would not change a digit that is shown."""

ABSENT = "Ratings are left out: they need OpenSkill (pip install 'bohn[arena]')."


class Rating(Struct, frozen=True):
    """A player's rating: the estimate ``mu``, its uncertainty ``sigma``, and the careful ``mu - 3 sigma``."""

    player: str
    mu: float
    sigma: float
    careful: float


class Rated(Struct, frozen=True):
    """A game for the ratings: names, shares and coins by seat."""

    names: tuple[str, ...]
    shares: tuple[float, ...]
    coins: tuple[float, ...]


def ratings(games: Sequence[Rated], seed: str) -> tuple[Rating, ...] | None:
    """Return the ratings of all names, best first; ``None`` if OpenSkill is not installed.

    The order of the games matters to the model, so they are shuffled by ``seed``. A name that sits in
    several seats plays as that number of equal players, and moves by the mean of their moves.
    """
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        return None
    model: Any = PlackettLuce()
    drawn = list(games)
    Random(f"ratings/{seed}").shuffle(drawn)
    known: dict[str, Any] = {}
    for game in drawn[:MOST_GAMES]:
        _rate(model, known, game)
    found = [
        Rating(name, round(one.mu, 3), round(one.sigma, 3), round(one.mu - 3 * one.sigma, 3))
        for name, one in known.items()
    ]
    return tuple(sorted(found, key=lambda one: (-one.careful, one.player)))


def _rate(model: Any, known: dict[str, Any], game: Rated) -> None:
    """Let the names of one game move."""
    before = {name: known.setdefault(name, model.rating(name=name)) for name in game.names}
    if len(before) == 1:
        return
    teams = [[model.rating(mu=before[name].mu, sigma=before[name].sigma)] for name in game.names]
    after = model.rate(teams, ranks=list(ranks(game.shares, game.coins)))
    for name in before:
        moved = [after[seat][0] for seat, other in enumerate(game.names) if other == name]
        mu = sum(one.mu for one in moved) / len(moved)
        sigma = sum(one.sigma for one in moved) / len(moved)
        known[name] = model.rating(name=name, mu=mu, sigma=sigma)

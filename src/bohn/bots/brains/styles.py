"""The styles of the thinking players: numbers found by measuring (docs/players.md says how)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bohn.bots.brains.minds import B3, B3U, B4, B6, NO_TRADE, PK, STYLE, TRADER
from bohn.sim.row import Rows

SIMPLE = {"no-trade": NO_TRADE, "b3": B3, "b3u": B3U, "b4": B4, "b6": B6, "pk": PK}
"""The simple players there are compiled, by name."""

VALUE = {
    "capture": 0.144, "rounds": 1.21, "rival": 0.16, "empty": 0.246, "hand": 0.65, "depth": 0.87,
    "burden": 1.0, "unknown": 0.35, "k_answer": 0.65, "k_offer": 0.342, "theta_answer": 0.08,
    "theta_offer": 0.12, "cost": 99.0, "gifts": 1, "tries": 60, "second": 2, "buy": 1.8, "crowd": 7,
}  # fmt: skip
"""The value trader: a dozen numbers, fitted against a mixed jury of other players."""

GENEROUS = VALUE | {"k_answer": 0.2, "theta_answer": 0.0}
"""The value trader that takes nearly any gain."""

GENTLE = VALUE | {
    "k_answer": 0.0, "theta_answer": 0.0, "k_offer": 0.0, "cost": -0.1, "chance": 0.25, "k_guess": 0.0,
    "tries": 6,
}  # fmt: skip
"""Takes whatever helps it, and proposes only what helps the other too."""

FAIR = VALUE | {"k_answer": 0.3, "chance": 0.25, "k_guess": 0.7, "tries": 10, "lead": 0.3, "cost": 0.1}
"""Takes a fair share: what helps it more than a third of what it helps the other."""

STRONG = VALUE | {
    "capture": 0.17, "unknown": 0.355, "k_answer": 0.9, "k_answer_own": 0.594, "k_offer": 0.749,
    "k_offer_own": 0.5,
    "theta_answer": 0.17, "theta_offer": 0.1, "lead": 0.5, "cost": 0.1, "gifts": 0, "tries": 200, "wide": 1,
    "burden": 0.877, "adapt": 13.3, "rate": 0.8, "busy": 0.8, "buy": 2.2, "crowd": 5,
    "second": 2, "ahead": 1.0,
    "chance": 0.25, "k_guess": 0.7, "quiet": 90, "sure": 0.5, "margin": 0.1,
}  # fmt: skip
"""Weighs offers of up to three cards a side, minds who leads, learns from the trades it sees."""

STRONGEST = STRONG | {"playouts": 200, "quiet": 400, "sure": 1.0, "margin": 0.03}
"""As strong, and plays hidden cards out by chance where the choice matters most."""

TRADERS: dict[str, dict[str, float]] = {
    "h": VALUE, "g": GENEROUS, "gentle": GENTLE, "fair": FAIR, "strong": STRONG, "strongest": STRONGEST,
}  # fmt: skip
"""The traders by name."""

NAMES = (*SIMPLE, *TRADERS)
"""All players there are compiled."""


MODELS = ("pk", "no-trade")
"""Who plays hidden cards out in search: where people trade, and where nobody does."""


def style_of(name: str) -> Rows:
    """Return the style of a compiled player, one row. Raises ``KeyError`` for another name."""
    row: Rows = np.zeros(1, STYLE)
    if name in SIMPLE:
        row["kind"] = SIMPLE[name]
        return row
    numbers = TRADERS[name]
    row["kind"] = TRADER
    for number in STYLE.names or ():
        if number in numbers:
            row[number] = numbers[number]
    for side in ("k_answer", "k_offer"):
        row[f"{side}_own"] = numbers.get(f"{side}_own", numbers[side])
    return row


def styles_of(names: Sequence[str]) -> Rows:
    """Return the styles of some players, and last those of search's models."""
    rows: Rows = np.concatenate([*map(style_of, names), *map(style_of, MODELS)])
    rows["model"] = len(names)
    return rows

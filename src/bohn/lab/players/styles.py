"""The styles of the compiled players: numbers found by measuring (docs/players.md says how)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from bohn.lab.players.player_memory import B3, B3U, B4, B6, NO_TRADE, PK, STYLE, TRADER, Floats
from bohn.lab.row import BEAN_DUEL, MAIN_GAME, Rows

ADVANTAGE = Path(__file__).with_name("advantage.json")
"""The file with the learned worth of an exchange's parts."""

STRONG_2 = Path(__file__).with_name("strong-2.json")
"""The file with the numbers and the worths that evolved from those of ``strong-1`` (docs/players.md)."""

STRONG_3 = Path(__file__).with_name("strong-3.json")
"""The same of ``strong-3``, which evolved from ``strong-2``, also by kind and by who wants what."""

DUEL_5 = Path(__file__).with_name("bean-duel-5.json")
"""The numbers of ``strong-5`` in the bean duel, which evolved there (docs/players.md)."""

VALUE_OF_POSITIONS = Path(__file__).with_name("value.json")
"""The file with the learned value of positions."""

SIMPLE = {"no-trade": NO_TRADE, "b3": B3, "b3u": B3U, "b4": B4, "b6": B6, "pk": PK}
"""The simple players that are also compiled, by name."""

PARTNERS = {"chance": 0.17, "k_guess": 0.29, "learns": 0.02}
"""What is expected of partners where offers are few: fitted by `bench/answers.py`."""

VALUE = {
    "capture": 0.144, "rounds": 1.21, "rival": 0.16, "empty": 0.246, "hand": 0.65, "depth": 0.87,
    "burden": 1.0, "unknown": 0.35, "k_answer": 0.65, "k_offer": 0.342, "theta_answer": 0.08,
    "theta_offer": 0.12, "cost": 99.0, "gifts": 1, "tries": 60, "second": 2, "buy": 1.8, "crowd": 7,
}  # fmt: skip
"""The value trader: a dozen numbers, fitted against a mixed jury of other players."""

GENEROUS = VALUE | {"k_answer": 0.2, "theta_answer": 0.0}
"""The value trader that takes nearly any gain."""

GENTLE = VALUE | {
    "k_answer": 0.0, "theta_answer": 0.0, "k_offer": 0.0, "cost": -0.1, "tries": 6, **PARTNERS,
}  # fmt: skip
"""Takes whatever helps it, and proposes only what helps the other too."""

FAIR = VALUE | {
    "k_answer": 0.3,
    "tries": 10,
    "lead": 0.3,
    "cost": 0.1,
    **PARTNERS,
}
"""Takes a fair share: what helps it more than a third of what it helps the other."""

BEGINNER = GENTLE | {"eager": 1, "buy": 99.0}
"""Gentle, and sells every field at its first coin, so that none grows to more; it buys no field."""

HEEDLESS = GENTLE | {"hand": 0.0}
"""Gentle, and lives for the moment: what it may still want to plant counts for nothing to it."""

CONTENT = FAIR | {"k_answer": 0.1, "k_offer": 0.1, "cost": -0.1, "buy": 99.0}
"""Fair, and content with less: it proposes only what helps the other too, and never buys a field."""

BUDDING = BEGINNER | {"joins": 1, "second": 1, "rounds": 2.0, "k_answer": -0.3}
"""Beginner, that plants on a field before it sells it, and is glad of what others gain."""

GLAD = GENTLE | {"hand": 0.1, "ahead": 6.0, "second": 1, "rounds": 2.0, "k_answer": -0.3}
"""Gentle, and glad of what others gain: it gives what helps them much for a little less than it is worth."""

THRIFTY = FAIR | {
    "k_answer": 0.0, "k_offer": 0.0, "cost": -0.1, "hand": 0.3, "ahead": 2.0, "second": 1, "rounds": 2.0,
}  # fmt: skip
"""Fair, and takes whatever helps it; it keeps what its hand will plant and saves for a third field."""

STRONG = VALUE | {
    "capture": 0.17, "unknown": 0.355, "k_answer": 0.9, "k_answer_own": 0.594, "k_offer": 0.749,
    "k_offer_own": 0.5,
    "theta_answer": 0.0, "theta_offer": 0.0, "lead": 0.5, "cost": 0.1, "gifts": 0, "tries": 200, "wide": 1,
    "burden": 0.877, "adapt": 13.3, "rate": 0.8, "busy": 0.8, "buy": 2.2, "crowd": 5,
    "second": 2, "ahead": 1.0, "learned": 1,
    **PARTNERS, "quiet": 90, "sure": 0.5, "margin": 0.1,
}  # fmt: skip
"""Weighs offers of up to three cards a side, minds who leads, learns from the trades it sees."""

SEARCH = {"playouts": 20, "turns": 4, "quiet": 400, "sure": 1.0, "margin": 0.03}
"""What a player that searches does more."""

STRONGEST = STRONG | SEARCH
"""As strong, and plays hidden cards out by chance where the choice matters most."""

SHORT = STRONG | {"quiet": 0, "tries": 20, "wide": 0}
"""Strong without search, as it plays a few turns of a playout."""

TRADERS: dict[str, dict[str, float]] = {
    "value-trader": VALUE, "generous-trader": GENEROUS, "beginner-1": BEGINNER,
    "beginner-2": BUDDING, "gentle-1": GENTLE, "gentle-2": HEEDLESS, "gentle-3": GLAD, "fair-1": FAIR,
    "fair-2": CONTENT, "fair-3": THRIFTY, "strong-1": STRONG, "strongest-1": STRONGEST,
}  # fmt: skip
"""The traders by name; a level stands for one of them (`bohn.bots.names`)."""

WARY = {"wary": 4.0, "ally": 0.3, "shun": 0.5}
"""From when two are taken for a pair that favours each other, and how the others are traded with then."""

PATIENT = {"second": 3, "second_gain": 0.2}
"""The second card waits unless fields and hand are worth more with it on a field."""

EVOLVED: dict[str, tuple[Path, dict[str, float]]] = {
    "strong-2": (STRONG_2, {}),
    "strongest-2": (STRONG_2, SEARCH),
    "strong-3": (STRONG_3, WARY),
    "strongest-3": (STRONG_3, WARY | SEARCH),
    "strong-4": (STRONG_3, WARY),  # another in Das Duell alone
    "strongest-4": (STRONG_3, WARY | SEARCH),
    "strong-5": (STRONG_3, WARY | PATIENT),
    "strongest-5": (STRONG_3, WARY | PATIENT | SEARCH),
}
"""Traders with evolved numbers, by name: the file of these, and what each has besides."""

IN_THE_BEAN_DUEL: dict[str, Path] = {"strong-5": DUEL_5, "strongest-5": DUEL_5}
"""Traders with other numbers in the bean duel, by name: the file of these."""

NAMES = (*SIMPLE, *TRADERS, *EVOLVED)
"""All compiled players."""


MODELS = ("pk", "no-trade", "short")
"""The players of search's playouts: of whole games, the same where nobody trades, of a few turns."""


@cache
def advantage() -> Floats:
    """Return what each part of an exchange is worth in each scene, shape ``(parts, scenes)``.

    Learnt by `bench/learn.py`, which also wrote the file.
    """
    kept = json.loads(ADVANTAGE.read_text(encoding="utf-8"))
    return np.array(kept["advantage"], np.float64)


@cache
def value() -> tuple[Floats, Floats]:
    """Return the weights of the learned value, as `bohn.lab.players.value` reads them."""
    kept = json.loads(VALUE_OF_POSITIONS.read_text(encoding="utf-8"))
    return np.array(kept["deep"], np.float64), np.array(kept["flat"], np.float64)


def evolved_style(path: Path) -> Rows:
    """Return the style in a file that `bench.exploit` wrote: ``strong-1`` with other numbers, and worths."""
    return _with(style_of("strong-1"), _evolved(path))


@cache
def _evolved(path: Path) -> dict[str, float | list[float] | Floats]:
    kept = json.loads(path.read_text(encoding="utf-8"))
    worths = {"advantage": np.array(kept["advantage"], np.float64)} if "advantage" in kept else {}
    return {**kept["numbers"], **worths}


def _with(row: Rows, numbers: Mapping[str, float | list[float] | Floats]) -> Rows:
    for number, found in numbers.items():
        row[number] = found
    return row


def style_of(name: str, game: int = MAIN_GAME) -> Rows:
    """Return the style of a compiled player in a game, one row. Raises ``KeyError`` for another name."""
    if game == BEAN_DUEL and name in IN_THE_BEAN_DUEL:
        return evolved_style(IN_THE_BEAN_DUEL[name])
    if name in EVOLVED:
        file, besides = EVOLVED[name]
        return _with(evolved_style(file), besides)
    row: Rows = np.zeros(1, STYLE)
    if name in SIMPLE:
        row["kind"] = SIMPLE[name]
        return row
    numbers = SHORT if name == "short" else TRADERS[name]
    row["kind"] = TRADER
    for number in STYLE.names or ():
        if number in numbers:
            row[number] = numbers[number]
    if row["learned"][0]:
        row["advantage"], (row["deep"], row["flat"]) = advantage(), value()
    for side in ("k_answer", "k_offer"):
        row[f"{side}_own"] = numbers.get(f"{side}_own", numbers[side])
    return row


def styles_of(names: Sequence[str], game: int = MAIN_GAME) -> Rows:
    """Return the styles of some players in a game, and last those of search's models."""
    rows: Rows = np.concatenate([style_of(name, game) for name in (*names, *MODELS)])
    rows["model"] = len(names)
    return rows

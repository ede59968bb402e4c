"""The tables at which a trader learns: mixed company, three to seven players, two editions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from bohn.lab.compiling import compiled
from bohn.lab.players.partner import meet
from bohn.lab.players.player_memory import MEMORY, PARTS, Table, expected_coins
from bohn.lab.players.styles import MODELS, style_of
from bohn.lab.row import ROW, Rows, tables
from bohn.lab.twin import deal_in
from bohn.rules import resolve

Row = Any

COMPANY = (*["value-trader"] * 3, "generous-trader", *["learner"] * 3, "pk", "fair-1", "b4")
"""The other players, as often as they are named; the learner plays with copies of itself, too."""

GAMES = (
    *[("full", 4)] * 5,
    *[("full", 3)] * 2,
    *[("full", 5)] * 2,
    *[("full", 6)] * 2,
    *[("full", 7)] * 2,
    *[("classic", 4)] * 2,
    ("classic", 3),
)
"""What is played, as often as named."""

ALIKE = 0.5
"""How often all others are of one kind."""

STRAY = 0.35
"""How far the numbers of the stray self differ: a standard deviation of their logarithms."""


@dataclass(frozen=True)
class Seating:
    """One game about to be played: the learner's style is row 0, that of its stray self row 1."""

    seed: int
    players: int
    place: int
    rules: Rows
    table: Table
    styles: Rows
    states: Rows
    memories: Rows


@lru_cache
def _tables(edition: str, players: int) -> tuple[Rows, Table]:
    rules = tables(resolve(edition, players))
    return rules, expected_coins(rules)


def seat(learner: Rows, seed: int, company: Sequence[str] = COMPANY) -> Seating:
    """Deal one game, with the learner in one of the seats, in the style of its stray self."""
    rand = np.random.default_rng(seed)
    edition, n = GAMES[rand.integers(len(GAMES))]
    rules, table = _tables(edition, n)
    drawn = [company[at] for at in rand.integers(len(company), size=n)]
    names = [drawn[0]] * n if rand.random() < ALIKE else drawn
    others = [learner if name == "learner" else style_of(name) for name in names]
    styles: Rows = np.concatenate([learner, _stray(learner, rand), *others, *map(style_of, MODELS)])
    styles["playouts"] = styles["quiet"] = 0
    styles["model"] = 2 + n
    states: Rows = np.zeros(2, ROW)
    memories: Rows = np.zeros(2 * n, MEMORY)
    place = int(rand.integers(n))
    memories["style"][:n] = np.arange(2, 2 + n)
    memories["style"][place] = 1
    begin(rules, states, 0, styles, memories, seed)
    return Seating(seed, n, place, rules, table, styles, states, memories)


def _stray(learner: Rows, rand: np.random.Generator) -> Rows:
    """Return a style near the learner's, so that exchanges come up that it would not make itself."""
    other = learner.copy()
    for number in ("k_answer", "k_answer_own", "k_offer", "k_offer_own"):
        other[number] *= np.exp(rand.normal(0, STRAY))
    other["advantage"] *= np.exp(rand.normal(0, STRAY, (PARTS, 1)))
    other["theta_answer"] += rand.normal(0, 0.15)
    other["theta_offer"] += rand.normal(0, 0.1)
    other["cost"] = rand.choice([0.1, 0.5, 99.0])
    other["gifts"] = rand.random() < 0.5
    return other


@compiled
def begin(rules: Row, states: Row, i: int, styles: Row, memories: Row, seed: int) -> None:
    """Deal a game, with an empty memory for every seat."""
    r, g = rules[0], states[i]
    deal_in(r, g, seed)
    for p in range(g["players"]):
        memories[p]["stamp"] = -1
        memories[p]["ladder_stamp"] = -1
        memories[p]["rng"] = seed * 8 + p
        memories[p]["known"][:, :] = 0
        meet(g, styles[memories[p]["style"]], memories[p])
    g["traders"] = (1 << int(g["players"])) - 1

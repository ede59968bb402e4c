"""Fit what players expect of answers: ``python -m bench.answers [--games 60] [--candidate strong]``.

Plays games in which few offers may be made, notes every answer to an offer of the candidate, and looks for
the numbers that make these answers likeliest: how often a partner has the card, the mean of the partners'
``k`` and how far they stray from it, the least a partner wants, and the width of the guess. Prints the mean
log-likelihood of an answer of each partner as the players expect it now, with the numbers found and nothing
learnt in a game, and with learning. What is found belongs into `bohn.lab.players.styles.PARTNERS` and
`bohn.lab.players.partner`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bench.learning.tables import begin
from bohn.bots import current_name
from bohn.lab.compiling import compiled
from bohn.lab.players.driver import accepts, move
from bohn.lab.players.partner import HARDEST, LEAST, SOFTEST, STEP, TRUST, fade_doubts, kinds_unknown
from bohn.lab.players.player_memory import MEMORY, expected_coins
from bohn.lab.players.styles import MODELS, PARTNERS, style_of
from bohn.lab.row import ANSWER, END, ROW, Rows, tables
from bohn.play.floor import FLOOR_SETTINGS
from bohn.rules import resolve

Row = Any
Floats = npt.NDArray[np.float64]

COMPANIES = (
    ("value-trader",) * 3,
    ("generous-trader",) * 3,
    ("pk",) * 3,
    ("fair-1",) * 3,
    ("value-trader", "generous-trader", "pk"),
)
"""The companies of players that answer, each in the same number of games."""

MOST = 4000
"""The most offers of a game that are noted."""

PARTNER, OWN, OTHER, HOLDS, UNKNOWN, AGREED = COLUMNS = range(6)
"""What is noted of an offer: who was asked, what both sides gain, how likely he holds it, how many kinds he
is not known to hold, his answer."""

ONCE_MORE = 3
"""Times that the simplex begins anew where it ended, smaller."""


@compiled
def offers_of(rules: Row, states: Row, v: Row, styles: Row, memories: Row, place: int, out: Row) -> int:
    """Play a game to its end; note the answers to a seat's offers and return how many there were."""
    g, n = states[0], 0
    while g["phase"] != END:
        if g["mode"] == ANSWER and g["maker"] == place and n < len(out):
            q, m = int(g["seat"]), memories[place]
            fade_doubts(g, m)
            out[n, PARTNER] = q
            out[n, OWN], out[n, OTHER] = m["expected_own"], m["expected_other"]
            out[n, HOLDS] = m["expected_has"]
            out[n, UNKNOWN] = kinds_unknown(m, q, int(m["asked_cards"]))
            out[n, AGREED] = 1.0 if accepts(rules, states, 0, v, styles, memories, q) else 0.0
            n += 1
        move(rules, states, 0, v, styles, memories)
    return n


@dataclass(frozen=True)
class Answers:
    """Answers by partner and game, in order, shape ``(partners, answers)``; ``there`` says which are some."""

    names: npt.NDArray[np.str_]  # (partners,)
    own: Floats
    other: Floats
    holds: Floats  # with today's trust and doubts
    unknown: Floats
    agreed: npt.NDArray[np.bool_]
    there: npt.NDArray[np.bool_]


def play(candidate: str, games: int, seed: int) -> Answers:
    """Play games in every company and return the answers."""
    rules = tables(resolve("full", 4), FLOOR_SETTINGS["brisk"])
    table = expected_coins(rules)
    names: list[str] = []
    found: list[Floats] = []
    for company in COMPANIES:
        styles: Rows = np.concatenate([style_of(name) for name in (candidate, *company, *MODELS)])
        styles["playouts"] = styles["quiet"] = 0
        styles["model"] = 4
        for game in range(games):
            states, memories = np.zeros(2, ROW), np.zeros(8, MEMORY)
            order = np.random.default_rng(seed + game).permutation(4)
            memories["style"][:4] = order
            begin(rules, states, 0, styles, memories, seed + game)
            out = np.zeros((MOST, len(COLUMNS)))
            n = offers_of(rules, states, table, styles, memories, int(np.flatnonzero(order == 0)[0]), out)
            for seat in np.flatnonzero(order > 0):
                asked = out[:n][out[:n, PARTNER] == seat]
                if len(asked):
                    names.append(company[order[seat] - 1])
                    found.append(asked)
    return _padded(names, found)


def _padded(names: Sequence[str], found: Sequence[Floats]) -> Answers:
    all_of = np.zeros((len(found), max(map(len, found)), len(COLUMNS)))
    there = np.zeros(all_of.shape[:2], np.bool_)
    for at, one in enumerate(found):
        all_of[at, : len(one)] = one
        there[at, : len(one)] = True
    own, other, holds, unknown = (all_of[:, :, column] for column in (OWN, OTHER, HOLDS, UNKNOWN))
    return Answers(np.array(names), own, other, holds, unknown, all_of[:, :, AGREED] > 0, there)


@dataclass(frozen=True)
class Expected:
    """What is expected of partners; ``strays`` is the variance of their ``k``."""

    trust: float
    k: float
    least: float
    width: float
    strays: float


def likelihoods(answers: Answers, what: Expected) -> tuple[dict[str, float], dict[str, float]]:
    """Return by partner the mean log-likelihood of an answer, and the mean ``k`` after a game."""
    count, length = answers.own.shape
    k, variance = np.full(count, what.k), np.full(count, what.strays)
    holds = np.minimum(1.0, answers.holds * (what.trust / TRUST) ** answers.unknown)
    found = np.zeros((count, length))
    for at in range(length):
        own, has, agreed = answers.own[:, at], holds[:, at], answers.agreed[:, at]
        decides = (answers.other[:, at] - k * own - what.least) / what.width
        yes = 1 / (1 + np.exp(-np.clip(decides, -40, 40)))
        agrees = np.clip(has * yes, 0.001, 0.999)
        found[:, at] = np.where(agreed, np.log(agrees), np.log(1 - agrees))
        slope = -own / what.width
        score = np.where(agreed, slope * (1 - yes), -slope * has * yes * (1 - yes) / (1 - agrees))
        told = (slope * has * yes * (1 - yes)) ** 2 / (agrees * (1 - agrees))
        there = answers.there[:, at]
        variance = np.where(there, variance / (1 + told * variance), variance)
        moved = np.clip(score * variance, -STEP, STEP)
        k = np.where(there, np.clip(k + moved, SOFTEST, HARDEST), k)
    by_name, after = {}, {}
    for name in dict.fromkeys(answers.names.tolist()):
        rows = answers.names == name
        by_name[name] = float(found[rows][answers.there[rows]].mean())
        after[name] = float(k[rows].mean())
    return by_name, after


def simplex(loss: Callable[[Floats], float], start: Floats, size: float, steps: int = 150) -> Floats:
    """Return where a function is least nearby, after Nelder and Mead: a corner moves, or all shrink."""
    points = [start] + [start + size * row for row in np.eye(len(start))]
    values = [loss(point) for point in points]
    for _ in range(steps):
        order = np.argsort(values)
        points, values = [points[at] for at in order], [values[at] for at in order]
        middle = np.mean(points[:-1], axis=0)
        tried = [middle + far * (middle - points[-1]) for far in (1.0, 2.0, 0.5, -0.5)]
        losses = [loss(point) for point in tried]
        if min(losses) < values[-1]:
            points[-1], values[-1] = tried[int(np.argmin(losses))], min(losses)
        else:
            points = [points[0]] + [(points[0] + point) / 2 for point in points[1:]]
            values = [values[0]] + [loss(point) for point in points[1:]]
    return points[int(np.argmin(values))]


def fitted(answers: Answers, begin_at: Expected, *, learns: bool) -> Expected:
    """Return the numbers that make the answers likeliest, every kind of partner counting alike."""
    start = np.array(
        [begin_at.trust, begin_at.k, begin_at.least, np.log(begin_at.width), np.log(begin_at.strays)]
    )

    def read(point: Floats) -> Expected:
        trust, k, least, width, strays = point.tolist()
        return Expected(min(1.0, max(0.05, trust)), k, least, float(np.exp(width)), float(np.exp(strays)))

    def loss(point: Floats) -> float:
        full = point if learns else np.append(point, -30.0)
        return -sum(likelihoods(answers, read(full))[0].values())

    point = start if learns else start[:-1]
    for size in [0.2 / 2**n for n in range(ONCE_MORE)]:
        point = simplex(loss, point, size)
    return read(point if learns else np.append(point, -30.0))


def main() -> None:
    """Play, fit and print."""
    parser = argparse.ArgumentParser(description="Fit what players expect of answers.")
    parser.add_argument("--candidate", default="strong", help="whose offers are answered (default: strong)")
    parser.add_argument("--games", type=int, default=60, help="games in each company (default: 60)")
    parser.add_argument("--seed", type=int, default=424_242_000, help="the first deal")
    given = parser.parse_args()
    candidate = current_name(given.candidate)
    if style_of(candidate)["chance"][0] <= 0:
        parser.error(
            f"--candidate {given.candidate}: expected one that guesses at answers (fair, gentle, strong)"
        )
    answers = play(candidate, given.games, given.seed)
    print(f"{answers.there.sum()} answers, {100 * answers.agreed[answers.there].mean():.1f} % yes")
    now = Expected(TRUST, PARTNERS["k_guess"], LEAST, PARTNERS["chance"], PARTNERS["learns"])
    told = {
        "now": now,
        "fitted, nothing learnt": fitted(answers, now, learns=False),
        "fitted, learning": fitted(answers, now, learns=True),
    }
    for name, what in told.items():
        by_name, after = likelihoods(answers, what)
        print(name, what)
        print("   ", " ".join(f"{who} {value:.4f} (k {after[who]:.2f})" for who, value in by_name.items()))


if __name__ == "__main__":
    main()

"""The value of a position: who will win and with how many coins, from what one seat sees of all.

A seat is described by ``FACTS`` numbers and the means of the others'; one hidden layer gives each seat a
logit (a softmax over the seats is the chance to win) and coins. It is trained on finished games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from bench.learning.tables import Seating, seat
from bohn.lab.compiling import compiled
from bohn.lab.players.driver import move, winners
from bohn.lab.players.player_memory import FACTS, HIDDEN
from bohn.lab.players.value import describe
from bohn.lab.row import END, SEATS, Rows

Row = Any
Floats = npt.NDArray[np.float64]

MOST = 60
"""The most positions of a game that are taken: every second turn's beginning."""

BATCH = 512
COINS = 10.0


@compiled
def follow(rules: Row, states: Row, i: int, v: Row, styles: Row, memories: Row, p: int, seen: Row) -> int:
    """Play a game to its end; write its positions, shape ``(MOST, players, FACTS)``; return how many."""
    r, g = rules[0], states[i]
    count, last = 0, -1
    while g["phase"] != END:
        if g["turn"] != last and g["turn"] % 2 == 0 and count < seen.shape[0]:
            last = int(g["turn"])
            describe(r, g, v, styles[memories[p]["style"]], memories[p], p, seen[count])
            count += 1
        move(rules, states, i, v, styles, memories)
    return count


@dataclass
class Positions:
    """What was seen, and how those games ended; seats after the last are empty."""

    seen: Floats  # (positions, seats, FACTS)
    there: Floats  # (positions, seats): 1 where a seat is taken
    shares: Floats
    coins: Floats
    games: npt.NDArray[np.int64]


def positions_of(learner: Rows, seeds: Sequence[int], company: Sequence[str]) -> Positions:
    """Play games and return their positions."""
    pieces = [_positions(seat(learner, seed, company)) for seed in seeds]
    return Positions(
        *(np.concatenate([getattr(piece, field.name) for piece in pieces]) for field in fields(Positions))
    )


def _positions(one: Seating) -> Positions:
    """Play one game and return its positions."""
    one.memories["style"][one.place] = 0
    seen = np.zeros((MOST, SEATS, FACTS))
    count = int(follow(one.rules, one.states, 0, one.table, one.styles, one.memories, one.place, seen))
    won, there, coins = int(winners(one.rules, one.states, 0)), np.zeros(SEATS), np.zeros(SEATS)
    there[: one.players] = 1
    shares = np.array([(won >> q & 1) / won.bit_count() for q in range(SEATS)])
    coins[: one.players] = one.states["coins"][0, : one.players]
    there, shares, coins = (np.repeat(row[None], count, 0) for row in (there, shares, coins))
    return Positions(seen[:count], there, shares, coins, np.full(count, one.seed))


class Value:
    """The trained value of positions."""

    def __init__(self, weights: dict[str, Floats]) -> None:
        """Take these weights: ``a, b`` of the hidden layer, ``c, d, e`` of what it and the input give."""
        self.weights = weights

    def forward(self, seen: Floats, there: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Return inputs, hidden layer, chances to win and coins, each with the shape ``(n, seats, ...)``."""
        w = self.weights
        total, count = (seen * there[..., None]).sum(1, keepdims=True), there.sum(1)[:, None, None]
        put = np.concatenate([seen, (total - seen) / np.maximum(1, count - 1)], -1)
        hidden = np.tanh(put @ w["a"] + w["b"])
        out = hidden @ w["c"] + put @ w["d"] + w["e"]
        logits = np.where(there > 0, out[..., 0], -1e9)
        chances = np.exp(logits - logits.max(1, keepdims=True)) * there
        return put, hidden, chances / chances.sum(1, keepdims=True), out[..., 1] * COINS

    def of(self, seen: Floats) -> tuple[Floats, Floats]:
        """Return chances to win and coins for one position, shape ``(players, FACTS)``."""
        _, _, chances, coins = self.forward(seen[None], np.ones((1, len(seen))))
        return chances[0], coins[0]

    def kept(self) -> dict[str, Any]:
        """Return what players need: the weights of the coins, as `bohn.lab.players.value` reads them."""
        w = self.weights
        deep = np.concatenate([w["a"], w["b"][None], w["c"][None, :, 1]])
        return {"deep": deep.round(6).tolist(), "flat": [*w["d"][:, 1].round(6), round(float(w["e"][1]), 6)]}

    def losses(self, data: Positions, chosen: npt.NDArray[np.int64]) -> tuple[float, float]:
        """Return the cross entropy of the wins and the root mean square error of the coins."""
        there = data.there[chosen]
        _, _, chances, coins = self.forward(data.seen[chosen], there)
        entropy = -(data.shares[chosen] * np.log(chances + 1e-9) * there).sum(1).mean()
        square = ((coins - data.coins[chosen]) ** 2 * there).sum() / there.sum()
        return float(entropy), float(square) ** 0.5


def train(data: Positions, seed: int, epochs: int = 6) -> tuple[Value, list[tuple[float, float]]]:
    """Train a value on nine tenths of the games; return it and the losses on the rest after each epoch."""
    rand = np.random.default_rng(seed)
    size = 2 * FACTS
    value = Value(
        {
            "a": rand.normal(0, 0.3, (size, HIDDEN)), "b": np.zeros(HIDDEN),
            "c": rand.normal(0, 0.1, (HIDDEN, 2)), "d": np.zeros((size, 2)), "e": np.zeros(2),
        }
    )  # fmt: skip
    held_out = data.games % 10 == 0
    training, others = np.flatnonzero(~held_out), np.flatnonzero(held_out)
    steps, curve = Adam(value.weights), []
    for epoch in range(epochs):
        rand.shuffle(training)
        for at in range(0, len(training) - BATCH, BATCH):
            steps.step(slopes(value, data, training[at : at + BATCH]), 3e-3 * 0.5 ** (epoch // 3))
        curve.append(value.losses(data, others))
    return value, curve


def slopes(value: Value, data: Positions, chosen: npt.NDArray[np.int64]) -> dict[str, Floats]:
    """Return the gradient of cross entropy and squared tens of coins by every weight."""
    there = data.there[chosen]
    put, hidden, chances, coins = value.forward(data.seen[chosen], there)
    out = np.stack([chances - data.shares[chosen], 2 * (coins - data.coins[chosen]) / COINS], -1)
    out *= there[..., None] / len(chosen)
    back = (out @ value.weights["c"].T) * (1 - hidden * hidden)
    return {
        "a": np.einsum("nsi,nsh->ih", put, back), "b": back.sum((0, 1)),
        "c": np.einsum("nsh,nso->ho", hidden, out), "d": np.einsum("nsi,nso->io", put, out),
        "e": out.sum((0, 1)),
    }  # fmt: skip


class Adam:
    """The usual steps down a noisy slope."""

    def __init__(self, weights: dict[str, Floats]) -> None:
        """Begin at these weights, which every step changes."""
        self._weights = weights
        self._mean = {name: np.zeros_like(weight) for name, weight in weights.items()}
        self._square = {name: np.zeros_like(weight) for name, weight in weights.items()}
        self._count = 0

    def step(self, slope: dict[str, Floats], rate: float) -> None:
        """Go one step down."""
        self._count += 1
        for name in self._weights:
            self._mean[name] += 0.1 * (slope[name] - self._mean[name])
            self._square[name] += 0.001 * (slope[name] ** 2 - self._square[name])
            mean = self._mean[name] / (1 - 0.9**self._count)
            square = self._square[name] / (1 - 0.999**self._count)
            self._weights[name] -= rate * mean / (np.sqrt(square) + 1e-8)

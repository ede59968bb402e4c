"""Forks: one position with an exchange and without it, some rounds later, judged by the learned value.

What the exchange was worth is the difference to the best opponent and to the mean of the others, half and
half: one step of policy iteration, with no guess at what either side's gain should count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bench.learning.tables import Seating, seat
from bench.learning.value import Value
from bohn.lab.compiling import compiled
from bohn.lab.players.driver import accepts, move
from bohn.lab.players.player_memory import FACTS, PARTS, SCENES
from bohn.lab.players.remembering import note_exchange, note_offer
from bohn.lab.players.value import describe
from bohn.lab.players.weigh import hardness, set_scene, weigh_exchange
from bohn.lab.players.worth import look
from bohn.lab.row import ANSWER, END, SEATS, Rows
from bohn.lab.twin import A_ACCEPT, A_DECLINE, apply_to, best_of, can_serve

Row = Any
Floats = npt.NDArray[np.float64]

ROUNDS = 2
"""Rounds that both branches are played: cards that changed hands have mostly become fields by then."""

OFTEN, MOST = 0.3, 30
"""How likely a fork is where an exchange is worth a thought, and how many a game has at most."""


@compiled
def next_fork(
    rules: Row, states: Row, i: int, v: Row, styles: Row, memories: Row, p: int, often: float
) -> bool:
    """Play on until a seat may make an exchange that is worth a fork; tell whether there is one.

    The exchange's parts and scene are then noted in the seat's memory.
    """
    r, g = rules[0], states[i]
    m = memories[p]
    s = styles[m["style"]]
    while g["phase"] != END:
        if g["mode"] == ANSWER and p in {int(g["maker"]), int(g["seat"])}:
            partner = int(g["seat"])
            could = (
                can_serve(g, p) if partner == p else accepts(rules, states, i, v, styles, memories, partner)
            )
            if could:
                look(r, g, v, s, m, p)
                m["rng"] = (int(m["rng"]) * 25214903917 + 11) & ((1 << 48) - 1)
                chance = ((int(m["rng"]) >> 16) & 1023) / 1024.0
                if chance < often * interest(r, g, v, s, m, p):
                    return True
        move(rules, states, i, v, styles, memories)
    return False


@compiled
def interest(r: Row, g: Row, v: Row, s: Row, m: Row, p: int) -> float:
    """Return how much an exchange is worth a thought: less if it is plainly good or bad."""
    maker = int(g["maker"])
    q = int(g["seat"]) if maker == p else maker
    own, other = weigh_exchange(r, g, v, s, m, p)
    set_scene(g, s, m, p, q, int(maker == p))
    net = own - hardness(s, m, s["k_answer"], q) * max(0.0, other)
    if own > -0.2 and abs(net) < 1.0:
        return 1.0
    return 0.1 if own > -1.0 else 0.0


@compiled
def play_on(
    rules: Row, states: Row, i: int, v: Row, styles: Row, memories: Row, p: int, agree: bool, seen: Row
) -> int:
    """Answer the offer and play some rounds; describe the position, or return who has won, as bits."""
    r, g = rules[0], states[i]
    until = int(g["turn"] + ROUNDS * g["players"])
    note_offer(g, memories, 0)
    if agree:
        note_exchange(g, memories, 0)
        apply_to(r, g, A_ACCEPT)
    else:
        apply_to(r, g, A_DECLINE)
    while g["phase"] != END and g["turn"] < until:
        move(rules, states, i, v, styles, memories)
    if g["phase"] == END:
        return int(best_of(r, g))
    describe(r, g, v, styles[memories[p]["style"]], memories[p], p, seen)
    return 0


@dataclass
class Forks:
    """Exchanges by their parts and scenes, and what they were worth in coins of difference."""

    inputs: Floats  # (forks, PARTS * SCENES)
    worth: Floats
    games: npt.NDArray[np.int64]


def forks_of(learner: Rows, value: Value, seeds: Sequence[int], company: Sequence[str]) -> Forks:
    """Play games and fork them."""
    inputs, worth, games = [], [], []
    for seed in seeds:
        for found, difference in _forks(seat(learner, seed, company), value):
            inputs.append(found)
            worth.append(difference)
            games.append(seed)
    found = np.array(inputs).reshape(-1, PARTS * SCENES)  # a piece of work may have found none
    return Forks(found, np.array(worth, np.float64), np.array(games, np.int64))


def _forks(one: Seating, value: Value) -> list[tuple[Floats, float]]:
    """Return inputs and worth of every fork of one game."""
    game = (one.rules, one.states, 0, one.table, one.styles, one.memories, one.place)
    states, memories = one.states.copy(), one.memories.copy()
    found: list[tuple[Floats, float]] = []
    while len(found) < MOST and next_fork(*game, OFTEN):
        memory = one.memories[one.place]
        put = np.outer(memory["parts"], memory["scene"]).ravel()
        worth = []
        for agree in (True, False):
            states[0] = one.states[0]
            memories[: one.players] = one.memories[: one.players]
            memories["style"][one.place] = 0
            worth.append(_after(one, value, states, memories, agree=agree))
        found.append((put, worth[0] - worth[1]))
        move(*game[:-1])
    return found


def _after(one: Seating, value: Value, states: Rows, memories: Rows, *, agree: bool) -> float:
    """Return the difference to the others, in coins, that is to be expected after an answer."""
    seen = np.zeros((SEATS, FACTS))
    over = play_on(one.rules, states, 0, one.table, one.styles, memories, one.place, agree, seen)
    if over:
        coins = states["coins"][0, : one.players].astype(float)
    else:
        _, coins = value.of(seen[: one.players])
    others = np.delete(coins, one.place)
    return float(coins[one.place] - (others.max() + others.mean()) / 2)


def fit(forks: Forks, strengths: Sequence[float] = (100, 300, 1000, 3000, 10_000)) -> tuple[Floats, float]:
    """Return the table of advantages, shape ``(PARTS, SCENES)``, and the variance it explains elsewhere.

    Ridge regression; how strongly what depends on the scene is held back is chosen by five folds of games.
    A coin of the own fields, on the whole, counts 1.
    """
    _, game = np.unique(forks.games, return_inverse=True)
    fold = game * 7919 % 5
    errors = []
    for strength in strengths:
        error = 0.0
        for held_out in range(5):
            weights = _ridge(forks, fold != held_out, strength)
            here = fold == held_out
            error += float(((forks.worth[here] - forks.inputs[here] @ weights) ** 2).sum())
        errors.append(error)
    best = int(np.argmin(errors))
    table: Floats = _ridge(forks, fold >= 0, strengths[best]).reshape(PARTS, SCENES)
    return table / table[0, 0], 1 - errors[best] / float((forks.worth**2).sum())


def _ridge(forks: Forks, chosen: npt.NDArray[np.bool_], strength: float) -> Floats:
    inputs, worth = forks.inputs[chosen], forks.worth[chosen]
    held_back = np.arange(PARTS * SCENES) % SCENES > 0
    penalty = held_back * strength * chosen.mean() * forks.inputs.var(0) + 1e-3
    return np.asarray(np.linalg.solve(inputs.T @ inputs + np.diag(penalty), inputs.T @ worth), np.float64)

"""What a position is worth beside the others': the learned value, one hidden layer over what a seat sees.

Every seat is described by :data:`~bohn.lab.players.player_memory.FACTS` numbers and the means of the others';
the network (`bench/learn.py` trains it on finished games) gives the coins it will end with.
"""

from __future__ import annotations

import math
from typing import Any

from bohn.lab.compiling import compiled
from bohn.lab.players.player_memory import FACTS, HIDDEN
from bohn.lab.players.worth import look

Row = Any

TENS = 10.0


@compiled
def describe(r: Row, g: Row, v: Row, s: Row, m: Row, p: int, seen: Row) -> None:
    """Write what a seat sees of every seat, shape ``(players, FACTS)``."""
    look(r, g, v, s, m, p)
    n = int(g["players"])
    for q in range(n):
        own = m["before_hand"] if q == p else 0.0
        seen[q, 0] = g["coins"][q] / TENS
        seen[q, 1] = (m["before"][q] - own) / TENS
        seen[q, 2] = own / 5.0
        seen[q, 3] = g["hands"][q] / TENS
        seen[q, 4] = g["fields"][q] - 2
        seen[q, 5] = ((q - g["active"]) % n) / n
        seen[q, 6] = q == p
        seen[q, 7] = m["passes"] / 2.0
        seen[q, 8] = 3.0 / (n - 1)


@compiled
def ahead_of_others(r: Row, g: Row, v: Row, s: Row, m: Row, p: int) -> float:
    """Return by how many coins a seat will beat the others: half the best of them, half their mean."""
    describe(r, g, v, s, m, p, m["seen"])
    n, own, best, total = int(g["players"]), 0.0, -1e9, 0.0
    for q in range(n):
        coins = coins_of(s, m, n, q)
        if q == p:
            own = coins
        else:
            best = max(best, coins)
            total += coins
    return own - 0.5 * (best + total / (n - 1))


@compiled
def coins_of(s: Row, m: Row, n: int, q: int) -> float:
    """Return the coins a described seat will end with, of ``n`` seats."""
    seen, means, deep, flat = m["seen"], m["means"], s["deep"], s["flat"]
    for k in range(FACTS):
        total = 0.0
        for other in range(n):
            total += seen[other, k]
        means[k] = (total - seen[q, k]) / (n - 1)
    coins = flat[2 * FACTS]
    for k in range(FACTS):
        coins += flat[k] * seen[q, k] + flat[FACTS + k] * means[k]
    for h in range(HIDDEN):
        x = deep[2 * FACTS, h]
        for k in range(FACTS):
            x += deep[k, h] * seen[q, k] + deep[FACTS + k, h] * means[k]
        coins += math.tanh(x) * deep[2 * FACTS + 1, h]
    return float(coins * TENS)

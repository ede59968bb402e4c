"""A digest of seeded random games of the twin: the same compiled, interpreted, and after a speed-up."""

from __future__ import annotations

import hashlib

import numpy as np

from bohn.lab import batch, twin
from bohn.lab.row import ROW, Rows, tables
from bohn.rules import resolve

GAMES = (("full", 2), ("full", 4), ("classic", 3))


def digest() -> str:
    """Return the digest of the rows, masks and observations of some whole games."""
    found = hashlib.sha256()
    bits, actions = np.zeros(1, np.int64), np.zeros(1, np.int64)
    seen = np.zeros((1, batch.FEATURES), np.uint8)
    known = np.ones((7, 11), np.int64)
    rules = tables(resolve("full", 4))
    for edition, players in GAMES:
        rules = tables(resolve(edition, players))
        states: Rows = np.zeros(2, ROW)
        twin.deal(rules, states, 0, 10 + players)
        if players != 4:
            states[0]["attentive"] = (1 << players) - 1
        bits[0] = twin.legal(rules, states, 0)
        while bits[0]:
            found.update(bits.tobytes())
            if states[0]["decisions"] % 40 == 0:
                batch.observe(states, 0, seen, 0)
                found.update(seen.tobytes())
            if states[0]["decisions"] % 100 == 0:
                batch.copy_row(states, 1, states, 0)
                batch.determinize(states, 1, int(states[0]["seat"]), known, 3)
                found.update(states.tobytes())
            batch.choose_at_random(states, 0, 1, bits, actions)
            bits[0] = twin.step(rules, states, 0, int(actions[0]))
        found.update(states.tobytes())
        found.update(batch.playouts(rules, states, 1, 1, 5).tobytes())
    found.update(batch.play_games(rules, 0, 1, 5).tobytes())
    return found.hexdigest()[:16]

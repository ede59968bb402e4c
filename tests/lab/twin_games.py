"""Games of the twin for tests: some way into a game, cards counted, hidden cards dealt anew."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bohn.lab import batch, twin
from bohn.lab.observations import FEATURES, LAYOUT, observe
from bohn.lab.row import CARDS, KINDS, ROW, SEATS, Rows, tables
from bohn.rules import resolve

FULL = tables(resolve("full", 4))


def play_on(states: Rows, rules: Rows = FULL) -> None:
    """Play one random decision."""
    actions = np.zeros(1, np.int64)
    bits = np.full(1, twin.legal(rules, states, 0))
    assert bits[0], "the game is over"
    batch.choose_at_random(states, 0, 1, bits, actions)
    twin.step(rules, states, 0, int(actions[0]))


def midway(decisions: int, seed: int = 5, rules: Rows = FULL) -> Rows:
    """One game after ``decisions`` random decisions."""
    states: Rows = np.zeros(1, ROW)
    twin.deal(rules, states, 0, seed)
    for _ in range(decisions):
        play_on(states, rules)
    return states


def waiting_for(mode: int, seed: int = 5) -> Rows:
    """One game in which a seat decides in this mode, some way into the game."""
    states = midway(200, seed)
    while states[0]["mode"] != mode:
        play_on(states)
    return states


def mixed(states: Rows, viewer: int, rng: np.random.Generator) -> None:
    """Deal the hidden cards of a game anew, without the code under test."""
    g = states[0]
    others = [p for p in range(g["players"]) if p != viewer]
    hidden = [g["draw"][: g["draws"]], *(g["hand"][p, : g["hands"][p]] for p in others)]
    cards = rng.permutation(np.concatenate(hidden))
    at = 0
    for place in hidden:
        place[:] = cards[at : at + len(place)]
        at += len(place)
    for p in others:
        g["held"][p] = np.bincount(g["hand"][p, : g["hands"][p]], minlength=KINDS)


def kinds_in(states: Rows) -> npt.NDArray[np.int64]:
    """All cards of each game, by kind: ``(games, KINDS)``."""
    total: npt.NDArray[np.int64] = states["face_up"].astype(np.int64) + states["box"]
    total += states["set_aside"].sum(1, dtype=np.int64)
    places = np.arange(CARDS)
    piles = [(states["draw"], states["draws"]), (states["discard"], states["discards"])]
    for p in range(SEATS):
        piles += [(states["hand"][:, p], states["hands"][:, p])]
        piles += [(states["treasury"][:, p], states["coins"][:, p])]
    for kind in range(KINDS):
        for cards, count in piles:
            total[:, kind] += ((cards == kind) & (places < count[:, None])).sum(1)
        total[:, kind] += (states["beans"] * (states["kind"] == kind)).sum((1, 2))
    return total


def shown(states: Rows) -> npt.NDArray[np.uint8]:
    """What the deciding seat of the first game sees."""
    seen = np.zeros((1, FEATURES), np.uint8)
    observe(states, 0, seen, 0)
    first: npt.NDArray[np.uint8] = seen[0]
    return first


def feature(seen: npt.NDArray[np.uint8], name: str) -> npt.NDArray[np.uint8]:
    """One feature of an observation, in its shape."""
    offset, shape = LAYOUT[name]
    return seen[offset : offset + int(np.prod(shape))].reshape(shape)

"""Copies of games of the twin, and the cards in them that a seat cannot see dealt anew."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from bohn.lab.compiling import compiled
from bohn.lab.row import KINDS, Rows
from bohn.lab.twin import Row, below, seed_row, shuffle_draw_pile

LANE = 5
"""Bits for a count in a packed number: no deck has more than 31 cards of a kind."""


@compiled
def copy_row(states: Rows, to: int, source: Rows, i: int) -> None:
    """Copy game ``i`` of ``source`` to place ``to`` of ``states``."""
    states[to] = source[i]


@compiled
def spread(states: Rows, source: Rows, i: int) -> None:
    """Copy game ``i`` of ``source`` to every place of ``states``."""
    for to in range(states.shape[0]):
        states[to] = source[i]


@compiled
def hidden_counts(g: Row, viewer: int) -> int:
    """Return the cards in the draw pile and in all hands but the viewer's, by kind, five bits a kind."""
    counts = 0
    for j in range(g["draws"]):
        counts += 1 << LANE * int(g["draw"][j])
    for p in range(g["players"]):
        if p != viewer:
            for k in range(KINDS):
                counts += int(g["held"][p, k]) << LANE * k
    return counts


@compiled
def determinize(states: Rows, i: int, viewer: int, known: npt.NDArray[Any], seed: int) -> None:
    """Deal the cards that a seat cannot see anew, in place, by chance; ``viewer`` -1 sees no hand.

    ``known`` counts the cards a hand is known to have, by player and kind; cards named in an offer stay
    too. They get places by chance, as the rest does. Hand sizes, the draw pile's size, everything public
    and the viewer's hand stay; future shuffles are by chance from ``seed``.
    """
    g = states[i]
    seed_row(g, seed)
    g["script_at"] = 0
    g["script_end"] = 0
    counts = hidden_counts(g, viewer)
    for p in range(g["players"]):
        if p != viewer:
            counts = lay_known(g, p, known, counts)
    n = 0
    for k in range(KINDS):
        for _ in range(counts >> LANE * k & 31):
            g["draw"][n] = k
            n += 1
    shuffle_draw_pile(g, n)
    for p in range(g["players"]):
        if p != viewer:
            n = fill_hand(g, p, n)


@compiled
def lay_known(g: Row, p: int, known: npt.NDArray[Any], counts: int) -> int:
    """Lay the known cards of a hand at its front; return what is left of the packed counts."""
    n, room = 0, int(g["hands"][p])
    for k in range(KINDS):
        wanted = int(known[p, k])
        if p == g["maker"]:
            wanted = max(wanted, int(g["give_hand"][k]))
        # never more than there are: false knowledge must not break the game
        wanted = min(wanted, counts >> LANE * k & 31, room - n)
        g["held"][p, k] = wanted
        counts -= wanted << LANE * k
        for _ in range(wanted):
            g["hand"][p, n] = k
            n += 1
    return counts


@compiled
def fill_hand(g: Row, p: int, n: int) -> int:
    """Fill a hand behind its known cards from the hidden cards, and mix it; return how many are left."""
    laid, hands = 0, int(g["hands"][p])
    for k in range(KINDS):
        laid += int(g["held"][p, k])
    for j in range(laid, hands):
        n -= 1
        card = int(g["draw"][n])
        g["hand"][p, j] = card
        g["held"][p, card] += 1
    if laid:
        for j in range(hands - 1, 0, -1):
            other = below(g, j + 1)
            card = int(g["hand"][p, j])
            g["hand"][p, j] = g["hand"][p, other]
            g["hand"][p, other] = card
    return n

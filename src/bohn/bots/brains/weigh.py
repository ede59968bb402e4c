"""Weighing an exchange: what it brings the own seat and, from public facts, the other.

Cards are counts by kind packed into one integer (:data:`~bohn.bots.brains.minds.BITS`): what ``comes`` to
a seat, what of its face-up beans it gives away (``lies``), what ``goes`` from its hand.
"""

from __future__ import annotations

from typing import Any

from bohn.bots.brains.minds import BITS, LANE
from bohn.bots.brains.worth import card_value, grow, hand_value, packed
from bohn.sim.compiling import compiled

Row = Any


@compiled
def own_gain(r: Row, g: Row, v: Row, s: Row, m: Row, p: int, comes: int, lies: int, goes: int) -> float:
    """Return what an exchange brings the own seat."""
    value = grow(r, g, v, m, p, int(m["aside"][p]) + comes - lies)
    return float(value + hand_value(g, v, s, m, p, goes) - m["before"][p])


@compiled
def others_gain(r: Row, g: Row, v: Row, s: Row, m: Row, q: int, comes: int, lies: int, goes: int) -> float:
    """Return what an exchange brings another seat, as everybody can see."""
    gain = grow(r, g, v, m, q, int(m["aside"][q]) + comes - lies) - m["before"][q]
    fields, k = int(g["fields"][q]), 0
    while goes:
        for copy in range(goes & LANE):
            gain -= s["unknown"] * card_value(v, m, fields, k, copy)
        goes >>= BITS
        k += 1
    return float(gain)


@compiled
def from_face_up(g: Row, m: Row, q: int, cards: int) -> int:
    """Return what of these cards a seat gives from the face-up beans: the active player all it can."""
    if q != g["active"]:
        return 0
    lies, rest, at, faces = 0, cards, 0, int(m["faces"])
    while rest:
        lies |= min(rest & LANE, faces >> at & LANE) << at
        rest >>= BITS
        at += BITS
    return lies


@compiled
def weigh_answer(r: Row, g: Row, v: Row, s: Row, m: Row, p: int) -> float:
    """Return the net gain of accepting the offer on the table: the own, less a part of the maker's."""
    maker = int(g["maker"])
    face, hand, want = packed(g["give_face"]), packed(g["give_hand"]), packed(g["want"])
    lies = from_face_up(g, m, p, want)
    own = own_gain(r, g, v, s, m, p, face + hand, lies, want - lies)
    if own <= s["theta_answer"]:
        return own
    other = others_gain(r, g, v, s, m, maker, want, face, hand)
    k = s["k_answer_own"] if p == g["active"] else s["k_answer"]
    return own - hardness(s, m, k, maker) * max(0.0, other)


@compiled
def hardness(s: Row, m: Row, k: float, q: int) -> float:
    """Return how much a coin of another seat counts against a coin of the own, more for a leader."""
    return float(k * (1.0 + s["lead"] * m["lead"][q]))

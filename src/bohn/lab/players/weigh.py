"""Weighing an exchange: what it brings the own seat and, from public facts, the other.

Cards are counts by kind packed into one integer (:data:`.player_memory.BITS`): what ``comes``
to a seat, what of its face-up beans it gives away (``lies``), what ``goes`` from its hand.
"""

from __future__ import annotations

from typing import Any

from bohn.lab.compiling import compiled
from bohn.lab.players.pairs import against_pair, price_of_pair
from bohn.lab.players.player_memory import (
    ALWAYS,
    BITS,
    COMES,
    GOES,
    LANE,
    LIES,
    OTHER_GAINS,
    OTHER_GOES,
    OTHER_HAND,
    OTHER_LOSES,
    OWN_FIELDS,
    OWN_HAND,
    PARTS,
    SCENES,
)
from bohn.lab.players.worth import card_value, grow, hand_value, packed, purse_of

Row = Any


@compiled
def own_gain(r: Row, g: Row, v: Row, s: Row, m: Row, p: int, comes: int, lies: int, goes: int) -> float:
    """Return what an exchange brings the own seat, and note its parts."""
    parts = m["parts"]
    fields = grow(r, g, v, m, p, int(m["aside"][p]) + comes - lies)
    hand = hand_value(g, v, s, m, p, goes)
    parts[OWN_FIELDS] = fields + m["before_hand"] - m["before"][p]
    parts[OWN_HAND] = hand - m["before_hand"]
    parts[ALWAYS] = 1.0
    parts[COMES], parts[LIES], parts[GOES] = cards_of(comes), cards_of(lies), cards_of(goes)
    m["purse"] = purse_of(g, s, m, p, goes, s["wanted"]) if s["by_kind"] else 0.0
    return float(fields + hand - m["before"][p])


@compiled
def others_gain(r: Row, g: Row, v: Row, s: Row, m: Row, q: int, comes: int, lies: int, goes: int) -> float:
    """Return what an exchange brings another seat, as everybody can see, and note its parts."""
    parts = m["parts"]
    gain = grow(r, g, v, m, q, int(m["aside"][q]) + comes - lies) - m["before"][q]
    parts[OTHER_GAINS], parts[OTHER_LOSES] = max(0.0, gain), min(0.0, gain)
    parts[OTHER_GOES] = cards_of(goes)
    m["other_purse"] = purse_of(g, s, m, q, goes, s["other_wanted"]) if s["by_kind"] else 0.0
    fields, k, lost, left = int(g["fields"][q]), 0, 0.0, gain
    while goes:
        for copy in range(goes & LANE):
            worth = card_value(v, m, fields, k, copy)
            lost += worth
            left -= s["unknown"] * worth
        goes >>= BITS
        k += 1
    parts[OTHER_HAND] = -lost
    return float(left)


@compiled
def cards_of(cards: int) -> int:
    """Return how many cards there are (packed)."""
    n = 0
    while cards:
        n += cards & LANE
        cards >>= BITS
    return n


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
    own, other = weigh_exchange(r, g, v, s, m, p)
    if m["favours"][maker] > 0.0:
        return float(own + m["favours"][maker] * other)
    if against_pair(s, m, maker):
        return float(own + s["ally"] * other)
    if s["learned"]:
        set_scene(g, s, m, p, maker, 0)
        return learned_gain(m, maker) - price_of_pair(s, m, maker)
    k = s["k_answer_own"] if p == g["active"] else s["k_answer"]
    return own - hardness(s, m, k, maker) * max(0.0, other)


@compiled
def weigh_exchange(r: Row, g: Row, v: Row, s: Row, m: Row, p: int) -> tuple[float, float]:
    """Return what the offer on the table brings one of its two sides, and the other; note the parts."""
    maker, partner = int(g["maker"]), int(g["partner"])
    face, hand, want = packed(g["give_face"]), packed(g["give_hand"]), packed(g["want"])
    lies = from_face_up(g, m, partner, want)
    if p == maker:
        own = own_gain(r, g, v, s, m, p, want, face, hand)
        return own, others_gain(r, g, v, s, m, partner, face + hand, lies, want - lies)
    own = own_gain(r, g, v, s, m, p, face + hand, lies, want - lies)
    return own, others_gain(r, g, v, s, m, maker, want, face, hand)


@compiled
def hardness(s: Row, m: Row, k: float, q: int) -> float:
    """Return how much a coin of another seat counts against a coin of the own, more for a leader."""
    return float(k * (1.0 + s["lead"] * m["lead"][q]))


# -- the learned advantage: what the difference to the best opponent gains by an exchange ------------


@compiled
def set_scene(g: Row, s: Row, m: Row, p: int, q: int, makes: int) -> None:
    """Work out what each part of an exchange with a seat counts in this position."""
    scene, weights, advantage = m["scene"], m["weights"][q], s["advantage"]
    scene[0] = 1.0
    scene[1] = 0.5 if p == g["active"] else -0.5
    scene[2] = makes - 0.5
    scene[3] = 1.0 / (g["players"] - 1) - 1.0 / 3.0
    scene[4] = m["passes"] - 1.0
    scene[5] = m["lead"][p]
    scene[6] = m["lead"][q]
    scene[7] = m["activity"] - 1.0
    for part in range(PARTS):
        weight = 0.0
        for n in range(SCENES):
            weight += scene[n] * advantage[part, n]
        weights[part] = weight


@compiled
def learned_gain(m: Row, q: int) -> float:
    """Return what the exchange last weighed is worth with a seat, after :func:`set_scene`."""
    parts, weights, gain = m["parts"], m["weights"][q], m["other_purse"] - m["purse"]
    for part in range(PARTS):
        gain += parts[part] * weights[part]
    return float(gain)

"""How traders farm: what is planted and when a field is sold unasked, by what positions are worth."""

from __future__ import annotations

from typing import Any

from bohn.lab.compiling import compiled
from bohn.lab.players.bean_duel import duel_card, front_most_stranger, plays_duel, simple_duel, weighed_duel
from bohn.lab.players.player_memory import BITS
from bohn.lab.players.room import field_for, matches, plant_or_room
from bohn.lab.players.worth import field_value, gain_with_hand, look
from bohn.lab.row import BEAN_DUEL, KINDS, PLANT, PLANT_TRADED, REVEAL
from bohn.lab.twin import A_FACE, A_GO_ON, A_HARVEST, harvestable

Row = Any

ON_AN_EMPTY_FIELD = 2
"""The style plants a second card on a match or on an empty field."""

FOR_A_GAIN = 3
"""The style plants a second card where fields and hand are worth more with it there."""


@compiled
def paying(r: Row, g: Row, s: Row, p: int) -> int:
    """Return a field that may be sold and brings as much as the style waits for, or -1."""
    mask, coins = harvestable(r, g, p), int(s["eager"])
    for f in range(g["fields"][p]):
        if s["joins"] and joined(g, s, p, int(g["kind"][p, f])):
            continue
        if mask >> f & 1 and r["pays"][g["kind"][p, f], min(25, int(g["beans"][p, f]))] >= coins:
            return f
    return -1


@compiled
def joined(g: Row, s: Row, p: int, k: int) -> bool:
    """Tell whether a seat is about to plant a bean of a kind, the next of its hand or what lies there."""
    if g["phase"] == PLANT:
        may_plant = g["planted"] == 0 or (g["planted"] == 1 and s["second"] > 0)
        return bool(may_plant and g["hands"][p] and g["hand"][p, 0] == k)
    return bool(g["set_aside"][p, k] or g["face_up"][k] or g["selected"] == k)


@compiled
def farm(r: Row, g: Row, v: Row, s: Row, m: Row, p: int) -> int:
    """Return what a trader does when the game waits for it."""
    look(r, g, v, s, m, p)
    if plays_duel(r, s):
        return weighed_duel(r, g, v, s, m, p)
    if s["eager"] > 0:
        f = paying(r, g, s, p)
        if f >= 0:
            return A_HARVEST + f
    phase, k = g["phase"], int(g["selected"])
    if phase == PLANT:
        return plant_from_hand(r, g, v, s, m, p)
    if phase == REVEAL:
        return A_GO_ON
    if phase == PLANT_TRADED:
        if k >= 0:
            return plant_or_room(r, g, v, s, m, p, k)
        return A_FACE + next_set_aside(g, v, m, p)
    return simple_duel(r, g, p) if s["eager"] > 0 else duel_card(r, g, v, m, p)


@compiled
def plant_from_hand(r: Row, g: Row, v: Row, s: Row, m: Row, p: int) -> int:
    """Plant the first card, and the second as the style says."""
    if g["hands"][p] == 0:
        return A_GO_ON
    k = int(g["hand"][p, 0])
    if g["planted"] == 0:
        return plant_or_room(r, g, v, s, m, p, k)
    if g["planted"] == 1 and s["second"] > 0:
        f = field_for(r, g, p, k)
        if f >= 0 and second_pays(r, g, v, s, m, p, k, f):
            return plant_or_room(r, g, v, s, m, p, k)
    return front_most_stranger(g, p) if r["game"] == BEAN_DUEL else A_GO_ON


@compiled
def second_pays(r: Row, g: Row, v: Row, s: Row, m: Row, p: int, k: int, f: int) -> bool:
    """Tell whether to plant the second card on a field that it fits: a match, an empty one, or for a gain."""
    if s["second"] == FOR_A_GAIN:
        return bool(gain_with_hand(r, g, v, s, m, p, k, 1 << BITS * k, 1.0) > s["second_gain"])
    return bool(g["beans"][p, f] or s["second"] == ON_AN_EMPTY_FIELD)


@compiled
def next_set_aside(g: Row, v: Row, m: Row, p: int) -> int:
    """Return the kind to plant next: what matches, then what is worth least."""
    best, least = -1, 1e9
    for k in range(KINDS):
        n = int(g["set_aside"][p, k])
        if n:
            worth = -1.0 if matches(g, p, k) else field_value(v, m, k, n, 0)
            if worth < least:
                best, least = k, worth
    return best

"""How traders play the bean duel: what they plant, leave to the other, and throw away."""

from __future__ import annotations

from typing import Any

from bohn.lab.compiling import compiled
from bohn.lab.players.player_memory import BITS
from bohn.lab.players.room import field_for, matches, plant_or_room, sell_least_loss
from bohn.lab.players.worth import gain_of_planting, gain_with_hand, grow, hand_value
from bohn.lab.row import BEAN_DUEL, KINDS, LEFTOVERS, PLANT, REVEAL
from bohn.lab.twin import A_DISCARD, A_FACE, A_GO_ON, A_HAND, A_HARVEST, A_PLANT

Row = Any


@compiled
def duel_card(r: Row, g: Row, v: Row, m: Row, p: int) -> int:
    """In the bean duel: plant a leftover or a face-up bean if that is better than leaving it."""
    k = int(g["selected"])
    leftovers = g["phase"] == LEFTOVERS
    if k >= 0:
        gain = gain_of_planting(r, g, v, m, p, k)
        if leftovers and gain <= 0.0:
            return A_DISCARD
        f = field_for(r, g, p, k)
        return A_PLANT + f if f >= 0 else A_HARVEST + sell_least_loss(r, g, v, m, p)
    best, most = -1, 0.0
    other = 1 - p
    for kind in range(KINDS):
        if g["face_up"][kind]:
            gain = gain_of_planting(r, g, v, m, p, kind)
            if not leftovers:
                gain += max(0.0, gain_of_planting(r, g, v, m, other, kind))
            elif best < 0:
                best, most = kind, gain
            if gain > most:
                best, most = kind, gain
    return A_FACE + best if best >= 0 else A_GO_ON


@compiled
def simple_duel(r: Row, g: Row, p: int) -> int:
    """In the bean duel: plant what matches or finds an empty field; discard or leave the rest."""
    k = int(g["selected"])
    if k >= 0:
        f = field_for(r, g, p, k)
        return A_PLANT + f if f >= 0 else A_DISCARD
    leftovers, fallback = g["phase"] == LEFTOVERS, -1
    for kind in range(KINDS):
        if g["face_up"][kind]:
            if field_for(r, g, p, kind) >= 0:
                return A_FACE + kind
            fallback = kind
    return A_FACE + fallback if leftovers else A_GO_ON


@compiled
def front_most_stranger(g: Row, p: int) -> int:
    """Throw away the front-most hand card that grows on no own field, after planting; else go on."""
    if g["planted"] > 0:
        for place in range(g["hands"][p]):
            k = int(g["hand"][p, place])
            if not matches(g, p, k):
                return A_HAND + k
    return A_GO_ON


# -- with the hand in view: what is planted, left and thrown away by what fields and hand are then worth ----


@compiled
def plays_duel(r: Row, s: Row) -> bool:
    """Tell whether a style weighs the bean duel by its fields and its hand."""
    return bool(r["game"] == BEAN_DUEL and s["foresight"] > 0.0)


@compiled
def weighed_duel(r: Row, g: Row, v: Row, s: Row, m: Row, p: int) -> int:
    """Return what such a style does when the game waits for it."""
    phase, k = g["phase"], int(g["selected"])
    if phase == REVEAL:
        return A_GO_ON
    if phase == PLANT:
        return weighed_hand(r, g, v, s, m, p)
    if k < 0:
        return weighed_choice(r, g, v, s, m, p)
    if phase == LEFTOVERS and gain_with_hand(r, g, v, s, m, p, k, 0, s["foresight"]) <= s["keep_gain"]:
        return A_DISCARD
    return plant_or_room(r, g, v, s, m, p, k)


@compiled
def weighed_hand(r: Row, g: Row, v: Row, s: Row, m: Row, p: int) -> int:
    """Plant the first card, the second for a gain; then throw away what the hand is better without."""
    if g["hands"][p] == 0:
        return A_GO_ON
    k = int(g["hand"][p, 0])
    if g["planted"] == 0:
        return plant_or_room(r, g, v, s, m, p, k)
    if g["planted"] == 1 and field_for(r, g, p, k) >= 0:
        gain = gain_with_hand(r, g, v, s, m, p, k, 1 << BITS * k, s["foresight"])
        if gain > s["second_gain"]:
            return plant_or_room(r, g, v, s, m, p, k)
    grow(r, g, v, m, p, 0)
    before, best, most = hand_value(g, v, s, m, p, 0), -1, s["discard_gain"]
    for kind in range(KINDS):
        if g["held"][p, kind]:
            gain = hand_value(g, v, s, m, p, 1 << BITS * kind) - before
            if gain > most:
                best, most = kind, gain
    return A_HAND + best if best >= 0 else A_GO_ON


@compiled
def weighed_choice(r: Row, g: Row, v: Row, s: Row, m: Row, p: int) -> int:
    """Choose the bean to plant next of those that lie face up, for itself or so that the other has it not.

    Of what the other has left every bean is chosen, since each is planted or thrown away.
    """
    leftovers, best, most = g["phase"] == LEFTOVERS, -1, s["take_gain"]
    for kind in range(KINDS):
        if not g["face_up"][kind]:
            continue
        gain = gain_with_hand(r, g, v, s, m, p, kind, 0, s["foresight"])
        if not leftovers:
            gain += s["deny"] * max(0.0, gain_of_planting(r, g, v, m, 1 - p, kind))
        if gain > most or (leftovers and best < 0):
            best, most = kind, gain
    return A_FACE + best if best >= 0 else A_GO_ON

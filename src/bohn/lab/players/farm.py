"""How traders farm: where a bean goes, what is sold, when a field is bought, by what positions are worth."""

from __future__ import annotations

from typing import Any

from bohn.lab.compiling import compiled
from bohn.lab.players.player_memory import BITS
from bohn.lab.players.worth import cheapest, field_value, grow, hand_value, look, loss_of
from bohn.lab.row import KINDS, LEFTOVERS, PLANT, PLANT_TRADED, REVEAL
from bohn.lab.twin import (
    A_BUY,
    A_DISCARD,
    A_FACE,
    A_GO_ON,
    A_HARVEST,
    A_PLANT,
    fitting,
    harvestable,
    may_buy,
)

Row = Any


@compiled
def field_for(r: Row, g: Row, p: int, k: int) -> int:
    """Return a field of the kind, else an empty one it fits, else -1."""
    mask, empty = fitting(r, g, p, k), -1
    for f in range(g["fields"][p]):
        if mask >> f & 1:
            if g["beans"][p, f]:
                return f
            if empty < 0:
                empty = f
    return empty


@compiled
def matches(g: Row, p: int, k: int) -> bool:
    """Tell whether a kind grows on one of a seat's fields."""
    for f in range(g["fields"][p]):  # noqa: SIM110 - Numba compiles no generator expressions
        if g["beans"][p, f] and g["kind"][p, f] == k:
            return True
    return False


@compiled
def now_on_fields(g: Row, m: Row, p: int) -> None:
    """Look at the own fields as they are, nothing planted in thought."""
    for f in range(g["fields"][p]):
        m["bed"][f] = g["kind"][p, f]
        m["bed_beans"][f] = g["beans"][p, f]


@compiled
def sell_least_loss(r: Row, g: Row, v: Row, m: Row, p: int) -> int:
    """Return the field to sell: of those that may be sold the one that promises least beyond its pay."""
    now_on_fields(g, m, p)
    mask, best, least = harvestable(r, g, p), -1, 1e9
    for f in range(g["fields"][p]):
        if mask >> f & 1:
            loss = loss_of(r, v, m, f)
            if loss < least:
                best, least = f, loss
    return best


@compiled
def make_room(r: Row, g: Row, v: Row, s: Row, m: Row, p: int, k: int) -> int:
    """Buy a field or sell one."""
    if (
        may_buy(r, g, p)
        and g["players"] <= s["crowd"]
        and m["passes"] >= s["buy"]
        and m["activity"] >= s["busy"]
    ):
        return A_BUY
    if s["ahead"] > 0.0:
        return A_HARVEST + sell_for_hand(r, g, v, s, m, p, k)
    return A_HARVEST + sell_least_loss(r, g, v, m, p)


@compiled
def sell_for_hand(r: Row, g: Row, v: Row, s: Row, m: Row, p: int, k: int) -> int:
    """Return the field to sell for a bean: what it promises beyond its pay, and what the hand then finds."""
    mask, best, most, fields = harvestable(r, g, p), -1, -1e9, int(g["fields"][p])
    gone = 1 << BITS * k if g["phase"] == PLANT else 0
    for f in range(fields):
        if not mask >> f & 1:
            continue
        now_on_fields(g, m, p)
        value = -loss_of(r, v, m, f)
        m["bed"][f] = k
        m["bed_beans"][f] = 1
        other = cheapest(r, v, m, fields)
        m["loss"] = loss_of(r, v, m, other) if other >= 0 else 1e9
        value += s["ahead"] * hand_value(g, v, s, m, p, gone)
        if value > most:
            best, most = f, value
    return best


@compiled
def plant_or_room(r: Row, g: Row, v: Row, s: Row, m: Row, p: int, k: int) -> int:
    """Plant a bean that must be planted, after making room if need be; a full field is sold first."""
    f = field_for(r, g, p, k)
    if f < 0:
        return make_room(r, g, v, s, m, p, k)
    if g["beans"][p, f] >= r["most"][k] and harvestable(r, g, p) >> f & 1:
        return A_HARVEST + f
    return A_PLANT + f


@compiled
def paying(r: Row, g: Row, p: int, coins: int) -> int:
    """Return a field that may be sold and brings so many coins or more, or -1."""
    mask = harvestable(r, g, p)
    for f in range(g["fields"][p]):
        if mask >> f & 1 and r["pays"][g["kind"][p, f], min(25, int(g["beans"][p, f]))] >= coins:
            return f
    return -1


@compiled
def farm(r: Row, g: Row, v: Row, s: Row, m: Row, p: int) -> int:
    """Return what a trader does when the game waits for it."""
    look(r, g, v, s, m, p)
    if s["eager"] > 0:
        f = paying(r, g, p, int(s["eager"]))
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
    """Plant the first card; the second on a match, or on an empty field, as the style says."""
    if g["hands"][p] == 0:
        return A_GO_ON
    k = int(g["hand"][p, 0])
    if g["planted"] == 0:
        return plant_or_room(r, g, v, s, m, p, k)
    if g["planted"] == 1 and s["second"] > 0:
        f = field_for(r, g, p, k)
        if f >= 0 and (g["beans"][p, f] or s["second"] > 1):
            return plant_or_room(r, g, v, s, m, p, k)
    return A_GO_ON


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
def gain_of_planting(r: Row, g: Row, v: Row, m: Row, p: int, k: int) -> float:
    """Return what planting one bean of a kind brings a seat."""
    return grow(r, g, v, m, p, 1 << BITS * k) - grow(r, g, v, m, p, 0)

"""Where a bean goes, and which field is bought or sold for it, by what positions are worth."""

from __future__ import annotations

from typing import Any

from bohn.lab.compiling import compiled
from bohn.lab.players.player_memory import BITS
from bohn.lab.players.worth import cheapest, hand_value, loss_of
from bohn.lab.row import PLANT
from bohn.lab.twin import A_BUY, A_HARVEST, A_PLANT, fitting, harvestable, may_buy

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

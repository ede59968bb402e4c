"""The simple players of `bohn.bots` once more, compiled: opponents in the arena, for fitting and search.

`tests/lab/players/test_simple.py` compares every decision with theirs, and says why there are two forms.
"""

from __future__ import annotations

from typing import Any

from bohn.lab.compiling import compiled
from bohn.lab.players.bean_duel import front_most_stranger, simple_duel
from bohn.lab.players.haggle import EMPTY, NONE, lay_open, side
from bohn.lab.players.player_memory import B3, B3U, B4, B6, LADDER, NO_TRADE, PK
from bohn.lab.players.room import field_for, matches
from bohn.lab.row import BEAN_DUEL, KINDS, PLANT, PLANT_TRADED, REVEAL
from bohn.lab.twin import (
    A_BUY,
    A_FACE,
    A_GO_ON,
    A_HARVEST,
    A_PLANT,
    fitting,
    harvestable,
    may_buy,
    tries,
)

Row = Any


# -- farming -----------------------------------------------------------------------------------------


@compiled
def lowest(mask: int) -> int:
    """Return the place of the lowest bit."""
    f = 0
    while not mask >> f & 1:
        f += 1
    return f


@compiled
def place(r: Row, g: Row, kind: int, p: int, k: int) -> int:
    """Return the field for a bean, or -1: the first that fits (B3), else a match before an empty field."""
    if kind in {B3, B3U}:
        mask = fitting(r, g, p, k)
        return lowest(mask) if mask else -1
    return field_for(r, g, p, k)


@compiled
def sold(r: Row, g: Row, m: Row, kind: int, p: int) -> int:
    """Return the field a simple player sells when it must."""
    mask = harvestable(r, g, p)
    if kind == B6:
        return any_bit(m, mask)
    best, least = -1, 1 << 40
    for f in range(g["fields"][p]):
        if not mask >> f & 1:
            continue
        k, beans = g["kind"][p, f], int(g["beans"][p, f])
        coins = int(r["pays"][k, beans])
        if kind in {B3, B3U}:
            regret = -f
        elif kind == NO_TRADE:
            regret = -coins * 8 + f
        else:
            raised = r["pays"][k, min(25, beans + int(g["held"][p, k]))] > coins
            regret = (raised << 20) - (coins << 10) + (beans << 3) + f
        if regret < least:
            best, least = f, regret
    return best


@compiled
def any_bit(m: Row, mask: int) -> int:
    """Return one of the bits by the player's own chance."""
    n = 0
    for f in range(8):
        n += mask >> f & 1
    m["rng"] = (int(m["rng"]) * 25214903917 + 11) & ((1 << 48) - 1)
    n = (int(m["rng"]) >> 16) % n
    for f in range(8):
        if mask >> f & 1:
            if n == 0:
                return f
            n -= 1
    return -1


@compiled
def simple_farm(r: Row, g: Row, m: Row, kind: int, p: int) -> int:
    """Return what a simple player does when the game waits for it."""
    phase, k = g["phase"], int(g["selected"])
    if kind in {B3, B3U} and may_buy(r, g, p) and g["coins"][p] > 3:
        return A_BUY
    if phase == REVEAL:
        return A_GO_ON
    if phase == PLANT:
        return simple_planting(r, g, m, kind, p)
    if phase == PLANT_TRADED:
        if k >= 0:
            return place_or_room(r, g, m, kind, p, k)
        return A_FACE + first_to_plant(g, p)
    return simple_duel(r, g, p)


@compiled
def place_or_room(r: Row, g: Row, m: Row, kind: int, p: int, k: int) -> int:
    """Plant a bean, or make room for it."""
    f = place(r, g, kind, p, k)
    if f >= 0:
        return A_PLANT + f
    if kind == B4 and may_buy(r, g, p):
        return A_BUY
    return A_HARVEST + sold(r, g, m, kind, p)


@compiled
def first_to_plant(g: Row, p: int) -> int:
    """Return the kind to plant first: one that grows already, else the first."""
    first = -1
    for k in range(KINDS):
        if g["set_aside"][p, k]:
            if matches(g, p, k):
                return k
            if first < 0:
                first = k
    return first


@compiled
def simple_planting(r: Row, g: Row, m: Row, kind: int, p: int) -> int:
    """Plant the first card, and the second as the player does."""
    if g["hands"][p] == 0:
        return A_GO_ON
    k = int(g["hand"][p, 0])
    if g["planted"] == 0:
        return place_or_room(r, g, m, kind, p, k)
    if g["planted"] == 1 and kind not in {B3, B3U} and (kind == B4 or matches(g, p, k)):
        f = field_for(r, g, p, k)
        if f >= 0:
            return A_PLANT + f
    return front_most_stranger(g, p) if r["game"] == BEAN_DUEL else A_GO_ON


# -- trading -----------------------------------------------------------------------------------------


@compiled
def simple_accepts(g: Row, kind: int, p: int) -> bool:
    """Tell whether a simple player welcomes the offer on the table; the caller knows that it can serve it."""
    brings, asks, fits = False, False, True
    for k in range(KINDS):
        comes = g["give_face"][k] + g["give_hand"][k] > 0
        if comes:
            brings = True
            fits = fits and matches(g, p, k)
        if g["want"][k]:
            asks = True
            fits = fits and not matches(g, p, k)
    if kind == B4 and not asks:
        return False
    if kind in {B3, B3U, B4} and p != g["active"]:
        return True
    return brings and fits


@compiled
def simple_offer(r: Row, g: Row, m: Row, kind: int, p: int) -> bool:
    """Lay the next offer of the list on the table; tell whether there was one."""
    if kind == NO_TRADE or tries(r, g, p) <= 0:
        return False
    stamp = g["commands"] - g["offers"] - g["answers"] + g["trades"] + g["gifts"]
    if m["ladder_stamp"] != stamp:
        m["ladder_stamp"] = stamp
        m["tried"] = 0
        m["rungs"] = simple_list(g, m, kind, p)
    if m["tried"] >= m["rungs"]:
        return False
    lay_open(g, p, int(m["offer"][m["tried"]]))
    m["tried"] += 1
    return True


@compiled
def add_for_all(g: Row, m: Row, p: int, n: int, give: int, want: int) -> int:
    """Add an offer to everybody who may be a partner, clockwise."""
    players = int(g["players"])
    for step in range(1, players):
        q = (p + step) % players
        if (p == g["active"] or q == g["active"]) and n < LADDER:
            m["offer"][n] = q << 32 | want << 16 | give
            n += 1
    return n


@compiled
def simple_list(g: Row, m: Row, kind: int, p: int) -> int:
    """List what a simple player proposes, best first; return how many."""
    mine = p == g["active"]
    if not mine and kind in {B3, B3U, B4}:
        return 0
    if kind == B3U and something_traded(g):
        return 0
    grows = kinds_grown(g, p)
    if not mine:
        return bids_for_face_up(g, m, p, grows) if kind == B6 else offers_from_hand(g, m, p, 0, grows)
    n = 0
    for k in range(KINDS):
        if g["face_up"][k] and not grows >> k & 1:
            n = for_what_grows(g, m, p, n, side(k, NONE, NONE, NONE), grows)
    if kind != B6:
        n = offers_from_hand(g, m, p, n, grows)
    if kind in {B6, PK}:
        for k in range(KINDS):
            if g["face_up"][k] and not grows >> k & 1:
                n = add_for_all(g, m, p, n, side(k, NONE, NONE, NONE), EMPTY)
    return n


@compiled
def something_traded(g: Row) -> bool:
    """Tell whether something has been traded this turn."""
    for p in range(g["players"]):
        for k in range(KINDS):
            if g["set_aside"][p, k]:
                return True
    return False


@compiled
def kinds_grown(g: Row, p: int) -> int:
    """Return the kinds a seat grows, as bits."""
    grows = 0
    for f in range(g["fields"][p]):
        if g["beans"][p, f]:
            grows |= 1 << int(g["kind"][p, f])
    return grows


@compiled
def offers_from_hand(g: Row, m: Row, p: int, n: int, grows: int) -> int:
    """Add each hand card that does not grow, from the front, for what grows."""
    for j in range(g["hands"][p]):
        k = int(g["hand"][p, j])
        if not grows >> k & 1:
            n = for_what_grows(g, m, p, n, side(NONE, NONE, k, NONE), grows)
    return n


@compiled
def bids_for_face_up(g: Row, m: Row, p: int, grows: int) -> int:
    """List hand cards that do not grow for face-up beans that do."""
    n = 0
    for want in range(KINDS):
        if grows >> want & 1 and g["face_up"][want]:
            for j in range(g["hands"][p]):
                k = int(g["hand"][p, j])
                if not grows >> k & 1:
                    n = add_for_all(g, m, p, n, side(NONE, NONE, k, NONE), side(want, NONE, NONE, NONE))
    return n


@compiled
def for_what_grows(g: Row, m: Row, p: int, n: int, give: int, grows: int) -> int:
    """Add offers of one side for one of each kind that grows, in the order of the fields."""
    for f in range(g["fields"][p]):
        if g["beans"][p, f]:
            k = int(g["kind"][p, f])
            if grows >> k & 1:
                grows &= ~(1 << k)
                n = add_for_all(g, m, p, n, give, side(k, NONE, NONE, NONE))
    return n

"""What exchanges are worth by the plain public yardstick of `bohn.arena.surplus`, in compiled games."""

from __future__ import annotations

from typing import Any

from bohn.lab.compiling import compiled
from bohn.lab.players.player_memory import BITS, LANE
from bohn.lab.players.worth import packed
from bohn.lab.row import FIELDS, KINDS

Row = Any


@compiled
def on_the_way(r: Row, k: int, beans: int) -> float:
    """Return the coins of a number of beans, and the part of the way to the next coin they have gone."""
    beans = min(beans, int(r["most"][k]))
    coins, below, step = int(r["pays"][k, beans]), beans, beans
    while below > 0 and r["pays"][k, below - 1] == coins:
        below -= 1
    while step < r["most"][k] and r["pays"][k, step] == coins:
        step += 1
    earned = int(r["pays"][k, step])
    if earned == coins:
        return float(coins)
    return coins + (earned - coins) * (beans - below) / (step - below)


@compiled
def worth_of_seat(r: Row, g: Row, p: int) -> float:
    """Return what a seat's fields would be worth after planting what it must, in coins."""
    coming = packed(g["set_aside"][p])
    if p == g["active"]:
        coming += packed(g["face_up"])
    total, empty = 0.0, 0
    for f in range(g["fields"][p]):
        if g["beans"][p, f]:
            k = int(g["kind"][p, f])
            joins = coming >> BITS * k & LANE
            coming -= joins << BITS * k
            total += on_the_way(r, k, int(g["beans"][p, f]) + joins)
        else:
            empty += 1
    for _ in range(min(empty, FIELDS)):
        best, most = -1, 0.0
        for k in range(KINDS):
            number = coming >> BITS * k & LANE
            if number and on_the_way(r, k, number) > most:
                best, most = k, on_the_way(r, k, number)
        if best >= 0:
            total += most
            coming -= (coming >> BITS * best & LANE) << BITS * best
    return total


@compiled
def note_before(r: Row, g: Row, memories: Row, maker: int, partner: int) -> None:
    """Note what both sides are worth before an exchange."""
    memories[maker]["was"] = worth_of_seat(r, g, maker)
    memories[partner]["was"] = worth_of_seat(r, g, partner)


@compiled
def note_after(r: Row, g: Row, memories: Row, maker: int, partner: int) -> None:
    """Add what an exchange was worth to each side, and to both."""
    gain = worth_of_seat(r, g, maker) - memories[maker]["was"]
    other = worth_of_seat(r, g, partner) - memories[partner]["was"]
    memories[partner]["acceptances"] += 1
    memories[maker]["gains"] += gain
    memories[partner]["gains"] += other
    memories[maker]["joint"] += gain + other
    memories[partner]["joint"] += gain + other

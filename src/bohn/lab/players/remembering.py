"""Writes into player memories what seats see: cards shown by offers and exchanges, answers to own offers.

The memories of one game's seats are the rows from ``first`` on.
"""

from __future__ import annotations

from typing import Any

from bohn.lab.compiling import compiled
from bohn.lab.players.haggle import few_offers
from bohn.lab.players.partner import learn_answer
from bohn.lab.players.player_memory import TRADER
from bohn.lab.row import KINDS

Row = Any


@compiled
def learn_from_answer(r: Row, styles: Row, g: Row, memories: Row, maker: int, p: int, agreed: bool) -> None:
    """Let a trader learn from a seat's answer to its offer."""
    m = memories[maker]
    s = styles[m["style"]]
    if s["kind"] == TRADER and few_offers(r, s):
        learn_answer(g, s, m, p, agreed)


@compiled
def note_offer(g: Row, memories: Row, first: int) -> None:
    """Write the hand cards that an offer shows into everybody's memory."""
    maker = int(g["maker"])
    for k in range(KINDS):
        n = g["give_hand"][k]
        if n:
            for q in range(g["players"]):
                memories[first + q]["known"][maker, k] = max(memories[first + q]["known"][maker, k], n)


@compiled
def note_gone(g: Row, memories: Row, first: int, p: int, k: int, n: int) -> None:
    """Take cards that left a hand out of everybody's memory of it."""
    for q in range(g["players"]):
        known = memories[first + q]["known"]
        known[p, k] = max(0, known[p, k] - n)


@compiled
def note_exchange(g: Row, memories: Row, first: int) -> None:
    """Note in everybody's memory who exchanges with whom, and which hand cards that moves."""
    maker, partner = int(g["maker"]), int(g["partner"])
    for q in range(g["players"]):
        memories[first + q]["exchanges"][maker, partner] += 1
        memories[first + q]["exchanges"][partner, maker] += 1
    for k in range(KINDS):
        if g["give_hand"][k]:
            note_gone(g, memories, first, maker, k, int(g["give_hand"][k]))
        wanted = int(g["want"][k])
        if wanted and partner == g["active"]:
            wanted -= min(wanted, int(g["face_up"][k]))
        if wanted:
            note_gone(g, memories, first, partner, k, wanted)

"""What seats remember of what they see: cards shown by offers and exchanges, and answers to their own offers.

The minds of a game's seats are rows from ``first`` on.
"""

from __future__ import annotations

from typing import Any

from bohn.bots.brains.haggle import few_offers
from bohn.bots.brains.minds import TRADER
from bohn.bots.brains.partner import learn_answer
from bohn.sim.compiling import compiled
from bohn.sim.row import KINDS

Row = Any


@compiled
def let_learn(r: Row, styles: Row, g: Row, minds: Row, maker: int, p: int, agreed: bool) -> None:
    """Let a trader learn from a seat's answer to its offer."""
    m = minds[maker]
    s = styles[m["style"]]
    if s["kind"] == TRADER and few_offers(r, s):
        learn_answer(g, s, m, p, agreed)


@compiled
def note_offer(g: Row, minds: Row, first: int) -> None:
    """Let everybody remember the hand cards an offer shows."""
    maker = int(g["maker"])
    for k in range(KINDS):
        n = g["give_hand"][k]
        if n:
            for q in range(g["players"]):
                minds[first + q]["known"][maker, k] = max(minds[first + q]["known"][maker, k], n)


@compiled
def note_gone(g: Row, minds: Row, first: int, p: int, k: int, n: int) -> None:
    """Let everybody see cards leave a hand."""
    for q in range(g["players"]):
        known = minds[first + q]["known"]
        known[p, k] = max(0, known[p, k] - n)


@compiled
def note_exchange(g: Row, minds: Row, first: int) -> None:
    """Let everybody see which hand cards an exchange moves."""
    maker, partner = int(g["maker"]), int(g["partner"])
    for k in range(KINDS):
        if g["give_hand"][k]:
            note_gone(g, minds, first, maker, k, int(g["give_hand"][k]))
        wanted = int(g["want"][k])
        if wanted and partner == g["active"]:
            wanted -= min(wanted, int(g["face_up"][k]))
        if wanted:
            note_gone(g, minds, first, partner, k, wanted)

"""Games among simple players only: what search plays hidden cards out with."""

from __future__ import annotations

from typing import Any

from bohn.bots.brains.minds import NO_TRADE
from bohn.bots.brains.simple import simple_accepts, simple_farm, simple_offer
from bohn.sim.compiling import compiled
from bohn.sim.row import ANSWER, ASKED, DUE, END
from bohn.sim.twin import A_ACCEPT, A_DECLINE, A_GO_ON, apply_to, can_serve

Row = Any


@compiled
def simple_move(r: Row, g: Row, m: Row, kind: int) -> None:
    """Let the seat that decides make its next move as a simple player."""
    p, mode = int(g["seat"]), g["mode"]
    if mode == ANSWER:
        welcome = kind != NO_TRADE and can_serve(g, p) and simple_accepts(g, kind, p)
        apply_to(r, g, A_ACCEPT if welcome else A_DECLINE)
    elif mode == DUE:
        apply_to(r, g, simple_farm(r, g, m, kind, p))
    elif mode != ASKED or not simple_offer(r, g, m, kind, p):
        apply_to(r, g, A_GO_ON)


@compiled
def play_out(r: Row, g: Row, styles: Row, minds: Row, style: int) -> None:
    """Play a game to its end, every seat in one simple style, with the second row of minds of each."""
    players = int(g["players"])
    kind = int(styles[style]["kind"])
    for p in range(players):
        minds[players + p]["ladder_stamp"] = -1
    while g["phase"] != END:
        simple_move(r, g, minds[players + int(g["seat"])], kind)

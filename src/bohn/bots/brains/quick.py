"""What search plays hidden cards out with: whole games of simple players, a few turns of traders."""

from __future__ import annotations

from typing import Any

from bohn.bots.brains.farm import farm
from bohn.bots.brains.haggle import next_offer
from bohn.bots.brains.memory import note_exchange, note_gone, note_offer
from bohn.bots.brains.minds import NO_TRADE
from bohn.bots.brains.partner import meet
from bohn.bots.brains.simple import simple_accepts, simple_farm, simple_offer
from bohn.bots.brains.weigh import weigh_answer
from bohn.bots.brains.worth import look
from bohn.sim.compiling import compiled
from bohn.sim.row import ANSWER, ASKED, DUE, END, PLANT
from bohn.sim.twin import A_ACCEPT, A_DECLINE, A_GO_ON, A_HARVEST, apply_to, can_serve

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


@compiled
def trader_move(r: Row, g: Row, v: Row, styles: Row, minds: Row, first: int) -> None:
    """Let the seat that decides make its next move as a trader that does not search."""
    p, mode = int(g["seat"]), g["mode"]
    m = minds[first + p]
    s = styles[m["style"]]
    if mode == ANSWER:
        note_offer(g, minds, first)
        agreed = False
        if can_serve(g, p):
            look(r, g, v, s, m, p)
            agreed = weigh_answer(r, g, v, s, m, p) > s["theta_answer"]
        if agreed:
            note_exchange(g, minds, first)
        apply_to(r, g, A_ACCEPT if agreed else A_DECLINE)
    elif mode == DUE:
        action = farm(r, g, v, s, m, p)
        if g["phase"] == PLANT and action < A_HARVEST:
            note_gone(g, minds, first, p, int(g["hand"][p, 0]), 1)
        apply_to(r, g, action)
    elif mode != ASKED or not next_offer(r, g, v, s, m, p):
        apply_to(r, g, A_GO_ON)


@compiled
def play_turns(r: Row, g: Row, v: Row, styles: Row, minds: Row, style: int, turns: int) -> None:
    """Play so many turns on, every seat as a trader of one style, with the second row of minds of each."""
    players = int(g["players"])
    until = g["turn"] + turns
    for p in range(players):
        m = minds[players + p]
        m["style"] = style
        m["stamp"] = -1
        m["ladder_stamp"] = -1
        m["known"][:, :] = 0
        meet(g, styles[style], m)
    while g["phase"] != END and g["turn"] < until:
        trader_move(r, g, v, styles, minds, players)

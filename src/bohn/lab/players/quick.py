"""The quick players of search's playouts: whole games of simple players, or a few turns of traders."""

from __future__ import annotations

from typing import Any

from bohn.lab.compiling import compiled
from bohn.lab.players.farm import farm
from bohn.lab.players.haggle import next_offer
from bohn.lab.players.partner import meet
from bohn.lab.players.player_memory import NO_TRADE
from bohn.lab.players.remembering import note_exchange, note_gone, note_offer
from bohn.lab.players.simple import simple_accepts, simple_farm, simple_offer
from bohn.lab.players.weigh import weigh_answer
from bohn.lab.players.worth import look
from bohn.lab.row import ANSWER, ASKED, DUE, END, PLANT
from bohn.lab.twin import A_ACCEPT, A_DECLINE, A_GO_ON, A_HARVEST, apply_to, can_serve

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
def play_out(r: Row, g: Row, styles: Row, memories: Row, style: int) -> None:
    """Play a game to its end, every seat in one simple style, with the second row of memories of each."""
    players = int(g["players"])
    kind = int(styles[style]["kind"])
    for p in range(players):
        memories[players + p]["ladder_stamp"] = -1
    while g["phase"] != END:
        simple_move(r, g, memories[players + int(g["seat"])], kind)


@compiled
def trader_move(r: Row, g: Row, v: Row, styles: Row, memories: Row, first: int) -> None:
    """Let the seat that decides make its next move as a trader that does not search."""
    p, mode = int(g["seat"]), g["mode"]
    m = memories[first + p]
    s = styles[m["style"]]
    if mode == ANSWER:
        note_offer(g, memories, first)
        agreed = False
        if can_serve(g, p):
            look(r, g, v, s, m, p)
            agreed = weigh_answer(r, g, v, s, m, p) > s["theta_answer"]
        if agreed:
            note_exchange(g, memories, first)
        apply_to(r, g, A_ACCEPT if agreed else A_DECLINE)
    elif mode == DUE:
        action = farm(r, g, v, s, m, p)
        if g["phase"] == PLANT and action < A_HARVEST:
            note_gone(g, memories, first, p, int(g["hand"][p, 0]), 1)
        apply_to(r, g, action)
    elif mode != ASKED or not next_offer(r, g, v, s, m, p):
        apply_to(r, g, A_GO_ON)


@compiled
def play_turns(r: Row, g: Row, v: Row, styles: Row, memories: Row, style: int, turns: int) -> None:
    """Play some turns on, every seat as a trader of one style; ``memories`` has a second row for each."""
    players = int(g["players"])
    until = g["turn"] + turns
    for p in range(players):
        m = memories[players + p]
        m["style"] = style
        m["stamp"] = -1
        m["ladder_stamp"] = -1
        m["known"][:, :] = 0
        meet(g, styles[style], m)
    while g["phase"] != END and g["turn"] < until:
        trader_move(r, g, v, styles, memories, players)

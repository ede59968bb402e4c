"""Plays whole games between compiled players, all of it in compiled code."""

from __future__ import annotations

from typing import Any

from bohn.lab.compiling import compiled
from bohn.lab.players.farm import farm
from bohn.lab.players.haggle import next_offer
from bohn.lab.players.partner import meet
from bohn.lab.players.player_memory import NO_TRADE, TRADER
from bohn.lab.players.remembering import learn_from_answer, note_exchange, note_gone, note_offer
from bohn.lab.players.search import search
from bohn.lab.players.simple import simple_accepts, simple_farm, simple_offer
from bohn.lab.players.surplus import note_after, note_before
from bohn.lab.players.weigh import weigh_answer
from bohn.lab.players.worth import look
from bohn.lab.row import ANSWER, ASKED, DUE, END, PLANT
from bohn.lab.twin import A_ACCEPT, A_DECLINE, A_GO_ON, A_HARVEST, apply_to, best_of, can_serve, deal_in

Row = Any


@compiled
def move(rules: Row, states: Row, i: int, v: Row, styles: Row, memories: Row) -> None:
    """Let the seat that decides make its next move."""
    r, g = rules[0], states[i]
    p = int(g["seat"])
    m = memories[p]
    s = styles[m["style"]]
    kind = int(s["kind"])
    mode = g["mode"]
    if mode == ANSWER:
        note_offer(g, memories, 0)
        maker = int(g["maker"])
        agreed = accepts(rules, states, i, v, styles, memories, p)
        learn_from_answer(r, styles, g, memories, maker, p, agreed)
        if agreed:
            note_exchange(g, memories, 0)
            note_before(r, g, memories, maker, p)
            apply_to(r, g, A_ACCEPT)
            note_after(r, g, memories, maker, p)
        else:
            apply_to(r, g, A_DECLINE)
    elif mode == ASKED:
        offered = next_offer(r, g, v, s, m, p) if kind == TRADER else simple_offer(r, g, m, kind, p)
        if offered:
            m["offers"] += 1
        else:
            apply_to(r, g, A_GO_ON)
    elif mode == DUE:
        action = farm(r, g, v, s, m, p) if kind == TRADER else simple_farm(r, g, m, kind, p)
        if kind == TRADER:
            action = search(rules, states, i, v, styles, memories, p, action)
        if g["phase"] == PLANT and action < A_HARVEST:
            note_gone(g, memories, 0, p, int(g["hand"][p, 0]), 1)
        apply_to(r, g, action)
    else:
        apply_to(r, g, A_GO_ON)


@compiled
def accepts(rules: Row, states: Row, i: int, v: Row, styles: Row, memories: Row, p: int) -> bool:
    """Tell whether a seat accepts the offer on the table."""
    r, g, m = rules[0], states[i], memories[p]
    s = styles[m["style"]]
    kind = int(s["kind"])
    if kind == NO_TRADE or not can_serve(g, p):
        return False
    if kind != TRADER:
        return bool(simple_accepts(g, kind, p))
    look(r, g, v, s, m, p)
    return bool(weigh_answer(r, g, v, s, m, p) > s["theta_answer"])


@compiled
def play(rules: Row, states: Row, i: int, v: Row, styles: Row, memories: Row, seed: int) -> None:
    """Deal a game and play it to its end; with an empty memory for every seat."""
    r, g = rules[0], states[i]
    deal_in(r, g, seed)
    traders = 0
    for p in range(g["players"]):
        memories[p]["stamp"] = -1
        memories[p]["ladder_stamp"] = -1
        memories[p]["rng"] = seed * 8 + p
        memories[p]["known"][:, :] = 0
        memories[p]["exchanges"][:, :] = 0
        memories[p]["offers"] = 0
        memories[p]["acceptances"] = 0
        memories[p]["gains"] = 0.0
        memories[p]["joint"] = 0.0
        meet(g, styles[memories[p]["style"]], memories[p])
        if styles[memories[p]["style"]]["kind"] != NO_TRADE:
            traders |= 1 << p
    g["traders"] = traders
    while g["phase"] != END:
        move(rules, states, i, v, styles, memories)


@compiled
def winners(rules: Row, states: Row, i: int) -> int:
    """Return who has won a finished game, as bits."""
    return best_of(rules[0], states[i])

"""The compiled functions that interpreted players call: with arrays ``(rules, states, i, ...)``, not rows.

:func:`bohn.lab.players.search.search` is called so as well.
"""

from __future__ import annotations

from typing import Any

from bohn.lab.compiling import compiled
from bohn.lab.players.farm import farm
from bohn.lab.players.haggle import few_offers, next_offer
from bohn.lab.players.partner import learn_answer
from bohn.lab.players.weigh import from_face_up, others_gain, weigh_answer
from bohn.lab.players.worth import look, packed
from bohn.lab.twin import can_serve

Row = Any


@compiled
def farm_at(rules: Row, states: Row, i: int, v: Row, styles: Row, memories: Row, p: int) -> int:
    """Return what a trader does when the game waits for it."""
    return farm(rules[0], states[i], v, styles[0], memories[0], p)


@compiled
def offer_at(rules: Row, states: Row, i: int, v: Row, styles: Row, memories: Row, p: int) -> bool:
    """Lay a trader's next offer on the table; tell whether it has one."""
    return next_offer(rules[0], states[i], v, styles[0], memories[0], p)


@compiled
def answer_at(rules: Row, states: Row, i: int, v: Row, styles: Row, memories: Row, p: int) -> float:
    """Return by how much the offer on the table is better than the least a trader accepts."""
    r, g, s, m = rules[0], states[i], styles[0], memories[0]
    if not can_serve(g, p):
        return -1.0
    look(r, g, v, s, m, p)
    return float(weigh_answer(r, g, v, s, m, p) - s["theta_answer"])


@compiled
def gains_at(
    rules: Row, states: Row, i: int, v: Row, styles: Row, memories: Row, p: int
) -> tuple[float, float]:
    """Return what the offer on the table brings a seat that accepts it, and its maker, by public facts."""
    r, g, s, m = rules[0], states[i], styles[0], memories[0]
    look(r, g, v, s, m, p)
    face, hand, want = packed(g["give_face"]), packed(g["give_hand"]), packed(g["want"])
    lies = from_face_up(g, m, p, want)
    own = others_gain(r, g, v, s, m, p, face + hand, lies, want - lies)
    none = others_gain(r, g, v, s, m, p, 0, 0, 0)  # not 0, where the own hand was counted before
    return own - none, others_gain(r, g, v, s, m, int(g["maker"]), want, face, hand)


@compiled
def few_at(rules: Row, styles: Row) -> bool:
    """Tell whether a trader may make only few offers, so that it learns from their answers."""
    return few_offers(rules[0], styles[0])


@compiled
def learn_at(states: Row, i: int, styles: Row, memories: Row, q: int, agreed: bool) -> None:
    """Let a trader learn from a seat's answer to the last offer it laid on the table."""
    learn_answer(states[i], styles[0], memories[0], q, agreed)

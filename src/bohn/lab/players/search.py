"""Search: the cards a seat cannot see are dealt anew by chance, and quick players play on.

It is used where choices matter most: which field to give up, whether to plant the second card. Another
action than the style's own must be better by more than the noise.
"""

from __future__ import annotations

from typing import Any

from bohn.lab.batch import copy_row, determinize
from bohn.lab.compiling import compiled
from bohn.lab.players.player_memory import ACTS
from bohn.lab.players.quick import play_out, play_turns
from bohn.lab.players.value import ahead_of_others
from bohn.lab.row import END, MAIN_GAME, PLANT
from bohn.lab.twin import A_BUY, A_GO_ON, A_HARVEST, A_PLANT, apply_to, best_of, fitting, harvestable, may_buy

Row = Any

CHECKED = 10
"""Playouts of each action before the worse actions are first looked for."""

SHORT = 2
"""Of the rows of models, the one that plays short playouts."""

CLEARLY = 2.0
"""Standard errors by which an action must be worse to be given up."""


@compiled
def playouts_of(s: Row, m: Row) -> int:
    """Return how many playouts a choice of three is worth here; early in a game each takes longer."""
    if not m["nobody"]:
        return int(3 * s["playouts"])
    return int(3 * max(s["playouts"], s["quiet"] / max(1.0, m["passes"])))


@compiled
def choices_of(r: Row, g: Row, m: Row, p: int, first: int) -> int:
    """List the actions worth comparing when the game waits for a seat, the style's own first."""
    m["act"][0] = first
    n, k = 1, int(g["selected"])
    mask = 0
    if g["phase"] == PLANT and g["hands"][p]:
        k = int(g["hand"][p, 0])
    if k < 0 or r["game"] != MAIN_GAME:
        return n
    fits = fitting(r, g, p, k)
    if not fits:
        mask = harvestable(r, g, p) << A_HARVEST
        if may_buy(r, g, p):
            mask |= 1 << A_BUY
    elif g["phase"] == PLANT and g["planted"] == 1:
        mask = fits << A_PLANT | 1 << A_GO_ON
    for action in range(A_GO_ON + 1):
        if mask >> action & 1 and action != first and n < ACTS:
            m["act"][n] = action
            n += 1
    return n


@compiled
def search(rules: Row, states: Row, i: int, v: Row, styles: Row, memories: Row, p: int, action: int) -> int:
    """Return the best action for a seat the game waits for, its style's own being ``action``.

    The playouts, in row ``i + 1``, are shared evenly; from a third of them on, whatever is clearly worse than
    the best gets no more. ``memories`` has a second row for every seat, for the playouts; the styles end with
    the models.
    """
    m = memories[p]
    s = styles[m["style"]]
    budget = playouts_of(s, m)
    if budget <= 0:
        return action
    n = choices_of(rules[0], states[i], m, p, action)
    if n <= 1:
        return action
    for a in range(n):
        m["sum"][a] = 0.0
        m["square"][a] = 0.0
        m["out"][a] = 0
    left, done, alive = budget, 0, n
    while left >= alive > 1:
        m["rng"] = (int(m["rng"]) * 25214903917 + 11) & ((1 << 48) - 1)
        seed = int(m["rng"]) >> 8
        for a in range(n):
            if a > 0 and m["out"][a]:
                continue
            copy_row(states, i + 1, states, i)
            determinize(states, i + 1, p, m["known"], seed)
            value = outcome(rules, states, i + 1, v, styles, memories, p, int(m["act"][a]))
            if a == 0:
                m["base"] = value
            value -= m["base"]
            m["sum"][a] += value
            m["square"][a] += value * value
        left -= alive
        done += 1
        if done % CHECKED == 0 and 3 * left < 2 * budget:
            alive = drop_worse(m, n, done)
    best, most = 0, 0.0
    for a in range(1, n):
        if m["out"][a]:
            continue
        better = m["sum"][a] / done - s["sure"] * error_of(m, a, done)
        if better > most:
            best, most = a, better
    return int(m["act"][best])


@compiled
def error_of(m: Row, a: int, done: int) -> float:
    """Return the standard error of what an action is better than the first."""
    mean = m["sum"][a] / done
    return float((max(0.0, m["square"][a] / done - mean * mean) / done) ** 0.5)


@compiled
def drop_worse(m: Row, n: int, done: int) -> int:
    """Give up the actions that are clearly worse than the best so far; return how many are left.

    The first is the measure of the others, so it is played as long as any of them is.
    """
    most = 0.0
    for a in range(1, n):
        if not m["out"][a]:
            most = max(most, m["sum"][a] / done)
    alive = 1
    for a in range(1, n):
        if not m["out"][a] and m["sum"][a] / done + CLEARLY * error_of(m, a, done) < most:
            m["out"][a] = 1
        alive += int(not m["out"][a])
    return alive


@compiled
def outcome(
    rules: Row, states: Row, j: int, v: Row, styles: Row, memories: Row, p: int, action: int
) -> float:
    """Play an action and go on; return what it brought the seat.

    After a few turns of traders that is the learned value, in coins more than the others; after the rest of
    a game of simple players the share of the win and something for coins.
    """
    r, g, m = rules[0], states[j], memories[p]
    s = styles[m["style"]]
    model = int(s["model"])
    if s["turns"] > 0 and not m["nobody"]:
        apply_to(r, g, action)
        play_turns(r, g, v, styles, memories, model + SHORT, int(s["turns"]))
        if g["phase"] == END:
            return coins_ahead(g, p)
        other = memories[g["players"] + p]
        other["stamp"] = -1
        return ahead_of_others(r, g, v, styles[model + SHORT], other, p)
    if m["nobody"]:
        g["traders"] = 0
    apply_to(r, g, action)
    play_out(r, g, styles, memories, model + int(m["nobody"]))
    best, winners, total, players = best_of(r, g), 0, 0, int(g["players"])
    for q in range(players):
        winners += best >> q & 1
        total += g["coins"][q]
    own = float(g["coins"][p])
    return float(best >> p & 1) / winners + float(s["margin"]) * (own - (total - own) / (players - 1))


@compiled
def coins_ahead(g: Row, p: int) -> float:
    """Return by how many coins a seat has beaten the others: half the best of them, half their mean."""
    best, total, players = 0, 0, int(g["players"])
    for q in range(players):
        if q != p:
            best = max(best, int(g["coins"][q]))
            total += int(g["coins"][q])
    return float(g["coins"][p]) - 0.5 * (best + total / (players - 1))

"""Search: the cards a seat cannot see are dealt anew by chance, and a quick player plays the game out.

It is used where choices matter most: which field to give up, whether to plant the second card, an answer
that is nearly even. Another action than the style's own must be better by more than the noise.
"""

from __future__ import annotations

from typing import Any

from bohn.bots.brains.minds import ACTS, NO_TRADE
from bohn.bots.brains.quick import play_out
from bohn.sim.compiling import compiled
from bohn.sim.row import MAIN_GAME, PLANT
from bohn.sim.twin import A_BUY, A_GO_ON, A_HARVEST, A_PLANT, apply_to, best_of, fitting, harvestable, may_buy
from bohn.sim.twin_batch import copy_row, determinize

Row = Any


@compiled
def playouts_of(s: Row, m: Row) -> int:
    """Return how many playouts a choice is worth at this table; early in a game each takes longer."""
    if not m["nobody"]:
        return int(s["playouts"])
    return int(max(s["playouts"], s["quiet"] / max(1.0, m["passes"])))


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
def search(rules: Row, states: Row, i: int, styles: Row, minds: Row, p: int, n: int) -> int:
    """Return the best of the ``n`` actions listed in a seat's mind, by playouts in row ``i + 1``.

    ``minds`` has a second row for every seat, for the playouts.
    """
    m = minds[p]
    s = styles[m["style"]]
    for a in range(n):
        m["sum"][a] = 0.0
        m["square"][a] = 0.0
    playouts, model = playouts_of(s, m), int(s["model"]) + int(m["nobody"])
    for _ in range(playouts):
        m["rng"] = (int(m["rng"]) * 25214903917 + 11) & ((1 << 48) - 1)
        seed = int(m["rng"]) >> 8
        for a in range(n):
            copy_row(states, i + 1, states, i)
            determinize(states, i + 1, p, m["known"], seed)
            value = outcome(rules, states, i + 1, styles, minds, p, int(m["act"][a]), model)
            if a == 0:
                m["base"] = value
            value -= m["base"]
            m["sum"][a] += value
            m["square"][a] += value * value
    best, most = 0, 0.0
    for a in range(1, n):
        mean = m["sum"][a] / playouts
        spread = max(0.0, m["square"][a] / playouts - mean * mean)
        better = mean - s["sure"] * (spread / playouts) ** 0.5
        if better > most:
            best, most = a, better
    return int(m["act"][best])


@compiled
def outcome(
    rules: Row, states: Row, j: int, styles: Row, minds: Row, p: int, action: int, model: int
) -> float:
    """Play an action and the rest of a game; return the seat's share of the win and something for coins."""
    r, g = rules[0], states[j]
    s = styles[minds[p]["style"]]
    if styles[model]["kind"] == NO_TRADE:
        g["traders"] = 0
    apply_to(r, g, action)
    play_out(r, g, styles, minds, model)
    best, winners = best_of(r, g), 0
    total, players = 0, int(g["players"])
    for q in range(players):
        winners += best >> q & 1
        total += g["coins"][q]
    share = float(best >> p & 1) / winners
    own = float(g["coins"][p])
    return share + float(s["margin"]) * (own - (total - own) / (players - 1))

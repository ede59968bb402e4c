"""What a trader learns of its partners in a game: how hard each bargains, and what each seems to lack.

Before it asks it says to itself how likely a yes is; the answer then moves what it thinks of the partner, by
a step of the gradient of the answer's likelihood.
"""

from __future__ import annotations

import math
from typing import Any

from bohn.bots.brains.minds import BITS, LANE
from bohn.sim.compiling import compiled
from bohn.sim.row import KINDS

Row = Any

SOFTEST, HARDEST = -0.5, 2.0
"""Between these limits a partner's ``k`` is looked for."""

FADING = 0.7
"""So much of a doubt about a hand is left a turn later: hands change."""


@compiled
def meet(g: Row, s: Row, m: Row) -> None:
    """Begin a game: everybody bargains as the style guesses, and may hold anything."""
    for q in range(g["players"]):
        m["k_of"][q] = s["k_guess"]
        for k in range(KINDS):
            m["doubt"][q, k] = 0.0
    m["doubt_turn"] = 0


@compiled
def let_doubts_fade(g: Row, m: Row) -> None:
    """Forget a part of the doubts for every turn that has passed."""
    if m["doubt_turn"] == g["turn"]:
        return
    left = FADING ** max(0, int(g["turn"] - m["doubt_turn"]))
    m["doubt_turn"] = g["turn"]
    for q in range(g["players"]):
        for k in range(KINDS):
            m["doubt"][q, k] *= left


@compiled
def holds(g: Row, m: Row, q: int, k: int, needed: int) -> float:
    """Guess how likely a seat holds so many cards of a kind."""
    if needed <= m["known"][q, k]:
        return 1.0
    hidden = 0
    for kind in range(KINDS):
        hidden += m["unseen"][kind]
    if hidden <= 0:
        return 0.0
    trust = 1.0 - m["doubt"][q, k]
    share = m["unseen"][k] / hidden
    none = (1.0 - share) ** g["hands"][q]
    if needed == 1:
        return float(trust * (1.0 - none))
    one = g["hands"][q] * share * (1.0 - share) ** max(0, g["hands"][q] - 1)
    return float(trust * max(0.0, 1.0 - none - one)) if needed == 2 else 0.02 * float(trust)


@compiled
def holds_all(g: Row, m: Row, q: int, cards: int) -> float:
    """Guess how likely a seat holds all these cards (packed)."""
    chance, k = 1.0, 0
    while cards:
        if cards & LANE:
            chance *= holds(g, m, q, k, cards & LANE)
        cards >>= BITS
        k += 1
    return chance


@compiled
def willing(s: Row, m: Row, q: int, own: float, other: float) -> float:
    """Guess how likely a seat agrees to what it can serve: it gains ``other``, the asker ``own``."""
    return 1.0 / (1.0 + math.exp((m["k_of"][q] * own - other) / s["chance"]))


@compiled
def note_hope(m: Row, own: float, other: float, cards: int) -> None:
    """Remember what was asked for, and what it would bring both sides."""
    m["hope_own"] = own
    m["hope_other"] = other
    m["hope_cards"] = cards


@compiled
def learn_answer(g: Row, s: Row, m: Row, q: int, agreed: bool) -> None:
    """Learn from a seat's answer to the offer of the last :func:`note_hope`."""
    if s["learns"] <= 0.0:
        return
    let_doubts_fade(g, m)
    own, cards = float(m["hope_own"]), int(m["hope_cards"])
    yes, has = willing(s, m, q, own, float(m["hope_other"])), holds_all(g, m, q, cards)
    slope = own / s["chance"] * (1.0 - yes)
    if agreed:
        moved = -slope
    else:
        no = max(0.05, 1.0 - has * yes)
        moved = slope * has * yes / no
        doubt_cards(m, q, cards, (1.0 - yes) / no)
    k_of = m["k_of"][q] + s["learns"] * min(1.0, max(-1.0, moved))
    m["k_of"][q] = min(HARDEST, max(SOFTEST, k_of))


@compiled
def doubt_cards(m: Row, q: int, cards: int, left: float) -> None:
    """Trust only so much (a part) of what was thought that a seat holds these cards (packed)."""
    k = 0
    while cards:
        if (cards & LANE) > m["known"][q, k]:
            m["doubt"][q, k] = 1.0 - (1.0 - m["doubt"][q, k]) * min(1.0, left)
        cards >>= BITS
        k += 1

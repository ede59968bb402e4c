"""What a trader learns of its partners in a game: how hard each bargains, and what each seems to lack.

Before it asks it says to itself how likely a yes is. The answer then moves what it thinks of the partner's
``k``: a Kalman filter, whose steps shrink as answers come in. The numbers it begins with fit the answers of
other players best (`bench/answers.py`).
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

STEP = 0.3
"""No answer moves it further."""

LEAST = 0.32
"""So many coins a partner wants at the least: what it has in its hand is worth more than one can see."""

TRUST = 0.67
"""So often a partner has a card that chance would give it: what it could spare it has often given away."""

FADING = 0.7
"""So much of a doubt about a hand is left a turn later: hands change."""


@compiled
def meet(g: Row, s: Row, m: Row) -> None:
    """Begin a game: everybody bargains as the style guesses, and may hold anything."""
    for q in range(g["players"]):
        m["k_of"][q] = s["k_guess"]
        m["open_of"][q] = s["learns"]
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
    trust = TRUST * (1.0 - m["doubt"][q, k])
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
    return 1.0 / (1.0 + math.exp((m["k_of"][q] * own + LEAST - other) / s["chance"]))


@compiled
def note_hope(g: Row, m: Row, q: int, own: float, other: float, cards: int) -> None:
    """Remember what was asked of a seat, how likely it has that, and what it would bring both sides."""
    m["hope_own"] = own
    m["hope_other"] = other
    m["hope_cards"] = cards
    m["hope_has"] = holds_all(g, m, q, cards)


@compiled
def learn_answer(g: Row, s: Row, m: Row, q: int, agreed: bool) -> None:
    """Learn from a seat's answer to the offer of the last :func:`note_hope`."""
    if s["learns"] <= 0.0:
        return
    let_doubts_fade(g, m)
    own, has = float(m["hope_own"]), float(m["hope_has"])
    yes = willing(s, m, q, own, float(m["hope_other"]))
    agrees = min(0.999, max(0.001, has * yes))
    slope = -own / s["chance"]  # of what decides, by k
    if agreed:
        score = slope * (1.0 - yes)
    else:
        score = -slope * has * yes * (1.0 - yes) / (1.0 - agrees)
        doubt_cards(m, q, int(m["hope_cards"]), min(1.0, (1.0 - yes) / (1.0 - agrees)))
    told = (slope * has * yes * (1.0 - yes)) ** 2 / (agrees * (1.0 - agrees))
    m["open_of"][q] /= 1.0 + told * m["open_of"][q]
    moved = min(STEP, max(-STEP, score * m["open_of"][q]))
    m["k_of"][q] = min(HARDEST, max(SOFTEST, m["k_of"][q] + moved))


@compiled
def doubt_cards(m: Row, q: int, cards: int, left: float) -> None:
    """Trust only so much (a part) of what was thought that a seat holds all these cards (packed)."""
    unknown = kinds_unknown(m, q, cards)
    if unknown == 0:
        return
    left, k = left ** (1.0 / unknown), 0  # each kind bears an equal part
    while cards:
        if (cards & LANE) > m["known"][q, k]:
            m["doubt"][q, k] = 1.0 - (1.0 - m["doubt"][q, k]) * left
        cards >>= BITS
        k += 1


@compiled
def kinds_unknown(m: Row, q: int, cards: int) -> int:
    """Count the kinds of which a seat is not known to hold so many cards (packed)."""
    n, k = 0, 0
    while cards:
        n += (cards & LANE) > m["known"][q, k]
        cards >>= BITS
        k += 1
    return n

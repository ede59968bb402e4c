"""What a trader learns of its partners in a game: how hard each bargains, and what each seems to lack.

Before it asks it guesses how likely a yes is. The answer then moves its estimate of the partner's
``k``: a Kalman filter, whose steps shrink as answers come in. The numbers it begins with fit the answers of
other players best (`bench/answers.py`).
"""

from __future__ import annotations

import math
from typing import Any

from bohn.lab.compiling import compiled
from bohn.lab.players.player_memory import BITS, LANE
from bohn.lab.row import KINDS

Row = Any

SOFTEST, HARDEST = -0.5, 2.0
"""The limits of the estimate of a partner's ``k``."""

STEP = 0.3
"""The furthest that one answer moves the estimate of ``k``."""

LEAST = 0.32
"""Coins a partner wants at the least: what it has in its hand is worth more than one can see."""

TRUST = 0.67
"""How likely a partner has a card that chance would give it: what it could spare it has often given away."""

FADING = 0.7
"""The part of a doubt about a hand that is left a turn later: hands change."""


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
def fade_doubts(g: Row, m: Row) -> None:
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
    """Guess how likely a seat holds at least ``needed`` cards of a kind."""
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
def note_expectation(g: Row, m: Row, q: int, own: float, other: float, cards: int) -> None:
    """Remember what was asked of a seat, how likely it has that, and what it would bring both sides."""
    m["expected_own"] = own
    m["expected_other"] = other
    m["asked_cards"] = cards
    m["expected_has"] = holds_all(g, m, q, cards)


@compiled
def learn_answer(g: Row, s: Row, m: Row, q: int, agreed: bool) -> None:
    """Learn from a seat's answer to the offer of the last :func:`note_expectation`."""
    if s["learns"] <= 0.0:
        return
    fade_doubts(g, m)
    own, has = float(m["expected_own"]), float(m["expected_has"])
    yes = willing(s, m, q, own, float(m["expected_other"]))
    agrees = min(0.999, max(0.001, has * yes))
    slope = -own / s["chance"]  # of what decides, by k
    if agreed:
        score = slope * (1.0 - yes)
    else:
        score = -slope * has * yes * (1.0 - yes) / (1.0 - agrees)
        doubt_cards(m, q, int(m["asked_cards"]), min(1.0, (1.0 - yes) / (1.0 - agrees)))
    told = (slope * has * yes * (1.0 - yes)) ** 2 / (agrees * (1.0 - agrees))
    m["open_of"][q] /= 1.0 + told * m["open_of"][q]
    moved = min(STEP, max(-STEP, score * m["open_of"][q]))
    m["k_of"][q] = min(HARDEST, max(SOFTEST, m["k_of"][q] + moved))


@compiled
def doubt_cards(m: Row, q: int, cards: int, left: float) -> None:
    """Reduce the guess that a seat holds all these cards (packed) to the part ``left`` of it."""
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
    """Count the kinds of which a seat is not known to hold all these cards (packed)."""
    n, k = 0, 0
    while cards:
        n += (cards & LANE) > m["known"][q, k]
        cards >>= BITS
        k += 1
    return n

"""Two who favour each other: noticed by how often they exchange, then priced, and met by the others together.

Whoever counts another's coins as its own exchanges with him about five times as often as others do. That
shows after a quarter of a game, and nobody has to judge a single exchange. Against two who play as one it
does not help to refuse them; it helps to be less hard with those who are their victims too.
"""

from __future__ import annotations

from typing import Any

from bohn.lab.compiling import compiled

Row = Any


@compiled
def notice_pairs(g: Row, s: Row, m: Row, p: int) -> None:
    """Note which two others exchange so much more with each other than all others do that it is no chance.

    Who was told of a pair before the deal knows, and looks for no other.
    """
    if m["told"]:
        return
    players, count = int(g["players"]), m["exchanges"]
    total = 0
    for a in range(players):
        m["paired"][a] = 0
        for b in range(a):
            total += count[a, b]
    m["noticed"] = 0
    for a in range(players):
        for b in range(a):
            usual = (total - count[a, b]) / max(1, players * (players - 1) // 2 - 1)
            if p not in (a, b) and count[a, b] >= s["wary"] + 2.0 * usual:
                m["noticed"] = m["paired"][a] = m["paired"][b] = 1


@compiled
def against_pair(s: Row, m: Row, q: int) -> bool:
    """Tell whether a seat is not of the pair that was noticed, so that what it gains costs less."""
    return bool(s["wary"] > 0.0 and m["noticed"] and not m["paired"][q])


@compiled
def price_of_pair(s: Row, m: Row, q: int) -> float:
    """Return what an exchange with a seat costs because it is of the pair that was noticed."""
    return float(s["shun"]) if s["wary"] > 0.0 and m["paired"][q] else 0.0

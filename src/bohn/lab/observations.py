"""What the deciding seat of a game of the twin may know, as bytes.

That is what its view shows (:mod:`bohn.views.view`) and what it can remember of public events
(:mod:`bohn.views.knowledge`: discards by kind, unseen cards by kind), nothing else.
Seats are relative: 0 is the seat that decides, then clockwise. Absent seats are zero. All zero after the end.

=============  ======  ==========  ========================================================================
feature        offset  shape       meaning
=============  ======  ==========  ========================================================================
phase               0  (7,)        one-hot: plant, reveal, trade, plant traded, leftovers, face up, end
mode                7  (5,)        one-hot: due, asked, answer, compose, moment
selected           12  (11,)       one-hot: the kind this seat plants next, if it has chosen
players            23  (1,)        seats at the table
turn               24  (1,)        number of the turn, at most 255
exhaustions        25  (1,)        how often the draw pile has run out
draw_pile          26  (1,)        its cards
discard_pile       27  (1,)        its cards
planted            28  (1,)        hand cards planted this turn
exchanges          29  (1,)        exchanges of this trading phase
made               30  (7,)        offers each seat has made this turn, at most 255
active             37  (7,)        one-hot: the active player
starter            44  (7,)        one-hot: the seat that began
maker              51  (7,)        one-hot: who makes the offer on the table, or composes it
partner            58  (7,)        one-hot: whom it is for
give_face          65  (11,)       face-up beans given in it, by kind
give_hand          76  (11,)       hand cards given in it, by kind
want               87  (11,)       cards asked for in it, by kind
face_up            98  (11,)       beans that lie face up, by kind
box               109  (11,)       beans out of play, by kind
discard_top       120  (11,)       one-hot: the topmost discard
discards          131  (11,)       the discard pile by kind: all discards are public
unseen            142  (11,)       cards in others' hands and the draw pile together, by kind
own_hand          153  (11,)       own hand by kind
front             164  (10, 11)    one-hot: the kind of each of the first ten own hand cards, front first
hand_size         274  (7,)        hand cards
coins             281  (7,)        coins
fields            288  (7,)        fields each seat has
set_aside         295  (7, 11)     beans received and not yet planted, by kind
planted_beans     372  (7, 3, 11)  beans on each field, at the place of their kind
=============  ======  ==========  ========================================================================
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bohn.lab.compiling import compiled
from bohn.lab.row import DUE, FIELDS, KINDS, SEATS, Rows
from bohn.lab.twin import ACTIONS, Row
from bohn.lab.worlds import LANE, hidden_counts

Bytes = npt.NDArray[np.uint8]

FRONT = 10
"""Own hand cards that are shown in their order."""

_SHAPES: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("phase", (7,)),
    ("mode", (5,)),
    ("selected", (KINDS,)),
    ("players", (1,)),
    ("turn", (1,)),
    ("exhaustions", (1,)),
    ("draw_pile", (1,)),
    ("discard_pile", (1,)),
    ("planted", (1,)),
    ("exchanges", (1,)),
    ("made", (SEATS,)),
    ("active", (SEATS,)),
    ("starter", (SEATS,)),
    ("maker", (SEATS,)),
    ("partner", (SEATS,)),
    ("give_face", (KINDS,)),
    ("give_hand", (KINDS,)),
    ("want", (KINDS,)),
    ("face_up", (KINDS,)),
    ("box", (KINDS,)),
    ("discard_top", (KINDS,)),
    ("discards", (KINDS,)),
    ("unseen", (KINDS,)),
    ("own_hand", (KINDS,)),
    ("front", (FRONT, KINDS)),
    ("hand_size", (SEATS,)),
    ("coins", (SEATS,)),
    ("fields", (SEATS,)),
    ("set_aside", (SEATS, KINDS)),
    ("planted_beans", (SEATS, FIELDS, KINDS)),
)


def _layout() -> dict[str, tuple[int, tuple[int, ...]]]:
    layout, offset = {}, 0
    for name, shape in _SHAPES:
        layout[name] = (offset, shape)
        offset += int(np.prod(shape))
    return layout


LAYOUT: dict[str, tuple[int, tuple[int, ...]]] = _layout()
"""Offset and shape of every feature, in the order of the table above."""

FEATURES = sum(int(np.prod(shape)) for _, shape in _SHAPES)
"""The length of an observation, in bytes."""

# numbers, because compiled code reads no dictionary of tuples
_O_PHASE, _O_MODE, _O_SELECTED, _O_NUMBERS, _O_MADE, _O_ACTIVE, _O_STARTER, _O_MAKER, _O_PARTNER = (
    LAYOUT[name][0]
    for name in ("phase", "mode", "selected", "players", "made", "active", "starter", "maker", "partner")
)
_O_GIVE_FACE, _O_GIVE_HAND, _O_WANT, _O_FACE_UP, _O_BOX, _O_TOP, _O_DISCARDS, _O_UNSEEN, _O_OWN, _O_FRONT = (
    LAYOUT[name][0]
    for name in (
        *("give_face", "give_hand", "want", "face_up", "box", "discard_top", "discards"),
        *("unseen", "own_hand", "front"),
    )
)
_O_HANDS, _O_COINS, _O_FIELDS, _O_ASIDE, _O_BEANS = (
    LAYOUT[name][0] for name in ("hand_size", "coins", "fields", "set_aside", "planted_beans")
)


@compiled
def observe(states: Rows, i: int, out: Bytes, n: int) -> None:
    """Write what the deciding seat of game ``i`` may know to row ``n`` of ``out (rows, FEATURES)``."""
    g = states[i]
    for j in range(FEATURES):
        out[n, j] = 0
    viewer = int(g["seat"])
    if viewer < 0:
        return
    observe_table(g, viewer, out, n)
    observe_seats(g, viewer, out, n)
    # cards are counted in one packed number: much quicker than eleven counters in memory
    discards = 0
    for j in range(g["discards"]):
        discards += 1 << LANE * int(g["discard"][j])
    unseen = hidden_counts(g, viewer)
    for k in range(KINDS):
        out[n, _O_DISCARDS + k] = discards >> LANE * k & 31
        out[n, _O_UNSEEN + k] = unseen >> LANE * k & 31
        out[n, _O_OWN + k] = g["held"][viewer, k]
    for j in range(min(FRONT, int(g["hands"][viewer]))):
        out[n, _O_FRONT + KINDS * j + int(g["hand"][viewer, j])] = 1


@compiled
def observe_table(g: Row, viewer: int, out: Bytes, n: int) -> None:
    """Write what is on the table."""
    players = int(g["players"])
    out[n, _O_PHASE + int(g["phase"])] = 1
    out[n, _O_MODE + int(g["mode"])] = 1
    # what another seat has selected is not yet public
    if g["mode"] == DUE and g["selected"] >= 0:
        out[n, _O_SELECTED + int(g["selected"])] = 1
    out[n, _O_NUMBERS] = players
    out[n, _O_NUMBERS + 1] = min(255, int(g["turn"]))
    out[n, _O_NUMBERS + 2] = g["exhaustions"]
    out[n, _O_NUMBERS + 3] = g["draws"]
    out[n, _O_NUMBERS + 4] = g["discards"]
    out[n, _O_NUMBERS + 5] = g["planted"]
    out[n, _O_NUMBERS + 6] = g["exchanges"]
    out[n, _O_ACTIVE + relative(g["active"], viewer, players)] = 1
    out[n, _O_STARTER + relative(g["starter"], viewer, players)] = 1
    if g["maker"] >= 0:
        out[n, _O_MAKER + relative(g["maker"], viewer, players)] = 1
        out[n, _O_PARTNER + relative(g["partner"], viewer, players)] = 1
    for k in range(KINDS):
        out[n, _O_GIVE_FACE + k] = g["give_face"][k]
        out[n, _O_GIVE_HAND + k] = g["give_hand"][k]
        out[n, _O_WANT + k] = g["want"][k]
        out[n, _O_FACE_UP + k] = g["face_up"][k]
        out[n, _O_BOX + k] = g["box"][k]
    if g["discards"]:
        out[n, _O_TOP + int(g["discard"][g["discards"] - 1])] = 1


@compiled
def relative(seat: int, viewer: int, players: int) -> int:
    """Return how far a seat is from the viewer, clockwise."""
    far = int(seat) - viewer
    return far + players if far < 0 else far


@compiled
def observe_seats(g: Row, viewer: int, out: Bytes, n: int) -> None:
    """Write what everybody sees of every seat."""
    players = int(g["players"])
    p = viewer
    for seat in range(players):
        out[n, _O_MADE + seat] = min(255, int(g["made"][p]))
        out[n, _O_HANDS + seat] = g["hands"][p]
        out[n, _O_COINS + seat] = g["coins"][p]
        out[n, _O_FIELDS + seat] = g["fields"][p]
        for k in range(KINDS):
            out[n, _O_ASIDE + KINDS * seat + k] = g["set_aside"][p, k]
        for f in range(FIELDS):
            out[n, _O_BEANS + KINDS * (FIELDS * seat + f) + int(g["kind"][p, f])] = g["beans"][p, f]
        p += 1
        if p == players:
            p = 0


@compiled
def show_mask(bits: int, masks: Bytes, n: int) -> None:
    """Write legal actions given as bits to row ``n`` of ``masks (rows, ACTIONS)``, one byte each."""
    for action in range(ACTIONS):
        masks[n, action] = bits >> action & 1

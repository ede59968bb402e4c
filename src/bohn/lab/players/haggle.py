"""Haggling: the ladder of offers a trader climbs down, best first."""

from __future__ import annotations

from typing import Any

from bohn.lab.compiling import compiled
from bohn.lab.players.pairs import against_pair, price_of_pair
from bohn.lab.players.partner import fade_doubts, holds_all, note_expectation, willing
from bohn.lab.players.player_memory import BITS, LADDER, LANE, SIDES
from bohn.lab.players.weigh import (
    from_face_up,
    hardness,
    learned_gain,
    others_gain,
    own_gain,
    set_scene,
)
from bohn.lab.players.worth import look
from bohn.lab.row import ANSWER, KINDS
from bohn.lab.twin import clear_offer, count_offer, tries

Row = Any

FEW = 30
"""Offers a turn: a seat that may make no more than these orders them by the chance of a yes, too."""

BEST_SIDES = 20
"""Ways to fill one side that are combined with those of the other, where there are more."""

NOT_WORTH = -1e9
"""Instead of a net gain: an offer that is not worth making, or cannot be served."""

CLOSE = 1e-6
"""Net gains no further apart are the same."""

RARELY = 0.1
"""The part of what cards are worth that counts even if nobody seems to have them."""

NONE = 15
"""In the code of a side: no card."""

EMPTY = (1 << 16) - 1
"""A side of four cards, four bits each, without a card. Of the own side the lower two are face-up beans."""


@compiled
def side(a: int, b: int, c: int, d: int) -> int:
    """Return the code of a side; ``NONE`` for no card."""
    return a | b << 4 | c << 8 | d << 12


@compiled
def cards_in(code: int, first: int, last: int) -> int:
    """Return the cards of a side from one place to before another, packed."""
    cards = 0
    for place in range(first, last):
        k = code >> 4 * place & 15
        if k != NONE:
            cards += 1 << BITS * k
    return cards


@compiled
def add_give(m: Row, n: int, code: int) -> int:
    """Add a way to fill the own side."""
    if n < SIDES:
        m["gives"][n] = code
        return n + 1
    return n


@compiled
def add_want(m: Row, n: int, code: int) -> int:
    """Add a way to fill the other side."""
    if n < SIDES:
        m["wants"][n] = code
        return n + 1
    return n


@compiled
def list_gives(g: Row, s: Row, m: Row, p: int) -> int:
    """List what may be given: nothing, one or two face-up beans, hand cards, one of each."""
    n = list_hand_gives(g, s, m, p, add_give(m, 0, EMPTY))
    if p != g["active"]:
        return n
    for k in range(KINDS):
        if g["face_up"][k]:
            n = add_give(m, n, side(k, NONE, NONE, NONE))
            n = list_with_hand(g, s, m, p, n, k)
            n = list_two_faces(g, s, m, p, n, k)
    return n


@compiled
def list_hand_gives(g: Row, s: Row, m: Row, p: int, n: int) -> int:
    """List hand cards alone: one of each kind, and two (the wide style: any, else the first two)."""
    held = g["held"][p]
    for k in range(KINDS):
        if held[k]:
            n = add_give(m, n, side(NONE, NONE, k, NONE))
    if s["wide"]:
        for k in range(KINDS):
            for other in range(k, KINDS):
                if held[k] and held[other] > (k == other):
                    n = add_give(m, n, side(NONE, NONE, k, other))
    elif g["hands"][p] > 1:
        n = add_give(m, n, side(NONE, NONE, int(g["hand"][p, 0]), int(g["hand"][p, 1])))
    return n


@compiled
def list_with_hand(g: Row, s: Row, m: Row, p: int, n: int, k: int) -> int:
    """List a face-up bean with one hand card, in the wide style also with two."""
    held = g["held"][p]
    for card in range(KINDS):
        if held[card]:
            n = add_give(m, n, side(k, NONE, card, NONE))
            if s["wide"]:
                for other in range(card, KINDS):
                    if held[other] > (card == other):
                        n = add_give(m, n, side(k, NONE, card, other))
    return n


@compiled
def list_two_faces(g: Row, s: Row, m: Row, p: int, n: int, k: int) -> int:
    """List two face-up beans, in the wide style also with a hand card."""
    lying, held = g["face_up"], g["held"][p]
    for other in range(k, KINDS):
        if lying[other] > (k == other):
            n = add_give(m, n, side(k, other, NONE, NONE))
            if s["wide"]:
                for card in range(KINDS):
                    if held[card]:
                        n = add_give(m, n, side(k, other, card, NONE))
    return n


@compiled
def list_wants(g: Row, s: Row, m: Row, p: int) -> int:
    """List what may be asked for: nothing, one or two of a kind that grows or is held."""
    n = add_want(m, 0, EMPTY)
    useful = 0
    for f in range(g["fields"][p]):
        if g["beans"][p, f]:
            useful |= 1 << int(g["kind"][p, f])
    for k in range(KINDS):
        if g["held"][p, k] or g["set_aside"][p, k] or (p == g["active"] and g["face_up"][k]):
            useful |= 1 << k
        if p != g["active"] and g["face_up"][k] and s["wide"]:
            useful |= 1 << k
    for k in range(KINDS):
        if not useful >> k & 1:
            continue
        n = add_want(m, n, side(k, NONE, NONE, NONE))
        n = add_want(m, n, side(k, k, NONE, NONE))
        if s["wide"]:
            n = add_want(m, n, side(k, k, k, NONE))
            for other in range(k + 1, KINDS):
                if useful >> other & 1:
                    n = add_want(m, n, side(k, other, NONE, NONE))
    return n


@compiled
def build_ladder(r: Row, g: Row, v: Row, s: Row, m: Row, p: int) -> None:
    """Weigh all offers a seat might make now and keep those worth making."""
    look(r, g, v, s, m, p)
    fade_doubts(g, m)
    m["ladder_stamp"] = m["stamp"]
    m["tried"] = 0
    gives = list_gives(g, s, m, p)
    wants = list_wants(g, s, m, p)
    if s["wide"]:
        gives = keep_best(r, g, v, s, m, p, gives, True)
        wants = keep_best(r, g, v, s, m, p, wants, False)
    if s["learned"]:
        for q in range(g["players"]):
            set_scene(g, s, m, p, q, 1)
    n = 0
    for i in range(gives):
        for j in range(wants):
            give, want = int(m["gives"][i]), int(m["wants"][j])
            if want == EMPTY and (give == EMPTY or not s["gifts"]):
                continue
            own = own_gain(r, g, v, s, m, p, cards_in(want, 0, 4), cards_in(give, 0, 2), cards_in(give, 2, 4))
            if own > s["theta_offer"] or s["learned"]:
                n = add_rungs(r, g, v, s, m, p, n, own, give, want)
    m["rungs"] = n
    for at in range(n // 2 - 1, -1, -1):
        sift(m, at, n)


@compiled
def add_rungs(
    r: Row, g: Row, v: Row, s: Row, m: Row, p: int, n: int, own: float, give: int, want: int
) -> int:
    """Weigh one offer for every possible partner and add to the ladder what is worth making."""
    active = int(g["active"])
    for q in range(g["players"]):
        if q != p and n < LADDER and active in {p, q}:
            n = add_rung(r, g, v, s, m, p, q, n, own, give, want)
    return n


@compiled
def sift(m: Row, at: int, n: int) -> None:
    """Let a rung sink to its place: the ladder is a heap, the best offer first."""
    net, offer = m["net"][at], m["offer"][at]
    while True:
        child = 2 * at + 1
        if child >= n:
            break
        if child + 1 < n and m["net"][child + 1] > m["net"][child]:
            child += 1
        if m["net"][child] <= net:
            break
        m["net"][at] = m["net"][child]
        m["offer"][at] = m["offer"][child]
        at = child
    m["net"][at] = net
    m["offer"][at] = offer


@compiled
def keep_best(r: Row, g: Row, v: Row, s: Row, m: Row, p: int, n: int, own_side: bool) -> int:
    """Keep the sides that alone are worth most, in their order; return how many.

    Cards that hardly anybody can have count little: else they would take the place of those to be had.
    """
    if n <= BEST_SIDES:
        return n
    codes = m["gives"] if own_side else m["wants"]
    worth = m["worth"]
    for i in range(n):
        code = int(codes[i])
        if own_side:
            worth[i] = own_gain(r, g, v, s, m, p, 0, cards_in(code, 0, 2), cards_in(code, 2, 4))
        else:
            worth[i] = own_gain(r, g, v, s, m, p, cards_in(code, 0, 4), 0, 0)
            if worth[i] > 0.0:
                worth[i] *= RARELY + (1.0 - RARELY) * likeliest(g, m, p, cards_in(code, 0, 4))
    kept = 0
    for i in range(n):
        better = 0
        for j in range(n):
            if worth[j] > worth[i] or (worth[j] == worth[i] and j < i):
                better += 1
        m["rank"][i] = better
    for i in range(n):
        if m["rank"][i] < BEST_SIDES:
            codes[kept] = codes[i]
            kept += 1
    return kept


@compiled
def likeliest(g: Row, m: Row, p: int, cards: int) -> float:
    """Guess how likely the partner who is likeliest to have these cards (packed) has them."""
    active, best = int(g["active"]), 0.0
    for q in range(g["players"]):
        if q != p and active in {p, q}:
            best = max(best, holds_all(g, m, q, cards - from_face_up(g, m, q, cards)))
    return best


@compiled
def add_rung(
    r: Row, g: Row, v: Row, s: Row, m: Row, p: int, q: int, n: int, own: float, give: int, want: int
) -> int:
    """Weigh one offer for one partner and add it to the ladder if it is worth making."""
    net = weigh_rung(r, g, v, s, m, p, q, own, give, want)
    if net == NOT_WORTH:
        return n
    m["net"][n] = net
    m["offer"][n] = q << 32 | want << 16 | give
    return n + 1


@compiled
def weigh_rung(
    r: Row, g: Row, v: Row, s: Row, m: Row, p: int, q: int, own: float, give: int, want: int
) -> float:
    """Return the net gain of an offer for one partner; where offers are few, times the chance of a yes."""
    wanted = cards_in(want, 0, 4)
    lies = from_face_up(g, m, q, wanted)
    goes = wanted - lies
    if not may_hold(g, m, q, goes):
        return NOT_WORTH
    other = others_gain(r, g, v, s, m, q, cards_in(give, 0, 4), lies, goes)
    if other < -s["cost"]:
        return NOT_WORTH
    if m["favours"][q] > 0.0:
        net = own + m["favours"][q] * other
    elif against_pair(s, m, q):
        net = float(own + s["ally"] * other)
    elif s["learned"]:
        net = learned_gain(m, q) - price_of_pair(s, m, q)
    else:
        k_offer = s["k_offer_own"] if p == g["active"] else s["k_offer"]
        net = own - hardness(s, m, k_offer, q) * max(0.0, other)
    if net <= s["theta_offer"]:
        return NOT_WORTH
    if few_offers(r, s):
        net *= holds_all(g, m, q, goes) * willing(s, m, q, own, other)
    return float(net)


@compiled
def may_hold(g: Row, m: Row, q: int, cards: int) -> bool:
    """Tell whether a seat may have all these cards (packed) in its hand."""
    asked, k = 0, 0
    while cards:
        needed = cards & LANE
        asked += needed
        if needed > m["unseen"][k]:
            return False
        cards >>= BITS
        k += 1
    return bool(asked <= g["hands"][q])


@compiled
def next_offer(r: Row, g: Row, v: Row, s: Row, m: Row, p: int) -> bool:
    """Lay the best offer not yet tried on the table; tell whether there was one."""
    if tries(r, g, p) <= 0:
        return False
    look(r, g, v, s, m, p)
    if m["ladder_stamp"] != m["stamp"]:
        build_ladder(r, g, v, s, m, p)
    if m["tried"] >= s["tries"]:
        return False
    if few_offers(r, s):
        weigh_anew(r, g, v, s, m, p)
    n = int(m["rungs"])
    if n == 0:
        return False
    best = int(m["offer"][0])
    if few_offers(r, s):
        expect_answer(r, g, v, s, m, p, best)
    n -= 1
    m["net"][0] = m["net"][n]
    m["offer"][0] = m["offer"][n]
    m["rungs"] = n
    sift(m, 0, n)
    m["tried"] += 1
    lay_open(g, p, best)
    return True


@compiled
def few_offers(r: Row, s: Row) -> bool:
    """Tell whether only few offers may be made, so that the chance of a yes matters."""
    return bool(s["chance"] > 0.0 and min(r["offers_a_turn"], s["tries"]) <= FEW)


@compiled
def weigh_anew(r: Row, g: Row, v: Row, s: Row, m: Row, p: int) -> None:
    """Weigh the first offer of the ladder by what answers have taught since, until one stays the first.

    A refusal makes others like it less likely to be accepted: what sinks hardly ever has to rise again.
    """
    fade_doubts(g, m)
    n = int(m["rungs"])
    if s["learned"]:
        for q in range(g["players"]):
            set_scene(g, s, m, p, q, 1)
    while n > 0:
        offer, thought = int(m["offer"][0]), m["net"][0]
        q, want, give = offer >> 32, offer >> 16 & EMPTY, offer & EMPTY
        own = own_gain(r, g, v, s, m, p, cards_in(want, 0, 4), cards_in(give, 0, 2), cards_in(give, 2, 4))
        net = weigh_rung(r, g, v, s, m, p, q, own, give, want)
        m["net"][0] = min(thought, net)
        if net >= thought - CLOSE:
            break
        sift(m, 0, n)


@compiled
def expect_answer(r: Row, g: Row, v: Row, s: Row, m: Row, p: int, offer: int) -> None:
    """Note what an offer is expected to bring both sides, to learn from its answer."""
    q, want, give = offer >> 32, offer >> 16 & EMPTY, offer & EMPTY
    wanted = cards_in(want, 0, 4)
    lies = from_face_up(g, m, q, wanted)
    own = own_gain(r, g, v, s, m, p, wanted, cards_in(give, 0, 2), cards_in(give, 2, 4))
    other = others_gain(r, g, v, s, m, q, cards_in(give, 0, 4), lies, wanted - lies)
    note_expectation(g, m, q, own, other, wanted - lies)


@compiled
def lay_open(g: Row, p: int, offer: int) -> None:
    """Make an offer: the same as composing it action by action."""
    clear_offer(g)
    g["maker"] = p
    g["partner"] = offer >> 32
    for place in range(4):
        k = offer >> 4 * place & 15
        if k != NONE:
            if place < 2:
                g["give_face"][k] += 1
            else:
                g["give_hand"][k] += 1
        k = offer >> 16 + 4 * place & 15
        if k != NONE:
            g["want"][k] += 1
    count_offer(g)
    g["commands"] += 1
    g["seat"] = g["partner"]
    g["mode"] = ANSWER

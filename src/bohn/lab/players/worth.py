"""What a position is worth to a seat, in coins it will have: fields, beans to plant, the hand."""

from __future__ import annotations

import math
from typing import Any

from bohn.lab.compiling import compiled
from bohn.lab.players.pairs import notice_pairs
from bohn.lab.players.player_memory import BITS, LANE, MOST_BEANS, PER_CARD, STEPS
from bohn.lab.row import KINDS, TOKEN

Row = Any

CARDS_A_TURN = 1.5
"""Hand cards that are planted in a turn, about: one must be, a second may be."""

SOON = 6
"""Turns after which a table with (nearly) no exchange counts as one where nobody trades."""


@compiled
def look(r: Row, g: Row, v: Row, s: Row, m: Row, p: int) -> None:
    """Work out what a seat expects of the deck, if anything has changed since it last looked."""
    m["burden"] = s["burden"]
    stamp = g["commands"] - g["offers"] - g["answers"] + g["trades"] + g["gifts"]
    if m["stamp"] == stamp:
        return
    m["stamp"] = stamp
    count_unseen(r, g, m, p)
    count_supply(r, g, s, m, p)
    if s["by_kind"]:
        count_by_kind(r, g, s, m, p)
    ones, kinds = 0.0, 0
    for k in range(KINDS):
        deck = r["deck"][k]
        if deck == 0:
            continue
        mean = m["supply"][k] * m["activity"]
        growers = 0
        for q in range(g["players"]):
            for f in range(g["fields"][q]):
                if g["beans"][q, f] and g["kind"][q, f] == k:
                    growers += 1
                    break
        expect(m, k, 0, mean / (1.0 + s["rival"] * growers))
        expect(m, k, 1, mean / (1.0 + s["rival"] * max(0, growers - 1)))
        ones += field_value(v, m, k, 1, 0)
        kinds += 1
    m["none"] = s["empty"] * ones / max(1, kinds)
    compare_wealth(r, g, m)
    if s["wary"] > 0.0:
        notice_pairs(g, s, m, p)
    m["faces"] = packed(g["face_up"])
    note_seats(r, g, v, s, m, p)


@compiled
def note_seats(r: Row, g: Row, v: Row, s: Row, m: Row, p: int) -> None:
    """Note what each seat has to plant and is worth after that, one's own with the hand."""
    for q in range(g["players"]):
        m["aside"][q] = packed(g["set_aside"][q])
        if q == g["active"]:
            m["aside"][q] += m["faces"]
        m["before"][q] = grow(r, g, v, m, q, int(m["aside"][q]))
        if q == p:
            m["before_hand"] = hand_value(g, v, s, m, q, 0)
            m["before"][q] += m["before_hand"]
        if s["by_kind"]:
            note_needs(g, v, m, q)


@compiled
def note_needs(g: Row, v: Row, m: Row, q: int) -> None:
    """Note what one more card of each kind would bring a seat, after `grow`; nothing where it would cost."""
    fields = int(g["fields"][q])
    for k in range(KINDS):
        m["need"][q, k] = max(0.0, card_value(v, m, fields, k, 0))


@compiled
def purse_of(g: Row, s: Row, m: Row, p: int, cards: int, wanted: float) -> float:
    """Return what hand cards of a seat (packed) count besides: as what others would give something for."""
    purse, k = 0.0, 0
    while cards:
        number = cards & LANE
        if number:
            most = 0.0
            for q in range(g["players"]):
                if q != p:
                    most = max(most, m["need"][q, k])
            purse += number * (s["prices"][k] + wanted * most)
        cards >>= BITS
        k += 1
    return purse


@compiled
def packed(counts: Row) -> int:
    """Return counts by kind as one integer."""
    code = 0
    for k in range(KINDS):
        code |= int(counts[k]) << BITS * k
    return code


@compiled
def count_supply(r: Row, g: Row, s: Row, m: Row, p: int) -> None:
    """Work out how many cards of each kind may come to a seat before long."""
    turned = s["rounds"] * g["players"] * (r["reveal"] + r["draw"])
    draws, discards = int(g["draws"]), int(g["discards"])
    now = min(1.0, turned / max(1, draws))
    later = 0.0
    passes = int(r["exhaustions"]) - int(g["exhaustions"])
    if passes > 1 and turned > draws and discards > 0:
        later = min(1.0, (turned - draws) / discards)
    m["passes"] = passes - 1 + draws / max(1, draws + discards)
    m["activity"] = 1.0
    if s["adapt"] > 0.0:
        seen = g["trades"] + g["gifts"] + s["adapt"] * s["rate"]
        m["activity"] = min(1.0, seen / ((g["turn"] + s["adapt"]) * s["rate"]))
    exchanges = g["trades"] + g["gifts"]
    m["nobody"] = g["turn"] >= SOON and exchanges * 2 * SOON <= g["turn"]
    lying = m["lying"]
    for k in range(KINDS):
        lying[k] = 0
    for j in range(discards):
        lying[g["discard"][j]] += 1
    if s["draw"] <= 0.0:
        for k in range(KINDS):
            m["supply"][k] = s["capture"] * (m["unseen"][k] * now + lying[k] * later)
        return
    hidden = draws
    for q in range(g["players"]):
        if q != p:
            hidden += g["hands"][q]
    for k in range(KINDS):
        known = 0
        for q in range(g["players"]):
            if q != p:
                known += m["known"][q, k]
        part = max(0, m["unseen"][k] - known) / max(1, hidden)
        m["supply"][k] = (
            s["draw"] * part * min(turned, draws)
            + s["others"] * part * (hidden - draws)
            + s["known"] * known
            + s["pass"] * lying[k] * later
        )


@compiled
def count_by_kind(r: Row, g: Row, s: Row, m: Row, p: int) -> None:
    """Add to the supply what is known to be in other hands, and scale it by kind; count own turns to come."""
    cards = m["passes"] * (g["draws"] + g["discards"])
    m["turns"] = cards / (g["players"] * (r["reveal"] + r["draw"]))
    for k in range(KINDS):
        for q in range(g["players"]):
            if q != p:
                m["supply"][k] += s["known"] * m["known"][q, k]
        m["supply"][k] *= math.exp(s["supplies"][k])


@compiled
def compare_wealth(r: Row, g: Row, m: Row) -> None:
    """Note how far each seat is ahead of the mean of the others, as a part of four coins, from -1 to 1."""
    players, total = int(g["players"]), 0.0
    for q in range(players):
        worth = float(g["coins"][q])
        for f in range(g["fields"][q]):
            worth += r["pays"][g["kind"][q, f], g["beans"][q, f]]
        m["lead"][q] = worth
        total += worth
    for q in range(players):
        ahead = (m["lead"][q] - (total - m["lead"][q]) / (players - 1)) / 4.0
        m["lead"][q] = min(1.0, max(-1.0, ahead))


@compiled
def expect(m: Row, k: int, grows: int, mean: float) -> None:
    """Note how many cards of a kind are expected."""
    steps = min(mean * PER_CARD, STEPS)
    whole = int(steps)
    m["step"][grows, k] = whole
    m["rest"][grows, k] = steps - whole


@compiled
def count_unseen(r: Row, g: Row, m: Row, p: int) -> None:
    """Count the cards of each kind a seat has not seen: those of the draw pile and of other hands."""
    unseen = m["unseen"]
    for k in range(KINDS):
        unseen[k] = r["deck"][k] + r["boxed"][k] - g["box"][k] - g["face_up"][k] - g["held"][p, k]
    for j in range(g["discards"]):
        unseen[g["discard"][j]] -= 1
    for q in range(g["players"]):
        for f in range(g["fields"][q]):
            unseen[g["kind"][q, f]] -= g["beans"][q, f]
        for k in range(KINDS):
            unseen[k] -= g["set_aside"][q, k]
        for j in range(g["coins"][q]):
            if g["treasury"][q, j] != TOKEN:
                unseen[g["treasury"][q, j]] -= 1


@compiled
def field_value(v: Row, m: Row, k: int, n: int, grows: int) -> float:
    """Return what a field of a kind with ``n`` beans is expected to bring."""
    if n >= MOST_BEANS:
        n = MOST_BEANS - 1
    at = m["step"][grows, k]
    low = v[k, n, at]
    return float(low + (v[k, n, at + 1] - low) * m["rest"][grows, k])


@compiled
def grow(r: Row, g: Row, v: Row, m: Row, q: int, plant: int) -> float:
    """Plant beans (packed) on a copy of a seat's fields; return what it then owns and expects.

    Beans that match come first, then the others, worst first, each on the field of least loss.
    """
    fields = int(g["fields"][q])
    bed, beans = m["bed"], m["bed_beans"]
    for f in range(fields):
        bed[f] = g["kind"][q, f]
        beans[f] = g["beans"][q, f]
        if beans[f]:
            count = plant >> BITS * bed[f] & LANE
            if count:
                beans[f] += count
                plant -= count << BITS * bed[f]
    value = 0.0
    while plant:
        k, least = -1, 1e9
        rest, kind = plant, 0
        while rest:
            if rest & LANE:
                worth = field_value(v, m, kind, rest & LANE, 0)
                if worth < least:
                    k, least = kind, worth
            rest >>= BITS
            kind += 1
        count = plant >> BITS * k & LANE
        plant -= count << BITS * k
        f = cheapest(r, v, m, fields)
        if f < 0:
            continue
        if beans[f]:
            value += r["pays"][bed[f], min(25, beans[f])]
        bed[f] = k
        beans[f] = count
    f = cheapest(r, v, m, fields)
    m["loss"] = loss_of(r, v, m, f) if f >= 0 else 1e9
    for f in range(fields):
        value += field_value(v, m, bed[f], beans[f], 1) if beans[f] else m["none"]
    return float(value)


@compiled
def growing(bed: Row, beans: Row, fields: int, k: int) -> int:
    """Return the field of a kind, or -1."""
    for f in range(fields):
        if beans[f] and bed[f] == k:
            return f
    return -1


@compiled
def loss_of(r: Row, v: Row, m: Row, f: int) -> float:
    """Return what is lost when a field is sold now: what it promises over what it brings."""
    beans = m["bed_beans"][f]
    if beans == 0:
        return float(m["none"])
    k = m["bed"][f]
    return field_value(v, m, k, beans, 1) - float(r["pays"][k, min(25, beans)])


@compiled
def cheapest(r: Row, v: Row, m: Row, fields: int) -> int:
    """Return the field for another kind: an empty one, else the one sold at least loss; -1 for none."""
    beans = m["bed_beans"]
    most = 0
    for f in range(fields):
        if beans[f] == 0:
            return f
        most = max(most, beans[f])
    best, least = -1, 1e9
    for f in range(fields):
        if most > 1 and beans[f] == 1:
            continue
        loss = loss_of(r, v, m, f)
        if loss < least:
            best, least = f, loss
    return best


@compiled
def card_value(v: Row, m: Row, fields: int, k: int, copy: int) -> float:
    """Return what a card adds to the fields after `grow`; ``copy`` more of its kind come before it."""
    f = growing(m["bed"], m["bed_beans"], fields, k)
    if f >= 0:
        n = m["bed_beans"][f] + copy
        return field_value(v, m, k, n + 1, 1) - field_value(v, m, k, n, 1)
    if copy > 0:
        return field_value(v, m, k, copy + 1, 0) - field_value(v, m, k, copy, 0)
    worth = field_value(v, m, k, 1, 0) - float(m["loss"])
    return worth if worth > 0.0 else worth * float(m["burden"])


@compiled
def hand_value(g: Row, v: Row, s: Row, m: Row, p: int, gone: int) -> float:
    """Return what the own hand is worth without the cards gone (packed, front-most), front cards most."""
    value, weight, fields = 0.0, s["hand"], int(g["fields"][p])
    copies, place = 0, 0
    for j in range(g["hands"][p]):
        k = int(g["hand"][p, j])
        at = BITS * k
        if gone >> at & LANE:
            gone -= 1 << at
            continue
        worth = weight * card_value(v, m, fields, k, copies >> at & LANE)
        if s["by_kind"]:
            place += 1
            worth *= max(0.0, 1.0 - s["late"] * max(0.0, place / CARDS_A_TURN - m["turns"]))
        value += worth
        copies += 1 << at
        weight *= s["depth"]
    return float(value)


@compiled
def gain_of_planting(r: Row, g: Row, v: Row, m: Row, p: int, k: int) -> float:
    """Return what planting one bean of a kind brings a seat."""
    return grow(r, g, v, m, p, 1 << BITS * k) - grow(r, g, v, m, p, 0)


@compiled
def gain_with_hand(r: Row, g: Row, v: Row, s: Row, m: Row, p: int, k: int, gone: int, weight: float) -> float:
    """Return what planting one bean of a kind brings on the fields, and in what the hand then finds there.

    ``gone`` is what leaves the hand for it, packed, ``weight`` what the hand counts.
    """
    after = grow(r, g, v, m, p, 1 << BITS * k) + weight * hand_value(g, v, s, m, p, gone)
    before = grow(r, g, v, m, p, 0) + weight * hand_value(g, v, s, m, p, 0)
    return float(after - before)

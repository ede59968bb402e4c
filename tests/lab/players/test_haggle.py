"""Which offers the compiled players make, to whom, and in which order."""

from __future__ import annotations

import numpy as np

from bohn.lab.players.calls import learn_at, offer_at
from bohn.lab.players.driver import move
from bohn.lab.players.haggle import (
    BEST_SIDES,
    CLOSE,
    EMPTY,
    NOT_WORTH,
    RARELY,
    cards_in,
    keep_best,
    likeliest,
    list_wants,
    weigh_rung,
)
from bohn.lab.players.partner import meet
from bohn.lab.players.player_memory import BITS, MEMORY, expected_coins
from bohn.lab.players.styles import styles_of
from bohn.lab.players.weigh import own_gain
from bohn.lab.row import ASKED, END, ROW, Rows, tables
from bohn.lab.twin import deal
from bohn.play.floor import BRISK
from bohn.rules import resolve
from bohn.rules.beans import Bean

RULES = tables(resolve("full", 4), BRISK)
COINS = expected_coins(RULES)
STYLES = styles_of(["fair-1"] * 4)
MANY = 20


def with_many_offers() -> tuple[Rows, Rows]:
    """Return a position in which a seat has just made the first of many offers, and its memory."""
    states: Rows = np.zeros(2, ROW)
    memories: Rows = np.zeros(8, MEMORY)
    memories["stamp"], memories["ladder_stamp"] = -1, -1
    deal(RULES, states, 0, 11)
    for seat in range(4):
        meet(states[0], STYLES[0], memories[seat])
    while states["phase"][0] != END:
        if states["mode"][0] == ASKED:
            asked, memory = states.copy(), memories[int(states["seat"][0])][None].copy()
            if (
                offer_at(RULES, asked, 0, COINS, STYLES, memory, int(states["seat"][0]))
                and memory["rungs"] > MANY
            ):
                return asked, memory
        move(RULES, states, 0, COINS, STYLES, memories)
    raise AssertionError


def weighed(states: Rows, memory: Rows, offer: int) -> float:
    """Return what the maker now thinks an offer of its ladder is worth."""
    r, g, v, s, m, p = RULES[0], states[0], COINS, STYLES[0], memory[0], int(states["maker"][0])
    q, want, give = offer >> 32, offer >> 16 & EMPTY, offer & EMPTY
    own = own_gain(r, g, v, s, m, p, cards_in(want, 0, 4), cards_in(give, 0, 2), cards_in(give, 2, 4))
    return weigh_rung(r, g, v, s, m, p, q, own, give, want)


def test_ladder_is_weighed_anew_after_a_refusal() -> None:
    """After every refusal the next offer is the one worth most by what the maker thinks by then."""
    states, memory = with_many_offers()
    maker, moved = int(states["maker"][0]), 0
    while True:
        thought_best = int(memory["offer"][0, 0])
        learn_at(states, 0, STYLES, memory, int(states["partner"][0]), agreed=False)
        rungs = set(memory["offer"][0, : memory["rungs"][0]].tolist())
        worth = {offer: weighed(states, memory.copy(), offer) for offer in rungs}

        if not offer_at(RULES, states, 0, COINS, STYLES, memory, maker):
            break
        (made,) = rungs - set(memory["offer"][0, : memory["rungs"][0]].tolist())
        assert states["partner"][0] == made >> 32
        assert worth[made] >= max(worth.values()) - CLOSE
        moved += made != thought_best

    assert moved > 0


def test_ladder_has_no_offer_that_cannot_be_served() -> None:
    """Nobody is asked for more cards than he may hold."""
    states, memory = with_many_offers()
    states["hands"] = 0

    assert all(
        weighed(states, memory, int(offer)) == NOT_WORTH
        for offer in memory["offer"][0, : memory["rungs"][0]]
        if (int(offer) >> 16 & EMPTY) != EMPTY and int(offer) >> 32 != states["active"][0]
    )


def test_wish_counts_by_whom_it_could_be_had_from() -> None:
    """In another's turn only the active player can give: what he is known to hold, or lies there, is sure."""
    states, memory = with_many_offers()
    g, m = states[0], memory[0]
    active = int(g["active"])
    p, other = (seat for seat in range(4) if seat not in {active, (active + 3) % 4})
    red, blue = (1 << BITS * int(bean) for bean in (Bean.RED, Bean.BLUE))
    m["known"][:], g["face_up"][:] = 0, 0
    m["faces"] = 0
    unknown = likeliest(g, m, p, red)
    m["known"][other, Bean.RED] = 1

    assert 0 < unknown < 1
    assert likeliest(g, m, p, red) == unknown
    m["known"][active, Bean.RED] = 1
    assert likeliest(g, m, p, red) == 1
    m["faces"] = blue
    assert likeliest(g, m, p, red + blue) == 1


def test_wishes_nobody_can_fulfil_are_left_out_first() -> None:
    """Of too many wishes those stay that are worth most by how likely somebody has the cards."""
    states, memory = with_many_offers()
    style = styles_of(["strong-1"])
    g, m, p = states[0], memory[0], int(states["maker"][0])
    g["held"][p] = 1  # whoever holds every kind has use for every kind
    n = list_wants(g, style[0], m, p)
    assert n > 2 * BEST_SIDES
    all_of = m["wants"][:n].copy()

    def worth(code: int) -> float:
        cards = cards_in(code, 0, 4)
        gain = own_gain(RULES[0], g, COINS, style[0], m, p, cards, 0, 0)
        return gain * (RARELY + (1 - RARELY) * likeliest(g, m, p, cards)) if gain > 0 else gain

    left = keep_best(RULES[0], g, COINS, style[0], m, p, n, False)
    kept = m["wants"][:left].tolist()

    assert left == BEST_SIDES
    assert min(map(worth, kept)) >= max(worth(int(code)) for code in all_of if int(code) not in kept) - CLOSE

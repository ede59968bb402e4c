from __future__ import annotations

import numpy as np

from bohn.bots.brains.calls import learn_at, offer_at
from bohn.bots.brains.driver import move
from bohn.bots.brains.haggle import CLOSE, EMPTY, NOT_WORTH, cards_in, weigh_rung
from bohn.bots.brains.minds import MIND, expected_coins
from bohn.bots.brains.partner import meet
from bohn.bots.brains.styles import styles_of
from bohn.bots.brains.weigh import own_gain
from bohn.rules import resolve
from bohn.sim.floor import BRISK
from bohn.sim.row import ASKED, END, ROW, Rows, tables
from bohn.sim.twin import deal

RULES = tables(resolve("full", 4), BRISK)
COINS = expected_coins(RULES)
STYLES = styles_of(["fair"] * 4)
MANY = 20


def with_many_offers() -> tuple[Rows, Rows]:
    """Return a position in which a seat has just made the first of many offers, and its mind."""
    states: Rows = np.zeros(2, ROW)
    minds: Rows = np.zeros(8, MIND)
    minds["stamp"], minds["ladder_stamp"] = -1, -1
    deal(RULES, states, 0, 11)
    for seat in range(4):
        meet(states[0], STYLES[0], minds[seat])
    while states["phase"][0] != END:
        if states["mode"][0] == ASKED:
            asked, mind = states.copy(), minds[int(states["seat"][0])][None].copy()
            if (
                offer_at(RULES, asked, 0, COINS, STYLES, mind, int(states["seat"][0]))
                and mind["rungs"] > MANY
            ):
                return asked, mind
        move(RULES, states, 0, COINS, STYLES, minds)
    raise AssertionError


def weighed(states: Rows, mind: Rows, offer: int) -> float:
    """Return what the maker now thinks an offer of its ladder is worth."""
    r, g, v, s, m, p = RULES[0], states[0], COINS, STYLES[0], mind[0], int(states["maker"][0])
    q, want, give = offer >> 32, offer >> 16 & EMPTY, offer & EMPTY
    own = own_gain(r, g, v, s, m, p, cards_in(want, 0, 4), cards_in(give, 0, 2), cards_in(give, 2, 4))
    return weigh_rung(r, g, v, s, m, p, q, own, give, want)


def test_ladder_is_weighed_anew_after_a_refusal() -> None:
    """After every refusal the next offer is the one worth most by what the maker thinks by then."""
    states, mind = with_many_offers()
    maker, moved = int(states["maker"][0]), 0
    while True:
        thought_best = int(mind["offer"][0, 0])
        learn_at(states, 0, STYLES, mind, int(states["partner"][0]), agreed=False)
        rungs = set(mind["offer"][0, : mind["rungs"][0]].tolist())
        worth = {offer: weighed(states, mind.copy(), offer) for offer in rungs}

        if not offer_at(RULES, states, 0, COINS, STYLES, mind, maker):
            break
        (made,) = rungs - set(mind["offer"][0, : mind["rungs"][0]].tolist())
        assert states["partner"][0] == made >> 32
        assert worth[made] >= max(worth.values()) - CLOSE
        moved += made != thought_best

    assert moved > 0


def test_ladder_has_no_offer_that_cannot_be_served() -> None:
    """Nobody is asked for more cards than he may hold."""
    states, mind = with_many_offers()
    states["hands"] = 0

    assert all(
        weighed(states, mind, int(offer)) == NOT_WORTH
        for offer in mind["offer"][0, : mind["rungs"][0]]
        if (int(offer) >> 16 & EMPTY) != EMPTY and int(offer) >> 32 != states["active"][0]
    )

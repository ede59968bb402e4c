"""The data of a compiled player: its style (fixed numbers) and its memory (what it has worked out).

Functions of this package take ``r`` (a row of rules), ``g`` (a row of a game), ``v`` (the table of
:func:`expected_coins`), ``s`` (a row of styles), ``m`` (a row of player memories) and ``p`` or ``q`` (a
seat). A player reads of a game only what its seat may see; what it remembers is in its memory.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from bohn.lab.row import KINDS, SEATS, Rows

STEPS = 64
"""Steps in which the table of expected coins counts expected cards: eighths of a card, up to eight cards."""

PER_CARD = 8
"""Steps that make one card."""

MOST_BEANS = 26
"""Beans on a field that the table of expected coins tells apart: 0 to 25, as the twin's table of pay does."""

BITS = 5
"""Bits for one kind where counts by kind are packed into one integer, the first kind lowest."""

LANE = (1 << BITS) - 1
"""The mask of one kind in a packed integer."""

SIDES = 256
"""The most ways to fill one side of an offer that are weighed."""

ACTS = 8
"""The most actions that search compares."""

LADDER = 2048
"""The most offers in a ladder."""

# parts of an exchange: gains in coins, cards in numbers
OWN_FIELDS, OWN_HAND, OTHER_GAINS, OTHER_LOSES, OTHER_HAND = range(5)
COMES, GOES, LIES, OTHER_GOES, ALWAYS = range(5, 10)
PARTS = 10
"""The number of these parts."""

SCENES = 8
"""What the worth of a part depends on, in this order: always, own turn, own offer, few players, passes left,
the own lead, the other's lead, how much is traded."""

FACTS, HIDDEN = 9, 24
"""The learned value: the numbers that describe a seat, and the hidden units between them and its coins."""

# kinds of players
RANDOM, NO_TRADE, B3, B3U, B4, B6, PK, TRADER = range(8)

STYLE = np.dtype(
    [
        ("kind", np.int64),
        # how much supply is expected
        ("capture", np.float64),
        ("rounds", np.float64),
        ("rival", np.float64),
        ("draw", np.float64),  # instead of capture: the part of each card to be turned over or drawn ...
        ("others", np.float64),  # ... of each in other hands ...
        ("known", np.float64),  # ... of each known to be there ...
        ("pass", np.float64),  # ... and of each to come in the next pass
        ("adapt", np.float64),  # turns after which the trades seen count as much as expected ones; 0: never
        ("rate", np.float64),  # exchanges a turn that are expected
        # what positions are worth
        ("empty", np.float64),
        ("hand", np.float64),
        ("depth", np.float64),
        ("burden", np.float64),  # how much a hand card that fits nowhere counts
        ("unknown", np.float64),
        # what is accepted and proposed
        ("k_answer", np.float64),  # in others' turns
        ("k_offer", np.float64),
        ("k_answer_own", np.float64),  # in the own turn
        ("k_offer_own", np.float64),
        ("theta_answer", np.float64),
        ("theta_offer", np.float64),
        ("lead", np.float64),
        ("cost", np.float64),  # the most an offer may cost the partner, in coins
        ("gifts", np.int64),
        ("tries", np.int64),
        ("wide", np.int64),
        ("chance", np.float64),  # where offers are few: the width of the guess at the answer; 0: none
        ("k_guess", np.float64),
        ("learns", np.float64),  # how far partners stray from that guess, squared; 0: nothing is learnt
        ("learned", np.int64),  # whether exchanges are worth what the table of advantages says
        ("advantage", np.float64, (PARTS, SCENES)),
        (
            "by_kind",
            np.int64,
        ),  # whether the five after this count anything; `known` too
        ("supplies", np.float64, (KINDS,)),  # how much more of each kind is expected, as a logarithm
        (
            "prices",
            np.float64,
            (KINDS,),
        ),  # what a hand card of each kind counts besides when it goes, in coins
        ("wanted", np.float64),  # how much of the most that it would bring another counts when it goes ...
        ("other_wanted", np.float64),  # ... and when it goes from the other's hand
        ("late", np.float64),  # how much less a hand card counts for each turn that it is too late to plant
        # pairs that favour each other
        ("wary", np.float64),  # exchanges, beyond twice the usual, at which two are noticed; 0: never
        ("ally", np.float64),  # what a coin of whoever is not of the pair then counts beside one's own
        ("shun", np.float64),  # what an exchange with one of the pair costs, in coins
        ("deep", np.float64, (2 * FACTS + 2, HIDDEN)),  # the learned value: into the units, their bias, out
        ("flat", np.float64, (2 * FACTS + 1,)),  # and past them
        # farming
        ("ahead", np.float64),  # how much the hand counts when a field is given up; 0: not at all
        # the second card: 0 never, 1 on a match, 2 on a match or an empty field, 3 if it gains enough
        ("second", np.int64),
        ("buy", np.float64),  # passes of the deck that must be left; 99: never
        ("crowd", np.int64),  # and the most players among whom it is worth it
        ("busy", np.float64),  # and the part of the expected trades that must be seen
        ("eager", np.int64),  # coins at which a field is sold at once; 0: it may grow on
        ("joins", np.int64),  # whether it is first planted on, if there is a bean for it
        ("second_gain", np.float64),  # ... and what is enough, in coins
        # the bean duel: how much what the hand finds counts in a gain; 0: only fields are weighed there
        ("foresight", np.float64),
        ("deny", np.float64),  # what a coin of the other counts when beans are left to him
        ("take_gain", np.float64),  # coins from which on a face-up bean is taken, ...
        ("keep_gain", np.float64),  # ... what the other left is planted, ...
        ("discard_gain", np.float64),  # ... and a card of the hand is thrown away
        # search
        ("playouts", np.int64),  # an action, if there are three; 0: none
        ("quiet", np.int64),  # the same where nobody trades
        ("turns", np.int64),  # how long a playout is, then the learned value judges; 0: to the end
        ("model", np.int64),  # the first of three rows of styles: of whole games, of games where nobody
        # trades, of short ones
        ("sure", np.float64),  # standard errors by which another action must be better
        ("margin", np.float64),  # what a coin more than the others counts beside a win
    ],
    align=True,
)
"""The fixed numbers of a player."""

MEMORY = np.dtype(
    [
        ("style", np.int64),
        ("stamp", np.int64),
        ("ladder_stamp", np.int64),
        ("rng", np.int64),
        ("tried", np.int64),
        ("rungs", np.int64),
        ("passes", np.float64),
        ("activity", np.float64),  # exchanges a turn seen so far, as a part of what the style expects
        ("burden", np.float64),
        ("nobody", np.int64),  # whether nobody seems to trade at this table
        ("none", np.float64),  # the value of an empty field
        ("loss", np.float64),  # the least loss at which a field can be had, after `grow`
        ("before", np.float64, (SEATS,)),
        ("before_hand", np.float64),
        ("parts", np.float64, (PARTS,)),  # of the exchange last weighed
        ("purse", np.float64),  # what the hand cards that go from the own hand count besides, by kind ...
        ("other_purse", np.float64),  # ... and those from the other's
        ("need", np.float64, (SEATS, KINDS)),  # what one more card of a kind would bring each seat
        ("turns", np.float64),  # own turns to come, about
        ("scene", np.float64, (SCENES,)),
        ("weights", np.float64, (SEATS, PARTS)),  # what each part counts with each seat, after `set_scene`
        ("unseen", np.int64, (KINDS,)),
        (
            "step",
            np.int64,
            (2, KINDS),
        ),  # expected arrivals: whole steps, for a kind that does not grow and one that does
        ("rest", np.float64, (2, KINDS)),  # and the rest of a step
        ("known", np.int64, (SEATS, KINDS)),  # cards a seat is known to hold
        ("exchanges", np.int64, (SEATS, SEATS)),  # how often each two have exchanged, to either side
        ("noticed", np.int64),  # whether two others seem to favour each other, ...
        ("paired", np.int64, (SEATS,)),  # ... and who
        ("told", np.int64),  # whether that was said before the deal, and stays so whatever is seen
        ("supply", np.float64, (KINDS,)),
        ("lying", np.int64, (KINDS,)),
        ("lead", np.float64, (SEATS,)),
        ("aside", np.int64, (SEATS,)),  # what each seat has to plant if nothing more is traded, packed
        ("faces", np.int64),  # the face-up beans, packed
        ("bed", np.int64, (3,)),
        ("bed_beans", np.int64, (3,)),
        # sides of offers, as codes, with what each alone is worth and its place among them
        ("gives", np.int64, (SIDES,)),
        ("wants", np.int64, (SIDES,)),
        ("worth", np.float64, (SIDES,)),
        ("rank", np.int64, (SIDES,)),
        ("base", np.float64),  # search: what the first action brought in one playout ...
        ("sum", np.float64, (ACTS,)),  # ... and by how much the others were better
        ("square", np.float64, (ACTS,)),
        ("out", np.int64, (ACTS,)),  # which of them are given up
        ("act", np.int64, (ACTS,)),
        ("seen", np.float64, (SEATS, FACTS)),  # the learned value: what describes each seat
        ("means", np.float64, (FACTS,)),
        # partners
        ("k_of", np.float64, (SEATS,)),  # how hard each seems to bargain ...
        ("open_of", np.float64, (SEATS,)),  # ... and the variance of that guess
        ("doubt", np.float64, (SEATS, KINDS)),  # how unlikely, 0 to 1, a card in a hand has become
        ("doubt_turn", np.int64),
        ("expected_own", np.float64),  # what the last offer brings, ...
        ("expected_other", np.float64),
        ("asked_cards", np.int64),  # ... what it asks of a hand, packed, ...
        ("expected_has", np.float64),  # ... and how likely that is there
        # for experiments: what a coin of each seat counts beside one's own, whatever the style; 0: as it says
        ("favours", np.float64, (SEATS,)),
        # for the arena: offers made, exchanges accepted, what exchanges were worth
        ("offers", np.int64),
        ("acceptances", np.int64),
        ("was", np.float64),
        ("gains", np.float64),
        ("joint", np.float64),
        ("net", np.float64, (LADDER,)),
        ("offer", np.int64, (LADDER,)),
    ],
    align=True,
)
"""The memory of one player: what it has worked out and remembers."""

Floats = npt.NDArray[np.float64]
Table = npt.NDArray[np.float32]


def new_memories(styles: list[int]) -> Rows:
    """Return empty memories, one a seat, with these rows of styles."""
    rows: Rows = np.zeros(len(styles), MEMORY)
    rows["style"] = styles
    rows["stamp"] = -1
    rows["ladder_stamp"] = -1
    return rows


def expected_coins(rules: Rows) -> Table:
    """Return the coins a field is expected to bring, shape ``(kinds, beans, steps)``.

    ``[k, n, s]`` is the mean pay of ``n`` beans and as many more as a Poisson variable of mean ``s / 8``
    says; a field over its highest pay counts as sold there and begun anew.
    """
    pays, most = rules["pays"][0], rules["most"][0]
    more = 40
    poisson = np.zeros((STEPS + 2, more))
    for step in range(STEPS + 2):
        mean = step / PER_CARD
        poisson[step] = [math.exp(-mean) * mean**n / math.factorial(n) for n in range(more)]
        poisson[step, -1] += 1 - poisson[step].sum()
    table: Table = np.zeros((KINDS, MOST_BEANS, STEPS + 2), np.float32)
    for k in range(KINDS):
        if not rules["deck"][0, k]:
            continue
        sold = [_sold(pays[k], int(most[k]), n) for n in range(MOST_BEANS + more)]
        for n in range(MOST_BEANS):
            table[k, n] = poisson @ np.array(sold[n : n + more])
    return table


def _sold(pays: npt.NDArray[Any], most: int, beans: int) -> int:
    """Return the coins that a number of beans brings if the field is sold at its highest pay."""
    return int(beans // most * pays[most] + pays[beans % most])

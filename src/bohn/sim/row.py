"""The twin's state: one row of a structured array a game, and one row of tables a rule set.

Rows hold what the floor can reach: every field grows one kind, one direct offer is open at a time.
Cards are numbers of :class:`~bohn.rules.beans.Bean`; a count by kind has the shape ``(11,)``.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bohn.rules.beans import BEANS, coins_for
from bohn.rules.ruleset import Rules
from bohn.sim.floor import FREE, Setting

KINDS = len(BEANS)
SEATS = 7
FIELDS = 3
CARDS = 160
"""Room for every card of the largest deck (154) in one place."""

SCRIPT = 320
"""Room for the orders of the shuffles that one command can cause."""

Rows = npt.NDArray[np.void]
"""Rows of :data:`ROW` or :data:`TABLES`: a one-dimensional structured array."""

# phases
PLANT, REVEAL, TRADE, PLANT_TRADED, LEFTOVERS, FACE_UP, END = range(7)

# why a seat is asked
DUE, ASKED, ANSWER, COMPOSE, MOMENT = range(5)

# games
MAIN_GAME, BEAN_DUEL = range(2)

# Rules.end
AFTER_PLANTING, AT_ONCE, PLANT_FIRST = range(3)

ROW = np.dtype(
    [
        # chance, and the orders given from outside instead of it
        ("rng", np.int64),
        ("script_at", np.int64),
        ("script_end", np.int64),
        # the course of the game
        ("players", np.int64),
        ("phase", np.int64),
        ("active", np.int64),
        ("planted", np.int64),
        ("exhaustions", np.int64),
        ("turn", np.int64),
        ("starter", np.int64),
        ("draws", np.int64),
        ("discards", np.int64),
        # who decides, and why
        ("seat", np.int64),
        ("mode", np.int64),
        ("selected", np.int64),  # the kind to be planted next, or -1
        # the floor
        ("traders", np.int64),  # seats that are asked while beans are traded, as bits
        ("attentive", np.int64),  # seats that are asked off-turn
        ("fresh", np.int64),
        ("waiting", np.int64),
        ("exchanges", np.int64),
        ("patience", np.int64),
        ("made", np.int32, (SEATS,)),
        ("since", np.int32, (SEATS,)),
        # the one offer, made or being composed
        ("maker", np.int64),
        ("partner", np.int64),
        ("last", np.int64),  # the last action of the composition
        ("give_face", np.int8, (KINDS,)),
        ("give_hand", np.int8, (KINDS,)),
        ("want", np.int8, (KINDS,)),
        # what happened
        ("decisions", np.int64),
        ("commands", np.int64),
        ("offers", np.int64),
        ("answers", np.int64),
        ("trades", np.int64),
        ("gifts", np.int64),
        ("purchases", np.int64),
        # seats
        ("fields", np.int32, (SEATS,)),
        ("hands", np.int32, (SEATS,)),
        ("coins", np.int32, (SEATS,)),
        ("kind", np.int8, (SEATS, FIELDS)),
        ("beans", np.int8, (SEATS, FIELDS)),
        ("set_aside", np.int8, (SEATS, KINDS)),
        ("held", np.int8, (SEATS, KINDS)),  # the hand by kind
        ("face_up", np.int8, (KINDS,)),
        ("box", np.int8, (KINDS,)),
        # cards in order
        ("hand", np.int8, (SEATS, CARDS)),  # front first
        ("treasury", np.int8, (SEATS, CARDS)),  # newest last
        ("draw", np.int8, (CARDS,)),  # top last
        ("discard", np.int8, (CARDS,)),  # top last
        ("script", np.int8, (SCRIPT,)),
    ],
    align=True,
)
"""One game. Counts are in cards, coins in coins, bits by seat."""

TABLES = np.dtype(
    [
        ("game", np.int64),
        ("players", np.int64),
        ("start_fields", np.int64),
        ("max_fields", np.int64),
        ("price", np.int64),
        ("reveal", np.int64),
        ("draw", np.int64),
        ("exhaustions", np.int64),
        ("eager", np.int64),
        ("all_single", np.int64),
        ("must_join", np.int64),
        ("own_turn", np.int64),
        ("to_box", np.int64),
        ("end", np.int64),
        ("shared_ties", np.int64),
        ("begins", np.int64),  # a seat, or -1: drawn
        ("offers_a_turn", np.int64),
        ("offers_between", np.int64),
        ("exchanges_a_turn", np.int64),
        ("patience", np.int64),
        ("cards", np.int64),
        ("deal", np.int32, (SEATS,)),
        ("deck", np.int32, (KINDS,)),
        ("boxed", np.int32, (KINDS,)),
        ("pays", np.int32, (KINDS, 26)),  # coins for so many beans
        ("most", np.int32, (KINDS,)),  # beans for the highest pay
    ],
    align=True,
)
"""One rule set, as the twin reads it; made by :func:`tables`."""

_ENDS = {"after_planting": AFTER_PLANTING, "at_once": AT_ONCE, "plant_first": PLANT_FIRST}

PATIENCE = 20_000
"""So often the floor asks in one trading phase, then it closes; as :data:`bohn.sim.floor.PATIENCE`."""


def tables(rules: Rules, setting: Setting = FREE) -> Rows:
    """Return one row of tables for resolved rules under a setting of the floor.

    Raises ``ValueError`` for a game the twin does not play: only the main game and the bean duel
    grow one kind a field.
    """
    games = {"main": MAIN_GAME, "bean-duel": BEAN_DUEL}
    if rules.game not in games:
        msg = f"the twin plays {' and '.join(games)}, not {rules.game!r}"
        raise ValueError(msg)
    row: Rows = np.zeros(1, TABLES)
    row["game"] = games[rules.game]
    row["players"] = rules.players
    row["start_fields"], row["max_fields"], row["price"] = rules.fields, rules.max_fields, rules.field_price
    row["reveal"], row["draw"], row["exhaustions"] = rules.reveal, rules.draw, rules.exhaustions
    row["eager"] = rules.reshuffle == "eager"
    row["all_single"] = rules.singles == "all_single"
    row["must_join"] = rules.same_kind == "must_join"
    row["own_turn"] = rules.harvest == "own_turn"
    row["to_box"] = rules.coins_to == "box"
    row["end"] = _ENDS[rules.end]
    row["shared_ties"] = rules.tie == "shared"
    row["begins"] = -1 if rules.starter == "drawn" else int(rules.starter.removeprefix("seat:"))
    row["offers_a_turn"] = setting.offers_a_turn
    row["offers_between"] = setting.offers_between_exchanges
    row["exchanges_a_turn"] = setting.exchanges_a_turn
    row["patience"] = PATIENCE
    row["cards"] = sum(rules.deck)
    row["deal"][0, : rules.players] = rules.deal
    row["deck"][0] = rules.deck
    row["boxed"][0] = rules.boxed
    for bean in BEANS:
        row["pays"][0, bean] = [coins_for(rules.beanometers[bean], count) for count in range(26)]
        row["most"][0, bean] = rules.beanometers[bean][-1][0]
    return row

"""The twin's state: one row of a structured array a game, and one row of tables a rule set.

Rows hold what the floor can reach: every field grows one kind, one direct offer stands at a time.
Cards are numbers of :class:`~bohn.rules.beans.Bean`; a count by kind has the shape ``(11,)``.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bohn.play.floor import FREE, FloorSetting
from bohn.rules.beans import BEANS, coins_for
from bohn.rules.ruleset import Rules

KINDS = len(BEANS)
SEATS = 7
FIELDS = 3
CARDS = 160
"""Cards for which an array has room: more than the largest deck (154)."""

TOKEN = -1
"""What lies in a treasury for a coin of a head start, which is no card (HOUSE-7)."""

SCRIPT = 320
"""Numbers for which there is room: the orders of all shuffles that one command can cause."""

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
        ("treasury", np.int8, (SEATS, CARDS)),  # newest last; TOKEN for a coin of a head start
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
        ("more_cards", np.int32, (SEATS,)),  # of head starts, by seat
        ("tokens", np.int32, (SEATS,)),  # coins of head starts, by seat
        ("deck", np.int32, (KINDS,)),
        ("boxed", np.int32, (KINDS,)),
        ("pays", np.int32, (KINDS, 26)),  # coins by number of beans
        ("most", np.int32, (KINDS,)),  # beans for the highest pay
    ],
    align=True,
)
"""One rule set, as the twin reads it; made by :func:`tables`."""

_POLICIES: dict[str, dict[str, int]] = {
    "reshuffle": {"when_needed": 0, "eager": 1},
    "singles": {"while_another_has_two": 0, "all_single": 1},
    "same_kind": {"may_split": 0, "must_join": 1},
    "harvest": {"any_time": 0, "own_turn": 1},
    "coins_to": {"discard": 0, "box": 1},
    "end": {"after_planting": AFTER_PLANTING, "at_once": AT_ONCE, "plant_first": PLANT_FIRST},
    "tie": {"most_hand_cards": 0, "shared": 1},
}
"""The number of each policy's values in the tables; a value that is not here the twin does not play."""


def _policy(rules: Rules, name: str) -> int:
    value, known = getattr(rules, name), _POLICIES[name]
    if value not in known:
        msg = f"the twin plays {name}={' and '.join(known)}, not {value!r}"
        raise ValueError(msg)
    return known[value]


def _begins(rules: Rules) -> int:
    """Return the seat that begins, or -1 where it is drawn."""
    if rules.starter == "drawn":
        return -1
    word, _, seat = rules.starter.partition(":")
    if word != "seat" or seat not in map(str, range(rules.players)):
        msg = f"the twin plays starter=drawn and seat:0 to seat:{rules.players - 1}, not {rules.starter!r}"
        raise ValueError(msg)
    return int(seat)


PATIENCE = 20_000
"""Questions the floor asks in one trading phase before it ends it: :data:`bohn.play.floor.MOST_QUESTIONS`."""


def tables(rules: Rules, setting: FloorSetting = FREE) -> Rows:
    """Return one row of tables for resolved rules under a setting of the floor.

    Raises ``ValueError`` for a game the twin does not play, as only the main game and the bean duel grow
    one kind a field, and for a policy that it does not know.
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
    row["eager"] = _policy(rules, "reshuffle")
    row["all_single"] = _policy(rules, "singles")
    row["must_join"] = _policy(rules, "same_kind")
    row["own_turn"] = _policy(rules, "harvest")
    row["to_box"] = _policy(rules, "coins_to")
    row["end"] = _policy(rules, "end")
    row["shared_ties"] = _policy(rules, "tie")
    row["begins"] = _begins(rules)
    row["offers_a_turn"] = setting.offers_a_turn
    row["offers_between"] = setting.offers_between_exchanges
    row["exchanges_a_turn"] = setting.exchanges_a_turn
    row["patience"] = PATIENCE
    row["cards"] = sum(rules.deck)
    row["deal"][0, : rules.players] = rules.deal
    for seat in range(rules.players):
        given = rules.head_start_of(seat)
        row["more_cards"][0, seat], row["tokens"][0, seat] = given.cards, given.coins
    row["deck"][0] = rules.deck
    row["boxed"][0] = rules.boxed
    for bean in BEANS:
        row["pays"][0, bean] = [coins_for(rules.beanometers[bean], count) for count in range(26)]
        row["most"][0, bean] = rules.beanometers[bean][-1][0]
    return row

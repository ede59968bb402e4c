"""The bean duel of the players for rows: what they plant, take, leave to the other and throw away."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from bohn.lab.players.bean_duel import front_most_stranger
from bohn.lab.players.farm import farm
from bohn.lab.players.player_memory import BITS, MEMORY, expected_coins
from bohn.lab.players.styles import style_of
from bohn.lab.players.worth import gain_with_hand, look
from bohn.lab.row import BEAN_DUEL, DUE, FACE_UP, LEFTOVERS, PLANT, REVEAL, ROW, Rows, tables
from bohn.lab.twin import A_DISCARD, A_FACE, A_GO_ON, A_HAND, A_HARVEST, A_PLANT, deal_in
from bohn.rules import resolve
from bohn.rules.beans import Bean

RULES = tables(resolve("full", 2))
COINS = expected_coins(RULES)
ME, OTHER = 0, 1
RED, BLACK_EYED, SOY, GREEN, STINK, CHILI, BLUE, WAX = (
    Bean.RED, Bean.BLACK_EYED, Bean.SOY, Bean.GREEN, Bean.STINK, Bean.CHILI, Bean.BLUE, Bean.WAX,
)  # fmt: skip
PLAYER = style_of("strong-5", BEAN_DUEL)
WEIGHING = style_of("strong-1")
"""A style with plain numbers in the bean duel: a coin is a coin, and what gains anything is done."""
for _name, _number in {"adapt": 0.0, "foresight": 1.0, "deny": 1.0}.items():
    WEIGHING[_name] = _number

Beds = Sequence[tuple[Bean, int]]


def duel(
    phase: int,
    *fields: Beds,
    hand: Sequence[Bean] = (),
    face_up: Sequence[Bean] = (),
    planted: int = 0,
) -> Rows:
    """Return a duel in which seat 0 decides, with kind and number of beans on the fields of both seats."""
    states: Rows = np.zeros(1, ROW)
    row = states[0]
    deal_in(RULES[0], row, 5)
    row["phase"], row["mode"], row["seat"], row["active"] = phase, DUE, ME, ME
    row["selected"], row["planted"] = -1, planted
    for seat, beds in enumerate(fields):
        for place, (kind, beans) in enumerate(beds):
            row["kind"][seat, place], row["beans"][seat, place] = kind, beans
    row["hand"][ME, : len(hand)], row["hands"][ME] = hand, len(hand)
    row["held"][ME] = np.bincount(np.array(hand, np.int64), minlength=len(row["held"][ME]))
    row["face_up"] = np.bincount(np.array(face_up, np.int64), minlength=len(row["face_up"]))
    return states


def done(states: Rows, style: Rows = WEIGHING, selected: Bean | None = None) -> int:
    """Return what seat 0 does, a bean being selected or not."""
    states["selected"] = -1 if selected is None else selected
    memory: Rows = np.zeros(1, MEMORY)
    memory["stamp"] = -1
    return int(farm(RULES[0], states[0], COINS, style[0], memory[0], ME))


def with_numbers(**numbers: float) -> Rows:
    """Return the style with other numbers."""
    style = WEIGHING.copy()
    for name, number in numbers.items():
        style[name] = number
    return style


TWO_ROWS = [(BLUE, 3), (WAX, 6)]


# -- throwing away -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "planted", "found"),
    [
        ([BLUE, RED, SOY], 1, A_HAND + RED),
        ([WAX, BLUE], 1, A_GO_ON),
        ([RED], 0, A_GO_ON),
    ],
)
def test_plain_players_throw_away_the_front_most_stranger(hand: list[Bean], planted: int, found: int) -> None:
    """After planting: what grows on an own field stays, and so does all if every card does."""
    states = duel(PLANT, TWO_ROWS, hand=hand, planted=planted)

    assert front_most_stranger(states[0], ME) == found


def test_hand_is_rid_of_the_card_it_is_better_without() -> None:
    """A red bean in front that will cost a row, not the wax bean behind it; the first of several like it."""
    states = duel(PLANT, TWO_ROWS, hand=[RED, WAX, BLUE], planted=2)

    assert done(states) == A_HAND + RED


def test_worst_card_of_several_is_thrown_away() -> None:
    """It may be the one in front, which would be planted first, or one behind it that is worth less."""
    rows = [(BLUE, 5), (WAX, 6)]

    assert done(duel(PLANT, rows, hand=[RED, BLUE, GREEN], planted=2)) == A_HAND + RED
    assert done(duel(PLANT, rows, hand=[GREEN, BLUE, CHILI], planted=2)) == A_HAND + GREEN
    assert done(duel(PLANT, rows, hand=[SOY, STINK, BLUE], planted=2)) == A_HAND + STINK


def test_hand_without_a_bad_card_is_kept() -> None:
    """A card that joins a row is no card to throw away."""
    assert done(duel(PLANT, TWO_ROWS, hand=[WAX, BLUE], planted=2)) == A_GO_ON


def test_card_is_thrown_away_for_a_gain_alone() -> None:
    """The gain has to be more than the style asks for."""
    states = duel(PLANT, TWO_ROWS, hand=[RED, WAX, BLUE], planted=2)

    assert done(states, with_numbers(discard_gain=50.0)) == A_GO_ON


# -- planting from the hand --------------------------------------------------------------------------------


def test_first_card_is_planted_and_the_second_for_a_gain() -> None:
    """The first must be; a second that joins its row is planted too, one that finds no field is not."""
    assert done(duel(PLANT, TWO_ROWS, hand=[WAX, WAX])) == A_PLANT + 1
    assert done(duel(PLANT, TWO_ROWS, hand=[WAX, BLUE], planted=1)) == A_PLANT + 1
    assert done(duel(PLANT, TWO_ROWS, hand=[RED, BLUE], planted=1)) == A_HAND + RED
    assert done(duel(PLANT, TWO_ROWS, hand=[WAX], planted=1), with_numbers(second_gain=50.0)) == A_GO_ON


def test_no_more_than_two_cards_are_planted() -> None:
    """A third that would join a row waits."""
    assert done(duel(PLANT, TWO_ROWS, hand=[WAX, BLUE], planted=2)) == A_GO_ON


def test_turn_goes_on_with_an_empty_hand_and_to_turn_over() -> None:
    """There is nothing to weigh."""
    assert done(duel(PLANT, TWO_ROWS)) == A_GO_ON
    assert done(duel(REVEAL, TWO_ROWS, hand=[RED])) == A_GO_ON


# -- what lies face up -------------------------------------------------------------------------------------


def test_face_up_bean_that_joins_a_row_is_taken() -> None:
    """And planted there, once it is chosen."""
    states = duel(FACE_UP, TWO_ROWS, [(STINK, 1), (SOY, 1)], face_up=[BLUE, RED])

    assert done(states) == A_FACE + BLUE
    assert done(states, selected=BLUE) == A_PLANT


def test_what_helps_nobody_is_left() -> None:
    """It would cost a row, and nothing counts what it is to the other."""
    states = duel(FACE_UP, [(BLUE, 5), (WAX, 6)], [(GREEN, 2), (SOY, 2)], face_up=[STINK])

    assert done(states, with_numbers(deny=0.0)) == A_GO_ON


def test_bean_is_taken_from_the_other_who_needs_it() -> None:
    """Only by a player to whom the other's coins count: it costs a row of its own."""
    states = duel(FACE_UP, [(BLUE, 5), (WAX, 6)], [(GREEN, 4), (SOY, 4)], face_up=[GREEN])

    assert done(states) == A_FACE + GREEN
    assert done(states, with_numbers(deny=0.0)) == A_GO_ON


def test_room_is_made_where_least_is_lost() -> None:
    """For a chosen bean without a field the row goes that the hand will not raise."""
    states = duel(FACE_UP, [(WAX, 4), (BLUE, 4)], hand=[BLUE, BLUE, BLUE], face_up=[GREEN])

    assert done(states, selected=GREEN) == A_HARVEST


@pytest.mark.parametrize(("bean", "does"), [(BLUE, A_PLANT), (RED, A_DISCARD)])
def test_what_the_other_left_is_planted_or_thrown_away(bean: Bean, does: int) -> None:
    """By what it gains; one of them is always chosen, since nothing may be left lying."""
    states = duel(LEFTOVERS, TWO_ROWS, face_up=[bean])

    assert done(states) == A_FACE + bean
    assert done(states, selected=bean) == does


# -- fields and hand together ------------------------------------------------------------------------------


def gain(style: Rows, hand: Sequence[Bean]) -> float:
    """Return what planting a red bean gains that takes the place of the wax row."""
    states = duel(FACE_UP, [(BLUE, 5), (WAX, 2)], hand=hand, face_up=[RED])
    memory: Rows = np.zeros(1, MEMORY)
    memory["stamp"] = -1
    look(RULES[0], states[0], COINS, style[0], memory[0], ME)
    return float(
        gain_with_hand(RULES[0], states[0], COINS, style[0], memory[0], ME, RED, 0, style["foresight"][0])
    )


def test_gain_counts_what_the_hand_finds() -> None:
    """Red beans in the hand make a red bean on a field worth more, wax beans that lose theirs less."""
    assert gain(WEIGHING, [RED, RED]) > gain(WEIGHING, []) > gain(WEIGHING, [WAX, WAX])
    assert gain(with_numbers(foresight=0.0), [RED, RED]) < gain(WEIGHING, [RED, RED])


def test_card_that_leaves_the_hand_no_longer_counts_there() -> None:
    """A card of the hand that is planted counts on its field."""
    states = duel(PLANT, [(BLUE, 5), (WAX, 2)], hand=[WAX])
    memory: Rows = np.zeros(1, MEMORY)
    memory["stamp"] = -1
    look(RULES[0], states[0], COINS, WEIGHING[0], memory[0], ME)
    planted, twice = (
        gain_with_hand(RULES[0], states[0], COINS, WEIGHING[0], memory[0], ME, WAX, gone, 1.0)
        for gone in (1 << BITS * WAX, 0)
    )

    assert planted < twice


def test_other_numbers_count_in_the_bean_duel_alone() -> None:
    """In the main game the player is another; who has none plays by the same numbers in both."""
    assert style_of("strong-5").tobytes() != PLAYER.tobytes()
    assert style_of("strong-4", BEAN_DUEL).tobytes() == style_of("strong-4").tobytes()
    assert PLAYER["discard_gain"][0] != style_of("strong-5")["discard_gain"][0]

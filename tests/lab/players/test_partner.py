"""What a player thinks of how hard a partner bargains, and how answers move it."""

from __future__ import annotations

import numpy as np
import pytest

from bohn.lab.players.partner import (
    HARDEST,
    SOFTEST,
    doubt_cards,
    fade_doubts,
    holds,
    holds_all,
    learn_answer,
    meet,
    note_expectation,
    willing,
)
from bohn.lab.players.player_memory import BITS, new_memories
from bohn.lab.players.styles import style_of
from bohn.lab.row import ROW, Rows
from bohn.rules.beans import Bean

RED = int(Bean.RED)
ONE_RED = 1 << BITS * RED
PARTNER = 1


def met(name: str = "strong-1") -> tuple[Rows, Rows, Rows]:
    """Return a position, a style and a memory in which the partner has five hidden cards."""
    states: Rows = np.zeros(1, ROW)
    states["players"], states["turn"] = 4, 3
    states["hands"][0, :4] = 5
    style, memory = style_of(name), new_memories([0])
    style["learns"] = 0.2
    memory["unseen"][0, :8] = 8
    meet(states[0], style[0], memory[0])
    return states, style, memory


def answered(agreed: bool, own: float, other: float, times: int = 1) -> Rows:
    """Return the memory after ``times`` equal answers to an offer that asks for a red bean."""
    states, style, memory = met()
    for _ in range(times):
        note_expectation(states[0], memory[0], PARTNER, own, other, ONE_RED)
        learn_answer(states[0], style[0], memory[0], PARTNER, agreed)
    return memory


def test_partner_who_agrees_seems_softer() -> None:
    """A partner who agrees to an exchange that brings the asker much seems to bargain less hard."""
    assert answered(True, 1.0, 0.3)["k_of"][0, PARTNER] < met()[2]["k_of"][0, PARTNER]


def test_partner_who_refuses_seems_harder() -> None:
    """A partner who refuses what would help him seems to bargain harder."""
    assert answered(False, 1.0, 0.6)["k_of"][0, PARTNER] > met()[2]["k_of"][0, PARTNER]


@pytest.mark.parametrize("agreed", [True, False])
def test_partner_stays_within_limits(agreed: bool) -> None:
    """However often one answers alike, what is thought of him stays between the limits."""
    assert SOFTEST <= answered(agreed, 2.0, 1.0, times=200)["k_of"][0, PARTNER] <= HARDEST


def test_partner_is_moved_less_by_every_answer() -> None:
    """The more answers there have been, the surer is the guess, and the less the next one moves it."""
    states, style, memory = met()
    moved, unsure = [], []
    for _ in range(4):
        memory["k_of"][0, PARTNER] = 0.3
        note_expectation(states[0], memory[0], PARTNER, 0.5, 0.5, 0)
        learn_answer(states[0], style[0], memory[0], PARTNER, False)
        moved.append(float(memory["k_of"][0, PARTNER]) - 0.3)
        unsure.append(float(memory["open_of"][0, PARTNER]))

    assert moved[0] > moved[1] > moved[2] > moved[3] > 0
    assert style["learns"][0] > unsure[0] > unsure[1] > unsure[2] > unsure[3] > 0


def test_lesson_is_of_the_hand_that_was_asked() -> None:
    """What is learnt from an answer does not depend on what the partner holds after it."""
    states, style, memory = met()
    note_expectation(states[0], memory[0], PARTNER, 1.0, 0.6, ONE_RED)
    other, later = memory.copy(), states.copy()
    later["hands"][0, PARTNER] = 1
    learn_answer(states[0], style[0], memory[0], PARTNER, True)
    learn_answer(later[0], style[0], other[0], PARTNER, True)

    assert memory["k_of"].tolist() == other["k_of"].tolist()


def test_doubt_of_two_kinds_is_shared() -> None:
    """A refusal of two kinds makes it as much less likely that both are there as one of one kind would."""
    states, _, memory = met()
    both = ONE_RED | 1 << BITS * int(Bean.GARDEN)
    before = holds_all(states[0], memory[0], PARTNER, both)
    doubt_cards(memory[0], PARTNER, both, 0.49)

    assert np.isclose(holds_all(states[0], memory[0], PARTNER, both), 0.49 * before)


def test_partner_is_nobody_else() -> None:
    """An answer says nothing of the other seats."""
    memory, fresh = answered(False, 1.0, 0.6), met()[2]

    assert memory["k_of"][0, 2] == fresh["k_of"][0, 2]
    assert not memory["doubt"][0, 2].any()


def test_partner_who_refuses_may_lack_the_card() -> None:
    """After a refusal of what would help him it is less likely that the partner holds the card."""
    states, _, fresh = met()
    memory = answered(False, 0.2, 2.0)

    assert holds(states[0], memory[0], PARTNER, RED, 1) < holds(states[0], fresh[0], PARTNER, RED, 1)


def test_partner_is_not_doubted_for_a_card_he_showed() -> None:
    """A card known to be in a hand stays known, whatever is refused."""
    states, style, memory = met()
    memory["known"][0, PARTNER, RED] = 1
    note_expectation(states[0], memory[0], PARTNER, 0.2, 2.0, ONE_RED)
    learn_answer(states[0], style[0], memory[0], PARTNER, False)

    assert holds(states[0], memory[0], PARTNER, RED, 1) == 1.0


def test_doubts_fade_with_the_turns() -> None:
    """A doubt is smaller a few turns later, for hands change, and is not lost within a turn."""
    states, _, _ = met()
    memory = answered(False, 0.2, 2.0)
    before = float(memory["doubt"][0, PARTNER, RED])
    fade_doubts(states[0], memory[0])
    same_turn = float(memory["doubt"][0, PARTNER, RED])
    states["turn"] += 3
    fade_doubts(states[0], memory[0])

    assert 0 < memory["doubt"][0, PARTNER, RED] < same_turn == before


def test_style_without_learning_learns_nothing() -> None:
    """A style without learning thinks the same of everybody for ever."""
    states, style, memory = met()
    style["learns"] = 0.0
    before = memory.copy()
    note_expectation(states[0], memory[0], PARTNER, 1.0, 0.6, 0)
    learn_answer(states[0], style[0], memory[0], PARTNER, False)

    assert memory["k_of"].tolist() == before["k_of"].tolist()


def test_partner_is_likelier_willing_the_more_he_gains() -> None:
    """The guess at an answer rises with what the partner gains, and falls with what the asker gains."""
    _, style, memory = met()
    poor, fair, rich = (willing(style[0], memory[0], PARTNER, 0.5, gain) for gain in (0.0, 0.5, 1.0))

    assert 0 < poor < fair < rich < 1
    assert willing(style[0], memory[0], PARTNER, 1.0, 0.5) < fair


def test_holding_several_cards_is_less_likely_than_one() -> None:
    """Two kinds are asked for: both must be there."""
    states, _, memory = met()
    both = ONE_RED | 1 << BITS * int(Bean.GARDEN)

    assert (
        0 < holds_all(states[0], memory[0], PARTNER, both) < holds_all(states[0], memory[0], PARTNER, ONE_RED)
    )

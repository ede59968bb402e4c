from __future__ import annotations

import numpy as np
import pytest

from bohn.bots.brains.minds import BITS, minds
from bohn.bots.brains.partner import (
    HARDEST,
    SOFTEST,
    doubt_cards,
    holds,
    holds_all,
    learn_answer,
    let_doubts_fade,
    meet,
    note_hope,
    willing,
)
from bohn.bots.brains.styles import style_of
from bohn.rules.beans import Bean
from bohn.sim.row import ROW, Rows

RED = int(Bean.RED)
ONE_RED = 1 << BITS * RED
PARTNER = 1


def met(name: str = "strong") -> tuple[Rows, Rows, Rows]:
    """Return a position, a style and a mind in which the partner has five hidden cards."""
    states: Rows = np.zeros(1, ROW)
    states["players"], states["turn"] = 4, 3
    states["hands"][0, :4] = 5
    style, mind = style_of(name), minds([0])
    style["learns"] = 0.2
    mind["unseen"][0, :8] = 8
    meet(states[0], style[0], mind[0])
    return states, style, mind


def answered(agreed: bool, own: float, other: float, times: int = 1) -> Rows:
    """Return the mind after so many equal answers to an offer that asks for a red bean."""
    states, style, mind = met()
    for _ in range(times):
        note_hope(states[0], mind[0], PARTNER, own, other, ONE_RED)
        learn_answer(states[0], style[0], mind[0], PARTNER, agreed)
    return mind


def test_partner_who_agrees_seems_softer() -> None:
    """Whoever agrees to an exchange that brings the asker much is thought to bargain less hard."""
    assert answered(True, 1.0, 0.3)["k_of"][0, PARTNER] < met()[2]["k_of"][0, PARTNER]


def test_partner_who_refuses_seems_harder() -> None:
    """Whoever refuses what would help him is thought to bargain harder."""
    assert answered(False, 1.0, 0.6)["k_of"][0, PARTNER] > met()[2]["k_of"][0, PARTNER]


@pytest.mark.parametrize("agreed", [True, False])
def test_partner_stays_within_limits(agreed: bool) -> None:
    """However often one answers alike, what is thought of him stays between the limits."""
    assert SOFTEST <= answered(agreed, 2.0, 1.0, times=200)["k_of"][0, PARTNER] <= HARDEST


def test_partner_is_moved_less_by_every_answer() -> None:
    """The more answers there have been, the surer is the guess, and the less the next one moves it."""
    states, style, mind = met()
    moved, unsure = [], []
    for _ in range(4):
        mind["k_of"][0, PARTNER] = 0.3
        note_hope(states[0], mind[0], PARTNER, 0.5, 0.5, 0)
        learn_answer(states[0], style[0], mind[0], PARTNER, False)
        moved.append(float(mind["k_of"][0, PARTNER]) - 0.3)
        unsure.append(float(mind["open_of"][0, PARTNER]))

    assert moved[0] > moved[1] > moved[2] > moved[3] > 0
    assert style["learns"][0] > unsure[0] > unsure[1] > unsure[2] > unsure[3] > 0


def test_lesson_is_of_the_hand_that_was_asked() -> None:
    """What is learnt from an answer does not depend on what the partner holds after it."""
    states, style, mind = met()
    note_hope(states[0], mind[0], PARTNER, 1.0, 0.6, ONE_RED)
    other, later = mind.copy(), states.copy()
    later["hands"][0, PARTNER] = 1
    learn_answer(states[0], style[0], mind[0], PARTNER, True)
    learn_answer(later[0], style[0], other[0], PARTNER, True)

    assert mind["k_of"].tolist() == other["k_of"].tolist()


def test_doubt_of_two_kinds_is_shared() -> None:
    """A refusal of two kinds makes it as much less likely that both are there as one of one kind would."""
    states, _, mind = met()
    both = ONE_RED | 1 << BITS * int(Bean.GARDEN)
    before = holds_all(states[0], mind[0], PARTNER, both)
    doubt_cards(mind[0], PARTNER, both, 0.49)

    assert np.isclose(holds_all(states[0], mind[0], PARTNER, both), 0.49 * before)


def test_partner_is_nobody_else() -> None:
    """An answer says nothing of the other seats."""
    mind, fresh = answered(False, 1.0, 0.6), met()[2]

    assert mind["k_of"][0, 2] == fresh["k_of"][0, 2]
    assert not mind["doubt"][0, 2].any()


def test_partner_who_refuses_may_lack_the_card() -> None:
    """After a refusal of what would help him it is less likely that the partner holds the card."""
    states, _, fresh = met()
    mind = answered(False, 0.2, 2.0)

    assert holds(states[0], mind[0], PARTNER, RED, 1) < holds(states[0], fresh[0], PARTNER, RED, 1)


def test_partner_is_not_doubted_for_a_card_he_showed() -> None:
    """A card known to be in a hand stays known, whatever is refused."""
    states, style, mind = met()
    mind["known"][0, PARTNER, RED] = 1
    note_hope(states[0], mind[0], PARTNER, 0.2, 2.0, ONE_RED)
    learn_answer(states[0], style[0], mind[0], PARTNER, False)

    assert holds(states[0], mind[0], PARTNER, RED, 1) == 1.0


def test_doubts_fade_with_the_turns() -> None:
    """A doubt is smaller a few turns later, for hands change, and is not lost within a turn."""
    states, _, _ = met()
    mind = answered(False, 0.2, 2.0)
    before = float(mind["doubt"][0, PARTNER, RED])
    let_doubts_fade(states[0], mind[0])
    same_turn = float(mind["doubt"][0, PARTNER, RED])
    states["turn"] += 3
    let_doubts_fade(states[0], mind[0])

    assert 0 < mind["doubt"][0, PARTNER, RED] < same_turn == before


def test_nothing_is_learnt_by_who_does_not_learn() -> None:
    """A style without learning thinks the same of everybody for ever."""
    states, style, mind = met()
    style["learns"] = 0.0
    before = mind.copy()
    note_hope(states[0], mind[0], PARTNER, 1.0, 0.6, 0)
    learn_answer(states[0], style[0], mind[0], PARTNER, False)

    assert mind["k_of"].tolist() == before["k_of"].tolist()


def test_partner_is_likelier_willing_the_more_he_gains() -> None:
    """The guess at an answer rises with what the partner gains, and falls with what the asker gains."""
    _, style, mind = met()
    poor, fair, rich = (willing(style[0], mind[0], PARTNER, 0.5, gain) for gain in (0.0, 0.5, 1.0))

    assert 0 < poor < fair < rich < 1
    assert willing(style[0], mind[0], PARTNER, 1.0, 0.5) < fair


def test_holding_several_cards_is_less_likely_than_one() -> None:
    """Two kinds are asked for: both must be there."""
    states, _, mind = met()
    both = ONE_RED | 1 << BITS * int(Bean.GARDEN)

    assert 0 < holds_all(states[0], mind[0], PARTNER, both) < holds_all(states[0], mind[0], PARTNER, ONE_RED)

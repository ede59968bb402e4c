"""What offers may be made of, and which answers are listed."""

from __future__ import annotations

import pytest

from bohn.notation.positions import parse_position
from bohn.rules import Rules, State, decide, fold, legal_commands, offer_space
from bohn.rules.beans import Bean
from bohn.rules.commands import Claim, DeclineOffer, MakeOffer
from bohn.rules.legal import NO_OFFERS
from bohn.rules.state import Copy

POSITION = """
edition = "full"
players = 4
[position]
phase = "trade"
active = 0
face_up = "soy garden"
offers = ["1.1 0>1,2 face:0 for red open claims 1 hand:0=red", "2.1 1>0 hand:1 for soy"]
[[position.player]]
hand = "blue"
[[position.player]]
hand = "red chili"
hand_revision = 3
[[position.player]]
hand = "wax red"
[[position.player]]
"""


@pytest.fixture
def table() -> tuple[Rules, State]:
    """Return a trade with two offers open."""
    return parse_position(POSITION)


def test_offer_space_of_the_active_player(table: tuple[Rules, State]) -> None:
    """The active player offers hand and face-up beans to anybody, openly too (OFFER-2, TRADE-2)."""
    space = offer_space(*table, 0)

    assert space.partners == (1, 2, 3)
    assert space.hand == (Copy(0, Bean.BLUE),)
    assert space.face_up == (Copy(0, Bean.SOY), Copy(1, Bean.GARDEN))
    assert (space.slots, space.may_be_open) == (5, True)


def test_offer_space_of_another_player(table: tuple[Rules, State]) -> None:
    """Another player offers hand cards to the active player alone, directly (TRADE-1, TRADE-3)."""
    space = offer_space(*table, 1)

    assert space.partners == (0,)
    assert (space.hand, space.face_up) == ((Copy(0, Bean.RED), Copy(1, Bean.CHILI)), ())
    assert (space.slots, space.may_be_open, space.hand_revision) == (5, False, 3)


@pytest.mark.parametrize("seat", [-1, 4])
def test_offer_space_of_nobody_is_empty(table: tuple[Rules, State], seat: int) -> None:
    """A seat that is not at the table can offer nothing."""
    assert offer_space(*table, seat) == NO_OFFERS


def test_legal_list_lets_a_claimer_only_take_back(table: tuple[Rules, State]) -> None:
    """A player who has claimed may withdraw the claim, and not claim again (OFFER-4)."""
    answers = [c for c in legal_commands(*table, 1) if isinstance(c, Claim | DeclineOffer)]

    assert answers == [DeclineOffer(1, 1, 1)]


def test_legal_list_offers_the_claim_to_others(table: tuple[Rules, State]) -> None:
    """A player who has not claimed may claim with the front-most copy, or decline (OFFER-4, OFFER-12)."""
    answers = [c for c in legal_commands(*table, 2) if isinstance(c, Claim | DeclineOffer)]

    assert answers == [Claim(2, 1, 1, (Copy(1, Bean.RED),), 0), DeclineOffer(2, 1, 1)]


def test_offer_may_ask_for_all_cards_of_a_kind(table: tuple[Rules, State]) -> None:
    """One may ask for as many beans of a kind as the deck has (TRADE-9)."""
    rules, state = table
    ask = MakeOffer(0, (1,), want=(Bean.GARDEN,) * 6)

    assert fold(decide(rules, state, ask), state).phase.offers[-1].want == ask.want  # type: ignore[union-attr]  # trade - by the position

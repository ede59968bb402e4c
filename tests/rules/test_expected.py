"""What a refusal says would have been expected, and limits at their edge."""

from __future__ import annotations

import pytest

from bohn.notation.positions import parse_position
from bohn.rules import decide, offer_space
from bohn.rules.beans import Bean
from bohn.rules.commands import Command, MakePromise, NameGift
from bohn.rules.errors import IllegalCommand, Reason
from bohn.rules.legal import NO_OFFERS
from bohn.rules.state import Copy

HAGGLING = """
edition = "das-duell"
players = 2
[position]
phase = "gift"
face_up = "soy"
named = ["0 soy"]
word = 1
open = true
[[position.player]]
[[position.player]]
hand = "red red"
"""

TRADING = """
edition = "full"
players = 3
[position]
phase = "trade"
offers = [{offers}]
[[position.player]]
hand = "blue"
[[position.player]]
[[position.player]]
"""


def refused(position: str, command: Command) -> IllegalCommand:
    """Return how a command is refused in a position."""
    with pytest.raises(IllegalCommand) as caught:
        decide(*parse_position(position), command)
    return caught.value


def test_kind_named_twice_is_told_which_are_left() -> None:
    """All kinds of the game but those named (DD-8)."""
    refusal = refused(HAGGLING, NameGift(1, Bean.SOY))

    assert refusal.reason is Reason.KIND_NAMED_ALREADY
    assert "soy" not in refusal.params["expected"]
    assert len(refusal.params["expected"]) == 7


def test_gift_of_two_copies_is_refused() -> None:
    """One card is named, or none (DD-6)."""
    rules, state = parse_position(HAGGLING)
    copies = (Copy(0, Bean.RED), Copy(1, Bean.RED))
    command = NameGift(1, Bean.RED, copies, state.players[1].hand_revision)

    assert refused(HAGGLING, command).reason is Reason.WRONG_COPIES
    assert rules.players == 2


def test_promise_to_nobody_is_told_to_whom() -> None:
    """All other seats (TALK-2)."""
    refusal = refused(TRADING.format(offers=""), MakePromise(0, 0, (Bean.RED,), ()))

    assert refusal.reason is Reason.UNKNOWN_ADDRESSEE
    assert refusal.params["expected"] == (1, 2)


def test_maker_of_as_many_offers_as_he_may_has_none_left() -> None:
    """The sixth is the last (OFFER-2)."""
    offers = ", ".join(f'"{number}.1 0>1 hand:0 for red"' for number in range(1, 7))

    assert offer_space(*parse_position(TRADING.format(offers=offers)), 0).slots == 0
    assert NO_OFFERS.slots == 0

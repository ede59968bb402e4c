"""Salts of the seats, and the deal that is made and checked with them."""

from __future__ import annotations

import pytest

from bohn.notation.deals import Deal
from bohn.notation.errors import NotationError
from bohn.protocol import room_events as e
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Reveal
from bohn.server.room.deal import check, checked_salt, commitment, deal_of, reveal_of, salts_of, seed_of
from bohn.server.room.fold import fold_room
from tests.server.support.rooms import ANNA, BERT, CHIYO, playing_room

SECRET, NONCE = b"s" * 32, b"n" * 32
ROOM = fold_room((e.SaltGiven(0, "aa"), e.SaltGiven(2, "cc")), playing_room(ANNA, BERT, CHIYO))
SALTS = ("aa", "", "cc", "")


@pytest.mark.parametrize(
    ("salt", "expected"), [("", ""), ("00ff", "00ff"), ("00FF", "00ff"), ("aB" * 32, "ab" * 32)]
)
def test_salt_is_kept_in_small_digits(salt: str, expected: str) -> None:
    """Up to 32 bytes, in digits of any size."""
    assert checked_salt(salt) == expected


@pytest.mark.parametrize("salt", ["0", "x", "0x00", " 00", "00\n", "00" * 33, "ﬀ", "\ud800"])
def test_salt_is_refused(salt: str) -> None:
    """What cannot be hashed in one way only."""
    with pytest.raises(Refusal) as refusal:
        checked_salt(salt)

    assert refusal.value.problem is Problem.SALT_NOT_VALID


def test_reveal_of_a_room_leads_to_the_seed() -> None:
    """What is published at the end checks the deal."""
    reveal = reveal_of(ROOM, SECRET, NONCE)

    assert reveal == Reveal(SECRET.hex(), NONCE.hex(), SALTS)
    assert salts_of(ROOM) == SALTS
    assert check(commitment(SECRET, NONCE), reveal) == seed_of(SECRET, SALTS)


def test_reveal_is_the_same_after_a_seat_changed_hands() -> None:
    """Salts stay with the seats."""
    kicked = fold_room((e.HandedOver(0, "pk"), e.Kicked(2, "pk")), ROOM)

    assert reveal_of(kicked, SECRET, NONCE) == reveal_of(ROOM, SECRET, NONCE)


def test_reveal_of_another_secret_is_refused() -> None:
    """The commitment binds."""
    with pytest.raises(NotationError, match="commitment"):
        check(commitment(SECRET, NONCE), reveal_of(ROOM, NONCE, SECRET))


def test_deal_of_a_reveal_is_that_of_a_record() -> None:
    """With the commitment beside it."""
    deal = deal_of("c0", Reveal("aa", "bb", SALTS))

    assert deal == Deal("c0", "aa", "bb", SALTS)

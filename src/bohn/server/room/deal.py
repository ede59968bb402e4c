"""The deal of a table: salts as users send them, and what is revealed at the end."""

from __future__ import annotations

from bohn.notation import deals
from bohn.notation.deals import Deal, commitment, seed_of
from bohn.notation.errors import NotationError
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Reveal, Room

__all__ = ["check", "checked_salt", "commitment", "deal_of", "reveal_of", "salts_of", "seed_of"]


def checked_salt(salt: str) -> str:
    """Return a salt in small digits. Raises :class:`Refusal` (``salt-not-valid``)."""
    small = salt.lower()
    try:
        deals.salt_bytes(small)
    except NotationError:
        raise Refusal(Problem.SALT_NOT_VALID) from None
    return small


def salts_of(room: Room) -> tuple[str, ...]:
    """Return the salts by seat; from the start on they never change."""
    return tuple(seat.salt for seat in room.seats)


def reveal_of(room: Room, secret: bytes, nonce: bytes) -> Reveal:
    """Return what is published when a table is over."""
    return Reveal(secret.hex(), nonce.hex(), salts_of(room))


def deal_of(commitment_: str, reveal: Reveal) -> Deal:
    """Return a deal as a record's header has it."""
    return Deal(commitment_, reveal.secret, reveal.nonce, reveal.salts)


def check(commitment_: str, reveal: Reveal) -> bytes:
    """Return the seed that was dealt from. Raises :class:`NotationError` if it does not fit."""
    return deals.check(deal_of(commitment_, reveal))

"""Deals that can be checked: first a commitment to a secret, then every seat's salt; both give the seed.

Documented with test vectors in ``docs/deals.md``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256

from msgspec import Struct

from bohn.notation.errors import NotationError, shorten

SECRET_BYTES = 32
NONCE_BYTES = 32
SALT_BYTES = 32
"""Bytes of the secret and of the nonce, and the most of a salt: those of a SHA-256 digest."""

DOMAIN = b"bohn-deal:1"
"""What the seed's hash begins with, so that no other use of SHA-256 gives the same."""

_HEX = re.compile(r"(?:[0-9a-f]{2})*", re.ASCII)


class Deal(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that checks a deal, in hexadecimal digits; ``salts`` by seat."""

    commitment: str
    secret: str
    nonce: str
    salts: tuple[str, ...]


def commitment(secret: bytes, nonce: bytes) -> str:
    """Return what is published before anybody sits: SHA-256 of secret and nonce, 32 bytes each, in hex.

    Raises :class:`NotationError` for other sizes.
    """
    return sha256(_sized(secret, SECRET_BYTES, "secret") + _sized(nonce, NONCE_BYTES, "nonce")).hexdigest()


def seed_of(secret: bytes, salts: Sequence[str]) -> bytes:
    """Return the seed of a game, 32 bytes, from the secret and the salts by seat (hexadecimal digits).

    SHA-256 over ``bohn-deal:1``, the 32 bytes of the secret, and for each seat one byte that counts
    the bytes of its salt, then these. Raises :class:`NotationError`.
    """
    hashed = sha256(DOMAIN + _sized(secret, SECRET_BYTES, "secret"))
    for salt in map(salt_bytes, salts):
        hashed.update(bytes((len(salt),)) + salt)
    return hashed.digest()


def salt_bytes(salt: str) -> bytes:
    """Return a salt's bytes; none for the empty one. Raises :class:`NotationError`."""
    found = _bytes(salt, "salt")
    if len(found) > SALT_BYTES:
        msg = f"salt: expected at most {SALT_BYTES} bytes, not {len(found)}"
        raise NotationError(msg)
    return found


def check(deal: Deal) -> bytes:
    """Return the seed that a deal leads to, if its secret and nonce are those behind the commitment.

    Raises :class:`NotationError`, which names what does not fit.
    """
    secret, nonce = _bytes(deal.secret, "secret"), _bytes(deal.nonce, "nonce")
    found = commitment(secret, nonce)
    if deal.commitment != found:
        msg = f"commitment: expected {found}, of secret and nonce, not {shorten(deal.commitment, 70)}"
        raise NotationError(msg)
    return seed_of(secret, deal.salts)


def _bytes(text: str, what: str) -> bytes:
    """Return the bytes of small hexadecimal digits, and of nothing else that Python would take."""
    if not _HEX.fullmatch(text):
        msg = f"{what}: expected pairs of the digits 0 to 9 and a to f, not {shorten(text)}"
        raise NotationError(msg)
    return bytes.fromhex(text)


def _sized(value: bytes, size: int, what: str) -> bytes:
    if len(value) != size:
        msg = f"{what}: expected {size} bytes, not {len(value)}"
        raise NotationError(msg)
    return value

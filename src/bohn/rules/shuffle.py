"""Chance: Fisher-Yates driven by SHA-256 in counter mode, the same in every language.

Stream ``name`` with number ``k`` under a 32-byte seed: block ``i`` is
SHA-256(seed + name in ASCII + k as 8 bytes + i as 8 bytes), numbers big-endian. A
block yields eight 32-bit words, first to last. A number below ``n`` is the next word
``w`` with ``w < 2**32 - 2**32 % n``, reduced modulo ``n``; other words are skipped. A
shuffle runs ``j`` from the last place down to 1 and swaps it with a number below ``j + 1``.
Test vectors are in docs/notation.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")

SEED_BYTES = 32
"""Bytes of a seed: the size of a SHA-256 digest."""


def seed_from(source: bytes | str | int) -> bytes:
    """Return a 32-byte seed: 32 bytes as they are, anything else by SHA-256 of its text.

    Raises ``ValueError`` for bytes of another length.
    """
    if isinstance(source, bytes):
        if len(source) != SEED_BYTES:
            msg = f"a seed is {SEED_BYTES} bytes, not {len(source)}"
            raise ValueError(msg)
        return source
    return sha256(f"bohn-seed:{source}".encode()).digest()


def words(seed: bytes, name: str, number: int) -> Iterator[int]:
    """Yield the 32-bit words of one stream, without end."""
    prefix = seed + name.encode("ascii") + number.to_bytes(8, "big")
    block = 0
    while True:
        digest = sha256(prefix + block.to_bytes(8, "big")).digest()
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def below(stream: Iterator[int], bound: int) -> int:
    """Return a number from 0 to ``bound - 1``, each equally likely."""
    limit = 2**32 - 2**32 % bound
    return next(word for word in stream if word < limit) % bound


def shuffled(cards: tuple[T, ...], seed: bytes, number: int, name: str = "shuffle") -> tuple[T, ...]:
    """Return the cards in the order of shuffle ``number`` (SETUP-2, RESHUFFLE-1)."""
    stream = words(seed, name, number)
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        other = below(stream, last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def drawn_starter(seed: bytes, players: int) -> int:
    """Return the seat drawn to begin (SETUP-5)."""
    return below(words(seed, "starter", 0), players)

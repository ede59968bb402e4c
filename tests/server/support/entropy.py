"""Entropy for the server's tests: bytes that are the same in every run."""

from __future__ import annotations

from hashlib import sha256


class RepeatableEntropy:
    """An :class:`bohn.server.entropy.Entropy` that gives the same bytes after the same ``seed``."""

    def __init__(self, seed: str = "still") -> None:
        self._seed = seed
        self._drawn = 0

    def token_bytes(self, size: int) -> bytes:
        """Return the next bytes, at most 32."""
        self._drawn += 1
        return sha256(f"{self._seed}:{self._drawn}".encode()).digest()[:size]

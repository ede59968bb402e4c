"""Random bytes for ids, secrets and deals; tests put a source in its place that repeats itself."""

from __future__ import annotations

import secrets
from typing import Protocol


class Entropy(Protocol):
    """A source of random bytes that nobody can guess."""

    def token_bytes(self, size: int) -> bytes:
        """Return ``size`` unguessable bytes."""
        ...


class SystemEntropy:
    """The generator of the operating system."""

    def token_bytes(self, size: int) -> bytes:
        """Return ``size`` unguessable bytes."""
        return secrets.token_bytes(size)

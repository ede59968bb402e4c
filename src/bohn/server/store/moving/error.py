"""The error of a move."""

from __future__ import annotations

from bohn.rules.errors import BohnError


class MoveError(BohnError):
    """It cannot be moved; the message says why, and what to do."""

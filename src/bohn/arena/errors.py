"""What goes wrong in the arena: one line that says what was expected."""

from __future__ import annotations

from bohn.rules.errors import BohnError


class ArenaError(BohnError):
    """A match that cannot be played, or a folder that holds another; the message says what was expected."""

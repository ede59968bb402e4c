"""The errors of reading a text, which name what was expected, and where."""

from __future__ import annotations

from bohn.rules.errors import BohnError


class NotationError(BohnError):
    """A text that is no position, command or scenario; the message says what was expected and where."""


class RecordError(NotationError):
    """A record that cannot be read, or that does not hold what it claims; names the entry."""


def shorten(text: object, limit: int = 60) -> str:
    """Return a text as a quotation of bounded length, for a message."""
    quoted = repr(str(text)[: limit + 1])
    return quoted if len(quoted) <= limit + 2 else quoted[: limit - 2] + "...'"

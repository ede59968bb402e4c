"""Text of other people, fit for a terminal."""

from __future__ import annotations


def printable(text: str) -> str:
    """Return a text without what would move a terminal's cursor or turn its lines round."""
    return "".join(char if char.isprintable() else " " for char in text)

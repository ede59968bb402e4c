"""The error of the command line: one line that says what was expected."""

from __future__ import annotations

from bohn.rules.errors import BohnError


class UsageError(BohnError):
    """The command line asks for what cannot be done; the message says what was expected."""

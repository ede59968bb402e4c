"""The exceptions of the client.

::

    BohnError
    ├── RefusedByTable     the server refuses; nothing has changed
    ├── Unreachable        no answer in the time the retry policy allows
    └── NotUnderstood      an answer that is not of this protocol
"""

from __future__ import annotations

from typing import Any

from bohn.rules.errors import BohnError


class RefusedByTable(BohnError):  # noqa: N818 - a fact, as the rules' own IllegalCommand
    """The server refuses, by the rules (then with a ``clause``) or by itself; nothing has changed.

    ``reason`` is a code of :class:`bohn.rules.errors.Reason` or :class:`bohn.protocol.refusals.Problem`,
    ``status`` the one of HTTP.
    """

    def __init__(self, reason: str, clause: str | None, params: dict[str, Any], status: int) -> None:
        """Store everything as data."""
        self.reason = reason
        self.clause = clause
        self.params = params
        self.status = status
        detail = ", ".join(f"{key}={value!r}" for key, value in params.items())
        super().__init__(reason + (f" ({clause})" if clause else "") + (f": {detail}" if detail else ""))


class Unreachable(BohnError):  # noqa: N818 - a fact
    """The server did not answer. A command that was being sent may have been done, and may be sent again."""


class NotUnderstood(BohnError):  # noqa: N818 - a fact
    """What came back is not of this protocol: another version, or no table server at all."""

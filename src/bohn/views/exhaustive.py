"""The check that a table says of every type who sees it: a module whose table lacks one does not import."""

from __future__ import annotations

from collections.abc import Container, Iterable


def require_complete(what: str, kinds: Iterable[type], table: Container[type]) -> None:
    """Refuse a table that lacks a type; ``what`` names such a type in the message, as ``event``.

    Raises ``TypeError`` with the names of the types of which the table does not say who sees them.
    """
    missing = [kind.__name__ for kind in kinds if kind not in table]
    if missing:
        msg = f"who sees this {what}? {', '.join(missing)}"
        raise TypeError(msg)

"""Timers as they are read for many tables at once."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from bohn.server.store.protocol import Timer


class TableTimer(Struct, frozen=True, gc=False):
    """A timer with the table it belongs to; see :class:`Timer`."""

    table: str
    key: str
    due: int | None
    left: int | None = None


def timers_by_table(timers: Iterable[TableTimer]) -> dict[str, tuple[Timer, ...]]:
    """Return the timers of each table, in the order in which they come."""
    found: dict[str, list[Timer]] = {}
    for one in timers:
        found.setdefault(one.table, []).append(Timer(one.key, one.due, one.left))
    return {table: tuple(those) for table, those in found.items()}

"""What a viewer may see of a row of the log."""

from __future__ import annotations

from typing import Any

from bohn.protocol.room_events import RoomEvent
from bohn.server.store.protocol import LogRow
from bohn.views.visible import visible


def shown(row: LogRow, viewer: int | None) -> tuple[Any, ...]:
    """Return the events of a row as a seat, or a spectator, may see them."""
    found: list[Any] = []
    for event in row.events:
        seen = event if isinstance(event, RoomEvent) else visible(event, viewer)
        if seen is not None:
            found.append(seen)
    return tuple(found)


def sees(row: LogRow, viewer: int | None) -> bool:
    """Whether a seat, or a spectator, may see any event of a row; if not, it is secret to him."""
    return any(isinstance(event, RoomEvent) or visible(event, viewer) is not None for event in row.events)

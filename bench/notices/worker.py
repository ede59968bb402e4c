"""`bohn serve` that says with each message what it saw, and with a planted mistake where one is asked for.

The server itself knows nothing of it. A message gets a header more: the last row of its table that the worker
had in its memory at the moment in which the request began.
"""

from __future__ import annotations

import os
import sys
from contextvars import ContextVar
from typing import Any

from bohn.server.alerts import delivery, outbound, sender
from bohn.server.alerts.sender import AlertSender
from bohn.server.tables import writes

TAKEN = "BOHN_NOTICES_TAKEN"
TOLD_AFTER = "BOHN_NOTICES_TOLD_AFTER"
PLANT = "BOHN_NOTICES_PLANT"

SEEN = "X-Bohn-Seen"

LOOKING: ContextVar[tuple[Any, str] | None] = ContextVar("LOOKING", default=None)
"""The tables and the id of that of which a message is on its way."""


def say_what_is_seen() -> None:
    """Add the header to every message of a table."""
    deliver, post = AlertSender._deliver, outbound.post  # noqa: SLF001 - what is measured has no part in it

    async def delivered(self: AlertSender, channels: Any, message: Any, *more: Any) -> Any:
        LOOKING.set((self._tables, message.table))
        return await deliver(self, channels, message, *more)

    async def posted(place: Any, headers: Any, body: bytes, **more: Any) -> int:
        looking = LOOKING.get()
        loaded = None if looking is None else looking[0].loaded.find(looking[1])
        seen = 0 if loaded is None else loaded.snapshot.seq
        return await post(place, {**headers, SEEN: str(seen)}, body, **more)

    AlertSender._deliver = delivered  # type: ignore[method-assign,assignment]  # noqa: SLF001 - the same
    delivery.post = posted  # type: ignore[attr-defined]  # that is where it is used


def main() -> int:
    """Set the times, plant what is asked for, and serve."""
    sender.TAKEN = int(os.environ.get(TAKEN, sender.TAKEN))
    writes.TOLD_AFTER = int(os.environ.get(TOLD_AFTER, writes.TOLD_AFTER))
    say_what_is_seen()
    plant = os.environ.get(PLANT)
    if plant:
        from bench.notices.plants import PLANTS

        PLANTS[plant]()
    from bohn.cli import main as bohn

    return bohn()


if __name__ == "__main__":
    sys.exit(main())

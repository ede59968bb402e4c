"""A table in memory: its stage, what is known of recent commands, and its viewers."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Iterable

from msgspec import Struct

from bohn.server.store.protocol import Row, SecretDeal
from bohn.server.tables.audience import Gallery, Presence
from bohn.server.tables.plan import Request
from bohn.server.tables.stage import Stage, after_row
from bohn.server.wire import frames

RECENT = 16
"""So many commands are remembered with their seq; older ones are looked up in the store."""


class Live:
    """One table as one process holds it; the log is the truth, this a copy that may be behind."""

    def __init__(self, stage: Stage, deal: SecretDeal | None, presence: Presence, now: int) -> None:
        """Hold a folded table."""
        self.id = stage.room.id
        self.stage = stage
        self.deal = deal
        self.lock = asyncio.Lock()
        self.now = Gallery(stage)
        self.past: Past | None = None
        self.presence = presence
        self.people: dict[str, frames.Person] = {}
        self.granted: set[str] = set()
        self.collecting: dict[int, Collecting] = {}
        self.rematching = asyncio.Lock()
        self.following: str | None = None
        self.shown_present: tuple[tuple[int, ...], int] = ((), 0)
        self.touched = now
        self._recent: OrderedDict[tuple[str, str], tuple[int, str]] = OrderedDict()

    def remember(self, row: Row) -> None:
        """Note what came of a command."""
        self._recent[row.actor, row.command_id] = (row.seq, row.digest)
        if len(self._recent) > RECENT:
            self._recent.popitem(last=False)

    def recall(self, actor: str, command_id: str) -> tuple[int, str] | None:
        """Return seq and digest of a recent command."""
        return self._recent.get((actor, command_id))

    @property
    def watched(self) -> bool:
        """Whether anybody looks."""
        return bool(self.now.watching) or (self.past is not None and bool(self.past.gallery.watching))


class Said(Struct, frozen=True, gc=False):
    """A line of chat, or what a bot said, on its way to those who see the past."""

    at: int
    line: frames.Line | frames.Remark
    unread_by: frozenset[str]

    @property
    def number(self) -> int | None:
        """The number of a line; what a bot said has none."""
        return self.line.line if isinstance(self.line, frames.Line) else None


class Past:
    """What the spectators of a delayed table see: the log, and what was said, some time ago."""

    def __init__(self, stage: Stage, waiting: Iterable[Row]) -> None:
        """Begin with the table as it was, and the rows that have happened since."""
        self.gallery = Gallery(stage)
        self.waiting: deque[Row | Said] = deque(waiting)
        self.task: asyncio.Task[None] | None = None

    def next_stage(self, row: Row) -> Stage:
        """Return the stage after the oldest waiting row; the past has no clocks."""
        return after_row(self.gallery.stage, row, ())

    def forget(self, line: int) -> None:
        """Drop a line of chat that was deleted before its time came."""
        self.waiting = deque(one for one in self.waiting if not isinstance(one, Said) or one.number != line)


class Collecting:
    """Acceptances of one direct offer to several people, gathered before the first is taken (DESIGN 5)."""

    def __init__(self) -> None:
        """Begin with none."""
        self.entries: list[tuple[Request, asyncio.Future[int]]] = []

    def in_order(self) -> list[tuple[Request, asyncio.Future[int]]]:
        """Return people's acceptances as they came, then those of bots by seat."""
        people = [entry for entry in self.entries if entry[0].cause != "bot"]
        bots = [entry for entry in self.entries if entry[0].cause == "bot"]
        return people + sorted(bots, key=lambda entry: getattr(entry[0].command, "player", 0))

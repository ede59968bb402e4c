"""A table in memory: its snapshot, its recent commands, and its viewers."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

from bohn.protocol import frames
from bohn.server.store.protocol import LogRow, SecretDeal
from bohn.server.store.shared import Present
from bohn.server.tables.api import Peek
from bohn.server.tables.audience import Audience, DelayedAudience, PresentUsers
from bohn.server.tables.plan import Request
from bohn.server.tables.snapshot import Snapshot
from bohn.server.tables.table_signs import TableSigns

RECENT = 16
"""Commands that are remembered with their seq; older ones are looked up in the store."""


class LoadedTable:
    """One table as one process holds it; the log is the truth, this a copy that may be behind."""

    def __init__(self, snapshot: Snapshot, deal: SecretDeal | None, presence: PresentUsers, now: int) -> None:
        """Take a folded table."""
        self.id = snapshot.room.id
        self.snapshot = snapshot
        self.deal = deal
        self.epoch: int | None = None  # of its bucket, when its timers were read
        self.elsewhere: tuple[Present, ...] = ()
        self.lock = asyncio.Lock()
        self.live = Audience(snapshot)
        self.delayed: DelayedAudience | None = None
        self.presence = presence
        self.signs = TableSigns()
        self.people: dict[str, frames.Person] = {}
        self.granted: set[str] = set()
        self.acceptances: dict[int, Acceptances] = {}
        self.rematch_lock = asyncio.Lock()
        self.settled: int | None = None
        self.call_ended: int | None = None  # the batch behind which a last call is ended before its time
        self.shown_present: tuple[tuple[int, ...], int, tuple[str, ...]] = ((), 0, ())
        self.touched = now
        self.seen = 0
        self._recent: OrderedDict[tuple[str, str], tuple[int, str]] = OrderedDict()

    def remember(self, row: LogRow) -> None:
        """Note what came of a command."""
        self._recent[row.actor, row.command_id] = (row.seq, row.digest)
        if len(self._recent) > RECENT:
            self._recent.popitem(last=False)

    def recall(self, actor: str, command_id: str) -> tuple[int, str] | None:
        """Return seq and digest of a recent command."""
        return self._recent.get((actor, command_id))

    @property
    def audiences(self) -> tuple[Audience, ...]:
        """All audiences: the live one, and the delayed one if there is any."""
        return (self.live,) if self.delayed is None else (self.live, self.delayed.audience)

    @property
    def watched(self) -> bool:
        """Whether anybody watches, here or by another worker."""
        return bool(self.elsewhere) or self.watched_here

    @property
    def watched_here(self) -> bool:
        """Whether anybody watches by this worker."""
        return any(audience.watchers for audience in self.audiences)

    def unseen_since(self, time: int) -> bool:
        """Whether nobody has looked here, and nothing has happened, since a time (ms since 1970)."""
        return not self.watched and max(self.seen, self.snapshot.at) <= time

    @property
    def peek(self) -> Peek:
        """The table as it is, hidden cards and all."""
        snapshot = self.snapshot
        composing, enough = map(frozenset, self.signs.shown)
        return Peek(
            snapshot.seq, snapshot.room, snapshot.rules, snapshot.state, self.watched, composing, enough,
            snapshot.timers,
        )  # fmt: skip

    def close_delayed(self) -> None:
        """Stop the delayed audience, as the table leaves memory; until then it is there for whoever comes."""
        if self.delayed is not None and self.delayed.task is not None:
            self.delayed.task.cancel()
        self.delayed = None


class Acceptances:
    """Acceptances of one direct offer to several people, gathered before the first is taken."""

    def __init__(self) -> None:
        """Begin with none."""
        self.entries: list[tuple[Request, asyncio.Future[int]]] = []

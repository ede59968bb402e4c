"""Upkeep of the tables: absent hosts, full logs, and idle tables in memory.

Tables in which nobody owns a seat and at which nobody looks are abandoned, and those whose owners have not
moved for very long.
"""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from typing import NamedTuple

import structlog
from msgspec import UNSET

from bohn.protocol.refusals import Refusal
from bohn.protocol.room import HOURS, Room, Status
from bohn.protocol.room_events import Abandoned, HostPassed
from bohn.server.clock import TimeSource
from bohn.server.room.clocks import HOUR, lasts_days, played_by_person
from bohn.server.room.decide import host_after
from bohn.server.settings import Settings
from bohn.server.store.protocol import Store, StoreUnavailable
from bohn.server.store.retaining import NEVER, horizon
from bohn.server.tables.api import Observer
from bohn.server.tables.background import Background
from bohn.server.tables.leases import Ownership
from bohn.server.tables.loaded import LoadedTable
from bohn.server.tables.loading import LoadedTables
from bohn.server.tables.log import TableLog
from bohn.server.tables.plan import MISSES, SERVER, Request

LOG = structlog.get_logger("bohn.tables")

ABANDONED_AT_ONCE = 50
"""Tables that nobody needs are abandoned so many in one go: each may have to be read from its log first."""

MOST_LOOKS = 20_000
"""Tables that have left memory of which it is remembered when somebody looked, to bound memory."""


class LastLook(NamedTuple):
    """When somebody last looked at a table that has left memory, and how far it was."""

    at: int
    status: Status


class Horizons(NamedTuple):
    """By when nobody must have looked or moved at a table that is to be abandoned now (ms since 1970).

    ``open`` and ``playing`` are for tables without owners, ``owned`` for all others.
    """

    open: int
    playing: int
    owned: int

    def of(self, status: Status) -> int:
        """Return by when, for a table without owners; never for one that is over."""
        return {"open": self.open, "playing": self.playing}.get(status, NEVER)


def stays_host(room: Room, host: str, now: int) -> bool:
    """Tell whether an absent host stays: at a table over days at which he sits nobody need be there.

    Where he has handed his seat to a bot himself, he stays for as long as the clocks would have waited before
    they did. In a pause somebody must be there, since only a host ends it.
    """
    seat = room.seat_of(host)
    if seat is None or room.paused or not lasts_days(room):
        return False
    if played_by_person(room, seat):
        return True
    handed_over = room.seats[seat].handed_over
    waits = MISSES * HOURS[room.options.clock] * HOUR
    return handed_over is not UNSET and now < handed_over + waits


class Upkeep:
    """Passes a host's role on, ends tables whose log is full, and lets tables leave memory."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        clock: TimeSource,
        background: Background,
        tables: LoadedTables,
        log: TableLog,
        ownership: Ownership,
        observer: Observer,
    ) -> None:
        """Look after these tables; nothing runs before :meth:`start`."""
        self._store = store
        self._settings = settings
        self._clock = clock
        self._background = background
        self._tables = tables
        self._log = log
        self._ownership = ownership
        self._observer = observer
        self._hostless: set[str] = set()
        self._looks: OrderedDict[str, LastLook] = OrderedDict()
        self._failed: dict[str, int] = {}
        self._started = 0

    def start(self) -> None:
        """Begin to drop idle tables, and to abandon those that nobody needs."""
        times = self._settings.times
        self._started = self._clock.now()
        self._background.repeat(max(times.poll, times.idle_table // 10), self._drop_idle)
        self._background.repeat(max(times.poll, times.unowned_table // 5), self._abandon_unneeded)

    def noticed(self, loaded: LoadedTable) -> None:
        """Check a table after a batch: its host and the length of its log."""
        if not self._ownership.serves(loaded.id):
            return
        snapshot = loaded.snapshot
        self.host_left(loaded)
        if snapshot.seq >= self._settings.limits.log_rows and snapshot.room.status in ("open", "playing"):
            self._background.spawn_until_shutdown(self._give_up(loaded))

    async def _give_up(self, loaded: LoadedTable) -> None:
        """Abandon a table whose log is full: nobody could ever end it."""
        await self._log.do(
            loaded, Request(SERVER, "log-full", "clock", None, events=(Abandoned(ended_by="server"),))
        )
        self._observer.abandoned("log-full")

    async def close(self, table: str, word: str, deed: int) -> None:
        """Close a table with an operator's word, once for each of his deeds, if this worker serves it."""
        if not self._ownership.serves(table):
            return
        loaded = await self._tables.get(table)
        if loaded.snapshot.room.status in ("open", "playing"):
            events = (Abandoned(word, "operator"),)
            await self._log.do(loaded, Request(SERVER, f"closed:{deed}", "clock", None, events=events))
            self._observer.abandoned("closed")

    # -- hosts -----------------------------------------------------------------------------------------

    def host_left(self, loaded: LoadedTable) -> None:
        """Let another user take over as host, if the host is away and does not return in time."""
        room = loaded.snapshot.room
        host = room.host
        if host is None or loaded.id in self._hostless or loaded.presence.connected(host):
            return
        if not self._ownership.serves(loaded.id) or room.status not in ("open", "playing"):
            return
        if stays_host(room, host, self._clock.now()):
            return
        if host not in loaded.presence.users() and host_after(room, loaded.presence.users()) is not None:
            self._hostless.add(loaded.id)
            self._background.spawn_until_shutdown(self._pass_host(loaded, host))

    async def _pass_host(self, loaded: LoadedTable, host: str) -> None:
        times = self._settings.times
        await self._clock.sleep(max(0, times.host_grace - times.away))
        self._hostless.discard(loaded.id)
        room = loaded.snapshot.room
        if room.host != host:
            self.host_left(loaded)
            return
        if host in loaded.presence.users() or room.status not in ("open", "playing"):
            return
        if stays_host(room, host, self._clock.now()):
            return
        heir = host_after(room, loaded.presence.users())
        if heir is not None and heir != host:
            seq = loaded.snapshot.seq
            request = Request(SERVER, f"host:{seq}", "clock", None, events=(HostPassed(heir),), seq=seq)
            with suppress(Refusal):
                await self._log.do(loaded, request)
        self.host_left(loaded)

    # -- tables that nobody needs ------------------------------------------------------------------------

    async def _abandon_unneeded(self) -> None:
        """Abandon tables that nobody owns, or whose owners do not come back, in memory or not."""
        now, times = self._clock.now(), self._settings.times
        if now - self._started < times.unowned_table:
            return  # who looked before a restart may still be on his way back
        owned = horizon(now, self._settings.retention.unfinished)
        horizons = Horizons(now - times.unowned_table, now - times.unowned_game, owned)
        found = await self._unneeded(horizons)
        self._failed = {table: self._failed[table] for table in found if table in self._failed}
        expected = {one.snapshot.room.rematch for one in self._tables.all() if one.watched}
        due = [table for table in found if table not in expected and self._due(table, now, horizons)]
        due.sort(key=lambda table: self._failed.get(table, 0))
        for table in due[:ABANDONED_AT_ONCE]:
            try:
                loaded = await self._tables.get(table)
                if self._to_abandon(loaded, horizons):
                    await self._abandon(loaded)
                self._failed.pop(table, None)
            except StoreUnavailable:
                raise
            except Refusal:
                self._failed[table] = now  # it is tried again, behind all others
            except Exception as error:  # one table's mistake must not keep all others
                LOG.exception("mistake", kind=type(error).__name__, table=table)
                self._failed[table] = now + times.unowned_game

    async def _unneeded(self, horizons: Horizons) -> tuple[str, ...]:
        """Return tables that have not moved for long enough, as far as the store can tell."""
        passed_over = len(self._tables) + len(self._looks) + len(self._failed)  # at most so many are found
        limit = passed_over + ABANDONED_AT_ONCE
        unowned = await self._store.unowned(horizons.open, horizons.playing, limit=limit)
        unmoved = () if horizons.owned == NEVER else await self._store.unmoved(horizons.owned, limit=limit)
        return tuple(dict.fromkeys(unowned + unmoved))

    def _due(self, table: str, now: int, horizons: Horizons) -> bool:
        """Tell whether a table is perhaps to be abandoned; of one not in memory only its log can tell."""
        if not self._ownership.serves(table) or self._failed.get(table, 0) > now:
            return False
        if now - self._ownership.since(table) < self._settings.times.unowned_table:
            return False  # who looked while another worker served it is not known here
        loaded = self._tables.find(table)
        if loaded is not None:
            return self._to_abandon(loaded, horizons)
        look = self._looks.get(table)
        return look is None or look.at <= horizons.of(look.status)

    def _to_abandon(self, loaded: LoadedTable, horizons: Horizons) -> bool:
        """Tell whether a table is to be abandoned.

        Kinds of games that wait for their players however long it takes are told apart here.
        """
        room = loaded.snapshot.room
        by = horizons.owned if _owned(room) else horizons.of(room.status)
        return room.status in ("open", "playing") and loaded.unseen_since(by)

    def came(self, loaded: LoadedTable) -> None:
        """Note when somebody has last looked at a table that comes into memory again."""
        look = self._looks.pop(loaded.id, None)
        if look is not None:
            loaded.seen = max(loaded.seen, look.at)

    def left(self, loaded: LoadedTable) -> None:
        """Remember when somebody has last looked at a table without owners that leaves memory."""
        room = loaded.snapshot.room
        if loaded.seen and room.status in ("open", "playing") and not _owned(room):
            self._looks[loaded.id] = LastLook(loaded.seen, room.status)
            if len(self._looks) > MOST_LOOKS:
                self._looks.popitem(last=False)

    async def _abandon(self, loaded: LoadedTable) -> None:
        seq = loaded.snapshot.seq
        why = "unfinished" if _owned(loaded.snapshot.room) else "unowned"
        request = Request(
            SERVER, f"{why}:{seq}", "clock", None, events=(Abandoned(ended_by="left"),), seq=seq
        )
        await self._log.do(loaded, request)
        self._observer.abandoned(why)

    # -- memory ----------------------------------------------------------------------------------------

    async def _drop_idle(self) -> None:
        """Remove tables from memory that nobody has used for long; their log stays."""
        now, idle = self._clock.now(), self._settings.times.idle_table
        for loaded in self._tables.all():
            over = loaded.snapshot.room.status in ("finished", "abandoned")
            untouched = loaded.touched < now - (idle // 20 if over else idle)
            busy = loaded.watched or loaded.lock.locked() or loaded.acceptances
            if untouched and not busy:
                self._tables.drop(loaded)


def _owned(room: Room) -> bool:
    """Tell whether any seat has an owner."""
    return any(seat.user is not None for seat in room.seats)

"""The only writer of the tables' logs: a request is decided, appended, acknowledged, and then shown."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import Any

import structlog

from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Room
from bohn.protocol.room_commands import EndTable
from bohn.rules.errors import IllegalCommand
from bohn.server.clock import TimeSource
from bohn.server.entropy import Entropy
from bohn.server.room.clocks import lasts_days
from bohn.server.settings import Settings
from bohn.server.store.formats import needed_by
from bohn.server.store.protocol import (
    Append,
    Committed,
    Conflict,
    Fenced,
    LogRow,
    Repeated,
    Store,
    Timer,
    Withdrawn,
)
from bohn.server.tables.api import Acknowledge, Names, Observer
from bohn.server.tables.audience import PresentUsers, users_in
from bohn.server.tables.background import Background
from bohn.server.tables.beats import is_beat, plan_beat
from bohn.server.tables.gathering import Gathers
from bohn.server.tables.leases import Ownership
from bohn.server.tables.loaded import RECENT, LoadedTable
from bohn.server.tables.moves_ahead import is_due_at_once, with_moves
from bohn.server.tables.plan import SERVER, Planned, Planner, Request
from bohn.server.tables.refusing import or_refuse
from bohn.server.tables.snapshot import Snapshot, after_row, snapshot_of, with_timers
from bohn.server.tables.writes import append_of

LOG = structlog.get_logger("bohn.tables")

RETRIES = 20
"""Times a command is decided anew because others were quicker; then it is refused as not saved."""

RETRIES_WITHOUT_WAIT = 3
"""Lost races after which a request waits a moment before it tries again."""

CreditFirst = Callable[[], Awaitable[None]]
"""Gives time back in which nobody was served, if there was any, before a command is decided."""

Owing = Callable[[], bool]
"""Tells whether there is such time that is not given back yet."""

Moved = Callable[[LoadedTable, LogRow, dict[str, Any]], None]
"""Called with a committed row that the table has taken in, and the people who were not known before."""

Wrote = Callable[[LoadedTable], None]
"""Called with a table to whose log a row was appended here."""

Retimed = Callable[[LoadedTable], None]
"""Called with a table whose clocks were put off."""


class TableLog:
    """Writes and reads the rows of all tables; ``moved`` is called with each row once it is on the disk.

    What the server itself does is written only where ``ownership`` says that this worker serves the table.
    ``wrote`` is called with a table to which a row was appended here, ``retimed`` with one whose clocks were
    put off, ``credit_first`` before anything is decided; no command is while ``owing`` says that it must be.
    """

    def __init__(
        self,
        store: Store,
        settings: Settings,
        clock: TimeSource,
        entropy: Entropy,
        names: Names,
        observer: Observer,
        planner: Planner,
        background: Background,
        ownership: Ownership,
        gathering: Gathers,
        moved: Moved,
        wrote: Wrote,
        retimed: Retimed,
        credit_first: CreditFirst,
        owing: Owing,
    ) -> None:
        """Write into this store."""
        self._store = store
        self._settings = settings
        self._clock = clock
        self._entropy = entropy
        self._names = names
        self._observer = observer
        self._planner = planner
        self._background = background
        self._ownership = ownership
        self._gathering = gathering
        self._moved = moved
        self._wrote = wrote
        self._retimed = retimed
        self._credit_first = credit_first
        self._owing = owing
        self._lines = LOG.bind()  # the proxy would find its configuration anew for every line

    # -- writing -----------------------------------------------------------------------------------------

    async def submit(self, loaded: LoadedTable, request: Request, acked: Acknowledge | None = None) -> int:
        """Do what somebody asks for, and return its seq once it is on the disk.

        The caller may be cancelled; the request is done all the same.
        """
        work = self._background.spawn(self._in_turn(loaded, request, acked))
        try:
            return int(await asyncio.shield(work))
        except (IllegalCommand, Refusal) as refusal:
            self._observer.refused(
                refusal.reason.value if isinstance(refusal, IllegalCommand) else refusal.problem.value
            )
            raise

    async def _in_turn(self, loaded: LoadedTable, request: Request, acked: Acknowledge | None) -> int:
        """Wait for those who accept the same offer, then do a request."""
        await self._gathering.turn(loaded, request)
        return await self.do(loaded, request, acked)

    async def do(self, loaded: LoadedTable, request: Request, acked: Acknowledge | None = None) -> int:
        """Decide, commit, acknowledge, show; one at a time for each table."""
        begun = self._clock.now()
        seq = None
        while seq is None:
            await or_refuse(self._credit_first())
            async with loaded.lock:
                if not self._owing():  # while others had the table, time may have passed that nobody served
                    seq = await or_refuse(self._decide_and_commit(loaded, request, acked))
        self._observer.committed(request.cause, type(request.command).__name__, self._clock.now() - begun)
        return seq

    async def _decide_and_commit(
        self, loaded: LoadedTable, request: Request, acked: Acknowledge | None
    ) -> int:
        for attempt in range(RETRIES):
            known = loaded.recall(request.actor, request.command_id)
            if known is not None:
                return _same(known[0], known[1], request, acked)
            try:
                self._require_own(loaded, request)
                _require_room_in_log(loaded.snapshot, request, self._settings.limits.log_rows)
                planned = await self._planned(loaded, request)
            except (Refusal, IllegalCommand):
                # it may have been done before and be impossible now: then the answer is what came of it
                row = await self._store.find(loaded.id, request.actor, request.command_id)
                if row is None:
                    if await self._was_behind(loaded):
                        continue
                    raise
                return _same(row.seq, row.digest, request, acked)
            rows = tuple(one.row for one in planned)
            self._require_known(*rows)
            people = await self._unknown(loaded, planned[-1].after.room)
            epoch = loaded.epoch
            outcome = await self._store.append(append_of(loaded.snapshot, planned, request, epoch))
            if isinstance(outcome, Committed):
                self._show(loaded, planned, people, acked)
                return rows[0].seq
            if isinstance(outcome, Withdrawn):  # whoever gave it goes on by himself
                raise Refusal(Problem.NOT_WAITED_FOR)
            if isinstance(outcome, Fenced):
                await self._read_epoch(loaded)
            await self.catch_up(loaded)
            if attempt >= RETRIES_WITHOUT_WAIT:
                await self._clock.sleep(self._entropy.token_bytes(1)[0] % (2 * attempt))
            if isinstance(outcome, Repeated):
                return _same(outcome.row.seq, outcome.row.digest, request, acked)
            assert isinstance(outcome, Conflict | Fenced)  # noqa: S101 - what is left
        raise Refusal(Problem.NOT_SAVED)

    def _show(
        self,
        loaded: LoadedTable,
        planned: tuple[Planned, ...],
        people: dict[str, Any],
        acked: Acknowledge | None,
    ) -> None:
        """Acknowledge what was committed, and show it to everybody."""
        try:
            if acked is not None:
                acked(planned[0].row.seq)
        finally:  # whatever becomes of the sender, everybody is shown what is on the disk
            for one in planned:
                self._move_on(loaded, one.row, one.after, {**loaded.people, **people})
            self._wrote(loaded)

    async def _planned(self, loaded: LoadedTable, request: Request) -> tuple[Planned, ...]:
        """Return the batches of a request; over days also those of what people have left there."""
        snapshot, deal = loaded.snapshot, loaded.deal
        if not lasts_days(snapshot.room):
            return (self._planner.plan(snapshot, request, self._clock.now(), deal),)
        left, now = await self._store.instructions_at(loaded.id), self._clock.now()
        planned: tuple[Planned, ...] = ()
        if is_beat(request):
            planned = plan_beat(self._planner, snapshot, request, left, now, deal)
        elif not is_due_at_once(request):
            planned = (self._planner.plan(snapshot, request, now, deal),)
        if request.expired is not None and not is_beat(request):
            # whoever took a move that was possible at once may have ended before it made it
            planned = with_moves(self._planner, snapshot, (), left, now, deal) or planned
        planned = with_moves(self._planner, snapshot, planned, left, now, deal)
        if not planned:
            raise Refusal(Problem.NOT_WAITED_FOR)
        return planned

    def _require_own(self, loaded: LoadedTable, request: Request) -> None:
        """Refuse what the server itself would do at a table that another worker serves."""
        if request.by_holder and not self._ownership.serves(loaded.id):
            raise Refusal(Problem.NOT_SAVED)

    def _require_known(self, *rows: LogRow) -> None:
        """Refuse for now what a worker could not read that is registered: it runs an older program."""
        if not self._ownership.writes(max(map(needed_by, rows))):
            LOG.warning("not-known-to-all", table=rows[0].table)
            raise Refusal(Problem.NOT_SAVED)

    async def _was_behind(self, loaded: LoadedTable) -> bool:
        """Tell whether another worker has appended what a refusal did not know of, and take it in."""
        if loaded.epoch is None:
            return False
        seq = loaded.snapshot.seq
        await self.catch_up(loaded)
        return loaded.snapshot.seq > seq

    async def _read_epoch(self, loaded: LoadedTable) -> None:
        """Learn the epoch of a table that was taken anew, and read its clocks: they may have been put off."""
        await self._ownership.refresh()
        await self.read_timers(loaded)

    async def begin(self, append: Append) -> LogRow | None:
        """Write the first rows of a table; return the first one that was there already, if any."""
        self._require_known(append.row, *append.behind)
        await or_refuse(self._credit_first())
        outcome = await or_refuse(self._store.append(append))
        seq = append.behind[-1].seq if append.behind else append.row.seq
        LOG.info("table-opened", table=append.row.table, seq=seq)
        return outcome.row if isinstance(outcome, Repeated) else None

    def check(self, loaded: LoadedTable, request: Request) -> IllegalCommand | Refusal | None:
        """Return why a request would be refused now, or ``None``."""
        try:
            self._planner.plan(loaded.snapshot, request, self._clock.now(), loaded.deal)
        except (IllegalCommand, Refusal) as refusal:
            return refusal
        return None

    # -- reading -----------------------------------------------------------------------------------------

    async def fold(self, rows: tuple[LogRow, ...]) -> LoadedTable:
        """Return the table of a log, with its clocks, the secret of its deal, and the names in it."""
        snapshot = snapshot_of(rows)
        table = snapshot.room.id
        epoch = self._ownership.epoch(table)  # first: the timers are of this epoch, or of a later one
        snapshot = with_timers(snapshot, await self._store.timers(table))
        presence = PresentUsers(self._clock.now, self._settings.times.away)
        loaded = LoadedTable(snapshot, await self._store.deal(table), presence, self._clock.now())
        loaded.epoch = epoch
        loaded.people = await self._names.people(users_in(snapshot.room))
        for row in rows[-RECENT:]:
            loaded.remember(row)
        return loaded

    async def catch_up(self, loaded: LoadedTable) -> None:
        """Read and show what other processes have appended."""
        epoch = self._ownership.epoch(loaded.id)  # first: the timers are of this epoch, or of a later one
        rows, timers = await self._store.news(loaded.id, loaded.snapshot.seq)
        people = dict(loaded.people)
        for row in rows:
            if row.seq != loaded.snapshot.seq + 1:
                continue
            after = after_row(loaded.snapshot, row)
            if row is rows[-1]:
                after = with_timers(after, timers)
                loaded.epoch = epoch
            people.update(await self._unknown(loaded, after.room))
            if row.seq == loaded.snapshot.seq + 1:  # nothing came in between while names were read
                self._move_on(loaded, row, after, people)

    async def read_anew(self, loaded: LoadedTable) -> None:
        """Read and show what other processes have appended, and the clocks; locks the table."""
        async with loaded.lock:
            await self.catch_up(loaded)
            await self.read_timers(loaded)

    async def read_timers(self, *tables: LoadedTable) -> None:
        """Read the clocks of tables anew, and tell everybody if they were put off; with the tables locked."""
        epochs = {loaded.id: self._ownership.epoch(loaded.id) for loaded in tables}
        timers = await self._store.timers_of(tuple(epochs))
        for loaded in tables:
            self._take_timers(loaded, epochs[loaded.id], timers.get(loaded.id, ()))

    async def take_over(self, tables: Collection[LoadedTable]) -> tuple[list[LoadedTable], list[LoadedTable]]:
        """Read the clocks of tables whose former worker has left them alone, with two questions for all.

        Return them, and behind them those where something has happened or is happening: they have to be read
        one by one, by :meth:`read_anew`.
        """
        before = {loaded.id: (loaded.snapshot, self._ownership.epoch(loaded.id)) for loaded in tables}
        heads = await self._store.heads(tuple(before))
        timers = await self._store.timers_of(tuple(before))  # behind the heads: no older than them
        resting, moving = [], []
        for loaded in tables:
            snapshot, epoch = before[loaded.id]
            still = loaded.snapshot is snapshot and not loaded.lock.locked()
            if still and heads.get(loaded.id) == snapshot.seq:
                self._take_timers(loaded, epoch, timers.get(loaded.id, ()))
                resting.append(loaded)
            else:
                moving.append(loaded)
        return resting, moving

    def _take_timers(self, loaded: LoadedTable, epoch: int | None, timers: tuple[Timer, ...]) -> None:
        """Take the clocks that were read in an epoch, and tell everybody if they were put off."""
        loaded.epoch = epoch
        if set(timers) != set(loaded.snapshot.timers):
            loaded.snapshot = with_timers(loaded.snapshot, timers)
            self._retimed(loaded)

    async def _unknown(self, loaded: LoadedTable, room: Room) -> dict[str, Any]:
        """Return the names of users the room names who were not known yet."""
        if room.seats is loaded.snapshot.room.seats and room.host == loaded.snapshot.room.host:
            return {}
        missing = tuple(user for user in users_in(room) if user not in loaded.people)
        return await self._names.people(missing) if missing else {}

    def _move_on(self, loaded: LoadedTable, row: LogRow, after: Snapshot, people: dict[str, Any]) -> None:
        """Take a committed row into memory, and call ``moved`` with it."""
        fresh = {user: person for user, person in people.items() if user not in loaded.people}
        if fresh:
            loaded.people = people
        loaded.snapshot = after
        loaded.touched = self._clock.now()
        loaded.remember(row)
        self._lines.debug(
            "committed", table=loaded.id, seq=row.seq, command_id=row.command_id, cause=row.cause
        )
        self._moved(loaded, row, fresh)


def _require_room_in_log(snapshot: Snapshot, request: Request, most: int) -> None:
    """Refuse what would make a log grow without end; a full table can only be ended.

    What follows at once is not counted: a table with room for a command but not for that would be stuck, and
    not full, so that nobody gave it up. Beans and moves set ahead are few, and so are those rows.
    """
    if snapshot.seq >= most and request.actor != SERVER and not isinstance(request.command, EndTable):
        raise Refusal(Problem.TABLE_OVER)


def _same(seq: int, digest: str, request: Request, acked: Acknowledge | None) -> int:
    """Answer a command that was done before; the same id with other content is refused."""
    if digest != request.digest:
        raise Refusal(Problem.COMMAND_ID_REUSED)
    if acked is not None:
        acked(seq)
    return seq

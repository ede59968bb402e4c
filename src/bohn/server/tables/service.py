"""The tables in play: one command after the other into a table's log, and from there to everybody.

The log is the truth. A command is decided against the copy in memory, appended at ``seq + 1``, and only then
acknowledged and shown; where another process was quicker, the missing rows are read and it is decided anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import structlog
from msgspec.structs import replace

from bohn.bots import PLAYERS
from bohn.rules.commands import AnyCommand
from bohn.rules.errors import IllegalCommand
from bohn.rules.state import Offer
from bohn.server.ambient import Ambient
from bohn.server.past.game import PastGame
from bohn.server.refusals import Problem, Refusal
from bohn.server.room.commands import (
    AnyRoomCommand,
    ChooseOptions,
    EndTable,
    Kick,
    PassHost,
    Pause,
    Rematch,
    RemoveBot,
    Resume,
    RoomCommand,
    SeatBot,
    Start,
)
from bohn.server.room.events import Kicked, RoomEvent
from bohn.server.room.state import Options, Room
from bohn.server.settings import Settings
from bohn.server.store.protocol import Append, Committed, Conflict, Repeated, Row, Store, StoreUnavailable
from bohn.server.tables.api import Names, Observer, Peek, Seats, Sink, Unobserved, Watcher
from bohn.server.tables.audience import Presence, users_in
from bohn.server.tables.beginning import Beginning
from bohn.server.tables.ended import Ended
from bohn.server.tables.gathering import offer_gathered_for
from bohn.server.tables.live import RECENT, Collecting, Live
from bohn.server.tables.opening import Opening, listing_of
from bohn.server.tables.plan import SERVER, Planned, Planner, Request
from bohn.server.tables.saving import kept
from bohn.server.tables.showing import Showing
from bohn.server.tables.stage import Stage, after_row
from bohn.server.tables.timing import Timing
from bohn.server.wire import frames
from bohn.server.wire.api import Legal
from bohn.views.preview import Preview

LOG = structlog.get_logger("bohn.tables")

RETRIES = 20
"""So often a command is decided anew because others were quicker; then it is refused as not saved."""

PATIENT = 3
"""After so many lost races one waits a moment before the next."""

LISTED_EVERY = 25
"""So many rows apart the lobby learns that a table moves."""

_HOST_COMMANDS = (ChooseOptions, SeatBot, RemoveBot, Kick, PassHost, Start, Pause, Resume, EndTable)


class TableService:
    """Every table of this process; it offers :class:`bohn.server.tables.api.Tables`."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        ambient: Ambient,
        names: Names,
        observer: Observer | None = None,
    ) -> None:
        """Serve what is in the store; :meth:`start` begins the clocks."""
        self.store = store
        self.settings = settings
        self.ambient = ambient
        self.names = names
        self.observer: Observer = observer or Unobserved()
        self.seats: Seats | None = None
        self.lives: dict[str, Live] = {}
        self.planner = Planner(frozenset(PLAYERS), settings.times)
        self.opening = Opening(self)
        self.showing = Showing(self)
        self.timing = Timing(self)
        self.ended = Ended(self)
        self._log = LOG.bind()  # the proxy would find its configuration anew for every line
        self._loading: dict[str, asyncio.Task[Live]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._lingering: set[asyncio.Task[Any]] = set()
        self.stopping = False

    # -- beginning and end -------------------------------------------------------------------------

    async def start(self, seats: Seats | None = None) -> None:
        """Begin: bots take their seats, clocks run. Time in which nobody served is credited."""
        self.seats = seats
        await self.timing.start()

    async def stop(self) -> None:
        """End: what is being written is finished, everybody is told, nothing runs any more."""
        self.stopping = True
        await self.timing.stop()
        if self.seats is not None:
            await self.seats.stop()
        waiting = [task for task in self._tasks if not task.done()]
        if waiting:
            await asyncio.wait(waiting, timeout=self.settings.times.stop / 1000)
        for live in tuple(self.lives.values()):
            self.showing.end(live)
        rest = (*self._tasks, *self._lingering, *self._loading.values())
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)
        self.lives.clear()

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run something that the end waits for; it is held, and its failure is logged."""
        return self._hold(work, self._tasks)

    def linger(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run something that waits for its time; the end cuts it off."""
        return self._hold(work, self._lingering)

    def _hold(self, work: Coroutine[Any, Any, Any], held: set[asyncio.Task[Any]]) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work)
        held.add(task)
        task.add_done_callback(held.discard)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        if task.cancelled():
            return
        error = task.exception()
        if error is not None and not isinstance(error, Refusal | IllegalCommand | StoreUnavailable):
            LOG.error("task-failed", kind=type(error).__name__, exc_info=error)

    # -- tables in memory ----------------------------------------------------------------------------

    async def live(self, table: str) -> Live:
        """Return a table, read from its log if it is not in memory. Raises :class:`Refusal`."""
        found = self.lives.get(table)
        if found is not None:
            found.touched = self.ambient.now()
            return found
        if self.stopping:
            raise Refusal(Problem.SERVER_STOPPING)
        task = self._loading.get(table)
        if task is None:
            task = asyncio.get_running_loop().create_task(self._load(table))
            self._loading[table] = task
            task.add_done_callback(lambda _: self._loading.pop(table, None))
        return await kept(asyncio.shield(task))

    async def _load(self, table: str) -> Live:
        rows = await self.store.rows(table)
        if not rows:
            raise Refusal(Problem.NO_SUCH_TABLE)
        stage: Stage | None = None
        for row in rows:
            stage = after_row(stage, row)
        assert stage is not None  # noqa: S101 - there is at least one row
        if not self.lives:
            await self.timing.beat()
        stage = replace(stage, timers=await self.store.timers(table))
        presence = Presence(self.ambient.now, self.settings.times.away)
        live = Live(stage, await self.store.deal(table), presence, self.ambient.now())
        live.people = await self.names.people(users_in(stage.room))
        for row in rows[-RECENT:]:
            live.remember(row)
        self.lives[table] = live
        self.observer.loaded(len(self.lives))
        self.timing.noticed(live)
        self._tell_bots(live, None)
        return live

    def drop(self, live: Live) -> None:
        """Let a table leave memory."""
        self.lives.pop(live.id, None)
        if self.seats is not None:
            self.seats.dropped(live.id)
        self.observer.loaded(len(self.lives))

    async def catch_up(self, live: Live) -> None:
        """Read and show what other processes have appended."""
        rows = await self.store.rows(live.id, live.stage.seq)
        timers = await self.store.timers(live.id) if rows else ()
        people = dict(live.people)
        for row in rows:
            if row.seq != live.stage.seq + 1:
                continue
            last = row is rows[-1]
            after = after_row(live.stage, row, timers if last else None)
            people.update(await self._unknown(live, after.room))
            if row.seq == live.stage.seq + 1:  # nothing came in between while names were read
                self._move_on(live, row, after, people)

    async def refresh_timers(self, live: Live) -> None:
        """Read the clocks of a table anew: they may have been put off."""
        async with live.lock:
            live.stage = replace(live.stage, timers=await self.store.timers(live.id))

    # -- commands ------------------------------------------------------------------------------------

    async def open_table(self, user: str, options: Options) -> str:
        """Open a table with this host and return its id; nobody sits yet."""
        return (await self.opening.open_table(user, options)).table

    async def open_once(self, user: str, options: Options, key: str | None, wish: str) -> tuple[str, bool]:
        """Open a table once for a key; return its id, and whether it was opened just now."""
        opened = await self.opening.open_table(user, options, key, wish)
        return opened.table, opened.fresh

    async def open_begun(
        self, user: str, beginning: Beginning, key: str | None, wish: str
    ) -> tuple[str, bool]:
        """Open a table whose game has begun before, once for a key; see :meth:`open_once`."""
        opened = await self.opening.open_begun(user, beginning, key, wish)
        return opened.table, opened.fresh

    async def execute(
        self,
        table: str,
        user: str,
        command_id: str,
        command: AnyCommand | AnyRoomCommand,
        acked: Callable[[int], None] | None = None,
    ) -> int:
        """Do a user's command, at most once by its id, and return its seq once it is on the disk."""
        if self.stopping:
            raise Refusal(Problem.SERVER_STOPPING)
        live = await self.live(table)
        await self.showing.admit(live, user)
        if isinstance(command, RoomCommand):
            if isinstance(command, Rematch):
                request = Request(user, command_id, "player", command, user=user)
                return int(
                    await asyncio.shield(self.spawn(self.opening.rematch(live, request, command, acked)))
                )
            cause: Any = "host" if isinstance(command, _HOST_COMMANDS) else "player"
            request = Request(user, command_id, cause, command, user=user)
        else:
            request = Request(user, command_id, "player", command, user=user)
        return await self._through(live, request, acked)

    async def execute_for_bot(self, table: str, seat: int, command_id: str, command: AnyCommand) -> int:
        """Do the command of the bot in a seat; refused if no bot plays there now."""
        live = await self.live(table)
        seats = live.stage.room.seats
        if not 0 <= seat < len(seats) or seats[seat].bot is None or command.player != seat:
            raise Refusal(Problem.NOT_YOUR_SEAT, seat=seat)
        return await self._through(live, Request(f"bot:{seat}", command_id, "bot", command))

    async def _through(self, live: Live, request: Request, acked: Callable[[int], None] | None = None) -> int:
        """Do a request, or gather it with others that accept the same offer.

        Whoever waits may be cancelled; what he has asked for is done all the same.
        """
        offer = offer_gathered_for(live, request)
        if offer is None:
            work = self.spawn(self.do(live, request, acked))
        else:
            work = self.spawn(self._collect(live, offer, request, acked))
        try:
            return int(await asyncio.shield(work))
        except (IllegalCommand, Refusal) as refusal:
            self.observer.refused(
                refusal.reason.value if isinstance(refusal, IllegalCommand) else refusal.problem.value
            )
            raise

    async def do(self, live: Live, request: Request, acked: Callable[[int], None] | None = None) -> int:
        """Decide, commit, acknowledge, show; one at a time for each table."""
        begun = self.ambient.now()
        async with live.lock:
            seq = await kept(self._decide_and_commit(live, request, acked))
        self.observer.committed(request.cause, type(request.command).__name__, self.ambient.now() - begun)
        return seq

    async def _decide_and_commit(
        self, live: Live, request: Request, acked: Callable[[int], None] | None
    ) -> int:
        for attempt in range(RETRIES):
            known = live.recall(request.actor, request.command_id)
            if known is not None:
                return _same(known[0], known[1], request, acked)
            try:
                self._require_room_in_log(live, request)
                planned = self.planner.plan(live.stage, request, self.ambient.now(), live.deal)
            except (Refusal, IllegalCommand):
                # it may have been done before and be impossible now: then it is told what came of it
                row = await self.store.find(live.id, request.actor, request.command_id)
                if row is None:
                    raise
                return _same(row.seq, row.digest, request, acked)
            people = await self._unknown(live, planned.after.room)
            outcome = await self.store.append(self._append(live.stage, planned))
            if isinstance(outcome, Committed):
                try:
                    if acked is not None:
                        acked(planned.row.seq)
                finally:  # whatever becomes of the sender, everybody is shown what is on the disk
                    self._move_on(live, planned.row, planned.after, {**live.people, **people})
                return planned.row.seq
            await self.catch_up(live)
            if attempt >= PATIENT:
                await self.ambient.sleep(self.ambient.token(1)[0] % (2 * attempt))
            if isinstance(outcome, Repeated):
                return _same(outcome.row.seq, outcome.row.digest, request, acked)
            assert isinstance(outcome, Conflict)  # noqa: S101 - the three outcomes
        raise Refusal(Problem.NOT_SAVED)

    def _require_room_in_log(self, live: Live, request: Request) -> None:
        """Refuse what would make a log grow without end; a full table can only be ended."""
        if live.stage.seq < self.settings.limits.log_rows or request.actor == SERVER:
            return
        if not isinstance(request.command, EndTable):
            raise Refusal(Problem.TABLE_OVER)

    def _append(self, before: Stage, planned: Planned) -> Append:
        after, row = planned.after, planned.row
        timers = None if after.timers is before.timers else after.timers
        moved = any(isinstance(event, RoomEvent) for event in row.events)
        users = {seat.user for seat in after.room.seats} - {seat.user for seat in before.room.seats}
        kicked = [event.seat for event in row.events if isinstance(event, Kicked)]
        revokes = {before.room.seats[seat].user for seat in kicked}
        return Append(
            row=row,
            timers=timers,
            listing=listing_of(after) if moved or row.seq % LISTED_EVERY == 0 else None,
            grants=tuple(sorted(user for user in users if user is not None)),
            revokes=tuple(sorted(user for user in revokes if user is not None)),
        )

    async def _unknown(self, live: Live, room: Room) -> dict[str, Any]:
        """Return the names of users the room names who were not known yet."""
        if room.seats is live.stage.room.seats and room.host == live.stage.room.host:
            return {}
        missing = tuple(user for user in users_in(room) if user not in live.people)
        return await self.names.people(missing) if missing else {}

    def _move_on(self, live: Live, row: Row, after: Stage, people: dict[str, Any]) -> None:
        """Take a committed row into memory, show it to everybody, and tell the bots and clocks."""
        fresh = {user: person for user, person in people.items() if user not in live.people}
        if fresh:
            live.people = people
        live.stage = after
        live.touched = self.ambient.now()
        live.remember(row)
        self._log.debug("committed", table=live.id, seq=row.seq, command_id=row.command_id, cause=row.cause)
        self.showing.show(live, row, after, fresh)
        self.timing.noticed(live)
        self._tell_bots(live, row)

    def _tell_bots(self, live: Live, row: Row | None) -> None:
        if self.seats is None:
            return
        try:
            self.seats.noticed(_peek(live), row)
        except Exception as error:  # a mistake about the bots must cost nobody his answer
            LOG.exception("mistake", kind=type(error).__name__, table=live.id)

    # -- acceptances that are gathered ---------------------------------------------------------------

    async def _collect(
        self, live: Live, offer: Offer, request: Request, acked: Callable[[int], None] | None
    ) -> int:
        """Wait with others for the same offer, then let one of them have it (DESIGN 5)."""
        gathering = live.collecting.get(offer.id)
        if gathering is None:
            gathering = live.collecting[offer.id] = Collecting()
            self.spawn(self._take_first(live, offer.id, gathering))
        turn: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        gathering.entries.append((request, turn))
        await turn
        return await self.do(live, request, acked)

    async def _take_first(self, live: Live, offer: int, gathering: Collecting) -> None:
        """After a moment, let those who accepted go on, one behind the other, in the order that is fair."""
        await self.ambient.sleep(self.settings.times.collect)
        live.collecting.pop(offer, None)
        for _, turn in gathering.in_order():
            if not turn.done():
                turn.set_result(0)  # each then waits for the table's lock, which is first come, first served

    # -- the rest of what is offered -------------------------------------------------------------------

    async def peek(self, table: str) -> Peek:
        """Return a table as it is, hidden cards and all. For the bots in the seats, never for a client."""
        return _peek(await self.live(table))

    async def check(self, table: str, user: str, command: AnyCommand) -> IllegalCommand | Refusal | None:
        """Return why a command would be refused now, or ``None``."""
        live = await self.live(table)
        await self.showing.admit(live, user)
        try:
            self.planner.plan(
                live.stage,
                Request(user, "check", "player", command, user=user),
                self.ambient.now(),
                live.deal,
            )
        except (IllegalCommand, Refusal) as refusal:
            return refusal
        return None

    async def preview(self, table: str, user: str, draft: frames.Draft) -> Preview:
        """Return what an own offer would mean."""
        return await self.showing.preview(await self.live(table), user, draft)

    async def legal(self, table: str, user: str) -> Legal:
        """Return what a user may do."""
        return await self.showing.legal(await self.live(table), user)

    async def welcome(self, table: str, user: str | None) -> frames.Welcome:
        """Return the whole table as a viewer may see it."""
        return await self.showing.welcome(await self.live(table), user)

    async def watch(self, table: str, user: str | None, sink: Sink, after: int | None) -> Watcher:
        """Send the sink a welcome (and the gap behind ``after``, if it is not too long), then every batch."""
        return await self.showing.watch(await self.live(table), user, sink, after)

    def unwatch(self, watcher: Watcher) -> None:
        """End a connection; a second call does nothing."""
        live = self.lives.get(watcher.table)
        if live is not None:
            self.showing.unwatch(live, watcher)

    async def enter(self, table: str, user: str | None) -> Room:
        """Return the room, or refuse: there is no such table for this user."""
        live = await self.live(table)
        await self.showing.admit(live, user)
        return live.stage.room

    async def record(self, table: str, user: str | None) -> bytes:
        """Return the record of a finished game; refuses unfinished ones (``not-finished``)."""
        return await self.ended.record(await self.live(table), user)

    async def game(self, table: str, user: str | None) -> PastGame:
        """Return a finished game; refuses unfinished ones (``not-finished``)."""
        return await self.ended.game(await self.live(table), user)

    def post(
        self,
        table: str,
        frame: frames.AnyServerFrame,
        *,
        unread_by: frozenset[str] = frozenset(),
        seat: int | None = None,
    ) -> None:
        """Send a frame that is no batch (chat, names) to all viewers but these users, or to one seat."""
        live = self.lives.get(table)
        if live is not None:
            self.showing.post(live, frame, unread_by, seat)

    def horizon(self, table: str, user: str | None) -> int | None:
        """Return up to when (ms since 1970) a user may see; ``None`` if he may see the present."""
        live = self.lives.get(table)
        return None if live is None else self.showing.horizon(live, user)

    def here(self, table: str) -> int:
        """Return how many seats' owners are connected."""
        live = self.lives.get(table)
        return 0 if live is None else len(live.presence.seats(live.stage.room))

    def sign_out(self, user: str) -> None:
        """Cut all connections of a user, and forget records that may hold his name."""
        self.ended.forget()
        for live in self.lives.values():
            self.showing.sign_out(live, user)


def _peek(live: Live) -> Peek:
    stage = live.stage
    return Peek(stage.seq, stage.room, stage.rules, stage.state)


def _same(seq: int, digest: str, request: Request, acked: Callable[[int], None] | None) -> int:
    """Answer a command that was done before; the same id with other content is refused."""
    if digest != request.digest:
        raise Refusal(Problem.COMMAND_ID_REUSED)
    if acked is not None:
        acked(seq)
    return seq

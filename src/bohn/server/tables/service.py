"""The service of the tables in play: it builds the parts, connects them, and offers them as one object.

It has more than 500 lines because all that others may ask of a table passes here, a few lines for each.
No part knows this module: each is given what it needs of the others. How a command passes through them
stands in :mod:`bohn.server.tables`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from contextlib import suppress

import structlog

from bohn.bots import PLAYERS
from bohn.notation.records import Cause
from bohn.protocol import frames
from bohn.protocol.api import Legal
from bohn.protocol.away import AwayInfo, MoveAhead, Terms
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import HOURS, Options, Room
from bohn.protocol.room_commands import (
    AnyRoomCommand,
    ChooseOptions,
    EndTable,
    Kick,
    PassHost,
    Pause,
    Rematch,
    RemoveBot,
    Resume,
    SeatBot,
    Sit,
    Start,
)
from bohn.rules.commands import AnyCommand, EndTrading
from bohn.rules.errors import IllegalCommand
from bohn.server.addresses import Addresses
from bohn.server.clock import TimeSource
from bohn.server.entropy import Entropy
from bohn.server.room.clocks import lasts_days
from bohn.server.settings import Limits, Settings
from bohn.server.store.formats import MOVES
from bohn.server.store.protocol import Listing, LogRow, Store
from bohn.server.store.shared import Present, SharedStore, bucket_of
from bohn.server.tables.api import Acknowledge, Names, Observer, Peek, Seats, Sink, Turn, Unobserved, Watcher
from bohn.server.tables.archive.finished import FinishedGames
from bohn.server.tables.away import Away
from bohn.server.tables.background import Background
from bohn.server.tables.clocks import Clocks
from bohn.server.tables.company import Company, NoOthers, Others, Told
from bohn.server.tables.gathering import Gathering, Gathers
from bohn.server.tables.heartbeat import Heartbeat
from bohn.server.tables.leases import Alone, Change, LeaseHeartbeat, Leases, Ownership
from bohn.server.tables.loaded import LoadedTable
from bohn.server.tables.loading import LoadedTables
from bohn.server.tables.lobby import Lobby
from bohn.server.tables.log import TableLog
from bohn.server.tables.midgame import MidgameTable
from bohn.server.tables.moves_ahead import due_at_once
from bohn.server.tables.notices import AnyNotice, AnyPost, Posted, Signed, SignedOut
from bohn.server.tables.past_game import PastGame
from bohn.server.tables.plan import Planner, Request
from bohn.server.tables.playing_times import TimesAtTables
from bohn.server.tables.refusing import or_refuse
from bohn.server.tables.signs import Signs
from bohn.server.tables.turns import Turns
from bohn.server.tables.upkeep import Upkeep
from bohn.server.tables.viewers import Viewers
from bohn.server.tables.waiting_acceptances import WaitingAcceptances
from bohn.views.preview import Preview

LOG = structlog.get_logger("bohn.tables")

MOST_OWN = 1_000
"""Tables of a user that are told of his playing times."""

_HOST_COMMANDS = (ChooseOptions, SeatBot, RemoveBot, Kick, PassHost, Start, Pause, Resume, EndTable)


class TableService:
    """Every table of this process; it offers :class:`bohn.server.tables.api.Tables`."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        clock: TimeSource,
        entropy: Entropy,
        names: Names,
        observer: Observer | None = None,
        *,
        bots: Collection[str] = PLAYERS,
        addresses: Addresses | None = None,
        shared: SharedStore | None = None,
    ) -> None:
        """Serve what is in the store; :meth:`start` begins the clocks. ``bots`` may be seated by a host.

        ``addresses`` knows from where users come; without it each user has an address of his own. ``shared``
        is the store again if other workers serve it too.
        """
        observer = observer or Unobserved()
        self._addresses = addresses or Addresses()
        self._settings = settings
        self._store = store
        self._observer = observer
        self._seats: Seats | None = None
        self.background = Background(clock)
        self.unread_by: Callable[[str], frozenset[str]] = _nobody
        self.heard: Callable[[AnyNotice], None] = _ignored
        self.finished: Callable[[str], object] = _unheard
        leases = None if shared is None else Leases(shared, clock.now)
        self._ownership: Ownership = Alone(store) if leases is None else leases
        planner = Planner(frozenset(bots), settings.times)
        gathering = Gathering(clock, settings.times.collect, self.background.spawn)
        gathers: Gathers = gathering
        if shared is not None and leases is not None:
            gathers = self._waiting = WaitingAcceptances(
                shared, leases, clock, settings.times, self.background, gathering,
                self._do_at, self._tell_gathered,
            )  # fmt: skip
        self._log = TableLog(
            store, settings, clock, entropy, names, observer, planner, self.background, self._ownership,
            gathers, self._show_everybody, self._wrote, self._show_clocks, self._credit_first, self._owing,
        )  # fmt: skip
        self.loaded = LoadedTables(
            clock.now,
            self.background,
            rows=store.rows,
            fold=self._log.fold,
            first=self.beat,
            credited=self._credited,
            came=self._came,
            left=self._forget,
        )
        self._signs = Signs(clock, settings.times, self.background, self._signs_changed)
        self._others: Others = NoOthers()
        self._company: Company | None = None
        self._leasing: LeaseHeartbeat | None = None
        if shared is not None and leases is not None:
            worker = entropy.token_bytes(8).hex()
            self._leasing = LeaseHeartbeat(shared, leases, clock, settings, worker, self._leases_changed)
            self._others = self._company = Company(
                shared, worker, leases, settings, clock.now, self.background, self.loaded,
                Told(
                    self._log.catch_up, self._log.read_timers, self._present, self._told, self.beat,
                    self._waiting.look, self._waiting.sweep,
                ),
            )  # fmt: skip
        self._clocks = Clocks(
            self._ownership, settings, clock, observer, self.background, self.loaded, self._log,
            self._leasing or Heartbeat(store, clock, entropy, settings), self._choose, self._signs.held_open,
            self._signs.nobody_left, lambda loaded: self._settle_times(loaded, None),
        )  # fmt: skip
        self._upkeep = Upkeep(
            store, settings, clock, self.background, self.loaded, self._log, self._ownership, observer
        )
        self._viewers = Viewers(
            store, settings, clock, self.background, names,
            sent=observer.sent, came_or_went=self._came_or_went, elsewhere=self._audience_changed,
        )  # fmt: skip
        self._lobby = Lobby(store, settings, clock, entropy, self.loaded, self._log, self._addresses)
        self._finished = FinishedGames(store.rows, names, self._viewers.audience_of)
        self._turns = Turns(
            self.loaded.get, self.loaded.find, self._read_on, store, clock.now, shared=shared is not None
        )
        self._away = Away(store, clock, entropy)
        self._times = TimesAtTables(store, clock, self._log)
        self._came_back = store.came_back
        self._now = clock.now

    # -- beginning and end -------------------------------------------------------------------------

    async def start(self, seats: Seats | None = None) -> None:
        """Begin: bots take their seats, clocks run. Time in which no server ran is credited."""
        self._seats = seats
        await self._clocks.start()
        self._upkeep.start()
        if self._company is not None:
            await self._company.start()

    async def beat(self) -> None:
        """Write that this process is alive; raises :class:`StoreUnavailable`."""
        await self._clocks.beat()

    async def leave(self) -> None:
        """Let other workers, if there are any, do at once what the server itself does; this one stops.

        A database that gives no answer is not waited for: clients are to be told before it is too late.
        """
        if self._leasing is None or self._company is None or self._leasing.left:
            return
        for loaded in self.loaded.all():
            if self._seats is not None:
                self._seats.dropped(loaded.id)
        leaving = self.background.spawn(self._company.leave(self._leasing.leave))
        await asyncio.wait({leaving}, timeout=self._settings.times.stop / 3000)

    async def stop(self) -> None:
        """End: what is being written is finished, everybody is told, nothing runs any more."""
        self.background.stopping = True
        await self.leave()
        await self.background.stop_repeating()
        if self._seats is not None:
            await self._seats.stop()
        await self.background.finish(self._settings.times.stop)
        for loaded in self.loaded.all():
            self._viewers.end(loaded)
        await self.background.cut_off()
        await self.loaded.close()

    # -- what the parts call in one another ----------------------------------------------------------

    def _show_everybody(self, loaded: LoadedTable, row: LogRow, people: dict[str, frames.Person]) -> None:
        """Show a committed row to everybody, and notify clocks and bots of it."""
        self._viewers.show(loaded, row, people)
        self._signs.noticed(loaded, row)
        self._notify(loaded, row)

    def _wrote(self, loaded: LoadedTable) -> None:
        """Let other workers know of a row that was committed here, and say of which game it was the end."""
        self._others.committed(loaded)
        room = loaded.snapshot.room
        if room.status == "finished" and room.rematch is None:
            self.finished(loaded.id)

    def _signs_changed(self, loaded: LoadedTable) -> None:
        """Tell everybody, and the bots, of the signs that people give now."""
        self._others.came_or_went(loaded)
        self._viewers.show_signs(loaded)
        self._tell_seats(loaded, lambda seats: seats.signs_changed(loaded.peek))
        self._clocks.end_call_early(loaded)

    def _show_clocks(self, loaded: LoadedTable) -> None:
        """Tell everybody at a table that its clocks were put off."""
        self._viewers.show_clocks(loaded)

    async def _credit_first(self) -> None:
        """Credit time in which nobody was served before anything is decided."""
        await self._clocks.credit_first()

    def _owing(self) -> bool:
        """Tell whether such time is not credited yet."""
        return self._clocks.owing

    def _credited(self) -> int:
        """Tell how often such time was credited."""
        return self._clocks.credits

    def _came(self, loaded: LoadedTable) -> None:
        """Note from where a table is that was loaded, and notify clocks and bots of it."""
        self._upkeep.came(loaded)
        if self._company is not None:
            self._viewers.expect(loaded)
            self._company.came(loaded)
        self._addresses.loaded(loaded.id, loaded.snapshot.room.host)
        self._notify(loaded)

    def _came_or_went(self, loaded: LoadedTable) -> None:
        """Let everybody whom it concerns know that somebody has begun or ceased to look here."""
        self._others.came_or_went(loaded)
        self._audience_changed(loaded)

    def _audience_changed(self, loaded: LoadedTable) -> None:
        """Notify the bots, who play alone only while somebody looks; an absent host may have an heir."""
        self._upkeep.host_left(loaded)
        self._tell_seats(loaded, lambda seats: seats.audience_changed(loaded.peek))

    def _notify(self, loaded: LoadedTable, row: LogRow | None = None) -> None:
        """Notify clocks and bots of a batch, or of a table that was loaded (``row`` is ``None``)."""
        if row is None:
            self._observer.loaded(len(self.loaded))
        self._upkeep.noticed(loaded)
        self._clocks.noticed(loaded)
        self._tell_seats(loaded, lambda seats: seats.noticed(loaded.peek, row))

    def _tell_seats(self, loaded: LoadedTable, told: Callable[[Seats], None]) -> None:
        """Notify the bots, if there are any, and their table is this worker's."""
        if self._seats is None or not self._ownership.serves(loaded.id):
            return
        try:
            told(self._seats)
        except Exception as error:  # an error in the bots must cost nobody the answer
            LOG.exception("mistake", kind=type(error).__name__, table=loaded.id)

    def _forget(self, loaded: LoadedTable) -> None:
        """Notify bots and metrics that a table has left memory; when it was looked at is remembered."""
        self._upkeep.left(loaded)
        self._addresses.left(loaded.id)
        if self._seats is not None:
            self._seats.dropped(loaded.id)
        self._observer.loaded(len(self.loaded))

    async def _choose(self, table: str, seat: int) -> AnyCommand | None:
        """Return the bots' choice for a seat whose clock has expired."""
        return None if self._seats is None else await self._seats.choose(await self.peek(table), seat)

    # -- other workers -------------------------------------------------------------------------------

    async def _do_at(self, table: str, request: Request) -> int:
        """Do at a table what has waited in the store."""
        return await self._log.do(await self.loaded.get(table), request)

    def _tell_gathered(self, table: str) -> None:
        """Let other workers look at the acceptances that wait at a table."""
        if self._company is not None:
            self._company.gathered(table)

    def _leases_changed(self, change: Change) -> None:
        """Let go of the tables that are another worker's now, and act at those that are this one's."""
        taken = []
        for loaded in self.loaded.all():
            bucket = bucket_of(loaded.id)
            if bucket in change.taken:
                taken.append(loaded)
            elif bucket in change.lost and self._seats is not None:
                self._seats.dropped(loaded.id)
        if taken:
            self.background.spawn(self._take_over(taken))
        if self._company is not None:
            self._company.took(change.taken)

    async def _take_over(self, tables: list[LoadedTable]) -> None:
        """Go on at tables with what their former workers have left."""
        resting, moving = await self._log.take_over(tables)
        for loaded in resting:
            self._notify(loaded)
        for loaded in moving:
            self.background.spawn(self._take_over_moving(loaded))

    async def _take_over_moving(self, loaded: LoadedTable) -> None:
        await self._log.read_anew(loaded)
        self._notify(loaded)

    async def _read_on(self, loaded: LoadedTable) -> None:
        """Read and show what other workers have appended."""
        async with loaded.lock:
            await self._log.catch_up(loaded)

    def _present(self, loaded: LoadedTable, present: tuple[Present, ...]) -> None:
        """Take in who is present by other workers, and what signs they gave before it was loaded here."""
        self._viewers.follow(loaded, present)
        self._signs.take_in(loaded, present)

    def _told(self, table: str, notice: AnyNotice) -> None:
        """Take in what another worker has told."""
        self.heard(notice)
        if isinstance(notice, SignedOut):
            self._sign_out(notice.user)
        loaded = self.loaded.find(table)
        if loaded is None:
            return
        if isinstance(notice, Signed):
            with suppress(Refusal):
                self._signs.give(loaded, notice.user, notice.sign, notice.turn)
        elif isinstance(notice, Posted):
            frame = notice.frame
            unread = self.unread_by(frame.user) if isinstance(frame, frames.Line) else frozenset[str]()
            self._viewers.post(loaded, frame, unread, notice.seat)

    def tell_others(self, notice: AnyNotice) -> None:
        """Tell all other workers something that concerns no table; they call ``heard`` with it."""
        self._others.tell("", notice)

    # -- commands ------------------------------------------------------------------------------------

    async def open_table(self, user: str, options: Options) -> str:
        """Open a table with this host and return its id; nobody sits yet."""
        table, _ = await self._lobby.open_table(user, options, None, "")
        return table

    async def open_once(self, user: str, options: Options, key: str | None, wish: str) -> tuple[str, bool]:
        """Open a table once for a key; return its id, and whether it was opened just now."""
        return await self._lobby.open_table(user, options, key, wish)

    async def open_midgame(
        self, user: str, midgame: MidgameTable, key: str | None, wish: str
    ) -> tuple[str, bool]:
        """Open a table whose game has begun before, once for a key; see :meth:`open_once`."""
        return await self._lobby.open_midgame(user, midgame, key, wish)

    async def execute(
        self,
        table: str,
        user: str,
        command_id: str,
        command: AnyCommand | AnyRoomCommand,
        acked: Acknowledge | None = None,
    ) -> int:
        """Do a user's command, at most once by its id, and return its seq once it is on the disk."""
        if self.background.stopping:
            raise Refusal(Problem.SERVER_STOPPING)
        loaded = await self.loaded.get(table)
        await self._viewers.admit(loaded, user)
        cause: Cause = "host" if isinstance(command, _HOST_COMMANDS) else "player"
        composed = loaded.snapshot.room.seat_of(user) in loaded.signs.composing
        blockers = frozenset[str]()
        if isinstance(command, Sit):
            blockers = await or_refuse(self._store.blockers_of(user))
        request = Request(user, command_id, cause, command, user=user, composed=composed, blockers=blockers)
        if lasts_days(loaded.snapshot.room) and (isinstance(command, Start) or cause == "player"):
            await self._settle_times(loaded, user)
        if isinstance(command, Rematch):
            opening = self.background.spawn(self._lobby.rematch(loaded, request, command, acked))
            return int(await asyncio.shield(opening))
        seq = await self._log.submit(loaded, request, acked)
        if isinstance(command, Sit):  # those who wait there see when he plays
            await self._settle_times(loaded, user)
        return seq

    async def execute_for_bot(self, table: str, seat: int, command_id: str, command: AnyCommand) -> int:
        """Do the command of the bot in a seat.

        Refused if no bot plays there now, or if it would end a trading in which somebody composes an offer.
        """
        loaded = await self.loaded.get(table)
        seats = loaded.snapshot.room.seats
        if not 0 <= seat < len(seats) or seats[seat].bot is None or command.player != seat:
            raise Refusal(Problem.NOT_YOUR_SEAT, seat=seat)
        if isinstance(command, EndTrading) and self._signs.held_open(loaded):
            raise Refusal(Problem.NOT_WAITED_FOR)  # somebody has begun to compose since the bot looked
        # nobody is called a last time who has said that he has traded enough
        final = isinstance(command, EndTrading) and self._signs.others_have_enough(loaded, seat)
        return await self._log.submit(loaded, Request(f"bot:{seat}", command_id, "bot", command, final=final))

    async def check(self, table: str, user: str, command: AnyCommand) -> IllegalCommand | Refusal | None:
        """Return why a command would be refused now, or ``None``."""
        loaded = await self.loaded.get(table)
        await self._viewers.admit(loaded, user)
        return self._log.check(loaded, Request(user, "check", "player", command, user=user))

    # -- being away ---------------------------------------------------------------------------------

    async def away(self, table: str, user: str) -> AwayInfo:
        """Return what a user has left with a table over days."""
        return await self._away.show(await self._entered(table, user), user)

    async def add_instruction(self, table: str, user: str, terms: Terms | MoveAhead) -> None:
        """Take an instruction of a user: a standing order, or a move that he sets ahead."""
        loaded = await self._entered(table, user)
        if isinstance(terms, Terms):
            await self._away.add(loaded, user, terms)
            return
        if not self._ownership.writes(MOVES):
            raise Refusal(Problem.NOT_SAVED)
        await self._away.add(loaded, user, terms)
        with suppress(IllegalCommand, Refusal):  # nothing is possible yet, or it is made with the next batch
            await self._log.do(loaded, due_at_once(user))

    async def drop_instruction(self, table: str, user: str, instruction: str) -> None:
        """Delete an instruction of a user; it is not done behind this."""
        await self._away.drop(await self._entered(table, user), user, instruction)

    async def times_changed(self, user: str) -> None:
        """Let the tables over days at which a user plays know his playing times."""
        for listing in await or_refuse(self._store.listings_of(user, MOST_OWN)):
            if listing.status in ("open", "playing") and listing.options.clock in HOURS:
                await self._settle_times(await self.loaded.get(listing.table), user)

    async def _settle_times(self, loaded: LoadedTable, user: str | None) -> None:
        """Let a table know the playing times of its people; somebody else may be quicker with it."""
        with suppress(Refusal):
            await self._times.settle(loaded, user)

    async def _entered(self, table: str, user: str) -> LoadedTable:
        loaded = await self.loaded.get(table)
        await self._viewers.admit(loaded, user)
        return loaded

    # -- looking -------------------------------------------------------------------------------------

    async def peek(self, table: str) -> Peek:
        """Return a table as it is, hidden cards and all. For the bots in the seats, never for a client."""
        return (await self.loaded.get(table)).peek

    async def preview(self, table: str, user: str, draft: frames.Draft) -> Preview:
        """Return what an own offer would mean."""
        return await self._viewers.preview(await self.loaded.get(table), user, draft)

    async def give_sign(
        self, table: str, user: str, sign: frames.Sign | None, turn: int | None = None
    ) -> frames.Sign | None:
        """Take a user's sign while beans are traded, in this turn if one is named; return what holds."""
        loaded = await self.loaded.get(table)
        await self._viewers.admit(loaded, user)
        holds = self._signs.give(loaded, user, sign, turn)
        self._others.came_or_went(loaded)  # even the same one holds longer now
        self._others.tell(table, Signed(user, sign, turn))
        return holds

    async def legal(self, table: str, user: str) -> Legal:
        """Return what a user may do."""
        return await self._viewers.legal(await self.loaded.get(table), user)

    async def welcome(self, table: str, user: str | None) -> frames.Welcome:
        """Return the whole table as a viewer may see it."""
        return await self._viewers.welcome(await self.loaded.get(table), user)

    async def watch(self, table: str, user: str | None, sink: Sink, after: int | None) -> Watcher:
        """Send the sink a welcome (and the gap behind ``after``, if it is not too long), then every batch."""
        loaded = await self.loaded.get(table)
        if after is not None and after > loaded.snapshot.seq:  # he has been shown more by another worker
            await self._read_on(loaded)
        watcher = await self._viewers.watch(loaded, user, sink, after)
        room = loaded.snapshot.room
        if user is not None and room.status == "playing" and room.seat_of(user) is not None:
            self.background.spawn(self._came_back(table, user, self._now()))
        return watcher

    async def turn_of(self, table: str, user: str) -> Turn | None:
        """Return the turn of a user at a table, if it is his now, as far as this worker can see."""
        return await self._turns.turn_of(table, user)

    def turn_lasts(self, table: str, user: str) -> bool:
        """Tell whether it is a user's turn at a table in this worker's memory, as it stands there."""
        return self._turns.lasts(table, user)

    def unwatch(self, watcher: Watcher) -> None:
        """End a connection; a second call does nothing."""
        loaded = self.loaded.find(watcher.table)
        if loaded is not None:
            self._viewers.unwatch(loaded, watcher)

    async def enter(self, table: str, user: str | None) -> Room:
        """Return the room, or refuse: there is no such table for this user."""
        loaded = await self.loaded.get(table)
        await self._viewers.admit(loaded, user)
        return loaded.snapshot.room

    def sent_away(self, table: str, user: str) -> bool:
        """Tell whether a user was kicked from a listed table, where he may only watch."""
        loaded = self.loaded.find(table)
        return loaded is not None and loaded.snapshot.sent_away(user)

    async def record(self, table: str, user: str | None) -> bytes:
        """Return the record of a finished game; refuses unfinished ones (``not-finished``)."""
        return await self._finished.record(await self.loaded.get(table), user)

    async def game(self, table: str, user: str | None) -> PastGame:
        """Return a finished game; refuses unfinished ones (``not-finished``)."""
        return await self._finished.game(await self.loaded.get(table), user)

    def post(
        self,
        table: str,
        frame: AnyPost,
        *,
        unread_by: frozenset[str] = frozenset(),
        seat: int | None = None,
    ) -> None:
        """Send a frame that is no batch (chat, names) to all viewers but these users, or to one seat."""
        self._others.tell(table, Posted(frame, seat))
        loaded = self.loaded.find(table)
        if loaded is not None:
            self._viewers.post(loaded, frame, unread_by, seat)

    def horizon(self, table: str, user: str | None) -> int | None:
        """Return up to when (ms since 1970) a user may see; ``None`` if he may see the present."""
        loaded = self.loaded.find(table)
        return None if loaded is None else self._viewers.horizon(loaded, user)

    async def here(self, listings: tuple[Listing, ...]) -> dict[str, int]:
        """Return how many seats' owners are connected to each of these tables, by whichever worker."""
        found = {one.id: len(one.presence.seats(one.snapshot.room)) for one in self.loaded.all()}
        missing = {one.table: one.users for one in listings if one.table not in found}
        if self._company is not None and missing:
            found |= await self._company.owners_at(missing)
        return {one.table: found.get(one.table, 0) for one in listings}

    async def close(self, table: str, word: str, deed: int) -> None:
        """Close a table with an operator's word to its players, if this worker serves it."""
        await self._upkeep.close(table, word, deed)

    def serves(self, key: str) -> bool:
        """Tell whether this worker does what the server itself does at a table, or about another key."""
        return self._ownership.serves(key)

    def in_memory(self, table: str) -> bool:
        """Tell whether a table is in this worker's memory."""
        return self.loaded.find(table) is not None

    def limit(self, limits: Limits) -> None:
        """Let other limits hold for tables that are opened from now on."""
        self._lobby.limits = limits

    def loaded_here(self) -> int:
        """Return how many tables are in this worker's memory."""
        return len(self.loaded)

    def sign_out(self, user: str) -> None:
        """Cut all connections of a user, and forget records that may hold his name."""
        self._others.tell("", SignedOut(user))
        self._sign_out(user)

    def _sign_out(self, user: str) -> None:
        self._finished.forget()
        for loaded in self.loaded.all():
            self._viewers.sign_out(loaded, user)


def _nobody(_user: str) -> frozenset[str]:
    return frozenset()


def _ignored(_notice: AnyNotice) -> None:
    return


def _unheard(_table: str) -> None:
    return

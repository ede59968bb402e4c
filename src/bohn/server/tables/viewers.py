"""What viewers are sent: a welcome, the batches they have missed, and then each batch as they may see it."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from bohn.protocol import frames
from bohn.protocol.api import Legal
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room_events import Kicked
from bohn.rules.commands import MakeOffer
from bohn.rules.decide import decide
from bohn.rules.state import TradePhase
from bohn.rules.trading import offer_from
from bohn.server.clock import TimeSource
from bohn.server.settings import Settings
from bohn.server.store.protocol import LogRow, Store, StoreUnavailable
from bohn.server.store.shared import Present
from bohn.server.tables.admission import admit, delayed, may_stay
from bohn.server.tables.api import CutReason, Names, Sink, Watcher
from bohn.server.tables.audience import Audience, TableWatcher
from bohn.server.tables.background import Background
from bohn.server.tables.delay import Delay
from bohn.server.tables.loaded import LoadedTable
from bohn.server.tables.snapshot import clocks_of
from bohn.server.tables.table_signs import NO_SIGNS
from bohn.server.tables.viewpoint import ENCODER, Viewpoint, history
from bohn.views.preview import Preview, consequences
from bohn.views.view import offer_view, view

ATTEMPTS = 8
"""Times a gap is read again because the table moved on meanwhile; then the view is fresh."""


class Viewers:
    """The viewers of all tables of this process.

    It reads the store and writes nothing. ``sent`` is called with the number of frames sent,
    ``came_or_went`` with each table where somebody has connected here or left, ``elsewhere`` with one where
    that has happened by another worker, or somebody counts as away now.
    """

    def __init__(
        self,
        store: Store,
        settings: Settings,
        clock: TimeSource,
        background: Background,
        names: Names,
        *,
        sent: Callable[[int], None],
        came_or_went: Callable[[LoadedTable], None],
        elsewhere: Callable[[LoadedTable], None],
    ) -> None:
        """Begin with nobody."""
        self._store = store
        self._settings = settings
        self._clock = clock
        self._background = background
        self._names = names
        self._sent = sent
        self._came_or_went = came_or_went
        self._elsewhere = elsewhere
        self._delay = Delay(clock, store.rows, background.spawn_until_shutdown, sent)

    # -- who may look, and from where ----------------------------------------------------------------

    async def admit(self, loaded: LoadedTable, user: str | None) -> None:
        """Refuse users who may not know that this table exists, and spectators where none are wanted."""
        await admit(loaded, user, self._store.granted)

    async def audience_of(self, loaded: LoadedTable, user: str | None) -> Audience:
        """Admit a user and return where he looks from: spectators of a delayed table see the past."""
        while True:
            await self.admit(loaded, user)
            if not delayed(loaded.snapshot.room, user):
                return loaded.live
            if loaded.delayed is not None:
                return loaded.delayed.audience
            await self._delay.open(loaded)

    def horizon(self, loaded: LoadedTable, user: str | None) -> int | None:
        """Return up to when (ms since 1970) a user may see; ``None`` if he may see the present."""
        return self._delay.horizon(loaded) if delayed(loaded.snapshot.room, user) else None

    # -- a batch ---------------------------------------------------------------------------------------

    def show(self, loaded: LoadedTable, row: LogRow, people: dict[str, frames.Person]) -> None:
        """Show the row a table has taken in to everybody; those whose seat it changed begin anew.

        ``people`` are those in it who were not known before.
        """
        before, after = loaded.live.snapshot.room, loaded.snapshot
        if before.status != after.room.status or before.options != after.room.options:
            for watcher in tuple(loaded.live.watchers):
                if not may_stay(loaded, after.room, watcher.user):
                    self._cut(loaded, watcher, "look-again")
        for event in row.events:
            if isinstance(event, Kicked):
                loaded.granted.discard(before.seats[event.seat].user or "")
        sent, moved = loaded.live.advance(row, after, people)
        self._delay.show(loaded, row)
        for watcher in moved:
            self._move(loaded, watcher)
        self._sent(sent)

    def show_clocks(self, loaded: LoadedTable) -> None:
        """Tell everybody that clocks were put off; the past that delayed spectators see has none."""
        snapshot = loaded.snapshot
        loaded.live.retime(snapshot)
        clocks = clocks_of(snapshot)
        loaded.live.post(frames.Clocks(self._clock.now(), clocks, snapshot.room.last_call), frozenset())

    def show_signs(self, loaded: LoadedTable) -> None:
        """Tell everybody who composes, and who has traded enough; they are no part of the past."""
        loaded.live.post(frames.Signs(*loaded.signs.shown), frozenset())

    def _move(self, loaded: LoadedTable, watcher: TableWatcher) -> None:
        """Give a viewer who has taken or left a seat another viewpoint, and a new welcome from there."""
        room = loaded.snapshot.room
        if not may_stay(loaded, room, watcher.user):
            self._cut(loaded, watcher, "seat-left")
            return
        loaded.live.remove(watcher)
        watcher.seat = room.seat_of(watcher.user)
        point = loaded.live.add(watcher)
        watcher.sink.push(ENCODER.encode(self._welcome(loaded, loaded.live, watcher.user, point, fresh=True)))
        self._tell_presence(loaded)

    def post(
        self, loaded: LoadedTable, frame: frames.AnyServerFrame, unread_by: frozenset[str], seat: int | None
    ) -> None:
        """Send a frame that is no batch to all but these users, or to one seat; delayed ones get it later."""
        if isinstance(frame, frames.People):
            loaded.people = {**loaded.people, **frame.people}
        loaded.live.post(frame, unread_by, seat)
        if seat is None:
            self._delay.post(loaded, frame, unread_by)

    # -- coming and going ------------------------------------------------------------------------------

    async def watch(
        self, loaded: LoadedTable, user: str | None, sink: Sink, after: int | None
    ) -> TableWatcher:
        """Begin a viewer's stream: welcome, missed batches, and from then on every batch."""
        name = await self._name(loaded, user)
        audience, gap = await self._arrive(loaded, user, after)
        seat = _seat(loaded, audience, user)
        watcher = TableWatcher(loaded.id, user, seat, sink, late=audience is not loaded.live, name=name)
        if self._background.stopping:
            sink.cut("server-stopping")
            return watcher
        point = audience.add(watcher)
        sink.push(ENCODER.encode(self._welcome(loaded, audience, user, point, fresh=gap is None)))
        for row in gap or ():
            sink.push(history(row, seat))
        if user is not None:
            loaded.presence.came(user)
        self._note(loaded)
        return watcher

    async def _name(self, loaded: LoadedTable, user: str | None) -> str:
        """Return the name of somebody who comes to watch; nothing for a stranger."""
        if user is None or user in loaded.people:
            return ""
        try:
            found = (await self._names.people((user,))).get(user)
        except StoreUnavailable:
            return ""
        return "" if found is None else found.name

    async def _arrive(
        self, loaded: LoadedTable, user: str | None, after: int | None
    ) -> tuple[Audience, tuple[LogRow, ...] | None]:
        """Return where a viewer looks from, and the rows he has missed, both true at the same moment."""
        for _ in range(ATTEMPTS):
            audience = await self.audience_of(loaded, user)
            gap = await self._gap(loaded, audience, user, after)
            if gap is None or after is None:
                break
            room, past = loaded.snapshot.room, loaded.delayed
            here = past.audience if past is not None and delayed(room, user) else loaded.live
            settled = after + len(gap) == audience.told_to(_seat(loaded, audience, user))
            if settled and here is audience and may_stay(loaded, room, user, late=here is not loaded.live):
                return audience, gap
        return await self.audience_of(loaded, user), None

    async def _gap(
        self, loaded: LoadedTable, audience: Audience, user: str | None, after: int | None
    ) -> tuple[LogRow, ...] | None:
        """Return the rows behind ``after`` that a viewer has been told of, or ``None`` for a fresh view."""
        missed = -1 if after is None else audience.told_to(_seat(loaded, audience, user)) - after
        if after is None or after < 0 or not 0 <= missed <= self._settings.limits.gap_rows:
            return None
        try:
            return await self._store.rows(loaded.id, after, missed) if missed else ()
        except StoreUnavailable:
            return None

    def unwatch(self, loaded: LoadedTable, watcher: Watcher) -> None:
        """End a viewer's stream."""
        assert isinstance(watcher, TableWatcher)  # noqa: S101 - only watch() makes them
        audience = next((one for one in loaded.audiences if watcher in one.watchers), None)
        if audience is None:
            return
        audience.remove(watcher)
        if watcher.user is not None:
            loaded.presence.went(watcher.user)
            if not loaded.presence.connected(watcher.user):
                self._background.spawn_until_shutdown(self._check_presence_later(loaded))
        self._note(loaded)

    def _note(self, loaded: LoadedTable) -> None:
        """Note that somebody has begun or ceased to look, and tell whom it concerns."""
        loaded.touched = loaded.seen = self._clock.now()
        self._tell_presence(loaded)
        self._came_or_went(loaded)

    def expect(self, loaded: LoadedTable) -> None:
        """Count who sits at a loaded table as present, for as long as if he had left when it was last in use.

        They may be on their way from another worker, which they have left and is not asked any more.
        """
        if loaded.snapshot.at + self._settings.times.away <= self._clock.now():
            return
        users = (seat.user for seat in loaded.snapshot.room.seats if seat.user is not None)
        loaded.presence.expect(users, loaded.snapshot.at)
        self._background.spawn_until_shutdown(self._check_presence_later(loaded))

    def follow(self, loaded: LoadedTable, present: tuple[Present, ...]) -> None:
        """Take in who is present by other workers, whatever signs they give, and tell if it has changed."""
        present = tuple(replace(one, sign="", until=0, turn=0) for one in present)
        if present:
            loaded.touched = loaded.seen = self._clock.now()
        if present == loaded.elsewhere:
            return
        loaded.elsewhere = present
        if loaded.presence.follow(frozenset(one.user for one in present if one.user)):
            self._background.spawn_until_shutdown(self._check_presence_later(loaded))
        self._tell_presence(loaded)
        self._elsewhere(loaded)

    async def _check_presence_later(self, loaded: LoadedTable) -> None:
        """Tell the viewers once somebody who left counts as away."""
        await self._clock.sleep(self._settings.times.away + 1)
        self._tell_presence(loaded)
        self._elsewhere(loaded)

    def _cut(self, loaded: LoadedTable, watcher: TableWatcher, reason: CutReason) -> None:
        self.unwatch(loaded, watcher)
        watcher.sink.cut(reason)

    def sign_out(self, loaded: LoadedTable, user: str) -> None:
        """Cut all streams of a user at a table."""
        for audience in loaded.audiences:
            for watcher in [one for one in audience.watchers if one.user == user]:
                self._cut(loaded, watcher, "signed-out")

    def end(self, loaded: LoadedTable) -> None:
        """Say goodbye to everybody: the server stops."""
        for audience in loaded.audiences:
            for watcher in tuple(audience.watchers):
                audience.remove(watcher)
                watcher.sink.cut("server-stopping")
        loaded.close_delayed()

    def _tell_presence(self, loaded: LoadedTable) -> None:
        """Tell everybody who is here, if that has changed."""
        shown = loaded.presence.seats(loaded.snapshot.room), _watching(loaded), _spectators(loaded)
        if shown != loaded.shown_present:
            loaded.shown_present = shown
            self.post(loaded, frames.Presence(*shown), frozenset(), None)

    # -- one view ---------------------------------------------------------------------------------------

    def _welcome(
        self, loaded: LoadedTable, audience: Audience, user: str | None, point: Viewpoint, *, fresh: bool
    ) -> frames.Welcome:
        snapshot = audience.snapshot
        composing, enough = loaded.signs.shown if audience is loaded.live else NO_SIGNS
        return frames.Welcome(
            protocol=frames.PROTOCOL,
            table=loaded.id,
            seq=audience.told_to(point.seat),
            now=self._clock.now(),
            user=user,
            seat=point.seat,
            room=snapshot.room,
            people=loaded.people,
            fresh=fresh,
            game=point.game,
            choices=point.choices,
            worth=point.worth,
            clocks=clocks_of(snapshot),
            present=loaded.presence.seats(loaded.snapshot.room),
            watching=_watching(loaded),
            composing=composing,
            enough=enough,
            spectators=_spectators(loaded),
        )

    async def welcome(self, loaded: LoadedTable, user: str | None) -> frames.Welcome:
        """Return the whole table as a viewer may see it."""
        audience = await self.audience_of(loaded, user)
        point = audience.glance(_seat(loaded, audience, user))
        return self._welcome(loaded, audience, user, point, fresh=True)

    async def legal(self, loaded: LoadedTable, user: str) -> Legal:
        """Return what a user may do; nothing without a seat in a game."""
        audience = await self.audience_of(loaded, user)
        seat = _seat(loaded, audience, user)
        return Legal(audience.told_to(seat), seat, audience.glance(seat).choices)

    async def preview(self, loaded: LoadedTable, user: str, draft: frames.Draft) -> Preview:
        """Return what an own offer would mean; what could not be offered is refused as the rules would."""
        await self.admit(loaded, user)
        snapshot = loaded.snapshot
        seat = snapshot.room.seat_of(user)
        if seat is None:
            raise Refusal(Problem.NOT_SEATED)
        if snapshot.state is None:
            raise Refusal(Problem.NOT_STARTED)
        revision = snapshot.state.players[seat].hand_revision
        made = MakeOffer(seat, draft.to, draft.hand, draft.face_up, draft.want, hand_revision=revision)
        if draft.face_up and not isinstance(snapshot.state.phase, TradePhase):
            decide(snapshot.rules, snapshot.state, made)  # refuses: nothing lies face up to be offered
        offer = offer_view(offer_from(snapshot.rules, snapshot.state, made, 0, 1))
        return consequences(snapshot.rules, view(snapshot.rules, snapshot.state, seat), offer)


def _seat(loaded: LoadedTable, audience: Audience, user: str | None) -> int | None:
    """Return the seat from which a user looks; who sees the past has none."""
    return loaded.snapshot.room.seat_of(user) if audience is loaded.live else None


def _watching(loaded: LoadedTable) -> int:
    """Return how many watch without a seat: a user counts once, in however many windows he looks."""
    looking = [one for audience in loaded.audiences for one in audience.watchers if one.seat is None]
    users = {one.user for one in looking if one.user is not None}
    users |= {one.user for one in _guests_elsewhere(loaded)}
    strangers = sum(one.count for one in loaded.elsewhere if not one.user)
    return len(users) + sum(one.user is None for one in looking) + strangers


def _guests_elsewhere(loaded: LoadedTable) -> list[Present]:
    """Return the users who watch without a seat by another worker."""
    room = loaded.snapshot.room
    return [one for one in loaded.elsewhere if one.user and room.seat_of(one.user) is None]


def _spectators(loaded: LoadedTable) -> tuple[str, ...]:
    """Return the names of those who watch without a seat, each user once, sorted."""
    names = {
        one.user: one.name if (known := loaded.people.get(one.user)) is None else known.name
        for one in _guests_elsewhere(loaded)
    } | {
        one.user: one.name if (known := loaded.people.get(one.user)) is None else known.name
        for audience in loaded.audiences
        for one in audience.watchers
        if one.seat is None and one.user is not None
    }
    return tuple(sorted(name for name in names.values() if name))

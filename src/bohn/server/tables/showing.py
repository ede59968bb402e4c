"""What leaves the tables: welcomes, batches, presence; and who may look at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bohn.rules.commands import MakeOffer
from bohn.rules.decide import decide
from bohn.rules.state import TradePhase
from bohn.rules.trading import offer_from
from bohn.server.refusals import Problem, Refusal
from bohn.server.room.clocks import view_of
from bohn.server.room.events import Kicked, Sat
from bohn.server.room.state import Room
from bohn.server.store.protocol import Row, StoreUnavailable
from bohn.server.tables.api import CutReason, Sink, Watcher
from bohn.server.tables.audience import Gallery, Watching
from bohn.server.tables.live import Live, Past, Said
from bohn.server.tables.saving import kept
from bohn.server.tables.stage import Stage, after_row
from bohn.server.tables.viewpoint import ENCODER, Viewpoint, history
from bohn.server.wire import frames
from bohn.server.wire.api import Legal
from bohn.views.preview import Preview, consequences
from bohn.views.view import offer_view, view

if TYPE_CHECKING:
    from bohn.server.tables.service import TableService

ATTEMPTS = 8
"""So often a gap is read again because the table moved on meanwhile; then the view is fresh."""


class Showing:
    """The viewers of all tables of this process."""

    def __init__(self, tables: TableService) -> None:
        """Show these tables."""
        self._tables = tables

    # -- who may look --------------------------------------------------------------------------------

    async def admit(self, live: Live, user: str | None) -> None:
        """Refuse who may not know that this table exists, and spectators where there are to be none."""
        if not live.stage.room.options.listed and not await self._invited(live, user):
            raise Refusal(Problem.NO_SUCH_TABLE)
        if not _spectators_wanted(live.stage.room, user):
            raise Refusal(Problem.NO_SPECTATORS)

    async def _invited(self, live: Live, user: str | None) -> bool:
        if user is None:
            return False
        if _known(live, user):
            return True
        seq = live.stage.seq
        granted = await kept(self._tables.store.granted(live.id, user))
        if granted and live.stage.seq == seq:  # else he may have been kicked meanwhile
            live.granted.add(user)
        return granted

    # -- now, and some time ago ----------------------------------------------------------------------

    async def gallery_of(self, live: Live, user: str | None) -> Gallery:
        """Admit a user and return where he looks from: spectators of a delayed table see the past."""
        while True:
            await self.admit(live, user)
            if not _delayed(live.stage.room, user):
                return live.now
            if live.past is not None:
                return live.past.gallery
            await self._open_past(live)

    async def _open_past(self, live: Live) -> None:
        """Fold the log up to where the delay has passed; what is younger waits its time."""
        rows: tuple[Row, ...] = ()
        while len(rows) < live.stage.seq:  # a batch may be committed while the log is read
            rows += await kept(self._tables.store.rows(live.id, len(rows)))
        if live.past is not None:
            return
        rows = rows[: live.stage.seq]  # another process may be ahead: its rows come by catching up
        horizon = self._tables.ambient.now() - live.stage.room.options.delay * 1000
        old = max(1, next((place for place, row in enumerate(rows) if row.at > horizon), len(rows)))
        stage: Stage | None = None
        for row in rows[:old]:
            stage = after_row(stage, row)
        assert stage is not None  # noqa: S101 - the first row is always folded
        live.past = Past(stage, rows[old:])
        self._wake_past(live)

    def _wake_past(self, live: Live) -> None:
        past = live.past
        if past is not None and past.waiting and (past.task is None or past.task.done()):
            past.task = self._tables.linger(self._play_past(live, past))

    async def _play_past(self, live: Live, past: Past) -> None:
        """Show the spectators what waits, each when its time has come."""
        tables = self._tables
        while past.waiting:
            wait = past.waiting[0].at + live.stage.room.options.delay * 1000 - tables.ambient.now()
            if wait > 0:
                await tables.ambient.sleep(wait)
                continue
            oldest = past.waiting.popleft()
            if isinstance(oldest, Said):
                past.gallery.post(oldest.line, oldest.unread_by)
                continue
            seated = any(isinstance(event, Sat) for event in oldest.events)
            sent, _ = past.gallery.advance(oldest, past.next_stage(oldest), live.people if seated else {})
            tables.observer.sent(sent)

    def horizon(self, live: Live, user: str | None) -> int | None:
        """Return up to when (ms since 1970) a user may see; ``None`` if he may see the present."""
        room = live.stage.room
        return self._tables.ambient.now() - room.options.delay * 1000 if _delayed(room, user) else None

    # -- a batch ---------------------------------------------------------------------------------------

    def show(self, live: Live, row: Row, after: Stage, people: dict[str, frames.Person]) -> None:
        """Show a committed row to everybody; those whose seat it changed begin anew."""
        before = live.now.stage.room
        if before.status != after.room.status or before.options != after.room.options:
            self._show_out(live, after.room)
        for event in row.events:
            if isinstance(event, Kicked):
                live.granted.discard(before.seats[event.seat].user or "")
        sent, moved = live.now.advance(row, after, people)
        if live.past is not None:
            live.past.waiting.append(row)
            self._wake_past(live)
        for watching in moved:
            self._move(live, watching)
        self._tables.observer.sent(sent)

    def _show_out(self, live: Live, room: Room) -> None:
        """Let those go who may not see what comes now; they may come back as what they are."""
        for watching in tuple(live.now.watching):
            if not _may_stay(live, room, watching.user):
                self._cut(live, watching, "look-again")

    def _move(self, live: Live, watching: Watching) -> None:
        """Give a viewer who has taken or left a seat another viewpoint, and all that is seen from there."""
        room = live.stage.room
        if not _may_stay(live, room, watching.user):
            self._cut(live, watching, "seat-left")
            return
        live.now.remove(watching)
        watching.seat = room.seat_of(watching.user)
        point = live.now.add(watching)
        watching.sink.push(ENCODER.encode(self._welcome(live, live.now, watching.user, point, fresh=True)))
        self._presence(live)

    # -- looking -----------------------------------------------------------------------------------------

    async def watch(self, live: Live, user: str | None, sink: Sink, after: int | None) -> Watching:
        """Begin a viewer's stream: welcome, gap, and from then on every batch."""
        gallery, gap = await self._arrive(live, user, after)
        late = gallery is not live.now
        seat = None if late else live.stage.room.seat_of(user)
        watching = Watching(live.id, user, seat, sink, late=late)
        if self._tables.stopping:
            sink.cut("server-stopping")
            return watching
        point = gallery.add(watching)
        sink.push(ENCODER.encode(self._welcome(live, gallery, user, point, fresh=gap is None)))
        for row in gap or ():
            sink.push(history(row, seat))
        if user is not None:
            live.presence.came(user)
        live.touched = self._tables.ambient.now()
        self._presence(live)
        self._tables.timing.host_left(live)
        return watching

    async def _arrive(
        self, live: Live, user: str | None, after: int | None
    ) -> tuple[Gallery, tuple[Row, ...] | None]:
        """Return where a viewer looks from, and the rows he has missed, both true at the same moment."""
        for _ in range(ATTEMPTS):
            gallery = await self.gallery_of(live, user)
            gap = await self._gap(live, gallery, after)
            if gap is None or after is None:
                break
            here = (
                live.past.gallery if live.past is not None and _delayed(live.stage.room, user) else live.now
            )
            settled = after + len(gap) == gallery.stage.seq
            if (
                settled
                and here is gallery
                and _may_stay(live, live.stage.room, user, late=here is not live.now)
            ):
                return gallery, gap
        return await self.gallery_of(live, user), None

    async def _gap(self, live: Live, gallery: Gallery, after: int | None) -> tuple[Row, ...] | None:
        """Return the rows behind ``after``, or ``None`` for a fresh view."""
        missed = -1 if after is None else gallery.stage.seq - after
        if after is None or after < 0 or not 0 <= missed <= self._tables.settings.limits.gap_rows:
            return None
        try:
            return await self._tables.store.rows(live.id, after, missed) if missed else ()
        except StoreUnavailable:
            return None

    def unwatch(self, live: Live, watcher: Watcher) -> None:
        """End a viewer's stream."""
        assert isinstance(watcher, Watching)  # noqa: S101 - only watch() makes them
        for gallery in self._galleries(live):
            if watcher in gallery.watching:
                gallery.remove(watcher)
                break
        else:
            return
        if live.past is not None and not live.past.gallery.watching:
            self.close_past(live)
        if watcher.user is not None:
            live.presence.went(watcher.user)
            if not live.presence.connected(watcher.user):
                self._tables.linger(self._gone_later(live))
        live.touched = self._tables.ambient.now()
        self._presence(live)

    async def _gone_later(self, live: Live) -> None:
        """Look again when somebody who left counts as away."""
        await self._tables.ambient.sleep(self._tables.settings.times.away + 1)
        self._presence(live)
        self._tables.timing.host_left(live)

    def _galleries(self, live: Live) -> tuple[Gallery, ...]:
        return (live.now,) if live.past is None else (live.now, live.past.gallery)

    def _cut(self, live: Live, watching: Watching, reason: CutReason) -> None:
        self.unwatch(live, watching)
        watching.sink.cut(reason)

    # -- what is said ------------------------------------------------------------------------------------

    def _welcome(
        self, live: Live, gallery: Gallery, user: str | None, point: Viewpoint, *, fresh: bool
    ) -> frames.Welcome:
        stage = gallery.stage
        return frames.Welcome(
            protocol=frames.PROTOCOL,
            table=live.id,
            seq=stage.seq,
            now=self._tables.ambient.now(),
            user=user,
            seat=point.seat,
            room=stage.room,
            people=live.people,
            fresh=fresh,
            game=point.game,
            choices=point.choices,
            worth=point.worth,
            clocks=view_of(stage.timers),
            present=live.presence.seats(live.stage.room),
            watching=self._watching(live),
        )

    async def welcome(self, live: Live, user: str | None) -> frames.Welcome:
        """Return the whole table as a viewer may see it."""
        gallery = await self.gallery_of(live, user)
        seat = live.stage.room.seat_of(user) if gallery is live.now else None
        return self._welcome(live, gallery, user, gallery.glance(seat), fresh=True)

    async def legal(self, live: Live, user: str) -> Legal:
        """Return what a user may do; nothing without a seat in a game."""
        gallery = await self.gallery_of(live, user)
        seat = live.stage.room.seat_of(user) if gallery is live.now else None
        return Legal(gallery.stage.seq, seat, gallery.glance(seat).choices)

    async def preview(self, live: Live, user: str, draft: frames.Draft) -> Preview:
        """Return what an own offer would mean; what could not be offered is refused as the rules would."""
        await self.admit(live, user)
        stage = live.stage
        seat = stage.room.seat_of(user)
        if seat is None:
            raise Refusal(Problem.NOT_SEATED)
        if stage.state is None:
            raise Refusal(Problem.NOT_STARTED)
        revision = stage.state.players[seat].hand_revision
        made = MakeOffer(seat, draft.to, draft.hand, draft.face_up, draft.want, hand_revision=revision)
        if draft.face_up and not isinstance(stage.state.phase, TradePhase):
            decide(stage.rules, stage.state, made)  # refuses: nothing lies face up to be offered
        offer = offer_view(offer_from(stage.rules, stage.state, made, 0, 1))
        return consequences(stage.rules, view(stage.rules, stage.state, seat), offer)

    def _watching(self, live: Live) -> int:
        return sum(w.seat is None for gallery in self._galleries(live) for w in gallery.watching)

    def _presence(self, live: Live) -> None:
        """Tell everybody who is here, if that has changed."""
        shown = live.presence.seats(live.stage.room), self._watching(live)
        if shown != live.shown_present:
            live.shown_present = shown
            self.post(live, frames.Presence(*shown), frozenset())

    def post(
        self, live: Live, frame: frames.AnyServerFrame, unread_by: frozenset[str], seat: int | None = None
    ) -> None:
        """Send everybody but these users, or one seat, a frame that is no batch; the past hears it later."""
        if isinstance(frame, frames.People):
            live.people = {**live.people, **frame.people}
        live.now.post(frame, unread_by, seat)
        past = live.past
        if past is None or seat is not None:
            return
        if isinstance(frame, frames.Line | frames.Remark):
            past.waiting.append(Said(frame.at, frame, unread_by))
            self._wake_past(live)
            return
        if isinstance(frame, frames.LineDeleted):
            past.forget(frame.line)
        past.gallery.post(frame, unread_by)

    # -- the end -----------------------------------------------------------------------------------------

    def sign_out(self, live: Live, user: str) -> None:
        """Cut all streams of a user at a table."""
        for gallery in self._galleries(live):
            for watching in [w for w in gallery.watching if w.user == user]:
                self._cut(live, watching, "signed-out")

    def end(self, live: Live) -> None:
        """Say goodbye to everybody: the server stops."""
        for gallery in self._galleries(live):
            for watching in tuple(gallery.watching):
                gallery.remove(watching)
                watching.sink.cut("server-stopping")
        self.close_past(live)

    def close_past(self, live: Live) -> None:
        """Stop showing the past, when nobody looks or the table leaves memory."""
        if live.past is not None and live.past.task is not None:
            live.past.task.cancel()
        live.past = None


def _delayed(room: Room, user: str | None) -> bool:
    """Whether somebody sees the past: whoever has no seat, once the game of a delayed table has begun."""
    return room.options.delay > 0 and room.status != "open" and room.seat_of(user) is None


def _spectators_wanted(room: Room, user: str | None) -> bool:
    """Whether somebody may look, or need not ask: he has a seat, or is host."""
    if room.options.spectators or room.status != "playing":
        return True
    return room.seat_of(user) is not None or (user is not None and user == room.host)


def _known(live: Live, user: str | None) -> bool:
    return user in live.granted or live.stage.room.seat_of(user) is not None


def _may_stay(live: Live, room: Room, user: str | None, *, late: bool = False) -> bool:
    """Whether a viewer may go on looking from where he is, as far as is known in memory."""
    if not room.options.listed and not (user in live.granted or room.seat_of(user) is not None):
        return False
    return _spectators_wanted(room, user) and (late or not _delayed(room, user))

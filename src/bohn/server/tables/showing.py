"""What leaves the tables: welcomes, batches, presence; and who may look at all."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from bohn.rules.state import Copies, TradePhase
from bohn.server.refusals import Problem, Refusal
from bohn.server.room.state import Room
from bohn.server.store.protocol import Row, StoreUnavailable
from bohn.server.tables.api import CutReason, Sink, Watcher
from bohn.server.tables.audience import Gallery, Watching
from bohn.server.tables.live import Live, Past
from bohn.server.tables.stage import Stage, after_row
from bohn.server.tables.viewpoint import ENCODER, Viewpoint, history
from bohn.server.wire import frames
from bohn.server.wire.api import Legal
from bohn.views.preview import Preview, consequences
from bohn.views.view import OfferView, view

if TYPE_CHECKING:
    from bohn.server.tables.service import TableService


class Showing:
    """The viewers of all tables of this process."""

    def __init__(self, tables: TableService) -> None:
        """Show these tables."""
        self._tables = tables

    # -- who may look --------------------------------------------------------------------------------

    async def admit(self, live: Live, user: str | None) -> None:
        """Refuse who may not know that this table exists, and spectators where there are to be none."""
        room = live.stage.room
        if not room.options.listed and not await self._invited(live, user):
            raise Refusal(Problem.NO_SUCH_TABLE)
        if not room.options.spectators and room.status == "playing" and room.seat_of(user) is None:
            raise Refusal(Problem.NO_SPECTATORS)

    async def _invited(self, live: Live, user: str | None) -> bool:
        if user is None:
            return False
        if live.stage.room.seat_of(user) is not None or user in live.granted:
            return True
        try:
            granted = await self._tables.store.granted(live.id, user)
        except StoreUnavailable as error:
            raise Refusal(Problem.NOT_SAVED) from error
        if granted:
            live.granted.add(user)
        return granted

    # -- now, and some time ago ----------------------------------------------------------------------

    def _delayed(self, room: Room, user: str | None) -> bool:
        return room.options.delay > 0 and room.status != "open" and room.seat_of(user) is None

    def gallery_for(self, live: Live, user: str | None) -> Gallery:
        """Return where this user looks from: spectators of a delayed table see the past.

        The past must have been prepared by :meth:`_prepare`.
        """
        if live.past is not None and self._delayed(live.stage.room, user):
            return live.past.gallery
        return live.now

    async def _prepare(self, live: Live, user: str | None) -> Gallery:
        if self._delayed(live.stage.room, user) and live.past is None:
            await self._open_past(live)
        return self.gallery_for(live, user)

    async def _open_past(self, live: Live) -> None:
        """Fold the log up to where the delay has passed; what is younger waits its time."""
        try:
            rows = await self._tables.store.rows(live.id)
        except StoreUnavailable as error:
            raise Refusal(Problem.NOT_SAVED) from error
        if live.past is not None or not rows:
            return
        horizon = self._tables.ambient.now() - live.stage.room.options.delay * 1000
        stage: Stage | None = None
        waiting: deque[Row] = deque()
        for row in rows:
            if stage is None or (row.at <= horizon and not waiting):
                stage = after_row(stage, row)
            elif row.seq <= live.stage.seq:
                waiting.append(row)
        assert stage is not None  # noqa: S101 - the first row is always folded
        live.past = Past(stage, waiting)
        live.past.task = self._tables.linger(self._play_past(live, live.past))

    async def _play_past(self, live: Live, past: Past) -> None:
        """Show the spectators each row when its time has come, as long as the table is in memory."""
        tables = self._tables
        while True:
            delay = live.stage.room.options.delay * 1000
            if not past.waiting:
                await tables.ambient.sleep(tables.settings.times.poll)
                continue
            wait = past.waiting[0].at + delay - tables.ambient.now()
            if wait > 0:
                await tables.ambient.sleep(min(wait, 1000))
                continue
            row = past.waiting.popleft()
            sent, _ = past.gallery.advance(row, past.next_stage(row), live.people)
            tables.observer.sent(sent)

    # -- a batch ---------------------------------------------------------------------------------------

    def show(self, live: Live, row: Row, after: Stage, people: dict[str, frames.Person]) -> None:
        """Show a committed row to everybody; those whose seat it changed begin anew."""
        sent, moved = live.now.advance(row, after, people)
        if live.past is not None:
            live.past.waiting.append(row)
        for watching in moved:
            self._move(live, watching)
        if after.room.options.delay and not live.past and after.room.status == "playing":
            for watching in [w for w in live.now.watching if self._delayed(after.room, w.user)]:
                self._cut(live, watching, "look-again")  # into the past
        self._tables.observer.sent(sent)

    def _move(self, live: Live, watching: Watching) -> None:
        """Give a viewer who has taken or left a seat another viewpoint, and all that is seen from there."""
        room = live.stage.room
        live.now.remove(watching)
        watching.seat = room.seat_of(watching.user)
        if watching.seat is None and not _may_watch(room):
            watching.sink.cut("seat-left")
            return
        point = live.now.add(watching)
        watching.sink.push(ENCODER.encode(self._welcome(live, live.now, watching.user, point, fresh=True)))
        self._presence(live)

    # -- looking -----------------------------------------------------------------------------------------

    async def watch(self, live: Live, user: str | None, sink: Sink, after: int | None) -> Watching:
        """Begin a viewer's stream: welcome, gap, and from then on every batch."""
        await self.admit(live, user)
        gallery = await self._prepare(live, user)
        gap = await self._gap(live, gallery, after)
        gallery = self.gallery_for(live, user)
        seat = None if gallery is not live.now else live.stage.room.seat_of(user)
        watching = Watching(live.id, user, seat, sink, late=gallery is not live.now)
        point = gallery.add(watching)
        sink.push(ENCODER.encode(self._welcome(live, gallery, user, point, fresh=gap is None)))
        for row in gap or ():
            sink.push(history(row, seat, gallery.stage))
        if user is not None:
            live.presence.came(user)
        live.touched = self._tables.ambient.now()
        self._presence(live)
        self._tables.timing.host_left(live)
        return watching

    async def _gap(self, live: Live, gallery: Gallery, after: int | None) -> tuple[Row, ...] | None:
        """Return the rows behind ``after``, or ``None`` for a fresh view."""
        if after is None or after < 0 or gallery.stage.seq - after > self._tables.settings.limits.gap_rows:
            return None
        for _ in range(8):
            seq = gallery.stage.seq
            if after > seq:
                return None
            if after == seq:
                return ()
            try:
                rows = await self._tables.store.rows(live.id, after, seq - after)
            except StoreUnavailable:
                return None
            if gallery.stage.seq == seq and len(rows) == seq - after:
                return rows
        return None  # a very busy table: a fresh view is as good

    def unwatch(self, live: Live, watcher: Watcher) -> None:
        """End a viewer's stream."""
        assert isinstance(watcher, Watching)  # noqa: S101 - only watch() makes them
        for gallery in self._galleries(live):
            if watcher in gallery.watching:
                gallery.remove(watcher)
                break
        else:
            return
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
            clocks=point.clocks,
            present=live.presence.seats(live.stage.room),
            watching=self._watching(live),
        )

    async def welcome(self, live: Live, user: str | None) -> frames.Welcome:
        """Return the whole table as a viewer may see it."""
        await self.admit(live, user)
        gallery = await self._prepare(live, user)
        seat = None if gallery is not live.now else live.stage.room.seat_of(user)
        return self._welcome(live, gallery, user, Viewpoint(seat, gallery.stage), fresh=True)

    async def legal(self, live: Live, user: str) -> Legal:
        """Return what a user may do; nothing without a seat in a game."""
        await self.admit(live, user)
        gallery = await self._prepare(live, user)
        seat = None if gallery is not live.now else live.stage.room.seat_of(user)
        return Legal(gallery.stage.seq, seat, Viewpoint(seat, gallery.stage).choices)

    async def preview(self, live: Live, user: str, draft: frames.Draft) -> Preview:
        """Return what an own offer would mean; places that are not there are refused as the rules would."""
        await self.admit(live, user)
        stage = live.stage
        seat = stage.room.seat_of(user)
        if seat is None:
            raise Refusal(Problem.NOT_SEATED)
        if stage.state is None:
            raise Refusal(Problem.NOT_STARTED)
        seen = view(stage.rules, stage.state, seat)
        phase = stage.state.phase
        lying = phase.face_up if isinstance(phase, TradePhase) else ()
        own = seen.own.hand if seen.own is not None else ()
        _require_there(draft.hand, own)
        _require_there(draft.face_up, lying)
        kinds = tuple(sorted(copy.bean for copy in draft.hand))
        want = tuple(sorted(draft.want))
        offer = OfferView(0, 1, seat, draft.to, kinds, draft.face_up, want, open=False)
        return consequences(stage.rules, seen, offer)

    def _watching(self, live: Live) -> int:
        return sum(
            watching.user is None or live.stage.room.seat_of(watching.user) is None
            for gallery in self._galleries(live)
            for watching in gallery.watching
        )

    def _presence(self, live: Live) -> None:
        """Tell everybody who is here, if that has changed."""
        shown = live.presence.seats(live.stage.room), self._watching(live)
        if shown != live.shown_present:
            live.shown_present = shown
            self.post(live, frames.Presence(*shown), frozenset())

    def post(self, live: Live, frame: frames.AnyServerFrame, unread_by: frozenset[str]) -> None:
        """Send everybody but these users a frame that is no batch."""
        if isinstance(frame, frames.People):
            live.people = {**live.people, **frame.people}
        for gallery in self._galleries(live):
            gallery.post(frame, unread_by)

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


def _may_watch(room: Room) -> bool:
    """Whether somebody without a seat may go on looking from where he is."""
    return not (room.status == "playing" and (not room.options.spectators or room.options.delay > 0))


def _require_there(copies: Copies, cards: tuple[object, ...]) -> None:
    for copy in copies:
        if not 0 <= copy.place < len(cards) or cards[copy.place] != copy.bean:
            raise Refusal(Problem.NOT_UNDERSTOOD, path="place", expected=len(cards))

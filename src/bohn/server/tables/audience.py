"""The audience of a table: its viewers' sockets and streams, grouped by what they see; and who is present."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable

from msgspec import Struct

from bohn.protocol import frames
from bohn.protocol.room import Room
from bohn.server.store.protocol import LogRow
from bohn.server.tables.api import Sink
from bohn.server.tables.snapshot import Snapshot, after_row
from bohn.server.tables.viewpoint import ENCODER, ViewDiff, Viewpoint, bare_batch, public_view
from bohn.views.view import View


class TableWatcher:
    """One viewer's connection to one table."""

    __slots__ = ("late", "name", "seat", "sink", "table", "user")

    def __init__(
        self, table: str, user: str | None, seat: int | None, sink: Sink, *, late: bool, name: str = ""
    ) -> None:
        """Note who looks, from which seat, and where his frames go; ``late`` viewers see the past.

        ``name`` is that of a spectator as he came; of whoever sits at the table it is known otherwise.
        """
        self.name = name
        self.table = table
        self.user = user
        self.seat = seat
        self.sink = sink
        self.late = late


class Audience:
    """The viewers of one snapshot of a table: all of it, or, for spectators of a delayed table, its past.

    The moment of a row that a viewer may not see would tell him of it, and often who it was. Its number is
    therefore held back until there is something for him to see (:meth:`told_to` is how far he is).
    """

    def __init__(self, snapshot: Snapshot) -> None:
        """Begin without viewers."""
        self.snapshot = snapshot
        self._shown = snapshot  # as everybody was shown it: a row that some see changes nothing for others
        self._public: View | None = None
        self.watchers: set[TableWatcher] = set()
        self._points: dict[int | None, Viewpoint] = {}

    def told_to(self, seat: int | None) -> int:
        """Return the last row that viewers from a seat, or spectators, have been told of."""
        return self.snapshot.told_to(seat)

    def add(self, watcher: TableWatcher) -> Viewpoint:
        """Add a viewer; return the viewpoint of its seat."""
        self.watchers.add(watcher)
        return self.point(watcher.seat)

    def point(self, seat: int | None) -> Viewpoint:
        """Return the viewpoint of a seat, or of the spectators (``None``)."""
        point = self._points.get(seat)
        if point is None:
            point = self._points[seat] = self.glance(seat)
        return point

    def glance(self, seat: int | None) -> Viewpoint:
        """Return a viewpoint that is used once."""
        if self._public is None:
            self._public = public_view(self.snapshot)
        return Viewpoint(seat, self.snapshot, self._public)

    def remove(self, watcher: TableWatcher) -> None:
        """Remove a viewer, and a viewpoint that nobody uses any more."""
        self.watchers.discard(watcher)
        if all(other.seat != watcher.seat for other in self.watchers):
            self._points.pop(watcher.seat, None)

    def advance(
        self, row: LogRow, after: Snapshot, people: dict[str, frames.Person]
    ) -> tuple[int, list[TableWatcher]]:
        """Show a row to every viewer who may see anything of it, behind the numbers held back from him.

        Return how many frames went out, and those whose seat has changed with it: they need a new welcome.
        """
        before, last, self.snapshot = self._shown, self.snapshot, after
        if after.told_to(None) == row.seq:
            self._shown = after
        if not self.watchers:
            self._public = None
            return 0, []
        seeing = [point for seat, point in self._points.items() if after.told_to(seat) == row.seq]
        if not seeing:
            return 0, []
        diff = ViewDiff(row, before, after, self._public or public_view(before), people)
        self._public = diff.game
        built = {point.seat: [*_held(last, point.seat, row.seq), point.batch(diff)] for point in seeing}
        sent = 0
        moved = []
        for watcher in tuple(self.watchers):
            for frame in built.get(watcher.seat, ()):
                watcher.sink.push(frame)
                sent += 1
            if after.room.seats is not before.room.seats:
                seat = None if watcher.late else after.room.seat_of(watcher.user)
                if seat != watcher.seat:
                    moved.append(watcher)
        return sent, moved

    def retime(self, snapshot: Snapshot) -> None:
        """Take the table with its clocks put off, which everybody is told in a frame of its own."""
        self.snapshot = self._shown = snapshot

    def post(self, frame: frames.AnyServerFrame, unread_by: frozenset[str], seat: int | None = None) -> None:
        """Send everybody but these users, or one seat alone, a frame that is no batch."""
        encoded = ENCODER.encode(frame)
        for watcher in tuple(self.watchers):
            if watcher.user not in unread_by and seat in (None, watcher.seat):
                watcher.sink.push(encoded)


def _held(last: Snapshot, seat: int | None, seq: int) -> list[bytes]:
    """Return the numbers of the rows before this one that were held back from the viewers of a seat.

    They are few: between two rows that everybody sees, each may decline each standing offer to him once.
    """
    return [bare_batch(held) for held in range(last.told_to(seat) + 1, seq)]


class DelayedLine(Struct, frozen=True, gc=False):
    """A line of chat, or a bot's remark, that delayed spectators are shown later."""

    at: int
    line: frames.Line | frames.Remark
    unread_by: frozenset[str]

    @property
    def number(self) -> int | None:
        """The number of a line of chat; a bot's remark has none."""
        return self.line.line if isinstance(self.line, frames.Line) else None


class DelayedAudience:
    """The spectators of a delayed table: log and chat reach them some time later."""

    def __init__(self, snapshot: Snapshot, waiting: Iterable[LogRow]) -> None:
        """Begin with the table as it was, and the rows that have happened since."""
        self.audience = Audience(snapshot)
        self.waiting: deque[LogRow | DelayedLine] = deque(waiting)
        self.task: asyncio.Task[None] | None = None

    def next_snapshot(self, row: LogRow) -> Snapshot:
        """Return the snapshot after the oldest waiting row; the past has no clocks."""
        return after_row(self.audience.snapshot, row, ())

    def forget(self, line: int) -> None:
        """Drop a line of chat that was deleted before its time came."""
        self.waiting = deque(
            one for one in self.waiting if not isinstance(one, DelayedLine) or one.number != line
        )


class PresentUsers:
    """Who is here: users with an open connection, and for a little while those who had one.

    It is made from connections alone, those to other workers too (:meth:`follow`), so that nobody stays
    behind as a ghost.
    """

    def __init__(self, now: Callable[[], int], away: int) -> None:
        """Begin with nobody; ``away`` is how long (ms) somebody still counts as present."""
        self._now = now
        self._away = away
        self._open: dict[str, int] = {}
        self._left: dict[str, int] = {}
        self._elsewhere: frozenset[str] = frozenset()

    def came(self, user: str) -> None:
        """Note an opened connection."""
        self._open[user] = self._open.get(user, 0) + 1
        self._left.pop(user, None)

    def went(self, user: str) -> None:
        """Note a closed connection."""
        count = self._open.get(user, 0) - 1
        if count > 0:
            self._open[user] = count
            return
        self._open.pop(user, None)
        self._left[user] = self._now()

    def expect(self, users: Iterable[str], seen: int) -> None:
        """Count users as having left at ``seen`` (ms since 1970): more is not known of them here."""
        self._left |= dict.fromkeys(users, seen)

    def follow(self, users: frozenset[str]) -> bool:
        """Note who has connections to other workers; tell whether anybody has left there."""
        gone = self._elsewhere - users
        self._elsewhere = users
        self._left |= dict.fromkeys(gone, self._now())
        return bool(gone)

    def users(self) -> frozenset[str]:
        """Return who is here now."""
        now = self._now()
        self._left = {user: at for user, at in self._left.items() if now - at < self._away}
        return frozenset(self._open) | frozenset(self._left) | self._elsewhere

    def connected(self, user: str) -> bool:
        """Whether a user has an open connection."""
        return user in self._open or user in self._elsewhere

    def seats(self, room: Room) -> tuple[int, ...]:
        """Return the seats whose owners are here."""
        here = self.users()
        return tuple(place for place, seat in enumerate(room.seats) if seat.user in here)


def users_in(room: Room) -> tuple[str, ...]:
    """Return every user a room names."""
    named: Iterable[str | None] = (room.host, *(seat.user for seat in room.seats))
    return tuple(dict.fromkeys(user for user in named if user is not None))

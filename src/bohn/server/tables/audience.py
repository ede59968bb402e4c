"""Everybody who looks at a table: sockets and streams, grouped by what they see, and who is present."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bohn.server.room.state import Room
from bohn.server.store.protocol import Row
from bohn.server.tables.api import Sink
from bohn.server.tables.stage import Stage
from bohn.server.tables.viewpoint import ENCODER, Passage, Viewpoint, public_view
from bohn.server.wire import frames
from bohn.views.view import View


class Watching:
    """One viewer's standing connection to one table."""

    __slots__ = ("late", "seat", "sink", "table", "user")

    def __init__(self, table: str, user: str | None, seat: int | None, sink: Sink, *, late: bool) -> None:
        """Note who looks, from which seat, and where his frames go; ``late`` viewers see the past."""
        self.table = table
        self.user = user
        self.seat = seat
        self.sink = sink
        self.late = late


class Gallery:
    """The viewers of one stage of a table: all of it, or, for spectators of a delayed table, its past."""

    def __init__(self, stage: Stage) -> None:
        """Begin without viewers."""
        self.stage = stage
        self._public: View | None = None
        self.watching: set[Watching] = set()
        self._points: dict[int | None, Viewpoint] = {}

    def add(self, watching: Watching) -> Viewpoint:
        """Take in a viewer and return what he sees now."""
        self.watching.add(watching)
        return self.point(watching.seat)

    def point(self, seat: int | None) -> Viewpoint:
        """Return the viewpoint of a seat, or of the spectators (``None``)."""
        point = self._points.get(seat)
        if point is None:
            point = self._points[seat] = self.glance(seat)
        return point

    def glance(self, seat: int | None) -> Viewpoint:
        """Return a viewpoint for one look."""
        if self._public is None:
            self._public = public_view(self.stage)
        return Viewpoint(seat, self.stage, self._public)

    def remove(self, watching: Watching) -> None:
        """Let a viewer go, and the viewpoint nobody uses any more."""
        self.watching.discard(watching)
        if all(other.seat != watching.seat for other in self.watching):
            self._points.pop(watching.seat, None)

    def advance(self, row: Row, after: Stage, people: dict[str, frames.Person]) -> tuple[int, list[Watching]]:
        """Show a row to every viewer.

        Return how many frames went out, and those whose seat has changed with it: they need a new welcome.
        """
        before, self.stage = self.stage, after
        if not self.watching:
            self._public = None
            return 0, []
        passage = Passage(row, before, after, self._public or public_view(before), people)
        self._public = passage.game
        built = {seat: point.batch(passage) for seat, point in self._points.items()}
        sent = 0
        moved = []
        for watching in tuple(self.watching):
            watching.sink.push(built[watching.seat])
            sent += 1
            if after.room.seats is not before.room.seats:
                seat = None if watching.late else after.room.seat_of(watching.user)
                if seat != watching.seat:
                    moved.append(watching)
        return sent, moved

    def post(self, frame: frames.AnyServerFrame, unread_by: frozenset[str], seat: int | None = None) -> None:
        """Send everybody but these users, or one seat alone, a frame that is no batch."""
        encoded = ENCODER.encode(frame)
        for watching in tuple(self.watching):
            if watching.user not in unread_by and seat in (None, watching.seat):
                watching.sink.push(encoded)


class Presence:
    """Who is here: users with an open connection, and for a little while those who had one.

    It is made from connections alone and never stored, so that nobody stays behind as a ghost.
    """

    def __init__(self, now: Callable[[], int], away: int) -> None:
        """Begin with nobody; ``away`` is how long (ms) somebody still counts as present."""
        self._now = now
        self._away = away
        self._open: dict[str, int] = {}
        self._left: dict[str, int] = {}

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

    def users(self) -> frozenset[str]:
        """Return who is here now."""
        now = self._now()
        self._left = {user: at for user, at in self._left.items() if now - at < self._away}
        return frozenset(self._open) | frozenset(self._left)

    def connected(self, user: str) -> bool:
        """Whether a user has an open connection."""
        return user in self._open

    def seats(self, room: Room) -> tuple[int, ...]:
        """Return the seats whose owners are here."""
        here = self.users()
        return tuple(place for place, seat in enumerate(room.seats) if seat.user in here)


def users_in(room: Room) -> tuple[str, ...]:
    """Return every user a room names."""
    named: Iterable[str | None] = (room.host, *(seat.user for seat in room.seats))
    return tuple(dict.fromkeys(user for user in named if user is not None))

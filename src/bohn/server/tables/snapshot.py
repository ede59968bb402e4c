"""A table folded from its log, up to some row."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from bohn.notation.records import LEFT
from bohn.protocol import frames
from bohn.protocol.room import Options, Room
from bohn.protocol.room_events import AnyRoomEvent, RoomEvent
from bohn.rules.events import AnyEvent, TradingClosed
from bohn.rules.evolve import fold
from bohn.rules.resolve import resolve
from bohn.rules.ruleset import Rules
from bohn.rules.state import EndPhase, State
from bohn.server.room.clocks import timed, view_of
from bohn.server.room.fold import after_game, after_trading, fold_kicked, fold_room
from bohn.server.store.protocol import LogRow, Timer
from bohn.server.tables.calendar import rests_of
from bohn.server.tables.shown import sees
from bohn.views.visible import visible


class Snapshot(Struct, frozen=True, gc=False):
    """A table at one ``seq``: ``state`` is ``None`` before the deal, ``at`` the time of the last row.

    ``kicked`` are the users whom a host has sent away (:func:`bohn.server.room.fold.fold_kicked`).
    ``told`` has the last row of which everybody (``None``) sees anything, and those of seats that alone have
    seen something of a later one. ``carried`` tells how often each instruction was carried out.
    """

    seq: int
    at: int
    room: Room
    rules: Rules
    state: State | None = None
    timers: tuple[Timer, ...] = ()
    kicked: frozenset[str] = frozenset()
    told: dict[int | None, int] = {}
    carried: dict[str, int] = {}

    def told_to(self, viewer: int | None) -> int:
        """Return the last row of which a seat, or a spectator, may see anything: to him it is the newest."""
        return self.told.get(viewer, self.told.get(None, self.seq))

    @property
    def running(self) -> bool:
        """Whether a game is on the table that has not ended."""
        return self.state is not None and not isinstance(self.state.phase, EndPhase)

    def sent_away(self, user: str) -> bool:
        """Whether a user may only watch: a host has kicked him, and the table is listed.

        A table that is not listed has closed its door instead: another invitation opens it.
        """
        return self.room.options.listed and user in self.kicked


def rules_of(options: Options) -> Rules:
    """Return the rules of a table's options, which were checked when they were chosen."""
    return resolve(options.edition, options.players, *options.house_rules)


def clocks_of(snapshot: Snapshot) -> tuple[frames.Clock, ...]:
    """Return the clocks of a table as everybody sees them."""
    at = snapshot.at
    return view_of(snapshot.timers, rests_of(snapshot.room, snapshot.state, at), at)


def split(
    events: Iterable[AnyEvent | AnyRoomEvent],
) -> tuple[tuple[AnyRoomEvent, ...], tuple[AnyEvent, ...]]:
    """Return the events of the room and those of the game."""
    room: list[AnyRoomEvent] = []
    game: list[AnyEvent] = []
    for event in events:
        if isinstance(event, RoomEvent):
            room.append(event)
        else:
            game.append(event)
    return tuple(room), tuple(game)


def snapshot_of(rows: Iterable[LogRow]) -> Snapshot:
    """Return the table after its rows, of which there is at least one."""
    snapshot: Snapshot | None = None
    for row in rows:
        snapshot = after_row(snapshot, row)
    assert snapshot is not None  # noqa: S101 - the callers have a row
    return snapshot


def with_timers(snapshot: Snapshot, timers: tuple[Timer, ...]) -> Snapshot:
    """Return the table with these timers; its last call ends when its timer does, which may be put off."""
    return replace(snapshot, room=timed(snapshot.room, timers), timers=timers)


def after_row(snapshot: Snapshot | None, row: LogRow, timers: tuple[Timer, ...] | None = None) -> Snapshot:
    """Return the table after a row; ``timers`` ``None`` keeps those it had.

    Raises ``ValueError`` if the row is not the next one.
    """
    if row.seq != (1 if snapshot is None else snapshot.seq + 1):
        msg = f"table {row.table}: expected row {1 if snapshot is None else snapshot.seq + 1}, not {row.seq}"
        raise ValueError(msg)
    of_room, of_game = split(row.events)
    room = snapshot.room if snapshot is not None else None
    kicked = snapshot.kicked if snapshot is not None else frozenset()
    if of_room or room is None:
        kicked = fold_kicked(of_room, room, kicked)
        room = fold_room(of_room, room)
    state = snapshot.state if snapshot is not None else None
    if of_game:
        state = fold(of_game) if state is None else fold(of_game, state)
        if any(visible(event, None) is not None for event in of_game):  # else its moment would be public
            room = after_game(room, row.at)
        if any(isinstance(event, TradingClosed) for event in of_game):
            room = after_trading(room)
    same = snapshot is not None and snapshot.room.options == room.options
    rules = snapshot.rules if snapshot is not None and same else rules_of(room.options)
    running = timers if timers is not None else snapshot.timers if snapshot is not None else ()
    told = _told_after({} if snapshot is None else snapshot.told, row, len(room.seats))
    carried = {} if snapshot is None else snapshot.carried
    if row.cause in LEFT:
        done = instruction_of(row)
        carried = carried | ({done: carried.get(done, 0) + 1} if done else {})
    return Snapshot(row.seq, row.at, room, rules, state, running, kicked, told, carried)


def instruction_of(row: LogRow) -> str:
    """Return the instruction for which a row of the causes ``LEFT`` is counted; empty: for none."""
    return row.command_id.rpartition(":")[2]


def _told_after(told: dict[int | None, int], row: LogRow, seats: int) -> dict[int | None, int]:
    """Return ``Snapshot.told`` after a row at a table of so many seats."""
    if sees(row, None):
        return {None: row.seq}
    return told | {seat: row.seq for seat in range(seats) if sees(row, seat)}

"""What follows at once at a table over days: moves that were set ahead, and those without a choice. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from bohn.protocol.away import Terms
from bohn.server.room.ahead import Ahead, Made, next_move
from bohn.server.room.clocks import lasts_days, played_by_person
from bohn.server.store.away import StandingOrder
from bohn.server.store.protocol import SecretDeal
from bohn.server.tables.plan import ORDERS, Planned, Planner, Request
from bohn.server.tables.snapshot import Snapshot


def with_moves(
    planner: Planner,
    planned: tuple[Planned, ...],
    left: Iterable[StandingOrder],
    now: int,
    deal: SecretDeal | None,
) -> tuple[Planned, ...]:
    """Return batches with those of all moves behind them, until nothing follows at once any more.

    ``left`` is what people have left with the table.
    """
    found, standing = list(planned), tuple(left)
    while made := _next(found[-1].after, standing):
        for command in made.commands:
            counted = made.move if command is made.commands[-1] else ""  # a move of two counts once
            request = Request(ORDERS, f"{found[-1].row.seq}:{counted}", "order", command)
            found.append(planner.plan(found[-1].after, request, now, deal))
    return tuple(found)


def due_at_once(snapshot: Snapshot, left: Iterable[StandingOrder]) -> Request | None:
    """Return what brings about a move that was possible when it was set ahead; the rest follows behind it."""
    made = _next(snapshot, tuple(left))
    if made is None or made.move == "":  # a move without a choice was made when there was none
        return None
    command = made.commands[0]
    counted = made.move if len(made.commands) == 1 else ""
    owner = snapshot.room.seats[command.player].user
    return Request(
        ORDERS, f"{snapshot.seq}:{counted}", "order", command, user=owner, seq=snapshot.seq
    )  # a worker that does not hold the table may do it too, for it is his


def _next(snapshot: Snapshot, standing: tuple[StandingOrder, ...]) -> Made | None:
    """Return what follows at once; nothing in a pause, nor for seats that a bot plays."""
    room, state = snapshot.room, snapshot.state
    if room.status != "playing" or room.paused or state is None or not lasts_days(room):
        return None
    moves = []
    for one in standing:
        seat = room.seat_of(one.user)
        if seat is not None and not isinstance(one.terms, Terms):
            left = one.terms.times - snapshot.carried.get(one.id, 0)
            moves.append(Ahead(one.id, seat, one.terms, left))
    people = tuple(seat for seat in range(len(room.seats)) if played_by_person(room, seat))
    return next_move(snapshot.rules, state, people, moves)

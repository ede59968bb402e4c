"""What follows at once at a table over days: moves that were set ahead, and those without a choice. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from bohn.protocol.away import Terms
from bohn.server.room.ahead import Ahead, Made, next_move
from bohn.server.room.clocks import lasts_days, played_by_person
from bohn.server.store.away import Instruction
from bohn.server.store.protocol import SecretDeal
from bohn.server.tables.plan import INSTRUCTIONS, Planned, Planner, Request
from bohn.server.tables.snapshot import Snapshot


def with_moves(
    planner: Planner,
    snapshot: Snapshot,
    planned: tuple[Planned, ...],
    left: Iterable[Instruction],
    now: int,
    deal: SecretDeal | None,
) -> tuple[Planned, ...]:
    """Return batches behind a snapshot with those of all moves, until nothing follows at once any more.

    ``left`` is what people have left with the table.
    """
    found, standing = list(planned), tuple(left)
    after = found[-1].after if found else snapshot
    while made := _next(after, standing):
        for command in made.commands:
            counted = made.move if command is made.commands[-1] else ""  # a move of two counts once
            request = Request(
                INSTRUCTIONS, f"{after.seq}:{counted}", "ahead" if made.move else "forced", command
            )
            found.append(planner.plan(after, request, now, deal))
            after = found[-1].after
    return tuple(found)


def due_at_once(user: str) -> Request:
    """Return the request that makes what is possible already of what a user has set ahead.

    A worker that does not hold the table may do it too, for it is the user's own.
    """
    return Request(INSTRUCTIONS, "", "ahead", None, user=user)


def is_due_at_once(request: Request) -> bool:
    """Tell whether a request makes moves that are possible already, and nothing else."""
    return request.cause == "ahead" and request.command is None


def _next(snapshot: Snapshot, standing: tuple[Instruction, ...]) -> Made | None:
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

"""What is written with a batch: its row, its clocks, what the lobby shows, and who may enter. Pure."""

from __future__ import annotations

from bohn.notation.records import LEFT
from bohn.protocol.room_events import Kicked, RoomEvent
from bohn.rules.state import EndPhase
from bohn.server.room.clocks import lasts_days
from bohn.server.store.alerts import TurnBegun
from bohn.server.store.protocol import Append, ListedSeat, Listing
from bohn.server.tables.plan import Planned, Request
from bohn.server.tables.snapshot import Snapshot, instruction_of
from bohn.server.tables.turns import awaited

LISTED_EVERY = 25
"""Rows after which a listing is written again, so that the lobby knows that the table is in use.

It is written with a row that everybody sees: everybody reads in it when it was.
"""

TOLD_AFTER = 3_000
"""Ms behind the beginning of a turn when its player is told: most turns at a table with people end sooner."""


def append_of(before: Snapshot, batches: tuple[Planned, ...], request: Request, epoch: int | None) -> Append:
    """Return what is written for batches behind a snapshot whose timers were read in an ``epoch``.

    It must still hold for what the server itself does, and where timers are replaced: the next may have put
    them off.
    """
    after, row, *behind = batches[-1].after, *(planned.row for planned in batches)
    timers = None if after.timers is before.timers else after.timers
    moved = any(isinstance(event, RoomEvent) for one in (row, *behind) for event in one.events)
    told, before_told = after.told_to(None), before.told_to(None)
    due = moved or told // LISTED_EVERY > before_told // LISTED_EVERY
    users = {seat.user for seat in after.room.seats} - {seat.user for seat in before.room.seats}
    kicked = [event.seat for event in row.events if isinstance(event, Kicked)]
    instructions = {instruction_of(one) for one in (row, *behind) if one.cause in LEFT} - {""}
    revokes = {before.room.seats[seat].user for seat in kicked}
    begun = sorted(awaited(after) - awaited(before))
    by_command = request.user is not None and request.command is not None  # not by what is said elsewhere
    back = by_command and request.user not in begun and after.room.seat_of(request.user)
    return Append(
        row=row,
        behind=tuple(behind),
        epoch=epoch if request.by_holder or timers is not None else None,
        timers=timers,
        listing=listing_of(after) if due else None,
        grants=tuple(sorted(user for user in users if user is not None)),
        revokes=tuple(sorted(user for user in revokes if user is not None)),
        gathered=request.gathered,
        turns=tuple(
            TurnBegun(user, row.at + TOLD_AFTER, lasts_days(after.room), user == request.user)
            for user in begun
        ),
        back=() if request.user is None or back is False or back is None else (request.user,),
        instructions=tuple(sorted(instructions)),
    )


def listing_of(snapshot: Snapshot) -> Listing:
    """Return what the lobby shows of a table."""
    room = snapshot.room
    phase = None if snapshot.state is None else snapshot.state.phase
    return Listing(
        table=room.id,
        status=room.status,
        options=room.options,
        host=room.host,
        users=tuple(seat.user for seat in room.seats if seat.user is not None),
        bots=sum(seat.user is None and seat.bot is not None for seat in room.seats),
        opened=room.opened,
        moved=snapshot.at,
        seats=tuple(ListedSeat(seat.user, seat.bot, seat.name) for seat in room.seats),
        result=phase.result if isinstance(phase, EndPhase) else None,
        origin=room.origin is not None,
        lesson=room.lesson,
    )

"""What a beat of a table over days brings about: orders are carried out, whoever is done passes. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from bohn.protocol.away import Terms
from bohn.protocol.room_events import OrdersLookedAt
from bohn.rules.commands import AnyCommand
from bohn.rules.errors import IllegalCommand
from bohn.rules.state import TradePhase
from bohn.server.room.clocks import closing, played_by_person
from bohn.server.room.orders import Deed, Order, next_exchange
from bohn.server.store.away import Instruction
from bohn.server.store.protocol import SecretDeal
from bohn.server.tables.plan import INSTRUCTIONS, Planned, Planner, Request
from bohn.server.tables.snapshot import Snapshot


def is_beat(request: Request) -> bool:
    """Tell whether a request is a beat."""
    return any(isinstance(event, OrdersLookedAt) for event in request.events)


def plan_beat(
    planner: Planner,
    snapshot: Snapshot,
    request: Request,
    left: Iterable[Instruction],
    now: int,
    deal: SecretDeal | None,
) -> tuple[Planned, ...]:
    """Return the batches of a beat; if it is ``final``, all pass behind it. Raises :class:`Refusal`."""
    planned = [planner.plan(snapshot, request, now, deal)]
    standing = tuple(left)
    while deeds := _next(planned[-1].after, standing):
        for deed in deeds:
            done = Request(INSTRUCTIONS, f"{planned[-1].row.seq}:{deed.order}", "order", deed.command)
            planned.append(planner.plan(planned[-1].after, done, now, deal))
    for command in _closing(planned[-1].after, everybody=request.final):
        passed = Request(request.actor, f"{snapshot.seq}:{command.player}", "clock", command, final=True)
        try:
            planned.append(planner.plan(planned[-1].after, passed, now, deal))
        except IllegalCommand:  # the trading is over with a pass before
            break
    return tuple(planned)


def _next(snapshot: Snapshot, standing: tuple[Instruction, ...]) -> tuple[Deed, ...]:
    """Return what is done next for orders; those of people for whom a bot plays rest."""
    if snapshot.state is None:
        return ()
    orders = []
    for one in standing:
        seat = snapshot.room.seat_of(one.user)
        if isinstance(one.terms, Terms) and seat is not None and played_by_person(snapshot.room, seat):
            left = one.terms.times - snapshot.carried.get(one.id, 0)
            orders.append(Order(one.id, seat, one.terms, left))
    return next_exchange(snapshot.rules, snapshot.state, orders)


def _closing(snapshot: Snapshot, *, everybody: bool) -> tuple[AnyCommand, ...]:
    """Return the passes of whoever is done, or of everybody; the active player's own comes last."""
    room, state = snapshot.room, snapshot.state
    if state is None or not isinstance(state.phase, TradePhase):
        return ()
    done = {seat for seat in room.done if played_by_person(room, seat)}
    found = closing(snapshot.rules, state, range(len(room.seats)) if everybody else done)
    return tuple(sorted(found, key=lambda command: command.player == state.active_player))

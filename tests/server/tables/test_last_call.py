"""What prolongs a last call: people, and exchanges; not what bots propose among themselves."""

from __future__ import annotations

import pytest

from bohn.protocol.room import Options, Room, Seat
from bohn.protocol.room_events import LastCallProlonged
from bohn.rules.commands import AcceptOffer, Command, EndTrading, MakeOffer, Plant, Reveal
from bohn.rules.deal import opening
from bohn.rules.evolve import fold
from bohn.rules.resolve import resolve
from bohn.rules.shuffle import seed_from
from bohn.rules.state import Copy, TradePhase
from bohn.server.settings import Times
from bohn.server.tables.plan import Planner, Request
from bohn.server.tables.snapshot import Snapshot

NOW = 1_000_000
RULES = resolve("full", 4, "starter=seat:0")
PLANNER = Planner(frozenset({"pk"}), Times())
KIND = RULES.kinds[0]

SEATS = (Seat(bot="pk"), Seat("anna"), Seat(bot="pk"), Seat(bot="pk"))
"""The bot in seat 0 has the turn, and the only person sits in seat 1."""


def after(snapshot: Snapshot, command: Command) -> tuple[Snapshot, bool]:
    """Return the table after a command of whoever sits there, and whether the last call was prolonged."""
    user = SEATS[command.player].user
    cause = "bot" if user is None else "player"
    request = Request(user or f"bot:{command.player}", str(snapshot.seq), cause, command, user)  # type: ignore[arg-type]  # - commands are typed by their base here
    planned = PLANNER.plan(snapshot, request, NOW, None)
    return planned.after, any(isinstance(event, LastCallProlonged) for event in planned.row.events)


def called() -> Snapshot:
    """Return a table in the last call of seat 0."""
    room = Room("t1", Options("full", 4, ("starter=seat:0",)), "anna", SEATS, "", 0, "playing")
    state = fold(opening(RULES, seed_from("call")))
    snapshot = Snapshot(1, NOW, room, RULES, state)
    for command in (Plant(0, 0), Reveal(0), EndTrading(0)):
        snapshot, _ = after(snapshot, command)
    assert snapshot.room.last_call is not None
    return snapshot


@pytest.mark.parametrize(
    ("offer", "prolongs"),
    [
        (MakeOffer(0, (1,), want=(KIND,)), True),
        (MakeOffer(0, (1, 2, 3), want=(KIND,)), True),
        (MakeOffer(1, (0,), want=(KIND,)), True),
        (MakeOffer(2, (0,), want=(KIND,)), False),
        (MakeOffer(0, (2, 3), want=(KIND,)), False),
    ],
)
def test_offer_prolongs_if_people_are_part_of_it(offer: MakeOffer, *, prolongs: bool) -> None:
    """Whoever makes it: a person who is asked, or asks, gets the time to go on."""
    _, prolonged = after(called(), offer)

    assert prolonged is prolongs


def test_exchange_prolongs_whoever_makes_it() -> None:
    """Cards have moved, and people may want something else now."""
    snapshot = called()
    assert snapshot.state is not None
    assert isinstance(snapshot.state.phase, TradePhase)
    gift = MakeOffer(0, (2,), (), (Copy(0, snapshot.state.phase.face_up[0]),))
    snapshot, early = after(snapshot, gift)
    _, late = after(snapshot, AcceptOffer(2, 1, 1))

    assert (early, late) == (False, True)

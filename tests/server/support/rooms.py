"""Rooms for tests, made of events as the log has them."""

from __future__ import annotations

from msgspec.structs import replace

from bohn.protocol.room import Options, Room
from bohn.protocol.room_events import (
    Abandoned,
    AnyRoomEvent,
    BotSeated,
    Finished,
    HandedOver,
    Paused,
    Sat,
    Started,
    TableOpened,
)
from bohn.server.room.decide import Context
from bohn.server.room.fold import after_game, fold_room

ANNA, BERT, CHIYO, DAGUR = "anna", "bert", "chiyo", "dagur"
"""Users; Anna opens the tables."""

OPENED = 1_000_000
BEGAN = 2_000_000
"""When the tables were opened, and when the game on them moved last."""

BOTS = frozenset({"pk", "b3", "random"})
SILENCE = 120_000
CONTEXT = Context(bots=BOTS, waited_for=(0,), silence=SILENCE)


def opening_events(options: Options) -> tuple[AnyRoomEvent, ...]:
    """Return the beginning of a log: Anna has opened a table, and nobody sits."""
    return (TableOpened("t1", ANNA, options, "c0" * 32, OPENED),)


def open_room(*users: str | None, options: Options | None = None) -> Room:
    """Return an open room: these users in its first seats, each a second later than the one before.

    ``None`` leaves a seat free.
    """
    chosen = options or Options(players=4)
    seated = (Sat(place, user, "", OPENED + 1_000 * place) for place, user in enumerate(users) if user)
    return fold_room((*opening_events(chosen), *seated), None)


def playing_room(*users: str, options: Options | None = None) -> Room:
    """Return a room in the middle of its game: these users in the first seats, ``pk`` in all others."""
    room = open_room(*users, options=options)
    bots = (BotSeated(place, "pk", "") for place in range(len(users), len(room.seats)))
    return after_game(fold_room((*bots, Started()), room), BEGAN)


def paused(room: Room, at: int = BEGAN) -> Room:
    """Return the room in a pause."""
    return fold_room((Paused(at),), room)


def handed_over(room: Room, seat: int) -> Room:
    """Return the room with a bot playing for a seat's owner."""
    return fold_room((HandedOver(seat, "pk"),), room)


def finished(room: Room) -> Room:
    """Return the room after its game."""
    return fold_room((Finished(),), room)


def abandoned(room: Room) -> Room:
    """Return the room after it was given up."""
    return fold_room((Abandoned(),), room)


def with_host(room: Room, user: str | None) -> Room:
    """Return the room with another host."""
    return replace(room, host=user)

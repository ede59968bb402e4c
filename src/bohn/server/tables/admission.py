"""Who may look at a table, and whether at the present or at the past."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Room
from bohn.server.tables.loaded import LoadedTable
from bohn.server.tables.refusing import or_refuse

Granted = Callable[[str, str], Awaitable[bool]]
"""Returns whether a user may enter a table, by an invitation or a seat."""


async def admit(loaded: LoadedTable, user: str | None, granted: Granted) -> None:
    """Refuse users who may not know that this table exists, and spectators where none are wanted.

    Whoever was kicked knows it, and is told why he stays outside.
    """
    if not loaded.snapshot.room.options.listed and not await _invited(loaded, user, granted):
        raise Refusal(Problem.REMOVED if user in loaded.snapshot.kicked else Problem.NO_SUCH_TABLE)
    if not _spectators_wanted(loaded.snapshot.room, user):
        raise Refusal(Problem.NO_SPECTATORS)


async def _invited(loaded: LoadedTable, user: str | None, granted: Granted) -> bool:
    if user is None:
        return False
    if user in loaded.granted or loaded.snapshot.room.seat_of(user) is not None:
        return True
    seq = loaded.snapshot.seq
    found = await or_refuse(granted(loaded.id, user))
    if found and loaded.snapshot.seq == seq:  # else the user may have been kicked meanwhile
        loaded.granted.add(user)
    return found


def may_stay(loaded: LoadedTable, room: Room, user: str | None, *, late: bool = False) -> bool:
    """Whether a viewer may go on watching from the same place, as far as is known in memory."""
    if not room.options.listed and not (user in loaded.granted or room.seat_of(user) is not None):
        return False
    return _spectators_wanted(room, user) and (late or not delayed(room, user))


def delayed(room: Room, user: str | None) -> bool:
    """Whether somebody sees the past: whoever has no seat, once the game of a delayed table has begun."""
    return room.options.delay > 0 and room.status != "open" and room.seat_of(user) is None


def _spectators_wanted(room: Room, user: str | None) -> bool:
    """Whether somebody may look, or need not ask: he has a seat, or is host."""
    if room.options.spectators or room.status != "playing":
        return True
    return room.seat_of(user) is not None or (user is not None and user == room.host)

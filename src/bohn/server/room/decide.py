"""Decide room commands: who may sit, stand, kick, start, pause and end, and when."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from msgspec import Struct

from bohn.server.refusals import Problem, Refusal
from bohn.server.room.commands import (
    AnyRoomCommand,
    CallForChoice,
    ChooseOptions,
    EndTable,
    GiveSalt,
    Kick,
    PassHost,
    Pause,
    Rematch,
    RemoveBot,
    Resume,
    RoomCommand,
    SeatBot,
    Sit,
    Stand,
    Start,
    TakeBack,
)
from bohn.server.room.deal import checked_salt
from bohn.server.room.events import (
    Abandoned,
    AnyRoomEvent,
    BotRemoved,
    BotSeated,
    ChoiceCalled,
    HandedOver,
    HostPassed,
    Kicked,
    OptionsChosen,
    Paused,
    Resumed,
    SaltGiven,
    Sat,
    Started,
    Stood,
    TakenBack,
)
from bohn.server.room.fold import fold_room
from bohn.server.room.options import check_options
from bohn.server.room.state import Room, Seat, Status

Events = tuple[AnyRoomEvent, ...]

C = TypeVar("C", bound=RoomCommand)

CALLS = 2
"""So many players may call for the choice."""


def no_salt() -> str:
    """Return the empty salt: one that the server chose would only give its operator something to try."""
    return ""


class Context(Struct, frozen=True):
    """What a decision needs beside the room.

    ``bots`` are the names there are, ``waited_for`` the seats the game waits for now
    (:func:`bohn.server.room.clocks.waited_for`), ``silence`` is in ms. ``salts`` makes a bot's salt,
    ``default`` plays where nobody names a bot.
    """

    bots: frozenset[str]
    salts: Callable[[], str] = no_salt
    waited_for: tuple[int, ...] = ()
    silence: int = 120_000
    default: str = "pk"


class Ask(Struct, Generic[C], frozen=True):
    """One command with all that it is decided from."""

    room: Room
    user: str
    command: C
    now: int
    ctx: Context


def decide_room(room: Room, user: str, command: AnyRoomCommand, now: int, ctx: Context) -> Events:
    """Return what a user's command brings about at ``now`` (ms since 1970); raises :class:`Refusal`.

    :class:`Start` brings the seats and :class:`Started`; the deal is the caller's. :class:`Rematch` is only
    checked, and brings nothing: it needs another table.
    """
    return _DECIDE[type(command)](Ask(room, user, command, now, ctx))


def host_after(room: Room, present: frozenset[str]) -> str | None:
    """Return who is to be host: of these users the one who has owned a seat longest, if any."""
    seated = [
        (seat.since, place, seat.user)
        for place, seat in enumerate(room.seats)
        if seat.user is not None and seat.user in present
    ]
    return min(seated)[2] if seated else None


def calls_needed(room: Room, waited_for: tuple[int, ...]) -> int:
    """Return how many must call for the choice: two, or one in a game of two.

    Where fewer people are left beside one who is waited for, all of those; never none.
    """
    owners = [place for place, seat in enumerate(room.seats) if seat.user is not None]
    others = len(owners) - any(place in waited_for for place in owners)
    return max(1, min(others, 1 if len(room.seats) == CALLS else CALLS))


# -- what many commands ask ------------------------------------------------------------------------


def _require_status(room: Room, *statuses: Status) -> None:
    if room.status in statuses:
        return
    if room.status in ("finished", "abandoned"):
        raise Refusal(Problem.TABLE_OVER)
    raise Refusal(Problem.NOT_STARTED if room.status == "open" else Problem.ALREADY_STARTED)


def _require_host(room: Room, user: str, *statuses: Status) -> None:
    """Refuse everybody but the host; that a table is over is said first, to everybody."""
    if room.status in ("finished", "abandoned"):
        raise Refusal(Problem.TABLE_OVER)
    if room.host != user:
        raise Refusal(Problem.NOT_HOST)
    _require_status(room, *statuses)


def _seat_at(room: Room, place: int) -> Seat:
    if not 0 <= place < len(room.seats):
        raise Refusal(Problem.NO_SUCH_SEAT)
    return room.seats[place]


def _own_place(room: Room, user: str) -> int:
    place = room.seat_of(user)
    if place is None:
        raise Refusal(Problem.NOT_SEATED)
    return place


def _require_bot(bot: str, ctx: Context) -> None:
    if bot not in ctx.bots:
        raise Refusal(Problem.UNKNOWN_BOT)


def _with_new_host(room: Room, *events: AnyRoomEvent) -> Events:
    """Return the events, and the next host if they leave the host without the seat he had."""
    after = fold_room(events, room)
    if room.seat_of(room.host) is None or after.seat_of(room.host) is not None:
        return events
    return (*events, HostPassed(host_after(after, frozenset(seat.user for seat in after.seats if seat.user))))


# -- seats -------------------------------------------------------------------------------------------


def _sit(ask: Ask[Sit]) -> Events:
    _require_status(ask.room, "open")
    if ask.room.seat_of(ask.user) is not None:
        raise Refusal(Problem.SEATED_ALREADY)
    place = _free_place(ask.room) if ask.command.seat is None else ask.command.seat
    if not _seat_at(ask.room, place).empty:
        raise Refusal(Problem.SEAT_TAKEN)
    sat = Sat(place, ask.user, checked_salt(ask.command.salt), ask.now)
    return (sat, HostPassed(ask.user)) if ask.room.host is None else (sat,)


def _free_place(room: Room) -> int:
    """Return the first free seat."""
    for place, seat in enumerate(room.seats):
        if seat.empty:
            return place
    raise Refusal(Problem.SEAT_TAKEN)


def _stand(ask: Ask[Stand]) -> Events:
    _require_status(ask.room, "open", "playing")
    place = _own_place(ask.room, ask.user)
    if ask.room.status == "open":
        return _with_new_host(ask.room, Stood(place))
    if ask.room.seats[place].bot is not None:
        raise Refusal(Problem.SEAT_TAKEN)
    return (HandedOver(place, ask.ctx.default),)


def _give_salt(ask: Ask[GiveSalt]) -> Events:
    _require_status(ask.room, "open")
    return (SaltGiven(_own_place(ask.room, ask.user), checked_salt(ask.command.salt)),)


def _take_back(ask: Ask[TakeBack]) -> Events:
    _require_status(ask.room, "playing")
    place = _own_place(ask.room, ask.user)
    if ask.room.seats[place].bot is None:
        raise Refusal(Problem.NOT_HANDED_OVER)
    return (TakenBack(place),)


# -- the host ----------------------------------------------------------------------------------------


def _choose_options(ask: Ask[ChooseOptions]) -> Events:
    _require_host(ask.room, ask.user, "open")
    check_options(ask.command.options)
    return _with_new_host(ask.room, OptionsChosen(ask.command.options))


def _seat_bot(ask: Ask[SeatBot]) -> Events:
    _require_host(ask.room, ask.user, "open", "playing")
    _require_bot(ask.command.bot, ask.ctx)
    seat = _seat_at(ask.room, ask.command.seat)
    if ask.room.status == "open" and seat.empty:
        return (BotSeated(ask.command.seat, ask.command.bot, ask.ctx.salts()),)
    if ask.room.status == "playing" and seat.bot is None:
        return (HandedOver(ask.command.seat, ask.command.bot),)
    raise Refusal(Problem.SEAT_TAKEN)


def _remove_bot(ask: Ask[RemoveBot]) -> Events:
    _require_host(ask.room, ask.user, "open")
    seat = _seat_at(ask.room, ask.command.seat)
    if seat.bot is None:
        raise Refusal(Problem.SEAT_EMPTY if seat.empty else Problem.SEAT_TAKEN)
    return (BotRemoved(ask.command.seat),)


def _kick(ask: Ask[Kick]) -> Events:
    _require_host(ask.room, ask.user, "open", "playing")
    seat = _seat_at(ask.room, ask.command.seat)
    if seat.user is None:
        raise Refusal(Problem.SEAT_EMPTY)
    if seat.user == ask.user:
        raise Refusal(Problem.NOT_YOUR_SEAT)
    return (Kicked(ask.command.seat, None if ask.room.status == "open" else seat.bot or ask.ctx.default),)


def _pass_host(ask: Ask[PassHost]) -> Events:
    _require_host(ask.room, ask.user, "open", "playing")
    heir = _seat_at(ask.room, ask.command.seat).user
    if heir is None:
        raise Refusal(Problem.SEAT_EMPTY)
    return (HostPassed(heir),)


def _start(ask: Ask[Start]) -> Events:
    _require_host(ask.room, ask.user, "open")
    free = [place for place, seat in enumerate(ask.room.seats) if seat.empty]
    if ask.command.fill is None:
        if free:
            raise Refusal(Problem.SEATS_EMPTY, count=len(free))
        return (Started(),)
    _require_bot(ask.command.fill, ask.ctx)
    return (*(BotSeated(place, ask.command.fill, ask.ctx.salts()) for place in free), Started())


def _pause(ask: Ask[Pause]) -> Events:
    _require_host(ask.room, ask.user, "playing")
    if ask.room.paused:
        raise Refusal(Problem.TABLE_PAUSED)
    return (Paused(ask.now),)


def _resume(ask: Ask[Resume]) -> Events:
    _require_host(ask.room, ask.user, "playing")
    if not ask.room.paused:
        raise Refusal(Problem.NOT_PAUSED)
    return (Resumed(ask.now),)


def _end_table(ask: Ask[EndTable]) -> Events:
    _require_host(ask.room, ask.user, "open", "playing")
    return (Abandoned(),)


# -- everybody -----------------------------------------------------------------------------------------


def _call_for_choice(ask: Ask[CallForChoice]) -> Events:
    _require_status(ask.room, "playing")
    place = _own_place(ask.room, ask.user)
    if ask.room.options.clock != "none":
        raise Refusal(Problem.HAS_CLOCK)
    if ask.room.paused:
        raise Refusal(Problem.TABLE_PAUSED)
    if not set(ask.ctx.waited_for) - {place}:
        raise Refusal(Problem.NOT_WAITED_FOR)
    if ask.user in ask.room.called:
        raise Refusal(Problem.CALLED_ALREADY)
    left = ask.room.quiet_since + ask.ctx.silence - ask.now
    if left > 0:
        raise Refusal(Problem.NOT_QUIET, seconds=-(-left // 1000))
    return (ChoiceCalled(ask.user),)


def _rematch(ask: Ask[Rematch]) -> Events:
    if ask.room.status in ("open", "playing"):
        raise Refusal(Problem.NOT_FINISHED)
    _own_place(ask.room, ask.user)
    if ask.room.rematch is not None:
        raise Refusal(Problem.REMATCH_MADE, table=ask.room.rematch)
    return ()


_DECIDE: dict[type, Callable[[Ask[Any]], Events]] = {
    Sit: _sit,
    Stand: _stand,
    GiveSalt: _give_salt,
    ChooseOptions: _choose_options,
    SeatBot: _seat_bot,
    RemoveBot: _remove_bot,
    Kick: _kick,
    PassHost: _pass_host,
    Start: _start,
    Pause: _pause,
    Resume: _resume,
    EndTable: _end_table,
    TakeBack: _take_back,
    CallForChoice: _call_for_choice,
    Rematch: _rematch,
}
"""One function for every command."""

"""Decide room commands: who may sit, stand, kick, start, pause and end, and when."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from msgspec import Struct

from bohn.bots import DEFAULT
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Room, Seat, Status
from bohn.protocol.room_commands import (
    AnyRoomCommand,
    BeDone,
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
from bohn.protocol.room_events import (
    Abandoned,
    AnyRoomEvent,
    BotRemoved,
    BotSeated,
    ChoiceCalled,
    DoneGiven,
    DoneTakenBack,
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
from bohn.server.room.clocks import lasts_days
from bohn.server.room.deal import checked_salt
from bohn.server.room.fold import fold_room
from bohn.server.room.options import check_options, has_head_start

Events = tuple[AnyRoomEvent, ...]

C = TypeVar("C", bound=RoomCommand)

CALLS = 2
"""Players who must call for the choice; in a game of two one is enough."""


def no_salt() -> str:
    """Return the empty salt: one that the server chose would only give its operator something to try."""
    return ""


class Context(Struct, frozen=True):
    """What a decision needs beside the room.

    ``bots`` are the names there are, ``waited_for`` the seats the game waits for now
    (:func:`bohn.rules.legal.waiting`), ``silence`` is in ms. ``salts`` makes a bot's salt,
    ``default`` plays where nobody names a bot. ``sent_away``: the user was kicked, and may only watch.
    ``blockers`` block the user: he does not sit down where one of them sits or is host.
    """

    bots: frozenset[str]
    salts: Callable[[], str] = no_salt
    waited_for: tuple[int, ...] = ()
    silence: int = 120_000
    default: str = DEFAULT
    sent_away: bool = False
    blockers: frozenset[str] = frozenset()


class UserCommand(Struct, Generic[C], frozen=True):
    """A user's command with all that it is decided from."""

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
    return _DECIDE[type(command)](UserCommand(room, user, command, now, ctx))


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


# -- what many commands check -----------------------------------------------------------------------


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


def _sit(given: UserCommand[Sit]) -> Events:
    _require_status(given.room, "open")
    if given.room.seat_of(given.user) is not None:
        raise Refusal(Problem.SEATED_ALREADY)
    if given.ctx.sent_away:
        raise Refusal(Problem.SENT_AWAY)
    if given.ctx.blockers.intersection({given.room.host, *(seat.user for seat in given.room.seats)}):
        raise Refusal(Problem.NO_SEAT_FOR_YOU)
    place = _free_place(given.room) if given.command.seat is None else given.command.seat
    if not _seat_at(given.room, place).empty:
        raise Refusal(Problem.SEAT_TAKEN)
    sat = Sat(place, given.user, checked_salt(given.command.salt), given.now)
    return (sat, HostPassed(given.user)) if given.room.host is None else (sat,)


def _free_place(room: Room) -> int:
    """Return the first free seat."""
    for place, seat in enumerate(room.seats):
        if seat.empty:
            return place
    raise Refusal(Problem.SEAT_TAKEN)


def _stand(given: UserCommand[Stand]) -> Events:
    _require_status(given.room, "open", "playing")
    place = _own_place(given.room, given.user)
    if given.room.status == "open":
        return _with_new_host(given.room, Stood(place))
    if given.room.seats[place].bot is not None:
        raise Refusal(Problem.SEAT_TAKEN)
    return (HandedOver(place, given.ctx.default, given.now),)


def _give_salt(given: UserCommand[GiveSalt]) -> Events:
    _require_status(given.room, "open")
    return (SaltGiven(_own_place(given.room, given.user), checked_salt(given.command.salt)),)


def _take_back(given: UserCommand[TakeBack]) -> Events:
    _require_status(given.room, "playing")
    place = _own_place(given.room, given.user)
    if given.room.seats[place].bot is None:
        raise Refusal(Problem.NOT_HANDED_OVER)
    return (TakenBack(place),)


# -- the host ----------------------------------------------------------------------------------------


def _choose_options(given: UserCommand[ChooseOptions]) -> Events:
    _require_host(given.room, given.user, "open")
    check_options(given.command.options)
    return _with_new_host(given.room, OptionsChosen(given.command.options))


def _seat_bot(given: UserCommand[SeatBot]) -> Events:
    _require_host(given.room, given.user, "open", "playing")
    _require_bot(given.command.bot, given.ctx)
    seat = _seat_at(given.room, given.command.seat)
    if given.room.status == "open" and seat.user is None:
        seated = BotSeated(given.command.seat, given.command.bot, given.ctx.salts())
        if seat.empty:
            return (seated,)
        same = OptionsChosen(given.room.options)  # the host changes how it plays, not what it begins with
        kept = (same,) if has_head_start(given.room.options, given.command.seat) else ()
        return (BotRemoved(given.command.seat), seated, *kept)
    if given.room.status == "playing" and seat.bot is None:
        at = given.now if seat.user == given.user else 0
        return (HandedOver(given.command.seat, given.command.bot, at),)
    raise Refusal(Problem.SEAT_TAKEN)


def _remove_bot(given: UserCommand[RemoveBot]) -> Events:
    _require_host(given.room, given.user, "open")
    seat = _seat_at(given.room, given.command.seat)
    if seat.bot is None:
        raise Refusal(Problem.SEAT_EMPTY if seat.empty else Problem.SEAT_TAKEN)
    return (BotRemoved(given.command.seat),)


def _kick(given: UserCommand[Kick]) -> Events:
    _require_host(given.room, given.user, "open", "playing")
    seat = _seat_at(given.room, given.command.seat)
    if seat.user is None:
        raise Refusal(Problem.SEAT_EMPTY)
    if seat.user == given.user:
        raise Refusal(Problem.NOT_YOUR_SEAT)
    return (
        Kicked(given.command.seat, None if given.room.status == "open" else seat.bot or given.ctx.default),
    )


def _pass_host(given: UserCommand[PassHost]) -> Events:
    _require_host(given.room, given.user, "open", "playing")
    heir = _seat_at(given.room, given.command.seat).user
    if heir is None:
        raise Refusal(Problem.SEAT_EMPTY)
    return (HostPassed(heir),)


def _start(given: UserCommand[Start]) -> Events:
    _require_host(given.room, given.user, "open")
    free = [place for place, seat in enumerate(given.room.seats) if seat.empty]
    if given.command.fill is None:
        if free:
            raise Refusal(Problem.SEATS_EMPTY, count=len(free))
        return (Started(),)
    _require_bot(given.command.fill, given.ctx)
    return (*(BotSeated(place, given.command.fill, given.ctx.salts()) for place in free), Started())


def _pause(given: UserCommand[Pause]) -> Events:
    _require_host(given.room, given.user, "playing")
    if given.room.paused:
        raise Refusal(Problem.TABLE_PAUSED)
    return (Paused(given.now),)


def _resume(given: UserCommand[Resume]) -> Events:
    _require_host(given.room, given.user, "playing")
    if not given.room.paused:
        raise Refusal(Problem.NOT_PAUSED)
    return (Resumed(given.now),)


def _end_table(given: UserCommand[EndTable]) -> Events:
    _require_host(given.room, given.user, "open", "playing")
    return (Abandoned(ended_by="host"),)


# -- everybody -----------------------------------------------------------------------------------------


def _call_for_choice(given: UserCommand[CallForChoice]) -> Events:
    _require_status(given.room, "playing")
    place = _own_place(given.room, given.user)
    if given.room.options.clock != "none":
        raise Refusal(Problem.HAS_CLOCK)
    if given.room.paused:
        raise Refusal(Problem.TABLE_PAUSED)
    if not set(given.ctx.waited_for) - {place}:
        raise Refusal(Problem.NOT_WAITED_FOR)
    if given.user in given.room.called:
        raise Refusal(Problem.CALLED_ALREADY)
    left = given.room.quiet_since + given.ctx.silence - given.now
    if left > 0:
        raise Refusal(Problem.NOT_QUIET, seconds=-(-left // 1000))
    return (ChoiceCalled(given.user),)


def _rematch(given: UserCommand[Rematch]) -> Events:
    if given.room.status in ("open", "playing"):
        raise Refusal(Problem.NOT_FINISHED)
    _own_place(given.room, given.user)
    if given.room.rematch is not None:
        raise Refusal(Problem.REMATCH_MADE, table=given.room.rematch)
    return ()


def _be_done(given: UserCommand[BeDone]) -> Events:
    _require_status(given.room, "playing")
    place = _own_place(given.room, given.user)
    if not lasts_days(given.room):
        raise Refusal(Problem.NOT_OVER_DAYS)
    return (DoneGiven(place) if given.command.done else DoneTakenBack(place),)


_DECIDE: dict[type, Callable[[UserCommand[Any]], Events]] = {
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
    BeDone: _be_done,
}
"""One function for every command."""

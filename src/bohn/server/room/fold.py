"""Fold room events into rooms: total, and without any rules, so an old table always loads."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from bohn.protocol.room import LastCall, Room, Seat, Status
from bohn.protocol.room_events import (
    Abandoned,
    AnyRoomEvent,
    BotRemoved,
    BotSeated,
    ChoiceCalled,
    ClockMissed,
    ClocksKept,
    DealRevealed,
    DoneGiven,
    DoneTakenBack,
    Finished,
    HandedOver,
    HostPassed,
    Kicked,
    LastCallBegan,
    LastCallProlonged,
    OptionsChosen,
    OrdersLookedAt,
    Paused,
    PlayingTimesSet,
    RematchMade,
    Resumed,
    SaltGiven,
    Sat,
    Started,
    Stood,
    TableOpened,
    TakenBack,
)
from bohn.server.room.options import without_head_start

EMPTY = Seat()


def fold_room(events: Iterable[AnyRoomEvent], room: Room | None) -> Room:
    """Return the room after these events; ``room`` is ``None`` before a table's first, :class:`TableOpened`.

    Raises :class:`ValueError` where that one is missing, and in no other case.
    """
    for event in events:
        if isinstance(event, TableOpened):
            room = _opened(event)
        elif room is not None:
            room = _FOLDS[type(event)](room, event)
    if room is None:
        msg = "a table begins with table-opened"
        raise ValueError(msg)
    return room


def fold_kicked(events: Iterable[AnyRoomEvent], room: Room | None, kicked: frozenset[str]) -> frozenset[str]:
    """Return who has been kicked and has not sat down since, after these events in this room.

    It is no part of the room, because the room is shown to everybody.
    """
    for event in events:
        if isinstance(event, Sat):
            kicked -= {event.user}
        elif isinstance(event, Kicked) and room is not None:
            kicked |= {user for user in (room.seats[event.seat].user,) if user is not None}
        room = fold_room((event,), room)
    return kicked


def after_game(room: Room, at: int) -> Room:
    """Return the room after a batch of the game: the silence begins anew, and no call counts any more."""
    return replace(room, quiet_since=at, called=())


def after_trading(room: Room) -> Room:
    """Return the room after a trading: nobody is done with the next one."""
    return replace(room, done=()) if room.done else room


def _opened(event: TableOpened) -> Room:
    return Room(
        id=event.table,
        options=event.options,
        host=event.host,
        seats=(EMPTY,) * event.options.players,
        commitment=event.commitment,
        opened=event.at,
        origin=event.origin,
        lesson=event.lesson,
    )


# -- seats -------------------------------------------------------------------------------------------


def _with_seat(room: Room, place: int, seat: Seat) -> Room:
    return replace(room, seats=(*room.seats[:place], seat, *room.seats[place + 1 :]))


def _changed(room: Room, place: int, **changes: Any) -> Room:
    return _with_seat(room, place, replace(room.seats[place], **changes))


def _options_chosen(room: Room, event: OptionsChosen) -> Room:
    """Keep the first seats and whoever sits there; seats beyond the new number go."""
    players = event.options.players
    added = (EMPTY,) * max(0, players - len(room.seats))
    return replace(room, options=event.options, seats=room.seats[:players] + added)


def _sat(room: Room, event: Sat) -> Room:
    return _with_seat(room, event.seat, Seat(user=event.user, since=event.at, salt=event.salt))


def _freed(room: Room, event: Stood | BotRemoved) -> Room:
    """Free a seat; a head start goes with whoever sat there."""
    room = replace(room, options=without_head_start(room.options, event.seat))
    return _with_seat(room, event.seat, EMPTY)


def _salt_given(room: Room, event: SaltGiven) -> Room:
    return _changed(room, event.seat, salt=event.salt)


def _bot_seated(room: Room, event: BotSeated) -> Room:
    return _with_seat(room, event.seat, Seat(bot=event.bot, salt=event.salt, name=event.name))


def _kicked(room: Room, event: Kicked) -> Room:
    """Take the owner away; during the game his salt stays, because it is in the seed."""
    room = replace(room, called=tuple(user for user in room.called if user != room.seats[event.seat].user))
    if event.bot is None:
        room = replace(room, options=without_head_start(room.options, event.seat))
        return _with_seat(room, event.seat, EMPTY)
    return _changed(room, event.seat, user=None, bot=event.bot, since=0, misses=0, handed_over=UNSET)


def _handed_over(room: Room, event: HandedOver) -> Room:
    return _changed(room, event.seat, bot=event.bot, misses=0, handed_over=event.at or UNSET)


def _taken_back(room: Room, event: TakenBack) -> Room:
    return _changed(room, event.seat, bot=None, misses=0, handed_over=UNSET)


def _clock_missed(room: Room, event: ClockMissed) -> Room:
    return _changed(room, event.seat, misses=room.seats[event.seat].misses + 1)


def _clocks_kept(room: Room, event: ClocksKept) -> Room:
    return _changed(room, event.seat, misses=0)


# -- the course of the table -------------------------------------------------------------------------


def _host_passed(room: Room, event: HostPassed) -> Room:
    return replace(room, host=event.user)


def _started(room: Room, event: Started) -> Room:  # noqa: ARG001 - one signature for all folds
    return replace(room, status="playing")


def _paused(room: Room, event: Paused) -> Room:
    return replace(room, paused=True, paused_at=event.at)


def _resumed(room: Room, event: Resumed) -> Room:
    """Put off by the length of the pause what is counted in absolute time."""
    length = max(0, event.at - room.paused_at)
    call = room.last_call
    if call is not None:
        call = replace(call, until=call.until + length, announced=call.announced + length)
    return replace(room, paused=False, paused_at=0, quiet_since=room.quiet_since + length, last_call=call)


def _choice_called(room: Room, event: ChoiceCalled) -> Room:
    return replace(room, called=(*room.called, event.user))


def _last_call_began(room: Room, event: LastCallBegan) -> Room:
    return replace(room, last_call=LastCall(event.turn, event.until, announced=event.until))


def _last_call_prolonged(room: Room, event: LastCallProlonged) -> Room:
    call = room.last_call and replace(room.last_call, until=event.until, prolonged=True)
    return replace(room, last_call=call)


def _done_given(room: Room, event: DoneGiven) -> Room:
    return replace(room, done=tuple(sorted({*room.done, event.seat})))


def _done_taken_back(room: Room, event: DoneTakenBack) -> Room:
    return replace(room, done=tuple(seat for seat in room.done if seat != event.seat))


def _orders_looked_at(room: Room, event: OrdersLookedAt) -> Room:  # noqa: ARG001 - one signature for all folds
    return room


def _playing_times_set(room: Room, event: PlayingTimesSet) -> Room:
    return replace(room, times=event.times)


def _over(status: Status) -> Callable[[Room, Any], Room]:
    """Return how a table ends in this status."""

    def end(room: Room, event: Finished | Abandoned) -> Room:
        over = replace(room, status=status, paused=False, paused_at=0, called=(), last_call=None)
        if not isinstance(event, Abandoned):
            return over
        # in older logs a word is all that tells of an operator
        by = event.ended_by or ("operator" if event.word else "")
        return replace(over, word=event.word, ended_by=by)

    return end


def _deal_revealed(room: Room, event: DealRevealed) -> Room:
    return replace(room, reveal=event.reveal)


def _rematch_made(room: Room, event: RematchMade) -> Room:
    return replace(room, rematch=event.table)


_FOLDS: dict[type, Callable[[Room, Any], Room]] = {
    OptionsChosen: _options_chosen,
    Sat: _sat,
    Stood: _freed,
    SaltGiven: _salt_given,
    BotSeated: _bot_seated,
    BotRemoved: _freed,
    Kicked: _kicked,
    HostPassed: _host_passed,
    Started: _started,
    Paused: _paused,
    Resumed: _resumed,
    HandedOver: _handed_over,
    TakenBack: _taken_back,
    ClockMissed: _clock_missed,
    ClocksKept: _clocks_kept,
    ChoiceCalled: _choice_called,
    LastCallBegan: _last_call_began,
    LastCallProlonged: _last_call_prolonged,
    Finished: _over("finished"),
    Abandoned: _over("abandoned"),
    DealRevealed: _deal_revealed,
    RematchMade: _rematch_made,
    DoneGiven: _done_given,
    DoneTakenBack: _done_taken_back,
    OrdersLookedAt: _orders_looked_at,
    PlayingTimesSet: _playing_times_set,
}
"""One function for every kind of event but the first."""

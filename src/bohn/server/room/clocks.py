"""Clocks: which timers a table has after a batch, and what their expiry brings about. Times in ms.

A timer's key says what it times: ``decision:<seat>``, ``trading:<turn>`` or ``last-call:<turn>``.
"""

from __future__ import annotations

import re

from msgspec import Struct

from bohn.rules.commands import Command, MakePromise, SetWish, WithdrawPromise
from bohn.rules.ruleset import Rules
from bohn.rules.state import EndPhase, State, TradePhase
from bohn.server.room.state import Room
from bohn.server.settings import Times
from bohn.server.store.protocol import Timer
from bohn.server.wire import frames
from bohn.sim.floor import due

DECISION, TRADING, LAST_CALL = "decision", "trading", "last-call"
_NUMBER = re.compile(r"[0-9]{1,6}", re.ASCII)

# -- which timers there are ----------------------------------------------------------------------------


def timers_after(
    room: Room, state: State | None, before: tuple[Timer, ...], acted: int | None, now: int, times: Times
) -> tuple[Timer, ...]:
    """Return the timers of a table after a batch at ``now``, given those before it.

    ``acted`` is the seat whose decision the batch was (:func:`acting`); its clock starts afresh.
    """
    if room.status != "playing" or state is None:
        return ()
    old = {timer.key: timer for timer in before}
    if acted is not None:
        old.pop(f"{DECISION}:{acted}", None)
    wanted = {**_clocks(room, state, now, times), **_last_call(room, state)}
    running = [_standing(room, now, _kept(old.get(key), key, fresh, now)) for key, fresh in wanted.items()]
    return (*running, *_resting(room, state, old, now))


def _resting(room: Room, state: State, old: dict[str, Timer], now: int) -> tuple[Timer, ...]:
    """Return the clocks of owners for whom a bot plays: they stand, so that nobody gains time by leaving."""
    if isinstance(state.phase, TradePhase):
        return ()
    seats = [seat for seat in sorted(due(state)) if room.seats[seat].user and room.seats[seat].bot]
    keys = [f"{DECISION}:{seat}" for seat in seats]
    return tuple(_stopped(old[key], now) for key in keys if key in old)


def acting(command: Command) -> int | None:
    """Return the seat that a command decides for; none for talk, which must not wind up his clock."""
    return None if isinstance(command, SetWish | MakePromise | WithdrawPromise) else command.player


def played_by_person(room: Room, place: int) -> bool:
    """Tell whether an owner plays his seat himself; where a bot plays, no clock runs."""
    seat = room.seats[place]
    return seat.user is not None and seat.bot is None


def waited_for(rules: Rules, state: State) -> tuple[int, ...]:
    """Return the seats that the game waits for.

    While beans are traded: the active player, or everybody who has not passed where all must.
    """
    phase = state.phase
    if not isinstance(phase, TradePhase):
        return due(state)
    if rules.closing != "unanimous":
        return (state.active_player,)
    return tuple(seat for seat in range(len(state.players)) if seat not in phase.passes)


def _clocks(room: Room, state: State, now: int, times: Times) -> dict[str, int]:
    """Return when each clock would expire if it began now; none at a table without clocks."""
    if room.options.clock == "none":
        return {}
    slow = room.options.clock == "slow"
    if isinstance(state.phase, TradePhase):
        return {f"{TRADING}:{state.turn}": now + (times.slow_trading if slow else times.fast_trading)}
    ends = now + (times.slow_decision if slow else times.fast_decision)
    return {f"{DECISION}:{seat}": ends for seat in sorted(due(state)) if played_by_person(room, seat)}


def _last_call(room: Room, state: State) -> dict[str, int]:
    call = room.last_call
    if call is None or call.turn != state.turn or not isinstance(state.phase, TradePhase):
        return {}
    return {f"{LAST_CALL}:{call.turn}": call.until}


def _kept(timer: Timer | None, key: str, fresh: int, now: int) -> Timer:
    """Return a timer that runs: the one there was, or a fresh one.

    A last call may be prolonged, and every timer may have been put off after a time in which nobody served.
    """
    if timer is None:
        return Timer(key, fresh)
    ends = timer.due if timer.due is not None else now + (timer.left or 0)
    return Timer(key, max(ends, fresh) if key.startswith(LAST_CALL) else ends)


def _standing(room: Room, now: int, timer: Timer) -> Timer:
    """Return the timer as it stands while the table pauses."""
    return _stopped(timer, now) if room.paused else timer


def _stopped(timer: Timer, now: int) -> Timer:
    return timer if timer.due is None else Timer(timer.key, None, max(0, timer.due - now))


# -- what an expiry brings about -------------------------------------------------------------------------


class Choice(Struct, frozen=True):
    """The choice is made for this seat: one decision of the default bot."""

    seat: int


class EndTradingNow(Struct, frozen=True):
    """The active player ends the trading; there is no last call any more."""

    player: int


class PassFor(Struct, frozen=True):
    """All these pass, one after the other, until the trading is over."""

    players: tuple[int, ...]


class Nothing(Struct, frozen=True):
    """The game has moved on: the timer is void."""


Expiry = Choice | EndTradingNow | PassFor | Nothing
NOTHING = Nothing()


def expiry(room: Room, rules: Rules, state: State | None, key: str) -> Expiry:
    """Return what the expiry of a timer brings about now; total, whatever the key."""
    kind, _, number = key.partition(":")
    if state is None or room.status != "playing" or room.paused or not _NUMBER.fullmatch(number):
        return NOTHING
    if kind == DECISION:
        seat = int(number)
        return Choice(seat) if seat in due(state) and played_by_person(room, seat) else NOTHING
    trading = isinstance(state.phase, TradePhase) and int(number) == state.turn
    return _close(rules, state) if trading and kind in (TRADING, LAST_CALL) else NOTHING


def choices_called(rules: Rules, state: State) -> tuple[Expiry, ...]:
    """Return what enough calls bring about: the end of the trading, or a choice for all waited for."""
    if isinstance(state.phase, EndPhase):
        return ()
    if isinstance(state.phase, TradePhase):
        return (_close(rules, state),)
    return tuple(Choice(seat) for seat in due(state))


def _close(rules: Rules, state: State) -> Expiry:
    """End the trading as the closing policy knows it."""
    if rules.closing != "unanimous":
        return EndTradingNow(state.active_player)
    return PassFor(waited_for(rules, state))


# -- for the wire ----------------------------------------------------------------------------------------


def view_of(timers: tuple[Timer, ...]) -> tuple[frames.Clock, ...]:
    """Return the clocks as everybody sees them; the last call is in the room."""
    shown = []
    for timer in timers:
        kind, _, number = timer.key.partition(":")
        if kind != LAST_CALL:
            seat = int(number) if kind == DECISION else None
            shown.append(frames.Clock(seat, timer.due, timer.left))
    return tuple(shown)

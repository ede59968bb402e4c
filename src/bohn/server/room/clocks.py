"""Clocks: which timers a table has after a batch, and what their expiry brings about. Times in ms.

A timer's key says what it times: ``decision:<seat>``, ``trading:<turn>`` or ``last-call:<turn>``. In a game
over days each owner has a ``reserve:<seat>`` besides, which never runs: what is left of it lies behind the
time of each of his decisions, and is used up where one takes longer than that. There ``beat:<turn>`` is when
standing orders are looked at next; the last beat is the end of the trading's clock. Outside playing hours and
in holidays clocks stand still (:mod:`bohn.server.room.resting`).
"""

from __future__ import annotations

import re
from collections.abc import Collection

from msgspec import UNSET, Struct
from msgspec.structs import replace

from bohn.protocol import frames
from bohn.protocol.room import HOURS, ClockName, PaceName, Room
from bohn.rules.commands import Command, EndTrading, MakePromise, Pass, SetWish, WithdrawPromise
from bohn.rules.legal import waiting
from bohn.rules.policies import ALL_MUST_PASS
from bohn.rules.ruleset import Rules
from bohn.rules.state import EndPhase, State, TradePhase
from bohn.server.room.resting import NO_RESTS, Gaps, Rests, behind, between, shifted
from bohn.server.settings import Times
from bohn.server.store.protocol import Timer

DECISION, TRADING, LAST_CALL, RESERVE, BEAT = "decision", "trading", "last-call", "reserve", "beat"

HOUR = 3_600_000
RESERVES = 2
"""How many decisions' time the reserve of a game over days is at its start."""

BEATS = 8
"""Beats that the clock of a trading over days has, its end among them."""

FACTORS: dict[PaceName, float] = {"relaxed": 2.0, "normal": 1.0, "brisk": 0.5}
"""Factor on every delay beside people, by the pace that the host has chosen."""

RESTS_SHOWN = 30
"""Times in which a clock stands still that are told with it."""

_NUMBER = re.compile(r"[0-9]{1,6}", re.ASCII)

# -- which timers there are ----------------------------------------------------------------------------


def timers_after(
    room: Room,
    rules: Rules,
    state: State | None,
    before: tuple[Timer, ...],
    acted: int | None,
    now: int,
    times: Times,
    *,
    looked: bool = False,
    rests: Rests = NO_RESTS,
    rested: Rests | None = None,
) -> tuple[Timer, ...]:
    """Return the timers of a table after a batch at ``now``, given those before it.

    ``acted`` is the seat whose decision the batch was (:func:`acting`); its clock starts afresh. ``looked``:
    the batch is a beat, so that the next one follows. ``rests`` is when clocks stand still from now on,
    ``rested`` when they would have before, if that was otherwise.
    """
    if room.status != "playing" or state is None:
        return ()
    old = {timer.key: timer for timer in before}
    rested = rests if rested is None else rested
    reserves = _reserves(room, old, acted, now, rested)
    if acted is not None:
        old.pop(f"{DECISION}:{acted}", None)
    wanted = {**_clocks(room, rules, state, now, times, reserves, rests), **_last_call(room, state)}
    gaps = {key: gaps_of(rests, key) for key in wanted}
    kept_on = {
        key: _continued(old.get(key), key, fresh, now, gaps[key], gaps_of(rested, key))
        for key, fresh in wanted.items()
    }
    kept_on |= _beat(room, state, old, kept_on, now, rests, rested, looked=looked)
    running = [
        _stopped(timer, now, gaps_of(rests, key)) if room.paused else timer for key, timer in kept_on.items()
    ]
    kept = (Timer(f"{RESERVE}:{seat}", None, left) for seat, left in reserves.items())
    return (*running, *_clocks_of_absent(room, rules, state, old, now, rested), *kept)


def gaps_of(rests: Rests, key: str) -> Gaps:
    """Return when a timer stands still."""
    kind, _, number = key.partition(":")
    if kind == DECISION:
        return rests.of(int(number))
    return rests.trading if kind in (TRADING, BEAT) else ()


def _reserves(room: Room, old: dict[str, Timer], acted: int | None, now: int, rests: Rests) -> dict[int, int]:
    """Return what each owner's reserve has left in a game over days; ``acted`` may have used of his own."""
    hours = HOURS.get(room.options.clock)
    if hours is None:
        return {}
    left = {}
    for place, seat in enumerate(room.seats):
        if seat.user is None:
            continue
        kept = old.get(f"{RESERVE}:{place}")
        left[place] = RESERVES * hours * HOUR if kept is None else kept.left or 0
        clock = old.get(f"{DECISION}:{place}") if place == acted else None
        if clock is not None:  # until its end there was what is left of the time, and the reserve behind it
            rest = max(0, _left_of(clock, now, rests.of(place)))
            left[place] = min(left[place], rest)
    return left


def _clocks_of_absent(
    room: Room, rules: Rules, state: State, old: dict[str, Timer], now: int, rests: Rests
) -> tuple[Timer, ...]:
    """Return the clocks of owners for whom a bot plays: stopped, so that nobody gains time by leaving."""
    seats = [seat for seat in _choosing(rules, state) if room.seats[seat].user and room.seats[seat].bot]
    keys = [f"{DECISION}:{seat}" for seat in seats]
    return tuple(_stopped(old[key], now, gaps_of(rests, key)) for key in keys if key in old)


def acting(command: Command) -> int | None:
    """Return the seat that a command decides for; none for talk, which must not restart its clock."""
    return None if isinstance(command, SetWish | MakePromise | WithdrawPromise) else command.player


def played_by_person(room: Room, place: int) -> bool:
    """Tell whether an owner plays his seat himself; where a bot plays, no clock runs."""
    seat = room.seats[place]
    return seat.user is not None and seat.bot is None


def refused_by_all(room: Room, state: State) -> bool:
    """Tell whether all computer players have refused what the only person, who has the turn, offers.

    He is told of every refusal, so what follows from it tells him nothing. Nothing else is offered.
    """
    if not isinstance(state.phase, TradePhase) or not played_by_person(room, state.active_player):
        return False
    if any(seat.user for place, seat in enumerate(room.seats) if place != state.active_player):
        return False
    return all(set(offer.to) <= set(offer.declined) for offer in state.phase.offers)


def _choosing(rules: Rules, state: State) -> tuple[int, ...]:
    """Return the seats whose decision the game waits for; the trading has one clock for all."""
    return () if isinstance(state.phase, TradePhase) else tuple(sorted(waiting(rules, state)))


def lengths(clock: ClockName, times: Times) -> tuple[int, int] | None:
    """Return the ms that a decision and a trading may take by a table's clock; none without one."""
    if clock == "none":
        return None
    if clock in HOURS:
        return HOURS[clock] * HOUR, HOURS[clock] * HOUR
    slow = clock == "slow"
    return (times.slow_decision, times.slow_trading) if slow else (times.fast_decision, times.fast_trading)


def lasts_days(room: Room) -> bool:
    """Tell whether people are not at this table at the same time: its clock counts in hours."""
    return room.options.clock in HOURS


def _clocks(
    room: Room,
    rules: Rules,
    state: State,
    now: int,
    times: Times,
    reserves: dict[int, int],
    rests: Rests,
) -> dict[str, int]:
    """Return when each clock would expire if it began now; none at a table without clocks."""
    long = lengths(room.options.clock, times)
    if long is None:
        return {}
    decision, trading = long
    if isinstance(state.phase, TradePhase):
        return {f"{TRADING}:{state.turn}": behind(now, trading, rests.trading)}
    return {
        f"{DECISION}:{seat}": behind(now, decision + reserves.get(seat, 0), rests.of(seat))
        for seat in _choosing(rules, state)
        if played_by_person(room, seat)
    }


def _beat(
    room: Room,
    state: State,
    old: dict[str, Timer],
    running: dict[str, Timer],
    now: int,
    rests: Rests,
    rested: Rests,
    *,
    looked: bool,
) -> dict[str, Timer]:
    """Return when orders are looked at next; with the end of the trading's clock they are in any case."""
    hours = HOURS.get(room.options.clock)
    trading = running.get(f"{TRADING}:{state.turn}")
    if hours is None or trading is None:
        return {}
    key, every = f"{BEAT}:{state.turn}", hours * HOUR // BEATS
    last = old.pop(key, None) if looked else None
    if key in old:
        return {key: _continued(old[key], key, 0, now, rests.trading, rested.trading)}
    begun = now if last is None or last.due is None else last.due
    due = behind(begun, every, rests.trading)
    return {key: Timer(key, due)} if trading.due is None or due < trading.due else {}


def _left_of(timer: Timer, now: int, gaps: Gaps) -> int:
    """Return how long a timer runs still."""
    return timer.left or 0 if timer.due is None else between(now, timer.due, gaps)


def _last_call(room: Room, state: State) -> dict[str, int]:
    call = room.last_call
    if call is None or call.turn != state.turn or not isinstance(state.phase, TradePhase):
        return {}
    return {f"{LAST_CALL}:{call.turn}": call.until}


def _continued(timer: Timer | None, key: str, fresh: int, now: int, gaps: Gaps, before: Gaps) -> Timer:
    """Return a timer that runs: the one there was, or a fresh one.

    A last call may be prolonged, and every timer may have been put off after a time in which no server ran.
    One that stood still at other times ``before`` has as long to run as it had.
    """
    if timer is None:
        return Timer(key, fresh)
    same = timer.due is not None and gaps == before
    ends = timer.due if same else behind(now, _left_of(timer, now, before), gaps)
    assert ends is not None  # noqa: S101 - the same is one that runs
    return Timer(key, max(ends, fresh) if key.startswith(LAST_CALL) else ends)


def _stopped(timer: Timer, now: int, gaps: Gaps) -> Timer:
    return timer if timer.due is None else Timer(timer.key, None, max(0, between(now, timer.due, gaps)))


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


class LookAtOrders(Struct, frozen=True, gc=False):
    """A beat: standing orders are looked at, then whoever is done passes, or ``all_pass``."""

    turn: int
    all_pass: bool


class Nothing(Struct, frozen=True):
    """The game has moved on: the timer is void."""


Expiry = Choice | EndTradingNow | PassFor | LookAtOrders | Nothing
NOTHING = Nothing()


def expiry(room: Room, rules: Rules, state: State | None, key: str) -> Expiry:
    """Return what the expiry of a timer brings about now; total, whatever the key."""
    kind, _, number = key.partition(":")
    if state is None or room.status != "playing" or room.paused or not _NUMBER.fullmatch(number):
        return NOTHING
    if kind == DECISION:
        seat = int(number)
        return Choice(seat) if seat in _choosing(rules, state) and played_by_person(room, seat) else NOTHING
    trading = isinstance(state.phase, TradePhase) and int(number) == state.turn
    if trading and lasts_days(room) and kind in (BEAT, TRADING):
        return LookAtOrders(state.turn, kind == TRADING)
    return _close(rules, state) if trading and kind in (TRADING, LAST_CALL) else NOTHING


def choices_called(rules: Rules, state: State) -> tuple[Expiry, ...]:
    """Return what enough calls bring about: the end of the trading, or a choice for all waited for."""
    if isinstance(state.phase, EndPhase):
        return ()
    if isinstance(state.phase, TradePhase):
        return (_close(rules, state),)
    return tuple(Choice(seat) for seat in waiting(rules, state))


def _close(rules: Rules, state: State) -> EndTradingNow | PassFor:
    """End the trading as the closing policy knows it."""
    if not ALL_MUST_PASS[rules.closing]:
        return EndTradingNow(state.active_player)
    return PassFor(tuple(sorted(waiting(rules, state))))


def closing(rules: Rules, state: State, seats: Collection[int]) -> tuple[EndTrading | Pass, ...]:
    """Return what closes the trading as far as it is for these seats to close it."""
    how = _close(rules, state)
    if isinstance(how, EndTradingNow):
        return (EndTrading(how.player),) if how.player in seats else ()
    return tuple(Pass(player) for player in how.players if player in seats)


# -- for the wire ----------------------------------------------------------------------------------------


def timed(room: Room, timers: tuple[Timer, ...]) -> Room:
    """Return the room as it is shown: its last call ends with its timer, which may have been put off."""
    call = room.last_call
    if call is None:
        return room
    until = next((timer.due for timer in timers if timer.key == f"{LAST_CALL}:{call.turn}"), None)
    return room if until in {None, call.until} else replace(room, last_call=replace(call, until=until))


def view_of(timers: tuple[Timer, ...], rests: Rests = NO_RESTS, now: int = 0) -> tuple[frames.Clock, ...]:
    """Return the clocks as everybody sees them; the last call is in the room."""
    reserves = {timer.key.partition(":")[2]: timer.left or 0 for timer in timers if _kind(timer) == RESERVE}
    beats = {timer.key.partition(":")[2]: timer.due for timer in timers if _kind(timer) == BEAT}
    shown = []
    for timer in timers:
        kind, _, number = timer.key.partition(":")
        if kind not in (DECISION, TRADING):
            continue
        gaps = gaps_of(rests, timer.key)
        due = None if timer.due is None else shifted(timer.due, gaps)
        told = _told(gaps, now, due)
        if kind == DECISION:
            shown.append(
                frames.Clock(int(number), due, timer.left, reserves.get(number, 0), rests=told or UNSET)
            )
        else:
            beat = beats.get(number)
            beat = None if beat is None else shifted(beat, gaps)
            shown.append(frames.Clock(None, due, timer.left, beat=beat, rests=told or UNSET))
    return tuple(shown)


def _told(gaps: Gaps, now: int, due: int | None) -> Gaps:
    """Return the times in which a clock stands still until it is due: the first of them."""
    if due is None:
        return ()
    return tuple(pair for pair in gaps if pair[1] > now and pair[0] < due)[:RESTS_SHOWN]


def _kind(timer: Timer) -> str:
    return timer.key.partition(":")[0]

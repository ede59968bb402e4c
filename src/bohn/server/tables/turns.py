"""Whose turn it is: whom a game waits for, and how long it waits."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bohn.protocol.api import Awaited
from bohn.protocol.room import HOURS
from bohn.rules.commands import Plant, Reveal
from bohn.rules.legal import legal_commands, waiting
from bohn.rules.ruleset import Rules
from bohn.rules.state import GiftPhase, PlantPhase, State, TradePhase
from bohn.server.room.clocks import DECISION, TRADING, gaps_of, lasts_days, played_by_person, view_of
from bohn.server.room.resting import shifted
from bohn.server.store.protocol import Store, Timer
from bohn.server.tables.api import Peek, Turn
from bohn.server.tables.calendar import on_holiday, rests_of
from bohn.server.tables.loaded import LoadedTable
from bohn.server.tables.snapshot import Snapshot


def awaited(table: Snapshot | Peek) -> frozenset[str]:
    """Return the users whom the game waits for; nobody while it pauses, nor whoever a bot plays for.

    Whoever is done with a trading is not waited for before something else is his to do: then he is told.
    """
    users = (table.room.seats[seat].user for seat in _seats_awaited(table))
    return frozenset(user for user in users if user is not None)


def _seats_awaited(table: Snapshot | Peek) -> tuple[int, ...]:
    """Return the seats of people whom the game waits for."""
    room, state = table.room, table.state
    if room.status != "playing" or room.paused or state is None:
        return ()
    seats = sorted(waiting(table.rules, state))
    return tuple(seat for seat in seats if played_by_person(room, seat) and seat not in room.done)


def awaited_at(table: Snapshot | Peek, user: str, now: int) -> Awaited | None:
    """Return for what a game waits, with the clock that matters to a user; ``None``: it is not played."""
    room, state = table.room, table.state
    if room.status != "playing" or state is None:
        return None
    seats, own = _seats_awaited(table), room.seat_of(user)
    phase = _doing(table.rules, state, own)
    if room.paused:
        return Awaited((), phase, state.active_player, paused=True)
    clock = None
    if lasts_days(room):
        shown = view_of(table.timers, rests_of(room, state, now), now)
        ending = [one for one in shown if one.due is not None and (one.seat is None or one.seat in seats)]
        clock = min(ending, key=lambda one: (one.seat != own, one.due or 0), default=None)
    everybody = waiting(table.rules, state)
    done = [seat for seat in everybody if seat in room.done and played_by_person(room, seat)]
    all_done = isinstance(state.phase, TradePhase) and len(done) == len(everybody)
    asked = isinstance(state.phase, GiftPhase) and state.phase.open
    return Awaited(seats, phase, state.active_player, clock, all_done, gift_open=asked)


def _doing(rules: Rules, state: State, own: int | None) -> str:
    """Return the phase, as the player himself sees it: who has planted and can plant no more turns over."""
    if own == state.active_player and isinstance(state.phase, PlantPhase):
        names = {type(command) for command in legal_commands(rules, state, own)}
        if Reveal in names and Plant not in names:
            return "reveal"
    return str(state.phase.__struct_config__.tag)


class Turns:
    """Looks whether a turn lasts still."""

    def __init__(
        self,
        load: Callable[[str], Awaitable[LoadedTable]],
        find: Callable[[str], LoadedTable | None],
        read_on: Callable[[LoadedTable], Awaitable[None]],
        store: Store,
        now: Callable[[], int],
        *,
        shared: bool,
    ) -> None:
        """Look at the tables that ``load`` returns, and ``find`` if they are in memory already.

        ``read_on`` reads what other workers have appended.
        """
        self._load = load
        self._find = find
        self._read_on = read_on
        self._store = store
        self._now = now
        self._shared = shared

    async def turn_of(self, table: str, user: str) -> Turn | None:
        """Return the turn of a user at a table, if it is his now. Raises ``no-such-table``."""
        loaded = await self._load(table)
        if self._shared:
            heads = await self._store.heads((table,))
            if heads.get(table, 0) > loaded.snapshot.seq:
                await self._read_on(loaded)
        snapshot = loaded.snapshot
        if user not in awaited(snapshot) or snapshot.state is None:
            return None
        room, now = snapshot.room, self._now()
        seat = room.seat_of(user)
        timer = _clock_of(seat, snapshot.timers)
        gaps = () if timer is None else gaps_of(rests_of(room, snapshot.state, now), timer.key)
        return Turn(
            room,
            str(snapshot.state.phase.__struct_config__.tag),
            None if timer is None or timer.due is None else shifted(timer.due, gaps),
            HOURS.get(room.options.clock),
            loaded.presence.connected(user),
            gaps,
            on_holiday(room, seat, now),
        )

    def lasts(self, table: str, user: str) -> bool:
        """Tell whether it is a user's turn at a table in memory, as it stands there."""
        loaded = self._find(table)
        return loaded is not None and user in awaited(loaded.snapshot)


def _clock_of(seat: int | None, timers: tuple[Timer, ...]) -> Timer | None:
    """Return the clock of a seat, or that of the trading."""
    for timer in timers:
        kind, _, number = timer.key.partition(":")
        if kind == TRADING or (kind == DECISION and number == str(seat)):
            return timer
    return None

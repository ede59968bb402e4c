"""The signs that people give while beans are traded: who puts an offer together, and who has traded enough.

They tell nothing of any cards, stand in no log, and end with the trading. So that nobody holds it open for
ever, a sign that somebody composes ends by itself, and all of his in one trading have a bound.
"""

from __future__ import annotations

from collections.abc import Callable

from bohn.protocol import frames
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Room
from bohn.rules.commands import Command, DeclineOffer
from bohn.rules.events import OfferEdited, OfferMade
from bohn.rules.state import State, TradePhase
from bohn.server.clock import TimeSource
from bohn.server.room.clocks import FACTORS, played_by_person, refused_by_all
from bohn.server.settings import Times
from bohn.server.store.protocol import LogRow
from bohn.server.store.shared import Present
from bohn.server.tables.background import Background
from bohn.server.tables.loaded import LoadedTable
from bohn.server.tables.table_signs import NO_SIGNS

LESSON_MOST = 300_000
"""Ms that a learner's signs hold in one trading: as long as the bots of a lesson wait for an answer."""


class Signs:
    """Takes the signs of all tables; ``changed`` is called with a table when its signs are others."""

    def __init__(
        self, clock: TimeSource, times: Times, background: Background, changed: Callable[[LoadedTable], None]
    ) -> None:
        """Begin without any."""
        self._clock = clock
        self._times = times
        self._background = background
        self._changed = changed

    def give(
        self, loaded: LoadedTable, user: str, sign: frames.Sign | None, turn: int | None = None
    ) -> frames.Sign | None:
        """Take the sign of a user; return the one that holds. Raises :class:`Refusal` (``not-seated``).

        One that is meant for another ``turn`` than this comes too late: nothing holds of it.
        """
        seat = loaded.snapshot.room.seat_of(user)
        if seat is None:
            raise Refusal(Problem.NOT_SEATED)
        state = loaded.snapshot.state
        if turn is not None and state is not None and state.turn != turn:
            return None
        before = loaded.signs.shown
        holds = self._holding(loaded, seat, sign)
        loaded.signs.givers[seat] = user
        if loaded.signs.shown != before:
            self._changed(loaded)
        return holds

    def _holding(self, loaded: LoadedTable, seat: int, sign: frames.Sign | None) -> frames.Sign | None:
        signs, state = loaded.signs, loaded.snapshot.state
        if state is None or not isinstance(state.phase, TradePhase) or loaded.snapshot.room.paused:
            return None
        signs.of_turn(state.turn)
        now, times = self._clock.now(), self._times
        signs.enough = signs.enough | {seat} if sign == "enough" else signs.enough - {seat}
        if sign != "composing":
            signs.end_composing(seat, now)
            return sign
        most = _most(loaded.snapshot.room, times)
        if not signs.compose(seat, now, times.composing, most):
            return None
        self._wait_for_end(loaded, seat)
        return sign

    def take_in(self, loaded: LoadedTable, present: tuple[Present, ...]) -> None:
        """Take in, once, the signs that were given by other workers before the table was loaded here."""
        signs, state = loaded.signs, loaded.snapshot.state
        if signs.taken_in:
            return
        signs.taken_in = True
        if state is None or not isinstance(state.phase, TradePhase):
            return
        before = signs.shown
        for one in present:
            seat = loaded.snapshot.room.seat_of(one.user)
            if seat is not None and seat not in signs.givers and one.sign and one.turn == state.turn:
                self._take_in_one(loaded, seat, one)
        if signs.shown != before:
            self._changed(loaded)

    def _take_in_one(self, loaded: LoadedTable, seat: int, given: Present) -> None:
        signs, now = loaded.signs, self._clock.now()
        signs.of_turn(given.turn)
        signs.givers[seat] = given.user
        if given.sign == "enough":
            signs.enough |= {seat}
        elif given.until > now:
            signs.composing[seat] = now, given.until
            self._wait_for_end(loaded, seat)

    def _wait_for_end(self, loaded: LoadedTable, seat: int) -> None:
        if seat not in loaded.signs.timed:
            loaded.signs.timed.add(seat)
            self._background.spawn_until_shutdown(self._end_in_time(loaded, seat))

    async def _end_in_time(self, loaded: LoadedTable, seat: int) -> None:
        """End a sign once it was not given again in time, one that was ended and given anew meanwhile too."""
        try:
            while (span := loaded.signs.composing.get(seat)) is not None:
                left = span[1] - self._clock.now()
                if left <= 0:
                    loaded.signs.end_composing(seat, span[1])
                    self._changed(loaded)
                    return
                await self._clock.sleep(left)
        finally:
            loaded.signs.timed.discard(seat)

    def others_have_enough(self, loaded: LoadedTable, seat: int) -> bool:
        """Tell whether every person but the one in ``seat`` has traded enough."""
        room = loaded.snapshot.room
        here = {place for place in range(len(room.seats)) if played_by_person(room, place)} - {seat}
        return bool(here) and here <= loaded.signs.enough

    def nobody_left(self, loaded: LoadedTable) -> bool:
        """Tell whether a last call has nobody left to wait for.

        Every other person has traded enough, and no computer player is asked by an offer that it has
        not claimed: that it has declined is secret. The only person at the table is told of it, so there it
        counts, unless he is putting something together still.
        """
        room, state = loaded.snapshot.room, loaded.snapshot.state
        if state is None or not isinstance(state.phase, TradePhase) or self.held_open(loaded):
            return False
        if not self.others_have_enough(loaded, state.active_player):
            return not loaded.signs.composing and refused_by_all(room, state)
        asked = {
            seat
            for offer in state.phase.offers
            for seat in {*offer.to} - {claim.player for claim in offer.claims}
        }
        return all(room.seats[seat].bot is None for seat in asked - {state.active_player})

    def held_open(self, loaded: LoadedTable) -> bool:
        """Tell whether somebody composes who is not the active player: the last call waits for him."""
        state = loaded.snapshot.state
        return state is not None and bool(loaded.signs.composing.keys() - {state.active_player})

    def noticed(self, loaded: LoadedTable, row: LogRow) -> None:
        """Let the signs fall that do not hold after a batch, and tell if there are any."""
        signs = loaded.signs
        if signs.shown == NO_SIGNS:
            return
        before = signs.shown
        state = loaded.snapshot.state
        if state is None or not isinstance(state.phase, TradePhase) or state.turn != signs.turn:
            signs.of_turn(None)
        else:
            signs.enough -= _stirred(row, state)
            self._let_leavers_fall(loaded)
        if signs.shown != before:
            self._changed(loaded)

    def _let_leavers_fall(self, loaded: LoadedTable) -> None:
        """Let the signs of seats fall in which who gave them plays no more: a bot does, or somebody else."""
        signs, room = loaded.signs, loaded.snapshot.room
        for seat, user in tuple(signs.givers.items()):
            if not (played_by_person(room, seat) and room.seats[seat].user == user):
                del signs.givers[seat]
                signs.enough -= {seat}
                signs.end_composing(seat, self._clock.now())


def _most(room: Room, times: Times) -> int:
    """Return how many ms somebody may compose in one trading: twice as long at a relaxed pace, never less."""
    if room.lesson is not None:
        return LESSON_MOST
    return int(times.composing_most * max(1.0, FACTORS[room.options.pace]))


def _stirred(row: LogRow, state: State) -> frozenset[int]:
    """Return the seats that have not traded enough after all: they do something, or are offered something.

    That somebody has declined is secret, so it counts for nothing here.
    """
    asked = {
        seat for event in row.events if isinstance(event, OfferMade | OfferEdited) for seat in event.offer.to
    }
    command = row.command
    by = {command.player} if isinstance(command, Command) and not isinstance(command, DeclineOffer) else set()
    return frozenset(asked | by) & frozenset(range(len(state.players)))

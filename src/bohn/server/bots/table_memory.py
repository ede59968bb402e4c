"""What the server remembers of a table for its bots: the offers of this turn, and what each seat knows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable

from bohn.bots.reasons import NONE, Reason
from bohn.protocol.room_events import AnyRoomEvent
from bohn.rules.beans import Bean
from bohn.rules.events import AnyEvent, Dealt, Event, OfferDeclined, OfferEdited, OfferMade
from bohn.rules.evolve import fold
from bohn.rules.ruleset import Rules
from bohn.rules.state import State, TradePhase
from bohn.server.bots.messages import Terms, terms_of
from bohn.server.store.protocol import LogRow
from bohn.server.tables.api import Peek
from bohn.views.knowledge import Knowledge, know, learn
from bohn.views.view import view
from bohn.views.visible import visible

ReadLog = Callable[[str], Awaitable[tuple[LogRow, ...]]]
"""Reads the whole log of a table (:meth:`bohn.server.store.protocol.Store.rows`)."""


def game_events(events: Iterable[AnyEvent | AnyRoomEvent]) -> tuple[Event, ...]:
    """Return the events of the game in a batch."""
    return tuple([event for event in events if isinstance(event, Event)])


class OffersMade:
    """The offers of each seat in this turn, made by its owner or its bot: a bot repeats none of them."""

    def __init__(self) -> None:
        """Begin empty."""
        self._turn = 0
        self._made: dict[int, list[Terms]] = {}

    def load(self, state: State) -> None:
        """Begin in the middle of a game: of what was offered before, only what still stands is known."""
        self._turn, self._made = state.turn, {}
        if isinstance(state.phase, TradePhase):
            for offer in state.phase.offers:
                self._made.setdefault(offer.maker, []).append(terms_of(offer))

    def follow(self, state: State, events: tuple[Event, ...]) -> None:
        """Note what a batch has brought."""
        if state.turn != self._turn:
            self._turn, self._made = state.turn, {}
        for event in events:
            if isinstance(event, OfferMade | OfferEdited):
                self._made.setdefault(event.offer.maker, []).append(terms_of(event.offer))

    def by(self, seat: int) -> tuple[Terms, ...]:
        """Return what a seat has offered this turn, oldest first."""
        return tuple(self._made.get(seat, ()))


class ToldNone:
    """Who has told whom in this turn that he has none of a kind: computer players say so when they refuse."""

    def __init__(self) -> None:
        """Begin empty."""
        self._turn = 0
        self._told: dict[int, dict[tuple[int, Bean], None]] = {}

    def note(self, turn: int, events: tuple[Event, ...], reason: Reason | None) -> None:
        """Note a refusal, if that is its reason; the maker of the offer alone hears it (OFFER-8)."""
        if turn != self._turn:
            self._turn, self._told = turn, {}
        if reason is None or reason.key != NONE:
            return
        for event in events:
            if isinstance(event, OfferDeclined):
                told = self._told.setdefault(event.maker, {})
                told[event.player, Bean(reason.params["bean"])] = None

    def to(self, seat: int, turn: int) -> tuple[tuple[int, Bean], ...]:
        """Return what a seat has been told in this turn: by whom, and of which kind."""
        return tuple(self._told.get(seat, ())) if turn == self._turn else ()


class SeatKnowledge:
    """The knowledge of the seats whose bots use it, up to the last batch."""

    def __init__(self) -> None:
        """Begin empty."""
        self._seq = 0
        self._by_seat: dict[int, Knowledge] = {}

    def follow(self, peek: Peek, row: LogRow | None, seats: Iterable[int]) -> None:
        """Learn from a batch; the deal begins the knowledge of ``seats``. After a gap all is forgotten."""
        if row is None or row.seq != self._seq + 1 or peek.seq != row.seq:
            self._by_seat.clear()
        self._seq = peek.seq
        if row is None or peek.state is None or peek.seq != row.seq:
            return
        events = game_events(row.events)
        if any(isinstance(event, Dealt) for event in events):
            self._by_seat = {seat: know(view(peek.rules, peek.state, seat)) for seat in seats}
            return
        for seat, knowledge in self._by_seat.items():
            self._by_seat[seat] = learnt(knowledge, events, seat)

    async def of_seat(self, peek: Peek, seat: int, log: ReadLog | None) -> Knowledge | None:
        """Return what a seat knows now: as remembered, else from the log, else only what it sees now."""
        if peek.state is None:
            return None
        known = self._by_seat.get(seat)
        if known is not None and peek.seq == self._seq:
            return known
        read = (
            None if log is None else knowledge_from_log(peek.rules, await log(peek.room.id), peek.seq, seat)
        )
        knowledge = know(view(peek.rules, peek.state, seat)) if read is None else read
        if peek.seq == self._seq:  # nothing was learnt while the log was read
            self._by_seat[seat] = knowledge
        return knowledge


def learnt(knowledge: Knowledge, events: tuple[Event, ...], seat: int) -> Knowledge:
    """Return the knowledge of a seat after a batch."""
    for event in events:
        shown = visible(event, seat)
        if shown is not None:
            knowledge = learn(knowledge, shown)
    return knowledge


def knowledge_from_log(rules: Rules, rows: tuple[LogRow, ...], seq: int, seat: int) -> Knowledge | None:
    """Return what a seat has learnt from the deal up to a batch, or ``None`` if the log holds no deal."""
    knowledge: Knowledge | None = None
    for row in rows:
        if row.seq > seq:
            break
        events = game_events(row.events)
        if any(isinstance(event, Dealt) for event in events):
            knowledge = know(view(rules, fold(events), seat))
        elif knowledge is not None:
            knowledge = learnt(knowledge, events, seat)
    return knowledge

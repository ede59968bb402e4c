"""One table as its bots need it: which bots sit there, what each will do and when, what is remembered."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct, field

from bohn.bots.reasons import Reason
from bohn.bots.voices import Voices
from bohn.rules.commands import Command, DeclineOffer, EditOffer, MakeOffer
from bohn.rules.events import Event, OfferVoided, Traded
from bohn.rules.state import Offer, State, TradePhase
from bohn.server.bots.concerns import ENGAGING, LOOKS_IN_TRADING, LookKey, waited_for
from bohn.server.bots.messages import Traits
from bohn.server.bots.pace import Pace, is_first_market, people
from bohn.server.bots.table_memory import OffersMade, SeatKnowledge, ToldNone, game_events
from bohn.server.store.protocol import LogRow
from bohn.server.tables.api import Peek


class PendingAct(NamedTuple):
    """Something a bot will do, and when it is due (ms since 1970)."""

    task: asyncio.Task[None]
    due: float


class OfferTimes(NamedTuple):
    """Until when (ms since 1970) a trading stays open for an offer to people, and they are left its beans."""

    open_until: int
    left_until: int


class ReadingTime(Struct):
    """Until when (ms since 1970) the trading of a turn stays open for people to look at it.

    ``first_until`` holds instead while one of them has done nothing in it: in the first market it is later.
    ``acted`` are the seats of those who have, openly: that somebody has declined is secret.
    """

    turn: int
    until: int
    first_until: int
    acted: set[int] = field(default_factory=set)

    def ends(self, here: frozenset[int]) -> int:
        """Return until when it stays open for these people."""
        return self.until if here <= self.acted else self.first_until


class SeatedBot:
    """A bot in one seat of one table: what it will do and when, and what is known of it."""

    def __init__(self, seat: int, bot: str, seed: int, traits: Traits) -> None:
        """Sit down; ``seed`` makes the bot, ``traits`` are a guess until it has been asked once."""
        self.seat = seat
        self.bot = bot
        self.seed = seed
        self.traits = traits
        self.active = False
        self.pending: dict[LookKey, PendingAct] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self.lock = asyncio.Lock()
        self.acted = 0
        self.acts = 0
        self.talked = 0
        self.refused = 0
        self.strikes = 0
        self.reason: Reason | None = None

    @property
    def busy(self) -> bool:
        """Whether it looks now or will look before long."""
        return self.lock.locked() or any(key.why in LOOKS_IN_TRADING for key in self.pending)

    @property
    def engaged(self) -> bool:
        """Whether it looks, or will look, at more than what comes of its offers to other bots."""
        return self.lock.locked() or any(key.why in ENGAGING for key in self.pending)

    def drop(self, key: LookKey) -> None:
        """Cancel a pending act."""
        act = self.pending.pop(key, None)
        if act is not None:
            act.task.cancel()

    def dismiss(self) -> None:
        """Cancel everything: somebody else plays the seat now, or nobody."""
        self.active = False
        self.lock = asyncio.Lock()  # a cancelled look holds the old one a moment longer
        self.pending.clear()
        for task in self.tasks:
            task.cancel()


class BotTable:
    """One table as its bots need it."""

    def __init__(self, peek: Peek) -> None:
        """Begin with nobody seated."""
        self.id = peek.room.id
        self.peek = peek
        self.bots: dict[int, SeatedBot] = {}
        self.offers_made = OffersMade()
        self.told_none = ToldNone()
        self.knowledge = SeatKnowledge()
        self.voices = Voices()
        self.silence: asyncio.Task[None] | None = None
        self.quiet = False
        self.waited = (0, 0)
        self._times: dict[tuple[int, int], OfferTimes] = {}
        self._reading: ReadingTime | None = None
        self._stirred: set[int] = set()
        """Seats that have offered or exchanged something since people's times were last noted."""
        self._held: dict[tuple[int, int], int] = {}
        """By turn and number of an offer among bots, since when (ms since 1970) it is held for people."""
        self._thinking: dict[int, tuple[int, int]] = {}
        """By seat of a person, a turn and until when (ms since 1970) its trading waits for his next offer."""

    def add_wait(self, milliseconds: int) -> int:
        """Note a time for which the trading of this turn was kept open; return how long that was in all."""
        turn, waited = self.waited
        self.waited = (self.state.turn, (waited if turn == self.state.turn else 0) + milliseconds)
        return self.waited[1]

    def note_open_offers(self, pace: Pace, now: int) -> None:
        """Draw for each offer that has come to people until when the trading stays open for it.

        A trading that begins stays open for a while in any case, so that they can look at it; and behind an
        offer or an exchange of one of them, for his next offer.
        """
        standing = {(offer.id, offer.revision): offer for offer in self._offers()}
        room, state = self.peek.room, self.state
        here = people(room)
        if here and isinstance(state.phase, TradePhase) and self._reading_until(state) is None:
            first = is_first_market(room, state)
            until, first_until = (now + int(pace.reading(room, first=one)) for one in (False, first))
            self._reading = ReadingTime(state.turn, until, first_until)
        for seat in self._stirred & here:
            self._thinking[seat] = (state.turn, now + int(pace.thinking(room)))
        self._stirred.clear()
        self._times = {key: times for key, times in self._times.items() if key in standing}
        for key, offer in standing.items():
            if key not in self._times and not here.isdisjoint(offer.to):
                times = OfferTimes(now + int(pace.open(room)), now + int(pace.leaving(room)))
                self._times[key] = times

    @property
    def open_until(self) -> int:
        """Until when (ms since 1970) the trading stays open for people to look or to answer."""
        asked = (times.open_until for times in self._times_asked(offer.id for offer in self._offers()))
        if self.all_have_enough:
            return max(asked, default=0)
        waited = self._thinking.items()
        here = people(self.peek.room) - self.peek.enough
        thinking = (until for seat, (turn, until) in waited if turn == self.state.turn and seat in here)
        return max(self._reading_until(self.state) or 0, *thinking, *asked, 0)

    def may_exchange_from(self, seat: int, events: Sequence[Event], pace: Pace, now: int) -> float:
        """Return from when on (ms since 1970) the bot in a seat may carry an exchange among bots out.

        People are left the offers that it would end, so nobody sees one come and go before he could read it;
        and for a while nothing is traded away below the fingers of one who puts an offer together. What a
        person's own offer brings about is his doing, and waits for nothing.
        """
        here = people(self.peek.room)
        traded = [event for event in events if isinstance(event, Traded)]
        if not traded or any({event.maker, event.partner} & here for event in traded):
            return 0
        ended = {event.offer for event in events if isinstance(event, OfferVoided)}
        left = (times.left_until for times in self._times_asked(ended))
        return max(self._held_until(seat, traded[0].offer, pace, now), *left, 0)

    def _held_until(self, seat: int, number: int, pace: Pace, now: int) -> float:
        """Return until when an offer among bots is held while a person puts one together; 0 if it is not.

        Not for ever, and not once a person has made the bot an offer since: that one is to be answered.
        """
        here = people(self.peek.room)
        newer = any(one.id > number and one.maker in here and seat in one.to for one in self._offers())
        if not self.composed or newer:
            return 0
        key = self.state.turn, number
        self._held = {one: since for one, since in self._held.items() if one[0] == self.state.turn}
        until = self._held.setdefault(key, now) + pace.holding(self.peek.room)
        return min(now + pace.delay(self.peek.room), until)

    def _times_asked(self, ids: Iterable[int]) -> Iterator[OfferTimes]:
        """Yield the times of those of these offers that wait for a person's answer."""
        among = {*ids}
        for offer in self._offers():
            times = self._times.get((offer.id, offer.revision))
            if offer.id in among and times is not None and waited_for(self.peek, self.state, offer):
                yield times

    def _reading_until(self, state: State) -> int | None:
        """Return until when the trading of this turn stays open for people to look, once it is known."""
        reading = self._reading
        if reading is None or reading.turn != state.turn:
            return None
        return reading.ends(people(self.peek.room) - self.peek.enough)

    @property
    def composed(self) -> bool:
        """Whether a person puts an offer together."""
        return bool(self.peek.composing & people(self.peek.room))

    @property
    def all_have_enough(self) -> bool:
        """Whether people play here, and all of them have traded enough."""
        here = people(self.peek.room)
        return bool(here) and here <= self.peek.enough

    def _offers(self) -> tuple[Offer, ...]:
        phase = self.state.phase
        return phase.offers if isinstance(phase, TradePhase) else ()

    def all_looked_by(self, end: float) -> bool:
        """Whether by ``end`` all bots will have looked at the trading, and at the offers to them."""
        return not any(
            bot.lock.locked()
            or any(key.why in ("offer", "fresh") and one.due > end for key, one in bot.pending.items())
            for bot in self.bots.values()
            if bot.seat != self.state.active_player
        )

    @property
    def state(self) -> State:
        """The position; there is a bot table only while there is a game."""
        assert self.peek.state is not None  # noqa: S101 - see noticed()
        return self.peek.state

    @property
    def rests(self) -> bool:
        """Whether bots are asked nothing: the table pauses, or no person plays and nobody looks."""
        return self.peek.room.paused or not (self.peek.watched or people(self.peek.room))

    def follow(self, peek: Peek, row: LogRow | None, *, anew: bool) -> None:
        """Take a batch in; ``anew``: what was before it is not known."""
        self.peek = peek
        if anew:
            self.offers_made.load(self.state)
        elif row is not None:
            self.offers_made.follow(self.state, game_events(row.events))
            self._stirred |= _stirring(row)
            command = row.command
            if isinstance(command, Command) and not isinstance(command, DeclineOffer) and self._reading:
                self._reading.acted.add(command.player)
        curious = (seat for seat, bot in self.bots.items() if bot.traits.uses_knowledge)
        self.knowledge.follow(peek, row, curious)


def _stirring(row: LogRow) -> set[int]:
    """Return the seats that have offered or exchanged something in a batch."""
    command = row.command
    found = {command.player} if isinstance(command, MakeOffer | EditOffer) else set()
    for event in game_events(row.events):
        if isinstance(event, Traded):
            found |= {event.maker, event.partner}
    return found

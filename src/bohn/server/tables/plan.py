"""What a request would do to a table: it is refused, or becomes one batch. Pure."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from bohn.bots import DEFAULT, current_name
from bohn.notation.deals import seed_of
from bohn.notation.records import Cause
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import LastCall, Room
from bohn.protocol.room_commands import AnyRoomCommand, RoomCommand, SeatBot, Start
from bohn.protocol.room_events import (
    Abandoned,
    AnyRoomEvent,
    ClockMissed,
    ClocksKept,
    DealRevealed,
    Finished,
    HandedOver,
    LastCallBegan,
    LastCallProlonged,
    OrdersLookedAt,
    RematchMade,
    RoomEvent,
    Started,
    TakenBack,
)
from bohn.rules.commands import AnyCommand, Command, DeclineOffer, EndTrading
from bohn.rules.deal import opening
from bohn.rules.decide import decide
from bohn.rules.events import Event, GameEnded, OfferClaimed, OfferEdited, OfferMade, Traded
from bohn.rules.legal import waiting
from bohn.rules.state import Offer, State, TradePhase
from bohn.server.room.clocks import (
    FACTORS,
    LAST_CALL,
    acting,
    played_by_person,
    refused_by_all,
    timers_after,
)
from bohn.server.room.deal import reveal_of
from bohn.server.room.decide import Context, decide_room
from bohn.server.room.fold import fold_room
from bohn.server.settings import Times
from bohn.server.store.protocol import LogRow, SecretDeal, Timer
from bohn.server.tables.calendar import rests_of
from bohn.server.tables.snapshot import Snapshot, after_row, rules_of, with_timers

MISSES = 3
"""Expired clocks in a row after which a bot takes over a seat."""

CALL = 2
BOT_CALL = 3
"""Factors on a last call: who hears it must see it, think and press, and nobody has heard a bot's coming."""

ANSWER = 3
"""Factor on what a last call leaves for an offer that is made in it to a person: he did not see it coming."""

ANSWERS_MOST = 8
"""Factor on how much later than announced a last call may end for such offers: for two and their answers."""

SERVER = "server"
"""The actor of what the server itself decides."""

INSTRUCTIONS = "orders"
"""The actor of what is done for instructions: standing orders, and moves that were set ahead."""

_ENCODER = msgspec.json.Encoder()


class Request(Struct, frozen=True, gc=False):
    """One command on its way into the log.

    ``user`` is whoever sends it, ``None`` for bots and clocks. ``final``: end trading without a last call.
    ``composed``: the others were told that the user puts an offer together. ``events`` are room events
    that the server itself has decided (host passed, rematch). A request is refused once the timer
    ``expired`` no longer runs, or another batch than ``seq`` is the last one. ``gathered``: it has waited in
    the store, and the holder of the lease does it. A rematch is refused if there is one but ``fallen``.
    ``blockers`` are those who block a user who would sit down.
    """

    actor: str
    command_id: str
    cause: Cause
    command: AnyCommand | AnyRoomCommand | None
    user: str | None = None
    final: bool = False
    events: tuple[AnyRoomEvent, ...] = ()
    expired: Timer | None = None
    seq: int | None = None
    composed: bool = False
    gathered: bool = False
    fallen: str | None = None
    blockers: frozenset[str] = frozenset()

    @property
    def by_holder(self) -> bool:
        """Whether only the worker may do it that does at the table what the server itself does."""
        return self.user is None or self.gathered

    @property
    def digest(self) -> str:
        """The SHA-256 of the command as JSON, in hex."""
        return sha256(_ENCODER.encode(self.command)).hexdigest()


class Planned(Struct, frozen=True, gc=False):
    """A batch that would be legal now, and the table after it."""

    row: LogRow
    after: Snapshot


class Planner(Struct, frozen=True):
    """What planning needs beside the table: the bots there are, and times."""

    bots: frozenset[str]
    times: Times

    def plan(self, snapshot: Snapshot, request: Request, now: int, deal: SecretDeal | None) -> Planned:
        """Return the batch of a request. Raises :class:`Refusal` or ``IllegalCommand``."""
        now = max(now, snapshot.at)  # the log never runs backwards, whatever the system's clock does
        command = request.command
        _require_in_time(snapshot, request)
        if request.events:
            _require_no_rematch(snapshot.room, request)
            events: tuple[Any, ...] = (*request.events, *_revealing(snapshot.room, request.events, deal))
        elif isinstance(command, RoomCommand):
            events = self._room(snapshot, request, now, deal)
        else:
            assert command is not None  # noqa: S101 - a request without a command brings its events
            events = self._game(snapshot, request, command, now, deal)
        row = LogRow(
            table=snapshot.room.id,
            seq=snapshot.seq + 1,
            at=now,
            actor=request.actor,
            command_id=request.command_id,
            digest=request.digest,
            cause=request.cause,
            command=command,
            events=events,
        )
        after = after_row(snapshot, row)
        acted = acting(command) if isinstance(command, Command) else None
        looked = any(isinstance(event, OrdersLookedAt) for event in events)
        rests = rests_of(after.room, after.state, now)
        known = after.room.times == snapshot.room.times
        timers = timers_after(
            after.room, after.rules, after.state, snapshot.timers, acted, now, self.times, looked=looked,
            rests=rests, rested=rests if known else rests_of(snapshot.room, snapshot.state, now),
        )  # fmt: skip
        if timers == snapshot.timers:
            timers = snapshot.timers
        return Planned(row, with_timers(after, timers))

    # -- the room ----------------------------------------------------------------------------------

    def _room(
        self, snapshot: Snapshot, request: Request, now: int, deal: SecretDeal | None
    ) -> tuple[RoomEvent | Event, ...]:
        assert isinstance(request.command, RoomCommand)  # noqa: S101 - asked by the only caller
        user = request.user
        if user is None:
            raise Refusal(Problem.NO_GUEST)
        waited_for = () if snapshot.state is None else waiting(snapshot.rules, snapshot.state)
        context = Context(
            self.bots,
            waited_for=waited_for,
            silence=self.times.silence,
            sent_away=snapshot.sent_away(user),
            blockers=request.blockers,
        )
        command = _with_current_names(request.command)
        decided = decide_room(snapshot.room, user, command, now, context)
        events: list[RoomEvent | Event] = list(decided)
        if any(isinstance(event, Started) for event in decided):
            events += self._opening(snapshot, decided, deal)
        return (*events, *_revealing(snapshot.room, decided, deal))

    def _opening(
        self, snapshot: Snapshot, decided: tuple[AnyRoomEvent, ...], deal: SecretDeal | None
    ) -> tuple[Event, ...]:
        """Return the deal: its seed comes from the secret and everybody's salt."""
        room = fold_room(decided, snapshot.room)
        if deal is None:
            raise Refusal(Problem.NOT_SAVED)
        seed = seed_of(deal.secret, [seat.salt for seat in room.seats])
        return opening(rules_of(room.options), seed)

    # -- the game ----------------------------------------------------------------------------------

    def _game(
        self, snapshot: Snapshot, request: Request, command: Command, now: int, deal: SecretDeal | None
    ) -> tuple[RoomEvent | Event, ...]:
        room, state = snapshot.room, snapshot.state
        if request.user is not None:
            _require_own_seat(
                room, request.user, command
            )  # first: who only looks on learns nothing from refusals
        _require_running(room)
        assert state is not None  # noqa: S101 - a room that plays has dealt
        if request.cause == "bot" and room.seats[command.player].bot is None:
            raise Refusal(Problem.NOT_YOUR_SEAT, seat=command.player)
        events = decide(snapshot.rules, state, command)
        before: list[RoomEvent] = _returned(room, state, request, command)
        if self._begins_last_call(snapshot, request, command):
            return (*before, LastCallBegan(state.turn, now + self._call(snapshot)))
        behind: list[RoomEvent] = _missed(room, request, command)
        behind += self._prolonged(snapshot, events, now, composed=request.composed)
        if any(isinstance(event, GameEnded) for event in events):
            behind += [Finished(), *_revealed(room, deal)]
        return (*before, *events, *behind)

    def _call(self, snapshot: Snapshot) -> int:
        """Return how long a last call is, in ms, by the pace of the table: of a bot longer."""
        room, state = snapshot.room, snapshot.state
        of_a_bot = state is not None and room.seats[state.active_player].bot is not None
        return self._paced(snapshot, BOT_CALL if of_a_bot else CALL)

    def _paced(self, snapshot: Snapshot, factor: int) -> int:
        return int(self.times.last_call * factor * FACTORS[snapshot.room.options.pace])

    def _begins_last_call(self, snapshot: Snapshot, request: Request, command: Command) -> bool:
        """Whether this end of trading waits for a last call: once a turn, if anybody could still speak up."""
        state = snapshot.state
        if not isinstance(command, EndTrading) or request.final or state is None:
            return False
        called = snapshot.room.last_call
        if called is not None and called.turn == state.turn:
            return False
        others = (place for place in range(len(snapshot.room.seats)) if place != command.player)
        if any(played_by_person(snapshot.room, place) for place in others):
            return True
        if request.cause != "player" or not isinstance(state.phase, TradePhase) or not state.phase.offers:
            return False
        return not refused_by_all(snapshot.room, state)

    def _prolonged(
        self, snapshot: Snapshot, events: tuple[Event, ...], now: int, *, composed: bool
    ) -> list[RoomEvent]:
        """Prolong a running last call, once, if something is offered, claimed or exchanged in it.

        An offer of another than the active player, who has ended the trading, has its time besides, within a
        bound, if it asks a person; so has what somebody else is known to compose, whenever it comes, within
        the bound of all composing.
        """
        state, called = snapshot.state, snapshot.room.last_call
        if state is None or called is None or called.turn != state.turn:
            return []
        first = events[0]
        waited_for = isinstance(first, OfferMade | OfferEdited) and first.offer.maker != state.active_player
        if composed and waited_for:
            return [LastCallProlonged(now + self._call(snapshot))]
        key = f"{LAST_CALL}:{called.turn}"
        due = next(
            (timer.due for timer in snapshot.timers if timer.key == key), None
        )  # it may have been credited
        if due is None or now >= due:
            return []
        if isinstance(first, OfferMade | OfferEdited) and not _concerns_people(snapshot.room, first.offer):
            return []
        once = isinstance(first, OfferMade | OfferEdited | OfferClaimed | Traded) and not called.prolonged
        until = max(due, now + self._call(snapshot)) if once else due
        if waited_for:
            until = max(until, self._answered(snapshot, first, called, now))
        return [LastCallProlonged(until)] if once or until > due else []

    def _answered(self, snapshot: Snapshot, event: Event, called: LastCall, now: int) -> int:
        """Return until when an offer has time to be answered; 0 if no person is asked."""
        if not isinstance(event, OfferMade | OfferEdited) or not _asks_a_person(snapshot.room, event.offer):
            return 0
        latest = called.announced + self._paced(snapshot, ANSWERS_MOST)
        return min(latest, now + self._paced(snapshot, ANSWER))


def _concerns_people(room: Room, offer: Offer) -> bool:
    """Whether a person has made an offer, or is asked by it."""
    return any(played_by_person(room, seat) for seat in (offer.maker, *offer.to))


def _asks_a_person(room: Room, offer: Offer) -> bool:
    """Whether a person is asked by an offer."""
    return any(played_by_person(room, seat) for seat in offer.to)


def _require_in_time(snapshot: Snapshot, request: Request) -> None:
    """Refuse what the server has decided for a table that has moved on since."""
    late = request.seq is not None and request.seq != snapshot.seq
    if late or (request.expired is not None and request.expired not in snapshot.timers):
        raise Refusal(Problem.NOT_WAITED_FOR)


def _require_no_rematch(room: Room, request: Request) -> None:
    """Refuse a rematch that somebody else has asked for meanwhile, and tell which table it is."""
    asked = any(isinstance(event, RematchMade) for event in request.events)
    if asked and room.rematch not in (None, request.fallen):
        raise Refusal(Problem.REMATCH_MADE, table=room.rematch)


def _require_running(room: Room) -> None:
    if room.status == "open":
        raise Refusal(Problem.NOT_STARTED)
    if room.status == "abandoned":
        raise Refusal(Problem.TABLE_OVER)
    if room.paused:
        raise Refusal(Problem.TABLE_PAUSED)


def _require_own_seat(room: Room, user: str, command: Command) -> None:
    seat = room.seat_of(user)
    if seat is None:
        raise Refusal(Problem.NOT_SEATED)
    if command.player != seat:
        raise Refusal(Problem.NOT_YOUR_SEAT, seat=seat)


def _returned(room: Room, state: State, request: Request, command: Command) -> list[RoomEvent]:
    """Return what an owner's own move says about his clocks, and about a bot that played for him.

    A refusal that only its maker hears says nothing: it would name who refused (OFFER-8).
    """
    if request.cause != "player" or _in_secret(state, command):
        return []
    seat = room.seats[command.player]
    events: list[RoomEvent] = []
    if seat.bot is not None:
        events.append(TakenBack(command.player))
    elif seat.misses:
        events.append(ClocksKept(command.player))
    return events


def _in_secret(state: State, command: Command) -> bool:
    """Whether a command is a refusal; to take a claim back is public."""
    if not isinstance(command, DeclineOffer) or not isinstance(state.phase, TradePhase):
        return False
    offers = [offer for offer in state.phase.offers if offer.id == command.offer]
    return all(claim.player != command.player for offer in offers for claim in offer.claims)


def _missed(room: Room, request: Request, command: Command) -> list[RoomEvent]:
    """Count an expired decision, and hand the seat over after three in a row."""
    seat = room.seats[command.player]
    if not request.actor.startswith("clock:decision:") or seat.user is None or seat.bot is not None:
        return []
    events: list[RoomEvent] = [ClockMissed(command.player)]
    if seat.misses + 1 >= MISSES:
        events.append(HandedOver(command.player, DEFAULT))
    return events


def _with_current_names(command: AnyRoomCommand) -> AnyRoomCommand:
    """Return a command with the bot it names called as today: links, pages and programs may be older."""
    if isinstance(command, SeatBot):
        return msgspec.structs.replace(command, bot=current_name(command.bot))
    if isinstance(command, Start) and command.fill is not None:
        return msgspec.structs.replace(command, fill=current_name(command.fill))
    return command


def _revealing(room: Room, events: tuple[AnyRoomEvent, ...], deal: SecretDeal | None) -> list[RoomEvent]:
    """Publish what checks the deal of a table that is given up."""
    return _revealed(room, deal) if any(isinstance(event, Abandoned) for event in events) else []


def _revealed(room: Room, deal: SecretDeal | None) -> list[RoomEvent]:
    """Publish what checks the deal."""
    if deal is None:
        return []
    return [DealRevealed(reveal_of(room, deal.secret, deal.nonce))]

"""Playing a seat: watch the table, ask the player when something concerns him, send what he decides.

The floor of :mod:`bohn.sim.floor` has an order in which seats are asked; at a table with people there is
none. Here a player is asked whenever what he sees has changed and it is his move, or beans are traded.
"""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Protocol

from msgspec import Struct

from bohn.bots.farming import is_due
from bohn.client.errors import RefusedByTable
from bohn.client.game import Game
from bohn.client.stream import Stream
from bohn.client.transport import CHANCE
from bohn.rules.commands import Command, EditOffer, EndTrading, MakeOffer, Pass
from bohn.rules.state import Result
from bohn.server.refusals import Problem
from bohn.server.wire.frames import AnyServerFrame
from bohn.sim.floor import BotError
from bohn.sim.seat import Choices
from bohn.views.knowledge import Knowledge
from bohn.views.view import TradeView, View

Decide = Callable[[View, Choices, Knowledge], Command | None]
"""Returns a command, or ``None`` to pass; a computer player's ``decide`` is one."""

HOPELESS = frozenset(
    {
        Problem.NO_SUCH_TABLE,
        Problem.NOT_SEATED,
        Problem.NOT_YOUR_SEAT,
        Problem.NO_GUEST,
        Problem.SCOPE_MISSING,
    }
)
"""Refusals after which this seat cannot be played any more."""

AWAY = frozenset({Problem.NO_SUCH_TABLE, Problem.NO_SPECTATORS})
"""Refusals of a stream to whom the host has sent away."""

STUBBORN = 20
"""So many refusals in a row, while nothing else happens, are a mistake of the player."""


class Pace(Struct, frozen=True):
    """How a seat is played among people; times in seconds.

    Before each look at the cards a time between the two of ``think`` passes. At most ``offers`` are made or
    edited in one turn; the next one waits until all have answered the last, at most ``answers`` long. The
    active player ends the trading when nothing has moved for ``quiet``. After a refusal the table is looked
    at again when it moves, or after ``again``.
    """

    think: tuple[float, float] = (0.5, 1.5)
    answers: float = 9.0
    quiet: float = 6.0
    again: float = 1.0
    offers: int = 5


class Actor(Protocol):
    """What sends commands: a :class:`bohn.client.Client`."""

    def do(self, table: str, command: Command) -> int:
        """Send a command and return its batch."""
        ...


class Source(Protocol):
    """Where frames come from: a :class:`Feed`."""

    def next(self, seconds: float) -> AnyServerFrame | None:
        """Return the next frame, or ``None`` if none comes in time."""
        ...


class Feed:
    """The frames of a stream, read by a thread of their own, so that one can wait for them with a limit."""

    def __init__(self, stream: Stream) -> None:
        """Begin to read."""
        self._stream = stream
        self._queue: SimpleQueue[AnyServerFrame | BaseException] = SimpleQueue()
        self._thread = Thread(target=self._read, name=f"bohn-{stream.table}", daemon=True)
        self._thread.start()

    def _read(self) -> None:
        try:
            for frame in self._stream:
                self._queue.put(frame)
        except BaseException as error:  # noqa: BLE001 - raised again by who waits for frames
            self._queue.put(error)
        else:
            self._queue.put(EOFError("the stream was closed"))

    def next(self, seconds: float) -> AnyServerFrame | None:
        """Return the next frame, or ``None`` if none comes in time; raises what has ended the stream."""
        try:
            found = self._queue.get(timeout=max(0.0, seconds))
        except Empty:
            return None
        if isinstance(found, BaseException):
            raise found
        return found

    def close(self) -> None:
        """End the stream and its thread."""
        self._stream.close()
        self._thread.join()


class Seated:
    """One seat that is being played. Moments are those of :func:`time.monotonic`; zero is none."""

    def __init__(
        self, actor: Actor, game: Game, decide: Decide, pace: Pace, *, trades: bool, off_turn: bool
    ) -> None:
        """Know the table and the player; nothing has been asked."""
        self.game = game
        self._actor = actor
        self._decide = decide
        self._pace = pace
        self._trades = trades
        self._off_turn = off_turn
        self._seated = False
        self._news = False
        self._moved = monotonic()
        self._look_at = 0.0
        self._again_at = 0.0
        self._answers_until = 0.0
        self._sent = 0
        self._turn = 0
        self._offers = 0
        self._refusals = 0

    def run(self, feed: Source) -> Result | None:
        """Play until the game is over; ``None`` if it ends without a result for this seat."""
        while True:
            try:
                self._read(feed)
            except RefusedByTable as refusal:
                if self._seated and refusal.reason in AWAY:
                    return None
                raise
            if self.game.over or self.game.result is not None or self._lost_seat():
                return self.game.result
            self.act()

    def _read(self, feed: Source) -> None:
        """Take the frames that are there, after waiting for one."""
        frame = feed.next(self._wait())
        while frame is not None:
            self.take(frame)
            frame = feed.next(0.0)

    def take(self, frame: AnyServerFrame) -> None:
        """Note what a frame changes."""
        if self.game.take(frame):
            self._news = True
            self._moved = monotonic()
            self._refusals = 0

    def act(self) -> None:
        """Ask the player if something concerns him and his time has come, and do what he says."""
        view, knowledge, room = self.game.view, self.game.knowledge, self.game.room
        if view is None or knowledge is None or room is None or room.paused or self.game.seq < self._sent:
            return  # before the deal, or before our own last command has come back to us
        now = monotonic()
        self._remember(view, now)
        if self._news and self._concerns(view):
            self._look_at = self._look_at or now + CHANCE.uniform(*self._pace.think)
            if now >= self._look_at:
                self._look_at, self._news = 0.0, False
                self._ask(view, knowledge)
        elif now >= self._moved + self._pace.quiet and not self._answers_until:
            self._close()

    def _wait(self) -> float:
        """Return for how long a frame may be waited for: until we would do something by ourselves."""
        moments = [self._again_at, self._answers_until, self._look_at]
        if self._closing() is not None:
            moments.append(self._moved + self._pace.quiet)
        now = monotonic()
        return min([moment - now for moment in moments if moment > now], default=self._pace.again)

    def _remember(self, view: View, now: float) -> None:
        """Look again where there was a reason to wait."""
        if self._again_at and now >= self._again_at:
            self._again_at, self._news = 0.0, True
        if self._answers_until and (now >= self._answers_until or _answered(view)):
            self._answers_until, self._news = 0.0, True
        if view.turn != self._turn:
            self._turn, self._offers = view.turn, 0

    def _lost_seat(self) -> bool:
        """Whether the own seat is somebody else's now. Raises if there never was one."""
        game = self.game
        if game.room is not None and game.seat is None and not self._seated:
            raise RefusedByTable(Problem.NOT_SEATED.value, None, {}, 409)
        self._seated = game.seat is not None
        return game.room is not None and game.seat is None

    def _concerns(self, view: View) -> bool:
        if not self.game.legal and not self.game.offers.slots:
            return False
        if isinstance(view.phase, TradeView):
            return self._trades
        return self._off_turn or is_due(view)

    def _ask(self, view: View, knowledge: Knowledge) -> None:
        tries = 0 if self._answers_until else max(0, self._pace.offers - self._offers)
        command = self._decide(view, self.game.choices(tries), knowledge)
        if command is not None:
            self._send(command)
        elif not isinstance(view.phase, TradeView) and is_due(view):
            msg = f"the player in seat {view.viewer} passed, but the game waits for it: {view.phase!r}"
            raise BotError(msg)

    def _send(self, command: Command) -> None:
        try:
            self._sent = self._actor.do(self.game.table, command)
        except RefusedByTable as refusal:
            self._refused(refusal)
            return
        if isinstance(command, MakeOffer | EditOffer):
            self._offers += 1
            self._answers_until = monotonic() + self._pace.answers

    def _refused(self, refusal: RefusedByTable) -> None:
        """Look again: most often the table has moved on while the command was under way."""
        self._refusals += 1
        if refusal.reason in HOPELESS or self._refusals >= STUBBORN:
            raise refusal
        self._again_at = monotonic() + self._pace.again

    # -- the end of the trading ------------------------------------------------------------------------

    def _closing(self) -> Command | None:
        """Return the command that says we want no more trade, unless we have said it."""
        view, room = self.game.view, self.game.room
        if view is None or room is None or not isinstance(view.phase, TradeView):
            return None
        if room.last_call is not None and room.last_call.turn == view.turn:
            return None
        return next((one for one in self.game.legal if isinstance(one, EndTrading | Pass)), None)

    def _close(self) -> None:
        command = self._closing()
        if command is not None:
            self._send(command)


def _answered(view: View) -> bool:
    """Tell whether nobody is left who could answer an offer of ours."""
    if not isinstance(view.phase, TradeView) or view.own is None:
        return True
    declined = {own.id: own.declined for own in view.own.offers}
    return all(
        set(offer.to) <= {*declined.get(offer.id, ()), *offer.claimers}
        for offer in view.phase.offers
        if offer.maker == view.viewer
    )

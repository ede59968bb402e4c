"""Playing one seat over the network: watches the table, asks the player for commands, and sends them.

The floor of :mod:`bohn.play.floor` has an order in which seats are asked; at a table with people there is
none. Here a player is asked whenever what he sees has changed and it is his move, or beans are traded.
"""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Protocol

from msgspec import Struct

from bohn.client.errors import RefusedByTable
from bohn.client.game import Game
from bohn.client.stream import Stream
from bohn.client.transport import RANDOM
from bohn.play.floor import BotError
from bohn.play.seat import Choices
from bohn.protocol.frames import AnyServerFrame
from bohn.protocol.refusals import Problem
from bohn.rules.commands import Command, EditOffer, EndTrading, MakeOffer, Pass
from bohn.rules.state import Result
from bohn.views.knowledge import Knowledge
from bohn.views.view import TradeView, View

Decide = Callable[[View, Choices, Knowledge], Command | None]
"""Returns a command, or ``None`` to pass; a computer player's ``decide`` is one."""

FATAL = frozenset(
    {
        Problem.NO_SUCH_TABLE,
        Problem.NOT_SEATED,
        Problem.NOT_YOUR_SEAT,
        Problem.NO_GUEST,
        Problem.SCOPE_MISSING,
    }
)
"""Refusals after which this seat cannot be played any more."""

CANNOT_WATCH = frozenset({Problem.NO_SUCH_TABLE, Problem.NO_SPECTATORS})
"""Refusals of the stream after the host has taken the seat away."""

MOST_REFUSALS = 20
"""Refusals in a row, while nothing else happens, after which the player is taken to be faulty."""


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


class CommandSender(Protocol):
    """Sends commands: a :class:`bohn.client.Client`."""

    def do(self, table: str, command: Command) -> int:
        """Send a command and return its batch."""
        ...


class FrameSource(Protocol):
    """Yields frames: a :class:`FrameQueue`."""

    def next(self, seconds: float) -> AnyServerFrame | None:
        """Return the next frame, or ``None`` if none comes in time."""
        ...


class FrameQueue:
    """The frames of a stream, read by a thread of its own, so that waiting for one can time out."""

    def __init__(self, stream: Stream) -> None:
        """Start the thread that reads."""
        self._stream = stream
        self._queue: SimpleQueue[AnyServerFrame | BaseException] = SimpleQueue()
        self._thread = Thread(target=self._read, name=f"bohn-{stream.table}", daemon=True)
        self._thread.start()

    def _read(self) -> None:
        try:
            for frame in self._stream:
                self._queue.put(frame)
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits for frames
            self._queue.put(error)
        else:
            self._queue.put(EOFError("the stream was closed"))

    def next(self, seconds: float) -> AnyServerFrame | None:
        """Return the next frame, or ``None`` if none comes in time; raises what ended the stream."""
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


class SeatPlayer:
    """Plays one seat. All times are those of :func:`time.monotonic`; zero means none."""

    def __init__(
        self, actor: CommandSender, game: Game, decide: Decide, pace: Pace, *, trades: bool, off_turn: bool
    ) -> None:
        """Ask nothing yet."""
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

    def run(self, frames: FrameSource) -> Result | None:
        """Play until the game is over; ``None`` if it ends without a result for this seat."""
        while True:
            try:
                self._read(frames)
            except RefusedByTable as refusal:
                if self._seated and refusal.reason in CANNOT_WATCH:
                    return None
                raise
            if self.game.over or self.game.result is not None or self._lost_seat():
                return self.game.result
            self.act()

    def _read(self, frames: FrameSource) -> None:
        """Wait for a frame, and merge it and all that have come since."""
        frame = frames.next(self._wait())
        while frame is not None:
            self.take(frame)
            frame = frames.next(0.0)

    def take(self, frame: AnyServerFrame) -> None:
        """Merge a frame."""
        if self.game.take(frame):
            self._news = True
            self._moved = monotonic()
            self._refusals = 0

    def act(self) -> None:
        """Ask the player when there is something new and his thinking time is over; send his command."""
        view, knowledge, room = self.game.view, self.game.knowledge, self.game.room
        if view is None or knowledge is None or room is None or room.paused or self.game.seq < self._sent:
            return  # before the deal, or before our own last command has come back to us
        now = monotonic()
        self._expire(view, now)
        if self._news and self._concerns(view):
            self._look_at = self._look_at or now + RANDOM.uniform(*self._pace.think)
            if now >= self._look_at:
                self._look_at, self._news = 0.0, False
                self._ask(view, knowledge)
        elif now >= self._moved + self._pace.quiet and not self._answers_until:
            self._close()

    def _wait(self) -> float:
        """Return the seconds to wait for a frame: until the next thing is due without one."""
        moments = [self._again_at, self._answers_until, self._look_at]
        if self._closing() is not None:
            moments.append(self._moved + self._pace.quiet)
        now = monotonic()
        return min([moment - now for moment in moments if moment > now], default=self._pace.again)

    def _expire(self, view: View, now: float) -> None:
        """Ask again after a refusal or an unanswered offer, once its time is over."""
        if self._again_at and now >= self._again_at:
            self._again_at, self._news = 0.0, True
        if self._answers_until and (now >= self._answers_until or _answered(view)):
            self._answers_until, self._news = 0.0, True
        if view.turn != self._turn:
            self._turn, self._offers = view.turn, 0

    def _lost_seat(self) -> bool:
        """Tell whether this user has lost his seat; raises if he never had one."""
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
        return self._off_turn or view.viewer in view.waiting

    def _ask(self, view: View, knowledge: Knowledge) -> None:
        tries = 0 if self._answers_until else max(0, self._pace.offers - self._offers)
        command = self._decide(view, self.game.choices(tries), knowledge)
        if command is not None:
            self._send(command)
        elif not isinstance(view.phase, TradeView) and view.viewer in view.waiting:
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
        """Ask again soon: most often the table has moved on while the command was sent."""
        self._refusals += 1
        if refusal.reason in FATAL or self._refusals >= MOST_REFUSALS:
            raise refusal
        self._again_at = monotonic() + self._pace.again

    # -- the end of the trading ------------------------------------------------------------------------

    def _closing(self) -> Command | None:
        """Return the command that ends trading for this seat; ``None`` if it was sent or is not legal."""
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
    """Tell whether all who could answer the own offers have done so."""
    if not isinstance(view.phase, TradeView) or view.own is None:
        return True
    declined = {own.id: own.declined for own in view.own.offers}
    return all(
        set(offer.to) <= {*declined.get(offer.id, ()), *offer.claimers}
        for offer in view.phase.offers
        if offer.maker == view.viewer
    )

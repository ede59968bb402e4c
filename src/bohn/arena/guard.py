"""A table at which a faulty bot costs nobody else the game: it is named, and a plain player plays on."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Protocol, TypeVar

from bohn.arena.lines import LineError
from bohn.arena.plan import REPLACEMENT, Chunk, Fault, Reason
from bohn.arena.timing import Histogram, count
from bohn.bots import PLAYERS
from bohn.play.floor import NOTHING_LEARNT, TALK_LIMIT, BotError, FloorGame, FloorSetting, Watch
from bohn.play.seat import Bot, Choices
from bohn.rules.commands import Command, MakePromise, SetWish, WithdrawPromise
from bohn.rules.decide import is_legal
from bohn.rules.legal import waiting
from bohn.rules.ruleset import Rules
from bohn.rules.state import State, TradePhase
from bohn.views.knowledge import Knowledge
from bohn.views.view import View

T = TypeVar("T")

DETAIL = 200
"""Letters of an error message that a fault keeps."""


class Pulse(Protocol):
    """Receives what a worker is doing, so that the watchdog can see where it hangs."""

    def asking(self, deal: int, arrangement: int, seat: int, asked: int, seconds: float) -> None:
        """A bot is being asked, and has ``seconds``."""
        ...

    def answered(self) -> None:
        """It has answered."""
        ...


class Silence:
    """A pulse that does nothing."""

    def asking(self, deal: int, arrangement: int, seat: int, asked: int, seconds: float) -> None:
        """Do nothing."""

    def answered(self) -> None:
        """Do nothing."""


class Place(Protocol):
    """Where a bot sits: of which chunk, in which of its games, in which seat."""

    chunk: Chunk
    deal: int
    arrangement: int
    pulse: Pulse
    barred: frozenset[str]


class Occupant:
    """A seat of a guarded table: asks its bot, and from the first fault on the replacement."""

    def __init__(
        self, place: Place, seat: int, times: Histogram, make: Callable[[], Bot], slack: float
    ) -> None:
        """Make the bot; ``slack`` are seconds that the watchdog waits longer for it."""
        self.name = place.chunk.line_ups[place.arrangement][seat]
        self.asked = 0
        self.fault: Fault | None = None
        self.waited = False
        self._place = place
        self._seat = seat
        self._times = times
        self._patience = place.chunk.limits.seconds + place.chunk.limits.grace + slack
        self._known = {
            fault.asked: fault
            for fault in place.chunk.known
            if (fault.deal, fault.arrangement, fault.seat) == (place.deal, place.arrangement, seat)
        }
        self._replacement: Bot = PLAYERS[REPLACEMENT](0)
        self._bot = self._made(make) or self._replacement
        self.trades = bool(self._guarded_flag("trades"))
        self.off_turn = bool(self._guarded_flag("off_turn"))
        self.uses_knowledge = bool(self._guarded_flag("uses_knowledge"))

    def _made(self, make: Callable[[], Bot]) -> Bot | None:
        """Return the bot, unless it cannot be made or has hung too often."""
        if self.name in self._place.barred:
            self.fail("hang", "not asked any more: it has hung before in this chunk")
            return None
        return self._guarded(make)

    def _guarded_flag(self, name: str) -> bool:
        """Return an attribute of the bot; to lack it is a crash too."""
        try:
            return bool(getattr(self._bot, name))
        except Exception as error:  # noqa: BLE001 - it may be a property, which is the bot's own too
            self.fail("crash", f"{type(error).__name__}: {error}")
            return bool(getattr(self._replacement, name))

    def fail(self, reason: Reason, detail: str) -> None:
        """Name the bot, and let the replacement play from now on."""
        if self.fault is None:
            place = self._place
            self.fault = Fault(
                self.name,
                place.chunk.cell,
                place.deal,
                place.arrangement,
                self._seat,
                self.asked,
                reason,
                detail[:DETAIL],
            )

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
        """Return the decision of the bot that plays this seat now, or of its replacement."""
        if self.fault is None:
            self.asked += 1
            bot = self._bot
            command = self._guarded(lambda: bot.decide(view, choices, knowledge))
            if self.fault is None:
                return command
        # it acts only where the game waits for it, so it neither trades nor sells fields off its turn
        return self._replacement.decide(view, choices, NOTHING_LEARNT) if self.waited else None

    def _guarded(self, call: Callable[[], T]) -> T | None:
        """Return what the bot returns, ``None`` after a fault."""
        if self.asked in self._known:
            known = self._known[self.asked]
            self.fail(known.reason, known.detail)
            return None
        place = self._place
        place.pulse.asking(place.deal, place.arrangement, self._seat, self.asked, self._patience)
        begun = perf_counter()
        try:
            answer = call()
        except LineError as error:
            self.fail(error.reason, str(error))
            return None
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a bot does is its own fault
            self.fail("crash", f"{type(error).__name__}: {error}")
            return None
        finally:
            place.pulse.answered()
        took = perf_counter() - begun
        if took > place.chunk.limits.seconds:
            self.fail("late", f"answered after {took:.1f} s; {place.chunk.limits.seconds:g} s are allowed")
            return None
        if self.asked:
            count(self._times, took)
        return answer


class GuardedGame(FloorGame):
    """The floor's table, which asks the replacement where a bot's answer is not legal."""

    def __init__(
        self, rules: Rules, state: State, occupants: tuple[Occupant, ...], setting: FloorSetting, watch: Watch
    ) -> None:
        """Seat the occupants."""
        super().__init__(rules, state, occupants, setting, watch)
        self.occupants = occupants

    def ask(self, seat: int, tries: int = 0, legal: tuple[Command, ...] | None = None) -> Command | None:
        """Return a decision that the table can play."""
        occupant = self.occupants[seat]
        trading = isinstance(self.state.phase, TradePhase)
        occupant.waited = not trading and waiting(self.rules, self.state)[:1] == (seat,)
        try:
            command = super().ask(seat, tries, legal)
            self._check(occupant, command)
        except BotError as error:
            if occupant.fault is not None:  # the replacement itself: a mistake of this program
                raise
            occupant.fail("illegal", str(error))
            return super().ask(seat, tries, legal)
        return command

    def _check(self, occupant: Occupant, command: Command | None) -> None:
        """Refuse what the table could not play.

        Raises :class:`BotError`.
        """
        if command is None:
            if occupant.waited:
                raise BotError("passed, but the game waits for it")
            return
        if isinstance(command, SetWish | MakePromise | WithdrawPromise) and self.stats.talk >= TALK_LIMIT:
            raise BotError("talks without end")
        try:
            reason = is_legal(self.rules, self.state, command)
        except Exception as error:
            raise BotError(f"returned {command!r}: {error}") from error
        if reason is not None:
            raise BotError(f"{reason.value}: {command!r}")

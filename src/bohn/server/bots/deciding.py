"""From a position to a legal command: the bot's, or that of a stand-in where the bot fails."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Protocol

import structlog
from msgspec import Struct

from bohn.bots import DEFAULT
from bohn.bots.reasons import Reason, sayable
from bohn.rules.commands import (
    AnyCommand,
    BuyField,
    ClaimBonus,
    DiscardBonus,
    EditOffer,
    Harvest,
    MakeOffer,
    MakePromise,
    SetWish,
    WithdrawPromise,
)
from bohn.rules.decide import is_legal
from bohn.rules.legal import NO_OFFERS, legal_commands, offer_space
from bohn.rules.ruleset import Rules
from bohn.rules.state import State
from bohn.server.bots.messages import BotAnswer, Question, Terms, Traits, terms_of
from bohn.server.bots.pool import BotFailed
from bohn.views.knowledge import Knowledge
from bohn.views.view import view

LOG = structlog.get_logger("bohn.bots")

TALK = (SetWish, MakePromise, WithdrawPromise)
"""Commands that do not move the game on."""

_AT_WILL = (Harvest, BuyField, ClaimBonus, DiscardBonus)
"""Commands that are legal besides the one for which the game waits."""

Decided = Callable[[str, float], None]
"""Is told how each decision of a bot came out, and how many seconds it took."""


class Decides(Protocol):
    """Where bots are asked (:class:`bohn.server.bots.pool.Pool`)."""

    async def decide(self, question: Question) -> BotAnswer:
        """Return what a bot returned. Raises :class:`BotFailed`."""
        ...

    async def stop(self) -> None:
        """End all work."""
        ...


class Case(Struct, frozen=True):
    """One look of one bot. ``must``: the game waits for the seat, so that it cannot pass.

    ``mute``: no more talk is taken from it.
    """

    table: str
    seq: int
    rules: Rules
    state: State
    seat: int
    bot: str
    seed: int
    must: bool
    tries: int = 0
    made: tuple[Terms, ...] = ()
    knowledge: Knowledge | None = None
    mute: bool = False


class Decision(Struct, frozen=True):
    """A legal command, or ``None`` for a pass, and why. ``broke``: the bot itself did not manage."""

    command: AnyCommand | None
    traits: Traits | None = None
    broke: bool = False
    reason: Reason | None = None


class Deciding:
    """Asks bots, and checks every answer."""

    def __init__(self, pool: Decides, decided: Decided | None = None) -> None:
        """Ask in this pool; ``decided`` is told of every decision, for metrics."""
        self._pool = pool
        self._decided = decided

    async def decide(self, case: Case) -> Decision:
        """Return what a seat does: its bot's command, else that of the default bot, else any that moves on.

        Only a seat that must act has a stand-in; others pass if their bot breaks. Raises :class:`BotFailed`
        only if all is stopped.
        """
        legal: Any = legal_commands(case.rules, case.state, case.seat)  # typed by base class, in the union
        if not legal and not case.must and not case.tries:
            return Decision(None)
        try:
            return await self._ask(case, legal, case.bot)
        except BotFailed as failure:
            _report(case, case.bot, failure)
        if not case.must:
            return Decision(None, broke=True)
        try:
            stood_in = await self._ask(case, legal, DEFAULT)
        except BotFailed as failure:
            _report(case, DEFAULT, failure)
            return Decision(onward(legal), broke=True)
        return Decision(stood_in.command, broke=True)

    async def _ask(self, case: Case, legal: tuple[AnyCommand, ...], bot: str) -> Decision:
        begun = time.perf_counter()
        outcome = "decided"
        try:
            answer = await self._pool.decide(_question(case, legal, bot))
            _check(case, answer.command)
        except BotFailed as failure:
            outcome = failure.kind
            raise
        finally:
            if self._decided is not None:
                self._decided(outcome, time.perf_counter() - begun)
        reason = answer.reason if answer.reason is not None and sayable(answer.reason) else None
        return Decision(answer.command, answer.traits, reason=reason)

    async def stop(self) -> None:
        """End all work."""
        await self._pool.stop()


def _question(case: Case, legal: tuple[AnyCommand, ...], bot: str) -> Question:
    offers = offer_space(case.rules, case.state, case.seat) if case.tries > 0 else NO_OFFERS
    seen = view(case.rules, case.state, case.seat)
    return Question(
        case.table, case.seat, bot, case.seed, seen, legal, offers, case.tries, case.made, case.knowledge
    )


def _check(case: Case, command: AnyCommand | None) -> None:
    """Refuse what breaks the contract of bots (:class:`bohn.play.seat.Bot`). Raises :class:`BotFailed`."""
    if command is None:
        if case.must:
            raise BotFailed("broken", "passed when it had to act")
        return
    name = type(command).__name__
    if command.player != case.seat:
        raise BotFailed("broken", f"{name} for another seat")
    if isinstance(command, MakeOffer | EditOffer) and (case.tries <= 0 or terms_of(command) in case.made):
        raise BotFailed("broken", f"{name} once too often")
    if case.mute and isinstance(command, TALK):
        raise BotFailed("broken", f"{name} without end")
    reason = is_legal(case.rules, case.state, command)
    if reason is not None:
        raise BotFailed("broken", f"{name} refused: {reason.value}")


def _report(case: Case, bot: str, failure: BotFailed) -> None:
    if failure.kind == "stopped":
        raise failure
    LOG.warning(
        "bot-failed", table=case.table, seq=case.seq, seat=case.seat, bot=bot, kind=failure.kind,
        detail=failure.detail,
    )  # fmt: skip


def onward(legal: tuple[AnyCommand, ...]) -> AnyCommand | None:
    """Return the first of these commands that moves the game on, else the first, else ``None``."""
    moves = (command for command in legal if not isinstance(command, _AT_WILL))
    return next(moves, legal[0] if legal else None)

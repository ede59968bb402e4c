"""From a position to a legal command: the bot's, or that of a stand-in where the bot fails."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Protocol

import structlog
from msgspec import Struct

from bohn.bots import DEFAULT
from bohn.bots.reasons import Reason, sayable
from bohn.rules.beans import Bean
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


class BotPool(Protocol):
    """Where bots are asked (:class:`bohn.server.bots.pool.Pool`)."""

    async def decide(self, question: Question) -> BotAnswer:
        """Return what a bot returned. Raises :class:`BotFailed`."""
        ...

    async def stop(self) -> None:
        """End all work."""
        ...


class BotLook(Struct, frozen=True):
    """One look of one bot. ``must``: the game waits for the seat, so that it cannot pass.

    ``mute``: no more talk is taken from it. ``people`` sit in these seats. ``deputy``: it plays for
    somebody who is away, in whose name it says nothing. ``told_none``: as in :class:`Question`.
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
    people: frozenset[int] = frozenset()
    deputy: bool = False
    told_none: tuple[tuple[int, Bean], ...] = ()


class Decision(Struct, frozen=True):
    """A legal command, or ``None`` for a pass, and why. ``broke``: the bot itself did not manage."""

    command: AnyCommand | None
    traits: Traits | None = None
    broke: bool = False
    reason: Reason | None = None


class Deciding:
    """Asks bots, and checks every answer."""

    def __init__(self, pool: BotPool, decided: Decided | None = None) -> None:
        """Ask in this pool; ``decided`` is told of every decision, for metrics."""
        self._pool = pool
        self._decided = decided

    async def decide(self, look: BotLook) -> Decision:
        """Return what a seat does: its bot's command, else that of the default bot, else any that moves on.

        Only a seat that must act has a stand-in; others pass if their bot breaks. Raises :class:`BotFailed`
        only if all is stopped.
        """
        legal: Any = legal_commands(look.rules, look.state, look.seat)  # typed by base class, in the union
        if not legal and not look.must and not look.tries:
            return Decision(None)
        try:
            return await self._ask(look, legal, look.bot)
        except BotFailed as failure:
            _report(look, look.bot, failure)
        if not look.must:
            return Decision(None, broke=True)
        try:
            stood_in = await self._ask(look, legal, DEFAULT)
        except BotFailed as failure:
            _report(look, DEFAULT, failure)
            return Decision(onward(legal), broke=True)
        return Decision(stood_in.command, broke=True)

    async def _ask(self, look: BotLook, legal: tuple[AnyCommand, ...], bot: str) -> Decision:
        begun = time.perf_counter()
        outcome = "decided"
        try:
            answer = await self._pool.decide(_question(look, legal, bot))
            _check(look, answer.command)
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


def _question(look: BotLook, legal: tuple[AnyCommand, ...], bot: str) -> Question:
    offers = offer_space(look.rules, look.state, look.seat) if look.tries > 0 else NO_OFFERS
    seen = view(look.rules, look.state, look.seat)
    return Question(
        look.table, look.seat, bot, look.seed, seen, legal, offers, look.tries, look.made, look.knowledge,
        look.people, look.deputy, look.told_none,
    )  # fmt: skip


def _check(look: BotLook, command: AnyCommand | None) -> None:
    """Refuse what breaks the contract of bots (:class:`bohn.play.seat.Bot`). Raises :class:`BotFailed`."""
    if command is None:
        if look.must:
            raise BotFailed("broken", "passed when it had to act")
        return
    name = type(command).__name__
    if command.player != look.seat:
        raise BotFailed("broken", f"{name} for another seat")
    if isinstance(command, MakeOffer | EditOffer) and (look.tries <= 0 or terms_of(command) in look.made):
        raise BotFailed("broken", f"{name} once too often")
    if look.mute and isinstance(command, TALK):
        raise BotFailed("broken", f"{name} without end")
    reason = is_legal(look.rules, look.state, command)
    if reason is not None:
        raise BotFailed("broken", f"{name} refused: {reason.value}")


def _report(look: BotLook, bot: str, failure: BotFailed) -> None:
    if failure.kind == "stopped":
        raise failure
    LOG.warning(
        "bot-failed", table=look.table, seq=look.seq, seat=look.seat, bot=bot, kind=failure.kind,
        detail=failure.detail,
    )  # fmt: skip


def onward(legal: tuple[AnyCommand, ...]) -> AnyCommand | None:
    """Return the first of these commands that moves the game on, else the first, else ``None``."""
    moves = (command for command in legal if not isinstance(command, _AT_WILL))
    return next(moves, legal[0] if legal else None)

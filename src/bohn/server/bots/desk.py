"""One table as its bots need it: who sits there, which moments are pending, what is remembered."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from bohn.bots.reasons import Reason
from bohn.bots.voices import Voices
from bohn.rules.state import State
from bohn.server.bots.asks import Traits
from bohn.server.bots.concerns import ENGAGING, LOOKS_IN_TRADING, Key
from bohn.server.bots.memory import Ledger, Notebook, game_events
from bohn.server.store.protocol import Row
from bohn.server.tables.api import Peek


class Moment(NamedTuple):
    """Something a bot will do, and when (ms since 1970)."""

    task: asyncio.Task[None]
    due: float


class Player:
    """A bot in one seat of one table: its pending moments, and what is known of it."""

    def __init__(self, seat: int, bot: str, seed: int, traits: Traits) -> None:
        """Sit down; ``seed`` makes the bot, ``traits`` are a guess until it has been asked once."""
        self.seat = seat
        self.bot = bot
        self.seed = seed
        self.traits = traits
        self.seated = False
        self.pending: dict[Key, Moment] = {}
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

    def drop(self, key: Key) -> None:
        """Cancel a pending moment."""
        moment = self.pending.pop(key, None)
        if moment is not None:
            moment.task.cancel()

    def dismiss(self) -> None:
        """Cancel everything: somebody else plays the seat now, or nobody."""
        self.seated = False
        self.pending.clear()
        for task in self.tasks:
            task.cancel()


class Desk:
    """One table as its bots need it."""

    def __init__(self, peek: Peek) -> None:
        """Begin with nobody seated."""
        self.id = peek.room.id
        self.peek = peek
        self.players: dict[int, Player] = {}
        self.ledger = Ledger()
        self.notebook = Notebook()
        self.voices = Voices()
        self.silence: asyncio.Task[None] | None = None
        self.quiet = False
        self.waited = (0, 0)

    def wait(self, milliseconds: int) -> int:
        """Note a time for which the trading of this turn was kept open; return how long that was in all."""
        turn, waited = self.waited
        self.waited = (self.state.turn, (waited if turn == self.state.turn else 0) + milliseconds)
        return self.waited[1]

    def heard(self, end: float) -> bool:
        """Whether by then all bots will have looked at the offers that have reached them."""
        return not any(
            player.lock.locked()
            or any(key.why == "offer" and one.due > end for key, one in player.pending.items())
            for player in self.players.values()
            if player.seat != self.state.active_player
        )

    @property
    def state(self) -> State:
        """The position; there is a desk only while there is one."""
        assert self.peek.state is not None  # noqa: S101 - see noticed()
        return self.peek.state

    def follow(self, peek: Peek, row: Row | None, *, anew: bool) -> None:
        """Note a batch; ``anew``: what was before it is not known."""
        self.peek = peek
        if anew:
            self.ledger.load(self.state)
        elif row is not None:
            self.ledger.follow(self.state, game_events(row.events))
        curious = (seat for seat, player in self.players.items() if player.traits.uses_knowledge)
        self.notebook.follow(peek, row, curious)

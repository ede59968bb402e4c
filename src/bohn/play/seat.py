"""The interface of a computer player, and the choices it is given.

Bots decide from views and never import the state; the structs of a view are
exported here too, so that a bot can distinguish phases.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol

from bohn.rules.commands import Command
from bohn.rules.legal import NO_OFFERS, OfferSpace, legal_commands, offer_space
from bohn.rules.ruleset import Rules
from bohn.rules.state import (
    BonusPhase,
    Copies,
    Copy,
    EndPhase,
    FaceUpPhase,
    LeftoversPhase,
    PlantGiftPhase,
    PlantPhase,
    PlantTradedPhase,
    RevealPhase,
    State,
)
from bohn.views.knowledge import Knowledge
from bohn.views.view import GiftView, OfferView, PlayerView, TradeView, View

__all__ = [
    "BonusPhase",
    "Bot",
    "BotFactory",
    "Choices",
    "Copies",
    "Copy",
    "EndPhase",
    "FaceUpPhase",
    "GiftView",
    "LeftoversPhase",
    "OfferView",
    "PlantGiftPhase",
    "PlantPhase",
    "PlantTradedPhase",
    "PlayerView",
    "RevealPhase",
    "TradeView",
    "View",
]

Commands = tuple[Command, ...]


class Choices:
    """What a seat may do now: its legal commands, and what its offers may be made of.

    ``tries`` is how many more offers (new or edited) the floor takes from this seat now; with none
    left ``offers`` is empty. Both are worked out when first read, since most decisions need only one.
    """

    __slots__ = ("_legal", "_offers", "tries")

    def __init__(self, legal: Commands, offers: OfferSpace = NO_OFFERS, tries: int | None = None) -> None:
        """Store both; without ``tries`` every free slot for offers may be used."""
        self._legal: Commands | Callable[[], Commands] = legal
        self._offers: OfferSpace | Callable[[], OfferSpace] = offers
        self.tries = offers.slots if tries is None else tries

    @classmethod
    def at(cls, rules: Rules, state: State, player: int, tries: int = 0) -> Choices:
        """Return the choices of a player in a position."""
        choices = cls((), NO_OFFERS, tries)
        choices._legal = partial(legal_commands, rules, state, player)
        if tries > 0:
            choices._offers = partial(offer_space, rules, state, player)
        return choices

    @property
    def legal(self) -> Commands:
        """All legal commands but offers, edits, talk and copies other than the front-most."""
        if not isinstance(self._legal, tuple):
            self._legal = self._legal()
        return self._legal

    @property
    def offers(self) -> OfferSpace:
        """What an offer may be made of."""
        if not isinstance(self._offers, OfferSpace):
            self._offers = self._offers()
        return self._offers


class Bot(Protocol):
    """A computer player: picks one of its choices, or makes an offer of its own.

    ``None`` passes: no answer, no offer, no harvest. A seat the game waits for must act.
    The other attributes only save time: without ``trades`` the seat is never asked while others
    trade, without ``off_turn`` only when the game waits for it or beans are traded,
    without ``uses_knowledge`` it is given knowledge that stays empty.
    """

    name: str
    trades: bool
    off_turn: bool
    uses_knowledge: bool

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
        """Return a command, or ``None`` to pass."""
        ...


BotFactory = Callable[[int], Bot]
"""Makes a bot from the seed of its random numbers."""

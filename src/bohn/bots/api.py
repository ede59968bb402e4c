"""What a computer player is made of: the protocol, its choices, its chance, and the phases it sees.

A bot is a :class:`Player` with ``decide(view, choices, knowledge)``, or anything else with the four
attributes of the protocol as well.
"""

from __future__ import annotations

from random import Random

from bohn.rules.commands import Command
from bohn.sim.seat import (
    BonusPhase,
    Bot,
    Choices,
    Copies,
    Copy,
    EndPhase,
    FaceUpPhase,
    GiftView,
    LeftoversPhase,
    Maker,
    OfferView,
    PlantGiftPhase,
    PlantPhase,
    PlantTradedPhase,
    RevealPhase,
    TradeView,
    View,
)
from bohn.views.knowledge import Knowledge

Rand = Random
"""The chance of a bot: its own, seeded when it is made, so that every game can be played again."""

__all__ = [
    "BonusPhase",
    "Bot",
    "Choices",
    "Command",
    "Copies",
    "Copy",
    "EndPhase",
    "FaceUpPhase",
    "GiftView",
    "Knowledge",
    "LeftoversPhase",
    "Maker",
    "OfferView",
    "PlantGiftPhase",
    "PlantPhase",
    "PlantTradedPhase",
    "Player",
    "Rand",
    "RevealPhase",
    "TradeView",
    "View",
]


class Player:
    """The base of computer players: a name, what it wants to be asked, and its chance; add ``decide``."""

    name = "player"
    trades = True
    off_turn = False
    uses_knowledge = False

    def __init__(self, seed: int = 0) -> None:
        """Take the seed of the player's chance."""
        self.rand: Rand = Random(seed)

"""All that a computer player needs: its base class, its choices, its random numbers, the phases it sees.

A bot is a :class:`ComputerPlayer` with ``decide(view, choices, knowledge)``, or any other object with the
four attributes and the method of the protocol :class:`Bot`.
"""

from __future__ import annotations

from random import Random

from bohn.play.seat import (
    BonusPhase,
    Bot,
    BotFactory,
    Choices,
    Copies,
    Copy,
    EndPhase,
    FaceUpPhase,
    GiftView,
    LeftoversPhase,
    OfferView,
    PlantGiftPhase,
    PlantPhase,
    PlantTradedPhase,
    RevealPhase,
    TradeView,
    View,
)
from bohn.rules.commands import Command
from bohn.views.knowledge import Knowledge

Rand = Random
"""The random generator of a bot: its own, seeded when it is made, so that every game can be repeated."""

__all__ = [
    "BonusPhase",
    "Bot",
    "BotFactory",
    "Choices",
    "Command",
    "ComputerPlayer",
    "Copies",
    "Copy",
    "EndPhase",
    "FaceUpPhase",
    "GiftView",
    "Knowledge",
    "LeftoversPhase",
    "OfferView",
    "PlantGiftPhase",
    "PlantPhase",
    "PlantTradedPhase",
    "Rand",
    "RevealPhase",
    "TradeView",
    "View",
]


class ComputerPlayer:
    """The base of computer players: name, when to ask it, random generator; a subclass adds ``decide``."""

    name = "player"
    trades = True
    off_turn = False
    uses_knowledge = False

    def __init__(self, seed: int = 0) -> None:
        """Take the seed of the player's random generator."""
        self.rand: Rand = Random(seed)

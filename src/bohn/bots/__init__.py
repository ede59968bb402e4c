"""Computer players: each decides from a view, its choices and its knowledge, and nothing else."""

from bohn.bots.api import Bot, Choices, Maker, Player, Rand
from bohn.bots.farming import NoTrade
from bohn.bots.picky import Picky
from bohn.bots.random_players import RandomFarmer, RandomTrader
from bohn.bots.students import DefaultTrader, OneTrade, Smart, Wrath

PLAYERS: dict[str, Maker] = {
    "random": RandomFarmer,
    "random-trader": RandomTrader,
    "no-trade": NoTrade,
    "b3": DefaultTrader,
    "b3u": OneTrade,
    "b4": Wrath,
    "b6": Smart,
    "pk": Picky,
}
"""Every computer player by its name: makes one from the seed of its chance."""

DEFAULT = "pk"
"""Who sits in a seat if nobody is named."""

__all__ = ["DEFAULT", "PLAYERS", "Bot", "Choices", "Maker", "Player", "Rand"]

"""Computer players: each decides from a view, its choices and its knowledge, and nothing else."""

from bohn.bots.api import Bot, Choices, Maker, Player, Rand
from bohn.bots.farming import NoTrade
from bohn.bots.picky import Picky
from bohn.bots.random_players import RandomFarmer, RandomTrader
from bohn.bots.students import DefaultTrader, OneTrade, Smart, Wrath


class Late:
    """Makes a trader that weighs; what it thinks with is loaded when the first is made."""

    trades = True
    off_turn = False
    uses_knowledge = True

    def __init__(self, name: str, about: str) -> None:
        """Take the name of the trader, and what it is like, which is the text of ``bohn players``."""
        self.name = name
        self.__doc__ = about

    def __call__(self, seed: int) -> Bot:
        """Make one from the seed of its chance."""
        from bohn.bots.traders import TRADERS

        return TRADERS[self.name](seed)


_ABOUT = {
    "h": "Weighs every exchange: its own gain less two thirds of the other's.",
    "g": "Weighs every exchange, and takes nearly every gain.",
    "gentle": "Easy company: takes whatever helps it, and proposes only what helps the other as well.",
    "fair": "Good company: makes few offers, likely to be welcome, and is easily content.",
    "strong": "Hard to beat: counts cards, minds who leads, has learnt what an exchange is worth.",
    "strongest": "As strong, and plays hidden cards out where the choice of a field matters.",
}

LATE = tuple(_ABOUT)
"""The players that are loaded late."""


def warm() -> None:
    """Load, and where Numba is installed compile, what the players that weigh think with."""
    from bohn.bots.traders import compile_all

    compile_all()


PLAYERS: dict[str, Maker] = {
    "random": RandomFarmer,
    "random-trader": RandomTrader,
    "no-trade": NoTrade,
    "b3": DefaultTrader,
    "b3u": OneTrade,
    "b4": Wrath,
    "b6": Smart,
    "pk": Picky,
    **{name: Late(name, about) for name, about in _ABOUT.items()},
}
"""Every computer player by its name: makes one from the seed of its chance."""

DEFAULT = "pk"
"""Who sits in a seat if nobody is named."""

__all__ = ["DEFAULT", "LATE", "PLAYERS", "Bot", "Choices", "Maker", "Player", "Rand", "warm"]

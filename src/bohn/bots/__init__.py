"""Computer players: each decides from a view, its choices and its knowledge, and nothing else."""

from bohn.bots.api import Bot, BotFactory, Choices, ComputerPlayer, Rand
from bohn.bots.farming import NoTrade
from bohn.bots.names import DIGESTS, FORMER, LEVELS, current_name, digests_of, level_of, recorded_name
from bohn.bots.picky import Picky
from bohn.bots.random_players import RandomFarmer, RandomTrader
from bohn.bots.students import DefaultTrader, OneTrade, Smart, Wrath


class LazyFactory:
    """Makes a trader; NumPy and the compiled functions are loaded when the first one is made."""

    trades = True
    off_turn = False
    uses_knowledge = True

    def __init__(self, name: str, about: str) -> None:
        """Take the name of the trader, and what it is like, which is the text of ``bohn players``."""
        self.name = name
        self.__doc__ = about

    def __call__(self, seed: int) -> Bot:
        """Make one from the seed of its chance."""
        from bohn.bots.named_traders import TRADERS

        return TRADERS[self.name](seed)


_ABOUT = {
    "value-trader": "Weighs every exchange: its own gain less two thirds of the other's.",
    "generous-trader": "Weighs every exchange, and takes nearly every gain.",
    "beginner-1": "For a first game: sells every field at its first coin, and saves for nothing.",
    "beginner-2": "For a first game: plants what it can on a field, and sells it at its first coin.",
    "gentle-1": "Easy company: takes whatever helps it, and proposes only what helps the other as well.",
    "gentle-2": "Easy company that lives for the moment: gives any card of its hand for one it grows now.",
    "gentle-3": "Easy company, glad of what others gain: what helps them much it gives for too little.",
    "fair-1": "Good company: makes few offers, likely to be welcome, and is easily content.",
    "fair-2": "Good company: proposes only what helps the other too, and is content with little.",
    "fair-3": "Good company: takes whatever helps it, and keeps what its hand will plant.",
    "strong-1": "Hard to beat: counts cards, minds who leads, has learnt what an exchange is worth.",
    "strong-2": "Hard to beat: as strong-1, with numbers that evolved against it, its attackers and others.",
    "strong-3": "Hard to beat: weighs by kind and by who wants what, and notices two who favour each other.",
    "strong-4": "Hard to beat: as strong-3; for two who haggle over gifts it has learnt from games.",
    "strong-5": "Hard to beat: as strong-4, but holds its second card back, and looks at its hand more.",
    "strongest-1": "As strong-1, and plays hidden cards out where the choice of a field matters.",
    "strongest-2": "As strong-2, and plays hidden cards out where the choice of a field matters.",
    "strongest-3": "As strong-3, and plays hidden cards out where the choice of a field matters.",
    "strongest-4": "As strong-4, and plays hidden cards out where the choice of a field matters.",
    "strongest-5": "As strong-5, and plays hidden cards out where the choice of a field matters.",
}

LOADED_LAZILY = tuple(_ABOUT)
"""The players whose code is loaded when the first of them is made: the traders, which need NumPy."""


def compile_traders() -> None:
    """Load the functions of the traders, and compile them where Numba is installed."""
    from bohn.bots.named_traders import compile_all

    compile_all()


PLAYERS: dict[str, BotFactory] = {
    "random": RandomFarmer,
    "random-trader": RandomTrader,
    "no-trade": NoTrade,
    "b3": DefaultTrader,
    "b3u": OneTrade,
    "b4": Wrath,
    "b6": Smart,
    "pk": Picky,
    **{name: LazyFactory(name, about) for name, about in _ABOUT.items()},
}
"""Every computer player by its own name, by no former one or level: makes one from the seed of its chance."""

DEFAULT = "pk"
"""The player for a seat for which none is named."""

__all__ = [
    "DEFAULT",
    "DIGESTS",
    "FORMER",
    "LEVELS",
    "LOADED_LAZILY",
    "PLAYERS",
    "Bot",
    "BotFactory",
    "Choices",
    "ComputerPlayer",
    "Rand",
    "compile_traders",
    "current_name",
    "digests_of",
    "level_of",
    "recorded_name",
]  # fmt: skip

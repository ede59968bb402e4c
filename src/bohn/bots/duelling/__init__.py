"""Das Duell as the traders play it: planting, bonus cards, gifts and bluffs by what they are worth."""

from bohn.bots.duelling.manners import MANNERS, Expectations, Manner
from bohn.bots.duelling.player import Duellist

__all__ = ["MANNERS", "Duellist", "Expectations", "Manner"]

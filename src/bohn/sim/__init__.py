"""Many games fast: the floor that asks each seat in turn, and simulation over a process pool."""

from bohn.sim.floor import BRISK, FREE, SETTINGS, BotError, GameResult, Setting, due, floor, play_game
from bohn.sim.seat import Bot, Choices

__all__ = [
    "BRISK",
    "FREE",
    "SETTINGS",
    "Bot",
    "BotError",
    "Choices",
    "GameResult",
    "Setting",
    "due",
    "floor",
    "play_game",
]

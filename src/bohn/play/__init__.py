"""Whole games between computer players: the order in which they are asked, one game, and many in parallel."""

from bohn.play.floor import BRISK, FLOOR_SETTINGS, FREE, BotError, FloorSetting, GameResult, floor, play_game
from bohn.play.seat import Bot, Choices

__all__ = [
    "BRISK",
    "FLOOR_SETTINGS",
    "FREE",
    "Bot",
    "BotError",
    "Choices",
    "FloorSetting",
    "GameResult",
    "floor",
    "play_game",
]

"""Which computer players look at exchanges as people do, and which of them are to be hard to beat."""

from __future__ import annotations

from bohn.server.bots.messages import Question

GOOD_COMPANY = ("beginner", "gentle", "fair")
"""The levels that are to be good company."""

HARD = ("strong", "strongest")
"""The levels that are to be hard to beat: they keep their own counsel on what an exchange is worth."""


def has_sense(question: Question) -> bool:
    """Tell whether a player looks at exchanges as people do: one of a level, where people sit by."""
    return bool(question.people) and _level(question.bot) in GOOD_COMPANY + HARD


def is_hard(bot: str) -> bool:
    """Tell whether a player is one of a level that is to be hard to beat."""
    return _level(bot) in HARD


def _level(bot: str) -> str:
    return bot.partition("-")[0]

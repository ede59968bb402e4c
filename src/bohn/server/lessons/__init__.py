"""Lessons: games with a known deal, in which the bots follow a story (docs/lessons.md)."""

from __future__ import annotations

from functools import partial

from bohn.bots import PLAYERS as ORDINARY
from bohn.play.seat import BotFactory
from bohn.server.lessons.lesson import Lesson, load
from bohn.server.lessons.tutor import Tutor

LESSONS: dict[str, Lesson] = load()
"""Every lesson by its name."""


def _tutor(lesson: Lesson, seed: int) -> Tutor:
    return Tutor(lesson.story, seed)


PLAYERS: dict[str, BotFactory] = {
    **ORDINARY,
    **{name: partial(_tutor, lesson) for name, lesson in LESSONS.items()},
}
"""Every computer player that may sit at a table of this server: the ordinary ones, and those of lessons."""

WHERE = f"{__name__}:PLAYERS"
"""Where another process finds that table: the name of a module, and of the table in it."""

__all__ = ["LESSONS", "PLAYERS", "WHERE", "Lesson"]

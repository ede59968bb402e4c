"""Games that teach: a known deal, and bots who do what their story says (docs/lessons.md)."""

from __future__ import annotations

from functools import partial

from bohn.bots import PLAYERS as ORDINARY
from bohn.server.lessons.lesson import Lesson, load
from bohn.server.lessons.tutor import Tutor
from bohn.sim.seat import Maker

LESSONS: dict[str, Lesson] = load()
"""Every lesson by its name."""


def _tutor(lesson: Lesson, seed: int) -> Tutor:
    return Tutor(lesson.story, seed)


PLAYERS: dict[str, Maker] = {
    **ORDINARY,
    **{name: partial(_tutor, lesson) for name, lesson in LESSONS.items()},
}
"""Every computer player that may sit at a table of this server: the ordinary ones, and those of lessons."""

__all__ = ["LESSONS", "PLAYERS", "Lesson"]

"""What the bots of a lesson do: their offers turn by turn, what they take, and how long they wait."""

from __future__ import annotations

from msgspec import Struct

from bohn.rules.beans import Bean


class Scripted(Struct, frozen=True):
    """An offer that a bot makes in a turn, of cards in its hand or face up."""

    turn: int
    by: int
    to: tuple[int, ...]
    give: tuple[Bean, ...]
    want: tuple[Bean, ...]


class Taste(Struct, frozen=True):
    """What a bot takes while the story lasts, and what may be had for it, at most card for card."""

    by: int
    take: tuple[Bean, ...]
    give: tuple[Bean, ...]


class Story(Struct, frozen=True):
    """The part of a lesson that is told by its bots; it ends with turn ``turns``.

    ``answer`` and ``harvest`` are how long (ms) a bot keeps its trading open for somebody who has not
    answered it, or who has a field that cannot earn more.
    """

    turns: int
    offers: tuple[Scripted, ...]
    tastes: tuple[Taste, ...]
    answer: int
    harvest: int

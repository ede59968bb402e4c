"""Which row a computer player ploughs up beside people: a full one before one that may still grow."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from bohn.bots import LEVELS, PLAYERS
from bohn.rules.commands import EndTrading, Harvest
from bohn.rules.state import PlantPhase
from bohn.server.bots.harvest_sense import full_row_first
from bohn.server.bots.worker import BotCache
from tests.server.bots.test_common_sense import BLUE, GENTLE, GREEN, STINK, STRONG, asked, market

FULL = [GREEN] * 7
"""A row of green beans that earns no more with another one."""


def test_full_row_goes_before_one_that_may_grow() -> None:
    """Whoever would plough up four stink beans harvests seven green ones."""
    question = asked(market([[STINK] * 4, FULL]))

    assert full_row_first(question, Harvest(0, 0)) == Harvest(0, 1)


@pytest.mark.parametrize(
    ("bot", "people", "rows"),
    [
        (STRONG, {1}, [[STINK] * 4, FULL]),  # hard players may have their reasons
        (GENTLE, set(), [[STINK] * 4, FULL]),
        (GENTLE, {1}, [[STINK] * 4, FULL[1:]]),
        (GENTLE, {1}, [[BLUE] * 10, FULL]),
    ],
)
def test_harvest_stays_as_it_was_meant(bot: str, people: set[int], rows: list[Any]) -> None:
    """Where no row is full, where it is one itself, of a hard player, and where nobody looks on."""
    question = replace(asked(market(rows), bot), people=frozenset(people))

    assert full_row_first(question, Harvest(0, 0)) == Harvest(0, 0)


@pytest.mark.parametrize("level", ["beginner", "gentle", "fair"])
def test_player_of_a_level_harvests_its_full_row(level: str) -> None:
    """A bean that must be planted and has no field takes the place of the row that earns no more."""
    state = market([[STINK] * 4, FULL], [[BLUE]], hands=[[BLUE] * 3])
    planting = replace(state, phase=PlantPhase(0))
    answer: Any = BotCache(PLAYERS).reply(asked(planting, LEVELS[level]))

    assert answer.command == Harvest(0, 1)


def test_one_full_row_is_not_put_before_another() -> None:
    """Which of two goes that earn no more is the player's own choice."""
    question = asked(market([FULL, [BLUE] * 10]))

    assert full_row_first(question, Harvest(0, 1)) == Harvest(0, 1)


def test_other_commands_are_left_alone() -> None:
    """It is about harvests alone."""
    question = asked(market([[STINK] * 4, FULL]))

    assert full_row_first(question, EndTrading(0)) == EndTrading(0)
    assert full_row_first(question, None) is None

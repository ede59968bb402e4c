"""Which row a computer player ploughs up beside people, and when it plants instead."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from bohn.bots import LEVELS, PLAYERS
from bohn.rules.beans import Bean
from bohn.rules.commands import Command, EndTrading, Harvest, KeepHand, Plant, PlantSetAside
from bohn.rules.state import PlantPhase, PlantTradedPhase
from bohn.server.bots.harvest_sense import harvest_with_sense
from bohn.server.bots.worker import BotCache
from tests.server.bots.test_common_sense import (
    BLUE,
    CHILI,
    GARDEN,
    GENTLE,
    GREEN,
    SOY,
    STINK,
    STRONG,
    WAX,
    asked,
    market,
)

FULL = [GREEN] * 7
"""A row of green beans that earns no more with another one."""


def test_full_row_goes_before_one_that_may_grow() -> None:
    """Whoever would plough up four stink beans harvests seven green ones."""
    question = asked(market([[STINK] * 4, FULL]))

    assert harvest_with_sense(question, Harvest(0, 0)) == Harvest(0, 1)


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

    assert harvest_with_sense(question, Harvest(0, 0)) == Harvest(0, 0)


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

    assert harvest_with_sense(question, Harvest(0, 1)) == Harvest(0, 1)


def test_other_commands_are_left_alone() -> None:
    """It is about harvests alone."""
    question = asked(market([[STINK] * 4, FULL]))

    assert harvest_with_sense(question, EndTrading(0)) == EndTrading(0)
    assert harvest_with_sense(question, None) is None


@pytest.mark.parametrize(
    ("card", "planted", "does"),
    [(GREEN, 0, Plant(0, 1)), (BLUE, 0, Plant(0, 0)), (GREEN, 1, Harvest(0, 0))],
    ids=["new", "grows", "second-card"],
)
def test_card_is_planted_on_an_empty_field_before_a_row_is_sold(
    card: Bean, planted: int, does: Command
) -> None:
    """Where it grows, else on the empty field; where none need be planted the harvest stays."""
    state = replace(market([[BLUE] * 4, []], hands=[[card, STINK]]), phase=PlantPhase(planted))

    assert harvest_with_sense(asked(state), Harvest(0, 0)) == does
    assert harvest_with_sense(asked(state, STRONG), Harvest(0, 0)) == Harvest(0, 0)


def test_card_that_need_not_be_planted_is_not_planted_before_a_row_is_sold_in_the_bean_duel() -> None:
    """There no card is turned over: the planting ends with what is done with the hand."""
    state = replace(market([[BLUE] * 4, []], hands=[[GREEN, STINK]]), phase=PlantPhase(1))
    duel = replace(asked(state), legal=(Harvest(0, 0), Plant(0, 1), KeepHand(0)))

    assert harvest_with_sense(duel, Harvest(0, 0)) == Harvest(0, 0)
    assert harvest_with_sense(replace(duel, legal=duel.legal[:2]), Harvest(0, 0)) == Plant(0, 1)


def test_traded_bean_is_planted_on_an_empty_field_before_a_row_is_sold() -> None:
    """The first one that is set aside goes there."""
    state = market([[BLUE] * 4, []])
    owner = replace(state.players[0], set_aside=(GREEN, STINK))
    planting = replace(state, players=(owner, *state.players[1:]), phase=PlantTradedPhase())

    assert harvest_with_sense(asked(planting), Harvest(0, 0)) == PlantSetAside(0, 0, 1)


@pytest.mark.parametrize(
    ("rows", "held", "goes"),
    [
        ([[CHILI] * 2, [STINK] * 2], [WAX, CHILI], 1),
        ([[CHILI] * 3, [STINK] * 2], [WAX, CHILI], 0),
        ([[CHILI], [STINK] * 2], [WAX, CHILI], 0),
        ([[CHILI] * 2, [STINK] * 2], [WAX], 0),
        ([[CHILI] * 2, [STINK] * 2], [WAX, CHILI, STINK], 0),
        ([[BLUE], [GARDEN]], [WAX, SOY, BLUE], 0),
        ([[WAX] * 2, [STINK] * 2], [SOY, WAX], 0),
        ([[WAX] * 2, [STINK] * 2], [SOY, WAX, WAX], 1),
        ([[GARDEN], [BLUE] * 3], [WAX, GARDEN], 0),
    ],
    ids=[
        "held",
        "earns",
        "shorter",
        "not-held",
        "both-held",
        "nearer",
        "as-near",
        "nearer-with-hand",
        "longer",
    ],
)
def test_row_of_which_more_are_held_is_not_ploughed_up_for_nothing(
    rows: list[Any], held: list[Bean], goes: int
) -> None:
    """Another one goes that earns nothing, is no longer, none of it held, and further from a coin."""
    state = replace(market(rows, hands=[held]), phase=PlantPhase(0))

    assert harvest_with_sense(asked(state), Harvest(0, 0)) == Harvest(0, goes)


def test_row_that_what_is_set_aside_joins_is_not_ploughed_up_instead() -> None:
    """Of the other one a bean is in the hand, of this one a bean must be planted."""
    state = market([[CHILI] * 2, [STINK] * 2], hands=[[WAX, CHILI]])
    owner = replace(state.players[0], set_aside=(WAX, STINK))
    planting = replace(state, players=(owner, *state.players[1:]), phase=PlantTradedPhase())

    assert harvest_with_sense(asked(planting), Harvest(0, 0)) == Harvest(0, 0)

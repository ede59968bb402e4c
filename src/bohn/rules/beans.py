"""The beans: eleven varieties, their printed counts and their beanometers."""

from __future__ import annotations

from enum import IntEnum


class Bean(IntEnum):
    """A variety of bean; the variety is the card's whole identity (BEAN-1).

    The order is that of the printed counts, so the next higher number of the
    planting ladder (DD-3) is the next member.
    """

    COCOA = 0
    GARDEN = 1
    RED = 2
    BLACK_EYED = 3
    SOY = 4
    GREEN = 5
    STINK = 6
    CHILI = 7
    BLUE = 8
    WAX = 9
    COFFEE = 10


Hand = tuple[Bean, ...]
"""Hand cards, front first: ``hand[0]`` is planted next (SETUP-3)."""

Field = tuple[Bean, ...]
"""Beans of one field, oldest first: ``field[-1]`` is the newest (FIELD-1)."""

Pile = tuple[Bean, ...]
"""A pile of cards, bottom first: ``pile[-1]`` is the top (COIN-2)."""

Beanometer = tuple[tuple[int, int], ...]
"""Steps ``(beans, coins)``, rising: that number of beans earns that number of coins (BEAN-2)."""

BEANS: tuple[Bean, ...] = tuple(Bean)
"""All varieties, rarest first; a table by bean is indexed by ``BEANS`` order."""


def coins_for(beanometer: Beanometer, count: int) -> int:
    """Return the number of coins that ``count`` beans earn (BEAN-2, BEAN-3).

    That is the largest one whose number of beans is reached, or 0.
    """
    coins = 0
    for beans, value in beanometer:
        if count < beans:
            break
        coins = value
    return coins


def on_the_way(meter: Beanometer, beans: int) -> float:
    """Return the coins of a number of beans, and the part of the way to the next coin they have gone.

    Three beans of a kind that pays 1 coin for 2 and 2 for 4 are worth 1.5.
    """
    below, coins = 0, 0
    for step, earned in meter:
        if beans < step:
            return coins + (earned - coins) * (beans - below) / (step - below)
        below, coins = step, earned
    return float(coins)

"""Bodies of the HTTP API about being away: what one leaves with one table, and playing times of a person."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from bohn.protocol.api import Body
from bohn.protocol.room import Hours, Minute
from bohn.rules.beans import Bean

MOST_CARDS = 9
"""Cards that one exchange by order may give or take."""

MOST_TIMES = 9
"""Times that one order may be carried out."""

MOST_BEANS = 24
"""Beans on a field at which a harvest that is set ahead may be due: no kind has more."""

LAST_FIELD = 2
"""The field that is bought: nobody has more than three."""

Cards = Annotated[int, Meta(ge=1, le=MOST_CARDS)]
Times = Annotated[int, Meta(ge=1, le=MOST_TIMES)]


class Terms(Body, frozen=True, gc=False):
    """What an order says: up to ``most`` of ``give`` for at least ``least`` of ``take``, ``times`` times.

    Without ``give`` it takes for nothing, without ``take`` it gives for nothing; then that number means
    nothing.
    """

    give: Bean | None = None
    most: Cards = 1
    take: Bean | None = None
    least: Cards = 1
    times: Times = 1


class PlantAhead(Body, frozen=True, gc=False, tag_field="do", tag="plant"):
    """Plant the next bean of a kind that one is to plant on this field, from 0.

    Where another kind grows there it is done only with ``harvest``, behind the harvest of the field.
    """

    bean: Bean
    field: Annotated[int, Meta(ge=0, le=LAST_FIELD)]
    harvest: bool = False
    times: Times = 1


class HarvestAhead(Body, frozen=True, gc=False, tag_field="do", tag="harvest"):
    """Harvest this field, from 0, as soon as at least so many ``beans`` grow there."""

    field: Annotated[int, Meta(ge=0, le=LAST_FIELD)]
    beans: Annotated[int, Meta(ge=1, le=MOST_BEANS)]
    times: Times = 1


class RevealAhead(Body, frozen=True, gc=False, tag_field="do", tag="reveal"):
    """Turn beans over once one has planted, and no planting is set ahead for the next bean."""

    times: Times = 1


MoveAhead = PlantAhead | HarvestAhead | RevealAhead
"""A move of the game that is made for somebody as soon as it is possible."""


class NewMove(Body, frozen=True):
    """A move to be set ahead."""

    move: MoveAhead


class MoveInfo(Struct, frozen=True):
    """An own move that is set ahead, and how often it was made."""

    id: str
    move: MoveAhead
    carried: int


class OrderInfo(Struct, frozen=True):
    """An own order, and how often it was carried out."""

    id: str
    terms: Terms
    carried: int


class AwayInfo(Struct, frozen=True):
    """What one has left with a table over days: orders and moves as they are gone through.

    ``beat`` is when orders are looked at next (ms since 1970); ``None`` while nobody trades, and in a pause.
    ``done``: at that beat one passes, or ends the trading.
    """

    orders: tuple[OrderInfo, ...]
    beat: int | None
    done: bool
    moves: tuple[MoveInfo, ...] = ()


class Days(Struct, frozen=True, gc=False):
    """Days from the ``first`` to the ``last``, both included: dates as 2026-12-24."""

    first: str
    last: str


class TimesInfo(Struct, frozen=True):
    """When one's clocks run at tables over days: in the ``hours``, and not in the holidays.

    ``left`` are the days of holidays one has left this year, ``left_next`` those of the next.
    """

    hours: Hours
    holidays: tuple[Days, ...]
    left: int
    left_next: int


class ChangeHours(Body, frozen=True):
    """Playing hours: from ``begin`` to ``end``, minutes of the day in the time zone; equal: all the day."""

    begin: Minute
    end: Minute
    zone: str


class NewHoliday(Body, frozen=True):
    """Days from the ``first`` to the ``last``, both included: dates as 2026-12-24 in the time zone."""

    first: str
    last: str
    zone: str

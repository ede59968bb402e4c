"""Bodies of the HTTP API about being away: standing orders of one table, and playing times of a person."""

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


class OrderInfo(Struct, frozen=True):
    """An own order, and how often it was carried out."""

    id: str
    terms: Terms
    carried: int


class AwayInfo(Struct, frozen=True):
    """What one has left with a table over days: orders as they are gone through.

    ``beat`` is when they are looked at next (ms since 1970); ``None`` while nobody trades, and in a pause.
    ``done``: at that beat one passes, or ends the trading.
    """

    orders: tuple[OrderInfo, ...]
    beat: int | None
    done: bool


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

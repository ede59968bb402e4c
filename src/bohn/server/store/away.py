"""Standing orders and playing times, as the store sees them: what people leave for the time they are away."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from msgspec import Struct

from bohn.protocol.away import Days, MoveAhead, Terms
from bohn.protocol.room import Hours


class StandingOrder(Struct, frozen=True, gc=False):
    """An order that a user has left with a table, or a move; ``created`` in ms since 1970."""

    id: str
    table: str
    user: str
    created: int
    terms: Terms | MoveAhead


class PersonTimes(Struct, frozen=True, gc=False):
    """The playing hours of a user at tables over days, and his holidays, in the time zone of the hours.

    Holidays that are over are kept as long as they count.
    """

    user: str
    hours: Hours = Hours(0, 0, "UTC")
    holidays: tuple[Days, ...] = ()


class AwayStore(Protocol):
    """What a store offers to standing orders and playing times. Every method raises ``StoreUnavailable``."""

    async def add_order(self, order: StandingOrder, most: int, spent: Collection[str] = ()) -> bool:
        """Store an order, or a move, and tell whether it was; one that is there already stays.

        It is not where its user has left ``most`` of its kind with the table that are not ``spent``. Of
        several at once, whoever stores them, each counts those before it.
        """
        ...

    async def orders_at(self, table: str) -> tuple[StandingOrder, ...]:
        """Return the orders that people have left with a table, oldest first."""
        ...

    async def orders_of(self, user: str) -> tuple[StandingOrder, ...]:
        """Return the orders that a user has left, oldest first."""
        ...

    async def drop_order(self, table: str, user: str, order: str) -> bool:
        """Delete an order of a user; tell whether there was one. Once this returns it is not carried out."""
        ...

    async def put_times(self, times: PersonTimes) -> None:
        """Store the playing times of a user."""
        ...

    async def times_of(self, users: Collection[str]) -> dict[str, PersonTimes]:
        """Return the playing times of those of these users who have any."""
        ...

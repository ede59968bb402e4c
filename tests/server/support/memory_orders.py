"""The part of the store in memory for standing orders and playing times."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from bohn.protocol.away import Terms
from bohn.server.store.away import PersonTimes, StandingOrder

if TYPE_CHECKING:
    from tests.server.support.memory_store import Backing


class MemoryOrders(ABC):
    """Does what :class:`bohn.server.store.away.AwayStore` says."""

    @abstractmethod
    async def _ready(self) -> Backing:
        """Return the data."""

    async def add_order(self, order: StandingOrder, most: int, spent: Collection[str] = ()) -> bool:
        """Store an order, if there is room for it."""
        orders, is_order = (await self._ready()).orders, isinstance(order.terms, Terms)
        beside = [
            one for one in orders.values()
            if (one.table, one.user) == (order.table, order.user) and one.id not in spent
            and isinstance(one.terms, Terms) == is_order
        ]  # fmt: skip
        if order.id in orders or len(beside) >= most:
            return False
        orders[order.id] = order
        return True

    async def orders_at(self, table: str) -> tuple[StandingOrder, ...]:
        """Return the orders at a table, oldest first."""
        return _sorted(await self._ready(), lambda one: one.table == table)

    async def orders_of(self, user: str) -> tuple[StandingOrder, ...]:
        """Return the orders of a user, oldest first."""
        return _sorted(await self._ready(), lambda one: one.user == user)

    async def drop_order(self, table: str, user: str, order: str) -> bool:
        """Delete an order of a user."""
        orders = (await self._ready()).orders
        found = orders.get(order)
        if found is None or (found.table, found.user) != (table, user):
            return False
        del orders[order]
        return True

    async def put_times(self, times: PersonTimes) -> None:
        """Store the playing times of a user."""
        (await self._ready()).times[times.user] = times

    async def times_of(self, users: Collection[str]) -> dict[str, PersonTimes]:
        """Return the playing times of users."""
        times = (await self._ready()).times
        return {user: times[user] for user in sorted(users) if user in times}


def _sorted(data: Backing, wanted: Callable[[StandingOrder], bool]) -> tuple[StandingOrder, ...]:
    return tuple(sorted(filter(wanted, data.orders.values()), key=lambda one: (one.created, one.id)))

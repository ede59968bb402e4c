"""Standing orders, as the store sees them: what people have left with a table over days."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from bohn.protocol.away import Terms


class StandingOrder(Struct, frozen=True, gc=False):
    """An order that a user has left with a table, ``created`` in ms since 1970."""

    id: str
    table: str
    user: str
    created: int
    terms: Terms


class AwayStore(Protocol):
    """What a store offers to standing orders. Every method raises ``StoreUnavailable``."""

    async def add_order(self, order: StandingOrder) -> None:
        """Store an order; one that is there already stays."""
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

"""Instructions and playing times, as the store sees them: what people leave for the time they are away."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from msgspec import Struct

from bohn.protocol.away import Days, MoveAhead, Terms
from bohn.protocol.room import Hours


class Instruction(Struct, frozen=True, gc=False):
    """What a user has left with a table: a standing order, or a move set ahead.

    It was ``created`` in ms since 1970.
    """

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
    """What a store offers to instructions and playing times. Every method raises ``StoreUnavailable``."""

    async def add_instruction(self, instruction: Instruction, most: int, spent: Collection[str] = ()) -> bool:
        """Store an instruction, and tell whether it was; one that is there already stays.

        An order is not where its user has left ``most`` orders with the table that are not ``spent``, nor a
        move beside as many moves. Of several at once, whoever stores them, each counts those before it.
        """
        ...

    async def instructions_at(self, table: str) -> tuple[Instruction, ...]:
        """Return the instructions that people have left with a table, oldest first."""
        ...

    async def instructions_of(self, user: str) -> tuple[Instruction, ...]:
        """Return the instructions that a user has left, oldest first."""
        ...

    async def drop_instruction(self, table: str, user: str, instruction: str) -> bool:
        """Delete an instruction of a user, tell whether there was one. Then it is not carried out."""
        ...

    async def put_times(self, times: PersonTimes) -> None:
        """Store the playing times of a user."""
        ...

    async def times_of(self, users: Collection[str]) -> dict[str, PersonTimes]:
        """Return the playing times of those of these users who have any."""
        ...

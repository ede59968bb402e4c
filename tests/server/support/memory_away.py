"""The part of the store in memory for instructions and playing times."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from bohn.protocol.away import Terms
from bohn.server.store.away import Instruction, PersonTimes

if TYPE_CHECKING:
    from tests.server.support.memory_store import Backing


class MemoryAway(ABC):
    """Does what :class:`bohn.server.store.away.AwayStore` says."""

    @abstractmethod
    async def _ready(self) -> Backing:
        """Return the data."""

    async def add_instruction(self, instruction: Instruction, most: int, spent: Collection[str] = ()) -> bool:
        """Store an instruction, if there is room for it."""
        left, is_order = (await self._ready()).instructions, isinstance(instruction.terms, Terms)
        beside = [
            one for one in left.values()
            if (one.table, one.user) == (instruction.table, instruction.user) and one.id not in spent
            and isinstance(one.terms, Terms) == is_order
        ]  # fmt: skip
        if instruction.id in left or len(beside) >= most:
            return False
        left[instruction.id] = instruction
        return True

    async def instructions_at(self, table: str) -> tuple[Instruction, ...]:
        """Return the instructions at a table, oldest first."""
        return _sorted(await self._ready(), lambda one: one.table == table)

    async def instructions_of(self, user: str) -> tuple[Instruction, ...]:
        """Return the instructions of a user, oldest first."""
        return _sorted(await self._ready(), lambda one: one.user == user)

    async def drop_instruction(self, table: str, user: str, instruction: str) -> bool:
        """Delete an instruction of a user."""
        left = (await self._ready()).instructions
        found = left.get(instruction)
        if found is None or (found.table, found.user) != (table, user):
            return False
        del left[instruction]
        return True

    async def put_times(self, times: PersonTimes) -> None:
        """Store the playing times of a user."""
        (await self._ready()).times[times.user] = times

    async def times_of(self, users: Collection[str]) -> dict[str, PersonTimes]:
        """Return the playing times of users."""
        times = (await self._ready()).times
        return {user: times[user] for user in sorted(users) if user in times}


def _sorted(data: Backing, wanted: Callable[[Instruction], bool]) -> tuple[Instruction, ...]:
    return tuple(sorted(filter(wanted, data.instructions.values()), key=lambda one: (one.created, one.id)))

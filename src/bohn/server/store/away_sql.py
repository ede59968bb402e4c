"""The SQL of instructions and playing times, for both databases alike, and what runs it in both stores.

Parameters are written ``$1``; SQLite calls them ``?1``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from bohn.protocol.away import Days, MoveAhead, Terms
from bohn.protocol.room import Hours
from bohn.server.store.away import Instruction, PersonTimes
from bohn.server.store.operating_sql import Statement

_INSTRUCTION = "id, table_id, user_id, created, terms"
_FIXED = 6
"""Parameters of an instruction that is added; the names of those that do not count stand behind them."""
INSTRUCTIONS_AT = f"SELECT {_INSTRUCTION} FROM orders WHERE table_id = $1 ORDER BY created, id"  # noqa: S608 - a constant
INSTRUCTIONS_OF = f"SELECT {_INSTRUCTION} FROM orders WHERE user_id = $1 ORDER BY created, id"  # noqa: S608 - a constant
DROP_INSTRUCTION = "DELETE FROM orders WHERE table_id = $1 AND user_id = $2 AND id = $3"

_TIMES = "user_id, begins, ends, zone, holidays"
PUT_TIMES = (
    f"INSERT INTO playing_times ({_TIMES}) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (user_id) DO UPDATE SET "  # noqa: S608 - a constant
    "begins = excluded.begins, ends = excluded.ends, zone = excluded.zone, holidays = excluded.holidays"
)
TIMES_OF = f"SELECT {_TIMES} FROM playing_times WHERE user_id = $1"  # noqa: S608 - a constant

FORGET_AWAY = ("orders", "playing_times")
"""The tables of whose rows each belongs to the user in its column ``user_id``, and goes with him."""

_terms = msgspec.json.Decoder(Terms)
_move: msgspec.json.Decoder[MoveAhead] = msgspec.json.Decoder(MoveAhead)
_holidays = msgspec.json.Decoder(tuple[Days, ...])


class HoldingAway(ABC):
    """What :class:`bohn.server.store.away.AwayStore` offers, over ways to run statements."""

    @abstractmethod
    async def _fetch(self, text: str, *params: Any) -> Sequence[Sequence[Any]]:
        """Return the rows that a query finds."""

    @abstractmethod
    async def _changed(self, statements: Sequence[Statement]) -> list[int]:
        """Run statements in one transaction; return how many rows each has changed."""

    def _counted_alone(self, key: str) -> Sequence[Statement]:
        """Return what keeps others with the same key out of a transaction, where they could come in."""
        del key
        return ()

    async def add_instruction(self, instruction: Instruction, most: int, spent: Collection[str] = ()) -> bool:
        """Store an instruction, unless its user has left too many of its kind, and tell whether it was."""
        terms = msgspec.json.encode(instruction.terms).decode()
        one = instruction
        values = (one.id, one.table, one.user, one.created, terms, most, *sorted(spent))
        added = (_adding(len(spent), is_move=not isinstance(one.terms, Terms)), values)
        alone = self._counted_alone(f"orders:{one.table}:{one.user}")
        return (await self._changed([*alone, added]))[-1] > 0

    async def instructions_at(self, table: str) -> tuple[Instruction, ...]:
        """Return the instructions that people have left with a table, oldest first."""
        return tuple(map(_instruction, await self._fetch(INSTRUCTIONS_AT, table)))

    async def instructions_of(self, user: str) -> tuple[Instruction, ...]:
        """Return the instructions that a user has left, oldest first."""
        return tuple(map(_instruction, await self._fetch(INSTRUCTIONS_OF, user)))

    async def drop_instruction(self, table: str, user: str, instruction: str) -> bool:
        """Delete an instruction of a user; tell whether there was one."""
        (dropped,) = await self._changed([(DROP_INSTRUCTION, (table, user, instruction))])
        return dropped > 0

    async def put_times(self, times: PersonTimes) -> None:
        """Store the playing times of a user."""
        hours, holidays = times.hours, msgspec.json.encode(times.holidays).decode()
        await self._changed([(PUT_TIMES, (times.user, hours.begin, hours.end, hours.zone, holidays))])

    async def times_of(self, users: Collection[str]) -> dict[str, PersonTimes]:
        """Return the playing times of those of these users who have any; a table has few."""
        rows = [row for user in sorted(users) for row in await self._fetch(TIMES_OF, user)]
        return {
            user: PersonTimes(user, Hours(begins, ends, zone), _holidays.decode(holidays))
            for user, begins, ends, zone, holidays in rows
        }


def _adding(spent: int, *, is_move: bool) -> str:
    """Return the SQL that adds an order, or a move, where there is room beside those not spent."""
    kind = f"terms {'LIKE' if is_move else 'NOT LIKE'} '{{\"do\":%'"
    names = ", ".join(f"${_FIXED + 1 + place}" for place in range(spent))
    beside = f" AND id NOT IN ({names})" if names else ""
    return (
        f"INSERT INTO orders ({_INSTRUCTION}) SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT),"  # noqa: S608 - constants
        " CAST($4 AS BIGINT), CAST($5 AS TEXT)"
        f" WHERE (SELECT count(*) FROM orders WHERE table_id = $2 AND user_id = $3 AND {kind}{beside})"
        " < CAST($6 AS BIGINT) ON CONFLICT DO NOTHING"
    )


def _instruction(row: Sequence[Any]) -> Instruction:
    name, table, user, created, terms = row
    decoder = _move if "do" in msgspec.json.decode(terms) else _terms
    return Instruction(name, table, user, created, decoder.decode(terms))

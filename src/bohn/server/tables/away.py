"""What people leave with a table over days for the time in which they are not there: orders and moves."""

from __future__ import annotations

from bohn.protocol.away import AwayInfo, MoveAhead, MoveInfo, OrderInfo, Terms
from bohn.protocol.refusals import Problem, Refusal
from bohn.rules.ruleset import Rules
from bohn.rules.state import TradePhase
from bohn.rules.turns import TURNS
from bohn.server.clock import TimeSource
from bohn.server.entropy import Entropy
from bohn.server.room.ahead import possible
from bohn.server.room.clocks import BEAT, TRADING, lasts_days
from bohn.server.room.orders import sound
from bohn.server.store.away import Instruction
from bohn.server.store.protocol import Store
from bohn.server.tables.loaded import LoadedTable
from bohn.server.tables.refusing import or_refuse
from bohn.server.tables.snapshot import Snapshot

MOST_LEFT = 12
"""Orders that one may leave with a table, and as many moves; those that are used up do not count."""


class Away:
    """Stores instructions and shows each to its owner alone; nothing here is told to anybody else."""

    def __init__(self, store: Store, clock: TimeSource, entropy: Entropy) -> None:
        """Keep them in this store."""
        self._store = store
        self._clock = clock
        self._entropy = entropy

    async def show(self, loaded: LoadedTable, user: str) -> AwayInfo:
        """Return what a user has left with a table. Raises :class:`Refusal`."""
        seat = _seat(loaded.snapshot, user)
        snapshot = loaded.snapshot
        orders, moves = [], []
        for one in await self._own(loaded, user):
            carried = snapshot.carried.get(one.id, 0)
            if isinstance(one.terms, Terms):
                orders.append(OrderInfo(one.id, one.terms, carried))
            else:
                moves.append(MoveInfo(one.id, one.terms, carried))
        done = seat in snapshot.room.done
        return AwayInfo(tuple(orders), _next_beat(snapshot), done, tuple(moves))

    async def add(self, loaded: LoadedTable, user: str, terms: Terms | MoveAhead) -> None:
        """Take an instruction of a user. Raises :class:`Refusal`."""
        snapshot = loaded.snapshot
        _seat(snapshot, user)
        if snapshot.room.status != "playing":
            over = snapshot.room.status != "open"
            raise Refusal(Problem.TABLE_OVER if over else Problem.NOT_STARTED)
        if not _could_be_done(terms, snapshot.rules):
            raise Refusal(Problem.ORDER_NOT_VALID)
        own = await self._own(loaded, user)
        spent = [one.id for one in own if snapshot.carried.get(one.id, 0) >= one.terms.times]
        name = self._entropy.token_bytes(8).hex()
        # several of one moment are listed as they were given
        created = max([self._clock.now(), *(one.created + 1 for one in own)])
        instruction = Instruction(name, loaded.id, user, created, terms)
        if not await or_refuse(self._store.add_instruction(instruction, MOST_LEFT, spent)):
            raise Refusal(Problem.TOO_MANY, most=MOST_LEFT)

    async def drop(self, loaded: LoadedTable, user: str, instruction: str) -> None:
        """Delete an instruction of a user; one that is gone stays so. Raises :class:`Refusal`."""
        _seat(loaded.snapshot, user)
        await or_refuse(self._store.drop_instruction(loaded.id, user, instruction))

    async def _own(self, loaded: LoadedTable, user: str) -> tuple[Instruction, ...]:
        return tuple(
            one for one in await or_refuse(self._store.instructions_at(loaded.id)) if one.user == user
        )


def _could_be_done(terms: Terms | MoveAhead, rules: Rules) -> bool:
    """Whether an order or a move could ever be done in a game of these rules."""
    if isinstance(terms, Terms):
        return TradePhase in TURNS[rules.game] and sound(terms, rules.kinds)
    return possible(terms, rules)


def _seat(snapshot: Snapshot, user: str) -> int:
    """Return the seat of a user at a table over days."""
    seat = snapshot.room.seat_of(user)
    if seat is None:
        raise Refusal(Problem.NOT_SEATED)
    if not lasts_days(snapshot.room):
        raise Refusal(Problem.NOT_OVER_DAYS)
    return seat


def _next_beat(snapshot: Snapshot) -> int | None:
    """Return when orders are looked at next: at a beat, or at the end of the trading's clock."""
    due = {timer.key.partition(":")[0]: timer.due for timer in snapshot.timers}
    return due.get(BEAT, due.get(TRADING))

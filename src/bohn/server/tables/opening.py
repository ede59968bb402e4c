"""Opening tables: the first one, and the next for the same company."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import TYPE_CHECKING

import structlog
from msgspec import Struct
from msgspec.structs import replace

from bohn.bots import DEFAULT, PLAYERS
from bohn.notation.deals import commitment
from bohn.rules.state import EndPhase
from bohn.server.refusals import Problem, Refusal
from bohn.server.room.clocks import timers_after
from bohn.server.room.commands import Rematch
from bohn.server.room.decide import Context, decide_room, no_salt
from bohn.server.room.events import BotSeated, RematchMade, TableOpened
from bohn.server.room.options import check_options
from bohn.server.room.state import Options
from bohn.server.store.protocol import Append, ListedSeat, Listing, Repeated, Row, SecretDeal
from bohn.server.tables.audience import users_in
from bohn.server.tables.beginning import Beginning, rows_of, stage_of
from bohn.server.tables.live import Live
from bohn.server.tables.plan import Request
from bohn.server.tables.saving import kept
from bohn.server.tables.stage import Stage, after_row

if TYPE_CHECKING:
    from bohn.server.tables.service import TableService

LOG = structlog.get_logger("bohn.tables")


class Opened(Struct, frozen=True, gc=False):
    """A table that was asked for; ``fresh`` tells that it was opened just now, not by an earlier request."""

    table: str
    fresh: bool


class Opening:
    """Writes the first row of a table: its host, its options, its commitment."""

    def __init__(self, tables: TableService) -> None:
        """Open tables of this service."""
        self._tables = tables

    async def open_table(self, user: str, options: Options, key: str | None = None, wish: str = "") -> Opened:
        """Open a table with this host; nobody sits yet.

        The same ``key`` opens it once; with another ``wish`` (all that was asked for) it is refused.
        """
        check_options(options)
        return await self._once(
            user, key, wish, lambda table: self._write(table, user, options, (), (user,), wish)
        )

    async def open_begun(self, user: str, beginning: Beginning, key: str | None, wish: str) -> Opened:
        """Open a table whose game has begun before, with this user in one of its seats."""
        if len(beginning.entries) * 2 > self._tables.settings.limits.log_rows:
            raise Refusal(Problem.OPTIONS_NOT_VALID, what="entry")
        opened = await self._once(
            user, key, wish, lambda table: self._write_begun(table, user, beginning, wish)
        )
        await self._tables.live(opened.table)  # bots and clocks begin
        return opened

    async def _once(
        self, user: str, key: str | None, wish: str, write: Callable[[str], Awaitable[Row | None]]
    ) -> Opened:
        """Open a table, unless an earlier request with this key has done so."""
        if key is None:
            table, earlier = self._tables.ambient.token(12).hex(), None
        else:
            table = _table_for(user, key)
            earlier = await kept(self._tables.store.find(table, user, f"open:{table}"))
        if earlier is None:
            await self._require_room_for(user)
            earlier = await write(table)
        if earlier is not None and earlier.digest != _digest(wish):
            raise Refusal(Problem.COMMAND_ID_REUSED)
        return Opened(table, fresh=earlier is None)

    async def _write_begun(self, table: str, user: str, beginning: Beginning, wish: str) -> Row | None:
        """Write all rows of a table whose game has begun before; return the first that was there already."""
        tables, now = self._tables, self._tables.ambient.now()
        rows = await asyncio.to_thread(rows_of, beginning, table, user, _digest(wish), now)
        stage = await asyncio.to_thread(stage_of, rows)
        timers = timers_after(stage.room, stage.state, (), None, now, tables.settings.times)
        append = Append(
            row=rows[0], behind=rows[1:], timers=timers, listing=listing_of(stage), grants=(user,)
        )
        outcome = await kept(tables.store.append(append))
        LOG.info("table-opened", table=table, seq=stage.seq)
        return outcome.row if isinstance(outcome, Repeated) else None

    async def _write(
        self,
        table: str,
        user: str,
        options: Options,
        seated: tuple[BotSeated, ...],
        grants: tuple[str, ...],
        wish: str = "",
    ) -> Row | None:
        """Write the first row of a table; return the one that was there already, if any."""
        deal = SecretDeal(self._tables.ambient.token(32), self._tables.ambient.token(32))
        now = self._tables.ambient.now()
        opened = TableOpened(table, user, options, commitment(deal.secret, deal.nonce), now)
        request = Request(user, f"open:{table}", "host", None, events=(opened, *seated))
        row = Row(
            table=table, seq=1, at=now, actor=user, command_id=request.command_id, digest=_digest(wish),
            cause="host", command=None, events=request.events,
        )  # fmt: skip
        stage = after_row(None, row)
        append = Append(row=row, timers=(), listing=listing_of(stage), deal=deal, grants=grants)
        outcome = await kept(self._tables.store.append(append))
        LOG.info("table-opened", table=table, seq=1)
        return outcome.row if isinstance(outcome, Repeated) else None

    async def _require_room_for(self, user: str) -> None:
        """Refuse whoever has many tables, and everybody when there are too many in memory."""
        limits, times = self._tables.settings.limits, self._tables.settings.times
        own = await kept(self._tables.store.listings_of(user, limit=200))
        horizon = self._tables.ambient.now() - times.stale_table  # what nobody moved since was left behind
        waiting = [e for e in own if e.status in ("open", "playing") and e.moved > horizon]
        if len(waiting) >= limits.tables_a_user:
            raise Refusal(Problem.TOO_MANY, most=limits.tables_a_user)
        rooms = [live.stage.room for live in self._tables.lives.values()]
        if sum(room.status in ("open", "playing") for room in rooms) >= limits.tables:
            raise Refusal(Problem.SERVER_FULL)

    async def rematch(
        self, live: Live, request: Request, command: Rematch, acked: Callable[[int], None] | None
    ) -> int:
        """Open the next table for the same company: its bots sit down again, its people are let in."""
        user = request.actor
        async with live.rematching:
            room = live.stage.room
            if live.recall(user, request.command_id) is None:
                decide_room(
                    room, user, command, self._tables.ambient.now(), Context(frozenset())
                )  # only checks it
                if live.following is None:  # if what follows fails, the same table is taken the next time
                    await self._require_room_for(user)
                    live.following = self._tables.ambient.token(12).hex()
                bots = tuple(
                    BotSeated(place, seat.bot if seat.bot in PLAYERS else DEFAULT, no_salt())
                    for place, seat in enumerate(room.seats)
                    if seat.bot is not None and seat.user is None
                )
                await self._write(live.following, user, room.options, bots, users_in(room))
                request = replace(request, events=(RematchMade(live.following),))
            return await self._tables.do(live, request, acked)


def _digest(wish: str) -> str:
    return sha256(wish.encode()).hexdigest()


def _table_for(user: str, key: str) -> str:
    """Return the id of the table that a user opens with this key."""
    return sha256(f"table:{user}:{key}".encode()).hexdigest()[:24]


def listing_of(stage: Stage) -> Listing:
    """Return what the lobby shows of a table."""
    room = stage.room
    phase = None if stage.state is None else stage.state.phase
    return Listing(
        table=room.id,
        status=room.status,
        options=room.options,
        host=room.host,
        users=tuple(seat.user for seat in room.seats if seat.user is not None),
        bots=sum(seat.user is None and seat.bot is not None for seat in room.seats),
        opened=room.opened,
        moved=stage.at,
        seats=tuple(ListedSeat(seat.user, seat.bot, seat.name) for seat in room.seats),
        result=phase.result if isinstance(phase, EndPhase) else None,
        origin=room.origin is not None,
        lesson=room.lesson,
    )

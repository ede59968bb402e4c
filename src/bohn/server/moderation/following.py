"""Each worker follows what operators do anywhere: it looks for new deeds at every sweep."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

import structlog

from bohn.protocol.refusals import Refusal
from bohn.protocol.room_commands import PassHost, Stand
from bohn.rules.errors import IllegalCommand
from bohn.server.clock import TimeSource
from bohn.server.moderation.limits import over
from bohn.server.moderation.sanctions import Sanctions
from bohn.server.settings import Limits
from bohn.server.store.operating import Closing, Sanction
from bohn.server.store.protocol import Store, StoreUnavailable
from bohn.server.tables.api import Tables

LOG = structlog.get_logger("bohn.operators")


class Following:
    """Takes in sanctions, limits and tables to be closed."""

    def __init__(
        self,
        store: Store,
        tables: Tables,
        clock: TimeSource,
        limits: Limits,
        sanctioned: Callable[[Sanction], None],
        limited: Callable[[Limits], None],
    ) -> None:
        """Follow the deeds in this store; nothing is known before the first :meth:`look`.

        ``sanctioned`` is called with each new sanction, ``limited`` with the limits that hold from now on.
        """
        self.sanctions = Sanctions()
        self._store = store
        self._tables = tables
        self._clock = clock
        self._limits = limits
        self._sanctioned = sanctioned
        self._limited = limited
        self._seen = -1
        self._closing: tuple[Closing, ...] = ()
        self._looking = asyncio.Lock()

    async def look(self) -> None:
        """Take in what is new, if anything is."""
        async with self._looking:
            last = await self._store.last_deed()
            if last != self._seen:
                await self._take_in()
                self._seen = last
            if self._closing:  # it may be another worker's, or have failed
                await self._close_tables()

    async def _take_in(self) -> None:
        held = await self._store.sanctions(self._clock.now())
        self.sanctions.take(held)
        self._limited(over(self._limits, await self._store.set_limits()))
        self._closing = await self._store.closings()
        for one in held:
            if one.deed > self._seen:
                self._sanctioned(one)
                if one.user is not None and one.kind != "mute":
                    programs = {each.user for each in await self._store.sessions_of_bots(one.user)}
                    for user in (one.user, *sorted(programs)):
                        await self._leave_seats(user, one.id)

    async def _leave_seats(self, user: str, sanction: str) -> None:
        """Let bots play on for somebody who may play no more; all workers do it, and it is done once."""
        for listing in await self._store.listings_of(user):
            if listing.status in ("open", "playing"):
                try:
                    await self._tables.execute(listing.table, user, f"sanction:{sanction}", Stand())
                except (Refusal, IllegalCommand) as refused:
                    LOG.info("seat-kept", table=listing.table, reason=str(refused))
                with suppress(Refusal, IllegalCommand):
                    await self._pass_host(listing.table, user, sanction)

    async def _pass_host(self, table: str, user: str, sanction: str) -> None:
        room = await self._tables.enter(table, user)
        heirs = (place for place, seat in enumerate(room.seats) if seat.user not in (None, user))
        heir = next(heirs, None)
        if room.host == user and heir is not None:
            await self._tables.execute(table, user, f"sanction:{sanction}:host", PassHost(heir))

    async def _close_tables(self) -> None:
        self._closing = await self._store.closings()
        for one in self._closing:
            try:
                await self._tables.close(one.table, one.word, one.deed)
            except (Refusal, StoreUnavailable) as failed:  # the others are closed all the same
                LOG.info("not-closed", table=one.table, reason=str(failed))
        self._closing = await self._store.closings()

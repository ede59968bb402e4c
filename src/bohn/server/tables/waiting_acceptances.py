"""Acceptances of one offer to several people at any workers: rows, decided by the holder of the lease.

Whoever is sent one lets it wait as a row, and asks for the turn of its command until the row is gone. The
worker that holds the lease of the table's bucket reads the rows once the first has waited long enough, and
does them in the fair order; each row ends with its batch, in the same transaction, or once it was refused.
Then whoever was sent it does the command as any other, and is told by the log what came of it, or is refused
by the rules. So a worker that dies takes nothing with it: the next holder reads what waits, and the same
command sent again waits for the same row.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable

import structlog

from bohn.protocol.refusals import Problem, Refusal
from bohn.rules.commands import AcceptOffer
from bohn.rules.errors import IllegalCommand
from bohn.server.clock import TimeSource
from bohn.server.settings import Times
from bohn.server.store import formats
from bohn.server.store.protocol import StoreUnavailable
from bohn.server.store.shared import Acceptance, SharedStore
from bohn.server.tables.background import Background
from bohn.server.tables.gathering import Gathering, by_person_then_seat, offer_gathered_for
from bohn.server.tables.leases import Leases
from bohn.server.tables.loaded import LoadedTable
from bohn.server.tables.plan import Request
from bohn.server.tables.refusing import or_refuse

LOG = structlog.get_logger("bohn.tables")

Do = Callable[[str, Request], Awaitable[object]]
"""Does a request at a table of this worker, as the log does."""


class WaitingAcceptances:
    """Lets acceptances wait in the store, and decides those at the tables of this worker.

    ``do`` does a request at a table, ``told`` is called with a table at which what waits has changed. While
    a worker is registered that knows nothing of such rows, each gathers for itself (``alone``).
    """

    def __init__(
        self,
        store: SharedStore,
        leases: Leases,
        clock: TimeSource,
        times: Times,
        background: Background,
        alone: Gathering,
        do: Do,
        told: Callable[[str], None],
    ) -> None:
        """Begin with none."""
        self._store = store
        self._leases = leases
        self._clock = clock
        self._collect = times.collect
        self._look_every = times.sweep
        self._patience = times.collect + times.lease + 2 * times.beat + times.sweep
        self._background = background
        self._alone = alone
        self._do = do
        self._told = told
        self._bells: dict[str, asyncio.Event] = {}
        self._wanted: set[str] = set()
        self._deciding: set[str] = set()

    # -- whoever is sent an acceptance -------------------------------------------------------------------

    async def turn(self, loaded: LoadedTable, request: Request) -> None:
        """Wait with others for the same offer; any other request goes on at once.

        Raises :class:`Refusal` (``not-saved``) if nobody decides in time: then nothing was done.
        """
        offer = offer_gathered_for(loaded, request)
        if offer is None:
            return
        if not self._leases.writes(formats.ACCEPTANCES):
            await self._alone.turn(loaded, request)
            return
        assert isinstance(request.command, AcceptOffer)  # noqa: S101 - only these are gathered
        command, by = request.command, (request.actor, request.command_id, request.cause, request.user)
        waiting = Acceptance(loaded.id, *by, offer.id, command)
        noted = await or_refuse(self._store.gather(waiting))
        if noted.command != request.command:
            raise Refusal(Problem.COMMAND_ID_REUSED)
        self._changed(loaded.id)
        await self._until_decided(noted)

    async def _until_decided(self, waiting: Acceptance) -> None:
        """Wait until an acceptance waits no more; take it back if that takes too long."""
        end = self._clock.now() + self._patience
        while True:
            bell = self._bells.setdefault(waiting.table, asyncio.Event())
            if not await or_refuse(self._waits(waiting)):
                return
            known = self._leases.writes(formats.ACCEPTANCES)  # else nobody may decide it
            if self._clock.now() >= end or not known:
                key = (waiting.table, waiting.actor, waiting.command_id)
                if await or_refuse(self._store.take_back(*key)) and known:
                    raise Refusal(Problem.NOT_SAVED)
                return
            await self._rung(bell)

    async def _waits(self, waiting: Acceptance) -> bool:
        key = (waiting.actor, waiting.command_id)
        return any(key == (one.actor, one.command_id) for one in await self._store.gathered_at(waiting.table))

    async def _rung(self, bell: asyncio.Event) -> None:
        """Wait for a bell, or for as long as one that was lost costs."""
        both = {
            asyncio.ensure_future(bell.wait()),
            asyncio.ensure_future(self._clock.sleep(self._look_every)),
        }
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in both:
                one.cancel()

    # -- the holder of the lease -------------------------------------------------------------------------

    def _changed(self, table: str) -> None:
        """Let all workers know that what waits at a table has changed."""
        self._told(table)
        self.look(table)

    def look(self, table: str) -> None:
        """Look at what waits at a table: something has come, was decided, or was left by another worker."""
        bell = self._bells.pop(table, None)
        if bell is not None:
            bell.set()
        if self._leases.serves(table):
            self._wanted.add(table)
            if table not in self._deciding:
                self._deciding.add(table)
                self._background.spawn(self._decide(table))

    async def sweep(self) -> None:
        """Look at all tables of this worker at which anything waits."""
        buckets = self._leases.buckets
        for table in await self._store.gathering_in(buckets) if buckets else ():
            self.look(table)

    async def _decide(self, table: str) -> None:
        """Decide what waits at a table of this worker, until nothing does; the next sweep tries again."""
        try:
            while table in self._wanted and self._leases.serves(table):
                self._wanted.discard(table)
                await self._decide_due(table)
        except StoreUnavailable as error:
            LOG.warning("not-decided", table=table, kind=error.kind)
        except Refusal as refusal:
            LOG.warning("not-decided", table=table, reason=refusal.problem.value)
        finally:
            self._deciding.discard(table)

    async def _decide_due(self, table: str) -> None:
        """Decide what has waited long enough, and wait for the rest."""
        offers: dict[int, list[Acceptance]] = {}
        for one in await self._store.gathered_at(table):
            offers.setdefault(one.offer, []).append(one)
        due = {offer: waiting[0].at + self._collect for offer, waiting in offers.items()}
        now = self._clock.now()
        ripe = [waiting for offer, waiting in offers.items() if due[offer] <= now]
        for waiting in ripe:
            await self._decide_in_order(waiting)
        if ripe:
            self._changed(table)
        elif due:
            self._wanted.add(table)
            await self._clock.sleep(min(due.values()) - now)

    async def _decide_in_order(self, waiting: Iterable[Acceptance]) -> None:
        """Do acceptances of one offer, people first; raises :class:`Refusal` if one could not be stored."""
        for one in by_person_then_seat(waiting):
            request = Request(one.actor, one.command_id, one.cause, one.command, user=one.user, gathered=True)
            try:
                await self._do(one.table, request)
            except IllegalCommand:
                pass
            except Refusal as refusal:
                if refusal.problem is Problem.NOT_SAVED:
                    raise
            epoch = self._leases.epoch(one.table)
            if not await self._store.take_back(one.table, one.actor, one.command_id, epoch):
                await self._leases.refresh()  # it went with its batch, or the epoch is stale

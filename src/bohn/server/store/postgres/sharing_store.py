"""The part of the store in PostgreSQL by which several workers share it: leases, company, and the bell."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import asyncpg
import msgspec
import structlog

from bohn.server.store.formats import NEWEST
from bohn.server.store.postgres import sharing as sql
from bohn.server.store.postgres.connection import CONNECTIONS, PATIENCE, PAUSE, Connected
from bohn.server.store.postgres.failures import reported, told
from bohn.server.store.protocol import DueTimer
from bohn.server.store.shared import Acceptance, Notice, Present, Renewal, Taking, bucket_of

LOG = structlog.get_logger("bohn.store")

KEEPALIVE = 5.0
"""Seconds after which a listening connection is asked whether it still lives."""

BROKEN = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # of a connection that breaks while a statement is being sent
    OSError,
    TimeoutError,
)
"""What the driver raises where a connection breaks."""

Heard = Callable[[str | None], None]
"""Called with the text of a ring; with ``None`` when rings may have been missed."""


class Sharing(Connected):
    """What :class:`bohn.server.store.shared.SharedStore` adds."""

    def __init__(self, address: str, *, connections: int = CONNECTIONS, patience: float = PATIENCE) -> None:
        super().__init__(address, connections=connections, patience=patience)
        self._counting = asyncio.Lock()
        self._counter: Any = None

    async def open(self) -> None:
        """Open as every store, and make the leases that nobody has had yet."""
        await super().open()
        await self._put(sql.MAKE_LEASES)

    async def close(self) -> None:
        """Finish what is under way, and close; a second call does nothing."""
        await super().close()
        self._drop_counter()

    async def time(self) -> int:
        """Return the database's time, in ms since 1970."""
        found: int = await self._value(sql.TIME)
        return found

    async def renew(self, worker: str, label: str, length: int, least: int, formats: int = NEWEST) -> Renewal:
        """Renew this worker's leases, take free ones up to its share, and give up more."""
        found = await self._once(
            lambda connection: connection.fetchrow(sql.RENEW, worker, label, length, least, formats)
        )
        now, until, held, taken, credited, known, free = found
        return Renewal(
            now,
            until,
            dict(held or ()),
            frozenset(taken or ()),
            frozenset(credited or ()),
            known or formats,
            free,
        )

    async def leave(self, worker: str) -> None:
        """Give up all leases, and everybody who was present by this worker."""
        await self._put(sql.LEAVE, worker)

    async def workers(self) -> dict[str, str]:
        """Return the workers that are alive, with their names for people."""
        return dict(await self._until_done(lambda connection: connection.fetch(sql.WORKERS)))

    async def epochs(self) -> dict[int, int]:
        """Return the epoch of every bucket, whoever holds its lease, if anybody does."""
        return dict(await self._until_done(lambda connection: connection.fetch(sql.EPOCHS)))

    async def takings(self) -> tuple[Taking, ...]:
        """Return every taking of a lease, by bucket and epoch."""
        return await self._query(sql.TAKINGS)

    async def due_in(self, now: int, buckets: tuple[int, ...], limit: int = 200) -> tuple[DueTimer, ...]:
        """Return the timers of these buckets due by ``now``, earliest first."""
        return await self._query(sql.DUE_IN, now, limit, list(buckets))

    async def show_present(self, present: Present) -> None:
        """Note who is present by a worker; a ``count`` of 0 ends it."""
        if not present.count:
            await self._put(sql.END_PRESENT, present.table, present.worker, present.user)
            return
        columns = (present.table, present.worker, present.user, present.name)
        await self._put(sql.SHOW_PRESENT, *columns, present.count, present.sign, present.until, present.turn)

    async def present_at(self, tables: tuple[str, ...]) -> tuple[Present, ...]:
        """Return who is present at these tables by any worker that is alive."""
        return await self._query(sql.PRESENT_AT, list(tables))

    async def attended(self, buckets: tuple[int, ...]) -> tuple[str, ...]:
        """Return the tables of these buckets at which anybody is present."""
        found = await self._until_done(lambda connection: connection.fetch(sql.ATTENDED, list(buckets)))
        return tuple(table for (table,) in found)

    async def gather(self, acceptance: Acceptance) -> Acceptance:
        """Let an acceptance wait, unless one of its actor and id does; return the one that waits."""
        columns = (acceptance.table, acceptance.actor, acceptance.command_id, acceptance.cause)
        command = msgspec.json.encode(acceptance.command)
        await self._put(sql.GATHER, *columns, acceptance.user, acceptance.offer, command)
        waiting = await self.gathered_at(acceptance.table)
        same = (one for one in waiting if (one.actor, one.command_id) == columns[1:3])
        return next(same, acceptance)  # it may have been decided already

    async def gathered_at(self, table: str) -> tuple[Acceptance, ...]:
        """Return the acceptances that wait at a table, in the order in which they came."""
        return await self._query(sql.GATHERED_AT, table)

    async def gathering_in(self, buckets: tuple[int, ...]) -> tuple[str, ...]:
        """Return the tables of these buckets at which any acceptance waits."""
        found = await self._until_done(lambda connection: connection.fetch(sql.GATHERING_IN, list(buckets)))
        return tuple(table for (table,) in found)

    async def take_back(self, table: str, actor: str, command_id: str, epoch: int | None = None) -> bool:
        """Let an acceptance wait no more, and tell whether it did; nothing is done for a stale ``epoch``."""
        return await self._count(sql.TAKE_BACK, table, actor, command_id, bucket_of(table), epoch) > 0

    # counting

    @asynccontextmanager
    async def one_by_one(self, key: str) -> AsyncIterator[None]:
        """Keep all others out that come with the same key, on a connection of its own.

        If that is lost meanwhile, others may come in: what is counted then may be one too many.
        """
        async with self._counting:
            try:
                if self._counter is None or self._counter.is_closed():
                    self._counter = await self._connect()
                await self._counter.execute(sql.COUNT, key)
            except Exception as error:  # noqa: BLE001 - it is raised by its kind
                self._drop_counter()
                raise reported(error) from None
            try:
                yield
            finally:
                try:
                    await self._counter.execute(sql.COUNTED, key)
                except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError):
                    self._drop_counter()

    def _drop_counter(self) -> None:
        """Close the connection on which is counted: what it held is free then."""
        counter, self._counter = self._counter, None
        if counter is not None:
            counter.terminate()

    async def notify(self, worker: str, table: str, body: bytes) -> None:
        """Tell all other workers something, and ring."""
        await self._put(sql.NOTIFY, worker, table, body)

    async def notices(self, worker: str, since: int) -> tuple[Notice, ...]:
        """Return what other workers have told since a time (ms), oldest first; it is kept for a minute."""
        return await self._query(sql.NOTICES, worker, since)

    # the bell

    async def ring(self, text: str) -> None:
        """Let all who listen hear a text of at most :data:`~bohn.server.store.shared.LONGEST_RING` bytes."""
        await self._put("SELECT pg_notify($1, $2)", sql.CHANNEL, text)

    async def listen(self, heard: Heard) -> None:
        """Call ``heard`` with every ring until this is cancelled, on a connection of its own.

        A connection that is lost is made anew; what rang meanwhile is lost, and ``heard`` is told so.
        """
        while True:
            try:
                await self._listen_once(heard)
            except BROKEN as error:
                LOG.warning("bell-lost", reason=told(error))
            await asyncio.sleep(PAUSE)

    async def _listen_once(self, heard: Heard) -> None:
        connection: Any = await self._connect()
        try:
            await connection.add_listener(sql.CHANNEL, lambda _c, _pid, _channel, text: heard(text))
            heard(None)
            while True:
                await asyncio.sleep(KEEPALIVE)
                await connection.execute("SELECT 1")
        finally:
            with suppress(*BROKEN):
                await connection.close(timeout=1)

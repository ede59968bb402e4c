"""Connections to PostgreSQL: a pool, and statements that are tried again while the database is away."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

import asyncpg

from bohn.server.store.address import parse
from bohn.server.store.failures import closed
from bohn.server.store.postgres.failures import may_try_again, reported
from bohn.server.store.postgres.opening import CONNECT_TIMEOUT, open_database, refused
from bohn.server.store.postgres.sql import Query

T = TypeVar("T")

CONNECTIONS = 8
"""Connections to the database; more statements at once wait for one."""

STATEMENT_TIMEOUT = 10.0
"""Seconds for one statement."""

PATIENCE = 4.0
"""Seconds for which a lost database is asked again; whoever waits longer is refused."""

PAUSE = 0.1
"""Seconds between two attempts."""


class Connected:
    """A pool of connections to the PostgreSQL database at ``address``, and how statements are run on them.

    ``connections`` is the size of the pool, ``patience`` how many seconds a database that was lost is asked
    again before :class:`StoreUnavailable` is raised. A password that the address lacks comes from
    ``PGPASSFILE`` or ``PGPASSWORD``.
    """

    upgrades = True
    """Whether :meth:`open` makes the schema, or brings an older one to this program's; else it is refused."""

    def __init__(self, address: str, *, connections: int = CONNECTIONS, patience: float = PATIENCE) -> None:
        parse(address)
        self.address = address
        self._connections = connections
        self._patience = patience
        self._pool: Any = None

    async def open(self) -> None:
        """Migrate under a lock if it may, and connect; refuse a server or database that is not right."""
        await open_database(self.address, self._connect, upgrade=self.upgrades)
        pool = asyncpg.create_pool(
            self.address,
            connect=self._connect_pooled,
            reset=_leave_as_it_is,
            min_size=1,
            max_size=self._connections,
        )
        try:
            self._pool = await pool
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError) as error:
            raise refused(self.address, error) from None

    async def _connect(self) -> Any:
        return await self._connect_pooled(self.address)

    async def _connect_pooled(self, address: str, **options: Any) -> Any:
        return await asyncpg.connect(
            address,
            timeout=CONNECT_TIMEOUT,
            command_timeout=STATEMENT_TIMEOUT,
            statement_cache_size=256,
            max_cached_statement_lifetime=0,
            server_settings={"application_name": "bohn", "jit": "off"},
            **options,
        )

    async def close(self) -> None:
        """Finish what is under way, and close; a second call does nothing."""
        pool, self._pool = self._pool, None
        if pool is None:
            return
        with suppress(TimeoutError, OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            await asyncio.wait_for(pool.close(), STATEMENT_TIMEOUT)
            return
        pool.terminate()

    # how statements are run

    async def _once(self, run: Callable[[Any], Awaitable[T]]) -> T:
        """Run on a connection of the pool; what fails is raised by its kind."""
        if self._pool is None:
            raise closed()
        try:
            return await self._run(run)
        except Exception as error:  # noqa: BLE001 - it is raised by its kind
            raise reported(error) from None

    async def _run(self, run: Callable[[Any], Awaitable[T]]) -> T:
        async with self._pool.acquire() as connection:
            return await run(connection)

    async def _until_done(self, run: Callable[[Any], Awaitable[T]]) -> T:
        """Run what may be run twice; while the database is lost it is tried again."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self._patience
        while True:
            if self._pool is None:
                raise closed()
            try:
                return await self._run(run)
            except Exception as error:  # noqa: BLE001 - it is raised by its kind
                if not may_try_again(error) or loop.time() + PAUSE > end:
                    raise reported(error) from None
            await asyncio.sleep(PAUSE)

    async def _query(self, query: Query[T], *params: object) -> tuple[T, ...]:
        async def read(connection: Any) -> tuple[T, ...]:
            return query.read(await connection.fetch(query.text, *params))

        return await self._until_done(read)

    async def _value(self, text: str, *params: object) -> Any:
        """Return the first value that is found, or ``None``."""
        return await self._until_done(lambda connection: connection.fetchval(text, *params))

    async def _put(self, text: str, *params: object) -> None:
        """Write what may be written twice."""
        await self._until_done(lambda connection: connection.execute(text, *params))

    async def _count(self, text: str, *params: object) -> int:
        """Write once, and return how many rows were changed."""
        told = await self._once(lambda connection: connection.execute(text, *params))
        return int(told.rpartition(" ")[2])


async def _leave_as_it_is(_connection: Any) -> None:
    """Leave a connection that is returned to the pool: no session has settings of its own here."""

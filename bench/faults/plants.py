"""Mistakes that are planted into a worker, to see that the checker finds them; the product has none."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from bohn.server.store.postgres import appending as of_statements
from bohn.server.store.postgres.appending import Statement
from bohn.server.store.postgres.sharing_store import Sharing
from bohn.server.store.postgres.store import PostgresStore
from bohn.server.store.protocol import Append, Committed, Outcome
from bohn.server.tables.company import Company

LATER = 0.05
"""Seconds by which a commit is late that was acknowledged before."""

FENCE, FENCE_END = " AND EXISTS (SELECT 1 FROM leases", " FOR SHARE)"
"""The part of a statement by which the epoch is asked."""

OPENED_WITHOUT_KEYS = """
    SELECT pg_advisory_lock(77);
    ALTER TABLE log DROP CONSTRAINT IF EXISTS pk_log;
    ALTER TABLE log DROP CONSTRAINT IF EXISTS uq_log_table_id_actor_command_id;
    CREATE INDEX IF NOT EXISTS log_by_seq ON log (table_id, seq);
    CREATE INDEX IF NOT EXISTS log_by_command ON log (table_id, actor, command_id);
    SELECT pg_advisory_unlock(77);
"""


def no_fencing() -> None:
    """Write what the server does, or what replaces clocks, whatever the epoch; the row tells it still."""
    honest = of_statements._add_first  # noqa: SLF001 - a planted mistake has no business in the product

    def unfenced(made: Statement, table: str, append: Append) -> None:
        honest(made, table, append)
        parts = made._parts  # noqa: SLF001 - the same
        start = parts[0].find(FENCE)
        if start >= 0:
            end = parts[0].find(FENCE_END, start)
            # the parameter of the bucket is named still, for a statement must use all it is given
            bucket = parts[0][start:end].partition("bucket = ")[2].partition(" AND ")[0]
            parts[0] = f"{parts[0][:start]} AND {bucket} IS NOT NULL{parts[0][end + len(FENCE_END) :]}"

    of_statements._add_first = unfenced  # noqa: SLF001 - the same


def no_unique_key() -> None:
    """Take the keys from the log that judge who of two writers was first."""
    honest = Sharing.open

    async def opened(self: Sharing) -> None:
        await honest(self)
        await self._once(lambda connection: connection.execute(OPENED_WITHOUT_KEYS))

    Sharing.open = opened  # type: ignore[method-assign]  # - that is what planting is


def ack_before_commit() -> None:
    """Say that a row is committed, and commit it a little later."""
    honest = PostgresStore.append
    pending: set[asyncio.Task[Any]] = set()

    async def later(store: PostgresStore, append: Append) -> None:
        await asyncio.sleep(LATER)
        await honest(store, append)

    async def append_later(self: PostgresStore, append: Append) -> Outcome:
        if append.row.seq == 1:  # tables are opened as they should be
            return await honest(self, append)
        task = asyncio.get_running_loop().create_task(later(self, append))
        pending.add(task)
        task.add_done_callback(pending.discard)
        return Committed()

    PostgresStore.append = append_later  # type: ignore[method-assign]  # - that is what planting is


def no_sweep() -> None:
    """Never look whether anything was missed."""

    async def sweep(self: Company) -> None:
        self._flush_soon()

    Company.sweep = sweep  # type: ignore[method-assign]  # - that is what planting is


PLANTS: dict[str, Callable[[], None]] = {
    "no-fencing": no_fencing,
    "no-unique-key": no_unique_key,
    "ack-before-commit": ack_before_commit,
    "no-sweep": no_sweep,
}
"""What can be planted, by name."""

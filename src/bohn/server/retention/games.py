"""Finished games of a store as records, for a folder of them."""

from __future__ import annotations

import asyncio

import bohn
from bohn.notation.records import format_record, read_record
from bohn.protocol.refusals import Refusal
from bohn.protocol.room_events import Sat
from bohn.server.retention.folder import Game
from bohn.server.store.protocol import Store, StoreUnavailable
from bohn.server.store.retaining import OverTable
from bohn.server.tables.archive.export import game_of


class NoRecord(Exception):  # noqa: N818 - a fact
    """There can be no record of a table; the message says why."""


async def game_in(store: Store, table: OverTable, *, names: bool) -> Game:
    """Return a finished game as its record; people stand there as seats unless their ``names`` are wanted.

    Raises :class:`NoRecord` for a log that is damaged or not finished, and ``StoreUnavailable``.
    """
    try:
        rows = await store.rows(table.table)
    except StoreUnavailable as error:
        if error.kind != "damaged":
            raise
        raise NoRecord(str(error)) from None
    sat = {event.user for row in rows for event in row.events if isinstance(event, Sat)} if names else ()
    called = {user.id: user.name for user in (await store.users(tuple(sorted(sat)))).values()}
    deal = await store.deal(table.table)

    def text() -> bytes:
        record = game_of(rows, called, deal, f"bohn {bohn.__version__}").record
        written = format_record(record)
        if read_record(written) != record:
            msg = "its record does not say the same when it is read"
            raise ValueError(msg)
        return written

    try:
        return Game(table.table, table.moved, await asyncio.to_thread(text))
    except Refusal:
        msg = "it is not finished"
    except (ValueError, LookupError) as error:
        msg = f"its log is damaged: {error}"
    raise NoRecord(msg)

"""One move, from the first look at both ends to the comparison."""

from __future__ import annotations

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bohn.server.store.moving.copying import Moved, Told, compare, copy, hold, settle
from bohn.server.store.moving.error import MoveError
from bohn.server.store.moving.places import Held, begin, finish, name_of, source_at, target_at


async def move(source: str, target: str, told: Told = lambda _: None) -> Moved:
    """Move all that is stored in one place to another, and return what has arrived.

    A place is a data folder or the address of a PostgreSQL database. The source is left as it is, but for
    its schema, which is this program's afterwards. Raises :class:`MoveError` and :class:`StoreUnavailable`.
    """
    if name_of(source) == name_of(target):
        msg = f"{name_of(source)} is both ends of the move; name another place to move to"
        raise MoveError(msg)
    async with source_at(source) as held_source, target_at(target) as held_target:
        ends = (_plain(held_source), _plain(held_target))

        def run(_: Connection) -> Moved:
            return _move(*ends, name_of(target), told)

        waiting = next(
            (held for held in (held_source, held_target) if isinstance(held, AsyncConnection)), None
        )
        try:
            return run(ends[0]) if waiting is None else await waiting.run_sync(run)
        except DBAPIError as error:
            msg = f"{name_of(source)} cannot be moved to {name_of(target)}: {error.orig}"
            raise MoveError(msg) from error


def _plain(held: Held) -> Connection:
    """Return the connection that is used without waiting; within ``run_sync`` any of them may be."""
    if isinstance(held, Connection):
        return held
    assert held.sync_connection is not None  # noqa: S101 - it is open
    return held.sync_connection


def _move(source: Connection, target: Connection, name: str, told: Told) -> Moved:
    with source.begin():
        hold(source)
        begin(target, name)
        copy(source, target, told)
        settle(target)
        moved = compare(source, target, told)
    finish(target)
    return moved

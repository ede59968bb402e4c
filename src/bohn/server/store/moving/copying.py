"""Copying what is stored between two connections, and comparing what has arrived; no word of where they lead.

Everything is moved but what belongs to running processes: who is present, what workers tell one another, and
acceptances that wait for a moment; nobody was told that they are done.
Leases go along without their holders, with their epochs and the time at which each bucket was served last:
so nobody's clock runs while nobody serves him, and no epoch comes twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import zip_longest
from typing import Any, Literal

import msgspec
from msgspec import Struct
from sqlalchemy import (
    Connection,
    Row,
    Select,
    Table,
    Text,
    collate,
    delete,
    func,
    insert,
    literal,
    select,
    text,
)

from bohn.server.store.moving.error import MoveError
from bohn.server.store.schema import (
    acceptances,
    beats,
    challenges,
    confirmations,
    deeds,
    leases,
    log,
    metadata,
    notices,
    operator_keys,
    presence,
    reports,
    users,
    workers,
)
from bohn.server.store.shared import BUCKETS

PASSING = frozenset(
    {workers, presence, notices, acceptances, beats, leases, operator_keys, challenges, confirmations}
)
"""What is not copied row by row: it belongs to running processes, or is put together anew."""

COPIED = tuple(table for table in metadata.sorted_tables if table not in PASSING)

ROWS = 2_000
"""The most rows that are written at once; each time is a transaction of its own."""

BYTES = 4_000_000
"""About how many bytes of texts are written at once."""


class Progress(Struct, frozen=True, gc=False):
    """How far a move has come: rows that are done, of all that are copied or compared."""

    step: Literal["copying", "comparing"]
    done: int
    total: int


class Moved(Struct, frozen=True, gc=False):
    """What has arrived: tables of players, batches, people; ``digest`` is that of all logs, in hex."""

    tables: int
    batches: int
    people: int
    digest: str


MOVER = "moved"
"""The worker by whose name it is noted when anybody was served last."""

Told = Callable[[Progress], None]
"""Called with the progress, about once for each transaction."""


def copy(source: Connection, target: Connection, told: Told) -> None:
    """Copy all rows; a log goes on behind what is there already, everything else is copied anew."""
    total = _count(source)
    done = 0
    for table in COPIED:
        rows = _stream(source, table)
        if table is log:
            heads = _heads(target)
            done += sum(heads.values())
            rows = (row for row in rows if row.seq > heads.get(row.table_id, 0))
        elif table is deeds:  # a log as well, of which nothing can be deleted
            last = _last_deed(target)
            done += last
            rows = (row for row in rows if row.id > last)
        else:
            with target.begin():
                target.execute(delete(table))
        told(Progress("copying", done, total))
        for chunk in _chunks(rows):
            with target.begin():
                target.execute(insert(table), [row._asdict() for row in chunk])
            done += len(chunk)
            told(Progress("copying", done, total))
    _copy_times(source, target)


def compare(source: Connection, target: Connection, told: Told) -> Moved:
    """Read both once more and compare them, row by row; raises :class:`MoveError` at the first difference."""
    total = _count(source)
    done = 0
    digest = sha256()
    counts: dict[Table, int] = {}
    with target.begin():
        for table in COPIED:
            seen = 0
            for row, copied in zip_longest(_stream(source, table), _stream(target, table)):
                if row is None or copied is None or tuple(row) != tuple(copied):
                    raise _different(table, row if copied is None else copied)
                if table is log:
                    digest.update(msgspec.msgpack.encode(tuple(row)))
                seen += 1
                if seen % ROWS == 0:
                    told(Progress("comparing", done + seen, total))
            counts[table] = seen
            done += seen
            told(Progress("comparing", done, total))
        tables = target.scalar(select(func.count(log.c.table_id.distinct())))
    return Moved(tables or 0, counts[log], counts[users], digest.hexdigest())


def hold(source: Connection) -> None:
    """Let nobody write into the source while its transaction lasts; a file is locked already."""
    if _is_postgres(source):
        source.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"))
        source.execute(text(f"LOCK TABLE {', '.join(table.name for table in COPIED)} IN SHARE MODE"))


def settle(target: Connection) -> None:
    """Let numbers go on behind those that were moved, and the database know how much it holds."""
    if _is_postgres(target):
        with target.begin():
            last = select(func.coalesce(func.max(reports.c.id), 0) + 1).scalar_subquery()
            numbers = func.pg_get_serial_sequence("reports", "id")
            target.execute(select(func.setval(numbers, last, literal(value=False))))
            target.execute(text("ANALYZE"))


def _copy_times(source: Connection, target: Connection) -> None:
    """Note when everybody was served last, for each bucket, and which epoch it had."""
    last = source.scalar(select(func.max(beats.c.at)))
    held = {row.bucket: row for row in source.execute(select(leases))}
    served = max([last or 0, *(row.renewed for row in held.values())])
    made = [
        {
            "bucket": bucket,
            "worker": "",
            "epoch": held[bucket].epoch if bucket in held else 0,
            "until": 0,
            "renewed": max(last or 0, held[bucket].renewed) if bucket in held else served,
        }
        for bucket in range(BUCKETS)
    ]
    with target.begin():
        target.execute(delete(leases))
        target.execute(delete(beats))
        if served:  # else nobody has ever served it
            target.execute(insert(leases), made)
            target.execute(insert(beats), {"worker": MOVER, "at": served})


def _count(connection: Connection) -> int:
    """Return how many rows there are to copy."""
    return sum(connection.scalar(select(func.count()).select_from(table)) or 0 for table in COPIED)


def _heads(target: Connection) -> dict[str, int]:
    """Return how many rows of each log are there."""
    with target.begin():
        found = target.execute(
            select(log.c.table_id, func.max(log.c.seq).label("last")).group_by(log.c.table_id)
        )
        return {row.table_id: row.last for row in found}


def _last_deed(target: Connection) -> int:
    """Return how many deeds of operators are there."""
    with target.begin():
        return target.scalar(select(func.coalesce(func.max(deeds.c.id), 0))) or 0


def _stream(connection: Connection, table: Table) -> Iterator[Row[Any]]:
    """Return all rows in the order of their keys; that of texts is the order of their bytes everywhere."""
    found: Select[Any] = select(table).order_by(
        *(
            collate(column, "C") if _is_postgres(connection) and isinstance(column.type, Text) else column
            for column in table.primary_key
        )
    )
    return iter(connection.execution_options(yield_per=ROWS).execute(found))


def _chunks(rows: Iterator[Row[Any]]) -> Iterator[list[Row[Any]]]:
    """Return rows in lists that are not too long."""
    chunk: list[Row[Any]] = []
    size = 0
    for row in rows:
        chunk.append(row)
        size += sum(len(value) for value in row if isinstance(value, str | bytes))
        if len(chunk) == ROWS or size > BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _is_postgres(connection: Connection) -> bool:
    return connection.dialect.name == "postgresql"


def _different(table: Table, row: Row[Any] | None) -> MoveError:
    key = "" if row is None else ", ".join(str(getattr(row, column.name)) for column in table.primary_key)
    msg = f"what has arrived is not what was sent ({table.name}: {key}); empty the target and move again"
    return MoveError(msg)

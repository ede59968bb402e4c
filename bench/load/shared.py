"""Several workers on one database of their own, for measurements: what each costs in processor time."""

from __future__ import annotations

import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

from msgspec.structs import replace

from bohn.server.settings import Settings, Times
from tests.server.support.postgres import LocalPostgres
from tests.server.support.serving import PLENTY, Serving, children

CONNECTIONS = 100
"""What PostgreSQL allows unless it is told otherwise; three workers have 27."""


@contextmanager
def database(*settings: str) -> Iterator[LocalPostgres]:
    """Run a PostgreSQL server in a temporary folder, as it is installed: it waits for the disk."""
    with tempfile.TemporaryDirectory() as folder:
        server = LocalPostgres(Path(folder), (f"max_connections={CONNECTIONS}", *settings))
        server.make()
        server.start()
        try:
            yield server
        finally:
            server.stop()


def cpu_of_database(server: LocalPostgres) -> float:
    """Return the seconds of processor time that a server and its sessions, the ended ones too, have used."""
    ticks = 0
    for pid in (server.pid, *children(server.pid)):
        with suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
            own, ended = fields[11:13], fields[13:15]
            ticks += sum(map(int, own)) + (sum(map(int, ended)) if pid == server.pid else 0)
    return ticks / os.sysconf("SC_CLK_TCK")


def workers_on(folder: Path, address: str, number: int, times: Times | None = None) -> list[Serving]:
    """Return this many workers of one database, not started yet; none of them plays for anybody."""
    settings = Settings(limits=PLENTY, store=address, bots=0, times=times or Times())
    names = [f"worker-{index + 1}" for index in range(number)]
    return [Serving(folder / name, replace(settings, worker=name)) for name in names]


@asynccontextmanager
async def started(servers: list[Serving]) -> AsyncIterator[None]:
    """Start workers one after the other, and stop them at the end, after an error the hard way."""
    try:
        for server in servers:
            await server.start()
        yield
        for server in servers:
            await server.stop()
    finally:
        for server in servers:
            server.kill()

"""PostgreSQL on a machine of its own, which is killed and started again; and what is asked of it."""

from __future__ import annotations

import asyncio
import pwd
import shutil
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import asyncpg

from bench.faults.network import Missing, Network
from tests.server.support.postgres import UNPRIVILEGED, NoPostgres, programs

MACHINE = "database"
PORT = 5432

SETTINGS = (
    f"port={PORT}",
    "listen_addresses=*",
    "fsync=off",  # the system stays up, so what a killed server has written is there
    "track_commit_timestamp=on",  # the checker judges by the order of commits
    "max_connections=120",
    "shared_buffers=128MB",
    "autovacuum_naptime=20s",
)

LISTENERS = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
      AND (query ILIKE 'LISTEN%' OR (query = 'SELECT 1' AND state = 'idle'))
"""
"""Cuts off everybody who listens; besides listening such a connection only asks whether it still lives."""

OVERDUE = """
    SELECT table_id, key, now.ms - due FROM timers,
        (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms) AS now
    WHERE due < now.ms - $1::bigint
"""


LOST = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
"""How the driver says that the database has gone: the last one where it goes between two of its messages."""


class Database:
    """A PostgreSQL server on its machine; from here it is reached by a socket in the file system."""

    def __init__(self, network: Network, folder: Path) -> None:
        """Note the place; raises :class:`Missing` without PostgreSQL."""
        try:
            self._programs = programs()
        except NoPostgres as error:
            raise Missing(str(error)) from None
        self._network = network
        self._folder = folder / "postgres"
        names = {entry.pw_name: entry for entry in pwd.getpwall()}
        found = next((names[name] for name in UNPRIVILEGED if name in names), None)
        if found is None:
            raise Missing(f"PostgreSQL needs a user other than root, such as {UNPRIVILEGED[0]!r}")
        self._user = (found.pw_uid, found.pw_gid)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """The address by which workers reach it."""
        return f"postgresql://postgres@{self._network.address(MACHINE)}:{PORT}/postgres"

    def make(self) -> None:
        """Make its data; everybody in the namespaces may come in."""
        self._folder.mkdir()
        shutil.chown(self._folder, *self._user)
        options = ("-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
        command = (str(self._programs / "initdb"), "-D", str(self._folder / "data"), *options)
        done = subprocess.run(  # noqa: S603 - PostgreSQL's own program
            self._network.command(MACHINE, *command, user=self._user),
            capture_output=True,
            cwd="/",
            check=False,
        )
        if done.returncode:
            raise Missing(f"initdb failed: {done.stderr.decode(errors='replace').strip()}")
        with (self._folder / "data" / "pg_hba.conf").open("a", encoding="utf-8") as rules:
            rules.write("host all all samenet trust\n")

    def launch(self) -> None:
        """Start it without waiting."""
        flags = [part for option in SETTINGS for part in ("-c", option)]
        flags += ["-c", f"unix_socket_directories={self._folder}"]
        command = (str(self._programs / "postgres"), "-D", str(self._folder / "data"), *flags)
        with (self._folder.parent / "postgres.log").open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - PostgreSQL's own program
                self._network.command(MACHINE, *command, user=self._user),
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", start_new_session=True,
            )  # fmt: skip

    async def start(self, seconds: float = 90.0) -> None:
        """Start it and wait until it answers; what a killed one has left may hold it up for a moment."""
        end = time.monotonic() + seconds
        while True:
            if self._process is None or self._process.poll() is not None:
                self.launch()
            with suppress(*LOST):
                connection = await self.connect(timeout=2)
                await connection.close()
                return
            if time.monotonic() > end:
                raise Missing("PostgreSQL does not start")
            await asyncio.sleep(0.1)

    def kill(self) -> None:
        """Kill the server that watches all others; its sessions notice and end."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def stop(self) -> None:
        """Stop it without waiting for its clients."""
        if self._process is not None:
            self._process.send_signal(2)
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None

    async def connect(self, timeout: float = 10.0) -> Any:  # noqa: ASYNC109 - it is the driver's own
        """Return a connection."""
        return await asyncpg.connect(
            host=str(self._folder), port=PORT, user="postgres", database="postgres", timeout=timeout
        )

    async def cut_listeners(self, seconds: float) -> int:
        """Cut off everybody who listens, again and again for so long; return how often somebody was."""
        end, cut = time.monotonic() + seconds, 0
        with suppress(*LOST):
            connection = await self.connect()
            try:
                while time.monotonic() < end:
                    cut += len(await connection.fetch(LISTENERS))
                    await asyncio.sleep(0.02)
            finally:
                await connection.close(timeout=2)
        return cut

    async def overdue(self, most: int) -> list[tuple[str, str, int]]:
        """Return the clocks that are due for more than ``most`` ms: table, key, and by how much."""
        with suppress(*LOST):
            connection = await self.connect(timeout=2)
            try:
                return [tuple(found) for found in await connection.fetch(OVERDUE, most, timeout=5)]
            finally:
                await connection.close(timeout=2)
        return []

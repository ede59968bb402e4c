"""A PostgreSQL server for tests: the one that is named, or one of its own in a temporary folder."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn
from uuid import uuid4

import asyncpg
import pytest

VARIABLE = "BOHN_TEST_POSTGRES"
"""Names a server, such as postgresql://postgres@localhost/postgres, where tests make their own databases.

``require``: they start a server of their own, and fail where that cannot be.
"""

UNPRIVILEGED = ("postgres", "daemon")
"""As whom the server runs if the tests run as root, which PostgreSQL refuses."""


def missing(reason: NoPostgres) -> NoReturn:
    """Skip a test that has no server, or fail it where one is required."""
    if os.environ.get(VARIABLE) == "require":
        pytest.fail(str(reason))
    pytest.skip(str(reason))


class NoPostgres(Exception):  # noqa: N818 - a fact
    """There is no server, and none can be started; the message says what is missing."""


def programs() -> Path:
    """Return the folder of PostgreSQL's programs; raises :class:`NoPostgres`."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).resolve().parent
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if not debian:
        msg = f"PostgreSQL's programs are not installed (Debian: postgresql), and {VARIABLE} names no server"
        raise NoPostgres(msg)
    return debian[-1].parent


class LocalPostgres:
    """A server in a folder, over TCP on a free port of this machine; it may be killed and started again."""

    def __init__(self, folder: Path, settings: tuple[str, ...] = ("fsync=off",)) -> None:
        self._bin = programs()
        self._data = folder / "data"
        self._log = folder / "log"
        self._settings = settings
        self._user = _unprivileged()
        self._process: subprocess.Popen[bytes] | None = None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        if self._user is not None:
            shutil.chown(folder, self._user)

    @property
    def address(self) -> str:
        """Return the address of the database that every server has."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    @property
    def pid(self) -> int:
        """Return the process id of the server that runs; raises :class:`NoPostgres`."""
        if self._process is None:
            raise NoPostgres("no server was started")
        return self._process.pid

    def make(self) -> None:
        """Make the folder of its data; raises :class:`NoPostgres`."""
        command = (str(self._bin / "initdb"), "-D", str(self._data), "-U", "postgres", "-A", "trust")
        options = ("-E", "UTF8", "--locale=C.UTF-8", "--no-sync", "--no-instructions")
        done = subprocess.run(  # noqa: S603 - PostgreSQL's own program
            (*command, *options), capture_output=True, cwd="/", check=False, **_as(self._user)
        )
        if done.returncode:
            msg = f"initdb failed: {done.stderr.decode(errors='replace').strip()}"
            raise NoPostgres(msg)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = (
            f"port={self.port}",
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
        )
        flags = [part for option in (*options, *self._settings) for part in ("-c", option)]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - PostgreSQL's own program
                (str(self._bin / "postgres"), "-D", str(self._data), *flags),
                stdout=log, stderr=log, cwd="/", start_new_session=True, **_as(self._user),
            )  # fmt: skip
        end = time.monotonic() + 60
        while not asyncio.run(_answers(self.address)):
            if self._process.poll() is not None or time.monotonic() > end:
                msg = f"PostgreSQL did not start: {self._log.read_text(errors='replace')[-2_000:]}"
                raise NoPostgres(msg)
            time.sleep(0.05)

    def require_password(self, role: str) -> None:
        """Let a role in by its password only; everybody else comes in without."""
        rules = self._data / "pg_hba.conf"
        before = rules.read_text(encoding="utf-8")
        rules.write_text(f"host all {role} 127.0.0.1/32 scram-sha-256\n{before}", encoding="utf-8")
        asyncio.run(execute(self.address, "SELECT pg_reload_conf()"))

    def kill(self) -> None:
        """Kill it and all its sessions at once, as a machine that loses power does."""
        if self._process is not None:
            for pid in (self._process.pid, *_children(self._process.pid)):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def stop(self) -> None:
        """Stop it without waiting for its clients."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()
            self._process = None


def _unprivileged() -> str | None:
    """Return the user as whom the server must run, ``None`` for the one who runs the tests."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return None
    import pwd

    names = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in UNPRIVILEGED if name in names), None)


def _as(user: str | None) -> dict[str, Any]:
    """Return what lets a program run as a user."""
    return {} if user is None else {"user": user, "group": user, "extra_groups": ()}


def _children(pid: int) -> list[int]:
    """Return the processes that a process has started; PostgreSQL has one a connection."""
    found = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in found.read_text(encoding="ascii").split()] if found.exists() else []


async def _answers(address: str) -> bool:
    try:
        connection = await asyncpg.connect(address, timeout=2)
    except (OSError, TimeoutError, asyncpg.PostgresError):
        return False
    await connection.close()
    return True


@contextmanager
def local_server(settings: tuple[str, ...] = ("fsync=off",)) -> Iterator[LocalPostgres]:
    """Run a server of its own; raises :class:`NoPostgres` where that cannot be."""
    programs()
    folder = Path(tempfile.mkdtemp(prefix="bohn-postgres-"))
    server = LocalPostgres(folder, settings)
    try:
        server.make()
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def server_address() -> Iterator[str]:
    """Return the address of a server for tests: the one that is named, else one of its own."""
    named = os.environ.get(VARIABLE)
    if named and named != "require":
        yield named
        return
    with local_server() as server:
        yield server.address


@contextmanager
def new_database(server: str, options: str = "") -> Iterator[str]:
    """Make a database of its own on a server, and drop it at the end; return its address."""
    name = f"bohn_test_{uuid4().hex}"
    asyncio.run(execute(server, f'CREATE DATABASE "{name}" {options}'))
    try:
        yield f"{server.rpartition('/')[0]}/{name}"
    finally:
        with suppress(OSError, asyncpg.PostgresError):
            asyncio.run(execute(server, f'DROP DATABASE "{name}" WITH (FORCE)'))


async def execute(address: str, *statements: str) -> None:
    """Run statements on a connection of their own."""
    connection = await asyncpg.connect(address, timeout=10)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


def emptied(address: str) -> None:
    """Delete whatever is in the tables of a database, but not its revision."""
    asyncio.run(_empty(address))


async def _empty(address: str) -> None:
    connection = await asyncpg.connect(address, timeout=10)
    try:
        found = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
        names = [name for (name,) in found if name != "alembic_version"]
        if names:
            await connection.execute("SET session_replication_role = replica")  # triggers keep the deeds
            await connection.execute(f"TRUNCATE {', '.join(names)} RESTART IDENTITY")
    finally:
        await connection.close()

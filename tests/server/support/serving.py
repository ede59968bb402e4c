"""`bohn serve` as a process of its own: started on a free port, killed, started again on the same data."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec
from msgspec.structs import replace

from bohn.server.settings import Limits, Settings
from tests.patience import PATIENCE
from tests.server.support.http import Http

PLENTY = Limits(
    sockets=20_000,
    sockets_an_address=20_000,
    tables=20_000,
    tables_a_user=20_000,
    tables_an_address=20_000,
    commands_at_once=100_000,
    commands_a_second=100_000.0,
    requests_at_once=100_000,
    requests_a_second=100_000.0,
    guests_at_once=100_000,
    guests_a_second=100_000.0,
    sign_ins_at_once=100_000,
    sign_ins_a_second=100_000.0,
    replays_at_once=100_000,
    replays_a_second=100_000.0,
)
"""Limits that one address with all the players does not meet."""


def free_port() -> int:
    """Return a port on which nobody listens now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class NotReady(Exception):  # noqa: N818 - it says what happened
    """The server did not become ready; the message holds what it said."""


class Serving:
    """A server process on one data folder. As a context it is stopped at the end, gracefully."""

    def __init__(
        self,
        folder: Path,
        settings: Settings | None = None,
        *,
        module: str = "bohn",
        environment: dict[str, str] | None = None,
    ) -> None:
        """Choose a port, which stays the same over restarts; nothing is started yet.

        The ``module`` is what is run; the ``environment`` is what it gets besides ours.
        """
        self.module = module
        self.environment = environment or {}
        self.folder = folder
        self.data = folder / "data"
        self.log = folder / "server.log"
        self.port = free_port()
        self.settings = replace(settings or Settings(limits=PLENTY), port=self.port)
        self.process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def pid(self) -> int:
        """The process id of the server that runs."""
        if self.process is None:
            raise NotReady("no server was started")
        return self.process.pid

    def launch(self) -> None:
        """Start the process without waiting for it."""
        chosen = self.folder / "settings.json"
        chosen.write_bytes(msgspec.json.encode(self.settings))
        command = [
            sys.executable,
            "-m",
            self.module,
            "serve",
            "--host",
            "127.0.0.1",
            "--port",
            str(self.port),
        ]
        command += ["--settings", str(chosen)]
        command += () if self.settings.store else ("--data", str(self.data))
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(  # noqa: S603 - our own interpreter
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                env=os.environ | self.environment,
            )  # fmt: skip

    async def start(self, seconds: float = PATIENCE) -> float:
        """Start, wait until it is ready, and return the seconds that took."""
        begin = time.perf_counter()
        self.launch()
        while not await self.ready():
            if self.process is None or self.process.poll() is not None:
                raise NotReady(self.words())
            if time.perf_counter() - begin > seconds:
                raise NotReady(f"not ready after {seconds} s: {self.words()}")
            await asyncio.sleep(0.01)
        return time.perf_counter() - begin

    async def ready(self) -> bool:
        """Ask /readyz once."""
        http = Http(self.port)
        try:
            return (await http.request("GET", "/readyz")).status == 200
        except (OSError, asyncio.IncompleteReadError):
            return False
        finally:
            await http.close()

    def kill(self) -> None:
        """End the process at once, as a power cut would; its children notice by themselves."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    async def stop(self, seconds: float = PATIENCE) -> int:
        """Ask the server to end, and return its exit status."""
        if self.process is None:
            return 0
        process, self.process = self.process, None
        process.terminate()
        try:
            return await asyncio.to_thread(process.wait, seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise

    def words(self) -> str:
        """Return the end of what the server has said."""
        return self.log.read_text(errors="replace")[-3000:] if self.log.exists() else ""

    # -- what it costs ---------------------------------------------------------------------------

    def rss(self) -> int:
        """Return the resident memory of the server process in bytes, without its children."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def rss_of_all(self) -> int:
        """Return the resident memory of the server process and of its children in bytes."""
        total = self.rss()
        for child in children(self.pid):
            with contextlib.suppress(OSError):
                total += int(Path(f"/proc/{child}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        return total

    def cpu(self) -> float:
        """Return the seconds of processor time that the server process has used."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    # -- as a context ----------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        """Start."""
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop; after an error the hard way, so that the error is the one that is seen."""
        if kind is None:
            await self.stop()
        else:
            self.kill()


def children(pid: int) -> list[int]:
    """Return the process ids of all descendants."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    return found + [grandchild for child in found for grandchild in children(child)]

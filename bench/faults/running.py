"""One run: the machines, the crowd and the faults, and the comparison behind it."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from bench.faults.causing import Causing
from bench.faults.checker import Troubled, overdue, table_violations
from bench.faults.crowd import Plan
from bench.faults.database import MACHINE, Database
from bench.faults.history import Stored, TableLog, Taken, Told, Viewer, Violation
from bench.faults.machines import CROWD, TIMES, WORKERS, Worker
from bench.faults.network import Missing, Network
from bench.faults.result import Result, note_latencies, note_returns, note_violations
from bohn.rules.commands import MakeOffer
from bohn.server.store.postgres import sql
from bohn.server.store.protocol import SecretDeal

COMING = 600.0
"""Seconds in which everybody must be at his table."""

LEAVING = 180.0
"""Seconds in which the crowd must have its last answers and have written everything down."""

COMMITTED = "extract(epoch FROM pg_xact_commit_timestamp(xmin))::float8"

ROWS = f"""
    SELECT table_id, seq, at, actor, command_id, digest, cause, command, events, epoch, {COMMITTED}
    FROM log WHERE table_id = $1 ORDER BY seq, {COMMITTED}
"""  # noqa: S608 - made of constants

TAKINGS = f"SELECT bucket, epoch, {COMMITTED} FROM takings ORDER BY bucket, epoch"  # noqa: S608 - the same

TABLES = "SELECT DISTINCT table_id FROM log"


class Asked(msgspec.Struct):
    """What one run is to be."""

    minutes: float
    tables: int
    rate: float
    seed: int
    plant: str
    kinds: tuple[str, ...]
    behind: float


@contextmanager
def folder_of_its_own() -> Iterator[Path]:
    """Make a temporary folder that PostgreSQL's user may pass, and remove it."""
    folder = Path(tempfile.mkdtemp(prefix="bohn-faults-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Run:
    """Everything that one run needs; :meth:`clean` ends it all, whatever has happened."""

    def __init__(self, asked: Asked, folder: Path) -> None:
        """Note what is to be; nothing is made yet. Raises :class:`Missing`."""
        self.asked = asked
        self.folder = folder
        self.network = Network((MACHINE, *WORKERS, CROWD))
        self.database = Database(self.network, folder)
        self.workers = [Worker(name, self.network, self.database, folder, asked.plant) for name in WORKERS]
        self.rand = Random(asked.seed)
        self.causing = Causing(self.network, self.database, self.workers, self.rand, asked.kinds)
        self.crowd: asyncio.subprocess.Process | None = None

    async def do(self) -> Result:
        """Run, compare, and return what was found."""
        try:
            return await self._do(datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))
        finally:
            if self.crowd is not None and self.crowd.returncode is None:
                self.crowd.kill()
                await self.crowd.wait()

    async def _do(self, started: str) -> Result:
        self.network.make()
        self.database.make()
        await self.database.start()
        for worker in self.workers:
            worker.launch()
            if not await self.causing.serves(worker, []):
                raise Missing(f"worker {worker.name} does not start: {worker.words()}")
        told = await self._play()
        for worker in self.workers:
            self.causing.violations += [Violation("mistake", "", line) for line in worker.mistakes()]
            status = worker.stop()
            if status:
                what = f"worker {worker.name} ended with {status}: {worker.words()[-300:]}"
                self.causing.violations.append(Violation("ended", "", what))
        asked = self.asked
        result = Result(asked.seed, asked.plant, asked.minutes, asked.tables, asked.rate, started)
        result.faults = self.causing.faults
        note_returns(result.faults, told)
        note_latencies(result, told)
        found, rows = await self._compared(told)
        note_violations(result, found)
        result.counts = _counts(told, rows)
        result.crowd_cores, result.crowd_late = told.cores, told.late
        return result

    async def _play(self) -> Told:
        """Let the crowd come and play while faults happen; return what it has to tell."""
        file = self.folder / "told.json"
        asked = self.asked
        places = [self.network.address(name) for name in WORKERS]
        plan = Plan(places, asked.tables, asked.rate, asked.seed, str(file))
        command = (sys.executable, "-m", "bench.faults.crowd", msgspec.json.encode(plan).decode())
        with (self.folder / "crowd.log").open("ab") as log:
            self.crowd = await asyncio.create_subprocess_exec(
                *self.network.command(CROWD, *command),
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, start_new_session=True,
            )  # fmt: skip
        begun = time.monotonic()
        await self._hear("ready", COMING)
        print(f"everybody is there after {time.monotonic() - begun:.0f} s", flush=True)
        await self.causing.run(time.monotonic() + asked.minutes * 60)
        assert self.crowd.stdin is not None  # noqa: S101 - it was asked for
        self.crowd.stdin.write(b"stop\n")
        await self.crowd.stdin.drain()
        await self._hear("done", LEAVING)
        return msgspec.json.decode(file.read_bytes(), type=Told)

    async def _hear(self, word: str, seconds: float) -> None:
        assert self.crowd is not None  # noqa: S101 - it was started
        assert self.crowd.stdout is not None  # noqa: S101 - it was asked for
        async with asyncio.timeout(seconds):
            line = (await self.crowd.stdout.readline()).decode().strip()
        if not line.startswith(word):
            words = (self.folder / "crowd.log").read_text(errors="replace")[-3_000:]
            raise Missing(f"the crowd does not say {word!r} but {line!r}: {words}")

    # -- the comparison ------------------------------------------------------------------------------

    async def _compared(self, told: Told) -> tuple[list[Violation], Rows]:
        """Compare every table, in several processes."""
        steady = time.monotonic() - time.time()
        troubled = Troubled(self.causing.faults)
        found = list(self.causing.violations) + list(overdue(self.causing.overdue, troubled))
        viewers: dict[str, list[Viewer]] = {}
        for viewer in told.viewers:
            viewers.setdefault(viewer.table, []).append(viewer)
        rows = Rows()
        connection = await self.database.connect()
        loop = asyncio.get_running_loop()
        without_viewers = Told([], told.begun, told.ended)
        try:
            taken: dict[int, list[Taken]] = {}
            for bucket, epoch, committed in await connection.fetch(TAKINGS):
                taken.setdefault(bucket, []).append(Taken(bucket, epoch, committed))
            tables = [table for (table,) in await connection.fetch(TABLES)]
            for table in set(viewers) - set(tables):
                found.append(Violation("lost", table, "a table that was opened is not there"))
            with ProcessPoolExecutor(max_workers=2) as pool:
                pending: set[asyncio.Future[list[Violation]]] = set()
                for table in tables:
                    log = await _log_of(connection, table)
                    rows.note(log, viewers.get(table, []), steady)
                    pending.add(
                        loop.run_in_executor(
                            pool,
                            table_violations,
                            log,
                            viewers.get(table, []),
                            taken,
                            without_viewers,
                            troubled,
                            TIMES.fast_decision,
                            steady,
                            self.asked.behind,
                        )
                    )
                    if len(pending) > 8:
                        done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
                        found += [one for each in done for one in each.result()]
                for each in pending:
                    found += await each
        finally:
            await connection.close()
        return found, rows

    def clean(self) -> None:
        """End every process, and remove the namespaces."""
        for worker in self.workers:
            worker.send(signal.SIGCONT)
            worker.kill()
        self.database.stop()
        self.network.remove()


class Rows:
    """Numbers of rows of each kind, over all tables."""

    def __init__(self) -> None:
        """Begin with none."""
        self.counts: Counter[str] = Counter()

    def note(self, log: TableLog, viewers: list[Viewer], steady: float) -> None:
        """Count the rows of a table, and what was refused as not saved though it was."""
        self.counts["tables"] += 1
        self.counts["rows"] += len(log.rows)
        committed: dict[tuple[str, str], float] = {}
        for stored in log.rows:
            self.counts[f"rows by {stored.row.cause}"] += 1
            committed[stored.row.actor, stored.row.command_id] = stored.committed + steady
            if any(type(event).__name__ == "LastCallBegan" for event in stored.row.events):
                self.counts["last calls"] += 1
            command = stored.row.command
            self.counts["offers to several"] += isinstance(command, MakeOffer) and len(command.to) > 1
        for viewer in viewers:
            for sent in viewer.sent:
                at = committed.get((viewer.user, sent.id))
                if at is not None:
                    self.counts["stored, but refused as not saved"] += at < sent.unsaved
                    self.counts["refused, but done by another copy"] += sent.refusal is not None


def _counts(told: Told, rows: Rows) -> dict[str, int]:
    counts = rows.counts
    counts["given up"] = told.given_up
    for viewer in told.viewers:
        counts["people"] += 1
        counts["connections"] += len(viewer.links)
        counts["batches shown"] += sum(len(one.digests) for one in viewer.stretches)
        counts["fresh starts"] += max(0, len(viewer.stretches) - 1)
        for sent in viewer.sent:
            counts["commands"] += 1
            counts["acknowledged"] += sent.seq is not None
            counts["refused"] += sent.refusal is not None
            counts["sent again"] += sent.sent > 1
            counts["refused as not saved first"] += sent.unsaved > 0
    return dict(counts)


async def _log_of(connection: Any, table: str) -> TableLog:
    stored = []
    for *columns, epoch, committed in await connection.fetch(ROWS, table):
        (row,) = sql.ROWS.read([columns])
        stored.append(Stored(row, epoch, committed))
    deal = await connection.fetchrow("SELECT secret, nonce FROM deals WHERE table_id = $1", table)
    return TableLog(table, tuple(stored), None if deal is None else SecretDeal(*deal))


def run(asked: Asked) -> Result:
    """Do one run from beginning to end; whatever happens, nothing is left behind."""
    signal.signal(signal.SIGTERM, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with folder_of_its_own() as folder:
        made = Run(asked, folder)
        try:
            return asyncio.run(made.do())
        except BaseException:
            keep = os.environ.get("BOHN_FAULTS_KEEP")
            if keep:
                shutil.copytree(folder, keep, ignore=shutil.ignore_patterns("postgres"), dirs_exist_ok=True)
            raise
        finally:
            made.clean()

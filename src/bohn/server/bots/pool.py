"""The processes in which bots decide: each table has its own; one that hangs or dies is replaced.

Each is a fresh interpreter at the other end of two pipes, started at the first question. It is given one
question at a time, so that one alone is timed, and fails with it; the others wait for their turn
(:mod:`bohn.server.bots.turns`).
It runs interpreted. Once the compile cache is complete (:meth:`Pool.use_compiled`) a second process loads
compiled code beside it and replaces it when it is ready; nobody waits for that, and if a compiled process
fails no other one is tried.
(A process pool of the standard library costs five times as much a question, and cannot kill one that hangs.)
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Literal, cast
from zlib import crc32

import msgspec
import structlog

from bohn.rules.errors import BohnError
from bohn.server.bots.messages import BotAnswer, Broken, Question, Unframed, decode_reply, encode, framed
from bohn.server.bots.turns import Turns
from bohn.server.lessons import WHERE

LOG = structlog.get_logger("bohn.bots")

START = 30.0
"""Seconds in which a process must be ready."""

LOAD = 120.0
"""Seconds in which a process must have loaded compiled code; nobody waits for it."""

WORKER = "bohn.server.bots.worker"
"""The module a process runs."""

ATTEMPTS = 3
"""Times a question is asked, because one before it may end the process."""

Kind = Literal["hung", "crashed", "broken", "stopped"]


class BotFailed(BohnError):  # noqa: N818 - a fact about a bot
    """A bot did not decide: it hung, its process died, it broke its contract, or all is stopped."""

    def __init__(self, kind: Kind, detail: str = "") -> None:
        """Take the kind; the detail names places in code, never cards."""
        self.kind = kind
        self.detail = detail
        super().__init__(f"{kind}: {detail}" if detail else kind)


class Lost(BohnError):  # noqa: N818 - a fact about a question
    """The process went before it came to this question, which may be put to the next one."""


class Process(asyncio.SubprocessProtocol):
    """One process, and what it has still to say: that it is ready, then the reply to a question."""

    def __init__(self, limit: float, *, compiled: bool = False) -> None:
        """Give each decision ``limit`` seconds."""
        loop = asyncio.get_running_loop()
        self.compiled = compiled
        self._retired = False
        self._loop = loop
        self._limit = limit
        self._unframed = Unframed()
        self._timer: asyncio.TimerHandle | None = None
        self._transport: asyncio.SubprocessTransport | None = None
        self.ready: asyncio.Future[bytes] = loop.create_future()
        self.ready.add_done_callback(_ignore_failure)
        self._waiting: deque[asyncio.Future[bytes]] = deque([self.ready])
        self.open = True
        self.gone: asyncio.Future[None] = loop.create_future()
        self._time(LOAD if compiled else START)

    def ask(self, message: bytes) -> asyncio.Future[bytes]:
        """Send a question; the future gives its reply, or raises :class:`BotFailed` or :class:`Lost`."""
        reply: asyncio.Future[bytes] = self._loop.create_future()
        self._waiting.append(reply)
        if len(self._waiting) == 1:
            self._time(self._limit)
        assert self._transport is not None  # noqa: S101 - connected before anybody gets hold of it
        pipe = cast("asyncio.WriteTransport", self._transport.get_pipe_transport(0))
        pipe.write(framed(message))
        return reply

    def retire(self) -> None:
        """Answer what has been asked, and end then: nobody asks any more."""
        self._retired = True
        if not self._waiting:
            self.end("stopped")

    def end(self, kind: Kind) -> None:
        """Kill the process: the question at the head has failed, the others are lost."""
        if not self.open:
            return
        self.open = False
        if self._timer is not None:
            self._timer.cancel()
        idle = not self._waiting or self._waiting[0] is self.ready  # else the question that fails is reported
        if idle and kind != "stopped" and not self.compiled:  # of a compiled one it is told what it means
            LOG.warning("bot-process-ended", kind=kind)
        head = True
        while self._waiting:
            reply = self._waiting.popleft()
            if not reply.done():
                reply.set_exception(BotFailed(kind) if head or kind == "stopped" else Lost())
            head = False
        if self._transport is not None and self._transport.get_returncode() is None:
            _kill(self._transport)

    def _time(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(seconds, self.end, "hung")

    # -- what asyncio tells ----------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember the transport to the process."""
        self._transport = cast("asyncio.SubprocessTransport", transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:  # noqa: ARG002 - there is one pipe to read
        """Hand out replies, and time the question that is now at the head."""
        for message in self._unframed.take(data):
            if not self._waiting:
                self.end("crashed")  # it says what nobody asked
                return
            reply = self._waiting.popleft()
            if not reply.done():
                reply.set_result(message)
            if self._waiting:
                self._time(self._limit)
                continue
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            if self._retired:
                self.end("stopped")

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002 - one signature
        """Take a closed pipe for the end of the process."""
        self.end("crashed")

    def process_exited(self) -> None:
        """Note the end of the process."""
        self.end("crashed")

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - one signature
        """Note that nothing is left of it."""
        if self._transport is not None:
            self._transport.close()
        if not self.gone.done():
            self.gone.set_result(None)


def _kill(transport: asyncio.SubprocessTransport) -> None:
    """Kill a process that may have died already.

    The transport itself would first look whether it has, and so take its end away from asyncio, which then
    complains in the log of a child it does not know.
    """
    if sys.platform == "win32":
        transport.kill()
        return
    with contextlib.suppress(ProcessLookupError):
        os.kill(transport.get_pid(), signal.SIGKILL)


def _ignore_failure(reply: asyncio.Future[Any]) -> None:
    """Take note of a failure that nobody waits for, so that asyncio does not report it."""
    if not reply.cancelled():
        reply.exception()


class ProcessSlot:
    """Holds one process at a time: the first question starts it, and starts another if it has ended."""

    def __init__(self, players: str, limit: int, worker: str, clock: Callable[[], float]) -> None:
        """Start nothing yet; the limit is in ms, ``clock`` gives seconds."""
        self._players = players
        self._worker = worker
        self._limit = limit
        self._starting: asyncio.Task[Process] | None = None
        self._loading: asyncio.Task[None] | None = None
        self._process: Process | None = None
        self._alive: set[Process] = set()
        self._turns = Turns(clock)
        self.uses_compiled = False
        self._stopped = False

    @property
    def compiled(self) -> bool:
        """Whether compiled code answers here."""
        return self._process is not None and self._process.open and self._process.compiled

    def use_compiled(self) -> None:
        """From now on answer with compiled code, as soon as it is loaded."""
        self.uses_compiled = True
        if self._process is not None and self._process.open:
            self._load()

    async def ask(self, message: bytes, address: str, table: str) -> bytes:
        """Return the reply to a question of a table that was opened from this address.

        Raises :class:`BotFailed`.
        """
        for _ in range(ATTEMPTS):
            await self._turns.wait(address, table)
            reply = await self._given(message)
            await asyncio.wait((reply,))  # who stops waiting does not cancel it: till then nobody has a turn
            try:
                return reply.result()
            except Lost:
                continue
        failure = BotFailed("crashed", "before it was asked")
        self._turns.fail(failure)  # else each of those who wait would see as many processes fail
        raise failure

    async def _given(self, message: bytes) -> asyncio.Future[bytes]:
        """Give a question to the process; once that has replied, the turn is passed on."""
        try:
            reply = (await self._ready()).ask(message)
        except BaseException:
            self._turns.pass_on()
            raise
        reply.add_done_callback(lambda _: self._turns.pass_on())
        reply.add_done_callback(_ignore_failure)  # whoever asked may have stopped waiting
        return reply

    async def _ready(self) -> Process:
        while True:
            if self._stopped:
                raise BotFailed("stopped")
            if self._process is not None and self._process.open:
                return self._process
            if self._process is not None and self._process.compiled:
                self._stay_interpreted("it ended")
                self._process = None
            if self._starting is None:
                self._starting = asyncio.get_running_loop().create_task(self._start())
                self._starting.add_done_callback(_ignore_failure)
            await asyncio.shield(self._starting)

    async def _start(self) -> Process:
        """Start a process that answers at once, interpreted."""
        try:
            process = await self._launch(compiled=False)
        finally:
            self._starting = None
        if self.compiled and self._process is not None:  # it was ready first
            process.retire()
            return self._process
        self._process = process
        if self.uses_compiled:
            self._load()
        return process

    def _load(self) -> None:
        """Let compiled code be loaded beside the process that answers."""
        if not self._stopped and self._loading is None and not self.compiled:
            self._loading = asyncio.get_running_loop().create_task(self._replace())
            self._loading.add_done_callback(_ignore_failure)

    async def _replace(self) -> None:
        """Load compiled code, and let it answer from then on; what does not load is not tried again."""
        try:
            process = await self._launch(compiled=True)
            await process.ready
        except (BotFailed, Lost) as failure:
            if not self._stopped:
                self._stay_interpreted(str(failure))
            return
        finally:
            self._loading = None
        before, self._process = self._process, process
        if before is not None:
            before.retire()

    def _stay_interpreted(self, why: str) -> None:
        """Stay with interpreted code."""
        self.uses_compiled = False
        LOG.warning("bots-interpreted", kind=why)

    async def _launch(self, *, compiled: bool) -> Process:
        """Start a process; its interpreter finds what this one finds."""
        path = os.pathsep.join(entry for entry in sys.path if entry)
        try:
            _, process = await asyncio.get_running_loop().subprocess_exec(
                lambda: Process(self._limit / 1000, compiled=compiled),
                sys.executable, "-P", "-m", self._worker, self._players, str(self._limit),
                "compiled" if compiled else "interpreted",
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=None,
                env={**os.environ, "PYTHONPATH": path},
            )  # fmt: skip
        except OSError as error:
            raise BotFailed("crashed", type(error).__name__) from error
        self._alive.add(process)
        process.gone.add_done_callback(lambda _: self._alive.discard(process))
        return process

    async def stop(self) -> None:
        """Kill the process and wait until nothing is left of it."""
        self._stopped = True
        if self._starting is not None:
            await asyncio.gather(self._starting, return_exceptions=True)
        loading = self._loading
        while self._alive or (loading is not None and not loading.done()):
            for process in tuple(self._alive):
                process.end("stopped")
                await process.gone
            await asyncio.sleep(0)


class Pool:
    """All processes of a server; each table has its own among them, because bots remember a little there."""

    def __init__(
        self,
        processes: int,
        limit: int,
        players: str = WHERE,
        *,
        worker: str = WORKER,
        address_of: Callable[[str], str] = str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Have ``processes`` of them, at least one, and give each decision ``limit`` ms.

        ``address_of`` returns whose turn it is when a table asks: tables of one address share theirs. Without
        it each table has its own. ``clock`` gives seconds.
        """
        self._slots = tuple(ProcessSlot(players, limit, worker, clock) for _ in range(max(1, processes)))
        self._address_of = address_of

    @property
    def uses_compiled(self) -> bool:
        """Whether all processes answer with compiled code, or will soon."""
        return all(slot.uses_compiled for slot in self._slots)

    @property
    def compiled(self) -> bool:
        """Whether compiled code answers anywhere."""
        return any(slot.compiled for slot in self._slots)

    def use_compiled(self) -> None:
        """From now on answer with compiled code: the compile cache is complete."""
        for slot in self._slots:
            slot.use_compiled()

    async def decide(self, question: Question) -> BotAnswer:
        """Return what a bot returned: decoded, but not yet known to be legal. Raises :class:`BotFailed`."""
        table = question.table
        slot = self._slots[crc32(table.encode()) % len(self._slots)]
        data = await slot.ask(encode(question), self._address_of(table), table)
        try:
            reply = decode_reply(data)
        except msgspec.DecodeError as error:
            raise BotFailed("broken", "returned a command that is none") from error
        if isinstance(reply, Broken):
            raise BotFailed("broken", reply.what)
        return reply

    async def stop(self) -> None:
        """End all processes; their callers get :class:`BotFailed`."""
        await asyncio.gather(*(slot.stop() for slot in self._slots))

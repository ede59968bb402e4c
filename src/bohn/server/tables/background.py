"""Background tasks of the tables: some are finished at shutdown, some cancelled, some repeated until then."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import structlog

from bohn.protocol.refusals import Refusal
from bohn.rules.errors import IllegalCommand
from bohn.server.clock import TimeSource
from bohn.server.store.protocol import StoreUnavailable

LOG = structlog.get_logger("bohn.timing")
TABLES = structlog.get_logger("bohn.tables")


class Background:
    """The background tasks of this process's tables; ``stopping`` is set when the server stops."""

    def __init__(self, clock: TimeSource) -> None:
        """Begin with nothing to do."""
        self.stopping = False
        self._clock = clock
        self._loops: set[asyncio.Task[None]] = set()
        self._finished: set[asyncio.Task[Any]] = set()
        self._cut_off: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run something that shutdown waits for; its failure is logged."""
        return _started(work, self._finished)

    def spawn_until_shutdown(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run something that shutdown cancels, such as a wait; its failure is logged."""
        return _started(work, self._cut_off)

    def repeat(self, milliseconds: int, work: Callable[[], Awaitable[None]]) -> None:
        """Do something every ``milliseconds``; one failure does not end it."""
        task = asyncio.get_running_loop().create_task(self._repeated(milliseconds, work))
        self._loops.add(task)

    async def _repeated(self, milliseconds: int, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            await self._clock.sleep(milliseconds)
            try:
                await work()
            except StoreUnavailable as error:
                LOG.error("store-unavailable", kind=error.kind)  # noqa: TRY400 - the kind says it all
            except Exception as error:  # one mistake must not stop every clock of the server
                LOG.exception("mistake", kind=type(error).__name__)

    async def stop_repeating(self) -> None:
        """Stop what is repeated."""
        for task in self._loops:
            task.cancel()
        await asyncio.gather(*self._loops, return_exceptions=True)
        self._loops.clear()

    async def finish(self, milliseconds: int) -> None:
        """Wait for what is to be finished, at most ``milliseconds``."""
        waiting = [task for task in self._finished if not task.done()]
        if waiting:
            await asyncio.wait(waiting, timeout=milliseconds / 1000)

    async def cut_off(self) -> None:
        """Cancel everything that still runs."""
        rest = (*self._finished, *self._cut_off)
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)


def _started(work: Coroutine[Any, Any, Any], held: set[asyncio.Task[Any]]) -> asyncio.Task[Any]:
    """Start a task and hold a reference to it until it is done."""
    task = asyncio.get_running_loop().create_task(work)
    held.add(task)
    task.add_done_callback(held.discard)
    task.add_done_callback(_log_failure)
    return task


def _log_failure(task: asyncio.Task[Any]) -> None:
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, Refusal | IllegalCommand | StoreUnavailable):
        TABLES.error("task-failed", kind=type(error).__name__, exc_info=error)

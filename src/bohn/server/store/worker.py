"""A thread with its own database connection, which serves waiting tasks in groups.

The event loop never waits for a disk. Every step of SQLite releases the interpreter lock and waits for it
again, up to 5 ms while the loop is busy; so a group costs few steps, and one wake-up of the loop.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

W = TypeVar("W")


class Task(Generic[W]):
    """One piece of work and its result: set by the thread, handed to the caller by the loop."""

    __slots__ = ("error", "future", "result", "work")

    def __init__(self, work: W, future: asyncio.Future[Any]) -> None:
        self.work = work
        self.future = future
        self.result: Any = None
        self.error: BaseException | None = None

    def resolve(self) -> None:
        """Resolve the future, unless the caller has gone."""
        if self.future.done():
            return
        if self.error is None:
            self.future.set_result(self.result)
        else:
            self.future.set_exception(self.error)


Serve = Callable[[sqlite3.Connection, Sequence[Task[W]]], None]


class Worker(Generic[W]):
    """The thread; ``serve`` gets up to ``group`` tasks at once and sets the result of each."""

    def __init__(
        self, name: str, connect: Callable[[], sqlite3.Connection], serve: Serve[W], group: int
    ) -> None:
        self._connect = connect
        self._serve = serve
        self._group = group
        self._submitted: list[Task[W]] = []
        self._rest: list[Task[W]] = []
        self._last = False
        self._waiting: SimpleQueue[list[Task[W]] | None] = SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._ready: Task[None] = Task(None, self._loop.create_future())
        self._gone: Task[None] = Task(None, self._loop.create_future())
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    async def start(self) -> None:
        """Start the thread and wait for its connection; raise what ``connect`` raises."""
        self._thread.start()
        try:
            await self._ready.future
        except Exception:
            self._thread.join()
            raise

    def submit(self, work: W) -> asyncio.Future[Any]:
        """Put something into the queue; what is submitted in one turn of the loop wakes the thread once."""
        task = Task(work, self._loop.create_future())
        self._submitted.append(task)
        if len(self._submitted) == 1:
            self._loop.call_soon(self._hand_over)
        return task.future

    def _hand_over(self) -> None:
        if self._submitted:
            self._waiting.put(self._submitted)
            self._submitted = []

    async def stop(self) -> None:
        """Serve what waits, close the connection, and end the thread."""
        self._hand_over()
        self._waiting.put(None)
        await self._gone.future
        self._thread.join()

    def _run(self) -> None:
        try:
            connection = self._connect()
        except Exception as error:  # noqa: BLE001 - it is raised in start()
            self._ready.error = error
            self._hand_back([self._ready])
            return
        self._hand_back([self._ready])
        try:
            more = True
            while more:
                tasks, more = self._next()
                if tasks:
                    self._try(connection, tasks)
                    self._hand_back(tasks)
            connection.close()
        finally:
            self._hand_back([self._gone])

    def _next(self) -> tuple[list[Task[W]], bool]:
        """Wait for tasks and return at most one group of them; and whether there will be more."""
        tasks = self._rest
        while not self._last and len(tasks) < self._group:
            try:
                batch = self._waiting.get(block=not tasks)
            except Empty:
                break
            self._last = batch is None
            tasks = tasks + (batch or [])
        self._rest = tasks[self._group :]
        return tasks[: self._group], bool(self._rest) or not self._last

    def _try(self, connection: sqlite3.Connection, tasks: list[Task[W]]) -> None:
        """Serve; whatever happens, the thread goes on and every task gets a result."""
        try:
            self._serve(connection, tasks)
        except BaseException as error:  # noqa: BLE001 - all tasks get it
            for task in tasks:
                task.error = RuntimeError(f"the thread of the store failed: {error!r}")

    def _hand_back(self, tasks: Sequence[Task[Any]]) -> None:
        with suppress(RuntimeError):  # the loop has been closed: nobody waits any more
            self._loop.call_soon_threadsafe(_resolve, tasks)


def _resolve(tasks: Sequence[Task[Any]]) -> None:
    for task in tasks:
        task.resolve()

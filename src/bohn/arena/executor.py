"""Where chunks are played: in this process, or in processes of their own under a watchdog.

A chunk depends on nothing else and may be played anywhere, so a cluster is one more :class:`Executor`.
"""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any, Protocol

from msgspec.structs import replace

from bohn.arena.engine import ChunkResult, Engine, Game
from bohn.arena.errors import ArenaError
from bohn.arena.plan import Chunk, Fault, Reason
from bohn.arena.worker import Board, asked_now, blank_board, end_with_children, has_ended, overdue, work

LOOK = 0.25
"""Seconds between two looks of the watchdog."""

UNEXPLAINED = 3
"""Times that a worker may end during one chunk although no bot was being asked."""


class Executor(Protocol):
    """Plays chunks somewhere."""

    def run(self, engine: Engine, chunks: Sequence[Chunk]) -> Iterator[ChunkResult]:
        """Yield the result of every chunk as soon as it is there, in any order."""
        ...

    def close(self) -> None:
        """Free all resources; whatever is not finished is lost."""
        ...


class SerialExecutor:
    """Plays one chunk after the other in this process; nobody stops a bot that hangs."""

    def run(self, engine: Engine, chunks: Sequence[Chunk]) -> Iterator[ChunkResult]:
        """Yield the results in order."""
        yield from map(engine.play, chunks)

    def close(self) -> None:
        """Do nothing: there is nothing to free."""


class _Job:
    """A chunk on its way: what is left of it, and what is done already."""

    def __init__(self, chunk: Chunk) -> None:
        self.chunk = chunk
        self._first = chunk.skip
        self.played: list[tuple[Game, tuple[Fault, ...]]] = []
        self.unexplained = 0

    def whole(self, rest: ChunkResult) -> ChunkResult:
        """Return the result with what earlier workers have played."""
        earlier = self.played[: self.chunk.skip - self._first]
        faults = tuple(fault for _, found in earlier for fault in found)
        return replace(
            rest, games=(*(game for game, _ in earlier), *rest.games), faults=(*faults, *rest.faults)
        )

    def again(self, fault: Fault | None) -> None:
        """Go on after the last game that is done, with what the watchdog has found.

        Raises :class:`ArenaError` if nothing explains why workers end.
        """
        if fault is None:
            self.unexplained += 1
            if self.unexplained >= UNEXPLAINED:
                where = f"{self.chunk.cell}, deal {self.chunk.first}"
                raise ArenaError(
                    f"a worker was stopped {UNEXPLAINED} times over {where}; "
                    "expected enough memory for all workers: try fewer"
                )
        known = self.chunk.known + (() if fault is None else (fault,))
        self.chunk = replace(self.chunk, skip=self._first + len(self.played), known=known)


class _Worker:
    """A process that plays chunks."""

    def __init__(self, context: SpawnContext, engine: Engine) -> None:
        self.board: Board = blank_board(context)
        self.pipe, far = context.Pipe()
        self.process: SpawnProcess = context.Process(target=work, args=(far, engine, self.board), daemon=True)
        self.process.start()
        far.close()
        self.job: _Job | None = None

    def take(self, job: _Job) -> None:
        self.job = job
        self.pipe.send(job.chunk)

    def end(self) -> None:
        end_with_children(self.process)
        self.pipe.close()


class PoolExecutor:
    """Plays chunks in several processes, and ends a process whose bot hangs."""

    def __init__(self, workers: int) -> None:
        """Start nothing yet."""
        self._number = workers
        self._context = multiprocessing.get_context("spawn")  # a fork would take threads and locks along
        self._workers: list[_Worker] = []
        self._engine: Engine | None = None

    def run(self, engine: Engine, chunks: Sequence[Chunk]) -> Iterator[ChunkResult]:
        """Yield each result as soon as it is there."""
        if engine is not self._engine:  # every worker has that of its beginning
            self.close()
            self._engine = engine
        try:
            yield from self._results(engine, chunks)
        finally:  # after an error, or when nobody asks for the rest: they would answer the next run
            for worker in tuple(self._workers):
                if worker.job is not None:
                    self._workers.remove(worker)
                    worker.end()

    def _results(self, engine: Engine, chunks: Sequence[Chunk]) -> Iterator[ChunkResult]:
        waiting = deque(_Job(chunk) for chunk in chunks)
        while waiting or any(worker.job for worker in self._workers):
            self._employ(engine, waiting)
            ready = wait([worker.pipe for worker in self._workers], LOOK)
            for worker in tuple(self._workers):
                if worker.pipe in ready:
                    yield from self._hear(worker, waiting)
                elif overdue(worker.board):
                    self._lose(worker, waiting, hung=True)
                elif has_ended(worker.process) and not worker.pipe.poll():
                    # the pipe does not tell while a process that a bot has forked holds it open
                    self._lose(worker, waiting, hung=False)

    def close(self) -> None:
        """End all processes."""
        while self._workers:
            self._workers.pop().end()

    def _employ(self, engine: Engine, waiting: deque[_Job]) -> None:
        """Give work to every worker that has none."""
        for worker in self._workers:
            if waiting and worker.job is None:
                worker.take(waiting.popleft())
        while waiting and len(self._workers) < self._number:
            self._workers.append(_Worker(self._context, engine))
            self._workers[-1].take(waiting.popleft())

    def _hear(self, worker: _Worker, waiting: deque[_Job]) -> Iterator[ChunkResult]:
        """Take what a worker says; one that says nothing any more has ended."""
        try:
            said: Any = _received(worker.pipe)
        except (EOFError, OSError):
            self._lose(worker, waiting, hung=False)
            return
        job = worker.job
        assert job is not None  # noqa: S101 - only workers with a job speak
        if isinstance(said, ChunkResult):
            worker.job = None
            yield job.whole(said)
        elif isinstance(said, str):
            raise ArenaError(said)
        else:
            job.played.append(said)

    def _lose(self, worker: _Worker, waiting: deque[_Job], *, hung: bool) -> None:
        """End a worker, name the bot it was asking, and let another go on."""
        self._workers.remove(worker)
        worker.end()
        job = worker.job
        if job is None:
            return
        job.again(self._named(worker, job.chunk, hung=hung))
        waiting.appendleft(job)

    def _named(self, worker: _Worker, chunk: Chunk, *, hung: bool) -> Fault | None:
        """Return the fault of the bot that a worker was asking when it ended, if it was asking one."""
        asked = asked_now(worker.board)
        if asked is None or (hung and not overdue(worker.board)):  # it has answered at the last moment
            return None
        limits = chunk.limits
        detail = (
            f"no answer in {limits.seconds + limits.grace:g} s"
            if hung
            else f"its process ended with {worker.process.exitcode}"
        )
        name = chunk.line_ups[asked.arrangement][asked.seat]
        reason: Reason = "hang" if hung else "crash"
        return Fault(
            name, chunk.cell, asked.deal, asked.arrangement, asked.seat, asked.number, reason, detail
        )


def _received(pipe: Connection[Any, Any]) -> object:
    """Return the next message of a worker."""
    return pipe.recv()

"""A process that plays chunks, and the board on which it notes whom it is asking.

The board is shared memory: the watchdog reads there which bot hangs, even when nothing else in the
process runs any more.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import MutableSequence
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnContext
from multiprocessing.process import BaseProcess
from typing import Any, cast

from msgspec import Struct

from bohn.arena.engine import Engine, Game
from bohn.arena.family import adopt_orphans, end_family, marks_of
from bohn.arena.plan import Chunk, Fault

Board = MutableSequence[float]
"""When the bot that is asked is overdue (0: none is asked); deal, arrangement, seat, which asking."""


class Asked(Struct, frozen=True):
    """Whom a worker was asking."""

    deal: int
    arrangement: int
    seat: int
    number: int


def blank_board(context: SpawnContext) -> Board:
    """Return a board on which nobody is asked."""
    return cast("Board", context.RawArray("d", 5))


def asked_now(board: Board) -> Asked | None:
    """Return whom a worker is asking."""
    due, *numbers = board
    return Asked(*map(int, numbers)) if due else None


def overdue(board: Board) -> bool:
    """Tell whether the bot that is being asked has had its time."""
    return 0 < board[0] < time.monotonic()


class BoardPulse:
    """A pulse that is written on a board."""

    def __init__(self, board: Board) -> None:
        """Write on this board."""
        self._board = board

    def asking(self, deal: int, arrangement: int, seat: int, asked: int, seconds: float) -> None:
        """Note which bot is asked; the time at which it is overdue comes last: it makes the rest valid."""
        board = self._board
        board[1], board[2], board[3], board[4] = deal, arrangement, seat, asked
        board[0] = time.monotonic() + seconds

    def answered(self) -> None:
        """Note that nobody is asked."""
        self._board[0] = 0.0


def work(pipe: Connection[Any, Any], engine: Engine, board: Board) -> None:
    """Play every chunk that comes, tell of each game, and return the results."""
    _live_alone()

    def finished(game: Game, faults: tuple[Fault, ...]) -> None:
        pipe.send((game, faults))

    watched = cast("Any", engine)  # an engine that asks no bots one by one has neither
    if hasattr(watched, "pulse"):
        watched.pulse = BoardPulse(board)
    if hasattr(watched, "finished"):
        watched.finished = finished
    while True:
        try:
            chunk: Chunk = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send(engine.play(chunk))
        except Exception as error:  # noqa: BLE001 - whatever it is, the arena says it and stops
            pipe.send(f"{chunk.cell}, deal {chunk.first}: {type(error).__name__}: {error}")


def _live_alone() -> None:
    """Be the first of a group of processes, and end with the arena: also when that is killed."""
    with contextlib.suppress(OSError):
        os.dup2(2, 1)  # what bots print is no part of the result, which the arena writes to stdout
    if hasattr(os, "setsid"):
        os.setsid()  # so that the bots' programs end with their worker, and Ctrl-C reaches the arena alone
    adopt_orphans()
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    """End this process and its children as soon as the arena has ended."""
    parent.join()
    end_family(os.getpid(), marks_of(os.getpid()))
    if hasattr(os, "killpg"):
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def has_ended(process: BaseProcess) -> bool:
    """Tell whether a worker has ended; where that can be, it keeps its number until it is joined."""
    if process.pid is None or not hasattr(os, "waitid"):
        return not process.is_alive()
    with contextlib.suppress(ChildProcessError):
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    return True


def end_with_children(process: BaseProcess) -> None:
    """End a worker and all that it, its bots and their programs have started."""
    if process.pid is not None:
        end_family(process.pid, marks_of(process.pid))
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if process.pid is not None and hasattr(os, "killpg") and os.getpgid(process.pid) == process.pid:
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.join()

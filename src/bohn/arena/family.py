"""The processes that a bot has started: found and ended with it, wherever they went.

They may have a group or session of their own, and parents that have ended. This needs Linux; what holds
elsewhere is in `docs/arena.md`.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress
from itertools import count

from msgspec import Struct

MARK = "BOHN_ARENA_PROGRAM"
"""The environment variable by which a program's descendants are known when their parents have ended."""

PATIENCE = 5.0
"""Seconds in which all must have ended; a process that nothing ends is left then."""

PAUSE = 0.002
"""Seconds between two looks whether all have ended."""

SUBREAPER = 36
"""Linux's PR_SET_CHILD_SUBREAPER."""

_NUMBERS = count()


class _Found(Struct, frozen=True):
    """A process that has not ended."""

    parent: int
    session: int


def marks_of(worker: int) -> str:
    """Return how the marks of all programs of a worker begin."""
    return f"{worker}-"


def new_mark() -> str:
    """Return a mark that no other program has."""
    return f"{marks_of(os.getpid())}{next(_NUMBERS)}."


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends, where that is possible."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)


def end_family(root: int | None, mark: str) -> None:
    """End every process that a process has started, but not that one; it is stopped, and to be killed next.

    They are its descendants, those of its session, and whoever has a mark that begins with ``mark``.
    ``root`` is ``None`` if it has ended already, as its number may be another's.
    """
    if sys.platform != "linux":
        return
    if root not in (None, os.getpid()):
        with suppress(ProcessLookupError, PermissionError):
            os.kill(root, signal.SIGSTOP)  # so that it starts no others
    until = time.monotonic() + PATIENCE
    gone: set[int] = set()
    strange: set[int] = set()  # who runs as somebody else
    while (found := _family(root, mark) - strange) and time.monotonic() < until:
        for pid in found:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
            except PermissionError:
                strange.add(pid)
        gone |= found
        time.sleep(PAUSE)
    for pid in gone - strange:  # whom this process has adopted
        with suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


def _family(root: int | None, mark: str) -> set[int]:
    """Return the living relatives of a process, without it and without this one."""
    living = _living()
    begins = f"{MARK}={mark}".encode()
    found = {pid for pid, one in living.items() if one.session == root or _is_marked(pid, begins)}
    more = found if root is None else found | {root}
    while more:
        found |= more
        more = {pid for pid, one in living.items() if one.parent in more} - found
    return (found & living.keys()) - {root, os.getpid()}


def _living() -> dict[int, _Found]:
    """Return all processes that have not ended."""
    living = {}
    numbers: list[int] = []
    with suppress(OSError), os.scandir("/proc") as entries:  # a system may hide it; then nobody is found
        numbers += [int(entry.name) for entry in entries if entry.name.isdecimal()]
    for pid in numbers:
        with suppress(OSError):  # it has ended just now
            state, parent, _, session = _content(f"/proc/{pid}/stat").rpartition(b")")[2].split()[:4]
            if state not in (b"Z", b"X"):
                living[pid] = _Found(int(parent), int(session))
    return living


def _is_marked(pid: int, begins: bytes) -> bool:
    """Tell whether the environment of a process has the mark."""
    with suppress(OSError):  # it has ended, or is somebody else's
        return any(part.startswith(begins) for part in _content(f"/proc/{pid}/environ").split(b"\0"))
    return False


def _content(path: str) -> bytes:
    with open(path, "rb") as file:  # noqa: PTH123 - for some hundred of them a Path each takes as long as the rest
        return file.read()

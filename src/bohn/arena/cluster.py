"""A cluster of Ray, on this machine or on many: does pieces of work, each of them once.

What a piece is, is the caller's matter: a chunk of the arena (:mod:`bohn.arena.ray_executor`), games from
which `bench/learn.py` learns. Ray starts a lost piece anew; that every one of them comes back, and comes
back once, is counted here.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import bohn
from bohn.arena.errors import ArenaError

Found = TypeVar("Found")

AHEAD = 2
"""Pieces for each core that are handed over at a time: one is done, the next one lies ready."""

LOOK = 20.0
"""Seconds without a result after which it is asked whether the cluster is there."""

ANSWER = 5.0
"""Seconds in which a running cluster must answer."""

RETRIES = 20
"""Times a piece is done anew because the process or machine that did it has ended."""


class Cluster:
    """A cluster of Ray; it has a ``map`` as the pools of :mod:`concurrent.futures` have.

    ``address`` is that of a running cluster (``auto``, ``HOST:PORT``); without one a cluster is started on
    this machine, with as many cores as ``workers``, and ended by :meth:`close`.
    Raises :class:`ArenaError` if Ray is not installed, or no cluster answers there.
    """

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        """Join the cluster, or start one."""
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nobody is told how Bohn is used
        self._ray = _ray()
        self._warmed: set[tuple[str, str]] = set()
        if address:
            _require_answer(address)
        started: dict[str, Any] = {} if address else {"num_cpus": workers, "include_dashboard": False}
        try:
            self._ray.init(
                address or "local",
                log_to_driver=False,
                logging_level=logging.ERROR,
                namespace="bohn",
                **started,
            )
        except Exception as error:  # Ray raises many kinds, and none of its own where a start takes too long
            msg = f"no cluster of Ray at {address or 'this machine'}: {error}"
            raise ArenaError(msg) from error
        _silence(self._ray)

    def put(self, thing: object) -> Any:
        """Hand over once what many pieces share; what is returned stands for it in their parts."""
        return self._ray.put(thing)

    def each(
        self, work: Callable[..., Found], pieces: Sequence[Sequence[Any]]
    ) -> Iterator[tuple[int, Found]]:
        """Do every piece, ``work(*piece)``; yield its number and what was found, as soon as it is there.

        Raises :class:`ArenaError` if one is missing at the end, comes twice, or cannot be done.
        """
        missing = set(range(len(pieces)))
        waiting = iter(enumerate(pieces))
        do = self._ray.remote(_do).options(num_cpus=1, max_retries=RETRIES, name=_name(work))
        under_way: list[Any] = []
        try:
            while True:
                room = max(0, self._most() - len(under_way))
                under_way += [
                    do.remote(digest_of_sources(), work, number, *piece)
                    for number, piece in islice(waiting, room)
                ]
                if not under_way:
                    break
                done, under_way = self._next(under_way)
                number, found = self._received(done)
                if number not in missing:
                    msg = f"a piece of work was done that nobody asked for, or twice: {_name(work)} {number}"
                    raise ArenaError(msg)
                missing.remove(number)
                yield number, found
        finally:
            self._drop(under_way)
        if missing:
            msg = f"{len(missing)} pieces of work were never done, among them {_name(work)} {min(missing)}"
            raise ArenaError(msg)

    def map(self, work: Callable[..., Found], *parts: Iterable[Any]) -> Iterator[Found]:
        """Do a piece for each set of parts; yield what is found in their order."""
        early: dict[int, Found] = {}
        wanted = 0
        for number, found in self.each(work, tuple(zip(*parts, strict=True))):
            early[number] = found
            while wanted in early:
                yield early.pop(wanted)
                wanted += 1

    def warm(self, work: Callable[..., object], *piece: Any) -> None:
        """Do one piece on every machine that has not done this work yet; nothing is made of what it finds.

        So only one process there compiles what all of them then load.
        """
        do = self._ray.remote(_do)
        at_node = self._ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy
        cold = [node for node in self._machines() if (_name(work), node) not in self._warmed]
        under_way = [
            do.options(
                num_cpus=1,
                max_retries=RETRIES,
                name=f"{_name(work)}-first",
                scheduling_strategy=at_node(node, soft=True),  # one that has gone meanwhile is no loss
            ).remote(digest_of_sources(), work, 0, *piece)
            for node in cold
        ]
        try:
            while under_way:
                done, under_way = self._next(under_way)
                self._received(done)
        finally:
            self._drop(under_way)
        self._warmed.update((_name(work), node) for node in cold)

    def close(self) -> None:
        """Leave the cluster, and end it if it was started here."""
        self._ray.shutdown()

    def _most(self) -> int:
        """Return how many pieces may be under way now; machines come and go."""
        return AHEAD * max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def _next(self, under_way: list[Any]) -> tuple[Any, list[Any]]:
        """Wait for one piece; return it, and the others."""
        while True:
            ready, others = self._ray.wait(under_way, num_returns=1, timeout=LOOK)
            if ready:
                return ready[0], others
            if not self._machines():  # Ray would wait for ever
                msg = "no machine of the cluster is left; what was played is stored, so run the same again"
                raise ArenaError(msg)

    def _drop(self, under_way: Iterable[Any]) -> None:
        """End pieces that nobody waits for any more, so that they take no time from the next ones."""
        for task in under_way:
            with suppress(self._ray.exceptions.RayError):
                self._ray.cancel(task, force=True)

    def _machines(self) -> list[str]:
        """Return the ids of the machines that are there and work."""
        return [
            node["NodeID"] for node in self._ray.nodes() if node["Alive"] and node["Resources"].get("CPU")
        ]

    def _received(self, task: Any) -> Any:
        """Return what a task has found; whatever it failed by is an error of the arena, in one line."""
        try:
            return self._ray.get(task)
        except self._ray.exceptions.RayError as error:
            cause = getattr(error, "cause", None)
            if isinstance(cause, ArenaError):
                raise ArenaError(str(cause)) from error
            last = (str(error).strip() or type(error).__name__).splitlines()[-1]
            msg = f"the cluster has not done a piece of work: {last}"
            raise ArenaError(msg) from error


def _require_answer(address: str) -> None:
    """Refuse an address at which nothing listens; Ray itself would wait for minutes and end the process."""
    host, _, port = address.rpartition("//")[2].rpartition(":")
    if not port.isdigit():  # such as "auto", which Ray looks up at once
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), ANSWER).close()
    except (OSError, OverflowError) as error:
        msg = f"no cluster of Ray at {address}: {error}"
        raise ArenaError(msg) from None


def _name(work: Callable[..., object]) -> str:
    """Return what Ray calls a piece, in its process list too."""
    return getattr(work, "__name__", type(work).__name__).strip("_")


def _ray() -> Any:
    """Return Ray; it has no types that mypy could follow without it.

    Raises :class:`ArenaError` where it is not installed.
    """
    try:
        import ray
        import ray.util.scheduling_strategies
    except ImportError:
        msg = "Ray is not installed here; install it: pip install 'bohn[ray]'"
        raise ArenaError(msg) from None
    return ray


def _silence(ray: Any) -> None:
    """Keep stdout for results: Ray writes pages there when a machine ends, and has no option for that."""
    worker: Any = getattr(getattr(ray, "_private", None), "worker", None)
    if hasattr(worker, "_worker_logs_enabled"):
        worker._worker_logs_enabled = False  # noqa: SLF001 - its debugger does the same


@cache
def digest_of_sources() -> str:
    """Return a digest of all of Bohn that decides how a game goes: its code, and what players have learnt."""
    digest = sha256()
    root = Path(bohn.__file__).parent
    for folder in ("arena", "bots", "lab", "play", "rules", "views"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".py", ".json"):
                digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


# -- within a process of Ray ---------------------------------------------------------------------------------


def _do(wanted: str, work: Callable[..., Found], number: int, *piece: Any) -> tuple[int, Found]:
    """Do a piece; another version of Bohn would find something else, and nobody would notice."""
    if digest_of_sources() != wanted:
        msg = f"{socket.gethostname()} has another version of bohn; expected the same on every machine"
        raise ArenaError(msg)
    return number, work(*piece)

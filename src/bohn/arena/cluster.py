"""Where chunks are played by a cluster of Ray: one task a chunk, on this machine or on many.

Ray starts a lost task anew and knows nothing of bots. So each of its processes has a watched process of its
own, as the arena has here (:class:`bohn.arena.executor.PoolExecutor`): a bot that hangs is named there.
"""

from __future__ import annotations

import atexit
import logging
import os
import socket
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any

from msgspec.structs import replace

from bohn.arena.engine import ChunkResult, Engine
from bohn.arena.errors import ArenaError
from bohn.arena.executor import PoolExecutor
from bohn.arena.plan import Chunk

AHEAD = 2
"""Chunks for each core that are handed over at a time: one is played, the next one lies ready."""

LOOK = 20.0
"""Seconds without a result after which it is asked whether the cluster is there."""

ANSWER = 5.0
"""Seconds in which a running cluster must answer."""

RETRIES = 20
"""Times a chunk is played anew because the process or machine that played it has ended."""


class RayExecutor:
    """Plays chunks on a cluster of Ray.

    ``address`` is that of a running cluster (``auto``, ``HOST:PORT``, ``ray://HOST:PORT``); without one a
    cluster is started on this machine, with as many cores as ``workers``, and ended by :meth:`close`.
    Raises :class:`ArenaError` if Ray is not installed, or no cluster answers there.
    """

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        """Join the cluster, or start one."""
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nobody is told how Bohn is used
        self._ray = _ray()
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
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            msg = f"no cluster of Ray at {address or 'this machine'}: {error}"
            raise ArenaError(msg) from error

    def run(self, engine: Engine, chunks: Sequence[Chunk]) -> Iterator[ChunkResult]:
        """Yield each result as soon as it is there, every one of them once.

        Raises :class:`ArenaError` if one is missing at the end, or cannot be played.
        """
        if not chunks:
            return
        missing = {_place(chunk) for chunk in chunks}
        play = self._ray.remote(_play).options(num_cpus=1, max_retries=RETRIES)
        held = self._ray.put(engine)
        self._warm(held, chunks[0])
        waiting = iter(chunks)
        most = AHEAD * max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        under_way = [play.remote(held, chunk) for chunk in islice(waiting, most)]
        while under_way:
            ready, under_way = self._ray.wait(under_way, num_returns=1, timeout=LOOK)
            if not ready:
                self._require_machines()
                continue
            (done,) = ready
            under_way.extend(play.remote(held, chunk) for chunk in islice(waiting, 1))
            result = self._received(done)
            if (result.cell, result.first) not in missing:
                msg = (
                    f"a chunk was played that nobody asked for, or twice: {result.cell}, deal {result.first}"
                )
                raise ArenaError(msg)
            missing.remove((result.cell, result.first))
            yield result
        if missing:
            msg = f"{len(missing)} chunks were never played, among them {min(missing)}"
            raise ArenaError(msg)

    def close(self) -> None:
        """Leave the cluster, and end it if it was started here."""
        self._ray.shutdown()

    def _warm(self, engine: Any, chunk: Chunk) -> None:
        """Play one game on every machine, so that only one process there compiles what all then load."""
        game = replace(chunk, skip=chunk.games - 1)
        play = self._ray.remote(_play)
        at_node = self._ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy
        there = [
            play.options(
                num_cpus=1, max_retries=RETRIES, scheduling_strategy=at_node(node, soft=True)
            ).remote(engine, game)
            for node in self._machines()
        ]
        for one in there:
            self._received(one)

    def _machines(self) -> list[str]:
        """Return the ids of the machines that are there and play."""
        return [
            node["NodeID"] for node in self._ray.nodes() if node["Alive"] and node["Resources"].get("CPU")
        ]

    def _require_machines(self) -> None:
        """Refuse to wait for a cluster of which nothing is left; Ray would for ever."""
        if not self._machines():
            msg = "no machine of the cluster is left; what was played is stored, so run the same again"
            raise ArenaError(msg)

    def _received(self, task: Any) -> ChunkResult:
        """Return the result of a task; whatever it failed by is an error of the arena."""
        try:
            result: ChunkResult = self._ray.get(task)
        except ArenaError:
            raise
        except self._ray.exceptions.RayError as error:
            msg = f"the cluster has not played a chunk: {str(error).strip().splitlines()[-1]}"
            raise ArenaError(msg) from error
        return result


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


def _place(chunk: Chunk) -> tuple[str, int]:
    return chunk.cell, chunk.first


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


# -- within a process of Ray ---------------------------------------------------------------------------------


@cache
def _watched() -> PoolExecutor:
    """Return the one watched process of this process; it plays one chunk after the other."""
    pool = PoolExecutor(1)
    atexit.register(pool.close)
    return pool


def _play(engine: Engine, chunk: Chunk) -> ChunkResult:
    """Play a chunk in a watched process."""
    (result,) = _watched().run(engine, (chunk,))
    return result

"""Where chunks are played by a cluster of Ray: one task a chunk.

Ray starts a lost task anew and knows nothing of bots. So each of its processes has a watched process of its
own, as the arena has here (:class:`bohn.arena.executor.PoolExecutor`): a bot that hangs is named there.
"""

from __future__ import annotations

import atexit
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import count
from typing import Any

from msgspec.structs import replace

from bohn.arena.cluster import Cluster
from bohn.arena.engine import ChunkResult, Engine
from bohn.arena.errors import ArenaError
from bohn.arena.executor import PoolExecutor
from bohn.arena.plan import Chunk
from bohn.bots import LOADED_LAZILY, recorded_name

_NUMBERS = count()


class RayExecutor:
    """Plays chunks on a cluster of Ray; the parameters are those of :class:`Cluster`."""

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        """Join the cluster, or start one."""
        self._cluster = Cluster(address, workers)
        self._engine: Engine | None = None
        self._held: tuple[int, Any] = (-1, None)

    def run(self, engine: Engine, chunks: Sequence[Chunk]) -> Iterator[ChunkResult]:
        """Yield each result as soon as it is there, every one of them once.

        Raises :class:`ArenaError` if one is missing at the end, or cannot be played.
        """
        if not chunks:
            return
        held = self._handed_over(engine)
        self._cluster.warm(play, *held, _first_game(chunks))
        for number, result in self._cluster.each(play, [(*held, chunk) for chunk in chunks]):
            asked = chunks[number]
            if (result.cell, result.first) != (asked.cell, asked.first):
                msg = (
                    f"{result.cell}, deal {result.first} was played; "
                    f"expected {asked.cell}, deal {asked.first}"
                )
                raise ArenaError(msg)
            yield result

    def close(self) -> None:
        """Leave the cluster, and end it if it was started here."""
        self._cluster.close()

    def _handed_over(self, engine: Engine) -> tuple[int, Any]:
        """Hand an engine over once; return its number, by which processes know it, and what stands for it."""
        if engine is not self._engine:
            self._engine, self._held = engine, (next(_NUMBERS), self._cluster.put(engine))
        return self._held


def _first_game(chunks: Sequence[Chunk]) -> Chunk:
    """Return the last game of a chunk, if possible of one for whose players something is compiled."""
    chunk = next((one for one in chunks if _compiles(one)), chunks[0])
    return replace(chunk, skip=chunk.games - 1)


def _compiles(chunk: Chunk) -> bool:
    return any(recorded_name(spec) in LOADED_LAZILY for spec in chunk.bots.values())


# -- within a process of Ray ---------------------------------------------------------------------------------


@cache
def _watched() -> PoolExecutor:
    """Return the one watched process of this process; it plays one chunk after the other."""
    pool = PoolExecutor(1)
    atexit.register(pool.close)
    return pool


@cache
def _known() -> dict[int, Engine]:
    """Return the engines that were handed over, by number: each task brings a copy of its own."""
    return {}


def play(number: int, engine: Engine, chunk: Chunk) -> ChunkResult:
    """Play a chunk in a watched process."""
    (result,) = _watched().run(_known().setdefault(number, engine), (chunk,))
    return result

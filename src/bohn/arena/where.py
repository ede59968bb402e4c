"""Where work is done, as options of the command line say it: in processes of this machine, or by Ray."""

from __future__ import annotations

import os

from msgspec import Struct

from bohn.arena.cluster import Cluster
from bohn.arena.errors import ArenaError
from bohn.arena.executor import Executor, PoolExecutor
from bohn.arena.ray_executor import RayExecutor

POOL, RAY = "pool", "ray"
"""What ``--executor`` may name; after ``ray:`` there may be an address."""

MOST_WORKERS = 256


class Where(Struct, frozen=True):
    """Where work is done: by which kind, at the address of which cluster, in how many processes here."""

    kind: str
    address: str
    workers: int

    def executor(self) -> Executor:
        """Return what plays chunks there."""
        if self.kind == POOL:
            return PoolExecutor(self.workers)
        return RayExecutor(self.address or None, self.workers)

    def cluster(self) -> Cluster | None:
        """Return the cluster, ``None`` if processes here are meant."""
        return None if self.kind == POOL else Cluster(self.address or None, self.workers)


def read_where(text: str, workers: int | None) -> Where:
    """Return where ``--executor`` and ``--workers`` say.

    Raises :class:`ArenaError` if it is nowhere.
    """
    kind, _, address = text.partition(":")
    if kind not in (POOL, RAY) or (kind == POOL and text != POOL):
        raise ArenaError(f"--executor {text!r}: expected {POOL}, {RAY} or {RAY}:ADDRESS")
    if address and workers is not None:
        raise ArenaError("--workers: a running cluster has as many as it has cores; leave it out")
    number = (os.cpu_count() or 1) if workers is None else workers
    if not 1 <= number <= MOST_WORKERS:
        raise ArenaError(f"--workers {number}: expected a number from 1 to {MOST_WORKERS}")
    return Where(kind, address, number)

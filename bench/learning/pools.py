"""Who does pieces of work for learning: threads or processes here, or a cluster of Ray; all find the same."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from typing import Any, Protocol, TypeVar

from bohn.arena.cluster import Cluster
from bohn.arena.errors import ArenaError
from bohn.arena.where import POOL, Where, read_where

Found = TypeVar("Found")


class Pool(Protocol):
    """Does pieces of work; the pools of :mod:`concurrent.futures` and the arena's cluster are some."""

    def map(self, work: Callable[..., Found], /, *parts: Iterable[Any]) -> Iterator[Found]:
        """Do a piece for each set of parts; yield what is found in their order."""
        ...


def add_where(parser: argparse.ArgumentParser) -> None:
    """Declare the options that say where work is done: those of `bohn arena`."""
    parser.add_argument(
        "--executor",
        default=POOL,
        metavar="WHERE",
        help="here (pool, the default), by Ray here (ray), or by a running cluster (ray:ADDRESS)",
    )
    parser.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help="how many at a time here (default: one a core)",
    )


def where_of(parser: argparse.ArgumentParser, given: argparse.Namespace) -> Where:
    """Return where the options say; ends the program if that is nowhere."""
    try:
        return read_where(given.executor, given.workers)
    except ArenaError as error:
        parser.error(str(error))


@contextmanager
def on(cluster: Cluster | None) -> Iterator[Cluster | None]:
    """Leave a cluster at the end, if there is one."""
    if cluster is None:
        yield None
        return
    with closing(cluster):
        yield cluster


def warmed(pool: Pool, work: Callable[..., object], *piece: Any) -> None:
    """Do a small piece first on every machine of a cluster, so that one process there compiles, not all."""
    if isinstance(pool, Cluster):
        pool.warm(work, *piece)

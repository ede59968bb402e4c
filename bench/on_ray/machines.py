"""Several machines of a cluster of Ray, pretended on this one, and ways to end them and their processes."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Self

WORKING = (b"ray::play", b"ray::IDLE")
"""How Ray calls its processes that play, or have just played."""


FIRST = {"num_cpus": 1, "include_dashboard": False}
"""The machine at which this process sits."""

TRIES = 3
"""Times that a cluster may fail to start."""


class Machines:
    """A cluster of machines with one core each; this process sits at the first, which stays."""

    def __init__(self, number: int = 2) -> None:
        """Start them."""
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        self._cluster: Any = _begun()
        self._number = number
        self.fill_up()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._cluster.shutdown()

    @property
    def address(self) -> str:
        """The address of the cluster."""
        return str(self._cluster.address)

    def fill_up(self) -> None:
        """Let machines join until there are as many as in the beginning.

        Where other work takes the processor one may fail to start in Ray's 30 seconds; the others play on.
        """
        for _ in range(self._number - 1 - len(self._cluster.worker_nodes)):
            try:
                self._cluster.add_node(num_cpus=1)
            except Exception as error:  # noqa: BLE001 - Ray raises no other
                print(f"a machine has not started: {error}", file=sys.stderr)

    def kill(self, rand: Random) -> bool:
        """Kill all processes of a machine but the first; tell whether there was another."""
        others = sorted(self._cluster.worker_nodes, key=lambda node: str(node.unique_id))
        if others:
            self._cluster.remove_node(rand.choice(others), allow_graceful=False)
        return bool(others)


def _begun() -> Any:
    """Return a cluster of one machine; on a busy one its start may take too long, and is tried anew."""
    from ray.cluster_utils import Cluster

    for _ in range(TRIES - 1):
        with suppress(Exception):  # Ray raises no other
            return Cluster(initialize_head=True, head_node_args=FIRST)
    return Cluster(initialize_head=True, head_node_args=FIRST)


def kill_process(rand: Random) -> bool:
    """Kill one of our processes that play; tell whether there was one."""
    found = working_processes()
    if not found:
        return False
    with suppress(ProcessLookupError):
        os.kill(rand.choice(found), signal.SIGKILL)
    return True


def working_processes() -> list[int]:
    """Return Ray's processes that play, of clusters that this process has started and of no others."""
    return sorted(one.pid for one in own_family() if one.command.startswith(WORKING))


class Relative(NamedTuple):
    """This process, or one that it or its children have started, and the processor time it has taken."""

    pid: int
    command: bytes
    seconds: float


def own_family() -> list[Relative]:
    """Return this process and all its descendants."""
    parents: dict[int, int] = {}
    found: list[Relative] = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with suppress(OSError):  # it has ended just now
            rest = (entry / "stat").read_bytes().rpartition(b")")[2].split()
            parents[int(entry.name)] = int(rest[1])
            seconds = (int(rest[11]) + int(rest[12])) / os.sysconf("SC_CLK_TCK")  # in user and in system mode
            found.append(Relative(int(entry.name), (entry / "cmdline").read_bytes(), seconds))
    return [one for one in found if _is_ours(one.pid, parents)]


def _is_ours(pid: int, parents: dict[int, int]) -> bool:
    while pid in parents:
        if pid == os.getpid():
            return True
        pid = parents[pid]
    return False

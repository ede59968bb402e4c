"""All open connections of a process: when those who are sent away by a stop may come back."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack

import pytest

from bohn.server.settings import Limits
from bohn.server.tables.api import CutReason
from bohn.server.web.connections import MS_A_RETURN, RETRY_MS, Connection, Connections
from tests.server.support.entropy import RepeatableEntropy


class Leaving(Connection):
    """A connection that takes its leave at once."""

    def __init__(self, connections: Connections) -> None:
        super().__init__("192.0.2.7", None)
        self._connections = connections
        self.retry: int | None = None

    def push(self, frame: bytes) -> None:
        """Read nothing."""

    def expel(self, frame: bytes) -> None:
        """Read nothing."""

    def cut(self, reason: CutReason) -> None:
        """Note the pause."""
        self.retry = self._connections.goodbye(reason).retry

    def abort(self) -> None:
        """Be gone."""


def pauses(number: int) -> list[int]:
    """Return the pauses of so many connections of a server that stops."""
    connections = Connections(Limits(), RepeatableEntropy())
    everybody = [Leaving(connections) for _ in range(number)]
    with ExitStack() as stack:
        for one in everybody:
            stack.enter_context(connections.counted(one))
        asyncio.run(connections.stop(0))
    return [one.retry for one in everybody if one.retry is not None]


@pytest.mark.parametrize("number", [1, 5, 400, 3_000])
def test_pause_behind_a_stop_is_spread_by_how_many_leave(number: int) -> None:
    """A few come back at once; thousands over some seconds, never longer than the most."""
    least, most = RETRY_MS["server-stopping"]
    found = pauses(number)
    spread = min(number * MS_A_RETURN, most)
    assert len(found) == number
    assert least <= min(found) <= max(found) <= least + spread
    if number >= 400:
        assert max(found) - min(found) > 0.9 * spread

"""The pauses of a table beside others: those count most in which nothing comes any more."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bench.bot_waits import Waits, pauses, report

BATCH = b'{"type": "batch"}'
OTHER = b'{"type": "presence"}'


class Starved:
    """Stands for a connection on which nothing comes after some frames."""

    def __init__(self, *frames: bytes) -> None:
        """Give these."""
        self._frames = iter(frames)

    async def recv(self) -> bytes:
        """Return the next one; behind the last wait for good."""
        for frame in self._frames:
            return frame
        never: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        return await never


@pytest.mark.parametrize(("frames", "number"), [((), 1), ((OTHER,), 1), ((BATCH, OTHER, BATCH), 3)])
def test_pause_that_does_not_end_is_a_pause(frames: tuple[bytes, ...], number: int) -> None:
    """It is the longest of all, and is told."""
    socket: Any = Starved(*frames)
    found = asyncio.run(pauses(socket, 0.2, patience=0.0))

    assert len(found) == number


def test_table_that_starves_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    """Of fewer than two pauses there are no tenths."""
    report([Waits(64, [30.0], 7), Waits(200, [], 8), Waits(0, [0.1, 0.2, 0.3], 0)])

    _, *lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines] == [
        ["64", "1", "starved", "30000", "7"],
        ["200", "0", "starved", "8"],
        ["0", "3", "200", "360", "300", "0"],
    ]

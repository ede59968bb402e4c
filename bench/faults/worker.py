"""`bohn serve` with a clock of the day that can be set, and with a planted mistake where one is asked for.

The server itself knows nothing of it: ``time.time`` and ``time.time_ns`` are replaced before it is imported.
The file that ``BOHN_FAULTS_CLOCK`` names holds by how many seconds the clock is wrong; it is read at the
start and after SIGUSR1.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

CLOCK = "BOHN_FAULTS_CLOCK"
PLANT = "BOHN_FAULTS_PLANT"


class WrongClock:
    """The clock of the day, wrong by as many seconds as a file says."""

    def __init__(self, file: Path) -> None:
        """Read the file."""
        self._file = file
        self._time, self._time_ns = time.time, time.time_ns
        self._wrong = 0
        self.read()

    def read(self, *_: object) -> None:
        """Read by how much the clock is wrong from now on."""
        self._wrong = int(self._file.read_text()) if self._file.exists() else 0

    def time(self) -> float:
        """Return what ``time.time`` would, and is wrong by."""
        return self._time() + self._wrong

    def time_ns(self) -> int:
        """Return what ``time.time_ns`` would, and is wrong by."""
        return self._time_ns() + self._wrong * 1_000_000_000


def main() -> int:
    """Set the clock, plant what is asked for, and serve."""
    clock = WrongClock(Path(os.environ[CLOCK]))
    time.time, time.time_ns = clock.time, clock.time_ns
    signal.signal(signal.SIGUSR1, clock.read)
    plant = os.environ.get(PLANT)
    if plant:
        from bench.faults.plants import PLANTS

        PLANTS[plant]()
    from bohn.cli import main as bohn

    return bohn()


if __name__ == "__main__":
    sys.exit(main())

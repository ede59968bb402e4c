"""The one clock of the server: what a set system clock does to it, and what a start believes."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

import bohn.server
from bohn.server.clock import A_MILLISECOND, SystemClock, believed
from bohn.server.settings import Times

HOUR = 3_600_000
DAY = 24 * HOUR
YEAR = 365 * DAY
AT = 1_790_000_000_000
LONGEST = Times().absence

TIME_OF_DAY = re.compile(
    r"\btime\.(?:time|time_ns|ctime|localtime|gmtime|strftime)\b"
    r"|\bdate(?:time)?\.(?:now|utcnow|today)\b"
    r"|\bfrom (?:date)?time import\b"
)
"""Whatever tells the system's time of day, or would under another name."""


class Machine:
    """A machine with a clock that can be set, and one that cannot."""

    def __init__(self, today: int = AT) -> None:
        self.today = today
        self.up = 77

    def system(self) -> int:
        """Return the time of day in ns."""
        return self.today * A_MILLISECOND

    def steady(self) -> int:
        """Return the time since some moment in ns."""
        return self.up * A_MILLISECOND

    def clock(self, last: int | None = None, longest: int = 0) -> SystemClock:
        """Start a process."""
        return SystemClock(last, longest, system=self.system, steady=self.steady)


# -- while a process lives -----------------------------------------------------------------------------


@pytest.mark.parametrize("by", [-YEAR, -HOUR, HOUR, YEAR])
def test_system_clock_that_is_set_moves_no_time(by: int) -> None:
    """Back or forward: time goes on by what has passed."""
    machine = Machine()
    clock = machine.clock()
    machine.today += by
    machine.up += 1_500

    assert clock.now() == AT + 1_500


def awake_and_asleep() -> int:
    """Return the ns since this machine was started, with those in which it slept."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)


@pytest.mark.skipif(not hasattr(time, "CLOCK_BOOTTIME"), reason="only Linux has this clock")
def test_time_goes_on_while_the_machine_sleeps() -> None:
    """It runs with the clock that counts a suspended machine, so that times shown are right when it wakes."""
    earliest = awake_and_asleep()
    clock = SystemClock(system=lambda: 0)
    latest = awake_and_asleep()
    steady, between = clock._steady(), awake_and_asleep()
    now = clock.now() * A_MILLISECOND
    after = awake_and_asleep()

    assert latest <= steady <= between
    assert between - latest - A_MILLISECOND < now <= after - earliest


def test_time_of_day_is_read_in_one_place() -> None:
    """Nothing in the server but its clock asks the system what time it is."""
    root = Path(bohn.server.__file__).parent
    found = [
        (path.name, words) for path in root.rglob("*.py") for words in TIME_OF_DAY.findall(path.read_text())
    ]

    assert found == [("clock.py", "time.time_ns")]


# -- what a start believes -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("today", "last", "expected"),
    [
        (AT, None, AT),
        (AT, AT - 7 * DAY, AT),
        (AT, AT, AT),
        (AT - HOUR, AT, AT),
        (0, AT, AT),
        (AT + YEAR, AT, AT + LONGEST),
    ],
    ids=["new store", "a week off", "at once", "an hour back", "a clock without battery", "a year ahead"],
)
def test_start_believes_its_clock_within_bounds(today: int, last: int | None, expected: int) -> None:
    """Never less than the last beat, and never more than the longest absence behind it."""
    assert believed(today, last, LONGEST) == expected
    assert Machine(today).clock(last, LONGEST).now() == expected


def test_start_that_was_told_too_much_is_followed_by_one_that_is_right() -> None:
    """Behind an absence longer than the longest each start follows further, until it has caught up."""
    last = AT - 70 * DAY
    starts = [last := believed(AT, last, LONGEST) for _ in range(3)]

    assert starts == [AT - 70 * DAY + LONGEST, AT - 70 * DAY + 2 * LONGEST, AT]

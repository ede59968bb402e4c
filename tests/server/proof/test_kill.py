"""A server that is killed again and again loses and repeats nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.server.support.killing import Killing, KillReport

KILLS = 5


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> KillReport:
    """Kill a server a few times while 200 commands a second come in, and compare everything."""
    folder: Path = tmp_path_factory.mktemp("killed")
    return asyncio.run(Killing(folder, kills=KILLS, tables=20, rate=200, seed=1).run())


def test_killed_server_keeps_what_it_acknowledged(report: KillReport) -> None:
    """Ledgers and log agree, the log replays under the rules, and all clients see the table as it is."""
    assert report.faults == []


def test_killed_server_was_in_the_middle_of_work(report: KillReport) -> None:
    """The rounds prove something: many commands, some without an answer at a death, and trades on the way."""
    assert report.acked > 100 * KILLS
    assert sum(one.resent for one in report.rounds) > KILLS


def test_killed_server_credits_running_clocks(report: KillReport) -> None:
    """Clocks were seen again behind each death; those not put off as they should be are faults."""
    assert all(one.clocks for one in report.rounds)


def test_clients_of_a_killed_server_come_back_by_themselves(report: KillReport) -> None:
    """After every death everybody has his welcome again: no round ends before."""
    assert len(report.rounds) == KILLS

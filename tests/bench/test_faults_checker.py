"""The checker of bench.faults finds every kind of violation in a history that was made by hand."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from bench.faults import checker
from bench.faults.history import Fault, Overdue, Sent, Stored, Stretch, TableLog, Taken, Told, Viewer
from bohn.protocol import frames
from bohn.rules.beans import Bean
from bohn.rules.commands import EndTrading, SetWish
from bohn.server.store.protocol import LogRow
from bohn.server.store.shared import bucket_of
from tests.server.support.tables import House

USER, SEAT = "anna", 0
WISH = SetWish(SEAT, Bean.SOY, "want")


async def _made() -> tuple[str, tuple[LogRow, ...], frames.Welcome]:
    house = await House().begin()
    table = await house.table(USER, "bert", "chiyo")
    await house.do(table, USER, WISH, name="wish.1")
    stored = await house.store.rows(table)
    rows = (*(replace(row, command_id=f"sit-{row.seq}") for row in stored[:-1]), stored[-1])
    loaded = await house.tables.loaded.get(table)
    welcome = await house.tables._viewers.welcome(loaded, USER)
    await house.end()
    return table, rows, welcome


class Story:
    """A table with one wish of one person, who saw everything at once; nothing is wrong in it."""

    def __init__(self) -> None:
        self.table, rows, welcome = asyncio.run(_made())
        self.rows = [Stored(row, 1, row.at / 1000) for row in rows]
        self.last = self.rows[-1]
        self.begun = self.rows[0].committed
        digests = [checker.digest_for(row, SEAT) for row in rows[1:]]
        times = [stored.committed + 0.01 for stored in self.rows[1:]]
        command = msgspec.json.encode(WISH).decode()
        at = self.last.committed
        self.sent = Sent("wish.1", command, at, 1, 0.0, at + 0.01, self.last.row.seq)
        self.viewer = Viewer(
            self.table, USER, SEAT, [self.sent], [Stretch(1, digests, times)],
            [(self.begun - 1, at + 1_000, 0)], [], welcome,
        )  # fmt: skip
        self.taken = {bucket_of(self.table): [Taken(bucket_of(self.table), 1, self.begun - 10)]}
        self.faults: list[Fault] = []

    def add(self, actor: str, command: Any, seconds: float, key: str = "more", **more: Any) -> Stored:
        """Add a row without events behind the last one."""
        last = self.rows[-1]
        row = replace(
            last.row, seq=last.row.seq + 1, at=last.row.at + round(seconds * 1000), actor=actor,
            command_id=key, command=command, events=(), **more,
        )  # fmt: skip
        self.rows.append(Stored(row, 1, row.at / 1000))
        return self.rows[-1]

    def found(self) -> set[str]:
        """Return the kinds of all violations."""
        told = Told([], self.begun, self.last.committed + 500)
        log = TableLog(self.table, tuple(self.rows))
        troubled = checker.Troubled(self.faults)
        violations = checker.table_violations(
            log, [self.viewer], self.taken, told, troubled, decision=4_000, steady=0.0
        )
        return {one.kind for one in violations}


@pytest.fixture
def story() -> Story:
    """Return a history without a fault."""
    return Story()


def test_checker_finds_nothing_where_nothing_is_wrong(story: Story) -> None:
    """The history from which all others are made holds what was promised."""
    assert story.found() == set()


def test_checker_finds_missing_number(story: Story) -> None:
    """Numbers of a table have no gaps."""
    story.rows.pop(2)
    assert "number" in story.found()


def test_checker_finds_number_that_is_there_twice(story: Story) -> None:
    """Nor does a number stand there twice."""
    story.rows.append(Stored(replace(story.last.row, command_id="other"), 1, story.last.committed))
    assert "number" in story.found()


def test_checker_finds_doubled_command(story: Story) -> None:
    """What was sent under one id is done once."""
    row = replace(story.last.row, seq=story.last.row.seq + 1)
    story.rows.append(Stored(row, 1, story.last.committed))
    assert "doubled" in story.found()


def test_checker_finds_lost_command(story: Story) -> None:
    """What was acknowledged is in the log."""
    story.rows.pop()
    assert "lost" in story.found()


def test_checker_finds_command_at_another_number(story: Story) -> None:
    """It is there at the number that was said."""
    story.sent.seq = 2
    assert story.found() == {"elsewhere"}


def test_checker_finds_refused_command_in_the_log(story: Story) -> None:
    """What was sent once and refused is not there."""
    story.sent.seq, story.sent.refusal = None, "no-such-place"
    assert story.found() == {"refused"}


def test_checker_allows_what_an_earlier_copy_did_behind_a_refusal(story: Story) -> None:
    """Who sends to two workers may be refused by one, and the other may do it later."""
    story.sent.seq, story.sent.refusal, story.sent.sent = None, "no-such-place", 2
    story.sent.answered = story.last.committed - 1
    assert story.found() == set()


def test_checker_finds_command_with_other_content(story: Story) -> None:
    """It is there as it was sent."""
    story.sent.command = msgspec.json.encode(SetWish(SEAT, Bean.RED, "want")).decode()
    assert story.found() == {"other"}


def test_checker_finds_command_that_nobody_has_sent(story: Story) -> None:
    """Nothing stands there in somebody's name that he has not sent."""
    story.viewer.sent.remove(story.sent)
    assert story.found() == {"never-sent"}


def test_checker_finds_command_without_answer(story: Story) -> None:
    """Everything that was sent is answered in the end."""
    story.viewer.sent.append(Sent("wish.2", "{}", story.begun, 3))
    assert story.found() == {"unanswered"}


def test_checker_finds_row_of_a_stale_epoch(story: Story) -> None:
    """A row is not committed behind the taking of a later epoch, whatever time it tells."""
    bucket = bucket_of(story.table)
    story.taken[bucket].append(Taken(bucket, 2, story.last.committed - 0.001))
    story.rows[-1] = replace(story.last, committed=story.last.committed + 0.001)
    assert "stale-epoch" in story.found()


def test_checker_finds_row_of_the_server_without_epoch(story: Story) -> None:
    """What a clock or a bot does carries the epoch of who did it."""
    row = story.add("clock:decision:0", WISH, 5, cause="clock")
    story.rows[-1] = replace(row, epoch=None)
    assert "no-epoch" in story.found()


def test_checker_finds_row_that_tells_another_time(story: Story) -> None:
    """A worker whose own clock is an hour ahead writes the database's time all the same."""
    story.rows[-1] = replace(story.last, committed=story.last.committed - 3_600)
    assert "time" in story.found()


def test_checker_finds_decision_that_was_made_twice(story: Story) -> None:
    """A clock of a decision that has run out begins afresh."""
    for number, seconds in enumerate((5.0, 1.0)):
        story.add("clock:decision:0", WISH, seconds, key=f"c{number}", cause="clock")
    assert "fired-twice" in story.found()


def test_checker_finds_trading_that_was_ended_twice(story: Story) -> None:
    """A clock of a turn's trading runs out once."""
    for number in range(2):
        story.add("clock:trading:1", EndTrading(SEAT), 20, key=f"c{number}", cause="clock")
    assert "fired-twice" in story.found()


def test_checker_finds_what_the_rules_forbid(story: Story) -> None:
    """Every row of the log is what its command leads to."""
    story.add("bert", EndTrading(1), 1)
    assert "rules" in story.found()


def test_checker_finds_batch_that_differs_from_the_log(story: Story) -> None:
    """Everybody was sent what the log has, as he may see it."""
    story.viewer.stretches[0].digests[-1] += 1
    assert story.found() == {"stream"}


def test_checker_finds_batch_that_is_not_in_the_log(story: Story) -> None:
    """Nobody was sent what is not in the log."""
    story.viewer.stretches[0].digests.append(7)
    story.viewer.stretches[0].times.append(story.last.committed)
    assert story.found() == {"stream"}


def test_checker_finds_table_that_was_shown_otherwise(story: Story) -> None:
    """What somebody has at hand in the end is the table of the log."""
    assert story.viewer.final is not None
    story.viewer.final = replace(story.viewer.final, seat=1)
    assert story.found() == {"shown"}


def test_checker_finds_what_a_client_complains_of(story: Story) -> None:
    """A gap, or two answers that contradict each other, are noted where they are seen."""
    story.viewer.complaints.append("batch 7 after 5")
    assert story.found() == {"complaint"}


def test_checker_finds_viewer_who_is_behind(story: Story) -> None:
    """Who is connected is shown a row soon."""
    story.viewer.stretches[0].times[-1] += checker.BEHIND
    assert story.found() == {"behind"}


def test_checker_finds_viewer_who_is_never_shown_a_row(story: Story) -> None:
    """Or at all."""
    story.viewer.stretches[0].times.pop()
    story.viewer.stretches[0].digests.pop()
    assert story.found() == {"behind"}


def test_checker_excuses_who_is_behind_while_a_worker_stands_still(story: Story) -> None:
    """A fault that holds a worker up excuses it; a bell that is cut off excuses nothing."""
    story.viewer.stretches[0].times[-1] += checker.BEHIND
    at = story.last.committed
    story.faults.append(Fault("bell", "database", at - 1, at + 8))
    assert story.found() == {"behind"}
    story.faults.append(Fault("stop", "one", at - 1, at + 8))
    assert story.found() == set()


def test_checker_finds_clock_that_stands_still() -> None:
    """A clock fires soon after it is due, unless a fault excuses it."""
    late = Overdue("t", "decision:0", 30_000, 100.0)
    assert [one.kind for one in checker.overdue([late], checker.Troubled([]))] == ["overdue"]
    troubled = checker.Troubled([Fault("cut", "one", 80.0, 90.0)])
    assert list(checker.overdue([late], troubled)) == []

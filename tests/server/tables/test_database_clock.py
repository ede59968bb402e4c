"""A worker follows the database's time, whatever its own system's clock says, and never backwards."""

from __future__ import annotations

import asyncio

from bohn.server.clock import A_MILLISECOND, DatabaseClock

AT = 1_800_000_000_000


class Database:
    """A database and a worker's steady clock, both moved by the test; an answer takes some time."""

    def __init__(self) -> None:
        self.there = AT
        self.steady = 5_000
        self.way_there = self.way_back = 0
        self.clock = DatabaseClock(self.ask, steady=lambda: self.steady * A_MILLISECOND)

    def go_on(self, milliseconds: int) -> None:
        """Let time pass for both."""
        self.there += milliseconds
        self.steady += milliseconds

    async def ask(self) -> int:
        """Answer as the database does."""
        self.go_on(self.way_there)
        told = self.there
        self.go_on(self.way_back)
        return told

    def look(self, way_there: int = 0, way_back: int = 0) -> None:
        """Let the worker look."""
        self.way_there, self.way_back = way_there, way_back
        asyncio.run(self.clock.look())


def test_worker_has_the_time_of_the_database() -> None:
    """From the first look on, and between looks."""
    database = Database()
    database.look()
    assert database.clock.now() == AT
    database.go_on(700)
    assert database.clock.now() == AT + 700


def test_slow_answer_changes_nothing_that_fits_it() -> None:
    """An answer that was on its way for seconds tells little: the time stays as exact as it was."""
    database = Database()
    database.look()
    database.look(way_there=8_000, way_back=3_000)
    assert database.clock.now() == database.there


def test_first_answer_that_is_slow_puts_no_worker_ahead() -> None:
    """Time counts from the answer on, so that nothing is done too early; the next look makes it exact."""
    database = Database()
    database.look(way_back=300)
    assert database.clock.now() == database.there - 300
    database.look()
    assert database.clock.now() == database.there


def test_database_that_is_ahead_is_followed_at_once() -> None:
    """As it is when the worker's clock runs slow."""
    database = Database()
    database.look()
    database.there += 40
    database.look()
    assert database.clock.now() == database.there


def test_database_that_is_behind_is_waited_for() -> None:
    """Time stands still until the database has come so far; it never runs backwards."""
    database = Database()
    database.look()
    assert database.clock.now() == AT
    database.there -= 500
    database.look()
    assert database.clock.now() == AT
    database.go_on(400)
    assert database.clock.now() == AT
    database.go_on(200)
    assert database.clock.now() == AT + 100

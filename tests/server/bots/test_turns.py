"""Turns at a process of bots: by address, then by table, and none is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from bohn.server.bots.turns import SLICE, Turns


class Line:
    """Everybody who waits for a turn, in the order in which they get it."""

    def __init__(self) -> None:
        """Somebody of address ``a`` has the turn."""
        self.now = 100.0
        self.turns = Turns(lambda: self.now)
        self.came: list[str] = []
        self.tasks: dict[str, asyncio.Task[None]] = {}

    async def stand(self, *names: str) -> None:
        """Let these wait; the first letter is the address, the first two are the table."""
        for name in names:
            self.tasks[name] = asyncio.create_task(self._wait(name))
            await asyncio.sleep(0)

    async def _wait(self, name: str) -> None:
        await self.turns.wait(name[0], name[:2])
        self.came.append(name)

    async def pass_on(self, times: int = 1, seconds: float = 2 * SLICE) -> None:
        """Pass the turn on, each time after so many seconds."""
        for _ in range(times):
            self.now += seconds
            self.turns.pass_on()
            await asyncio.sleep(0)


def stand(scene: Callable[[Line], Awaitable[None]]) -> None:
    """Run a scene in which somebody has the turn."""

    async def run() -> None:
        line = Line()
        await line.turns.wait("a", "a1")
        await scene(line)

    asyncio.run(run())


def test_turns_go_round_addresses_and_then_tables() -> None:
    """However many wait at one address, another one is next; at each its tables take turns."""

    async def scene(line: Line) -> None:
        await line.stand("a1.1", "a1.2", "a2.1", "a3.1", "b1.1", "b1.2", "b1.3")
        await line.pass_on(7)

        assert line.came == ["b1.1", "a1.1", "b1.2", "a2.1", "b1.3", "a3.1", "a1.2"]

    stand(scene)


def test_turn_of_an_address_that_comes_late_is_the_next() -> None:
    """Whoever comes while another is served waits for that one alone."""

    async def scene(line: Line) -> None:
        await line.stand("a1.1", "a2.1", "a3.1")
        await line.pass_on()
        await line.stand("b1.1")
        await line.pass_on(2)

        assert line.came == ["a1.1", "b1.1", "a2.1"]

    stand(scene)


def test_turn_is_a_time_and_no_number_of_questions() -> None:
    """Whoever is soon answered is answered more often, for as long as others think once."""

    async def scene(line: Line) -> None:
        await line.stand("a1.1", "a1.2", "b1.1", "b2.1", "b1.2", "b1.3", "c1.1")
        await line.pass_on()
        await line.pass_on(2, SLICE / 3)
        await line.pass_on(3)

        assert line.came == ["b1.1", "b2.1", "b1.2", "c1.1", "a1.1", "b1.3"]

    stand(scene)


def test_turn_that_nobody_waits_for_is_free() -> None:
    """The next one has it at once."""

    async def scene(line: Line) -> None:
        await line.pass_on()
        await line.stand("b1.1")

        assert line.came == ["b1.1"]

    stand(scene)


def test_turn_of_who_has_gone_is_another_ones() -> None:
    """Whether he left before his turn came or in the same moment."""

    async def scene(line: Line) -> None:
        await line.stand("a1.1", "b1.1", "c1.1")
        line.tasks["b1.1"].cancel()
        await asyncio.sleep(0)
        line.turns.pass_on()
        line.tasks["c1.1"].cancel()
        await asyncio.gather(*line.tasks.values(), return_exceptions=True)

        assert line.came == ["a1.1"]
        await line.stand("d1.1", "e1.1")
        line.turns.fail(ValueError("gone"))
        line.tasks["d1.1"].cancel()
        await asyncio.gather(*line.tasks.values(), return_exceptions=True)
        await line.stand("f1.1")
        assert line.came == ["a1.1"]  # who was failed never had a turn to pass on

    stand(scene)


def test_failure_is_that_of_all_who_wait() -> None:
    """Whoever comes later waits as before."""

    async def scene(line: Line) -> None:
        await line.stand("a1.1", "b1.1")
        line.turns.fail(ValueError("gone"))
        for task in line.tasks.values():
            with pytest.raises(ValueError, match="gone"):
                await task
        await line.stand("c1.1")
        assert line.came == []
        await line.pass_on()

        assert line.came == ["c1.1"]

    stand(scene)

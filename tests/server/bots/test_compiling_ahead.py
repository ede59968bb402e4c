"""Compiling in the background, and compiled processes beside those that answer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from bohn.lab.compile_cache import CACHE
from bohn.server.bots import compiling_ahead as module
from bohn.server.bots.compiling_ahead import compiling_ahead
from bohn.server.bots.pool import Pool, Process
from tests.patience import PATIENCE
from tests.server.bots.test_pool import asked, failure, in_pool, pids

QUICK = "tests.server.bots.quick_worker"


class Noted:
    """Notes that it may use compiled code."""

    def __init__(self) -> None:
        """Begin without."""
        self.uses_compiled = False

    def use_compiled(self) -> None:
        """Note it."""
        self.uses_compiled = True


def uses_compiled_after(code: str, seconds: float = PATIENCE) -> bool:
    """Tell whether a pool uses compiled code after this program ran in place of the compiler."""

    async def run() -> bool:
        pool = Noted()
        async with asyncio.timeout(2 * PATIENCE), compiling_ahead(pool, ("-c", code)):
            end = time.monotonic() + seconds
            while not pool.uses_compiled and len(asyncio.all_tasks()) > 1 and time.monotonic() < end:  # noqa: ASYNC110 - so too
                await asyncio.sleep(0.01)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        return pool.uses_compiled

    return asyncio.run(run())


@pytest.fixture
def may(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process think that something may be compiled."""
    monkeypatch.setattr(module, "may_compile", lambda: True)


@pytest.mark.usefixtures("may")
def test_pool_uses_compiled_code_after_success() -> None:
    """When everything is compiled, processes may load it."""
    assert uses_compiled_after("pass")


@pytest.mark.usefixtures("may")
@pytest.mark.parametrize("code", ["import sys; sys.exit(1)", "raise ValueError", "import os; os.abort()"])
def test_pool_stays_interpreted_after_a_failure(code: str) -> None:
    """Whatever goes wrong leaves the players interpreted."""
    assert not uses_compiled_after(code)


def test_pool_stays_interpreted_where_nothing_may_be_compiled() -> None:
    """Without Numba, or where interpreted code is wanted, no process is started."""
    assert not uses_compiled_after("pass")


@pytest.mark.usefixtures("may")
def test_compiler_ends_with_the_server() -> None:
    """A server that stops does not wait for it."""
    assert not uses_compiled_after("import time; time.sleep(3600)", 1.0)


def with_pool(work: Callable[[Pool], Awaitable[None]], worker: str = QUICK) -> None:
    """Run something with a pool of one process."""
    in_pool(work, worker=worker)


async def until(true: Callable[[], bool]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110 - a condition on anything, not an event
            await asyncio.sleep(0.01)


def test_compiled_process_takes_the_place_of_the_other() -> None:
    """Once it is ready it answers, and the interpreted one is gone."""

    async def work(pool: Pool) -> None:
        await pool.decide(asked("no-trade"))
        before = pids(pool)
        pool.use_compiled()
        await until(lambda: pool.compiled and len(pids(pool)) == 1)
        assert pids(pool) != before
        assert (await pool.decide(asked("no-trade"))).command is not None

    with_pool(work)


def test_question_does_not_wait_for_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first answer comes from an interpreted process, though the pool may use compiled code."""

    async def work(pool: Pool) -> None:
        never = asyncio.get_running_loop().create_future()

        async def late() -> None:
            await never

        monkeypatch.setattr(pool._slots[0], "_replace", late)
        pool.use_compiled()
        assert (await pool.decide(asked("no-trade"))).command is not None
        assert not pool.compiled
        never.cancel()

    with_pool(work)


def test_question_is_answered_by_the_process_it_was_sent_to() -> None:
    """The interpreted process answers what it was asked before it goes."""

    async def work(pool: Pool) -> None:
        await pool.decide(asked("no-trade"))
        (first,) = pool._slots[0]._alive
        replies = [asyncio.ensure_future(pool.decide(asked("no-trade"))) for _ in range(20)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        first.retire()
        assert all(answer.command is not None for answer in await asyncio.gather(*replies))
        assert not first.open

    with_pool(work)


def test_incomplete_cache_leaves_the_pool_interpreted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A process that would have to compile ends instead; the others play on, and no second one is tried."""
    monkeypatch.setenv(CACHE, str(tmp_path))

    async def work(pool: Pool) -> None:
        await pool.decide(asked("no-trade"))
        before = pids(pool)
        pool.use_compiled()
        await until(lambda: not pool.uses_compiled and pids(pool) == before)
        assert (await pool.decide(asked("no-trade"))).command is not None
        assert not pool.compiled

    with_pool(work, "bohn.server.bots.worker")


def test_compiled_process_that_crashes_is_not_tried_again() -> None:
    """Interpreted code takes over for good."""

    async def work(pool: Pool) -> None:
        pool.use_compiled()
        await pool.decide(asked("no-trade"))
        await until(lambda: pool.compiled)
        assert (await failure(pool, asked("crashing"))).kind == "crashed"
        assert (await pool.decide(asked("no-trade"))).command is not None
        assert not pool.compiled
        assert not pool.uses_compiled

    with_pool(work)


def test_stop_while_compiled_code_is_loaded_leaves_no_process() -> None:
    """Both processes are ended."""

    async def work(pool: Pool) -> None:
        await pool.decide(asked("no-trade"))
        pool.use_compiled()
        await until(lambda: len(pids(pool)) == 2)

    with_pool(work)


def test_compiled_process_that_is_ready_first_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interpreted process that starts meanwhile, because the one before it ended, is let go."""

    async def work(pool: Pool) -> None:
        (slot,) = pool._slots
        launch, may_start = slot._launch, asyncio.Event()

        async def late(*, compiled: bool) -> Process:
            if not compiled:
                await may_start.wait()
            return await launch(compiled=compiled)

        monkeypatch.setattr(slot, "_launch", late)
        question = asyncio.ensure_future(pool.decide(asked("no-trade")))
        await asyncio.sleep(0)
        slot._load()
        await until(lambda: pool.compiled)
        (compiled,) = pids(pool)
        may_start.set()
        assert (await question).command is not None
        await until(lambda: pids(pool) == [compiled])
        assert pool.compiled

    with_pool(work)

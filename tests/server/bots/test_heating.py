"""Compiling in the background, and compiled processes beside those that answer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from bohn.server.bots import heating as heated
from bohn.server.bots.heating import heating
from bohn.server.bots.pool import Pool, Process
from bohn.sim.warmth import CACHE
from tests.server.bots.test_pool import asked, failure, in_pool, pids

QUICK = "tests.server.bots.quick_worker"


class Noted:
    """Notes that it was heated."""

    def __init__(self) -> None:
        """Begin cold."""
        self.hot = False

    def heat(self) -> None:
        """Note it."""
        self.hot = True


def heated_by(code: str, seconds: float = 30.0) -> bool:
    """Tell whether a program that compiles, so to say, lets a pool be heated."""

    async def run() -> bool:
        pool = Noted()
        async with heating(pool, ("-c", code)):
            begun = time.monotonic()
            while not pool.hot and len(asyncio.all_tasks()) > 1 and time.monotonic() - begun < seconds:  # noqa: ASYNC110 - so too
                await asyncio.sleep(0.01)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        return pool.hot

    return asyncio.run(run())


@pytest.fixture
def may(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process think that something may be compiled."""
    monkeypatch.setattr(heated, "may_compile", lambda: True)


@pytest.mark.usefixtures("may")
def test_pool_is_heated_after_success() -> None:
    """When everything is compiled, processes may load it."""
    assert heated_by("pass")


@pytest.mark.usefixtures("may")
@pytest.mark.parametrize("code", ["import sys; sys.exit(1)", "raise ValueError", "import os; os.abort()"])
def test_pool_stays_cold_after_a_failure(code: str) -> None:
    """Whatever goes wrong leaves the players interpreted."""
    assert not heated_by(code)


def test_pool_stays_cold_where_nothing_may_be_compiled() -> None:
    """Without Numba, or where interpreted code is wanted, no process is started."""
    assert not heated_by("pass")


@pytest.mark.usefixtures("may")
def test_compiler_ends_with_the_server() -> None:
    """A server that stops does not wait for it."""
    begun = time.monotonic()

    assert not heated_by("import time; time.sleep(600)", 1.0)
    assert time.monotonic() - begun < 20


def with_pool(work: Callable[[Pool], Awaitable[None]], worker: str = QUICK) -> None:
    """Run something with a pool of one process."""
    in_pool(work, worker=worker)


async def until(true: Callable[[], bool]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(60):
        while not true():  # noqa: ASYNC110 - a condition on anything, not an event
            await asyncio.sleep(0.01)


def test_compiled_process_takes_the_place_of_the_other() -> None:
    """Once it is ready it answers, and the interpreted one is gone."""

    async def work(pool: Pool) -> None:
        await pool.decide(asked("no-trade"))
        before = pids(pool)
        pool.heat()
        await until(lambda: pool.compiled and len(pids(pool)) == 1)
        assert pids(pool) != before
        assert (await pool.decide(asked("no-trade"))).command is not None

    with_pool(work)


def test_question_does_not_wait_for_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first answer comes from an interpreted process, though the pool is hot."""

    async def work(pool: Pool) -> None:
        never = asyncio.get_running_loop().create_future()

        async def late() -> None:
            await never

        monkeypatch.setattr(pool._posts[0], "_replace", late)
        pool.heat()
        assert (await pool.decide(asked("no-trade"))).command is not None
        assert not pool.compiled
        never.cancel()

    with_pool(work)


def test_question_in_thought_is_answered_by_whom_it_was_put_to() -> None:
    """The interpreted process answers what it was asked before it goes."""

    async def work(pool: Pool) -> None:
        await pool.decide(asked("no-trade"))
        (first,) = pool._posts[0]._alive
        replies = [asyncio.ensure_future(pool.decide(asked("no-trade"))) for _ in range(20)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        first.retire()
        assert all(answer.command is not None for answer in await asyncio.gather(*replies))
        assert not first.open

    with_pool(work)


def test_cold_cache_leaves_the_pool_interpreted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A process that would have to compile ends instead; the others play on, and no second one is tried."""
    monkeypatch.setenv(CACHE, str(tmp_path))

    async def work(pool: Pool) -> None:
        await pool.decide(asked("no-trade"))
        before = pids(pool)
        pool.heat()
        await until(lambda: not pool.hot and pids(pool) == before)
        assert (await pool.decide(asked("no-trade"))).command is not None
        assert not pool.compiled

    with_pool(work, "bohn.server.bots.worker")


def test_compiled_process_that_crashes_is_not_tried_again() -> None:
    """Interpreted code takes over for good."""

    async def work(pool: Pool) -> None:
        pool.heat()
        await pool.decide(asked("no-trade"))
        await until(lambda: pool.compiled)
        assert (await failure(pool, asked("crashing"))).kind == "crashed"
        assert (await pool.decide(asked("no-trade"))).command is not None
        assert not pool.compiled
        assert not pool.hot

    with_pool(work)


def test_stop_while_compiled_code_is_loaded_leaves_no_process() -> None:
    """Both processes are ended."""

    async def work(pool: Pool) -> None:
        await pool.decide(asked("no-trade"))
        pool.heat()
        await until(lambda: len(pids(pool)) == 2)

    with_pool(work)


def test_compiled_process_that_is_ready_first_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interpreted process that starts meanwhile, because the one before it ended, is let go."""

    async def work(pool: Pool) -> None:
        (post,) = pool._posts
        launch, may_start = post._launch, asyncio.Event()

        async def late(*, compiled: bool) -> Process:
            if not compiled:
                await may_start.wait()
            return await launch(compiled=compiled)

        monkeypatch.setattr(post, "_launch", late)
        question = asyncio.ensure_future(pool.decide(asked("no-trade")))
        await asyncio.sleep(0)
        post._load()
        await until(lambda: pool.compiled)
        (compiled,) = pids(pool)
        may_start.set()
        assert (await question).command is not None
        await until(lambda: pids(pool) == [compiled])
        assert pool.compiled

    with_pool(work)

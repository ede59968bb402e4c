"""The processes: asked in order, watched, replaced, ended."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from zlib import crc32

import pytest
import structlog
from msgspec.structs import replace
from structlog.testing import capture_logs

from bohn.rules.commands import Plant
from bohn.rules.deal import opening
from bohn.rules.evolve import fold
from bohn.rules.resolve import resolve
from bohn.rules.shuffle import seed_from
from bohn.server.bots.messages import Question, encode, framed
from bohn.server.bots.pool import WORKER, BotFailed, Pool
from bohn.server.bots.worker import READY
from tests.patience import PATIENCE
from tests.server.bots.company import ask_of
from tests.server.bots.players import WHERE, WORDS

RULES = resolve("full", 3)
STATE = fold(opening(RULES, seed_from("pool")))
LONG = 20_000
SHORT = 800


def asked(bot: str, table: str = "t1") -> Question:
    """Return the question to a bot whose turn it is."""
    return replace(ask_of(RULES, STATE, STATE.active_player, bot), table=table)


def pids(pool: Pool) -> list[int]:
    """Return the running processes of a pool."""
    return [
        process._transport.get_pid()
        for slot in pool._slots
        for process in slot._alive
        if process._transport is not None
    ]


def runs(pid: int) -> bool:
    """Tell whether there is such a process."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def in_pool(
    work: Callable[[Pool], Awaitable[None]], limit: int = LONG, processes: int = 1, worker: str = WORKER
) -> None:
    """Run something with a pool, and stop it; nothing is left of it."""

    async def run() -> None:
        pool = Pool(processes, limit, WHERE, worker=worker)
        try:
            await work(pool)
        finally:
            left = pids(pool)
            await pool.stop()
        assert not any(map(runs, left))
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(run())


async def failure(pool: Pool, question: Question) -> BotFailed:
    """Return how a bot fails."""
    with pytest.raises(BotFailed) as caught:
        await pool.decide(question)
    return caught.value


def test_pool_starts_nothing_before_it_is_asked() -> None:
    """Without a question there is no process."""

    async def work(pool: Pool) -> None:
        assert pids(pool) == []
        await pool.decide(asked("no-trade"))
        assert len(pids(pool)) == 1

    in_pool(work)


def test_pool_returns_the_decision_of_a_bot() -> None:
    """The bot's command comes back out of the other process."""

    async def work(pool: Pool) -> None:
        assert isinstance((await pool.decide(asked("no-trade"))).command, Plant)

    in_pool(work)


def test_many_questions_at_once_share_one_process() -> None:
    """Questions put at once wait in one process, each with its own reply."""

    async def work(pool: Pool) -> None:
        names = ["no-trade", "passing", "pk"] * 10
        answers = await asyncio.gather(*(pool.decide(asked(name)) for name in names))
        assert [answer.command is None for answer in answers] == [name == "passing" for name in names]
        assert len(pids(pool)) == 1

    in_pool(work)


def test_table_asks_the_same_process_and_tables_are_spread() -> None:
    """The bots of a table keep their memories in one of several processes."""

    async def work(pool: Pool) -> None:
        first = [(await pool.decide(asked("counting", f"t{number}"))).command for number in range(12)]
        assert len(pids(pool)) == 3
        second = [(await pool.decide(asked("counting", f"t{number}"))).command for number in range(12)]
        assert [getattr(command, "bean", None) for command in first] == [1] * 12
        assert [getattr(command, "bean", None) for command in second] == [2] * 12

    in_pool(work, processes=3)


def test_hanging_bot_loses_its_process_and_no_other_question() -> None:
    """A decision beyond its limit fails; those that waited behind it are put to the next process."""

    async def work(pool: Pool) -> None:
        await pool.decide(asked("no-trade"))
        before = pids(pool)
        found = await asyncio.gather(
            failure(pool, asked("hanging")), pool.decide(asked("no-trade")), pool.decide(asked("pk"))
        )
        assert found[0].kind == "hung"
        assert all(answer.command is not None for answer in found[1:])
        assert not runs(before[0])

    in_pool(work, SHORT)


def test_processes_are_watched_one_by_one() -> None:
    """While one process hangs, another answers at once."""

    async def work(pool: Pool) -> None:
        tables = {crc32(f"t{number}".encode()) % 2: f"t{number}" for number in range(12)}
        hanging = asyncio.ensure_future(failure(pool, asked("hanging", tables[0])))
        assert (await pool.decide(asked("no-trade", tables[1]))).command is not None
        assert not hanging.done()
        assert (await hanging).kind == "hung"

    in_pool(work, 2_000, processes=2)


def test_crashed_process_is_replaced() -> None:
    """A bot that ends its process has failed; the next question starts another process."""

    async def work(pool: Pool) -> None:
        found = await asyncio.gather(failure(pool, asked("crashing")), pool.decide(asked("no-trade")))
        assert found[0].kind == "crashed"
        assert found[1].command is not None

    in_pool(work)


@pytest.mark.parametrize("bot", ["raising", "wrong-type", "no-data", "wrong-field", "inventor", "nobody"])
def test_broken_bot_fails_and_its_process_lives(bot: str) -> None:
    """What a bot raises or wrongly returns is a failure without its words."""

    async def work(pool: Pool) -> None:
        await pool.decide(asked("no-trade"))
        before = pids(pool)
        found = await failure(pool, asked(bot))
        assert found.kind == "broken"
        assert WORDS not in str(found)
        assert pids(pool) == before

    in_pool(work)


def test_bot_that_prints_and_reads_disturbs_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    """What a bot prints is seen by nobody, and it cannot read what others are asked."""

    async def work(pool: Pool) -> None:
        found = await asyncio.gather(*(pool.decide(asked("printing")) for _ in range(3)))
        assert all(isinstance(answer.command, Plant) for answer in found)

    in_pool(work)

    assert capfd.readouterr() == ("", "")


def test_whoever_stops_waiting_leaves_the_replies_in_order() -> None:
    """A cancelled question's reply is thrown away; the next question gets its own."""

    async def work(pool: Pool) -> None:
        await pool.decide(asked("counting"))
        gone = asyncio.ensure_future(pool.decide(asked("counting")))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        gone.cancel()
        third = await pool.decide(asked("counting"))
        assert getattr(third.command, "bean", None) == 3

    in_pool(work)


def test_failure_of_a_question_that_nobody_waits_for_is_taken() -> None:
    """Asyncio has nothing to complain of when a process ends over a question that was cancelled."""

    async def work(pool: Pool) -> None:
        complaints: list[str] = []
        asyncio.get_running_loop().set_exception_handler(
            lambda _, context: complaints.append(context["message"])
        )
        await pool.decide(asked("no-trade"))
        gone = asyncio.ensure_future(pool.decide(asked("crashing")))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        gone.cancel()
        assert (await pool.decide(asked("no-trade"))).command is not None
        del gone
        gc.collect()
        assert complaints == []

    in_pool(work)


def test_question_is_cancelled_while_the_process_starts() -> None:
    """Nobody needs to wait for the start; the process serves the next question."""

    async def work(pool: Pool) -> None:
        gone = asyncio.ensure_future(pool.decide(asked("no-trade")))
        await asyncio.sleep(0)
        gone.cancel()
        assert (await pool.decide(asked("no-trade"))).command is not None
        assert len(pids(pool)) == 1

    in_pool(work)


def test_players_that_cannot_be_imported_fail(capfd: pytest.CaptureFixture[str]) -> None:
    """A process that does not come up fails its questions, after some tries."""

    async def run() -> None:
        pool = Pool(1, LONG, "tests.server.bots.nowhere:PLAYERS")
        assert (await failure(pool, asked("no-trade"))).kind == "crashed"
        await pool.stop()

    asyncio.run(run())

    assert "ModuleNotFoundError" in capfd.readouterr().err


def test_stop_tells_whoever_waits() -> None:
    """A question that is open when all is stopped fails, and so does every later one."""

    async def work(pool: Pool) -> None:
        await pool.decide(asked("no-trade"))
        waiting = [asyncio.ensure_future(failure(pool, asked("hanging"))) for _ in range(2)]
        await asyncio.sleep(0.05)
        await pool.stop()
        assert [(await one).kind for one in waiting] == ["stopped", "stopped"]
        assert (await failure(pool, asked("no-trade"))).kind == "stopped"

    in_pool(work)


def test_stop_while_a_process_starts_leaves_none() -> None:
    """A process that was being started when all is stopped is ended too."""

    async def work(pool: Pool) -> None:
        starting = asyncio.ensure_future(failure(pool, asked("no-trade")))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await pool.stop()
        assert (await starting).kind == "stopped"
        assert pids(pool) == []

    in_pool(work)


def test_process_ends_with_its_server() -> None:
    """A server that is killed takes its processes with it: their pipe has ended."""
    script = (
        "import asyncio, os, signal\n"
        "from bohn.server.bots.pool import Pool\n"
        "from tests.server.bots.test_pool import WHERE, asked\n"
        "async def main():\n"
        "    await Pool(1, 20_000, WHERE).decide(asked('no-trade'))\n"
        "    print('decided', flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "asyncio.run(main())\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry)}
    # this returns when nobody holds its error output any more, which the process has inherited
    server = subprocess.run(  # noqa: S603 - our own interpreter and words
        [sys.executable, "-c", script], capture_output=True, check=False, env=environment, timeout=PATIENCE
    )

    assert (server.returncode, server.stdout) == (-signal.SIGKILL, b"decided\n")


def test_process_that_decides_while_its_server_dies_ends_without_a_word() -> None:
    """What it cannot answer any more is no error: nothing is written where the server wrote its log."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry)}
    worker = subprocess.Popen(  # noqa: S603 - our own interpreter and words
        [sys.executable, "-P", "-m", WORKER, WHERE, str(LONG)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
    )  # fmt: skip
    assert worker.stdin is not None
    assert worker.stdout is not None
    assert worker.stderr is not None
    with worker, worker.stdin, worker.stderr:
        assert worker.stdout.read(len(READY)) == READY
        worker.stdout.close()
        worker.stdin.write(framed(encode(asked("no-trade"))))
        worker.stdin.close()
        said = worker.stderr.read()

    assert (worker.returncode, said) == (0, b"")


def test_process_that_dies_idle_leaves_one_line_in_the_log() -> None:
    """Where no question fails with it, its end is logged all the same; one that is stopped leaves none."""

    async def work(pool: Pool) -> None:
        for _ in range(2):
            await pool.decide(asked("no-trade"))
            (pid,) = pids(pool)
            os.kill(pid, signal.SIGKILL)
            while pids(pool):  # noqa: ASYNC110 - the end of a process, not an event
                await asyncio.sleep(0.01)

    structlog.reset_defaults()  # warnings too
    with capture_logs() as logged:
        in_pool(work)

    assert logged == [{"event": "bot-process-ended", "kind": "crashed", "log_level": "warning"}] * 2


def test_hanging_process_ends_by_itself_when_its_server_is_gone() -> None:
    """A process whose decision takes twice its limit dies, though nobody is there to kill it."""

    async def run() -> None:
        pool = Pool(1, SHORT, WHERE)
        await pool.decide(asked("no-trade"))
        (process,) = pool._slots[0]._alive
        process._limit = 60.0
        begun = time.monotonic()
        assert (await failure(pool, asked("hanging"))).kind == "crashed"
        assert time.monotonic() - begun >= 2 * SHORT / 1000
        await pool.stop()

    asyncio.run(run())

"""The program that fills the compile cache: the mark file comes after everything else, or not at all."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from bohn.bots import LOADED_LAZILY, PLAYERS
from bohn.lab import compile_cache, compiling
from bohn.lab.compile_cache import CACHE, INTERPRET, cache_folder, is_cache_complete
from bohn.play.floor import BRISK, FREE, play_game
from bohn.rules import resolve
from bohn.server.bots import compile_job
from bohn.server.bots.pool import Pool
from tests.patience import PATIENCE
from tests.server.bots.test_pool import LONG, asked, runs


@pytest.fixture
def compiles(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Pretend that this process compiles into a folder of the test."""
    monkeypatch.setenv(CACHE, str(tmp_path))
    monkeypatch.delenv(INTERPRET, raising=False)
    monkeypatch.setattr(compile_cache, "find_spec", lambda name: name)
    monkeypatch.setattr(compiling, "COMPILED", True)
    cache_folder().mkdir(parents=True)
    return tmp_path


def test_mark_is_left_after_everything_is_compiled(compiles: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not before: a process that finds the mark loads what is there."""
    found: list[bool] = []
    monkeypatch.setattr(compile_job, "make_every_decision", lambda: found.append(is_cache_complete()))

    assert compile_job.main() == 0
    assert found == [False]
    assert list(compiles.glob("*/complete-*"))


def test_mark_is_not_left_after_a_failure(compiles: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was compiled in part is not promised."""

    def fail() -> None:
        raise ValueError("no such instruction")

    monkeypatch.setattr(compile_job, "make_every_decision", fail)
    with pytest.raises(ValueError, match="instruction"):
        compile_job.main()

    assert not list(compiles.glob("*/complete-*"))


@pytest.mark.usefixtures("compiles")
def test_complete_cache_is_not_compiled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process has done it."""
    compile_cache.mark_file().touch()
    monkeypatch.setattr(compile_job, "make_every_decision", pytest.fail)

    assert compile_job.main() == 0


def test_machine_code_of_old_versions_is_removed(compiles: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was not used for long goes; what was, and what is not machine code, stays."""
    monkeypatch.setattr(compile_job, "make_every_decision", lambda: None)
    old, used, other = (compiles / name for name in ("0123456789abcdef", "fedcba9876543210", "notes"))
    for folder in (old, used, other):
        folder.mkdir()
        (folder / "complete-1").touch()
        for path in (folder / "complete-1", folder):
            os.utime(path, (0, 0))
    (used / "complete-1").touch()

    assert compile_job.main() == 0
    assert sorted(compiles.iterdir()) == sorted([used, other, cache_folder()])


@pytest.mark.usefixtures("compiles")
def test_complete_cache_is_noted_as_used() -> None:
    """A server that needs no compiling keeps its machine code from being removed."""
    compile_cache.mark_file().touch()
    os.utime(compile_cache.mark_file(), (0, 0))

    assert compile_job.main() == 0
    assert compile_cache.mark_file().stat().st_mtime > 0


def test_nothing_is_marked_where_nothing_compiles(compiles: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interpreted games leave no machine code."""
    monkeypatch.setattr(compiling, "COMPILED", False)

    assert compile_job.main() == 1
    assert not list(compiles.glob("*/complete-*"))


@pytest.mark.usefixtures("compiles")
def test_cache_that_cannot_be_written_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is compiled there nobody else could load."""
    monkeypatch.setattr(compile_job, "make_every_decision", lambda: cache_folder().rmdir())

    assert compile_job.main() == 1


def test_mark_is_of_the_sources_as_they_were_before(compiles: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written while it compiles is not compiled: the cache is not complete for it."""
    source = compiles / "source.py"
    source.write_text("1")
    monkeypatch.setattr(compile_cache, "sources", lambda: (source,))
    cache_folder().mkdir(parents=True, exist_ok=True)
    monkeypatch.setattr(compile_job, "make_every_decision", lambda: source.write_text("22"))

    assert compile_job.main() == 0
    assert not is_cache_complete()
    assert len(list(compiles.glob("*/complete-*"))) == 1


@pytest.mark.usefixtures("compiles")
@pytest.mark.skipif(find_spec("numba") is None, reason="nothing is compiled without Numba")
def test_program_says_at_once_that_all_is_compiled() -> None:
    """It ends by itself, with status 0, while its server lives."""
    compile_cache.mark_file().touch()

    async def run() -> int:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bohn.server.bots.compile_job",
            stdin=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )  # fmt: skip
        async with asyncio.timeout(PATIENCE):
            return await process.wait()

    assert asyncio.run(run()) == 0


def dispatchers() -> Iterator[tuple[str, Any]]:
    """Yield every compiled function that is loaded."""
    for name, module in list(sys.modules.items()):
        if name.startswith("bohn."):
            for found in vars(module).values():
                if hasattr(found, "signatures") and hasattr(found, "py_func"):
                    yield f"{found.py_func.__module__}.{found.py_func.__name__}", found


@pytest.mark.compiled(only=True)
def test_making_every_decision_leaves_nothing_to_compile() -> None:
    """After it no decision of any player at any kind of table finds a function that is not there yet."""
    compile_job.make_every_decision()
    before = {name: len(found.signatures) for name, found in dispatchers()}
    for players, setting in ((3, FREE), (5, BRISK), (2, BRISK)):
        bots = [compile_job._GivesReasons(PLAYERS[LOADED_LAZILY[-1 - seat]](seat)) for seat in range(players)]
        play_game(resolve("full", players), 1, bots, setting)

    assert before
    assert {name: len(found.signatures) for name, found in dispatchers()} == before


@pytest.mark.compiled(only=True)
def test_process_loads_what_is_compiled_and_answers() -> None:
    """With a complete cache a compiled process is ready soon, and the player that searches answers in it."""
    assert compile_job.main() == 0

    async def run() -> None:
        pool = Pool(1, LONG)
        pool.use_compiled()
        await pool.decide(asked("no-trade"))
        async with asyncio.timeout(PATIENCE):
            while not pool.compiled:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.05)
        assert (await pool.decide(asked("strongest-1"))).command is not None
        assert pool.compiled
        await pool.stop()

    asyncio.run(run())


def test_compiler_ends_when_its_server_does() -> None:
    """Its input is the server's pipe; without one it goes at once."""

    async def run() -> int:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bohn.server.bots.compile_job",
            stdin=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
            env={**os.environ, INTERPRET: "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )  # fmt: skip
        assert process.stdin is not None
        process.stdin.close()
        async with asyncio.timeout(PATIENCE):
            await process.wait()
        return process.pid

    assert not runs(asyncio.run(run()))

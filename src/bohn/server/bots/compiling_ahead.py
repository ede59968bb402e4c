"""Compiles the computer players ahead, in a process in the background, and then lets the pool use that code.

Until it is done, and wherever Numba, a cache folder or success is lacking, the players run interpreted.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

import structlog

from bohn.lab.compile_cache import may_compile

LOG = structlog.get_logger("bohn.bots")

JOB = ("-P", "-m", "bohn.server.bots.compile_job")


class TakesCompiledCode(Protocol):
    """A pool of processes that can load compiled code."""

    def use_compiled(self) -> None:
        """Answer with compiled code from now on."""
        ...


@asynccontextmanager
async def compiling_ahead(pool: TakesCompiledCode, program: tuple[str, ...] = JOB) -> AsyncIterator[None]:
    """Compile while the body runs, then let the pool use it; at the end no process is left running."""
    if not may_compile():
        yield
        return
    task = asyncio.get_running_loop().create_task(_compile(pool, program))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _compile(pool: TakesCompiledCode, program: tuple[str, ...]) -> None:
    path = os.pathsep.join(entry for entry in sys.path if entry)
    try:
        process = await asyncio.create_subprocess_exec(
            sys.executable, *program,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path},
        )  # fmt: skip
    except OSError as error:
        LOG.warning("bots-not-compiled", kind=type(error).__name__)
        return
    try:
        status = await process.wait()
    except asyncio.CancelledError:
        if process.returncode is None:
            process.kill()
        await process.wait()
        raise
    if status == 0:
        LOG.info("bots-compiled")
        pool.use_compiled()
    else:
        LOG.warning("bots-not-compiled", kind=f"status {status}")

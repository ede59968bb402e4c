"""The server's part in compiling: one process at the lowest priority, and a pool that is told of its end.

Until then, and wherever there is no Numba, no cache or no success, the players stay interpreted.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

import structlog

from bohn.sim.warmth import may_compile

LOG = structlog.get_logger("bohn.bots")

PROGRAM = ("-P", "-m", "bohn.server.bots.warming")


class Pool(Protocol):
    """Whose processes may load compiled code."""

    def heat(self) -> None:
        """Let compiled code answer from now on."""
        ...


@asynccontextmanager
async def heating(pool: Pool, program: tuple[str, ...] = PROGRAM) -> AsyncIterator[None]:
    """Meanwhile compile, if it has to be done, and heat the pool then; at the end nothing is left running."""
    if not may_compile():
        yield
        return
    task = asyncio.get_running_loop().create_task(_heat(pool, program))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _heat(pool: Pool, program: tuple[str, ...]) -> None:
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
        pool.heat()
    else:
        LOG.warning("bots-not-compiled", kind=f"status {status}")

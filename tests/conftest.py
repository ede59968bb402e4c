"""Settings of all tests."""

from __future__ import annotations

import logging
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# Numba compiles for a minute, in each process anew after a change: tests run interpreted. Those marked
# `compiled` run once more in the one process of tests/lab/test_compiled.py, which is set otherwise.
os.environ.setdefault("BOHN_INTERPRET", "1")

# Every move of a saved game and every commit of a server waits for the disk, a thousand times a test; what is
# written in memory waits as shortly as it can be. Programs are killed in tests, machines are not.
MEMORY = Path("/dev/shm")  # noqa: S108 - pytest makes folders of its own there, as in /tmp
if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > 2 << 30:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

# A deadline would fail a property because the machine is busy; `make test` as a whole is timed instead.
settings.register_profile("bohn", deadline=None)
settings.load_profile("bohn")


@pytest.fixture(autouse=True)
def logs_as_before() -> Iterator[None]:
    """Undo what a program that a test ran in this process has set: its logs went to a stream of that test."""
    structlog, root = sys.modules.get("structlog"), logging.getLogger()
    before = structlog.get_config() if structlog is not None and structlog.is_configured() else None
    level = root.level
    yield
    structlog = sys.modules.get("structlog")
    if structlog is None or not structlog.is_configured():
        return
    if before is None:
        structlog.reset_defaults()
    else:
        structlog.configure(**before)
    root.setLevel(level)
    for handler in root.handlers[:]:
        if type(handler).__module__ == "bohn.server.logs":
            root.removeHandler(handler)


SOURCES = Path(__file__).parents[1] / "src"


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave modules without an example unread: looking for examples imports a module, in every process."""
    if collection_path.suffix != ".py" or SOURCES not in collection_path.parents:
        return None
    return b">>> " not in collection_path.read_bytes() or None


def pytest_xdist_auto_num_workers() -> int:
    """Return one worker more than cores: many tests wait for a clock, a server or the compiled process."""
    return (os.cpu_count() or 1) + 1


LONG = "test_compiled_code_passes_its_tests"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave what interpreted code takes too long for to the compiled process, and begin with that process."""
    from bohn.lab.compiling import COMPILED

    left = [] if COMPILED else [item for item in items if _only_compiled(item)]
    if left:
        config.hook.pytest_deselected(items=left)
    away = set(left)
    items[:] = sorted((item for item in items if item not in away), key=lambda item: item.name != LONG)


def _only_compiled(item: pytest.Item) -> bool:
    return any(mark.kwargs.get("only", False) for mark in item.iter_markers("compiled"))

"""Whatever is asked of them, all stores answer the same."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bohn.server.store.postgres.store import PostgresStore
from bohn.server.store.sqlite import SqliteStore
from bohn.server.store.upgrading import upgrade
from tests.server.store.asking import Ask, compare, reads, writes
from tests.server.support.memory_store import MemoryStore
from tests.server.support.postgres import emptied

ASKED = st.lists(writes | reads, max_size=30)
SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large)


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an empty database, so that not every example has to make one."""
    path: Path = tmp_path_factory.mktemp("stores") / "empty.sqlite"
    upgrade(path)
    return path


@settings(max_examples=60, suppress_health_check=SLOW)
@given(asked=ASKED)
def test_stores_agree(empty: Path, asked: list[Ask]) -> None:
    """Every answer of the store in a file is that of the store in memory, and they end up the same."""
    path = empty.with_name("asked.sqlite")
    shutil.copy(empty, path)
    asyncio.run(compare(asked, SqliteStore(path), MemoryStore()))


@pytest.mark.postgres
@settings(max_examples=60, suppress_health_check=SLOW)
@given(asked=ASKED)
def test_store_in_postgres_agrees(postgres_database: str, asked: list[Ask]) -> None:
    """Every answer of the store in PostgreSQL is that of the store in memory, and they end up the same."""
    emptied(postgres_database)
    asyncio.run(compare(asked, PostgresStore(postgres_database), MemoryStore()))

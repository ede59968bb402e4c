"""Accounts at a whole server, on a file and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from bohn.server.store.postgres.store import PostgresStore
from bohn.server.store.protocol import Store
from bohn.server.store.sqlite import SqliteStore
from tests.server.support.owners import SETTINGS
from tests.server.support.postgres import emptied
from tests.server.support.site import Place, visit

Scenario = Callable[[Place], Awaitable[None]]
Visit = Callable[[Scenario], None]


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def at_a_server(request: pytest.FixtureRequest, tmp_path: Path) -> Visit:
    """Return how to run a scenario at a new server, on each kind of store."""

    def run(scenario: Scenario) -> None:
        store: Store = SqliteStore(tmp_path / "tables.sqlite")
        if request.param == "postgres":
            address = request.getfixturevalue("postgres_database")
            emptied(address)
            store = PostgresStore(address)
        visit(scenario, SETTINGS, store)

    return run

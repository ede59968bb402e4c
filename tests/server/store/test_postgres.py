"""The store in PostgreSQL keeps the contract."""

from __future__ import annotations

from pathlib import Path

import pytest

from bohn.server.store.postgres.store import PostgresStore
from bohn.server.store.protocol import Store
from tests.server.store.contract import StoreContract
from tests.server.support.postgres import emptied


class TestPostgresStore(StoreContract):
    """The contract, with two stores on one database."""

    @pytest.fixture(autouse=True)
    def _database(self, postgres_database: str) -> None:
        """Begin with nothing in the tables."""
        emptied(postgres_database)
        self.address = postgres_database

    def make(self, folder: Path) -> tuple[Store, Store]:
        """Return two stores on the same database."""
        del folder
        return PostgresStore(self.address), PostgresStore(self.address)

"""A PostgreSQL server of the whole session, for tests of stores and of workers that share one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.support.postgres import NoPostgres, missing, new_database, server_address


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """Return the address of a PostgreSQL server; where there is none, whoever asks is skipped."""
    try:
        with server_address() as address:
            yield address
    except NoPostgres as reason:
        missing(reason)


@pytest.fixture(scope="session")
def postgres_database(postgres_server: str) -> Iterator[str]:
    """Return the address of a database, which tests empty before they use it."""
    with new_database(postgres_server) as address:
        yield address

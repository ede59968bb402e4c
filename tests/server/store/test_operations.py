"""The queries that docs/operations.md gives to whoever runs a server."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.server.support.querying import rows_found

pytestmark = pytest.mark.postgres

GUIDE = Path(__file__).parents[3] / "docs" / "operations.md"
QUERIES = re.findall(r"```sql\n(.*?)```", GUIDE.read_text(encoding="utf-8"), flags=re.DOTALL)


@pytest.mark.parametrize("query", QUERIES)
def test_query_of_the_guide_runs(postgres_database: str, query: str) -> None:
    """It names tables and columns that there are."""
    assert rows_found(postgres_database, [query]) == [1]

"""The Grafana board of deploy/: what it shows is what the server and its database have."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from bohn.server.metrics import Metrics
from tests.server.support.querying import rows_found

BOARD: dict[str, Any] = json.loads((Path(__file__).parents[3] / "deploy" / "grafana.json").read_text("utf-8"))
PANELS: list[dict[str, Any]] = BOARD["panels"]
TARGETS: list[dict[str, Any]] = [target for panel in PANELS for target in panel["targets"]]
FELT = re.compile("abandoned|ack|commit|commands|refused|turned|cut|conn|store_")
"""What people feel when something is wrong with it."""


def metrics() -> set[str]:
    """Return the names of all series of a server, those without a value yet too."""
    text = Metrics("one").text().decode()
    families = re.findall(r"^# TYPE (\S+) (\S+)$", text, flags=re.MULTILINE)
    found = {f"{name}_bucket" if kind == "histogram" else name for name, kind in families}
    return {name for name in found if not name.endswith("_created")}


@pytest.mark.parametrize(
    "expression", [target["expr"] for target in TARGETS if "expr" in target], ids=lambda text: text[:60]
)
def test_board_names_metrics_that_there_are(expression: str) -> None:
    """Each series of an expression is one that the server shows."""
    named = set(re.findall(r"\bbohn_\w+", expression))
    assert named
    assert named - metrics() == set()


def test_board_shows_every_metric_of_commands_and_connections() -> None:
    """Nothing that people would feel is left out."""
    shown = set(re.findall(r"\bbohn_\w+", " ".join(target.get("expr", "") for target in TARGETS)))
    felt = {name for name in metrics() if FELT.search(name)}
    assert felt - shown == {"bohn_store_group_bucket"}


@pytest.mark.postgres
def test_board_asks_what_the_database_can_answer(postgres_database: str) -> None:
    """Each query runs and has a row, once a worker has leases."""
    queries = [target["rawSql"] for target in TARGETS if "rawSql" in target]

    assert rows_found(postgres_database, queries) == [1] * len(queries)


def test_board_has_no_two_panels_at_one_place() -> None:
    """Each panel has an id and a place of its own."""
    places = [
        (column, row)
        for panel in PANELS
        for column in range(panel["gridPos"]["x"], panel["gridPos"]["x"] + panel["gridPos"]["w"])
        for row in range(panel["gridPos"]["y"], panel["gridPos"]["y"] + panel["gridPos"]["h"])
    ]
    assert len(places) == len(set(places))
    assert all(column < 24 for column, _ in places)
    assert len({panel["id"] for panel in PANELS}) == len(PANELS)

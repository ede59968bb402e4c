"""What the page's lint rule knows of the rules: every field, as shown or as hidden."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bohn.rules.ruleset import Rules

LISTS = Path(__file__).parents[2] / "web" / "rules.json"


def lists() -> dict[str, Any]:
    """Return the lists that the lint rule reads."""
    return dict(json.loads(LISTS.read_text(encoding="utf-8")))


def test_lint_rule_of_the_page_knows_every_field_of_the_rules() -> None:
    """Each field of ``Rules`` is listed once; what is not listed would be read unnoticed."""
    found = lists()
    named = [*found["shown"], *found["hidden"], *found["hidden_in_rules"]]

    assert sorted(named) == sorted(Rules.__struct_fields__)


def test_what_the_page_may_read_of_the_rules_has_a_reason() -> None:
    """A field that is shown says where, and one that is looked for only in rules says what else it means."""
    found = lists()

    assert all(found["shown"].values())
    assert all(found["hidden_in_rules"].values())

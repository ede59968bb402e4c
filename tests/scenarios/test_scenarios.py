"""All scenarios hold."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from bohn.notation.scenarios import load_scenario, run_scenario

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FILES = sorted(HERE.rglob("*.toml"))


@cache
def clauses_shown() -> frozenset[str]:
    """Return the clauses that the scenarios say they show."""
    return frozenset(tomllib.loads(path.read_text(encoding="utf-8"))["clause"] for path in FILES)


@cache
def clauses() -> tuple[str, ...]:
    """Return the clauses there are."""
    text = (ROOT / "docs" / "rules" / "clauses.toml").read_text(encoding="utf-8")
    return tuple(clause["id"] for clause in tomllib.loads(text)["clause"])


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(HERE)))
def test_scenario_holds(path: Path) -> None:
    """The scenario comes out as it says."""
    assert [str(failure) for failure in run_scenario(load_scenario(path.read_bytes(), clauses()))] == []


@pytest.mark.parametrize("clause", clauses())
def test_clause_has_a_scenario(clause: str) -> None:
    """Every clause is shown by at least one scenario."""
    assert clause in clauses_shown()


def test_scenarios_show_clauses_that_exist() -> None:
    """No scenario names a clause that there is not."""
    assert clauses_shown() <= set(clauses())


def test_scenario_titles_are_their_own() -> None:
    """No two scenarios of a clause have the same title."""
    texts = (path.read_text(encoding="utf-8") for path in FILES)
    heads = [re.findall(r'^(?:clause|title) = ".*"$', text, flags=re.MULTILINE)[:2] for text in texts]

    assert [head for head in heads if heads.count(head) > 1] == []

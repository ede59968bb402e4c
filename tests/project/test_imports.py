"""The core imports msgspec and pure standard library only, as written in the source."""

from __future__ import annotations

import ast
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RULES = ROOT / "src" / "bohn" / "rules"


def impure() -> frozenset[str]:
    """Return the modules that the contract ``pure`` of pyproject.toml forbids."""
    linter = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    (contract,) = (one for one in linter["contracts"] if one["id"] == "pure")
    return frozenset(contract["forbidden_modules"])


def imported(source: str) -> set[str]:
    """Return the modules that a source text imports, relative ones as dots."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.add("." * node.level + (node.module or ""))
    return found


@pytest.mark.parametrize("path", sorted(RULES.rglob("*.py")), ids=lambda path: str(path.relative_to(RULES)))
def test_rules_import_only_msgspec_and_pure_standard_library(path: Path) -> None:
    """A file of the core names no module but bohn.rules, msgspec and what computes without side effects."""
    allowed = (sys.stdlib_module_names - impure()) | {"msgspec"}
    strange = {
        name
        for name in imported(path.read_text(encoding="utf-8"))
        if name.partition(".")[0] not in allowed and not (name + ".").startswith("bohn.rules.")
    }

    assert strange == set()

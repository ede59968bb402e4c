"""The clauses of the rules: from the installed package, or from docs/ of a source tree."""

from __future__ import annotations

import tomllib
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from msgspec import Struct, convert

SECONDARY = "secondary:"
RULING = "ruling:"


class Clause(Struct, frozen=True):
    """One clause: its text in our words and the places it stands on; no editions means all."""

    id: str
    title: str
    text: str
    cites: tuple[str, ...] = ()
    editions: tuple[str, ...] = ()

    @property
    def secondary(self) -> bool:
        """Whether nothing but other publications and rulings supports it."""
        return bool(self.cites) and all(cite.startswith((SECONDARY, RULING)) for cite in self.cites)


def read_document(name: str) -> str | None:
    """Return the text of a document of docs/rules, wherever this installation has it."""
    packaged = files("bohn").joinpath("data", name)
    if packaged.is_file():
        return packaged.read_text(encoding="utf-8")
    source = Path(__file__).parents[3] / "docs" / "rules" / name
    return source.read_text(encoding="utf-8") if source.is_file() else None


@cache
def clauses() -> dict[str, Clause]:
    """Return all clauses by their ids, in the order of the document; none if it is not installed."""
    text = read_document("clauses.toml")
    tables: list[dict[str, Any]] = tomllib.loads(text).get("clause", []) if text else []
    return {table["id"]: convert(table, Clause) for table in tables}


def near(name: str) -> list[str]:
    """Return clause ids that a misspelt one may have meant, nearest first."""
    wanted = name.upper()
    family = [known for known in clauses() if known.partition("-")[0] == wanted.partition("-")[0]]
    return get_close_matches(wanted, list(clauses()), n=4, cutoff=0.7) or family[:8]

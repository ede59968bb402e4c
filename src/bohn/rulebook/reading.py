"""Reads the documents of docs/rules, from the installed package or from docs/ of a source tree."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any


def read_document(name: str) -> str | None:
    """Return the text of a document of docs/rules, ``None`` if this installation does not have it."""
    packaged = files("bohn").joinpath("data", name)
    if packaged.is_file():
        return packaged.read_text(encoding="utf-8")
    source = Path(__file__).parents[3] / "docs" / "rules" / name
    return source.read_text(encoding="utf-8") if source.is_file() else None


def tables_of(name: str, key: str) -> list[dict[str, Any]]:
    """Return the tables of that key in a TOML document, in its order; none if it is not installed."""
    text = read_document(name)
    found: list[dict[str, Any]] = tomllib.loads(text).get(key, []) if text else []
    return found

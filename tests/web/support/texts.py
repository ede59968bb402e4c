"""What the page says in English, for finding buttons by what is written on them."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files


@cache
def catalog(language: str = "en") -> dict[str, str]:
    """Return all texts of a language by their keys."""
    found = files("bohn.i18n") / "catalogs" / f"{language}.json"
    texts: dict[str, str] = json.loads(found.read_text(encoding="utf-8"))
    return texts


def text(key: str, language: str = "en") -> str:
    """Return a text that has no parameters."""
    return catalog(language)[key]

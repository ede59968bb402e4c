"""The clauses of the rules in translation: one JSON file a language, by the id of the clause.

A file is ``{"HARVEST-4": {"title": ..., "text": ...}, ...}``; the English words stand in docs/rules, and what
a language lacks is shown in them.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec

from bohn.i18n.catalog import FALLBACK, matching

_SUFFIX = ".json"


class ClauseText(msgspec.Struct, frozen=True):
    """A clause as a translator has put it."""

    title: str
    text: str


@cache
def translated() -> tuple[str, ...]:
    """Return the languages in which there are clauses beside English, sorted."""
    folder = files(__package__).joinpath("clauses")
    names = [entry.name for entry in folder.iterdir()] if folder.is_dir() else []
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX)))


def clause_language(lang: str) -> str:
    """Return the language in which clauses are read by whoever asks for this tag."""
    return next(iter(matching(lang, translated())), FALLBACK)


@cache
def clause_texts(language: str) -> dict[str, ClauseText]:
    """Return the clauses of a language by id: one of :func:`clause_language`; English has none here."""
    if language not in translated():
        return {}
    file = files(__package__).joinpath("clauses", language + _SUFFIX)
    return msgspec.json.decode(file.read_bytes(), type=dict[str, ClauseText])

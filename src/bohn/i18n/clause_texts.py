"""The clauses of the rules in translation: one JSON file a language, by the id of the clause.

A file is ``{"HARVEST-4": {"title": ..., "text": ...}, ...}``; the English texts are in docs/rules, and are
shown for what a language lacks.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec

from bohn.i18n.catalog import FALLBACK, matching

_SUFFIX = ".json"


class ClauseText(msgspec.Struct, frozen=True):
    """The translation of a clause."""

    title: str
    text: str


@cache
def translated() -> tuple[str, ...]:
    """Return the languages other than English that have clauses, sorted."""
    folder = files(__package__).joinpath("clauses")
    names = [entry.name for entry in folder.iterdir()] if folder.is_dir() else []
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX)))


def clause_language(lang: str) -> str:
    """Return the language of the clauses that are shown for a language tag."""
    return next(iter(matching(lang, translated())), FALLBACK)


@cache
def clause_texts(language: str) -> dict[str, ClauseText]:
    """Return the translated clauses by id, none for English; ``language`` is from :func:`clause_language`."""
    if language not in translated():
        return {}
    file = files(__package__).joinpath("clauses", language + _SUFFIX)
    return msgspec.json.decode(file.read_bytes(), type=dict[str, ClauseText])

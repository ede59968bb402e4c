"""Every language has every text, with its own plurals, its terms from its own document, and all clauses."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest

from bohn.i18n import FALLBACK, available, catalog

ROOT = Path(__file__).parents[2]
CLAUSES = tomllib.loads((ROOT / "docs" / "rules" / "clauses.toml").read_text(encoding="utf-8"))["clause"]

PLURALS = {
    "de": {"one", "other"},
    "en": {"one", "other"},
    "is": {"one", "other"},
    "it": {"one", "many", "other"},
    "ja": {"other"},
    "ru": {"one", "few", "many", "other"},
    "sv": {"one", "other"},
}
"""The categories in which each language counts (CLDR)."""

DOCUMENTS = {"is": "IS ", "it": "IT ", "ja": "JP ", "ru": "RU ", "sv": "SV "}
"""How the rule document of a language is cited; German and English have none."""

TRANSLATED = sorted(set(PLURALS) - {FALLBACK})


def plurals(pattern: str) -> list[set[str]]:
    """Return the branches of each cardinal plural of a pattern: ``[{"one", "other"}]``."""
    found = []
    for start in re.finditer(r"\{\w+,\s*plural,", pattern):
        depth, branches, word = 1, set(), ""
        for char in pattern[start.end() :]:
            if char == "{":
                if depth == 1:
                    branches.add(word.strip())
                depth, word = depth + 1, ""
            elif char == "}":
                depth, word = depth - 1, ""
                if depth == 0:
                    break
            elif depth == 1:
                word += char
        found.append(branches)
    return found


@cache
def terms(lang: str) -> dict[str, dict[str, str]]:
    """Return the terms table of a language by key."""
    text = files("bohn.i18n").joinpath("terms", f"{lang}.toml").read_text(encoding="utf-8")
    return {term["key"]: term for term in tomllib.loads(text)["term"]}


def test_the_seven_languages_are_there() -> None:
    """English, German, and those of the five documents."""
    assert set(available()) == set(PLURALS)


@pytest.mark.parametrize("lang", TRANSLATED)
def test_no_language_lacks_a_key(lang: str) -> None:
    """Nobody reads English in the middle of another language."""
    assert sorted(catalog._patterns(FALLBACK).keys() - catalog._patterns(lang).keys()) == []


@pytest.mark.parametrize("lang", sorted(PLURALS))
def test_no_text_is_empty(lang: str) -> None:
    """A text says something; a blank one stands where English is blank."""
    english = catalog._patterns(FALLBACK)

    assert [
        key for key, text in catalog._patterns(lang).items() if not text.strip() and english[key].strip()
    ] == []


@pytest.mark.parametrize("lang", sorted(PLURALS))
def test_every_plural_has_the_categories_of_its_language(lang: str) -> None:
    """A plural names all categories, or exact numbers and ``other`` alone."""
    wrong = {
        key: named
        for key, pattern in catalog._patterns(lang).items()
        for branches in plurals(pattern)
        if (named := {name for name in branches if name[0] != "="}) not in ({"other"}, PLURALS[lang])
    }

    assert wrong == {}


@pytest.mark.parametrize("lang", TRANSLATED)
def test_every_term_says_where_it_is_printed(lang: str) -> None:
    """A term cites the document of its language, or is marked as translated."""
    cited = DOCUMENTS.get(lang, "translated")
    sources = {key: term["source"] for key, term in terms(lang).items()}

    assert {key: text for key, text in sources.items() if not text.startswith((cited, "translated"))} == {}


@pytest.mark.parametrize("lang", TRANSLATED)
def test_every_language_has_the_terms_of_all(lang: str) -> None:
    """The tables name the same things, so that none is forgotten; a language may have more."""
    shared = set.intersection(*(set(terms(other)) for other in TRANSLATED))

    assert len(shared) >= 90
    assert shared <= set(terms(lang))


@pytest.mark.parametrize("lang", TRANSLATED)
def test_every_clause_is_translated(lang: str) -> None:
    """The rules of any edition can be read in the language, clause by clause."""
    text = files("bohn.i18n").joinpath("clauses", f"{lang}.json").read_bytes()
    translated = msgspec.json.decode(text, type=dict[str, dict[str, str]])

    assert list(translated) == [clause["id"] for clause in CLAUSES]
    assert [
        id_ for id_, clause in translated.items() if not clause["title"].strip() or not clause["text"].strip()
    ] == []

"""Clauses: from the documents, in every language, and found again when misspelt."""

from __future__ import annotations

import sys

import pytest

from bohn.i18n import clause_language, clause_texts
from bohn.rulebook import Clause, clauses, reading, sections, similar_ids

TEXTS = sys.modules["bohn.i18n.clause_texts"]
"""The module, which its function of the same name hides."""


def test_clauses_come_in_their_order() -> None:
    """Goal first, Das Duell last."""
    known = list(clauses())

    assert known[0] == "GOAL-1"
    assert known[-1].startswith("DD-")


@pytest.mark.parametrize("lang", ["en", "tlh", "", "../clauses/de", "en-GB"])
def test_clauses_without_translation_are_in_english(lang: str) -> None:
    """A language without clauses gets the words of this project, marked as English."""
    assert {clause.language for clause in clauses(lang).values()} == {"en"}
    assert clauses(lang) is clauses("en")


@pytest.mark.parametrize("lang", TEXTS.translated())
def test_clauses_in_translation_are_the_same_clauses(lang: str) -> None:
    """Every id is there, with the citations and editions of the English one; the words are others."""
    found, english = clauses(lang), clauses()

    assert list(found) == list(english)
    for name, clause in found.items():
        assert (clause.cites, clause.editions) == (english[name].cites, english[name].editions)
        told = clause_texts(lang).get(name)
        assert clause.language == ("en" if told is None else lang)
        assert clause.text == (english[name].text if told is None else told.text)


@pytest.mark.parametrize("lang", TEXTS.translated())
def test_translations_are_of_clauses_that_exist(lang: str) -> None:
    """A translated id that no document has would be a spelling mistake; no text is empty."""
    texts = clause_texts(lang)

    assert texts.keys() <= clauses().keys()
    assert all(told.title.strip() and told.text.strip() for told in texts.values())


@pytest.mark.parametrize(
    ("asked", "served"), [("de", "de"), ("DE_at.UTF-8", "de"), ("pt-br", "pt-BR"), ("pt", "en"), ("", "en")]
)
def test_clause_language_is_the_nearest_there_is(
    asked: str, served: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A region falls back to its language, and what nobody has translated to English."""
    monkeypatch.setattr(TEXTS, "translated", lambda: ("de", "pt-BR"))
    assert clause_language(asked) == served


def test_citations_are_told_apart() -> None:
    """Places in the documents, other publications and rulings are three kinds of support."""
    clause = Clause("A-1", "t", "x", ('RU "a" §1', "secondary: a book", "ruling: end"))

    assert (clause.places, clause.publications, clause.rulings) == (('RU "a" §1',), ("a book",), ("end",))
    assert not clause.secondary
    assert Clause("A-1", "t", "x", ("ruling: end",)).secondary
    assert not Clause("A-1", "t", "x").secondary


def test_sections_keep_the_order() -> None:
    """Clauses of one subject stand together, subjects as they come."""
    found = sections(clauses().values())

    assert list(found)[:3] == ["goal", "bean", "coin"]
    assert [clause.id for clause in found["coin"]] == ["COIN-1", "COIN-2"]
    assert sum(map(len, found.values())) == len(clauses())


def test_similar_ids_are_found_for_a_misspelt_id() -> None:
    """By likeness, else by family."""
    assert similar_ids("harvst-4")[0] == "HARVEST-4"
    assert similar_ids("HARVEST-99")[0].startswith("HARVEST-")
    assert similar_ids("nonsense") == []


def test_document_that_is_not_installed_is_none() -> None:
    """What the package does not carry has no tables."""
    assert reading.read_document("nothing.toml") is None
    assert reading.tables_of("nothing.toml", "clause") == []

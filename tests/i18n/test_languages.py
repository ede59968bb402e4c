"""Every language has every text, with its own plurals, its terms from its own document, and all clauses."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bohn.i18n import FALLBACK, available, catalog
from tests.i18n import reread
from tests.i18n.test_catalog import is_form

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

COUNTED_ONES = ("is", "ru")
"""Languages that say 21, 31 and 101 as they say 1."""

DOCUMENTS = {"is": "IS ", "it": "IT ", "ja": "JP ", "ru": "RU ", "sv": "SV "}
"""How the rule document of a language is cited; German and English have none."""

TRANSLATED = sorted(set(PLURALS) - {FALLBACK})


def plurals(pattern: str) -> list[dict[str, str]]:
    """Return the branches of each cardinal plural of a pattern: ``[{"one": "# of", "other": "# of"}]``."""
    found = []
    for start in re.finditer(r"\{\w+,\s*plural,", pattern):
        depth, branches, word, began = 1, {}, "", 0
        for at, char in enumerate(pattern[start.end() :], start.end()):
            if char == "{":
                if depth == 1:
                    word, began = word.strip(), at + 1
                depth += 1
            elif char == "}":
                depth -= 1
                if depth == 0:
                    break
                if depth == 1:
                    branches[word], word = pattern[began:at], ""
            elif depth == 1:
                word += char
        found.append(branches)
    return found


@cache
def terms(lang: str) -> dict[str, dict[str, Any]]:
    """Return the terms table of a language by key."""
    text = files("bohn.i18n").joinpath("terms", f"{lang}.toml").read_text(encoding="utf-8")
    return {term["key"]: term for term in tomllib.loads(text)["term"]}


@cache
def clause_texts(lang: str) -> dict[str, str]:
    """Return titles and texts of the clauses in a language by id."""
    text = files("bohn.i18n").joinpath("clauses", f"{lang}.json").read_bytes()
    found = msgspec.json.decode(text, type=dict[str, dict[str, str]])
    return {id_: f"{clause['title']}\n{clause['text']}" for id_, clause in found.items()}


def holds(word: str, text: str) -> bool:
    """Tell whether a text has a word, with any ending; in Japanese no space tells where one begins."""
    begin = r"(?<!\w)" if word[0] < "\u3000" else ""
    return re.search(begin + re.escape(word), text, re.IGNORECASE) is not None


def test_the_seven_languages_are_there() -> None:
    """English, German, and those of the five documents."""
    assert set(available()) == set(PLURALS)


@pytest.mark.parametrize("lang", TRANSLATED)
def test_no_language_lacks_a_key(lang: str) -> None:
    """Nobody reads English in the middle of another language; forms of words are each language's own."""
    needed = {key for key in catalog._patterns(FALLBACK) if not is_form(key)}

    assert sorted(needed - catalog._patterns(lang).keys()) == []


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


@pytest.mark.parametrize("lang", COUNTED_ONES)
def test_one_of_a_plural_says_the_number_where_it_is_also_21(lang: str) -> None:
    """What is true of a single thing alone stands at ``=1``: at ``one`` it would be said of 21 as well."""
    wrong = {
        key: branches["one"]
        for key, pattern in catalog._patterns(lang).items()
        for branches in plurals(pattern)
        if "#" not in branches.get("one", "#")
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


@pytest.mark.parametrize("lang", TRANSLATED)
def test_no_text_has_a_word_that_its_terms_avoid(lang: str) -> None:
    """One thing has one name on the page, in the terminal and in the clauses: that of the terms table."""
    texts = catalog._patterns(lang) | clause_texts(lang)
    avoided = [(term["text"], word) for term in terms(lang).values() for word in term.get("avoid", ())]
    found = [
        f"{key} says {word!r} for {term!r}"
        for key, text in texts.items()
        for term, word in avoided
        if holds(word, text)
    ]

    assert avoided
    assert found == []


@pytest.mark.parametrize("lang", available())
def test_no_text_calls_a_computer_player_a_bot(lang: str) -> None:
    """Whoever plays for the computer has one name in each language: `bot` is a word of programs."""
    word = re.compile(r"\bbots?\b|\bбот(?:а|у|ом|ы|ов|ами)?\b|ボット", re.IGNORECASE)
    texts = {
        key: text.replace("{bot}", "")
        for key, text in catalog._patterns(lang).items()
        if key != "simulate.bot"
    }

    assert [key for key, text in texts.items() if word.search(text)] == []


@pytest.mark.parametrize("lang", TRANSLATED)
def test_no_translation_is_older_than_its_english_text(lang: str) -> None:
    """What has changed is read again, and `python -m tests.i18n.reread LANGUAGE KEY` writes it down."""
    assert reread.stale(lang) == []


def test_a_changed_english_text_makes_its_translations_stale() -> None:
    """So does one that is new; all others stay as they are."""
    known = dict(reread.english())
    changed, new, *_ = known
    known[changed] = reread.digest("another text")
    del known[new]

    assert reread.stale("de", known) == [changed, new]


CLOSED = {
    "de": r"Markt (ist )?(zu|geschlossen)|schließ\w* (den|der) Markt|Markt schließ|nach dem Markt",
    "en": r"(close|closing|closed) the market|market (is closed|closes)",
    "is": r"(lok\w+|lykur) markað|markaðurinn (er lokaður|lokast)|markaðnum (lýkur|lokar)",
    "it": r"chiud\w+ il mercato|mercato (è chiuso|chiude|si chiude|lo chiude)|a mercato chiuso",
    "ja": r"市場[をがはの]閉じ",
    "ru": r"закр\w+ рынок|рынок (закрыт|закро)|Конец рынка",
    "sv": r"stäng\w* (den )?marknaden|marknaden (är stängd|stäng)",
}
"""What it would be called if not the trading ended, but the market was closed."""


@pytest.mark.parametrize("lang", sorted(CLOSED))
def test_end_of_the_trading_has_one_name(lang: str) -> None:
    """The button, the log, hints and rules say that the trading ends, and none that the market is closed."""
    told = [
        f"{key}: {text}"
        for key, text in catalog._patterns(lang).items()
        if re.search(CLOSED[lang], text, re.IGNORECASE)
    ]

    assert told == []


HIM = {
    "de": ("ihm", "an Bert", "Bert dein"),
    "en": ("him", "to Bert"),
    "is": ("honum", "Bert það"),
    "it": ("glielo", "offrigli", "a Bert"),
    "ja": ("Bertに",),
    "ru": ("ему", "для Bert"),
    "sv": ("honom", "till Bert"),
}
"""How each language says that something goes to Bert alone."""


@pytest.mark.parametrize("lang", sorted(PLURALS))
@pytest.mark.parametrize("key", ["lesson.gift", "lesson.gift-send", "lesson.offer", "lesson.offer-kept"])
def test_offer_of_the_lesson_is_not_said_to_go_to_one(lang: str, key: str) -> None:
    """What the learner sends goes to everybody, so the words do not say that it goes to Bert."""
    text = catalog._patterns(lang)[key].lower()

    assert [word for word in HIM[lang] if word.lower() in text] == []


@pytest.mark.parametrize(
    ("lang", "word"),
    [
        ("de", "allen"),
        ("en", "everybody"),
        ("is", "öllum"),
        ("it", "tutti"),
        ("ja", "全員"),
        ("ru", "всем"),
        ("sv", "alla"),
    ],
)
def test_gift_of_the_lesson_says_that_everybody_is_asked(lang: str, word: str) -> None:
    """Before a gift is sent, the coach says to whom it is offered."""
    assert word in catalog._patterns(lang)["lesson.gift-send"]

"""Catalogs: fallback, plurals and the state of every catalog in the tree."""

from __future__ import annotations

import re

import pytest
from icu4py.messageformat import MessageFormat

from bohn.i18n import FALLBACK, Catalog, available, catalog

MADE_UP = {
    "en": {"greet": "Hello {name}", "only.english": "tea", "coins": "{n, plural, other {# coins}}"},
    "de": {
        "greet": "Hallo {name}",
        "eat": "{bread}: iss {bread_acc}",
        "big": "{n}",
        "coins": "{n, plural, other {# Taler}}",
    },
    "pl": {"coins": "{n, plural, one {# talar} few {# talary} many {# talarów} other {# talara}}"},
    "pt-BR": {"greet": "Oi {name}"},
    "bad": {"broken": "{n, plural"},
}


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the files by a few small catalogs."""
    monkeypatch.setattr(catalog, "available", lambda: tuple(sorted(MADE_UP)))
    monkeypatch.setattr(catalog, "_patterns", MADE_UP.__getitem__)


KEYS = set(Catalog.load(FALLBACK).keys())

FORMED = ("bean.", "beans.", "words.")
"""Texts of which a language may have forms: ``bean.soy_acc``."""

NARRATED = ("event.", "says.")
"""Texts whose parameters are those of the table of sentences (tests/narration)."""


def names(pattern: str) -> set[str]:
    """Return the parameters that a pattern uses: a brace in a text opens one, a brace in one opens a text."""
    found, inside = set(), ["text"]
    for brace in re.finditer(r"\{\s*(\w*)|\}", pattern):
        if brace[0] == "}":
            inside.pop()
        elif inside[-1] == "text":
            found.add(brace[1])
            inside.append("parameter")
        else:
            inside.append("text")
    return found


def is_form(key: str) -> bool:
    """Tell whether a key is a text in a grammatical form: ``bean.soy_acc``."""
    return key.startswith(FORMED) and key.rpartition("_")[0] in catalog._patterns(FALLBACK)


def plain(found: set[str]) -> set[str]:
    """Return the names of parameters without their forms: ``bean`` for ``bean_acc``."""
    return {name.partition("_")[0] for name in found}


@pytest.mark.usefixtures("made_up")
def test_text_fills_in_parameters() -> None:
    """A parameter stands where the pattern names it."""
    assert Catalog.load("de").text("greet", name="Anna") == "Hallo Anna"


def bread(form: str) -> str:
    """Return a word that has an accusative."""
    return "den Laib" if form == "acc" else "der Laib"


@pytest.mark.usefixtures("made_up")
def test_text_says_a_word_in_the_form_that_it_names() -> None:
    """A word that has forms comes as a function, and the pattern says which it needs, or none."""
    assert Catalog.load("de").text("eat", bread=bread) == "der Laib: iss den Laib"


@pytest.mark.usefixtures("made_up")
def test_text_says_a_word_without_forms_as_it_is() -> None:
    """What is given as plain text has one form for all."""
    assert Catalog.load("de").text("eat", bread="Brot") == "Brot: iss Brot"


@pytest.mark.usefixtures("made_up")
def test_text_keeps_a_word_joiner() -> None:
    """What holds a number and its counter together has no width, and hides nothing on a terminal."""
    assert Catalog.load("de").text("greet", name="3\u2060枚\u200b") == "Hallo 3\u2060枚?"


@pytest.mark.usefixtures("made_up")
def test_text_is_the_same_the_second_time() -> None:
    """A parsed pattern is cached, not its result."""
    german = Catalog.load("de")
    german.text("greet", name="Anna")

    assert german.text("greet", name="Ben") == "Hallo Ben"


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(
    ("count", "expected"), [(1, "1 talar"), (3, "3 talary"), (5, "5 talarów"), (22, "22 talary")]
)
def test_text_follows_the_plural_rules_of_the_language(count: int, expected: str) -> None:
    """Polish counts one, few and many."""
    assert Catalog.load("pl").text("coins", n=count) == expected


@pytest.mark.usefixtures("made_up")
def test_text_writes_numbers_the_way_of_the_language() -> None:
    """A German thousand has a full stop."""
    assert Catalog.load("de").text("big", n=12345) == "12.345"


@pytest.mark.usefixtures("made_up")
def test_text_falls_back_to_english() -> None:
    """A key that the language lacks is shown in English."""
    assert Catalog.load("de").text("only.english") == "tea"


@pytest.mark.usefixtures("made_up")
def test_text_shows_an_unknown_key_in_brackets() -> None:
    """A key that nobody knows stops nothing and is seen."""
    assert Catalog.load("de").text("no.such.key", n=1) == "[no.such.key]"


@pytest.mark.usefixtures("made_up")
def test_text_refuses_a_broken_pattern() -> None:
    """A pattern that does not parse is an error of the catalog, not a text."""
    with pytest.raises(ValueError, match="U_UNMATCHED_BRACES"):
        Catalog.load("bad").text("broken", n=1)


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("en", ("en",)),
        ("de", ("de", "en")),
        ("de-AT", ("de", "en")),
        ("DE_at.UTF-8", ("de", "en")),
        ("pt-br", ("pt-BR", "en")),
        ("tlh", ("en",)),
        ("", ("en",)),
        ("../catalogs/de", ("en",)),
    ],
)
def test_load_asks_the_language_then_english(asked: str, expected: tuple[str, ...]) -> None:
    """The chain is the language, the language without its region, English; unknown names fall out."""
    assert Catalog.load(asked).languages == expected


@pytest.mark.usefixtures("made_up")
def test_catalog_contains_the_keys_of_its_whole_chain() -> None:
    """A key that English alone has is there for a German reader too."""
    assert "only.english" in Catalog.load("de")


@pytest.mark.usefixtures("made_up")
def test_keys_are_those_of_the_language_alone() -> None:
    """What a translator has done is what the file has."""
    assert Catalog.load("de").keys() == ("greet", "eat", "big", "coins")


def test_repr_reads_back() -> None:
    """The repr of a catalog loads it."""
    assert repr(Catalog.load("en")) == "Catalog.load('en')"


def test_english_is_available() -> None:
    """The language behind all others has a catalog."""
    assert FALLBACK in available()


@pytest.mark.parametrize("lang", available())
def test_every_pattern_of_the_catalog_parses(lang: str) -> None:
    """No message of the language is broken."""
    for pattern in catalog._patterns(lang).values():
        MessageFormat(pattern, lang)


@pytest.mark.parametrize("lang", available())
def test_every_key_of_the_catalog_is_an_english_key(lang: str) -> None:
    """A translation of a key that nobody uses is a spelling mistake, unless it is a form of a text."""
    keys = {
        key.rpartition("_")[0] if key.startswith(FORMED) and key not in KEYS else key
        for key in Catalog.load(lang).keys()  # noqa: SIM118 - a catalog is no mapping
    }

    assert keys <= KEYS


@pytest.mark.parametrize("lang", available())
def test_every_pattern_uses_only_parameters_of_the_english_one(lang: str) -> None:
    """A translation can say only what the program hands over; what events are told with, the table says."""
    english = catalog._patterns(FALLBACK)
    strange = {
        key: found
        for key, pattern in catalog._patterns(lang).items()
        if not key.startswith(NARRATED)
        and (
            found := plain(names(pattern))
            - plain(names(english.get(key, english.get(key.rpartition("_")[0], ""))))
        )
    }

    assert strange == {}

"""Names and chat are shown to others, so nothing in them may deceive."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bohn.protocol.refusals import Problem, Refusal
from bohn.server.people.names import (
    LONGEST_LABEL,
    LONGEST_NAME,
    UNCLEANED,
    clean,
    clean_label,
    clean_language,
    clean_name,
    clean_text,
)


@pytest.mark.parametrize(
    "name",
    [
        "Anna",
        "Ann-Marie O'Neill Jr.",
        "Bjørn_7",
        "Zoë",
        "Юлия",
        "山田太郎",
        "김민준",
        "محمد",
        "נועה",
        "สมชาย",
        "अर्जुन",
        "x" * LONGEST_NAME,
    ],
)
def test_name_of_any_script_is_kept(name: str) -> None:
    """People are called as they are called."""
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("  Anna \t  Maria\n", "Anna Maria"),
        ("Zoe\u0308", "Zoë"),
        ("An\u202ena", "Anna"),
        ("An\u200bna\ufeff", "Anna"),
        ("\u2066Anna\u2069", "Anna"),
        ("An\u00adna", "Anna"),
        ("An\u0000na\u001b[31m", "Anna31m"),
        ("Anna\U000e0041\U000e007f", "Anna"),
        ("An\u3164na", "Anna"),
        ("An\U0001f600na", "Anna"),
        ("<b>Anna</b>", "bAnnab"),
        ("O\u2019Neill", "O'Neill"),
        ("Anna\u2028Maria", "Anna Maria"),
        ("An\u200dna", "Anna"),
        ("Z" + "\u0308" * 40, "Z\u0308\u0308\u0308\u0308"),
        ("Z" + "\u20dd" * 40, "Z\u20dd\u20dd\u20dd\u20dd"),
        ("\u0e17" + "\u0e4a" * 40, "\u0e17\u0e4a\u0e4a\u0e4a\u0e4a"),
        ("\u0915" + "\u094d\u200d" * 20 + "\u0937", "\u0915" + "\u094d\u200d" * 3 + "\u094d\u0937"),
    ],
)
def test_name_is_cleaned(text: str, name: str) -> None:
    """What steers, hides, turns around or climbs is taken out."""
    assert clean_name(text) == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\u200b",
        "\u202e",
        "...",
        "-",
        "\u0301\u0301",
        "\u3164",
        "\U0001f600",
        "\ue000",
        "x" * 25,
        "\ud800",
    ],
)
def test_name_without_a_letter_or_too_long_is_refused(text: str) -> None:
    """A name has at least one letter or digit, and at most 24 letters."""
    with pytest.raises(Refusal) as caught:
        clean_name(text)

    assert caught.value.problem == Problem.NAME_NOT_ALLOWED


@pytest.mark.parametrize("name", ["می\u200cخواهم", "क्\u200dष", "ක්\u200dර"])
def test_joiner_stays_where_a_script_needs_it(name: str) -> None:
    """Persian keeps letters apart with one, Indic scripts join with the other."""
    assert clean_name(name) == name


@pytest.mark.parametrize("text", ["می\u200c", "\u200cمی", "क्\u200d", "a\u200cb", "م\u200dي"])
def test_joiner_goes_where_nothing_needs_it(text: str) -> None:
    """Elsewhere it would make two names that look the same."""
    assert "\u200c" not in clean_name(text)
    assert "\u200d" not in clean_name(text)


@given(st.text(max_size=60))
def test_cleaned_text_has_nothing_hidden(text: str) -> None:
    """Whatever is sent, nothing unseen is left, and a second cleaning finds nothing to do."""
    cleaned = clean(text)

    assert not [
        char for char in cleaned if unicodedata.category(char) in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp")
    ]
    assert not set(cleaned) & set(
        "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\u200e\u200f\u061c"
    )
    assert cleaned == cleaned.strip()
    assert "  " not in cleaned
    assert clean(cleaned) == cleaned


@given(st.text(max_size=40))
def test_cleaned_name_stays_as_it_is(text: str) -> None:
    """A name that was accepted is accepted again, unchanged."""
    try:
        name = clean_name(text)
    except Refusal:
        return

    assert clean_name(name) == name
    assert unicodedata.is_normalized("NFC", name)


def test_chat_keeps_symbols_and_punctuation() -> None:
    """In chat one may smile."""
    assert (
        clean_text("2 red for 1 blue?! :-) \U0001f600 \u2764\ufe0f", 100)
        == "2 red for 1 blue?! :-) \U0001f600 \u2764\ufe0f"
    )


@pytest.mark.parametrize("text", ["", "  ", "\u200b\u202e", "x" * 11, "\ufe0f", "\u2800"])
def test_chat_without_anything_to_read_or_too_long_is_refused(text: str) -> None:
    """An empty line is none."""
    with pytest.raises(Refusal) as caught:
        clean_text(text, 10)

    assert caught.value.problem == Problem.TEXT_NOT_ALLOWED


@pytest.mark.parametrize("tag", ["de", "pt-BR", "zh-Hant-TW", "sr-Latn"])
def test_language_tag_is_kept(tag: str) -> None:
    """A tag names a language, a script, a place."""
    assert clean_language(tag) == tag


@pytest.mark.parametrize("tag", ["", "d", "de_DE", "de-", "../de", "de\n", "x" * 9, "de" + "-a" * 5])
def test_what_is_no_language_tag_is_refused(tag: str) -> None:
    """Nothing else passes."""
    with pytest.raises(Refusal) as caught:
        clean_language(tag)

    assert caught.value.problem == Problem.LANGUAGE_UNKNOWN


@pytest.mark.parametrize(
    "text", ["\u0e17\u0e35\u0e48", "\u0643\u064f\u0651", "\u0915\u094d\u200d\u0937\u0902\u0901"]
)
def test_marks_of_a_script_stay(text: str) -> None:
    """Thai, Arabic and Devanagari set two or three on one letter."""
    assert clean(text) == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize(("cleaned", "longest"), [(clean_name, LONGEST_NAME), (clean_label, LONGEST_LABEL)])
def test_text_far_too_long_is_refused_before_it_is_cleaned(
    cleaned: Callable[[str], str], longest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To put thousands of marks in order holds up everybody."""
    monkeypatch.setattr("bohn.server.people.names.clean", pytest.fail)
    with pytest.raises(Refusal) as caught:
        cleaned("a" + "\u0315\u0300" * (UNCLEANED * longest // 2))

    assert caught.value.problem == Problem.NAME_NOT_ALLOWED

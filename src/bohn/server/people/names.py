"""Cleaning of names, labels and chat: no control characters, bidi marks or invisible letters."""

from __future__ import annotations

import re
import unicodedata

from bohn.protocol.endpoints import LANGUAGE
from bohn.protocol.refusals import Problem, Refusal

LONGEST_NAME = 24
"""Letters of a name, marks not counted."""

LONGEST_LABEL = 80
"""Characters of what somebody calls a token."""

MARKS_IN_A_ROW = 4
"""Marks on one letter that are shown; more than any script needs would reach into the lines above."""

UNCLEANED = 4
"""How many times longer than allowed a text may be before it is cleaned: sorting its marks takes long."""

_IN_NAMES = frozenset("'-_. ")
_APOSTROPHES = str.maketrans({"\u2019": "'", "\u02bc": "'"})
_ZWNJ, _ZWJ = "\u200c", "\u200d"
_VIRAMA = 9
"""The canonical combining class of viramas."""

# Letters and marks that show nothing (Default_Ignorable_Code_Point), beside the format characters.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0d\uffa0\U000e0000-\U000e0fff]"
)
_SPACES = re.compile(r"\s+")
_PRESENTATION = "\ufe0e\ufe0f"
"""How a symbol is drawn, as text or as a picture: in chat they may stand."""

_LANGUAGE = re.compile(LANGUAGE + r"\Z")


def clean_name(text: str) -> str:
    """Return a name fit to be shown: letters, marks and digits of any script, spaces, and ``'-_.``.

    Raises :class:`Refusal` (``name-not-allowed``) if no letter or digit is left, or if it is too long.
    """
    if len(text) > UNCLEANED * LONGEST_NAME:
        raise Refusal(Problem.NAME_NOT_ALLOWED, most=LONGEST_NAME)
    plain = clean(text.translate(_APOSTROPHES))
    fitting = "".join(char for char in plain if _fits_name(char))
    name = _SPACES.sub(" ", fitting).strip()
    letters = sum(unicodedata.category(char)[0] != "M" for char in name)
    if letters > LONGEST_NAME or len(name) > LONGEST_NAME * 2:
        raise Refusal(Problem.NAME_NOT_ALLOWED, most=LONGEST_NAME)
    if not any(unicodedata.category(char)[0] in "LN" for char in name):
        raise Refusal(Problem.NAME_NOT_ALLOWED, most=LONGEST_NAME)
    return name


def clean_label(text: str) -> str:
    """Return a token's label; raises :class:`Refusal` (``name-not-allowed``)."""
    if len(text) > UNCLEANED * LONGEST_LABEL:
        raise Refusal(Problem.NAME_NOT_ALLOWED, most=LONGEST_LABEL)
    label = clean(text)
    if len(label) > LONGEST_LABEL:
        raise Refusal(Problem.NAME_NOT_ALLOWED, most=LONGEST_LABEL)
    return label


def clean_device(text: str) -> str:
    """Return what a device is called, cut to what can be shown; only its owner is told."""
    return clean(text[: LONGEST_LABEL * 2])[:LONGEST_LABEL]


def clean_text(text: str, most: int) -> str:
    """Return a line of chat fit to be shown, at most ``most`` characters long.

    Raises :class:`Refusal` (``text-not-allowed``) if nothing is left, or if it is too long.
    """
    if len(text) > most:
        raise Refusal(Problem.TEXT_NOT_ALLOWED, most=most)
    line = clean(text)
    if not any(unicodedata.category(char)[0] in "LNPS" for char in line) or len(line) > most:
        raise Refusal(Problem.TEXT_NOT_ALLOWED, most=most)
    return line


def clean_language(tag: str) -> str:
    """Return a language tag such as ``de`` or ``pt-BR``; raises :class:`Refusal` (``language-unknown``)."""
    if not _LANGUAGE.match(tag):
        raise Refusal(Problem.LANGUAGE_UNKNOWN)
    return tag


def clean(text: str) -> str:
    """Return text in NFC without control, format, private and invisible characters, in one line."""
    spaced = _SPACES.sub(" ", unicodedata.normalize("NFC", text))
    visible = _INVISIBLE.sub("", spaced)
    shown = "".join(char for place, char in enumerate(visible) if _shown(visible, place))
    return _SPACES.sub(" ", _limit_marks(unicodedata.normalize("NFC", shown))).strip()


def _limit_marks(text: str) -> str:
    """Return text with at most four marks in a row; a joiner among them begins no new row."""
    allowed: list[str] = []
    row = 0
    for char in text:
        joiner = char in (_ZWNJ, _ZWJ)
        if unicodedata.category(char) in ("Mn", "Me"):
            row += 1
        elif not joiner:
            row = 0
        if row < MARKS_IN_A_ROW or (row == MARKS_IN_A_ROW and not joiner):
            allowed.append(char)
    return "".join(allowed)


def _shown(text: str, place: int) -> bool:
    """Tell whether a character may be shown where it stands."""
    char = text[place]
    if char in (_ZWNJ, _ZWJ):
        return _joins(text, place)
    return unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def _joins(text: str, place: int) -> bool:
    """Tell whether a joiner or non-joiner stands where a script needs it (RFC 5892, appendix A.1 and A.2)."""
    if place == 0 or place + 1 >= len(text) or unicodedata.category(text[place + 1])[0] not in "LM":
        return False
    before, after = text[place - 1], text[place + 1]
    if unicodedata.combining(before) == _VIRAMA:
        return True
    return text[place] == _ZWNJ and _arabic(before) and _arabic(after)


def _arabic(char: str) -> bool:
    """Tell whether a letter belongs to the Arabic script, where ``U+200C`` keeps two letters apart."""
    return unicodedata.name(char, "").startswith("ARABIC LETTER")


def _fits_name(char: str) -> bool:
    """Tell whether a shown character may stand in a name."""
    if char in _PRESENTATION:
        return False
    return char in _IN_NAMES or unicodedata.category(char) == "Nd" or _is_letter(char)


def _is_letter(char: str) -> bool:
    """Tell whether a character is a letter or belongs to one."""
    return unicodedata.category(char)[0] in "LM" or char in (_ZWNJ, _ZWJ)

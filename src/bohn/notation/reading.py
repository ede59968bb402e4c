"""Strict reading of TOML: texts of bounded size, values of the expected type, no unknown key.

Every function here raises :class:`NotationError`, which names ``where`` the value stands.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping, Sequence

from bohn.notation.errors import NotationError, shorten

TomlTable = Mapping[str, object]

LARGEST_TEXT = 1_000_000
"""Characters a TOML text may have; a whole position has some thousand."""

LARGEST_NUMBER = 999_999
"""The largest number in a text: no turn, revision or place of a game comes near it."""

_DIGITS = re.compile(r"0|[1-9][0-9]{0,5}", re.ASCII)


def load_toml(text: str | bytes) -> dict[str, object]:
    """Return the tables of a TOML text. Raises :class:`NotationError`, which names line and column."""
    if len(text) > LARGEST_TEXT:
        msg = f"expected at most {LARGEST_TEXT} characters, not {len(text)}"
        raise NotationError(msg)
    try:
        return tomllib.loads(text.decode() if isinstance(text, bytes) else text)
    except RecursionError:
        msg = "expected TOML: nested too deeply"
        raise NotationError(msg) from None
    except ValueError as error:  # of TOML, of UTF-8, or of a number with thousands of digits
        msg = f"expected TOML: {str(error)[:200]}"
        raise NotationError(msg) from None


def _unlike(where: str, expected: str, value: object) -> NotationError:
    """Return the error of a value that is another than was expected, or that is not there."""
    found = "but it is missing" if value is None else f"not {shorten(value)}"
    return NotationError(f"{where}: expected {expected}, {found}")


def known_keys(table: TomlTable, keys: Collection[str], where: str) -> None:
    """Refuse keys that are not among the known ones."""
    for key in table:
        if key not in keys:
            msg = f"{where}: unknown key {shorten(key)}; expected one of: {', '.join(sorted(keys))}"
            raise NotationError(msg)


def number(value: object, where: str, most: int = LARGEST_NUMBER, least: int = 0) -> int:
    """Return a value that is a number from ``least`` to ``most``."""
    if type(value) is not int or not least <= value <= most:
        raise _unlike(where, f"a number from {least} to {most}", value)
    return value


def digits(word: str, where: str) -> int:
    """Return the number that a word is, from 0 to ``LARGEST_NUMBER``."""
    if not _DIGITS.fullmatch(word):
        msg = f"{where}: expected a number from 0 to {LARGEST_NUMBER}, not {shorten(word)}"
        raise NotationError(msg)
    return int(word)


def flag(value: object, where: str) -> bool:
    """Return a value that is true or false."""
    if not isinstance(value, bool):
        msg = f"{where}: expected true or false, not {shorten(value)}"
        raise NotationError(msg)
    return value


def text_of(value: object, where: str) -> str:
    """Return a value that is a text."""
    if not isinstance(value, str):
        raise _unlike(where, "a text in quotation marks", value)
    return value


def table_of(value: object, where: str) -> TomlTable:
    """Return a value that is a table."""
    if not isinstance(value, dict):
        raise _unlike(where, "a table", value)
    return value


def list_of(value: object, where: str) -> list[object]:
    """Return a value that is a list."""
    if not isinstance(value, list):
        raise _unlike(where, "a list in square brackets", value)
    return value


def texts_of(value: object, where: str) -> tuple[str, ...]:
    """Return a value that is a list of texts."""
    return tuple(text_of(one, f"{where}[{i}]") for i, one in enumerate(list_of(value, where)))


def tables_of(value: object, where: str) -> tuple[TomlTable, ...]:
    """Return a value that is a list of tables, as ``[[...]]`` writes it."""
    return tuple(table_of(one, f"{where}[{i}]") for i, one in enumerate(list_of(value, where)))


def sections(words: Sequence[str], names: Sequence[str], where: str) -> dict[str, list[str]]:
    """Cut words at keywords, which must come in this order; what precedes the first is under ``""``."""
    parts: dict[str, list[str]] = {"": []}
    current, waiting = "", list(names)
    for word in words:
        if word not in names:
            parts[current].append(word)
        elif word in waiting:
            current = word
            parts[current] = []
            del waiting[: waiting.index(word) + 1]
        else:
            msg = f"{where}: {shorten(word)} is out of place; expected the order: {' '.join(names)}"
            raise NotationError(msg)
    return parts

"""Catalogs: the texts of the program by key and language, with plurals and choices done by ICU.

A catalog is a flat JSON object of dotted keys and ICU MessageFormat patterns::

    {"reason.field-empty": "That field is empty.",
     "cli.coins": "{count, plural, one {# coin} other {# coins}}"}

A key that a language lacks is looked up in the language without its region, then in
English; an unknown key is shown in brackets, so that a missing text never
stops a game and is seen at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Self
from unicodedata import category

import msgspec
from icu4py.messageformat import MessageFormat

Param = int | float | str | Decimal
"""What a pattern may be given: numbers are written the way of the language."""

Inflected = Callable[[str], Param]
"""A word in all its grammatical forms, of which a pattern takes the one that it names: ``{bean_acc}``."""

FALLBACK = "en"
"""The language that has every key."""

WORD_JOINER = "\N{WORD JOINER}"
"""Keeps a number and its counter on one line, ``3枚``; it has no width."""

_SUFFIX = ".json"

_NAMED = re.compile(r"\{\s*(\w+)\s*[,}]")


@cache
def available() -> tuple[str, ...]:
    """Return the languages that have a catalog, sorted: ``("de", "en", ...)``."""
    names = (entry.name for entry in files(__package__).joinpath("catalogs").iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX)))


@cache
def _patterns(lang: str) -> dict[str, str]:
    """Return all patterns of one language by key."""
    file = files(__package__).joinpath("catalogs", lang + _SUFFIX)
    return msgspec.json.decode(file.read_bytes(), type=dict[str, str])


def _chain(lang: str) -> tuple[str, ...]:
    """Return the catalogs in which a text for ``lang`` is looked up, in order, English last.

    Both ``pt-BR`` and the spelling of an environment, ``pt_BR.UTF-8``, are understood.
    """
    return tuple(dict.fromkeys((*matching(lang, available()), FALLBACK)))


def matching(lang: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """Return which of these languages serve a tag, best first: itself, then the language without its region.

    Only known names are returned, so that a tag from the network cannot open any other file.
    """
    tag = lang.partition(".")[0].replace("_", "-")
    by_lower = {name.lower(): name for name in known}
    found = (by_lower.get(name.lower()) for name in (tag, tag.partition("-")[0]))
    return tuple(dict.fromkeys(name for name in found if name is not None))


@cache
def _names(pattern: str) -> frozenset[str]:
    return frozenset(_NAMED.findall(pattern))


def _in_forms(pattern: str, params: Mapping[str, Param | Inflected]) -> dict[str, Param]:
    """Return what a pattern names, each word in the form that it names, or as it is if it has no forms."""
    said = {}
    for name in _names(pattern) | params.keys():
        plain, _, form = name.partition("_")
        word = params.get(name, params.get(plain))
        if word is not None:
            said[name] = word(form if name not in params else "") if callable(word) else word
    return said


def _printable(param: Param) -> Param:
    """Return a parameter without broken characters and without control codes of a terminal."""
    if not isinstance(param, str):
        return param
    printable = param.encode(errors="replace").decode()
    return "".join(char if _is_printed(char) else "?" for char in printable)


def _is_printed(char: str) -> bool:
    """Tell whether a terminal shows a character as it is, or nothing; spaces of all widths are among them."""
    return char.isprintable() or char in ("\n", WORD_JOINER) or category(char) == "Zs"


class Catalog:
    """The texts of one language, with English behind it."""

    __slots__ = ("_formats", "lang", "languages")

    lang: str
    """The language whose texts come first; English if there is no catalog for the one asked for."""

    languages: tuple[str, ...]
    """The languages in which a key is looked up, in order."""

    def __init__(self, languages: tuple[str, ...]) -> None:
        self.lang = languages[0]
        self.languages = languages
        self._formats: dict[str, MessageFormat] = {}

    @classmethod
    def load(cls, lang: str = FALLBACK) -> Self:
        """Return the catalog of a language tag such as ``de`` or ``pt-BR``."""
        return cls(_chain(lang))

    def __repr__(self) -> str:
        return f"Catalog.load({self.lang!r})"

    def __contains__(self, key: str) -> bool:
        """Tell whether the language, or one behind it, has the key."""
        return any(key in _patterns(lang) for lang in self.languages)

    def keys(self) -> tuple[str, ...]:
        """Return the keys of the first language alone, in the order of its file."""
        return tuple(_patterns(self.lang))

    def text(self, key: str, /, **params: Param | Inflected) -> str:
        """Return the text of a key, its parameters filled in; ``[key]`` for an unknown key.

        A word that comes as a function of its form is said in the form that the text names.

        Raises:
            ValueError: the catalog's pattern is not well-formed.
        """
        found = self._formats.get(key) or self._compile(key)
        if found is None:
            return f"[{key}]"
        said = _in_forms(self._pattern(key), params)
        return found.format({name: _printable(param) for name, param in said.items()})

    def names(self, key: str) -> frozenset[str]:
        """Return the names in braces in a key's pattern: its parameters, and perhaps words of a choice."""
        return _names(self._pattern(key))

    def _pattern(self, key: str) -> str:
        """Return the pattern of a key, from the first language that has it."""
        return next((_patterns(lang)[key] for lang in self.languages if key in _patterns(lang)), "")

    def form(self, key: str, form: str) -> str:
        """Return the key of a text in a grammatical form: ``bean.soy_acc`` for ``bean.soy`` and ``acc``.

        The language that has the text decides whether it has the form; without it the key stays as it is.
        """
        formed = f"{key}_{form}"
        return next(
            (known for lang in self.languages for known in (formed, key) if known in _patterns(lang)), key
        )

    def _compile(self, key: str) -> MessageFormat | None:
        """Parse the pattern of a key once, with the plural rules of the language it is written in."""
        for lang in self.languages:
            pattern = _patterns(lang).get(key)
            if pattern is not None:
                self._formats[key] = MessageFormat(pattern, lang)
                return self._formats[key]
        return None

"""Handles: names that nobody else has, and that nobody else's look like.

A handle is stored in small letters (NFKC, case folded), of one script. Two handles look alike if they have
the same key: the skeleton of Unicode's confusables (UTS 39), so that the Cyrillic ``аnnа`` is taken once
there is an ``anna``, and ``1`` and ``l`` are one letter.
"""

from __future__ import annotations

import unicodedata
from functools import cache

from bohn.protocol.refusals import Problem, Refusal
from bohn.server.people.names import clean

SHORTEST, LONGEST = 2, 20
"""Characters of a handle."""

_JOINERS = frozenset("-_")
"""What may stand between letters."""

_DOTTED_I = "i\u0307"
"""The small letter of a Turkish capital; its second dot is drawn upon the first."""

_SCRIPTS = (
    frozenset({"HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"HAN", "HANGUL"}),
    frozenset({"HAN", "BOPOMOFO"}),
)
"""Scripts that are written together (UTS 39, 5.1); any other stands alone."""

_ANY_SCRIPT = frozenset({"COMMON", "INHERITED"})

RESERVED = (
    "admin",
    "administrator",
    "bohn",
    "guest",
    "host",
    "moderator",
    "operator",
    "root",
    "server",
    "system",
)
"""What nobody is called, nor anything that looks like it: it would be taken for the server's own word."""


def clean_handle(text: str) -> str:
    """Return a handle as it is shown and stored.

    Raises :class:`Refusal`: ``handle-not-allowed`` for its length, its characters or a reserved word,
    ``handle-mixed`` for letters of several scripts.
    """
    if len(text) > LONGEST * 4:  # before anything that takes long
        raise _not_allowed()
    folded = unicodedata.normalize("NFKC", text.strip()).casefold().replace(_DOTTED_I, "i")
    handle = unicodedata.normalize("NFKC", folded)
    if not SHORTEST <= len(handle) <= LONGEST or not all(map(_fits, handle)) or clean(handle) != handle:
        raise _not_allowed()
    if handle[0] in _JOINERS or handle[-1] in _JOINERS or not any(char.isalpha() for char in handle):
        raise _not_allowed()
    if unicodedata.category(handle[0])[0] == "M":
        raise _not_allowed()
    scripts = _scripts(handle)
    if len(scripts) > 1 and not any(scripts <= together for together in _SCRIPTS):
        raise Refusal(Problem.HANDLE_MIXED)
    if handle_key(handle) in _reserved():
        raise _not_allowed()
    return handle


def handle_key(handle: str) -> str:
    """Return what all handles have in common that look like this one."""
    letters = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", handle).casefold())
    alike = "".join(_prototype(char) for char in letters).casefold()
    # once more: the prototype of 0 is O, whose small letter has a prototype of its own
    again = "".join(_prototype(char) for char in unicodedata.normalize("NFD", alike)).casefold()
    return unicodedata.normalize("NFC", again.replace("_", "-"))


def _not_allowed() -> Refusal:
    return Refusal(Problem.HANDLE_NOT_ALLOWED, least=SHORTEST, most=LONGEST)


def _fits(char: str) -> bool:
    """Tell whether a character may stand in a handle: letters, marks in a letter, digits 0 to 9, joiners."""
    return (
        char in _JOINERS
        or char in "0123456789"
        or unicodedata.category(char) in {"Ll", "Lo", "Lm", "Mn", "Mc"}
    )


def _scripts(handle: str) -> frozenset[str]:
    from confusable_homoglyphs import categories

    return frozenset(categories.unique_aliases(handle)) - _ANY_SCRIPT


@cache
def _reserved() -> frozenset[str]:
    return frozenset(map(handle_key, RESERVED))


def _prototype(char: str) -> str:
    """Return the one character, or few, that stands for all that look like this one."""
    from confusable_homoglyphs.confusables import confusables_data as alike

    found = alike.get(char)
    if found is None or len(found) > 1:  # only a prototype has several that look like it
        return char
    (other,) = found
    if len(alike.get(other["c"], ())) > 1:
        return str(other["c"])
    return min(char, str(other["c"]))

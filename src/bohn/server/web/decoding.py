"""Decodes what clients send into structs, after checks of its nesting depth and its types."""

from __future__ import annotations

import re
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from bohn.protocol.refusals import Problem, Refusal

T = TypeVar("T")

_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_BRACKETS = re.compile(r"[\[\]{}]")
_PATH = re.compile(r" - at `(\$[^`]*)`\Z")
_ID = re.compile(r"[A-Za-z0-9_.:-]{1,64}\Z")
_DIGITS = re.compile(r"[0-9]{1,15}\Z")


class _Identified(Struct):
    """The id of a frame, which is read even if the rest cannot be decoded."""

    id: Any = None


_ID_DECODER = msgspec.json.Decoder(_Identified)


def check_depth(text: str, most: int) -> None:
    """Raise :class:`Refusal` (``too-deep``) for JSON that is nested more deeply, before it is decoded."""
    if text.count("[") + text.count("{") <= most:
        return
    depth = 0
    for bracket in _BRACKETS.findall(_STRINGS.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth > most:
            raise Refusal(Problem.TOO_DEEP, most=most)


def decode(decoder: msgspec.json.Decoder[T], text: str, depth: int) -> T:
    """Return what was sent, or refuse: ``too-deep``, ``not-json``, ``not-understood`` with the path."""
    check_depth(text, depth)
    try:
        return decoder.decode(text)
    except msgspec.ValidationError as error:
        found = _PATH.search(str(error))
        raise Refusal(Problem.NOT_UNDERSTOOD, path=found[1] if found else "$") from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise Refusal(Problem.NOT_JSON) from None


def readable_id(text: str, depth: int) -> str | None:
    """Return the id of a frame that could not be decoded, if it has one."""
    try:
        found = decode(_ID_DECODER, text, depth).id
    except Refusal:
        return None
    return found if isinstance(found, str) and is_id(found) else None


def is_id(text: str) -> bool:
    """Tell whether a text may be the id of a command, a table or a link."""
    return _ID.match(text) is not None


def number(text: str) -> int | None:
    """Return the number in a query or a path, or ``None`` if it is none."""
    return int(text) if _DIGITS.match(text) else None

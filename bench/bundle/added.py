"""A bundle read without fields that a later version adds, so that everything else can be compared with it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from typing import Any

DIGESTS_OF_VIEWS = "views.txt"
"""Digests of whole views, which any new field changes; `fields.txt` beside it has one for each field."""

_DECODER = json.JSONDecoder()
_LENGTH = re.compile(r"\('(content-length|etag)', '[^']*'\)")
_COOKIE = re.compile(r"(\('set-cookie', ')([^']*)('\))")


def without_fields(fields: Collection[str]) -> Callable[[str, bytes], bytes | None]:
    """Return a reader of files by name and content: what is left without these fields of JSON objects.

    Lengths and tags of answers, which follow from their bodies, and the order of a cookie's attributes are
    left out as well. A file that holds nothing but digests of whole views is ``None``.
    """

    def read(name: str, content: bytes) -> bytes | None:
        if name.endswith(f"/{DIGESTS_OF_VIEWS}"):
            return None
        lines = content.decode(errors="replace").split("\n")
        if name.endswith("/fields.txt"):
            return "\n".join(line for line in lines if not _is_digest_of(fields, line)).encode()
        return "\n".join(_headers(_stripped(line, fields)) for line in lines).encode()

    return read


def _is_digest_of(fields: Collection[str], line: str) -> bool:
    return line.partition(" ")[0] in {f"{owner}.{field}" for owner in ("view", "offers") for field in fields}


def _stripped(line: str, fields: Collection[str]) -> str:
    """Return a line whose JSON objects, wherever they stand in it, have lost these fields."""
    parts, place = [], 0
    while place < len(line):
        if line[place] in "{[":
            try:
                value, place = _DECODER.raw_decode(line, place)
            except ValueError:  # a bracket in a text
                parts.append(line[place])
                place += 1
            else:
                parts.append(json.dumps(_without(value, fields)))
            continue
        parts.append(line[place])
        place += 1
    return "".join(parts)


def _without(value: Any, fields: Collection[str]) -> Any:
    if isinstance(value, dict):
        return {name: _without(part, fields) for name, part in value.items() if name not in fields}
    return [_without(part, fields) for part in value] if isinstance(value, list) else value


def _headers(line: str) -> str:
    line = _LENGTH.sub(r"('\1', ...)", line)
    return _COOKIE.sub(lambda found: found[1] + "; ".join(sorted(found[2].split("; "))) + found[3], line)

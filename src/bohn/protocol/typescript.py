"""The protocol as TypeScript: ``python -m bohn.protocol.typescript`` writes what the page reads.

It reads the components of the OpenAPI document and nothing else, so that page and document cannot disagree;
``--check`` tells whether the file is as it would be written. Why this is no program of npm: docs/adr/0014.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from bohn.protocol.generated_file import write_or_check
from bohn.protocol.openapi import document
from bohn.protocol.schemas import ALWAYS_PRESENT, BY_SEAT, REF, Json, UnknownTypeError

TARGET = Path(__file__).parents[3] / "web" / "src" / "generated" / "protocol.ts"
"""Where the page reads it from, in the repository."""

WIDTH = 100
"""Letters of a line; unions longer than this stand with one member a line."""

HEADER = """\
/* eslint-disable */
/**
 * The protocol between page and server, version {protocol}: see docs/protocol.md.
 *
 * Written by `python -m bohn.protocol.typescript`; change the Python types, not this file.
 * Fields marked `?` may be left out by whoever sends them; what has no mark is always there.
 * All times are in ms since 1970.
 */

export const PROTOCOL = {protocol};
"""

RENAMED = {"Error": "ErrorBody", "Pick": "PickClaimer", "Promise": "PromiseNote"}
"""Types whose name means something else in TypeScript."""

_WORDS_OF = frozenset({"title", "description", "default"})
"""What any schema may have; nothing of it changes a type."""

_PLAIN = {"boolean": "boolean", "integer": "number", "number": "number", "null": "null", "string": "string"}
_LIMITS = frozenset({"pattern", "minLength", "maxLength", "minimum", "maximum"})
"""What limits a plain type in ways TypeScript cannot express."""


class Writer:
    """Writes the components of one document."""

    def __init__(self, components: Mapping[str, Json]) -> None:
        """Learn which unions and sets of words have a name."""
        self._components = components
        self._words = {
            frozenset(schema["enum"]): name for name, schema in components.items() if "enum" in schema
        }
        unions = [(name, self._refs(schema)) for name, schema in components.items() if "anyOf" in schema]
        self._unions = sorted(unions, key=lambda union: -len(union[1]))

    def declarations(self) -> Iterator[str]:
        """Yield the declaration of every component, with its documentation."""
        for name, schema in self._components.items():
            yield comment(schema.get("description", "")) + self._declared(name_of(name), schema)

    def _declared(self, name: str, schema: Json) -> str:
        if "x-enum-varnames" in schema:
            return _numbers(name, dict(zip(schema["x-enum-varnames"], schema["enum"], strict=True)))
        if "enum" in schema:
            return _union(name, [f'"{word}"' for word in schema["enum"]])
        if "anyOf" in schema:
            return _union(name, [name_of(ref) for ref in self._refs(schema)])
        if "prefixItems" in schema:
            items = [f"{part['title']}: {self.text_of(part)}" for part in schema["prefixItems"]]
            return f"export type {name} = readonly [{', '.join(items)}];\n"
        if not schema["properties"]:
            return f"export type {name} = Readonly<Record<string, never>>;\n"
        return f"export interface {name} {{\n{''.join(self._fields(schema))}}}\n"

    def _fields(self, schema: Json) -> Iterator[str]:
        there: bool | list[str] = schema.get(ALWAYS_PRESENT, False)
        always = set(schema["properties"] if there is True else there or schema["required"])
        for name, kind in schema["properties"].items():
            yield f"  readonly {name}{'' if name in always else '?'}: {self.text_of(kind)};\n"

    # -- types as text -------------------------------------------------------------------------------------

    def text_of(self, schema: Json) -> str:
        """Return a schema as a type; raises ``UnknownTypeError`` for one that says what is not known here."""
        said = schema.keys() - _WORDS_OF
        if "$ref" in said:
            return name_of(_named(schema["$ref"]))
        if "enum" in said:
            return self._words.get(frozenset(schema["enum"])) or _words(schema["enum"])
        if "anyOf" in said:
            return " | ".join(self._members(schema))
        if not said:
            return "unknown"
        kind = schema.get("type")
        if kind in _PLAIN and said <= {"type"} | _LIMITS:
            return _PLAIN[kind]
        if kind == "array" and said <= {"type", "items", "prefixItems", "minItems", "maxItems"}:
            return self._array(schema)
        if kind == "object" and said <= {"type", "additionalProperties", "propertyNames"}:
            return self._record(schema)
        msg = f"no TypeScript for {schema}"
        raise UnknownTypeError(msg)

    def _array(self, schema: Json) -> str:
        if "prefixItems" in schema:
            return f"readonly [{', '.join(map(self.text_of, schema['prefixItems']))}]"
        inner = self.text_of(schema.get("items", {}))
        return f"readonly ({inner})[]" if " " in inner else f"readonly {inner}[]"

    def _record(self, schema: Json) -> str:
        key = "number" if schema.get("propertyNames") == BY_SEAT else "string"
        return f"Readonly<Record<{key}, {self.text_of(schema.get('additionalProperties', {}))}>>"

    def _members(self, schema: Json) -> list[str]:
        """Return the members of a union, those of a named one under its name."""
        flat = list(_flat(schema))
        refs = [_named(part["$ref"]) for part in flat if "$ref" in part]
        found: list[str] = []
        for name, members in self._unions:
            if set(refs) >= set(members):
                found.append(name)
                refs = [ref for ref in refs if ref not in members]
        others = [self.text_of(part) for part in flat if "$ref" not in part]
        return [*sorted(found), *map(name_of, refs), *others]

    def _refs(self, schema: Json) -> list[str]:
        return [_named(part["$ref"]) for part in schema["anyOf"]]


def _flat(schema: Json) -> Iterator[Json]:
    """Yield the members of a union, those of unions in it too."""
    for part in schema["anyOf"]:
        if "anyOf" in part:
            yield from _flat(part)
        else:
            yield part


def _named(ref: str) -> str:
    """Return the component that a reference leads to."""
    return ref.removeprefix(REF.format(name=""))


def name_of(component: str) -> str:
    """Return the TypeScript name of a component."""
    return RENAMED.get(component, component)


def comment(text: str) -> str:
    """Return a description as TSDoc; nothing for none."""
    if not text:
        return ""
    text = re.sub(r":\w+:`~?([^`]+)`", lambda found: "`" + found[1].rpartition(".")[2] + "`", text)
    text = text.replace("``", "`").replace("`None`", "`null`").replace("*/", "* /")
    lines = [line.strip() for line in text.splitlines()]
    if len(lines) == 1:
        return f"/** {lines[0]} */\n"
    return "/**\n" + "".join(f" * {line}".rstrip() + "\n" for line in lines) + " */\n"


def _words(values: Iterable[str]) -> str:
    return " | ".join(f'"{value}"' for value in values)


def _numbers(name: str, members: Mapping[str, int]) -> str:
    """Return numbers as a constant object with their names, and the type of them all."""
    lines = "".join(f"  {member}: {value},\n" for member, value in members.items())
    return (
        f"export const {name} = {{\n{lines}}} as const;\n"
        f"export type {name} = (typeof {name})[keyof typeof {name}];\n"
    )


def _union(name: str, members: Sequence[str]) -> str:
    line = f"export type {name} = {' | '.join(members)};"
    if len(line) <= WIDTH:
        return line + "\n"
    return f"export type {name} =\n" + "".join(f"  | {member}\n" for member in members)[:-1] + ";\n"


# -- the file --------------------------------------------------------------------------------------


def generate() -> str:
    """Return the whole file."""
    whole: dict[str, Any] = msgspec.json.decode(document())
    header = HEADER.format(protocol=whole["info"]["x-protocol"])
    return "\n".join([header, *Writer(whole["components"]["schemas"]).declarations()])


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the file, or with ``--check`` only compare it; return the exit status."""
    return write_or_check("bohn.protocol.typescript", __doc__, TARGET, generate, arguments)


if __name__ == "__main__":
    sys.exit(main())

"""The protocol as TypeScript: ``python -m bohn.server.typescript`` writes ``web/src/generated/protocol.ts``.

Every type is made from the one the server itself encodes with or decodes to, so that page and server
cannot disagree; ``--check`` tells whether the file is as it would be written.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, IntEnum
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

from msgspec import Struct, inspect

from bohn.notation.records import Cause
from bohn.rules import beans, legal, ruleset, state
from bohn.rules import commands as game_commands
from bohn.rules import events as game_events
from bohn.rules.commands import AnyCommand, Mark
from bohn.rules.errors import Reason
from bohn.rules.state import Due
from bohn.server.refusals import Problem
from bohn.server.room import commands as room_commands
from bohn.server.room import events as room_events
from bohn.server.room import state as room_state
from bohn.server.room.commands import AnyRoomCommand
from bohn.server.room.events import AnyRoomEvent
from bohn.server.room.state import ClockName, Status
from bohn.server.store.protocol import Scope
from bohn.server.wire import api, frames, replay
from bohn.server.wire.frames import PROTOCOL, AnyClientFrame, AnyServerFrame
from bohn.server.wire.replay import AnyReplayFrame
from bohn.server.wire.shown import SHOWN
from bohn.views.view import PhaseView

TARGET = Path(__file__).parents[3] / "web" / "src" / "generated" / "protocol.ts"
"""Where the page reads it from, in the repository."""

WIDTH = 100
"""Unions longer than this stand with one member a line."""

HEADER = """\
/* eslint-disable */
/**
 * The protocol between page and server, version {protocol}: see docs/protocol.md.
 *
 * Written by `python -m bohn.server.typescript`; change the Python types, not this file.
 * Fields marked `?` may be left out by whoever sends them; what has no mark is always there.
 * All times are in ms since 1970.
 */

export const PROTOCOL = {protocol};
"""

RENAMED: dict[type, str] = {
    api.Draft: "DraftBody",
    api.Error: "ErrorBody",
    room_state.Reveal: "DealReveal",
    game_commands.Pick: "PickClaimer",
    state.Promise: "PromiseNote",
}
"""Types whose Python name is taken, here or in TypeScript."""

SPECIFIC: dict[tuple[type, str], str] = {
    (frames.Batch, "events"): "readonly ShownEvent[]",
    (replay.ReplayEntry, "events"): "readonly ShownEvent[]",
    (frames.Refused, "reason"): "Reason | Problem",
    (api.Error, "reason"): "Reason | Problem",
}
"""Fields of which more is known than their Python type tells."""

ALIASES: dict[str, Any] = {
    "Cause": Cause,
    "ClockName": ClockName,
    "Due": Due,
    "Mark": Mark,
    "Scope": Scope,
    "Status": Status,
}
"""Sets of words that have a name."""

UNIONS: dict[str, tuple[str, tuple[type, ...]]] = {
    "AnyCommand": ("Every command of the game.", get_args(AnyCommand)),
    "AnyRoomCommand": ("Every command about the table.", get_args(AnyRoomCommand)),
    "AnyRoomEvent": ("What has happened at the table, beside the game.", get_args(AnyRoomEvent)),
    "PhaseView": ("A phase as everybody sees it.", get_args(PhaseView)),
    "ShownEvent": ("What may stand in the events of a batch.", SHOWN),
    "AnyClientFrame": ("What a client sends.", get_args(AnyClientFrame)),
    "AnyServerFrame": ("What the server sends.", get_args(AnyServerFrame)),
    "AnyReplayFrame": ("The lines of a replay.", get_args(AnyReplayFrame)),
}
"""Unions that have a name; smaller ones are named where they are part of larger ones."""

MODULES: tuple[ModuleType, ...] = (
    beans, ruleset, state, game_commands, game_events, legal, sys.modules["bohn.views.view"],
    sys.modules["bohn.views.preview"], sys.modules["bohn.views.worth"], sys.modules["bohn.views.visible"],
    room_state, room_commands, room_events, frames, replay, sys.modules["bohn.rulebook.documents"], api,
)  # fmt: skip
"""Where the types come from, in the order of the file; within a module they stand as there.

``bohn.views`` and ``bohn.rulebook`` export functions under the names of their modules: these are looked up.
"""


class NotKnown(TypeError):  # noqa: N818 - a fact: the generator must learn this
    """A type that has no TypeScript form here, or a name that two types share."""


def roots() -> tuple[type, ...]:
    """Return the types everything else is reached from: all frames, all bodies, all shown events."""
    bodies = tuple(
        kind
        for module in (api, replay)
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Struct) and kind.__module__ == module.__name__
    )
    shared = (*get_args(AnyClientFrame), *get_args(AnyServerFrame), *SHOWN)
    bases = (api.Body, replay.ReplayFrame)
    return tuple(kind for kind in (*shared, *bodies) if kind not in bases)


def reached(first: Iterable[type]) -> dict[type, inspect.StructType | inspect.EnumType]:
    """Return every struct and enumeration that these types are made of, themselves among them."""
    found: dict[type, inspect.StructType | inspect.EnumType] = {}

    def walk(info: inspect.Type) -> None:
        if isinstance(info, inspect.StructType | inspect.EnumType):
            if info.cls in found:
                return
            found[info.cls] = info
        for part in _parts(info):
            walk(part)

    for info in inspect.multi_type_info(first):
        walk(info)
    return found


def _parts(info: inspect.Type) -> Iterator[inspect.Type]:
    """Yield what a type is made of, one level down."""
    if isinstance(info, inspect.StructType):
        yield from (field.type for field in info.fields if (info.cls, field.name) not in SPECIFIC)
    elif isinstance(info, inspect.UnionType):
        yield from info.types
    elif isinstance(info, inspect.VarTupleType):
        yield info.item_type
    elif isinstance(info, inspect.TupleType):
        yield from info.item_types
    elif isinstance(info, inspect.DictType):
        yield info.key_type
        yield info.value_type


# -- types as text ---------------------------------------------------------------------------------


def name_of(kind: type) -> str:
    """Return the TypeScript name of a struct or enumeration."""
    return RENAMED.get(kind, kind.__name__)


_BY_WORDS = {frozenset(get_args(words)): name for name, words in ALIASES.items()}

_PLAIN: dict[type[inspect.Type], str] = {
    inspect.BoolType: "boolean",
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.StrType: "string",
    inspect.NoneType: "null",
    inspect.AnyType: "unknown",
}


def text_of(info: inspect.Type) -> str:
    """Return a type as TypeScript. Raises :class:`NotKnown` for one that no frame has had yet."""
    if type(info) in _PLAIN:
        return _PLAIN[type(info)]
    if isinstance(info, inspect.StructType | inspect.EnumType):
        return name_of(info.cls)
    if isinstance(info, inspect.LiteralType):
        return _BY_WORDS.get(frozenset(info.values)) or _words(map(str, info.values))
    if isinstance(info, inspect.UnionType):
        return " | ".join(_members(info.types))
    if isinstance(info, inspect.VarTupleType):
        return f"readonly {_bracketed(text_of(info.item_type))}[]"
    if isinstance(info, inspect.TupleType):
        return f"readonly [{', '.join(map(text_of, info.item_types))}]"
    if isinstance(info, inspect.DictType):
        return f"Readonly<Record<{text_of(info.key_type)}, {text_of(info.value_type)}>>"
    msg = f"no TypeScript for {info!r}"
    raise NotKnown(msg)


def _bracketed(text: str) -> str:
    return f"({text})" if " " in text else text


def _words(values: Iterable[str]) -> str:
    return " | ".join(f'"{value}"' for value in values)


def _members(types: Sequence[inspect.Type]) -> list[str]:
    """Return the members of a union, those of a named one under its name."""
    kinds = {info.cls: info for info in types if isinstance(info, inspect.StructType)}
    names = [info for info in types if not isinstance(info, inspect.StructType)]
    found: list[str] = []
    for name, (_, members) in sorted(UNIONS.items(), key=lambda union: -len(union[1][1])):
        if kinds.keys() >= set(members):
            found.append(name)
            kinds = {cls: info for cls, info in kinds.items() if cls not in members}
    return [*sorted(found), *map(text_of, kinds.values()), *map(text_of, names)]


# -- declarations ----------------------------------------------------------------------------------


def tsdoc(kind: type) -> str:
    """Return a docstring as TSDoc."""
    return _comment((kind.__doc__ or "").strip())


def _comment(text: str) -> str:
    text = re.sub(r":\w+:`~?([^`]+)`", lambda found: "`" + found[1].rpartition(".")[2] + "`", text)
    text = text.replace("``", "`").replace("`None`", "`null`").replace("*/", "* /")
    lines = [line.strip() for line in text.splitlines()]
    if len(lines) == 1:
        return f"/** {lines[0]} */\n"
    return "/**\n" + "".join(f" * {line}".rstrip() + "\n" for line in lines) + " */\n"


def declared(info: inspect.StructType | inspect.EnumType) -> str:
    """Return the declaration of one type, with its documentation."""
    if isinstance(info, inspect.EnumType):
        return tsdoc(info.cls) + _enumeration(info.cls)
    if info.array_like:
        items = ", ".join(f"{field.encode_name}: {_field_type(info, field)}" for field in info.fields)
        return tsdoc(info.cls) + f"export type {name_of(info.cls)} = readonly [{items}];\n"
    if not info.fields and info.tag_field is None:
        return tsdoc(info.cls) + f"export type {name_of(info.cls)} = Readonly<Record<string, never>>;\n"
    return tsdoc(info.cls) + f"export interface {name_of(info.cls)} {{\n{_fields(info)}}}\n"


def _enumeration(kind: type[Enum]) -> str:
    """Return numbers as a constant object with their names, words as a union."""
    name = name_of(kind)
    if not issubclass(kind, IntEnum):
        return _union(name, [f'"{member.value}"' for member in kind])
    members = "".join(f"  {member.name}: {member.value},\n" for member in kind)
    value = f"export const {name} = {{\n{members}}} as const;\n"
    return value + f"export type {name} = (typeof {name})[keyof typeof {name}];\n"


def _fields(info: inspect.StructType) -> str:
    lines = [] if info.tag_field is None else [f'  readonly {info.tag_field}: "{info.tag}";\n']
    for field in info.fields:
        mark = "?" if _optional(info, field) else ""
        lines.append(f"  readonly {field.encode_name}{mark}: {_field_type(info, field)};\n")
    return "".join(lines)


def _optional(info: inspect.StructType, field: inspect.Field) -> bool:
    """Whether a field may be absent: a client need not send a default, the server leaves some out."""
    sent = issubclass(info.cls, api.Body | frames.ClientFrame | room_commands.RoomCommand)
    return not field.required and (sent or info.cls.__struct_config__.omit_defaults)


def _field_type(info: inspect.StructType, field: inspect.Field) -> str:
    return SPECIFIC.get((info.cls, field.name)) or text_of(field.type)


def _union(name: str, members: Sequence[str]) -> str:
    line = f"export type {name} = {' | '.join(members)};"
    if len(line) <= WIDTH:
        return line + "\n"
    return f"export type {name} =\n" + "".join(f"  | {member}\n" for member in members)[:-1] + ";\n"


# -- the file --------------------------------------------------------------------------------------


def generate() -> str:
    """Return the whole file. Raises :class:`NotKnown` for a type that has no place in it."""
    parts = [HEADER.format(protocol=PROTOCOL)]
    parts += [tsdoc(kind) + _enumeration(kind) for kind in (Reason, Problem)]
    parts += [_union(name, [f'"{word}"' for word in get_args(words)]) for name, words in ALIASES.items()]
    parts += _by_module(reached(roots()))
    parts += [
        _comment(text) + _union(name, [name_of(kind) for kind in members])
        for name, (text, members) in UNIONS.items()
    ]
    return "\n".join(parts)


def _by_module(found: dict[type, inspect.StructType | inspect.EnumType]) -> Iterator[str]:
    """Yield the declarations, module by module, and make sure that each name stands once."""
    names = [name_of(kind) for kind in found] + [*ALIASES, *UNIONS, "Reason", "Problem"]
    twice = {name for name in names if names.count(name) > 1}
    homeless = {kind for kind in found if kind.__module__ not in {module.__name__ for module in MODULES}}
    if twice or homeless:
        msg = f"names of two types: {sorted(twice)}; types of other modules: {homeless}"
        raise NotKnown(msg)
    for module in MODULES:
        here = [kind for kind in vars(module).values() if isinstance(kind, type) and kind in found]
        own = [kind for kind in here if kind.__module__ == module.__name__]
        if own:
            yield f"// -- {module.__name__} {'-' * (WIDTH - len(module.__name__) - 7)}\n"
        yield from (declared(found[kind]) for kind in own)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the file, or with ``--check`` only compare it; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bohn.server.typescript", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; 1 if the file is not up to date")
    parser.add_argument("--out", type=Path, default=TARGET, help="the file (default: %(default)s)")
    options = parser.parse_args(arguments)
    target: Path = options.out
    text = generate()
    if options.check:
        current = target.read_text(encoding="utf-8") if target.exists() else ""
        if current != text:
            sys.stderr.write(f"{target} is stale: run `python -m bohn.server.typescript`\n")
            return 1
        return 0
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

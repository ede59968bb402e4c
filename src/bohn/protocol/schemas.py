"""Every type of the protocol as JSON Schema: the components of the OpenAPI document.

msgspec makes the schemas from the types that are encoded and decoded. What it does not tell is added: names
of unions and sets of words, which fields are always there (:data:`ALWAYS_PRESENT`), names of numbers
(``x-enum-varnames``) and of the parts of a tuple, and keys that are numbers.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from types import ModuleType
from typing import Any, get_args

import msgspec
from msgspec import Struct, inspect

from bohn.notation.records import Cause
from bohn.protocol import (
    account,
    alerts,
    api,
    away,
    frames,
    operator,
    people,
    refusals,
    replay,
    room,
    room_commands,
    room_events,
    sanctions,
)
from bohn.protocol.api import AccountsState, Scope
from bohn.protocol.frames import AnyClientFrame, AnyServerFrame
from bohn.protocol.refusals import Problem
from bohn.protocol.replay import AnyReplayFrame
from bohn.protocol.room import ClockName, Status
from bohn.protocol.room_commands import AnyRoomCommand
from bohn.protocol.room_events import AnyRoomEvent
from bohn.protocol.sanctions import SanctionKind
from bohn.protocol.shown import SHOWN
from bohn.rules import beans, commands, errors, events, legal, ruleset, state
from bohn.rules.commands import AnyCommand, Mark
from bohn.rules.errors import Reason
from bohn.rules.state import Due
from bohn.rules.turns import steps
from bohn.views.view import PhaseView

Json = dict[str, Any]

REF = "#/components/schemas/{name}"
"""Where a type is found in the document."""

ALWAYS_PRESENT = "x-always-present"
"""Extension: what the server sends of this type has every property, or those named, with a default too."""

BY_SEAT = {"pattern": "^[0-9]+$"}
"""What the keys of an object look like that are numbers."""

NAMES: dict[type, str] = {
    frames.Draft: "Draft",
    api.Draft: "DraftBody",
    commands.Reveal: "Reveal",
    room.Reveal: "DealReveal",
}
"""What types are called that share the name of another."""

WORDS: dict[str, Any] = {
    "AccountsState": AccountsState,
    "Cause": Cause,
    "ClockName": ClockName,
    "Due": Due,
    "Mark": Mark,
    "SanctionKind": SanctionKind,
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
"""Unions that have a name."""

_SHOWN_EVENTS: Json = {"items": {"$ref": REF.format(name="ShownEvent")}}
_CODE: Json = {
    "type": "string",
    "anyOf": [{"$ref": REF.format(name="Reason")}, {"$ref": REF.format(name="Problem")}],
}

SPECIFIC: dict[tuple[type, str], Json] = {
    (frames.Batch, "events"): {"type": "array", **_SHOWN_EVENTS, "default": []},
    (replay.ReplayEntry, "events"): {"type": "array", **_SHOWN_EVENTS, "default": []},
    (frames.Refused, "reason"): _CODE,
    (api.Error, "reason"): _CODE,
}
"""Fields of which more is known than their Python type tells."""

MODULES: tuple[ModuleType, ...] = (
    errors, refusals, beans, ruleset, state, commands, events, legal, steps,
    sys.modules["bohn.views.view"], sys.modules["bohn.views.preview"], sys.modules["bohn.views.giving"],
    sys.modules["bohn.views.worth"], sys.modules["bohn.views.visible"],
    room, room_commands, room_events, frames, replay, sys.modules["bohn.rulebook.documents"], sanctions,
    api, away, account, alerts, operator, people,
)  # fmt: skip
"""Where the types come from, in the order of the components; within a module they stand as there.

``bohn.views`` and ``bohn.rulebook`` export functions under the names of their modules: these are looked up.
"""


class UnknownTypeError(TypeError):
    """A type that has no place in the document, or a name that two types share."""


def roots() -> tuple[type, ...]:
    """Return the types everything else is reached from: all frames, bodies, shown events and refusals."""
    bodies = tuple(
        kind
        for module in (api, away, account, alerts, operator, people, replay)
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Struct) and kind.__module__ == module.__name__
    )
    shared = (Reason, Problem, *get_args(AnyClientFrame), *get_args(AnyServerFrame), *SHOWN)
    bases = (api.Body, replay.ReplayFrame)
    return tuple(kind for kind in (*shared, *bodies) if kind not in bases)


def schemas_of(kinds: Sequence[Any]) -> tuple[list[Json], dict[str, Json]]:
    """Return the schema of each of these types, and all components.

    Raises :class:`UnknownTypeError` for a type without a place, or for two of one name.
    """
    found = reached(roots())
    outer, made = msgspec.json.schema_components((*kinds, *found), ref_template=REF)
    components = _renamed(made)
    _require_unlike([*map(name_of, found), *WORDS, *UNIONS])
    for kind, info in found.items():
        _add_to(components[name_of(kind)], info)
    words = {name: {"enum": list(get_args(kinds))} for name, kinds in WORDS.items()}
    ordered = {name: components.pop(name) for name in map(name_of, _in_order(found))}
    if components:
        msg = f"types that are reached from no frame and no body: {sorted(components)}"
        raise UnknownTypeError(msg)
    unions = {name: _union(text, members) for name, (text, members) in UNIONS.items()}
    return _renamed(list(outer[: len(kinds)])), {**words, **ordered, **unions}


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
        yield from (field.type for field in info.fields)
    elif isinstance(info, inspect.UnionType):
        yield from info.types
    elif isinstance(info, inspect.VarTupleType):
        yield info.item_type
    elif isinstance(info, inspect.TupleType):
        yield from info.item_types
    elif isinstance(info, inspect.DictType):
        yield info.key_type
        yield info.value_type


def _in_order(found: Iterable[type]) -> list[type]:
    """Return types in the order of their modules; raises for one of another module."""
    places = {kind: place for place, kind in enumerate(k for m in MODULES for k in _own_types(m))}
    homeless = sorted(kind.__qualname__ for kind in found if kind not in places)
    if homeless:
        msg = f"types of other modules: {homeless}"
        raise UnknownTypeError(msg)
    return sorted(found, key=places.__getitem__)


def _own_types(module: ModuleType) -> Iterator[type]:
    """Yield the types that are defined in a module, as they stand there."""
    for kind in vars(module).values():
        if isinstance(kind, type) and kind.__module__ == module.__name__:
            yield kind


# -- names -----------------------------------------------------------------------------------------


def name_of(kind: type) -> str:
    """Return the name of a type in the document."""
    return NAMES.get(kind, kind.__name__)


def _require_unlike(names: Sequence[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        msg = f"names of two types: {twice}"
        raise UnknownTypeError(msg)


_QUALIFIED = {f"{kind.__module__}.{kind.__name__}": name for kind, name in NAMES.items()}
"""What msgspec calls types that share a name, and what they are called here."""

_RENAMED_REFS = {REF.format(name=old): REF.format(name=new) for old, new in _QUALIFIED.items()}


def _renamed(value: Any) -> Any:
    """Return schemas with their names and references changed, in the words of JSON Schema.

    Patterns are not Python's there, and defaults are no tuples.
    """
    if isinstance(value, dict):
        return {_QUALIFIED.get(key, key): _renamed(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_renamed(inner) for inner in value]
    if isinstance(value, str):
        return _RENAMED_REFS.get(value, value).replace(r"\Z", "$")
    return value


# -- what msgspec does not tell --------------------------------------------------------------------


def _add_to(schema: Json, info: inspect.StructType | inspect.EnumType) -> None:
    """Add to a component what is known of its type beyond its schema."""
    if isinstance(info, inspect.EnumType):
        schema["enum"] = [member.value for member in info.cls]
        if issubclass(info.cls, IntEnum):
            schema["x-enum-varnames"] = [member.name for member in info.cls]
        return
    if info.array_like:
        for field, part in zip(info.fields, schema["prefixItems"], strict=True):
            part["title"] = field.encode_name
        return
    for field in info.fields:
        properties = schema["properties"]
        properties[field.encode_name] = SPECIFIC.get((info.cls, field.name), properties[field.encode_name])
        if _has_numbers_as_keys(field.type):
            properties[field.encode_name]["propertyNames"] = BY_SEAT
    left_out = {
        field.encode_name
        for field in info.fields
        if not field.required and field.default is field.default_factory is msgspec.NODEFAULT
    }
    there = [name for name in schema["properties"] if name not in left_out]
    if _is_always_whole(info) and len(schema["required"]) < len(there):
        schema[ALWAYS_PRESENT] = there if left_out else True


def _has_numbers_as_keys(info: inspect.Type) -> bool:
    if isinstance(info, inspect.UnionType):
        return any(map(_has_numbers_as_keys, info.types))
    return isinstance(info, inspect.DictType) and isinstance(info.key_type, inspect.IntType)


def _is_always_whole(info: inspect.StructType) -> bool:
    """Whether every field is there: a client need not send a default, the server leaves some out."""
    sent = issubclass(info.cls, api.Body | frames.ClientFrame | room_commands.RoomCommand)
    return not (sent or info.cls.__struct_config__.omit_defaults)


def _union(text: str, members: Sequence[type[Struct]]) -> Json:
    """Return a union of tagged structs as a component."""
    refs = {str(kind.__struct_config__.tag): REF.format(name=name_of(kind)) for kind in members}
    field = members[0].__struct_config__.tag_field
    schema: Json = {"description": text, "anyOf": [{"$ref": ref} for ref in refs.values()]}
    if all(kind.__struct_config__.tag_field == field for kind in members):
        schema["discriminator"] = {"propertyName": field, "mapping": refs}
    return schema

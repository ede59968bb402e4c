"""Values of any type of the wire: one that is always the same, or all that Hypothesis can think of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from msgspec import NODEFAULT, UNSET, Struct, convert, inspect

from bohn.protocol import frames
from bohn.protocol.shown import SHOWN

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=3,
)
"""JSON as it stands in the parameters of a refusal."""


def strategy(kind: type[Any]) -> st.SearchStrategy[Any]:
    """Return a strategy for all values of a struct."""
    return _values(inspect.type_info(kind))


def _values(info: inspect.Type) -> st.SearchStrategy[Any]:
    if isinstance(info, inspect.StructType):
        return st.deferred(lambda: _structs(info))
    return _STRATEGIES[type(info)](info)


def _texts(info: inspect.StrType) -> st.SearchStrategy[str]:
    return st.text(max_size=5) if info.pattern is None else st.from_regex(r"\A[A-Za-z0-9_.:-]{1,64}\Z")


_STRATEGIES: dict[type[inspect.Type], Callable[[Any], st.SearchStrategy[Any]]] = {
    inspect.EnumType: lambda info: st.sampled_from(list(info.cls)),
    inspect.LiteralType: lambda info: st.sampled_from(info.values),
    inspect.UnionType: lambda info: st.one_of([_values(part) for part in info.types]),
    inspect.VarTupleType: lambda info: st.lists(_values(info.item_type), max_size=2).map(tuple),
    inspect.TupleType: lambda info: st.tuples(*map(_values, info.item_types)),
    inspect.DictType: lambda info: st.dictionaries(
        _values(info.key_type), _values(info.value_type), max_size=2
    ),
    inspect.StrType: _texts,
    inspect.BoolType: lambda _: st.booleans(),
    inspect.IntType: lambda info: st.integers(
        -(2**53) if info.ge is None else info.ge, 2**53 if info.le is None else info.le
    ),
    inspect.FloatType: lambda _: st.floats(0, 1e6),
    inspect.NoneType: lambda _: st.none(),
    inspect.AnyType: lambda _: ANYTHING,
}


def _structs(info: inspect.StructType) -> st.SearchStrategy[Any]:
    return st.builds(info.cls, **{field.name: _field(info, field) for field in info.fields})


def _field(info: inspect.StructType, field: inspect.Field) -> st.SearchStrategy[Any]:
    if (info.cls, field.name) == (frames.Batch, "events"):
        return st.lists(st.sampled_from([sample(kind) for kind in SHOWN]), max_size=3).map(tuple)
    left_out = not field.required and field.default is NODEFAULT and field.default_factory is NODEFAULT
    values = _values(field.type)
    return st.just(UNSET) | values if left_out else values


def sample(kind: type[Any]) -> Any:
    """Return one value of a struct, the same every time, with every list and every option filled."""
    return convert(_sample(inspect.type_info(kind)), kind)


_FIXED: dict[type[inspect.Type], Callable[[Any], Any]] = {
    inspect.EnumType: lambda info: next(iter(info.cls)),
    inspect.LiteralType: lambda info: info.values[0],
    inspect.UnionType: lambda info: _sample(info.types[0]),
    inspect.VarTupleType: lambda info: [_sample(info.item_type)],
    inspect.TupleType: lambda info: [_sample(part) for part in info.item_types],
    inspect.DictType: lambda info: {_sample(info.key_type): _sample(info.value_type)},
    inspect.StrType: lambda _: "a",
    inspect.BoolType: lambda _: True,
    inspect.IntType: lambda _: 1,
    inspect.NoneType: lambda _: None,
    inspect.AnyType: lambda _: 1,
}


def _sample(info: inspect.Type) -> Any:
    if not isinstance(info, inspect.StructType):
        return _FIXED[type(info)](info)
    values = {field.encode_name: _sample(field.type) for field in info.fields}
    return list(values.values()) if info.array_like else {**_tag(info), **values}


def _tag(info: inspect.StructType) -> dict[str, Any]:
    return {} if info.tag_field is None else {info.tag_field: info.tag}


def keys_kept(old: Any, new: Any, where: str = "$") -> list[str]:
    """Return where something that was said is no longer said, or with another kind of value."""
    if isinstance(old, dict) and isinstance(new, dict):
        gone = [f"{where}.{key}" for key in old.keys() - new.keys()]
        return gone + [
            fault
            for key in old.keys() & new.keys()
            for fault in keys_kept(old[key], new[key], f"{where}.{key}")
        ]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = enumerate(zip(old, new, strict=True))
        return [fault for i, (a, b) in pairs for fault in keys_kept(a, b, f"{where}[{i}]")]
    return [] if old == new and type(old) is type(new) else [f"{where}: {old!r} became {new!r}"]


def is_struct(kind: object) -> bool:
    """Whether something is a struct type."""
    return isinstance(kind, type) and issubclass(kind, Struct)

"""The document of the API: complete, sound, and what Schemathesis finds with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest
from msgspec import Struct

from bohn.protocol import schemas
from bohn.protocol.endpoints import ENDPOINTS
from bohn.protocol.frames import AnyClientFrame, AnyServerFrame
from bohn.protocol.openapi import document
from bohn.protocol.refusals import Problem
from bohn.protocol.replay import AnyReplayFrame
from bohn.protocol.room_commands import AnyRoomCommand
from bohn.protocol.room_events import AnyRoomEvent
from bohn.protocol.shown import ShownEvent
from bohn.rules.commands import AnyCommand
from bohn.rules.errors import Reason
from bohn.server.web.routes import OPERATIONS
from tests.protocol.golden import to_client
from tests.server.support.site import Place, visit

DOCUMENT = msgspec.json.decode(document())
SCHEMAS: dict[str, Any] = DOCUMENT["components"]["schemas"]


def references(value: Any) -> Iterator[str]:
    """Return every reference of a document."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "$ref":
                yield inner
            else:
                yield from references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from references(inner)


def test_document_is_served() -> None:
    """Where the page says."""

    async def scenario(place: Place) -> None:
        assert (await place.stranger.get("/api/openapi.json")) == DOCUMENT

    visit(scenario)


def test_document_has_every_operation() -> None:
    """Path, method and a name of its own."""
    named = [
        (path, method, operation["operationId"])
        for path, methods in DOCUMENT["paths"].items()
        for method, operation in methods.items()
    ]

    assert [(path, method) for path, method, _ in named] != []
    assert {(one.path, one.method.lower(), one.name) for one in ENDPOINTS} == set(named)
    assert len({name for _, _, name in named}) == len(named)


def test_every_endpoint_is_answered_by_the_handler_of_its_name() -> None:
    """What the protocol describes is what the server serves, no more and no less."""
    assert [one.endpoint for one in OPERATIONS] == list(ENDPOINTS)
    assert all(one.handler.__name__ == one.endpoint.name for one in OPERATIONS)
    assert len({one.name for one in ENDPOINTS}) == len(ENDPOINTS)


def test_document_refers_to_nothing_that_is_missing() -> None:
    """Every reference leads somewhere."""
    known = {f"#/components/schemas/{name}" for name in DOCUMENT["components"]["schemas"]}

    assert set(references(DOCUMENT)) - known == set()


def test_every_refusal_is_an_error() -> None:
    """One form for all."""
    for methods in DOCUMENT["paths"].values():
        for operation in methods.values():
            for status, answer in operation["responses"].items():
                if status >= "400" and operation["operationId"] not in ("alive", "ready"):
                    assert answer["content"]["application/json"]["schema"]["$ref"].endswith("/Error")


def test_every_problem_has_a_place() -> None:
    """A route without its refusals would be half told; those of the room come with the commands."""
    assert DOCUMENT["paths"]["/api/guests"]["post"]["responses"]["400"]["description"].count("`") >= 8
    assert "`rate-limited`" in DOCUMENT["paths"]["/api/tables"]["get"]["responses"]["429"]["description"]
    assert (
        Problem.INTERNAL.value in DOCUMENT["paths"]["/api/tables"]["post"]["responses"]["500"]["description"]
    )


def refs(schema: dict[str, Any]) -> list[str]:
    """Return the names of the members of a union."""
    return [one["$ref"].rpartition("/")[2] for one in schema["anyOf"]]


@pytest.mark.parametrize(
    ("name", "union"),
    [
        ("AnyClientFrame", AnyClientFrame),
        ("AnyServerFrame", AnyServerFrame),
        ("AnyReplayFrame", AnyReplayFrame),
        ("AnyCommand", AnyCommand),
        ("AnyRoomCommand", AnyRoomCommand),
        ("AnyRoomEvent", AnyRoomEvent),
        ("ShownEvent", ShownEvent),
    ],
)
def test_document_has_every_member_of_a_union(name: str, union: Any) -> None:
    """Frames, commands and events are there, those of the WebSocket too, told apart by a tag."""
    schema = SCHEMAS[name]

    assert refs(schema) == [schemas.name_of(kind) for kind in get_args(union)]
    for tag, ref in schema["discriminator"]["mapping"].items():
        component = SCHEMAS[ref.rpartition("/")[2]]
        assert component["properties"][schema["discriminator"]["propertyName"]] == {"enum": [tag]}


def test_document_has_every_body() -> None:
    """What may be sent and what is answered is described, whether or not an endpoint names it directly."""
    missing = {schemas.name_of(kind) for kind in schemas.roots()} - SCHEMAS.keys()

    assert missing == set()


@pytest.mark.parametrize(("name", "words"), [("Reason", Reason), ("Problem", Problem)])
def test_document_has_every_code_of_a_refusal(name: str, words: type[Reason | Problem]) -> None:
    """A client can look up every code it may meet, of the rules and of the server."""
    assert SCHEMAS[name]["enum"] == [word.value for word in words]
    for schema in ("Error", "Refused"):
        assert f"#/components/schemas/{name}" in references(SCHEMAS[schema]["properties"]["reason"])


def test_document_says_what_is_always_there() -> None:
    """Every frame of the server has all that is required, or everything where the document says so."""
    tags = SCHEMAS["AnyServerFrame"]["discriminator"]["mapping"]
    for sent in to_client():
        frame = msgspec.json.decode(msgspec.json.encode(sent))
        schema = SCHEMAS[tags[frame["type"]].rpartition("/")[2]]
        always = schema["properties"] if schema.get(schemas.ALWAYS_PRESENT) else schema["required"]
        assert set(always) <= frame.keys() <= schema["properties"].keys()


def test_no_component_is_named_after_a_module() -> None:
    """A type that moves to another file keeps its name in the document."""
    assert [name for name in SCHEMAS if not name.isalnum()] == []


class _Strange(Struct):
    """A type of a module that the protocol does not know."""


def test_types_of_other_modules_are_refused() -> None:
    """A type without a place fails the build."""
    with pytest.raises(schemas.UnknownTypeError, match="_Strange"):
        schemas.schemas_of([_Strange])

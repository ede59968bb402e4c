"""The document of the API: complete, sound, and what Schemathesis finds with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from bohn.server.openapi import document
from bohn.server.refusals import Problem
from bohn.server.web.routes import OPERATIONS
from tests.server.support.site import Place, visit

DOCUMENT = msgspec.json.decode(document(OPERATIONS))


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
    assert {(one.path, one.method.lower(), one.name) for one in OPERATIONS} == set(named)
    assert len({name for _, _, name in named}) == len(named)


def test_document_refers_to_nothing_that_is_missing() -> None:
    """Every reference leads somewhere."""
    known = {f"#/components/schemas/{name}" for name in DOCUMENT["components"]["schemas"]}

    assert set(references(DOCUMENT)) - known == set()


def test_every_refusal_is_an_error() -> None:
    """One form for all."""
    for methods in DOCUMENT["paths"].values():
        for operation in methods.values():
            for status, answer in operation["responses"].items():
                if status >= "400" and operation["operationId"] != "ready":
                    assert answer["content"]["application/json"]["schema"]["$ref"].endswith("/Error")


def test_every_problem_has_a_place() -> None:
    """A route without its refusals would be half told; those of the room come with the commands."""
    assert DOCUMENT["paths"]["/api/guests"]["post"]["responses"]["400"]["description"].count("`") >= 8
    assert "`rate-limited`" in DOCUMENT["paths"]["/api/tables"]["get"]["responses"]["429"]["description"]
    assert (
        Problem.INTERNAL.value in DOCUMENT["paths"]["/api/tables"]["post"]["responses"]["500"]["description"]
    )


def test_document_describes_the_frames() -> None:
    """Those of the WebSocket too."""
    assert {"Welcome", "Batch", "Ack", "Refused", "Send", "Ping", "Say", "Goodbye"} <= DOCUMENT["components"][
        "schemas"
    ].keys()

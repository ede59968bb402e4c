"""Schemathesis asks the server everything its document promises, and much that it does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    missing_required_header,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from bohn.protocol.endpoints import NDJSON
from bohn.protocol.openapi import document
from bohn.server.settings import Settings
from tests.patience import PATIENCE
from tests.server.support.serving import PLENTY
from tests.server.support.site import Live, live

WHOLE = msgspec.json.decode(document())
for methods in WHOLE["paths"].values():
    for operation in methods.values():
        del operation["security"]  # every request here has a cookie: who may do what is tested elsewhere

# A stream never ends, so nobody can wait for its whole answer; its frames are those of the socket.
SCHEMA = schemathesis.openapi.from_dict(WHOLE).exclude(operation_id="stream")

schemathesis.serializer.alias(NDJSON, "text/plain")  # a record is sent as text

CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
    negative_data_rejection,
    missing_required_header,
    unsupported_method,
]
"""What must hold for every answer."""


@pytest.fixture(scope="module")
def server() -> Iterator[Live]:
    """Return a server that all operations share."""
    with live(Settings(limits=PLENTY)) as running:
        yield running


@pytest.fixture(scope="module")
def place(server: Live) -> dict[str, str]:
    """Return a guest's cookie and a table at which he plays."""
    cookie = server.guest()
    body = {"options": {"players": 3, "listed": True}, "bots": ["pk", "pk"], "start": True}
    return {"cookie": cookie, "table": server.table(cookie, **body)}


@SCHEMA.parametrize()
@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_operation_answers_as_its_document_says(
    case: schemathesis.Case[Any], server: Live, place: dict[str, str]
) -> None:
    """Never a 500, never a body that is not described; some of it is asked of a table that is there."""
    sound = case.meta is not None and case.meta.generation.mode == GenerationMode.POSITIVE
    if sound and "table" in (case.path_parameters or {}) and len(repr(case.body)) % 3:
        case.path_parameters["table"] = place["table"]
    cookie = place["cookie"] if case.operation.label != "DELETE /api/me" else server.guest()
    response = case.call(base_url=server.origin, headers={"Cookie": cookie}, timeout=PATIENCE)

    assert b"Traceback" not in response.content
    case.validate_response(response, checks=CHECKS)

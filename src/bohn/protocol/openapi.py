"""The OpenAPI 3.1 document: every endpoint, and every type of the protocol, those of the WebSocket too."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

import msgspec

import bohn
from bohn.protocol.api import Error
from bohn.protocol.endpoints import ENDPOINTS, JSON, Endpoint, Parameter, barred_from
from bohn.protocol.frames import PROTOCOL
from bohn.protocol.refusals import STATUS, Problem
from bohn.protocol.sanctions import GRAVITY, PROBLEMS
from bohn.protocol.schemas import Json, schemas_of

_IN_PATH = re.compile(r"{(\w+)}")
_COUNTS = {"type": "integer", "minimum": 0, "maximum": 999_999_999_999_999}
_LINE = {"type": "integer", "minimum": 1, "maximum": 999_999_999_999_999}
_ID = {"type": "string", "pattern": "^[A-Za-z0-9_.:-]{1,64}$"}

ALWAYS = (Problem.RATE_LIMITED, Problem.NOT_SAVED, Problem.FOREIGN_ORIGIN)
"""Problems that any operation may meet."""

WITH_BODY = (Problem.NOT_JSON, Problem.NOT_UNDERSTOOD, Problem.TOO_DEEP, Problem.TOO_LARGE)
"""Problems of what is sent."""


@cache
def document() -> bytes:
    """Return the document as JSON."""
    kinds = [kind for one in ENDPOINTS for kind in (one.body, one.result) if kind is not None]
    every = [*kinds, Error]
    schemas, components = schemas_of(every)
    known = dict(zip(map(repr, every), schemas, strict=True))
    paths: dict[str, Json] = {}
    for one in ENDPOINTS:
        paths.setdefault(one.path, {})[one.method.lower()] = _operation(one, known)
    whole = {
        "openapi": "3.1.0",
        "info": {
            "title": "Bohn",
            "version": bohn.__version__,
            "x-protocol": PROTOCOL,
            "summary": "Tables of the bean-trading card game Bohnanza",
            "description": _DESCRIPTION,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": _SCHEMES},
    }
    return msgspec.json.encode(whole)


_DESCRIPTION = """\
Everything is JSON. Every refusal is an `Error`: a code, the clause of the rules if they refuse (status 409),
and parameters. Come in with `POST /api/guests`, which sets a cookie; programs use `Authorization: Bearer`
with a token of `POST /api/me/tokens`. Times are in ms since 1970. The WebSocket at
`/ws?table=ID&after=SEQ` carries the frames `AnyClientFrame` and `AnyServerFrame`; the stream of a table is
the same, one frame a line."""

_SCHEMES: Json = {
    "cookie": {"type": "apiKey", "in": "cookie", "name": "bohn", "description": "`__Host-bohn` with TLS"},
    "operator": {
        "type": "apiKey",
        "in": "cookie",
        "name": "bohn-operator",
        "description": "`__Host-bohn-operator` with TLS",
    },
    "token": {"type": "http", "scheme": "bearer"},
}


def _operation(one: Endpoint, known: dict[str, Json]) -> Json:
    """Return one operation."""
    found: Json = {
        "operationId": one.name,
        "summary": one.summary,
        "tags": [_tag(one.path)],
        "parameters": [
            *(_path_parameter(name) for name in _IN_PATH.findall(one.path)),
            *(_parameter(parameter, "query", _COUNTS) for parameter in one.query),
            *(_parameter(parameter, "header", _ID) for parameter in one.headers),
        ],
        "responses": _responses(one, known),
        "security": _security(one),
    }
    if one.body is not None:
        found["requestBody"] = {"required": True, "content": {one.takes: {"schema": known[repr(one.body)]}}}
    return found


def _tag(path: str) -> str:
    """Return the group an operation is shown in."""
    if not path.startswith("/api"):
        return "operators"
    if path.startswith("/api/operator"):
        return "operators"
    if path in ("/api/clauses", "/api/rules"):
        return "rules"
    if path.startswith("/api/records") or path == "/api/me/records":
        return "records"
    return "tables" if path.startswith("/api/tables") or path == "/api/catalog" else "people"


def _security(one: Endpoint) -> list[Json]:
    """Return what lets one in: a cookie or a token; for strangers nothing, too."""
    if one.access == "open":
        return []
    if one.access == "operator":
        return [{"operator": []}]
    schemes: list[Json] = [{"cookie": []}] if one.access == "cookie" else [{"cookie": []}, {"token": []}]
    return [*schemes, {}] if one.stranger else schemes


def _path_parameter(name: str) -> Json:
    return {
        "name": name,
        "in": "path",
        "required": True,
        "schema": _LINE if name in ("line", "report") else _ID,
    }


def _parameter(parameter: Parameter, place: str, schema: Json) -> Json:
    if parameter.pattern:
        schema = {"type": "string", "pattern": parameter.pattern}
    if parameter.many:
        schema = {"type": "array", "items": schema}
    return {
        "name": parameter.name,
        "in": place,
        "required": False,
        "description": parameter.summary,
        "schema": schema,
    }


def _responses(one: Endpoint, known: dict[str, Json]) -> Json:
    """Return the answers: the result, and an ``Error`` for every status that may be."""
    content = {one.media: {"schema": known[repr(one.result)]}}
    found: Json = {str(one.status): {"description": "Done", "content": content}}
    error = {JSON: {"schema": known[repr(Error)]}}
    for status, problems in _problems(one).items():
        codes = ", ".join(f"`{problem.value}`" for problem in problems) or "The rules refuse: code and clause"
        found.setdefault(str(status), {"description": codes, "content": error})
    if one.path in ("/healthz", "/readyz"):
        found["503"] = {"description": "Not ready", "content": content}
    return found


def _problems(one: Endpoint) -> dict[int, Sequence[Problem]]:
    """Return the problems an operation may meet, by status."""
    problems = [*ALWAYS, *one.problems]
    if one.body is not None:
        problems += WITH_BODY if one.takes == JSON else (Problem.TOO_LARGE,)
    if one.query or one.headers:
        problems.append(Problem.NOT_UNDERSTOOD)
    if one.access == "operator":
        problems.append(Problem.NO_OPERATOR)
    elif one.access != "open":
        problems += [Problem.SCOPE_MISSING, Problem.NO_GUEST]
    barred = barred_from(one)
    if barred is not None:
        problems += [problem for kind, problem in PROBLEMS.items() if GRAVITY[kind] >= GRAVITY[barred]]
    if "{table}" in one.path:
        problems.append(Problem.NO_SUCH_TABLE)
    if _IN_PATH.search(one.path):
        problems.append(Problem.NOT_FOUND)
    by_status: dict[int, list[Problem]] = {400: [Problem.FOREIGN_ORIGIN]}
    for problem in dict.fromkeys(problems):
        by_status.setdefault(STATUS.get(problem, 409), []).append(problem)
    if one.rules:
        by_status.setdefault(409, [])
    if one.body is not None:
        by_status[415] = [Problem.NOT_JSON]
    by_status[500] = [Problem.INTERNAL]
    return dict(sorted(by_status.items()))

"""Answers over HTTP: JSON from structs, and every refusal as :class:`bohn.server.wire.api.Error`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct
from starlette.types import Send

from bohn.rules.errors import IllegalCommand
from bohn.server.refusals import Problem, Refusal
from bohn.server.wire.api import Error
from bohn.server.wire.frames import Refused

JSON = "application/json"
NDJSON = "application/x-ndjson"
NOT_MODIFIED = 304

Headers = Iterable[tuple[str, str]]

ENCODER = msgspec.json.Encoder(enc_hook=str)
"""For answers of the web part itself; parameters of refusals that are no JSON become text."""


class Answer(Struct, frozen=True):
    """A whole answer: status, body, its type, and further headers."""

    status: int
    body: bytes
    media: str = JSON
    headers: tuple[tuple[str, str], ...] = ()

    async def send(self, send: Send, kind: str = "http") -> None:
        """Send it, as an HTTP response or (``websocket.http``) instead of a handshake."""
        start = "http.response" if kind == "http" else "websocket.http.response"
        headers: list[tuple[bytes, bytes]] = []
        if self.status != NOT_MODIFIED:
            headers.append((b"content-type", self.media.encode()))
            headers.append((b"content-length", str(len(self.body)).encode()))
        headers += [(name.lower().encode(), value.encode("latin-1")) for name, value in self.headers]
        await send({"type": f"{start}.start", "status": self.status, "headers": headers})
        await send({"type": f"{start}.body", "body": self.body})


def ok(result: Any, status: int = 200, headers: Headers = ()) -> Answer:
    """Return a result as JSON."""
    return Answer(status, ENCODER.encode(result), headers=tuple(headers))


def refusal(error: Refusal | IllegalCommand, *, status: int | None = None, headers: Headers = ()) -> Answer:
    """Return a refusal as JSON; those of the rules have 409."""
    if isinstance(error, IllegalCommand):
        return Answer(409, ENCODER.encode(as_error(error)), headers=tuple(headers))
    more = list(headers)
    if isinstance(wait := error.params.get("retry_after"), int):
        more.append(("retry-after", str(-(-wait // 1000))))
    return Answer(status or error.status, ENCODER.encode(as_error(error)), headers=tuple(more))


def as_error(error: Refusal | IllegalCommand) -> Error:
    """Return a refusal as the body of an answer."""
    if isinstance(error, IllegalCommand):
        return Error(error.reason.value, error.clause, error.params)
    return Error(error.problem.value, None, error.params)


def as_frame(command_id: str | None, error: Refusal | IllegalCommand) -> Refused:
    """Return a refusal as a frame."""
    known = as_error(error)
    return Refused(command_id, known.reason, known.clause, known.params)


def internal() -> Refusal:
    """Return what a client is told of a mistake of ours: nothing but that it is one."""
    return Refusal(Problem.INTERNAL)

"""HTTP responses: results as JSON, and every refusal as the JSON of :class:`bohn.protocol.api.Error`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct
from starlette.types import Send

from bohn.protocol.api import Error
from bohn.protocol.endpoints import JSON
from bohn.protocol.frames import Refused
from bohn.protocol.refusals import Problem, Refusal
from bohn.rules.errors import IllegalCommand

NOT_MODIFIED = 304

Headers = Iterable[tuple[str, str]]

ENCODER = msgspec.json.Encoder(enc_hook=str)
"""Encodes what this package sends; parameters of refusals that JSON does not know become text."""


class Response(Struct, frozen=True):
    """A whole HTTP response: status, body, media type, and further headers.

    Unlike Starlette's responses it is a plain value: it can be compared and sent many times.
    """

    status: int
    body: bytes
    media: str = JSON
    headers: tuple[tuple[str, str], ...] = ()

    async def send(self, send: Send, kind: str = "http") -> None:
        """Send it over ASGI; ``kind`` is ``websocket`` where it refuses a WebSocket handshake."""
        start = "http.response" if kind == "http" else "websocket.http.response"
        headers: list[tuple[bytes, bytes]] = []
        if self.status != NOT_MODIFIED:
            headers.append((b"content-type", self.media.encode()))
            headers.append((b"content-length", str(len(self.body)).encode()))
        headers += [(name.lower().encode(), value.encode("latin-1")) for name, value in self.headers]
        await send({"type": f"{start}.start", "status": self.status, "headers": headers})
        await send({"type": f"{start}.body", "body": self.body})


def ok(result: Any, status: int = 200, headers: Headers = ()) -> Response:
    """Return a response with a result as JSON."""
    return Response(status, ENCODER.encode(result), headers=tuple(headers))


def refusal(error: Refusal | IllegalCommand, *, status: int | None = None, headers: Headers = ()) -> Response:
    """Return a response with a refusal as JSON; refusals of the rules have status 409."""
    if isinstance(error, IllegalCommand):
        return Response(409, ENCODER.encode(as_error(error)), headers=tuple(headers))
    more = list(headers)
    if isinstance(wait := error.params.get("retry_after"), int):
        more.append(("retry-after", str(-(-wait // 1000))))
    return Response(status or error.status, ENCODER.encode(as_error(error)), headers=tuple(more))


def as_error(error: Refusal | IllegalCommand) -> Error:
    """Return a refusal as the body of a response."""
    if isinstance(error, IllegalCommand):
        return Error(error.reason.value, error.clause, error.params)
    return Error(error.problem.value, None, error.params)


def as_frame(command_id: str | None, error: Refusal | IllegalCommand) -> Refused:
    """Return a refusal as a frame."""
    known = as_error(error)
    return Refused(command_id, known.reason, known.clause, known.params)


def internal() -> Refusal:
    """Return the refusal for a bug of the server; it names no details."""
    return Refusal(Problem.INTERNAL)

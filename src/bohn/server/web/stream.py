"""The stream of a table over HTTP, for programs: the frames of the WebSocket as lines of JSON."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import structlog
from starlette.types import Receive

from bohn.protocol.endpoints import NDJSON
from bohn.server.tables.api import CutReason
from bohn.server.web.api_request import ApiRequest
from bohn.server.web.connections import Connection, session_and_users
from bohn.server.web.outbox import Outbox
from bohn.server.web.responses import ENCODER

LOG = structlog.get_logger("bohn.stream")

KEEP_ALIVE = 7.0
"""Seconds without a frame after which an empty line is sent."""

GOODBYE_TIMEOUT = 3.0
"""Seconds a client that was cut has to read its goodbye before the connection is dropped."""


class StreamConnection(Connection):
    """Sends a viewer's frames, one a line; it is a :class:`bohn.server.tables.api.Sink`."""

    __slots__ = ("_abort", "_cut", "_goodbye_timer", "_opening", "_outbox", "_request", "_wake_writer")

    def __init__(self, request: ApiRequest) -> None:
        """Nothing is sent until the first frame comes."""
        super().__init__(request.address, *session_and_users(request.identity))
        self._request = request
        self._abort: Callable[[], None] | None = request.scope.get("state", {}).get("abort")
        self._outbox = Outbox(request.services.settings.limits)
        self._wake_writer = asyncio.Event()
        self._cut: CutReason | None = None
        self._goodbye_timer: asyncio.TimerHandle | None = None
        self._opening = True

    def push(self, frame: bytes) -> None:
        """Queue one encoded frame; a full outbox cuts the stream."""
        if self._cut is None:
            if self._outbox.put(frame, bounded=not self._opening):
                self._wake_writer.set()
            else:
                self.cut("too-slow")

    def cut(self, reason: CutReason) -> None:
        """Send a goodbye and end; a client that was too slow loses the frames it has not read."""
        if self._cut is None:
            self._cut = reason
            self._request.services.metrics.cut(reason)
            if reason == "too-slow":
                self._outbox.clear()
            self._goodbye_timer = asyncio.get_running_loop().call_later(GOODBYE_TIMEOUT, self.abort)
            self._wake_writer.set()

    def expel(self, frame: bytes) -> None:
        """Send a last frame, and end."""
        self.push(frame)
        self.cut("signed-out")

    def abort(self) -> None:
        """Drop the connection at once, with whatever is still to be sent."""
        if self._abort is not None:
            self._abort()

    def opened(self) -> None:
        """Bound the outbox from now on: all batches the viewer missed are in it."""
        self._opening = False

    def ended(self) -> None:
        """Stop the timer of the goodbye."""
        if self._goodbye_timer is not None:
            self._goodbye_timer.cancel()

    async def write(self) -> None:
        """Send lines until the stream is cut."""
        while True:
            while (frame := self._outbox.take()) is not None:
                await self._line(frame)
            if self._cut is not None:
                await self._line(ENCODER.encode(self._request.services.connections.goodbye(self._cut)))
                return
            self._wake_writer.clear()
            try:
                await asyncio.wait_for(self._wake_writer.wait(), KEEP_ALIVE)
            except TimeoutError:
                await self._line(b"")

    async def _line(self, line: bytes) -> None:
        await self._request.send({"type": "http.response.body", "body": line + b"\n", "more_body": True})


async def serve_stream(request: ApiRequest, table: str, since: int | None) -> None:
    """Respond with a stream; raises :class:`Refusal` before anything is sent."""
    services = request.services
    lines = StreamConnection(request)
    services.connections.admit(request.address)
    with services.connections.counted(lines):
        async with services.chat.reading(request.user):
            watcher = await services.tables.watch(table, request.user, lines, since)
            lines.opened()
            services.metrics.opened("stream")
            try:
                await _send(request, lines)
            finally:
                services.tables.unwatch(watcher)
                lines.ended()
                services.metrics.closed("stream")


async def _send(request: ApiRequest, lines: StreamConnection) -> None:
    """Send until the stream is cut or the client has gone."""
    headers = [(b"content-type", NDJSON.encode()), (b"cache-control", b"no-store")]
    await request.send({"type": "http.response.start", "status": 200, "headers": headers})
    writing = asyncio.ensure_future(lines.write())
    leaving = asyncio.ensure_future(_gone(request.receive))
    try:
        await asyncio.wait({writing, leaving}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (writing, leaving):
            task.cancel()
        _, *failed = await asyncio.gather(leaving, writing, return_exceptions=True)
    if isinstance(failed[0], Exception) and not isinstance(failed[0], OSError):
        LOG.error("mistake", exc_info=failed[0], operation="stream")
    await request.send({"type": "http.response.body", "body": b"", "more_body": False})


async def _gone(receive: Receive) -> None:
    """Return when the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass

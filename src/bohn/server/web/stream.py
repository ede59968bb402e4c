"""The stream of a table as lines of JSON over HTTP: the same frames as on the WebSocket, for programs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import structlog
from starlette.types import Receive

from bohn.server.tables.api import CutReason
from bohn.server.web.answers import ENCODER, NDJSON
from bohn.server.web.calls import Call
from bohn.server.web.connections import Connection
from bohn.server.web.outbox import Outbox

LOG = structlog.get_logger("bohn.stream")

KEEP_ALIVE = 7.0
"""Seconds without a frame after which an empty line is sent."""

PATIENCE = 3.0
"""Seconds a stream that was cut has to take its goodbye."""


class Lines(Connection):
    """Where a viewer's frames go, one a line; see :class:`bohn.server.tables.api.Sink`."""

    __slots__ = ("_abort", "_call", "_cut", "_farewell", "_news", "_opening", "_outbox")

    def __init__(self, call: Call) -> None:
        """Nothing is sent until the first frame comes."""
        super().__init__(call.address, None if call.identity is None else call.identity.session.digest)
        self._call = call
        self._abort: Callable[[], None] | None = call.scope.get("state", {}).get("abort")
        self._outbox = Outbox(call.site.settings.limits)
        self._news = asyncio.Event()
        self._cut: CutReason | None = None
        self._farewell: asyncio.TimerHandle | None = None
        self._opening = True

    def push(self, frame: bytes) -> None:
        """Take one encoded frame; a full outbox cuts the stream off."""
        if self._cut is None:
            if self._outbox.put(frame, bounded=not self._opening):
                self._news.set()
            else:
                self.cut("too-slow")

    def cut(self, reason: CutReason) -> None:
        """Say goodbye, if it can still be sent, and end; a slow reader loses what he has not read."""
        if self._cut is None:
            self._cut = reason
            self._call.site.metrics.cut(reason)
            if reason == "too-slow":
                self._outbox.clear()
            self._farewell = asyncio.get_running_loop().call_later(PATIENCE, self.abort)
            self._news.set()

    def abort(self) -> None:
        """End at once, whatever is still to be sent."""
        if self._abort is not None:
            self._abort()

    def opened(self) -> None:
        """From now on the outbox is bounded."""
        self._opening = False

    def ended(self) -> None:
        """Let go of everything."""
        if self._farewell is not None:
            self._farewell.cancel()

    async def write(self) -> None:
        """Send lines until the stream is cut."""
        while True:
            while (frame := self._outbox.take()) is not None:
                await self._line(frame)
            if self._cut is not None:
                await self._line(ENCODER.encode(self._call.site.connections.goodbye(self._cut)))
                return
            self._news.clear()
            try:
                await asyncio.wait_for(self._news.wait(), KEEP_ALIVE)
            except TimeoutError:
                await self._line(b"")

    async def _line(self, line: bytes) -> None:
        await self._call.send({"type": "http.response.body", "body": line + b"\n", "more_body": True})


async def serve_stream(call: Call, table: str, since: int | None) -> None:
    """Answer with a stream; raises :class:`Refusal` before anything is sent."""
    site = call.site
    lines = Lines(call)
    site.connections.admit(call.address)
    with site.connections.holding(lines):
        muted = await site.chat.muted_by(call.user)
        with site.chat.reading(call.user, muted):
            watcher = await site.tables.watch(table, call.user, lines, since)
            lines.opened()
            site.metrics.opened("stream")
            try:
                await _send(call, lines)
            finally:
                site.tables.unwatch(watcher)
                lines.ended()
                site.metrics.closed("stream")


async def _send(call: Call, lines: Lines) -> None:
    """Send until the stream is cut or the client has gone."""
    headers = [(b"content-type", NDJSON.encode()), (b"cache-control", b"no-store")]
    await call.send({"type": "http.response.start", "status": 200, "headers": headers})
    writing = asyncio.ensure_future(lines.write())
    leaving = asyncio.ensure_future(_gone(call.receive))
    try:
        await asyncio.wait({writing, leaving}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (writing, leaving):
            task.cancel()
        _, *failed = await asyncio.gather(leaving, writing, return_exceptions=True)
    if isinstance(failed[0], Exception) and not isinstance(failed[0], OSError):
        LOG.error("mistake", exc_info=failed[0], operation="stream")
    await call.send({"type": "http.response.body", "body": b"", "more_body": False})


async def _gone(receive: Receive) -> None:
    """Return when the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass

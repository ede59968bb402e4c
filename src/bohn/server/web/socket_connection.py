"""The sending side of a WebSocket: directly while the client keeps up, from a task while it is slow."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from starlette.types import Scope, Send

from bohn.protocol import frames
from bohn.server.people.service import Identity
from bohn.server.tables.api import CutReason
from bohn.server.web.api_request import address
from bohn.server.web.connections import Connection, session_and_users
from bohn.server.web.outbox import Outbox
from bohn.server.web.responses import ENCODER
from bohn.server.web.services import Services

CODES: dict[CutReason, int] = {
    "server-stopping": 1012,
    "too-slow": 1013,
    "rate-limited": 1013,
    "not-saved": 1013,
    "seat-left": 1008,
    "signed-out": 1008,
    "look-again": 1013,
}
"""The WebSocket close code of each reason: 1012 and 1013 mean "reconnect", 1008 means "do not"."""

REFUSED = 1008
"""The close code after a refusal (policy violation)."""

MISTAKE = 1011
"""The close code after a bug of the server (internal error)."""

GOODBYE_TIMEOUT = 3.0
"""Seconds a client that was cut has to read its goodbye before the connection is dropped."""

DIRECT_BYTES = 65_536
"""The most bytes written directly; more go through the task, which waits for a client that turns out slow."""


class DirectWriter(Protocol):
    """Writes without ASGI, as :class:`bohn.server.web.uvicorn_protocols.LimitedWebSocketProtocol` can."""

    @property
    def keeps_up(self) -> bool:
        """Whether what is written now leaves at once."""
        ...

    def send_frames(self, frames: list[bytes]) -> None:
        """Send text frames with one write."""
        ...


class SocketConnection(Connection):
    """Sends a viewer's frames over a WebSocket; it is a :class:`bohn.server.tables.api.Sink`."""

    __slots__ = (
        "_abort",
        "_answering",
        "_cut",
        "_direct",
        "_ended",
        "_goodbye_timer",
        "_opening",
        "_outbox",
        "_scheduled",
        "_send",
        "_services",
        "_stopping",
        "_writer",
    )  # fmt: skip

    def __init__(self, services: Services, scope: Scope, send: Send, identity: Identity | None) -> None:
        """Nothing is sent until the first frame comes."""
        super().__init__(address(scope), *session_and_users(identity))
        self._services = services
        self._send = send
        state = scope.get("state", {})
        self._abort: Callable[[], None] | None = state.get("abort")
        self._direct: DirectWriter | None = state.pop("direct", None)
        self._outbox = Outbox(services.settings.limits)
        self._writer: asyncio.Task[None] | None = None
        self._cut: tuple[bytes | None, int] | None = None
        self._goodbye_timer: asyncio.TimerHandle | None = None
        self._opening = True
        self._ended = False
        self._scheduled = False
        self._answering = False
        self._stopping = False

    @property
    def closing(self) -> bool:
        """Whether it was cut, so that no more frames are handled."""
        return self._cut is not None

    def push(self, frame: bytes) -> None:
        """Queue one encoded frame; a full outbox cuts the connection."""
        if self._cut is None and not self._ended:
            if self._outbox.put(frame, bounded=not self._opening):
                self._schedule()
            else:
                self.cut("too-slow")

    def answer(self, frame: frames.AnyServerFrame) -> None:
        """Queue one frame for this client alone."""
        self.push(ENCODER.encode(frame))

    def opened(self) -> None:
        """Bound the outbox from now on: all batches the viewer missed are in it."""
        self._opening = False

    def cut(self, reason: CutReason) -> None:
        """Send a goodbye and close; a client that was too slow loses the frames it has not read."""
        if reason == "server-stopping" and self._answering:
            self._stopping = True  # the frame at hand is answered first
        elif self._cut is None and not self._ended:
            self._services.metrics.cut(reason)
            if reason == "too-slow":
                self._outbox.clear()
            self._close(ENCODER.encode(self._services.connections.goodbye(reason)), CODES[reason])

    def expel(self, frame: bytes) -> None:
        """Send a last frame, and close."""
        if self._cut is None and not self._ended:
            self._close(frame, REFUSED)

    def dismiss(self, frame: frames.AnyServerFrame, code: int = REFUSED) -> None:
        """Send a last frame, and close."""
        if self._cut is None and not self._ended:
            self._close(ENCODER.encode(frame), code)

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Delay the goodbye of a stopping server until the frame at hand is answered."""
        self._answering = True
        try:
            yield
        finally:
            self._answering = False
            if self._stopping:
                self.cut("server-stopping")

    def abort(self) -> None:
        """Drop the connection at once, with whatever is still to be sent."""
        if self._abort is not None:
            self._abort()

    def _close(self, last: bytes, code: int) -> None:
        self._cut = (last, code)
        self._goodbye_timer = asyncio.get_running_loop().call_later(GOODBYE_TIMEOUT, self.abort)
        self._schedule()

    def _schedule(self) -> None:
        """Schedule sending: all frames of this round of the event loop are sent together."""
        if self._writer is None and not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        """Write directly if the client keeps up; else start a task that waits for it."""
        self._scheduled = False
        if self._ended or self._writer is not None:
            return
        if (
            self._cut is None
            and self._outbox.size <= DIRECT_BYTES
            and self._direct is not None
            and self._direct.keeps_up
        ):
            try:
                self._direct.send_frames(self._outbox.take_all())
            except (OSError, RuntimeError):  # the transport has gone; the receiving side hears of it too
                self._ended = True
        else:
            self._writer = asyncio.get_running_loop().create_task(self._write())

    async def _write(self) -> None:
        """Send all queued frames through ASGI, and the goodbye if the connection was cut."""
        try:
            while (frame := self._outbox.take()) is not None:
                await self._send({"type": "websocket.send", "text": frame.decode()})
            if self._cut is not None and not self._ended:
                last, code = self._cut
                if last is not None:
                    self._cut = (None, code)
                    await self._send({"type": "websocket.send", "text": last.decode()})
                    await self._send({"type": "websocket.close", "code": code})
        except (OSError, RuntimeError):  # RuntimeError is how uvicorn says that it has closed already
            self._ended = True  # the receiving side hears of it too, and ends the socket
            self._outbox.clear()
        finally:
            self._writer = None

    async def end(self) -> None:
        """Release everything after the client has left or was cut."""
        writer, self._ended, self._direct = self._writer, True, None
        self._outbox.clear()
        if writer is not None:
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)
        if self._goodbye_timer is not None:
            self._goodbye_timer.cancel()

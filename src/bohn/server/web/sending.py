"""What goes out on a WebSocket: at once while the client keeps up, from a task while he is waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from starlette.types import Scope, Send

from bohn.server.tables.api import CutReason
from bohn.server.web.answers import ENCODER
from bohn.server.web.calls import address
from bohn.server.web.connections import Connection
from bohn.server.web.outbox import Outbox
from bohn.server.web.site import Site
from bohn.server.wire import frames

CODES: dict[CutReason, int] = {
    "server-stopping": 1012,
    "too-slow": 1013,
    "rate-limited": 1013,
    "not-saved": 1013,
    "seat-left": 1008,
    "signed-out": 1008,
    "look-again": 1013,
}
"""How a socket is closed: 1012 and 1013 say come back, 1008 says that there is nothing to come back for."""

REFUSED = 1008
MISTAKE = 1011
PATIENCE = 3.0
"""Seconds a socket that was cut has to take its goodbye."""


QUICK = 65_536
"""More bytes than this are not handed to the system in one go: a client may be slow for all we know."""


class Wire(Protocol):
    """The way past ASGI to a client that keeps up (:class:`bohn.server.web.wires.SocketWire`)."""

    @property
    def keeps_up(self) -> bool:
        """Whether what is sent now leaves at once."""
        ...

    def send_frames(self, frames: list[bytes]) -> None:
        """Send frames of text in one go."""
        ...


class Socket(Connection):
    """Where a viewer's frames go; see :class:`bohn.server.tables.api.Sink`."""

    __slots__ = (
        "_abort", "_busy", "_cut", "_due", "_ended", "_farewell", "_opening", "_outbox", "_send", "_site",
        "_stopping", "_wire", "_writer",
    )  # fmt: skip

    def __init__(self, site: Site, scope: Scope, send: Send, session: str | None) -> None:
        """Nothing is sent until the first frame comes."""
        super().__init__(address(scope), session)
        self._site = site
        self._send = send
        state = scope.get("state", {})
        self._abort: Callable[[], None] | None = state.get("abort")
        self._wire: Wire | None = state.pop("wire", None)
        self._outbox = Outbox(site.settings.limits)
        self._writer: asyncio.Task[None] | None = None
        self._cut: tuple[bytes | None, int] | None = None
        self._farewell: asyncio.TimerHandle | None = None
        self._opening = True
        self._ended = False
        self._due = False
        self._busy = False
        self._stopping = False

    @property
    def closing(self) -> bool:
        """Whether nothing is done for this socket any more."""
        return self._cut is not None

    def push(self, frame: bytes) -> None:
        """Take one encoded frame; a full outbox cuts the socket off."""
        if self._cut is None and not self._ended:
            if self._outbox.put(frame, bounded=not self._opening):
                self._wake()
            else:
                self.cut("too-slow")

    def answer(self, frame: frames.AnyServerFrame) -> None:
        """Take one frame of one's own."""
        self.push(ENCODER.encode(frame))

    def opened(self) -> None:
        """From now on the outbox is bounded: what a viewer missed has been put into it."""
        self._opening = False

    def cut(self, reason: CutReason) -> None:
        """Say goodbye, if it can still be sent, and close; a slow reader loses what he has not read."""
        if reason == "server-stopping" and self._busy:
            self._stopping = True  # what is in flight is answered first
        elif self._cut is None and not self._ended:
            self._site.metrics.cut(reason)
            if reason == "too-slow":
                self._outbox.clear()
            self._close(ENCODER.encode(self._site.connections.goodbye(reason)), CODES[reason])

    def dismiss(self, frame: frames.AnyServerFrame, code: int = REFUSED) -> None:
        """Send a last frame, and close."""
        if self._cut is None and not self._ended:
            self._close(ENCODER.encode(frame), code)

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Answer what is in flight before a server that stops says goodbye."""
        self._busy = True
        try:
            yield
        finally:
            self._busy = False
            if self._stopping:
                self.cut("server-stopping")

    def abort(self) -> None:
        """End at once, whatever is still to be sent."""
        if self._abort is not None:
            self._abort()

    def _close(self, last: bytes, code: int) -> None:
        self._cut = (last, code)
        self._farewell = asyncio.get_running_loop().call_later(PATIENCE, self.abort)
        self._wake()

    def _wake(self) -> None:
        """Send soon: all that comes in this round of the event loop leaves together."""
        if self._writer is None and not self._due:
            self._due = True
            asyncio.get_running_loop().call_soon(self._go)

    def _go(self) -> None:
        """Send at once what can be sent at once; a task takes over where somebody must be waited for."""
        self._due = False
        if self._ended or self._writer is not None:
            return
        if (
            self._cut is None
            and self._outbox.size <= QUICK
            and self._wire is not None
            and self._wire.keeps_up
        ):
            try:
                self._wire.send_frames(self._outbox.take_all())
            except (OSError, RuntimeError):  # the transport has gone; the receiving side hears of it too
                self._ended = True
        else:
            self._writer = asyncio.get_running_loop().create_task(self._write())

    async def _write(self) -> None:
        """Send what there is, and end."""
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
        """The client has gone, or was sent away: let go of everything."""
        writer, self._ended, self._wire = self._writer, True, None
        self._outbox.clear()
        if writer is not None:
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)
        if self._farewell is not None:
            self._farewell.cancel()

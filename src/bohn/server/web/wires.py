"""uvicorn's protocols, which here drop whoever does not read, does not ask, or sends without end."""

from __future__ import annotations

import asyncio
from asyncio.transports import BaseTransport
from collections import Counter
from collections.abc import Callable
from typing import Any, cast

from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.middleware.proxy_headers import _TrustedHosts
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import State

from bohn.server.buckets import Bucket, group
from bohn.server.settings import Settings

PATIENCE = 20.0
"""Seconds in which a connection must have sent the head of its next request, or shaken hands."""

BUFFERED = 32_768
"""Bytes a connection may have on their way in this process before its writer waits."""

UNREAD = 4 * BUFFERED
"""With more bytes on their way than an honest slow reader ever has, a ping is no longer answered."""

MOUTHFUL = 4_096
"""Bytes of one WebSocket that are looked at before it is another's turn."""

FRAMES_AT_ONCE = 300
FRAMES_A_SECOND = 100.0
"""Frames of any kind, empty ones and parts of messages too."""

FRAGMENTS = 64
"""Parts one message may come in."""

SPARE_CONNECTIONS = 512
"""Connections beside the sockets."""

CONNECTIONS_AN_ADDRESS = 256


class Crowd:
    """Who is connected: so many in all, and so many from one household."""

    def __init__(self, settings: Settings) -> None:
        """Count nobody yet; proxies and this machine are counted in all only."""
        self._most = settings.limits.sockets + SPARE_CONNECTIONS
        limits = settings.limits  # whoever may send more commands may send more frames
        self.frames = (
            FRAMES_AT_ONCE + limits.commands_at_once,
            FRAMES_A_SECOND + 2 * limits.commands_a_second,
        )
        self._proxies = _TrustedHosts(list(settings.proxies))
        self._all = 0
        self._households: Counter[str] = Counter()

    def enter(self, address: str | None) -> Callable[[], None] | None:
        """Count a connection and return how it leaves, or None if there is no room for it."""
        key = self._household(address)
        if self._all >= self._most or (key and self._households[key] >= CONNECTIONS_AN_ADDRESS):
            return None
        self._all += 1
        self._households[key] += 1
        return lambda: self._leave(key)

    def _leave(self, key: str) -> None:
        self._all -= 1
        self._households[key] -= 1
        if not self._households[key]:
            del self._households[key]

    def _household(self, address: str | None) -> str:
        """Return whom a connection is counted with; nobody's share is limited who speaks for many."""
        if address is None or address in self._proxies:
            return ""
        key = group(address)
        return "" if key == "::" or key.startswith("127.") else key


class HttpWire(H11Protocol):
    """HTTP/1.1; ``scope["state"]["abort"]`` drops the connection at once."""

    crowd: Crowd
    """Set by :func:`http_wire`."""

    _patience: asyncio.TimerHandle | None = None
    _leave: Callable[[], None] | None = None
    _handed_over = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # mypy - uvicorn narrows it too
        """Hand the way to drop a connection to the application, and wait for a request only so long."""
        super().connection_made(transport)
        self._leave = self.crowd.enter(self.client[0] if self.client else None)
        if self._leave is None:
            transport.abort()
        else:
            self.app_state = {**self.app_state, "abort": transport.abort}
            self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of everything."""
        self._handed_over = True
        self._watch()
        if self._leave is not None:
            self._leave()
            self._leave = None
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Stop waiting when a whole head has come; wait only so long when the next one begins."""
        super().handle_events()
        self._watch()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hand the connection over, unless a body is announced, which no handshake has."""
        headers = dict(self.headers)
        if b"transfer-encoding" in headers or headers.get(b"content-length", b"0") != b"0":
            self.send_400_response("A handshake has no body.")
            return
        self._handed_over = True
        self._watch()
        if self._leave is not None:
            self.app_state["leave"] = self._leave
            self._leave = None
        crowd = cast("Crowd | None", self.crowd)
        if crowd is not None:
            self.app_state["frames"] = crowd.frames
        super().handle_websocket_upgrade(event)

    def _watch(self) -> None:
        """Have a limit on the time in which nothing is being answered, and on no other."""
        cycle = cast("Any", self.cycle)  # None before the first request, whatever uvicorn's types say
        waiting = not self._handed_over and (cycle is None or cycle.response_complete)
        if waiting and self._patience is None:
            self._patience = self.loop.call_later(PATIENCE, self.transport.abort)
        elif not waiting and self._patience is not None:
            self._patience.cancel()
            self._patience = None


def http_wire(settings: Settings) -> type[HttpWire]:
    """Return the protocol of one server, which counts that server's connections."""

    class Wire(HttpWire):
        crowd = Crowd(settings)

    return Wire


class SocketWire(WebSocketsSansIOProtocol):
    """WebSocket; the way to drop the connection is that of the HTTP request it began as."""

    _leave: Callable[[], None] | None = None
    _patience: asyncio.TimerHandle | None = None
    _rest = b""

    def connection_made(self, transport: BaseTransport) -> None:
        """Let little wait in this process for a client that does not read, or does not shake hands."""
        super().connection_made(transport)
        cast("asyncio.Transport", transport).set_write_buffer_limits(high=BUFFERED)
        self._leave = self.app_state.pop("leave", None)
        self.app_state = {**self.app_state, "wire": self}
        at_once, a_second = self.app_state.pop("frames", (FRAMES_AT_ONCE, FRAMES_A_SECOND))
        self._frames = Bucket(at_once, a_second, self.loop.time())
        self._patience = self.loop.call_later(PATIENCE, self._lose_patience)

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of everything, of oneself too."""
        super().connection_lost(exc)
        self.app_state = {}
        self._rest = b""
        if self._patience is not None:
            self._patience.cancel()
        if self._leave is not None:
            self._leave()
            self._leave = None

    def _lose_patience(self) -> None:
        if not self.handshake_complete:
            self.transport.abort()

    def shutdown(self) -> None:
        """Close; who has not shaken hands properly is owed no answer, and uvicorn knows none."""
        if self.handshake_initiated:
            super().shutdown()
        else:
            self.transport.abort()

    # -- what comes in -------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Look at what came, at much of it in several rounds of the event loop."""
        if not self.handshake_initiated or (len(data) <= MOUTHFUL and not self._rest):
            super().data_received(data)
            return
        waiting = bool(self._rest)
        self._rest += data
        self.transport.pause_reading()
        if not waiting:
            self._swallow()

    def _swallow(self) -> None:
        """Look at the next part, and read on when all has been looked at."""
        part, self._rest = self._rest[:MOUTHFUL], self._rest[MOUTHFUL:]
        if part and not self.transport.is_closing():
            super().data_received(part)
        if self.transport.is_closing():
            self._rest = b""
        elif self._rest:
            self.loop.call_soon(self._swallow)
        elif not self.read_paused:
            self.transport.resume_reading()

    async def receive(self) -> ASGIReceiveEvent:
        """Return the next event; uvicorn reads on then, which must wait while there is a rest."""
        event = await super().receive()
        if self._rest and not self.transport.is_closing():
            self.transport.pause_reading()
        return event

    def handle_events(self) -> None:
        """Drop who sends too many frames."""
        if self._frames.take(self.loop.time(), len(self.conn.events)):
            self.transport.abort()
        else:
            super().handle_events()

    def handle_ping(self) -> None:
        """Answer a ping, and drop who reads no answers."""
        if self.transport.get_write_buffer_size() > UNREAD:
            self._drop_soon()
        else:
            super().handle_ping()

    def handle_cont(self, event: Frame) -> None:
        """Put a message together, and drop who sends it in crumbs."""
        if len(self.frames) >= FRAGMENTS:
            self._drop_soon()
        else:
            super().handle_cont(event)

    def _drop_soon(self) -> None:
        """Drop the connection when uvicorn is through with the frames beside this one."""
        self.loop.call_soon(self.transport.abort)

    # -- what goes out -------------------------------------------------------------------------------------

    async def send(self, message: ASGISendEvent) -> None:
        """Send; a handshake that was refused is complete as well, which uvicorn would log as an error."""
        await super().send(message)
        if self.close_sent:
            self.handshake_complete = True

    @property
    def keeps_up(self) -> bool:
        """Whether what is sent now leaves at once."""
        return self.writable.is_set() and not self.close_sent and self.conn.state is State.OPEN

    def send_frames(self, frames: list[bytes]) -> None:
        """Send frames of text in one go, which is one call of the system for all of them."""
        for frame in frames:
            self.conn.send_text(frame)
        self.transport.write(b"".join(self.conn.data_to_send()))

"""uvicorn's HTTP and WebSocket protocols with limits: clients that are too slow or send too much are dropped.

They use parts of uvicorn that are not public: tests/server/web/test_uvicorn.py checks each of them.
"""

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

HEAD_TIMEOUT = 20.0
"""Seconds a connection has to send the head of its next request, or to finish the WebSocket handshake."""

BUFFERED = 32_768
"""Unsent bytes a WebSocket may have in this process before its writer waits."""

UNREAD = 4 * BUFFERED
"""Unsent bytes from which a ping drops the connection: a client that is merely slow never has so many."""

CHUNK = 4_096
"""Bytes of one WebSocket that are parsed before other connections get their turn."""

FRAMES_AT_ONCE = 300
FRAMES_A_SECOND = 100.0
"""Frames of any kind one socket may send, beside its commands; empty frames and fragments count too."""

FRAGMENTS = 64
"""Frames one message may be split into."""

SPARE_CONNECTIONS = 512
"""Connections of all clients together beside the limit of WebSockets, for HTTP requests."""

CONNECTIONS_AN_ADDRESS = 256
"""Connections of one address: people behind one router share it."""


class ConnectionCounter:
    """Counts open connections, in all and by address, and refuses those above the limits."""

    def __init__(self, settings: Settings) -> None:
        """Begin with none; connections of proxies and of this machine have no limit by address."""
        self._most = settings.limits.sockets + SPARE_CONNECTIONS
        limits = settings.limits  # settings with a higher rate of commands raise the rate of frames too
        self.frames = (
            FRAMES_AT_ONCE + limits.commands_at_once,
            FRAMES_A_SECOND + 2 * limits.commands_a_second,
        )
        self._proxies = _TrustedHosts(list(settings.proxies))
        self._all = 0
        self._by_address: Counter[str] = Counter()

    def open(self, address: str | None) -> Callable[[], None] | None:
        """Count a connection and return the function that releases it, or ``None`` if there is no room."""
        key = self._key(address)
        if self._all >= self._most or (key and self._by_address[key] >= CONNECTIONS_AN_ADDRESS):
            return None
        self._all += 1
        self._by_address[key] += 1
        return lambda: self._close(key)

    def _close(self, key: str) -> None:
        self._all -= 1
        self._by_address[key] -= 1
        if not self._by_address[key]:
            del self._by_address[key]

    def _key(self, address: str | None) -> str:
        """Return the address a connection is counted under; empty for proxies and this machine."""
        if address is None or address in self._proxies:
            return ""
        key = group(address)
        return "" if key == "::" or key.startswith("127.") else key


class LimitedHttpProtocol(H11Protocol):
    """HTTP/1.1; ``scope["state"]["abort"]`` drops the connection at once."""

    counter: ConnectionCounter
    """Set by :func:`http_protocol`."""

    _head_timer: asyncio.TimerHandle | None = None
    _release: Callable[[], None] | None = None
    _handed_over = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # mypy - uvicorn narrows it too
        """Count the connection, give the application ``abort``, and start the timer of the request's head."""
        super().connection_made(transport)
        self._release = self.counter.open(self.client[0] if self.client else None)
        if self._release is None:
            transport.abort()
        else:
            self.app_state = {**self.app_state, "abort": transport.abort}
            self._set_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer and release the connection's place."""
        self._handed_over = True
        self._set_timer()
        if self._release is not None:
            self._release()
            self._release = None
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Stop the timer when a whole head has come; start it when the response is complete."""
        super().handle_events()
        self._set_timer()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hand the connection to the WebSocket protocol; refuse a handshake that announces a body."""
        headers = dict(self.headers)
        if b"transfer-encoding" in headers or headers.get(b"content-length", b"0") != b"0":
            self.send_400_response("A handshake has no body.")
            return
        self._handed_over = True
        self._set_timer()
        if self._release is not None:
            self.app_state["release"] = self._release
            self._release = None
        counter = cast("ConnectionCounter | None", self.counter)
        if counter is not None:
            self.app_state["frames"] = counter.frames
        super().handle_websocket_upgrade(event)

    def _set_timer(self) -> None:
        """Run the timer while no request is being answered, and only then."""
        cycle = cast("Any", self.cycle)  # None before the first request, whatever uvicorn's types say
        waiting = not self._handed_over and (cycle is None or cycle.response_complete)
        if waiting and self._head_timer is None:
            self._head_timer = self.loop.call_later(HEAD_TIMEOUT, self.transport.abort)
        elif not waiting and self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None


def http_protocol(settings: Settings) -> type[LimitedHttpProtocol]:
    """Return the HTTP protocol class of one server, which counts that server's connections."""

    class CountedHttpProtocol(LimitedHttpProtocol):
        counter = ConnectionCounter(settings)

    return CountedHttpProtocol


class LimitedWebSocketProtocol(WebSocketsSansIOProtocol):
    """WebSocket; ``abort`` in its scope's state is that of the HTTP request it began as."""

    _release: Callable[[], None] | None = None
    _head_timer: asyncio.TimerHandle | None = None
    _unparsed = b""

    def connection_made(self, transport: BaseTransport) -> None:
        """Bound the unsent bytes and the frames a second, and start the timer of the handshake."""
        super().connection_made(transport)
        cast("asyncio.Transport", transport).set_write_buffer_limits(high=BUFFERED)
        self._release = self.app_state.pop("release", None)
        self.app_state = {**self.app_state, "direct": self}
        at_once, a_second = self.app_state.pop("frames", (FRAMES_AT_ONCE, FRAMES_A_SECOND))
        self._frames = Bucket(at_once, a_second, self.loop.time())
        self._head_timer = self.loop.call_later(HEAD_TIMEOUT, self._check_handshake)

    def connection_lost(self, exc: Exception | None) -> None:
        """Release everything, the reference to itself too, and release the connection's place."""
        super().connection_lost(exc)
        self.app_state = {}
        self._unparsed = b""
        if self._head_timer is not None:
            self._head_timer.cancel()
        if self._release is not None:
            self._release()
            self._release = None

    def _check_handshake(self) -> None:
        if not self.handshake_complete:
            self.transport.abort()

    def shutdown(self) -> None:
        """Close; without a valid handshake drop the connection, which uvicorn would not do."""
        if self.handshake_initiated:
            super().shutdown()
        else:
            self.transport.abort()

    # -- what comes in -------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Parse what came; more than a chunk is parsed in several rounds of the event loop."""
        if not self.handshake_initiated or (len(data) <= CHUNK and not self._unparsed):
            super().data_received(data)
            return
        waiting = bool(self._unparsed)
        self._unparsed += data
        self.transport.pause_reading()
        if not waiting:
            self._parse_chunk()

    def _parse_chunk(self) -> None:
        """Parse the next chunk, and read on when nothing is left."""
        chunk, self._unparsed = self._unparsed[:CHUNK], self._unparsed[CHUNK:]
        if chunk and not self.transport.is_closing():
            super().data_received(chunk)
        if self.transport.is_closing():
            self._unparsed = b""
        elif self._unparsed:
            self.loop.call_soon(self._parse_chunk)
        elif not self.read_paused:
            self.transport.resume_reading()

    async def receive(self) -> ASGIReceiveEvent:
        """Return the next event; uvicorn reads on then, which must wait while bytes are unparsed."""
        event = await super().receive()
        if self._unparsed and not self.transport.is_closing():
            self.transport.pause_reading()
        return event

    def handle_events(self) -> None:
        """Drop a client that sends too many frames."""
        if self._frames.take(self.loop.time(), len(self.conn.events)):
            self.transport.abort()
        else:
            super().handle_events()

    def handle_ping(self) -> None:
        """Answer a ping; drop a client that reads no answers."""
        if self.transport.get_write_buffer_size() > UNREAD:
            self._drop_soon()
        else:
            super().handle_ping()

    def handle_cont(self, event: Frame) -> None:
        """Put a message together; drop a client that splits it into too many frames."""
        if len(self.frames) >= FRAGMENTS:
            self._drop_soon()
        else:
            super().handle_cont(event)

    def _drop_soon(self) -> None:
        """Drop the connection after uvicorn has handled the frames it has read with this one."""
        self.loop.call_soon(self.transport.abort)

    # -- what goes out -------------------------------------------------------------------------------------

    async def send(self, message: ASGISendEvent) -> None:
        """Send; mark a refused handshake as complete, which uvicorn would log as an error otherwise."""
        await super().send(message)
        if self.close_sent:
            self.handshake_complete = True

    @property
    def keeps_up(self) -> bool:
        """Whether what is written now leaves at once."""
        return self.writable.is_set() and not self.close_sent and self.conn.state is State.OPEN

    def send_frames(self, frames: list[bytes]) -> None:
        """Send text frames with one write, which is one system call for all of them."""
        for frame in frames:
            self.conn.send_text(frame)
        self.transport.write(b"".join(self.conn.data_to_send()))

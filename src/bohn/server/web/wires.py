"""uvicorn's protocols, with what this server needs besides: a way to drop a client that does not read."""

from __future__ import annotations

import asyncio
from asyncio.transports import BaseTransport
from typing import Any, cast

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

PATIENCE = 20.0
"""Seconds in which a new connection must have sent the head of a request."""

BUFFERED = 32_768
"""Bytes a connection may have on their way in this process before its writer waits."""


class HttpWire(H11Protocol):
    """HTTP/1.1; ``scope["state"]["abort"]`` drops the connection at once."""

    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # mypy - uvicorn narrows it too
        """Hand the way to drop a connection to the application, and wait for a request only so long."""
        super().connection_made(transport)
        self.app_state = {**self.app_state, "abort": transport.abort}
        self._patience = self.loop.call_later(PATIENCE, self._lose_patience)

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of everything."""
        self._calm()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hand the connection over."""
        self._calm()
        super().handle_websocket_upgrade(event)

    def _lose_patience(self) -> None:
        if cast("object | None", self.cycle) is None:  # no request yet
            self.transport.abort()

    def _calm(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None


class SocketWire(WebSocketsSansIOProtocol):
    """WebSocket; the way to drop the connection is that of the HTTP request it began as."""

    def connection_made(self, transport: BaseTransport) -> None:
        """Let little wait in this process for a client that does not read."""
        super().connection_made(transport)
        cast("asyncio.Transport", transport).set_write_buffer_limits(high=BUFFERED)
        self.app_state = {**self.app_state, "wire": self}

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of everything, of oneself too."""
        super().connection_lost(exc)
        self.app_state = {}

    @property
    def keeps_up(self) -> bool:
        """Whether what is sent now leaves at once."""
        return self.writable.is_set() and not self.close_sent and self.conn.state is State.OPEN

    def send_frames(self, frames: list[bytes]) -> None:
        """Send frames of text in one go, which is one call of the system for all of them."""
        for frame in frames:
            self.conn.send_text(frame)
        self.transport.write(b"".join(self.conn.data_to_send()))

"""uvicorn's protocols, with what this server needs besides: a way to drop a client that does not read."""

from __future__ import annotations

import asyncio
from asyncio.transports import BaseTransport
from typing import Any, cast

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

PATIENCE = 20.0
"""Seconds in which a new connection must have sent the head of a request."""

BUFFERED = 32_768
"""Bytes a connection may have on their way in this process before its writer waits."""


class HttpWire(H11Protocol):
    """HTTP/1.1; ``scope["state"]["abort"]`` drops the connection at once."""

    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
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
    """WebSocket; ``scope["state"]["abort"]`` drops the connection at once, unread bytes and all."""

    def connection_made(self, transport: BaseTransport) -> None:
        """Hand the way to drop a connection to the application."""
        super().connection_made(transport)
        kept = cast("asyncio.Transport", transport)
        kept.set_write_buffer_limits(high=BUFFERED)
        self.app_state = {**self.app_state, "abort": kept.abort}

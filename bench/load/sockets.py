"""WebSockets by hand, as cheap as they can be, so that the generator keeps its schedule on one core.

Frames to the server have a mask of zeros; frames from it are told apart by how their JSON begins, and only
those parts are decoded that the next command is made of.
"""

from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Raw, Struct

ACK = b'{"type":"ack","id":"'
REFUSED = b'{"type":"refused","id":"'
BATCH = b'{"type":"batch","seq":'
WELCOME = b'{"type":"welcome"'
LEGAL = b'"legal":'
EVENTS = b'"events":'
DECLINED = b'"offer-declined"'
SPACE = b'"offers":{"partners":'

TEXT, CLOSE, PING, PONG = 0x81, 0x88, 0x89, 0x8A


class Space(Struct, frozen=True):
    """What offers may be made of."""

    partners: tuple[int, ...] = ()
    hand: tuple[tuple[int, int], ...] = ()
    kinds: tuple[int, ...] = ()
    hand_revision: int = 0
    slots: int = 0
    may_be_open: bool = False


class Choices(Struct):
    """The choices of a seat; commands stay as they came."""

    legal: tuple[Raw, ...] = ()
    offers: Space = Space()


class Batch(Choices):
    """What is looked at in a batch: nothing but the choices."""


class Welcome(Struct):
    """What is looked at in a welcome."""

    seq: int
    seat: int | None = None
    choices: Choices | None = None


_batch = msgspec.json.Decoder(Batch)
_welcome = msgspec.json.Decoder(Welcome)

Answered = Callable[[str, bool, bytes], None]


def masked(payload: bytes, first: int = TEXT) -> bytes:
    """Return a client frame; the mask of zeros leaves the payload as it is."""
    size = len(payload)
    if size < 126:
        return bytes((first, 0x80 | size)) + b"\0\0\0\0" + payload
    return bytes((first, 0xFE)) + size.to_bytes(2, "big") + b"\0\0\0\0" + payload


class Socket(asyncio.Protocol):
    """One seat's stream: counts batches, keeps the latest choices as they came, passes answers on."""

    def __init__(
        self, port: int, table: str, cookie: str, answered: Answered, after: int | None = None
    ) -> None:
        """Aim at a table; ``answered`` is called with id, whether it was acknowledged, and the frame.

        ``after`` is the last batch that was seen by an earlier connection.
        """
        self.port = port
        self.after = after
        self.table = table
        self.cookie = cookie
        self.answered = answered
        self.transport: asyncio.Transport | None = None
        self.welcomed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.seat = -1
        self.seq = 0
        self.public = 0
        self.gaps = 0
        self.batches = 0
        self.received = 0
        self.lost = False
        self.wish: int | None = None
        self._rest = b""
        self._open = False
        self._legal_frame = self._space_frame = b""
        self._legal: tuple[bytes, ...] = ()
        self._space = Space()

    # -- the transport -----------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the upgrade."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - create_connection makes no other
        self.transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        seen = "" if self.after is None else f"&after={self.after}"
        lines = [
            f"GET /ws?table={self.table}{seen} HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            f"Origin: http://127.0.0.1:{self.port}",
            f"Cookie: {self.cookie}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
        ]
        transport.write("\r\n".join([*lines, "", ""]).encode())

    def connection_lost(self, exc: Exception | None) -> None:
        """Note the loss; nothing comes back by itself here."""
        self.lost = True
        if not self.welcomed.done():
            self.welcomed.set_exception(exc or ConnectionResetError(self._rest[:300]))

    def data_received(self, data: bytes) -> None:
        """Cut frames out of what has come."""
        self.received += len(data)
        if self._rest:
            data = self._rest + data
        start = 0
        if not self._open:
            head = data.find(b"\r\n\r\n")
            if head < 0 or not data.startswith(b"HTTP/1.1 101"):
                self._rest = data
                return
            self._open = True
            start = head + 4
        self._rest = data[self._frames(data, start) :]

    def _frames(self, data: bytes, start: int) -> int:
        """Take all whole frames; return where the rest begins."""
        size = len(data)
        while size - start >= 2:
            kind, length = data[start], data[start + 1]
            body = start + 2
            if length == 126:
                body = start + 4
                length = int.from_bytes(data[start + 2 : body], "big")
            elif length == 127:
                body = start + 10
                length = int.from_bytes(data[start + 2 : body], "big")
            end = body + length
            if end > size or body > size:
                return start
            if kind == TEXT:
                self._text(data, body, end)
            elif kind == PING and self.transport is not None:
                self.transport.write(masked(data[body:end], PONG))
            start = end
        return start

    # -- frames --------------------------------------------------------------------------------------

    def _text(self, data: bytes, start: int, end: int) -> None:
        if data.startswith(BATCH, start):
            self._batch(data, start, end)
        elif data.startswith(ACK, start):
            stop = data.find(b'"', start + len(ACK))
            self.answered(data[start + len(ACK) : stop].decode(), True, b"")
        elif data.startswith(REFUSED, start):
            stop = data.find(b'"', start + len(REFUSED))
            self.answered(data[start + len(REFUSED) : stop].decode(), False, data[start:end])
        elif data.startswith(WELCOME, start):
            self._welcome(data[start:end])

    def _batch(self, data: bytes, start: int, end: int) -> None:
        stop = data.find(b",", start + len(BATCH), end)
        seq = int(data[start + len(BATCH) : stop if stop > 0 else end - 1])
        self.gaps += seq != self.seq + 1
        self.seq = seq
        self.batches += 1
        if data.find(EVENTS, start, end) > 0 and data.find(DECLINED, start, end) < 0:
            self.public = seq  # everybody at the table sees something of it
        if data.find(LEGAL, start, end) > 0:
            self._legal_frame = data[start:end]
        if data.find(SPACE, start, end) > 0:
            self._space_frame = data[start:end]

    def _welcome(self, frame: bytes) -> None:
        welcome = _welcome.decode(frame)
        self.seq = self.public = welcome.seq
        self.seat = -1 if welcome.seat is None else welcome.seat
        if welcome.choices is not None:
            self._legal = tuple(map(bytes, welcome.choices.legal))
            self._space = welcome.choices.offers
            self._legal_frame = self._space_frame = b""
        if not self.welcomed.done():
            self.welcomed.set_result(None)

    # -- what may be done ------------------------------------------------------------------------------

    def legal(self) -> tuple[bytes, ...]:
        """Return the legal commands as they came, decoded once."""
        if self._legal_frame:
            self._legal = tuple(map(bytes, _batch.decode(self._legal_frame).legal))
            self._legal_frame = b""
        return self._legal

    def space(self) -> Space:
        """Return what offers may be made of, decoded once."""
        if self._space_frame:
            self._space = _batch.decode(self._space_frame).offers
            self._space_frame = b""
        return self._space

    def send(self, key: str, command: bytes) -> None:
        """Send a command."""
        if self.transport is not None and not self.lost:
            self.transport.write(
                masked(b'{"type":"command","id":"' + key.encode() + b'","command":' + command + b"}")
            )


async def connected(port: int, table: str, cookie: str, answered: Answered) -> Socket:
    """Open a socket and wait for its welcome."""
    loop = asyncio.get_running_loop()

    def made() -> Socket:
        return Socket(port, table, cookie, answered)

    pair: tuple[Any, Socket] = await loop.create_connection(made, "127.0.0.1", port)
    await asyncio.wait_for(pair[1].welcomed, 30)
    return pair[1]

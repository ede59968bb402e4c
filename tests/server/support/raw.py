"""A WebSocket by hand, for what no library would send, or leave unread."""

from __future__ import annotations

import base64
import os
import socket as sockets
from typing import Any

import msgspec


class Raw:
    """A WebSocket by hand, which reads only when it is told to."""

    def __init__(self, port: int, target: str, cookie: str, buffer: int = 4_096) -> None:
        """Shake hands."""
        self.socket = sockets.socket()
        self.socket.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, buffer)
        self.socket.settimeout(15)
        self.socket.connect(("127.0.0.1", port))
        key = base64.b64encode(os.urandom(16)).decode()
        lines = (
            f"GET {target} HTTP/1.1",
            f"Host: 127.0.0.1:{port}",
            f"Origin: http://127.0.0.1:{port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            f"Cookie: {cookie}",
            "\r\n",
        )
        self.socket.sendall("\r\n".join(lines).encode())
        self.data = b""
        while b"\r\n\r\n" not in self.data:
            self.data += self.socket.recv(1_024)
        head, _, self.data = self.data.partition(b"\r\n\r\n")
        assert b" 101 " in head, head

    def send(self, first: int, payload: bytes) -> None:
        """Send a short frame, masked with zeros."""
        self.socket.sendall(bytes((first, 0x80 | len(payload))) + b"\0\0\0\0" + payload)

    def _bytes(self, count: int) -> bytes:
        while len(self.data) < count:
            part = self.socket.recv(65_536)
            if not part:
                raise EOFError
            self.data += part
        taken, self.data = self.data[:count], self.data[count:]
        return taken

    def frame(self) -> tuple[int, bytes]:
        """Return the next frame: its opcode and payload."""
        first, size = self._bytes(2)
        if size == 126:
            size = int.from_bytes(self._bytes(2))
        elif size == 127:
            size = int.from_bytes(self._bytes(8))
        return first & 15, self._bytes(size)

    def next(self) -> dict[str, Any]:
        """Return the next frame of text."""
        found: dict[str, Any] = msgspec.json.decode(self.frame()[1])
        return found

    def closed_with(self) -> int:
        """Return the code the server closes with, and close."""
        return self.last_words()[1]

    def last_words(self) -> tuple[dict[str, Any], int]:
        """Read to the end; return the last frame and the closing code."""
        last: dict[str, Any] = {}
        while True:
            opcode, payload = self.frame()
            if opcode == 8:
                self.socket.close()
                return last, int.from_bytes(payload[:2])
            last = msgspec.json.decode(payload)

"""A small HTTP/1.1 client on asyncio streams: one kept connection, bodies as bytes, nothing hidden."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, NamedTuple

import msgspec


class HttpReply(NamedTuple):
    """What came back: status, headers (names in lower case, in their order), body."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str:
        """Return the first header of this name, or nothing."""
        return next((value for key, value in self.headers if key == name), "")

    @property
    def cookie(self) -> str:
        """Return ``name=value`` of the cookie that was set, or nothing."""
        return self.header("set-cookie").partition(";")[0]

    def json(self) -> Any:
        """Return the body, decoded."""
        return msgspec.json.decode(self.body)


class Unexpected(Exception):  # noqa: N818 - it says what happened
    """An answer with another status than was expected."""


class Http:
    """One connection to a server, opened when needed and again when it was closed; one request at a time."""

    def __init__(self, port: int, host: str = "127.0.0.1") -> None:
        """Note the address."""
        self.port = port
        self.host = host
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._turn = asyncio.Lock()

    async def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        cookie: str = "",
        headers: dict[str, str] | None = None,
    ) -> HttpReply:
        """Send a request and return what came back; raises ``OSError`` without a server."""
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.host}:{self.port}"]
        data = b"" if body is None else body if isinstance(body, bytes) else msgspec.json.encode(body)
        given = {"Content-Type": "application/json"} if body is not None else {}
        given |= {"Cookie": cookie} if cookie else {}
        given |= {"Content-Length": str(len(data))} if body is not None or method != "GET" else {}
        given |= headers or {}
        lines += [f"{name}: {value}" for name, value in given.items()]
        message = "\r\n".join([*lines, "", ""]).encode() + data
        async with self._turn:
            kept = self._streams is not None
            try:
                return await self._exchange(message, head=method == "HEAD")
            except (OSError, asyncio.IncompleteReadError):
                await self.close()
                if not kept:
                    raise ConnectionResetError from None
                return await self._exchange(message, head=method == "HEAD")

    async def expect(self, status: int, method: str, path: str, body: Any = None, *, cookie: str = "") -> Any:
        """Return the decoded body of an answer that must have this status."""
        answer = await self.request(method, path, body, cookie=cookie)
        if answer.status != status:
            msg = f"{method} {path}: {answer.status} {answer.body[:300]!r}, expected {status}"
            raise Unexpected(msg)
        return answer.json()

    async def _exchange(self, message: bytes, *, head: bool) -> HttpReply:
        if self._streams is None:
            self._streams = await asyncio.open_connection(self.host, self.port)
        reader, writer = self._streams
        writer.write(message)
        await writer.drain()
        start, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = tuple(
            (name.lower(), value.strip())
            for name, _, value in (line.partition(":") for line in lines if line)
        )
        answer = HttpReply(int(start.split()[1]), headers, b"")
        if not head:
            answer = answer._replace(body=await _body(reader, answer))
        if answer.header("connection").lower() == "close":
            await self.close()
        return answer

    async def close(self) -> None:
        """Close the connection; the next request opens another."""
        if self._streams is not None:
            writer = self._streams[1]
            self._streams = None
            writer.close()
            with contextlib.suppress(OSError):  # a server that was killed has closed it already
                await writer.wait_closed()


async def _body(reader: asyncio.StreamReader, answer: HttpReply) -> bytes:
    if answer.header("transfer-encoding") == "chunked":
        parts = []
        while size := int((await reader.readline()).partition(b";")[0], 16):
            parts.append(await reader.readexactly(size))
            await reader.readexactly(2)
        await reader.readline()
        return b"".join(parts)
    length = answer.header("content-length")
    return await reader.readexactly(int(length)) if length else b""

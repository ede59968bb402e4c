"""A server on this machine that takes what is posted to it, as ntfy and hooks do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec


class HookServer:
    """Takes JSON; ``status`` is what it answers, while ``open`` is set."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.port = 0
        self.status = 200
        self.open = asyncio.Event()
        self.open.set()
        self.taken: list[tuple[str, dict[str, str], dict[str, Any]]] = []

    @property
    def origin(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
            body = await reader.readexactly(int(headers["content-length"]))
            self.taken.append((first.split()[1], headers, msgspec.json.decode(body)))
            await self.open.wait()
            writer.write(f"HTTP/1.1 {self.status} X\r\nContent-Length: 0\r\n\r\n".encode())
            await writer.drain()
        finally:
            writer.close()


@asynccontextmanager
async def hook_server() -> AsyncIterator[HookServer]:
    """Run it on a free port."""
    found = HookServer()
    server = await asyncio.start_server(found._serve, "127.0.0.1", 0)
    found.port = server.sockets[0].getsockname()[1]
    try:
        yield found
    finally:
        server.close()

"""A proxy between a program and a database that can lose answers: what was asked has then been done."""

from __future__ import annotations

import asyncio
from contextlib import suppress


class CuttingProxy:
    """Passes bytes on between a port of its own and a database on this machine.

    After :meth:`lose_answers` the next answer is swallowed and its connection cut, that many times.
    """

    def __init__(self, port: int) -> None:
        self._to = port
        self._lose = 0
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self.lost = 0

    async def start(self) -> int:
        """Listen, and return the port."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def stop(self) -> None:
        """Cut everybody off."""
        if self._server is not None:
            self._server.close()
        for writer in tuple(self._writers):
            writer.close()
        await asyncio.sleep(0)

    def lose_answers(self, times: int) -> None:
        """Lose the next answers; each costs its connection."""
        self._lose = times

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._to)
        self._writers |= {writer, there_writer}
        back = asyncio.create_task(self._answer(there_reader, writer))
        with suppress(OSError):
            while data := await reader.read(65_536):
                there_writer.write(data)
                await there_writer.drain()
        there_writer.close()
        await back

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                if self._lose:
                    self._lose -= 1
                    self.lost += 1
                    break
                writer.write(data)
                await writer.drain()
        writer.close()

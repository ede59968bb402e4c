"""The sending side of a WebSocket: directly while the client keeps up, through ASGI when it is slow."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from bohn.server.run import running
from bohn.server.settings import Limits, Settings
from bohn.server.web.socket_connection import DIRECT_BYTES, SocketConnection
from tests.server.support.memory_store import MemoryStore


class RecordingWriter:
    """A direct writer that records what it is given."""

    def __init__(self) -> None:
        """Keep up."""
        self.keeps_up = True
        self.sent: list[list[bytes]] = []

    def send_frames(self, frames: list[bytes]) -> None:
        """Take frames."""
        self.sent.append(frames)


def sending(
    scenario: Callable[[SocketConnection, RecordingWriter, list[Any]], Awaitable[None]],
    limits: Limits | None = None,
) -> None:
    """Run a scenario with a connection, its direct writer, and what goes through ASGI."""

    async def whole() -> None:
        told: list[Any] = []

        async def send(message: Any) -> None:
            told.append(message.get("text", message.get("code")))

        direct = RecordingWriter()
        async with running(Settings(limits=limits or Limits()), MemoryStore()) as site:
            socket = SocketConnection(
                site, {"client": ("127.0.0.1", 1), "state": {"direct": direct}}, send, None
            )
            socket.opened()
            await scenario(socket, direct, told)
            await socket.end()

    asyncio.run(whole())


async def rounds(count: int = 5) -> None:
    """Let the event loop go round."""
    for _ in range(count):
        await asyncio.sleep(0)


def test_frames_of_one_round_leave_together() -> None:
    """An acknowledgement and its batch are one call of the system."""

    async def scenario(socket: SocketConnection, direct: RecordingWriter, told: list[Any]) -> None:
        socket.push(b"1")
        socket.push(b"2")
        assert direct.sent == []
        await rounds()
        socket.push(b"3")
        await rounds()

        assert direct.sent == [[b"1", b"2"], [b"3"]]
        assert told == []

    sending(scenario)


def test_client_that_does_not_keep_up_is_waited_for() -> None:
    """In order, and past ASGI again when he has caught up."""

    async def scenario(socket: SocketConnection, direct: RecordingWriter, told: list[Any]) -> None:
        direct.keeps_up = False
        socket.push(b"1")
        await rounds()
        direct.keeps_up = True
        socket.push(b"2")
        await rounds()

        assert told == ["1"]
        assert direct.sent == [[b"2"]]

    sending(scenario)


def test_much_at_once_is_not_handed_over_in_one_go() -> None:
    """A welcome and a long gap go frame by frame, so that little waits in the transport."""

    async def scenario(socket: SocketConnection, direct: RecordingWriter, told: list[Any]) -> None:
        for _ in range(3):
            socket.push(b"x" * (DIRECT_BYTES // 2))
        await rounds()

        assert direct.sent == []
        assert len(told) == 3

    sending(scenario)


def test_goodbye_comes_behind_what_was_to_be_sent() -> None:
    """Only a slow reader loses what he has not read."""

    async def scenario(socket: SocketConnection, _: RecordingWriter, told: list[Any]) -> None:
        socket.push(b"1")
        socket.cut("server-stopping")
        socket.push(b"2")
        await rounds()

        assert told[0] == "1"
        assert '"server-stopping"' in told[1]
        assert told[2] == 1012

    sending(scenario)


def test_socket_is_cut_once() -> None:
    """The first reason counts."""

    async def scenario(socket: SocketConnection, _: RecordingWriter, told: list[Any]) -> None:
        socket.cut("signed-out")
        socket.cut("server-stopping")
        socket.push(b"1")
        await rounds()

        assert '"signed-out"' in told[0]
        assert told[1:] == [1008]

    sending(scenario)


def test_slow_reader_is_only_told_goodbye() -> None:
    """What he has not read is forgotten."""

    async def scenario(socket: SocketConnection, direct: RecordingWriter, told: list[Any]) -> None:
        direct.keeps_up = False
        for number in range(4):
            socket.push(b"%d" % number)
        await rounds()

        assert '"too-slow"' in told[0]
        assert told[1:] == [1013]

    sending(scenario, Limits(outbox_frames=3))


def test_nothing_is_sent_after_the_end() -> None:
    """Whatever is still pushed."""

    async def scenario(socket: SocketConnection, direct: RecordingWriter, told: list[Any]) -> None:
        socket.push(b"1")
        await socket.end()
        socket.push(b"2")
        socket.cut("signed-out")
        await rounds()

        assert direct.sent == []
        assert told == []

    sending(scenario)


def test_transport_that_has_gone_ends_the_sending() -> None:
    """It may go at any moment; nothing breaks, and nothing more is sent."""

    async def scenario(socket: SocketConnection, direct: RecordingWriter, told: list[Any]) -> None:
        broken: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: broken.append(context))

        def gone(frames: list[bytes]) -> None:
            direct.sent.append(frames)
            raise RuntimeError

        direct.send_frames = gone  # type: ignore[method-assign] # mypy - a direct that breaks
        socket.push(b"1")
        await rounds()
        socket.push(b"2")
        await rounds()
        assert (direct.sent, told, broken) == ([[b"1"]], [], [])

    sending(scenario)

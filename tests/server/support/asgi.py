"""An application called directly, without a socket: every byte it answers is kept, in order."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, MutableMapping
from typing import Any

import msgspec

from tests.server.support.http import HttpReply

Message = MutableMapping[str, Any]
App = Callable[[Any, Any, Any], Any]

HOST = "127.0.0.1:8000"
ORIGIN = f"http://{HOST}"


def scope_of(kind: str, target: str, headers: dict[str, str]) -> dict[str, Any]:
    """Return the scope of a request (``http``) or a handshake (``websocket``)."""
    path, _, query = target.partition("?")
    named = {"host": HOST, **headers}
    return {
        "type": kind,
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "scheme": "http" if kind == "http" else "ws",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in named.items()],
        "client": ("127.0.0.1", 50_000),
        "server": ("127.0.0.1", 8000),
        "subprotocols": [],
        "state": {},
        "extensions": {"websocket.http.response": {}},
    }


async def request(
    app: App,
    method: str,
    target: str,
    body: Any = None,
    *,
    headers: dict[str, str] | None = None,
    client: str = "127.0.0.1",
) -> HttpReply:
    """Send a request from an address, and return the whole answer."""
    data = b"" if body is None else body if isinstance(body, bytes) else msgspec.json.encode(body)
    named = {"content-type": "application/json"} if body is not None else {}
    scope = scope_of("http", target, {**named, "content-length": str(len(data)), **(headers or {})})
    scope["method"], scope["client"] = method, (client, 50_000)
    sent: list[Message] = []
    waiting = asyncio.Event()
    parts = iter([{"type": "http.request", "body": data, "more_body": False}])

    async def receive() -> Message:
        for part in parts:
            return part
        await waiting.wait()  # a client that stays until it has its answer
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    start = sent[0]
    named_headers = tuple((name.decode(), value.decode("latin-1")) for name, value in start["headers"])
    return HttpReply(start["status"], named_headers, b"".join(part.get("body", b"") for part in sent[1:]))


class Listener:
    """The base of a standing connection: the application runs as a task, what it sends is kept."""

    def __init__(self, app: App, scope: dict[str, Any]) -> None:
        """Prepare; :meth:`begin` opens."""
        self.got: list[bytes] = []
        self.status = 0
        self.answer: list[tuple[str, str]] = []
        self._app = app
        self._scope = scope
        self._inbox: asyncio.Queue[Message] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Let the application answer from now on."""
        self._task = asyncio.get_running_loop().create_task(
            self._app(self._scope, self._inbox.get, self.take)
        )

    async def take(self, message: Message) -> None:
        """Keep what the application sends."""
        match message["type"]:
            case "http.response.start" | "websocket.http.response.start":
                self.status = message["status"]
                self.answer = [(name.decode(), value.decode()) for name, value in message["headers"]]
            case "http.response.body" | "websocket.http.response.body":
                self.got.append(message.get("body", b""))
            case "websocket.accept":
                self.status = 101
            case "websocket.send":
                self.got.append(message.get("text", "").encode() or message["bytes"])
            case "websocket.close":
                self.got.append(f"close {message.get('code')}".encode())
            case _:
                raise AssertionError(message)

    @property
    def ended(self) -> bool:
        """Whether the application has answered for good."""
        return self._task is not None and self._task.done()

    async def end(self, message: Message) -> None:
        """Hang up, and raise what went wrong in the application."""
        self._inbox.put_nowait(message)
        if self._task is not None:
            await asyncio.wait([self._task], timeout=5)
            if not self._task.done():
                self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task


class Socket(Listener):
    """A WebSocket."""

    def __init__(self, app: App, target: str, headers: dict[str, str] | None = None) -> None:
        """Aim at an address, by default from the own origin."""
        super().__init__(app, scope_of("websocket", target, {"origin": ORIGIN, **(headers or {})}))

    def begin(self) -> None:
        """Ask for the handshake."""
        self._inbox.put_nowait({"type": "websocket.connect"})
        super().begin()

    def send(self, frame: Any) -> None:
        """Send a frame."""
        text = frame if isinstance(frame, str) else msgspec.json.encode(frame).decode()
        self._inbox.put_nowait({"type": "websocket.receive", "text": text})

    async def hang_up(self) -> None:
        """Leave."""
        await self.end({"type": "websocket.disconnect", "code": 1001})


class Lines(Listener):
    """A stream of lines over HTTP."""

    def __init__(self, app: App, target: str, headers: dict[str, str] | None = None) -> None:
        """Aim at an address."""
        scope = scope_of("http", target, headers or {})
        scope["method"] = "GET"
        super().__init__(app, scope)

    def begin(self) -> None:
        """Ask."""
        self._inbox.put_nowait({"type": "http.request", "body": b"", "more_body": False})
        super().begin()

    async def hang_up(self) -> None:
        """Leave."""
        await self.end({"type": "http.disconnect"})

"""A server that does as it is told: answers in order, drops connections, holds streams open."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import Any

import msgspec
from msgspec import Struct


class Json(Struct, frozen=True):
    """A whole answer."""

    body: Any = {}
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()


class Text(Struct, frozen=True):
    """A whole answer that is no JSON, as a proxy gives it."""

    body: bytes
    status: int


class Lines(Struct, frozen=True):
    """A stream: frames, or bytes as they are; then it ends, or is held open until the server stops."""

    frames: tuple[Any, ...]
    held: bool = False


class Drop(Struct, frozen=True):
    """No answer: the connection is closed, after the request was read."""


class Asked(Struct, frozen=True):
    """A request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any


Reply = Json | Text | Lines | Drop


class Fake:
    """The script and the ledger of a server."""

    def __init__(self) -> None:
        """Begin without answers; what is not in the script is 404."""
        self.script: dict[str, list[Reply]] = {}
        self.asked: list[Asked] = []
        self.stopping = Event()
        self.url = ""
        self._lock = Lock()

    def on(self, request: str, *replies: Reply) -> None:
        """Answer ``POST /path`` so, one reply a request; the last one again and again."""
        self.script[request] = list(replies)

    def paths(self, method: str = "GET") -> list[str]:
        """Return what was asked for, in order."""
        with self._lock:
            return [asked.path for asked in self.asked if asked.method == method]

    def next(self, asked: Asked) -> Reply:
        """Note a request and return its answer."""
        with self._lock:
            self.asked.append(asked)
            replies = self.script.get(f"{asked.method} {asked.path.partition('?')[0]}")
            if not replies:
                return Json({"reason": "not-found"}, 404)
            return replies[0] if len(replies) == 1 else replies.pop(0)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    fake: Fake

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name in the base class
        """Say nothing."""

    def do_GET(self) -> None:
        """Answer; the base class wants one method for each of HTTP."""
        self._answer()

    def do_POST(self) -> None:
        """Answer."""
        self._answer()

    def _answer(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        body = msgspec.json.decode(self.rfile.read(length)) if length else None
        headers = {name.lower(): value for name, value in self.headers.items()}
        reply = self.fake.next(Asked(self.command, self.path, headers, body))
        match reply:
            case Json():
                self._whole(reply.status, msgspec.json.encode(reply.body), reply.headers)
            case Text():
                self._whole(reply.status, reply.body, ())
            case Lines():
                self._stream(reply)
            case Drop():
                self.close_connection = True

    def _whole(self, status: int, body: bytes, headers: tuple[tuple[str, str], ...]) -> None:
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, reply: Lines) -> None:
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for frame in reply.frames:
            line = frame if isinstance(frame, bytes) else msgspec.json.encode(frame) + b"\n"
            self.wfile.write(f"{len(line):x}\r\n".encode() + line + b"\r\n")
        self.wfile.flush()
        if reply.held:
            self.fake.stopping.wait(20)
        self.wfile.write(b"0\r\n\r\n")
        self.close_connection = True


class _Server(ThreadingHTTPServer):
    daemon_threads = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: clients go away as they like."""


@contextmanager
def serving() -> Iterator[Fake]:
    """Run such a server."""
    fake = Fake()
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"fake": fake}))
    fake.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield fake
    finally:
        fake.stopping.set()
        server.shutdown()
        server.server_close()
        thread.join()

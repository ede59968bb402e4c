"""What stands before a server as a proxy does, and can show another build of its page."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.web.support.people import fetched
from tests.web.support.serving import Serving

OWN = ("connection", "content-length", "date", "keep-alive", "server", "transfer-encoding")
"""Headers that each connection has of its own."""

CHANGED = ("accept-encoding", "if-none-match")
"""Headers that ask for what a proxy cannot tell: the server knows but its own build."""

REBUILT = ("/", "/sw.js")
"""Where the name of the build stands."""


class Proxy:
    """Passes on what it is asked; ``build`` renames the page's build, ``answers`` are its own, by path."""

    def __init__(self, serving: Serving) -> None:
        """Stand before this server."""
        self._serving = serving
        self.build = ""
        self.answers: dict[str, tuple[int, str, bytes]] = {}
        worker = fetched("GET", f"{serving.url}/sw.js").data
        found = re.search(rb'BUILD="(\w+)"', worker)
        assert found is not None
        self.first = found.group(1).decode()
        """The name of the build that the server has."""
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"

    @contextmanager
    def serving(self) -> Iterator[Proxy]:
        """Answer until the block ends, or until it is killed."""
        threading.Thread(target=self._http.serve_forever, daemon=True).start()
        try:
            yield self
        finally:
            self.kill()

    def kill(self) -> None:
        """Answer nobody any more."""
        self._http.shutdown()
        self._http.server_close()

    def answer(self, method: str, path: str, headers: dict[str, str], body: bytes) -> Any:
        """Return status, headers and body of the answer to a request."""
        if path in self.answers:
            status, media, own = self.answers[path]
            return status, {"content-type": media}, own
        passed = {key: value for key, value in headers.items() if key.lower() not in CHANGED}
        found = fetched(
            method, self._serving.url + path, headers=passed, body=body, retries=False, redirect=False
        )
        told = {key: value for key, value in found.headers.items() if key.lower() not in OWN}
        data = found.data
        if self.build and path in REBUILT:
            data = data.replace(self.first.encode(), self.build.encode())
            told.pop("etag", None)
        return found.status, told, data

    def _handler(proxy) -> type[BaseHTTPRequestHandler]:  # noqa: N805 - the handler has a self of its own
        class Handler(BaseHTTPRequestHandler):
            def _pass_on(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                status, headers, data = proxy.answer(self.command, self.path, dict(self.headers), body)
                self.send_response_only(status)
                for key, value in headers.items():
                    self.send_header(key, value)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(data)

            do_GET = do_POST = do_PATCH = do_DELETE = do_HEAD = _pass_on  # noqa: N815 - names of http.server

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
                """Say nothing."""

        return Handler

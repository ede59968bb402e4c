"""Security of every response: its headers, and the checks of host and origin before it."""

from __future__ import annotations

import re
from functools import lru_cache

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bohn.protocol.refusals import Problem, Refusal
from bohn.server.settings import Settings
from bohn.server.web.origins import Origins
from bohn.server.web.responses import Response, refusal

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "media-src 'self'; worker-src 'self'; connect-src 'self'{socket}; manifest-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
"""The Content-Security-Policy: the page may load files of its own origin, and pictures it has made.

Nothing inline: a page sets styles of elements by script (CSSOM), never by ``style`` in its markup. ``socket``
names the WebSocket, which browsers of a few years ago did not count to ``'self'``.
"""

HEADERS = {
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
TRANSPORT = {"strict-transport-security": "max-age=31536000"}

SCHEMES = {"http": "https", "websocket": "wss"}
"""What a request and a handshake have as their scheme where people come by TLS."""

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_PLAIN_HOST = re.compile(r"[A-Za-z0-9.\[\]:-]{1,255}\Z")


class Security:
    """ASGI middleware: refuses foreign hosts and origins, and sets the headers of every response."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        """Wrap an application."""
        self._app = app
        self._origins = Origins(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request or a handshake, and pass it on."""
        if scope["type"] in SCHEMES and self._origins.are_with_tls(Headers(scope=scope).get("host", "")):
            scope["scheme"] = SCHEMES[scope["type"]]
        if scope["type"] == "http":
            await self._http(scope, receive, _with_headers(scope, send))
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = self._check_http(scope)
        if refused is None:
            await self._app(scope, receive, send)
        else:
            await refused.send(send)

    def _check_http(self, scope: Scope) -> Response | None:
        """Return the refusal of a request from a foreign host or page; ``None`` if it is allowed."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._origins.is_ours(host):
            return refusal(_foreign_host(), status=400)
        if scope["method"] in _SAFE:
            return None
        origin = headers.get("origin", "")
        foreign = origin and not self._origins.allows(origin, scope["scheme"], host)
        if foreign or headers.get("sec-fetch-site") == "cross-site":
            return refusal(Refusal(Problem.FOREIGN_ORIGIN))
        return None

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a handshake from a foreign page, before anything else is looked at."""
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin", "")
        if not self._origins.is_ours(host):
            await refusal(_foreign_host(), status=400).send(send, "websocket")
            return
        scheme = "https" if scope["scheme"] == "wss" else "http"
        program = not headers.get("cookie") and headers.get("authorization", "")[:7].lower() == "bearer "
        own = bool(origin) and self._origins.allows(origin, scheme, host)
        if not own and not program:
            await refusal(Refusal(Problem.FOREIGN_ORIGIN)).send(send, "websocket")
            return
        await self._app(scope, receive, send)


def _foreign_host() -> Refusal:
    """Return the refusal of a foreign host name, with the option that helps behind a proxy."""
    return Refusal(Problem.FOREIGN_ORIGIN, option="--origin")


@lru_cache(maxsize=64)
def policy(scheme: str, host: str) -> str:
    """Return the Content-Security-Policy for a scheme and host."""
    socket = f" {'wss' if scheme == 'https' else 'ws'}://{host}" if _PLAIN_HOST.match(host) else ""
    return POLICY.format(socket=socket)


def _with_headers(scope: Scope, send: Send) -> Send:
    """Return a ``send`` that adds the headers to the response."""
    host = Headers(scope=scope).get("host", "")
    more = {"content-security-policy": policy(scope["scheme"], host), **HEADERS}
    if scope["scheme"] == "https":
        more |= TRANSPORT
    if scope["path"].startswith(("/api", "/healthz", "/readyz", "/metrics")):
        more["cache-control"] = "no-store"

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in more.items():
                headers.setdefault(name, value)
        await send(message)

    return guarded

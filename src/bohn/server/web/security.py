"""What surrounds every answer: headers that forbid, and the checks of host and origin."""

from __future__ import annotations

import re
from functools import lru_cache

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bohn.server.refusals import Problem, Refusal
from bohn.server.settings import Settings
from bohn.server.web.answers import Answer, refusal
from bohn.server.web.origins import Origins

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "media-src 'self'; worker-src 'self'; connect-src 'self'{socket}; manifest-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
"""What a page of ours may load: files of its own origin, and pictures it has made itself.

Nothing inline: a page sets styles of elements by script (CSSOM), never by ``style`` in its markup. ``socket``
names the WebSocket, which browsers of a few years ago did not count to ``'self'``.
"""

HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
NO_STORE = (b"cache-control", b"no-store")
TRANSPORT = (b"strict-transport-security", b"max-age=31536000")

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_PLAIN_HOST = re.compile(r"[A-Za-z0-9.\[\]:-]{1,255}\Z")


class Security:
    """ASGI middleware: refuses foreign hosts and origins, and puts the headers on every answer."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        """Guard an application."""
        self._app = app
        self._origins = Origins(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request or a handshake."""
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

    def _check_http(self, scope: Scope) -> Answer | None:
        """Return the refusal of a request that no page of ours would send."""
        host = header(scope, b"host")
        if not self._origins.is_ours(host):
            return refusal(_foreign_host(), status=400)
        if scope["method"] in _SAFE:
            return None
        origin = header(scope, b"origin")
        foreign = origin and not self._origins.allows(origin, scope["scheme"], host)
        if foreign or header(scope, b"sec-fetch-site") == "cross-site":
            return refusal(Refusal(Problem.FOREIGN_ORIGIN))
        return None

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a handshake from a foreign page, before anything else is looked at."""
        host, origin = header(scope, b"host"), header(scope, b"origin")
        if not self._origins.is_ours(host):
            await refusal(_foreign_host(), status=400).send(send, "websocket")
            return
        scheme = "https" if scope["scheme"] == "wss" else "http"
        program = not header(scope, b"cookie") and header(scope, b"authorization")[:7].lower() == "bearer "
        own = bool(origin) and self._origins.allows(origin, scheme, host)
        if not own and not program:
            await refusal(Refusal(Problem.FOREIGN_ORIGIN)).send(send, "websocket")
            return
        await self._app(scope, receive, send)


def _foreign_host() -> Refusal:
    """Return the refusal of a name that is not ours, with a hint for whoever has set up a proxy."""
    return Refusal(Problem.FOREIGN_ORIGIN, option="--origin")


def header(scope: Scope, name: bytes) -> str:
    """Return the first header of this name (in lower case), or nothing."""
    return next((value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name), "")


@lru_cache(maxsize=64)
def policy(scheme: str, host: str) -> bytes:
    """Return the content policy of what is served under an address."""
    socket = f" {'wss' if scheme == 'https' else 'ws'}://{host}" if _PLAIN_HOST.match(host) else ""
    return POLICY.format(socket=socket).encode()


def _with_headers(scope: Scope, send: Send) -> Send:
    """Return a ``send`` that puts the headers on the answer."""
    more = [(b"content-security-policy", policy(scope["scheme"], header(scope, b"host"))), *HEADERS]
    if scope["scheme"] == "https":
        more.append(TRANSPORT)
    live = scope["path"].startswith(("/api", "/healthz", "/readyz", "/metrics"))

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", []))
            named = {name for name, _ in headers}
            headers += [pair for pair in more if pair[0] not in named]
            if live and b"cache-control" not in named:
                headers.append(NO_STORE)
            message = {**message, "headers": headers}
        await send(message)

    return guarded

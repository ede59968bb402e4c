"""One request: who asks, what was sent, and how it is answered."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any, Literal, cast
from urllib.parse import parse_qsl

import msgspec
from msgspec import Struct
from starlette.types import Receive, Scope, Send

from bohn.server.buckets import group
from bohn.server.people import Identity, LoggedIn
from bohn.server.refusals import Problem, Refusal
from bohn.server.web.answers import JSON
from bohn.server.web.decoding import decode, is_id, number
from bohn.server.web.security import header
from bohn.server.web.site import Site

Access = Literal["open", "read", "play", "cookie"]
"""What a caller needs: nothing; a token that may read or play; or a cookie, which no token stands for."""

COOKIE_AGE = 365 * 24 * 3600
"""Seconds a browser keeps the cookie."""


PATIENCE = 20.0
"""Seconds in which a body must have come."""


class Parameter(Struct, frozen=True):
    """A header, or something in the query: a number, or text of this ``pattern``; ``many`` may repeat."""

    name: str
    summary: str
    pattern: str = ""
    many: bool = False


class Operation(Struct, frozen=True, kw_only=True):
    """One route: from these the server's routes and the OpenAPI document are made.

    ``stranger`` operations need no guest; ``media`` is the type of an answer that is no JSON, ``takes`` that
    of a body, which is then handed over as it came. ``rules`` tells that the rules may refuse, ``endless``
    that the answer has no end. ``gate`` refuses before a body is read.
    """

    method: Literal["GET", "POST", "PATCH", "DELETE"]
    path: str
    name: str
    summary: str
    handler: Callable[[Any], Awaitable[Any]]
    result: Any
    body: Any = None
    access: Access = "read"
    stranger: bool = False
    query: tuple[Parameter, ...] = ()
    headers: tuple[Parameter, ...] = ()
    problems: tuple[Problem, ...] = ()
    rules: bool = False
    endless: bool = False
    status: int = 200
    media: str = JSON
    takes: str = JSON
    gate: Callable[[Any], None] | None = None


class Call:
    """One request to one operation."""

    def __init__(self, site: Site, scope: Scope, receive: Receive, send: Send) -> None:
        """Hold what came in; nothing is read yet."""
        self.site = site
        self.scope = scope
        self.receive = receive
        self.send = send
        self.identity: Identity | None = None
        self.body: Any = None
        self.headers: list[tuple[str, str]] = []

    # -- what was asked ------------------------------------------------------------------------------------

    @property
    def address(self) -> str:
        """The address of the client, as far as proxies are believed."""
        return address(self.scope)

    @property
    def me(self) -> Identity:
        """Who asks; raises ``no-guest`` for a stranger."""
        if self.identity is None:
            raise Refusal(Problem.NO_GUEST)
        return self.identity

    @property
    def user(self) -> str | None:
        """The user who asks, or ``None``."""
        return None if self.identity is None else self.identity.user.id

    def path(self, name: str, problem: Problem = Problem.NOT_FOUND) -> str:
        """Return a part of the path that is an id; raises if it cannot be one."""
        found: str = self.scope["path_params"][name]
        if not is_id(found):
            raise Refusal(problem)
        return found

    def key(self) -> str | None:
        """Return the ``Idempotency-Key``, if there is one; raises if it cannot be an id."""
        named = header(self.scope, b"idempotency-key")
        if any(name == b"idempotency-key" for name, _ in self.scope["headers"]) and not is_id(named):
            raise Refusal(Problem.NOT_UNDERSTOOD, path="Idempotency-Key")
        return named or None

    @property
    def table(self) -> str:
        """The table in the path."""
        return self.path("table", Problem.NO_SUCH_TABLE)

    def line(self) -> int:
        """Return the number of the line of chat in the path."""
        found = number(self.scope["path_params"]["line"])
        if not found:
            raise Refusal(Problem.NOT_FOUND)
        return found

    def number(self, name: str, other: str = "") -> int | None:
        """Return a number of the query, by either name, or ``None``; raises ``not-understood``."""
        found = query_number(self.scope, name)
        return query_number(self.scope, other) if found is None and other else found

    def sign_in(self, logged_in: LoggedIn) -> None:
        """Give the browser its cookie, and go on as this user."""
        self.identity = logged_in.identity
        self.headers.append(("set-cookie", cookie(self.scope, logged_in.secret, COOKIE_AGE)))

    def sign_out(self) -> None:
        """Take the cookie back."""
        self.headers.append(("set-cookie", cookie(self.scope, "", 0)))

    # -- before it is answered -----------------------------------------------------------------------------

    async def admit(self, operation: Operation) -> None:
        """Find out who asks, and refuse who may not; then read the body."""
        self.site.requests.take(group(self.address))
        if operation.access != "open":
            await self.recognise()
        check_access(self.identity, operation)
        if operation.gate is not None:
            operation.gate(self)
        if operation.takes != JSON:
            self.body = await self._read_raw(operation.takes)
        elif operation.body is not None:
            self.body = await self._read(operation.body)

    async def recognise(self) -> None:
        """Find out who asks, if anybody does."""
        self.identity = await identify(self.site, self.scope)

    async def _read(self, kind: Any) -> Any:
        """Return the decoded body; it must be JSON, say so, and be of bearable size."""
        self._require_media(JSON)
        limits = self.site.settings.limits
        try:
            text = (await read(self.scope, self.receive, limits.body_bytes)).decode()
        except UnicodeDecodeError:
            raise Refusal(Problem.NOT_JSON) from None
        return decode(_decoder(kind), text, limits.json_depth)

    async def _read_raw(self, media: str) -> bytes:
        """Return a body that is a record, of its own bearable size."""
        self._require_media(media)
        return await read(self.scope, self.receive, self.site.settings.limits.record_bytes)

    def _require_media(self, media: str) -> None:
        if header(self.scope, b"content-type").partition(";")[0].strip().lower() != media:
            raise UnsupportedMedia(media)


class UnsupportedMedia(Refusal):
    """A body that does not say that it is what is expected: a form of a foreign page could be one."""

    def __init__(self, media: str) -> None:
        """Refuse as ``not-json``."""
        super().__init__(Problem.NOT_JSON, expected=media)

    @property
    def status(self) -> int:
        """Unsupported media type."""
        return 415


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


def check_access(identity: Identity | None, operation: Operation) -> None:
    """Raise ``no-guest`` or ``scope-missing`` for who may not do this."""
    if identity is None:
        if operation.access != "open" and not operation.stranger:
            raise Refusal(Problem.NO_GUEST)
        return
    if operation.access == "cookie" and not identity.session.cookie:
        raise Refusal(Problem.SCOPE_MISSING, scope="cookie")
    if operation.access in ("read", "play") and operation.access not in identity.scopes:
        raise Refusal(Problem.SCOPE_MISSING, scope=operation.access)


async def identify(site: Site, scope: Scope) -> Identity | None:
    """Return who asks, by a token or else by the cookie; raises ``no-guest`` for a wrong token."""
    authorization = header(scope, b"authorization")
    if authorization:
        kind, _, secret = authorization.partition(" ")
        found = await site.people.who(secret.strip(), cookie=False) if kind.lower() == "bearer" else None
        if found is None:
            raise Refusal(Problem.NO_GUEST)
        return found
    secret = cookie_in(scope)
    return await site.people.who(secret, cookie=True) if secret else None


async def read(scope: Scope, receive: Receive, most: int) -> bytes:
    """Return the body; raises ``too-large`` as soon as it is known to be."""
    announced = number(header(scope, b"content-length"))
    if announced is not None and announced > most:
        raise Refusal(Problem.TOO_LARGE, most=most)
    try:
        async with asyncio.timeout(PATIENCE):
            return await _read_parts(receive, most)
    except TimeoutError:
        raise Gone from None


async def _read_parts(receive: Receive, most: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Gone
        part = message.get("body", b"")
        size += len(part)
        if size > most:
            raise Refusal(Problem.TOO_LARGE, most=most)
        parts.append(part)
        if not message.get("more_body", False):
            return b"".join(parts)


class Gone(Exception):  # noqa: N818 - a fact: nobody is there to be answered
    """The client has left before his request was whole."""


def address(scope: Scope) -> str:
    """Return the address of the client."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def query_number(scope: Scope, name: str) -> int | None:
    """Return a number of the query, or ``None``; raises ``not-understood``."""
    text = query_text(scope, name)
    if text is None:
        return None
    found = number(text)
    if found is None:
        raise Refusal(Problem.NOT_UNDERSTOOD, path=f"?{name}")
    return found


def query_text(scope: Scope, name: str) -> str | None:
    """Return a parameter of the query, or ``None``."""
    return next(iter(query_texts(scope, name)), None)


def query_texts(scope: Scope, name: str) -> tuple[str, ...]:
    """Return all values a parameter has in the query."""
    query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    return tuple(value for key, value in query if key == name)


# -- cookies -------------------------------------------------------------------------------------------------


def cookie_name(scope: Scope) -> str:
    """Return the cookie's name; with TLS its prefix makes browsers bind it to this host."""
    return "__Host-bohn" if scope["scheme"] in ("https", "wss") else "bohn"


def cookie(scope: Scope, secret: str, age: int) -> str:
    """Return a ``Set-Cookie`` header; no script can read the cookie, no foreign page can post with it."""
    secure = "; Secure" if scope["scheme"] in ("https", "wss") else ""
    return f"{cookie_name(scope)}={secret}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{secure}"


def cookie_in(scope: Scope) -> str:
    """Return the secret in the request's cookie, or nothing."""
    name = cookie_name(scope)
    headers = cast("list[tuple[bytes, bytes]]", scope["headers"])
    for key, value in headers:
        if key.lower() == b"cookie":
            for part in value.decode("latin-1").split(";"):
                known, _, secret = part.strip().partition("=")
                if known == name:
                    return secret
    return ""

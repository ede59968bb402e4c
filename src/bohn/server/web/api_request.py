"""One HTTP request to the API: who sent it, with which parameters and body, and its cookies."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cache
from http.cookies import Morsel
from typing import Any

import msgspec
from starlette.datastructures import Headers, QueryParams
from starlette.requests import ClientDisconnect, Request
from starlette.types import Receive, Scope, Send

from bohn.protocol.endpoints import JSON, Endpoint, barred_from
from bohn.protocol.refusals import Problem, Refusal
from bohn.server.buckets import group
from bohn.server.moderation.sanctions import require
from bohn.server.people.service import Identity, LoggedIn
from bohn.server.store.operating import OperatorKey
from bohn.server.web.decoding import decode, is_id, number
from bohn.server.web.services import Services

BODY_TIMEOUT = 20.0
"""Seconds a client has to send a whole body."""


class ApiRequest:
    """One request to one operation."""

    def __init__(self, services: Services, scope: Scope, receive: Receive, send: Send) -> None:
        """Read nothing yet; :meth:`admit` finds the user and reads the body."""
        self.services = services
        self.scope = scope
        self.receive = receive
        self.send = send
        self.identity: Identity | None = None
        self._operator: OperatorKey | None = None
        self.body: Any = None
        self.headers: list[tuple[str, str]] = []

    # -- what was sent ------------------------------------------------------------------------------------

    @property
    def address(self) -> str:
        """The address of the client; trusted proxies name the one behind them."""
        return address(self.scope)

    @property
    def me(self) -> Identity:
        """The user and session of the sender; raises ``no-guest`` without a valid cookie or token."""
        if self.identity is None:
            raise Refusal(Problem.NO_GUEST)
        return self.identity

    @property
    def operator(self) -> OperatorKey:
        """The session of the operator who sent this; raises ``no-operator`` without one."""
        if self._operator is None:
            raise Refusal(Problem.NO_OPERATOR)
        return self._operator

    @property
    def user(self) -> str | None:
        """The id of the user who sent this, or ``None``."""
        return None if self.identity is None else self.identity.user.id

    def path(self, name: str, problem: Problem = Problem.NOT_FOUND) -> str:
        """Return a part of the path that is an id; raises if it cannot be one."""
        found: str = self.scope["path_params"][name]
        if not is_id(found):
            raise Refusal(problem)
        return found

    def key(self) -> str | None:
        """Return the ``Idempotency-Key``, if there is one; raises if it cannot be an id."""
        named = Headers(scope=self.scope).get("idempotency-key")
        if named is not None and not is_id(named):
            raise Refusal(Problem.NOT_UNDERSTOOD, path="Idempotency-Key")
        return named

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
        """Set the cookie of the response, and go on as this user."""
        self.identity = logged_in.identity
        self._set_cookie(logged_in.secret)

    def is_from(self, identity: Identity | None) -> None:
        """Go on as this user; a cookie that holds longer now is stored longer by the browser too."""
        self.identity = identity
        if identity is not None and identity.renewed:
            self._set_cookie(cookie_in(self.scope))

    def _set_cookie(self, secret: str) -> None:
        """Let the browser store a cookie as long as the server accepts it unused."""
        age = self.services.settings.times.cookie // 1000
        self.headers.append(("set-cookie", cookie(self.scope, secret, age)))

    def sign_out(self) -> None:
        """Delete the cookie."""
        self.headers.append(("set-cookie", cookie(self.scope, "", 0)))

    # -- before it is handled -----------------------------------------------------------------------------

    async def admit(self, endpoint: Endpoint, gate: Callable[[ApiRequest], None] | None) -> None:
        """Find the user, refuse what is not allowed (``gate`` may refuse too), then read the body."""
        self.services.requests.take(group(self.address))
        if endpoint.access not in ("open", "operator"):
            await self.recognise()
        check_access(self.identity, endpoint)
        await check_standing(self, endpoint)
        if endpoint.access == "operator":
            found = await self.services.keys.who(
                cookie_in(self.scope, operator_cookie_name(self.scope)), self.address
            )
            self._operator = found
        if gate is not None:
            gate(self)
        if endpoint.takes != JSON:
            self.body = await self._read_raw(endpoint.takes)
        elif endpoint.body is not None:
            self.body = await self._read(endpoint.body)

    async def recognise(self) -> None:
        """Find the user, if there is a cookie or token."""
        self.is_from(await identify(self.services, self.scope))

    async def _read(self, kind: Any) -> Any:
        """Return the decoded body; it must be JSON, be declared as such, and not be too large."""
        self._require_media(JSON)
        limits = self.services.settings.limits
        try:
            text = (await read(self.scope, self.receive, limits.body_bytes)).decode()
        except UnicodeDecodeError:
            raise Refusal(Problem.NOT_JSON) from None
        return decode(_decoder(kind), text, limits.json_depth)

    async def _read_raw(self, media: str) -> bytes:
        """Return a body that is a record, which has a size limit of its own."""
        self._require_media(media)
        return await read(self.scope, self.receive, self.services.settings.limits.record_bytes)

    def _require_media(self, media: str) -> None:
        if Headers(scope=self.scope).get("content-type", "").partition(";")[0].strip().lower() != media:
            raise UnsupportedMedia(media)


class UnsupportedMedia(Refusal):
    """A body with another ``Content-Type`` than expected: a form of a foreign page could have sent it."""

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


def check_access(identity: Identity | None, endpoint: Endpoint) -> None:
    """Raise ``no-guest`` or ``scope-missing`` if this user may not use the endpoint."""
    if identity is None:
        if endpoint.access not in ("open", "operator") and not endpoint.stranger:
            raise Refusal(Problem.NO_GUEST)
        return
    if endpoint.access == "cookie" and not identity.session.cookie:
        raise Refusal(Problem.SCOPE_MISSING, scope="cookie")
    if endpoint.access in ("read", "play") and endpoint.access not in identity.scopes:
        raise Refusal(Problem.SCOPE_MISSING, scope=endpoint.access)


async def check_standing(request: ApiRequest, endpoint: Endpoint) -> None:
    """Refuse what is barred to whoever has a sanction, by his user, by who made it, or by his address."""
    services, barred = request.services, barred_from(endpoint)
    if barred is None or not services.sanctions.all:
        return
    identity = request.identity
    if identity is None and endpoint.access == "open":
        identity = await services.people.who(cookie_in(request.scope), cookie=True)
    require(services.standing(identity, request.address), barred)


async def identify(services: Services, scope: Scope) -> Identity | None:
    """Return the user of the token, else of the cookie, and note from where he comes.

    Raises ``no-guest`` for a wrong token.
    """
    found = await _identified(services, scope)
    if found is not None:
        services.addresses.came(found.user.id, group(address(scope)))
    return found


async def _identified(services: Services, scope: Scope) -> Identity | None:
    authorization = Headers(scope=scope).get("authorization", "")
    if authorization:
        kind, _, secret = authorization.partition(" ")
        found = await services.people.who(secret.strip(), cookie=False) if kind.lower() == "bearer" else None
        if found is None:
            raise Refusal(Problem.NO_GUEST)
        return found
    secret = cookie_in(scope)
    return await services.people.who(secret, cookie=True) if secret else None


async def read(scope: Scope, receive: Receive, most: int) -> bytes:
    """Return the body; raises ``too-large`` as soon as it is known to be, and :class:`TooSlow`."""
    announced = number(Headers(scope=scope).get("content-length", ""))
    if announced is not None and announced > most:
        raise Refusal(Problem.TOO_LARGE, most=most)
    try:
        async with asyncio.timeout(BODY_TIMEOUT):
            return await _read_parts(scope, receive, most)
    except TimeoutError:
        raise TooSlow from None


async def _read_parts(scope: Scope, receive: Receive, most: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    try:
        async for part in Request(scope, receive).stream():
            size += len(part)
            if size > most:
                raise Refusal(Problem.TOO_LARGE, most=most)
            parts.append(part)
    except ClientDisconnect:
        raise Gone from None
    return b"".join(parts)


class Gone(Exception):  # noqa: N818 - a fact: nobody is there to be answered
    """The client disconnected before the whole request was read."""


class TooSlow(Gone):
    """The client had not sent the whole body in time: it is not waited for any more."""


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
    """Return a parameter of the query, the first of that name, or ``None``."""
    return next(iter(query_texts(scope, name)), None)


def query_texts(scope: Scope, name: str) -> tuple[str, ...]:
    """Return all values a parameter has in the query."""
    return tuple(QueryParams(scope["query_string"]).getlist(name))


# -- cookies -------------------------------------------------------------------------------------------------


def is_secure(scope: Scope) -> bool:
    """Tell whether a request came by TLS."""
    return scope["scheme"] in ("https", "wss")


def cookie_name(scope: Scope) -> str:
    """Return the cookie's name; with TLS its prefix makes browsers bind it to this host."""
    return "__Host-bohn" if is_secure(scope) else "bohn"


def operator_cookie_name(scope: Scope) -> str:
    """Return the name of an operator's cookie."""
    return "__Host-bohn-operator" if is_secure(scope) else "bohn-operator"


def cookie(scope: Scope, secret: str, age: int) -> str:
    """Return a ``Set-Cookie`` header; no script can read the cookie, no foreign page can post with it."""
    made: Morsel[str] = Morsel()
    made.set(cookie_name(scope), secret, secret)
    made.update({"path": "/", "max-age": str(age), "samesite": "Lax"})
    made["httponly"], made["secure"] = True, is_secure(scope)
    return made.OutputString()


def cookie_in(scope: Scope, name: str | None = None) -> str:
    """Return the secret in the request's cookie, or an empty string.

    Of several with its name the first: browsers send the one for the narrower path or host before others, and
    Starlette would take the last. A secret needs no quotes or escapes, so none are read.
    """
    name = name or cookie_name(scope)
    parts = [part for line in Headers(scope=scope).getlist("cookie") for part in line.split(";")]
    pairs = (part.strip().partition("=") for part in parts)
    return next((value for found, _, value in pairs if found == name), "")

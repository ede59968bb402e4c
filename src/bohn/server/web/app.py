"""The ASGI application: the routes of the API, the page, and the WebSocket, behind one guard."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import structlog
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from bohn.rules.errors import IllegalCommand
from bohn.server.openapi import document
from bohn.server.refusals import Problem, Refusal
from bohn.server.store.protocol import StoreUnavailable
from bohn.server.web.answers import Answer, internal, ok, refusal
from bohn.server.web.calls import Call, Gone, Operation
from bohn.server.web.keeping import Kept
from bohn.server.web.page import Page
from bohn.server.web.routes import OPERATIONS
from bohn.server.web.security import Security
from bohn.server.web.site import Site
from bohn.server.web.socket import serve_socket

LOG = structlog.get_logger("bohn.web")

DOCUMENT = "/api/openapi.json"
SOCKET = "/ws"


def make_app(site: Site) -> ASGIApp:
    """Return the application that serves a site."""
    return Security(_App(site), site.settings)


class _App:
    """Everything behind the guard."""

    def __init__(self, site: Site) -> None:
        self._site = site
        by_path: dict[str, dict[str, Operation]] = {}
        for operation in OPERATIONS:
            by_path.setdefault(operation.path, {})[operation.method] = operation
        routes = [Route(path, _Resource(site, methods)) for path, methods in by_path.items()]
        self._router = Router(routes, redirect_slashes=False, default=_Rest(site))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._router(scope, receive, send)
        elif scope["type"] == "websocket" and scope["path"] == SOCKET:
            await serve_socket(self._site, scope, receive, send)
        elif scope["type"] == "websocket":
            await refusal(Refusal(Problem.NOT_FOUND)).send(send, "websocket")


class _Resource:
    """One path: an operation for each method."""

    def __init__(self, site: Site, operations: Mapping[str, Operation]) -> None:
        self._site = site
        self._operations = operations
        read = operations.get("GET")
        if read is not None and not read.endless:
            self._operations = {**operations, "HEAD": read}
        self._allow = ", ".join(sorted(self._operations))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        operation = self._operations.get(scope["method"])
        if operation is None:
            refused = Refusal(Problem.METHOD_NOT_ALLOWED)
            await _finish(self._site, scope, send, refusal(refused, headers=(("allow", self._allow),)))
            return
        try:
            answer = await _answer(Call(self._site, scope, receive, send), operation)
        except Gone:
            return
        if answer is not None:
            await _finish(self._site, scope, send, answer)


async def _finish(site: Site, scope: Scope, send: Send, answer: Answer) -> None:
    site.metrics.answered(scope["method"], answer.status)
    await answer.send(send)


async def _answer(call: Call, operation: Operation) -> Answer | None:
    """Return the answer to a call; ``None`` if it has been sent already. Every error becomes an answer."""
    try:
        await call.admit(operation)
        result = await operation.handler(call)
    except (Refusal, IllegalCommand) as refused:
        if isinstance(refused, Refusal):
            call.site.metrics.turned_away(refused.problem.value)
        return refusal(refused)
    except StoreUnavailable as error:
        LOG.warning("store-unavailable", kind=error.kind, operation=operation.name)
        return refusal(Refusal(Problem.NOT_SAVED))
    except (Gone, OSError):
        raise Gone from None
    except Exception as error:
        LOG.exception("mistake", kind=type(error).__name__, operation=operation.name)
        return refusal(internal())
    if result is None or isinstance(result, Answer):
        return result
    return ok(result, operation.status, call.headers)


class _Rest:
    """What is no operation: the document, the page, or nothing."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._page = Page()

    async def __call__(self, scope: Scope, _: Receive, send: Send) -> None:
        await _finish(self._site, scope, send, self._find(scope))

    def _find(self, scope: Scope) -> Answer:
        path = scope["path"]
        found = _document() if path == DOCUMENT else self._page.find(path)
        if found is None:
            return refusal(Refusal(Problem.NOT_FOUND))
        if scope["method"] not in ("GET", "HEAD"):
            return refusal(Refusal(Problem.METHOD_NOT_ALLOWED), headers=(("allow", "GET, HEAD"),))
        return found.answer(scope)


@cache
def _document() -> Kept:
    return Kept(document(OPERATIONS))

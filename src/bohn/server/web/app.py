"""The ASGI application: the API, the page, and the WebSocket, behind the checks of host and origin."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import structlog
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from bohn.protocol.openapi import document
from bohn.protocol.refusals import Problem, Refusal
from bohn.rules.errors import IllegalCommand
from bohn.server.store.protocol import StoreUnavailable
from bohn.server.web.api_request import ApiRequest, Gone, TooSlow
from bohn.server.web.cacheable import CacheableBody
from bohn.server.web.page import Page
from bohn.server.web.responses import Response, internal, ok, refusal
from bohn.server.web.routes import OPERATIONS, Operation
from bohn.server.web.security import Security
from bohn.server.web.services import Services
from bohn.server.web.socket import serve_socket

LOG = structlog.get_logger("bohn.web")

DOCUMENT = "/api/openapi.json"
SOCKET = "/ws"


def make_app(services: Services) -> ASGIApp:
    """Return the application that serves all requests with these services."""
    return Security(_App(services), services.settings)


class _App:
    """All routes, behind the checks of :class:`Security`."""

    def __init__(self, services: Services) -> None:
        self._services = services
        by_path: dict[str, dict[str, Operation]] = {}
        for operation in OPERATIONS:
            endpoint = operation.endpoint
            by_path.setdefault(endpoint.path, {})[endpoint.method] = operation
        routes = [Route(path, _Resource(services, methods)) for path, methods in by_path.items()]
        self._router = Router(routes, redirect_slashes=False, default=_Fallback(services))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._router(scope, receive, send)
        elif scope["type"] == "websocket" and scope["path"] == SOCKET:
            await serve_socket(self._services, scope, receive, send)
        elif scope["type"] == "websocket":
            await refusal(Refusal(Problem.NOT_FOUND)).send(send, "websocket")


class _Resource:
    """One path of the API: an operation for each HTTP method."""

    def __init__(self, services: Services, operations: Mapping[str, Operation]) -> None:
        self._services = services
        self._operations = operations
        read = operations.get("GET")
        if read is not None and not read.endpoint.endless:
            self._operations = {**operations, "HEAD": read}
        self._allow = ", ".join(sorted(self._operations))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        operation = self._operations.get(scope["method"])
        if operation is None:
            refused = Refusal(Problem.METHOD_NOT_ALLOWED)
            await _finish(self._services, scope, send, refusal(refused, headers=(("allow", self._allow),)))
            return
        try:
            response = await _respond(ApiRequest(self._services, scope, receive, send), operation)
        except Gone:
            return
        if response is not None:
            await _finish(self._services, scope, send, response)


async def _finish(services: Services, scope: Scope, send: Send, response: Response) -> None:
    services.metrics.answered(scope["method"], response.status)
    await response.send(send)


async def _respond(request: ApiRequest, operation: Operation) -> Response | None:
    """Return the response, also for every error; ``None`` if the handler has sent it already."""
    try:
        await request.admit(operation.endpoint, operation.gate)
        result = await operation.handler(request)
    except (Refusal, IllegalCommand) as refused:
        if isinstance(refused, Refusal):
            request.services.metrics.turned_away(refused.problem.value)
        return refusal(refused)
    except StoreUnavailable as error:
        LOG.warning("store-unavailable", kind=error.kind, operation=operation.endpoint.name)
        return refusal(Refusal(Problem.NOT_SAVED))
    except TooSlow:
        LOG.warning("body-too-slow", operation=operation.endpoint.name)
        await _drop(request)
        raise
    except (Gone, OSError):
        raise Gone from None
    except Exception as error:
        LOG.exception("mistake", kind=type(error).__name__, operation=operation.endpoint.name)
        return refusal(internal())
    if result is None or isinstance(result, Response):
        return result
    return ok(result, operation.endpoint.status, request.headers)


async def _drop(request: ApiRequest) -> None:
    """Drop the connection, and wait until it has gone: else the lack of a response is answered and logged."""
    abort = request.scope.get("state", {}).get("abort")
    if abort is not None:
        abort()
        while (await request.receive())["type"] != "http.disconnect":  # parts of the body may have come
            pass


class _Fallback:
    """Every other path: the OpenAPI document, a file of the page, or 404."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._page = Page()

    async def __call__(self, scope: Scope, _: Receive, send: Send) -> None:
        await _finish(self._services, scope, send, self._find(scope))

    def _find(self, scope: Scope) -> Response:
        path = scope["path"]
        found = _document() if path == DOCUMENT else self._page.find(path)
        if found is None:
            return refusal(Refusal(Problem.NOT_FOUND))
        if scope["method"] not in ("GET", "HEAD"):
            return refusal(Refusal(Problem.METHOD_NOT_ALLOWED), headers=(("allow", "GET, HEAD"),))
        return found.response(scope)


@cache
def _document() -> CacheableBody:
    return CacheableBody(document())

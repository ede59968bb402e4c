"""Endpoints for operators and their tools: alive, ready, and the metrics."""

from __future__ import annotations

import ipaddress

from starlette.datastructures import Headers

from bohn.protocol.api import Health
from bohn.protocol.endpoints import PROMETHEUS
from bohn.protocol.refusals import Problem, Refusal
from bohn.server.store.protocol import StoreUnavailable
from bohn.server.web.api_request import ApiRequest
from bohn.server.web.responses import Response, ok

RECHECK_AFTER = 1_000
"""Milliseconds after a write and a read in which the store is not asked again, unless a call of it fails."""

STOPPING = ok(Health(ok=False, reason="stopping"), 503)

FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")
"""Headers by which a proxy tells for whom it asks."""


async def alive(request: ApiRequest) -> Response:
    """Answer whether the process lives and goes on living: whether a proxy may choose it.

    A store that cannot be reached changes nothing here, for the page tells people of it.
    """
    return STOPPING if request.services.leaving else ok(Health(ok=True))


async def ready(request: ApiRequest) -> Response:
    """Answer whether tables are served: all is open, nothing is stopping, the store writes and reads."""
    services = request.services
    if services.leaving:
        return STOPPING
    if not services.ready:
        return ok(Health(ok=False, reason="starting"), 503)
    now = services.clock.now()
    if not 0 <= now - services.written < RECHECK_AFTER or services.failures != services.metrics.failures:
        failures = services.metrics.failures  # read before the write: a failure meanwhile is not missed
        try:
            await services.tables.beat()
            await services.store.try_reading()
        except StoreUnavailable as error:
            return ok(Health(ok=False, reason=f"store-{error.kind}"), 503)
        services.written, services.failures = now, failures
    return ok(Health(ok=True))


async def metrics(request: ApiRequest) -> Response:
    """Return the metrics; to this machine only and not through a proxy, unless the settings say otherwise."""
    settings = request.services.settings
    # a proxy on this machine has its address: whoever forwards says so, or is told of by the origin
    headers = Headers(scope=request.scope)
    through_proxy = settings.origins or any(name in headers for name in FORWARDED)
    if not settings.metrics_open and (through_proxy or not _loopback(request.address)):
        raise Refusal(Problem.NOT_FOUND)
    return Response(200, request.services.metrics.text(), PROMETHEUS)


def _loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False

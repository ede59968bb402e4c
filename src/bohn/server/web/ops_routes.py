"""What operators and tools ask: alive, ready, counters, and the document of the API itself."""

from __future__ import annotations

import ipaddress

from bohn.server.metrics import CONTENT_TYPE
from bohn.server.refusals import Problem, Refusal
from bohn.server.store.protocol import StoreUnavailable
from bohn.server.web.answers import Answer, ok
from bohn.server.web.calls import Call
from bohn.server.wire.api import Health

WORKER = "ready"
"""The beat that asking for readiness leaves in the store; it proves that the store can write."""

FRESH = 1_000
"""For so many ms an answer of the store is believed, unless a call of it fails in between."""


async def alive(_: Call) -> Health:
    """Answer, which says it all."""
    return Health(ok=True)


async def ready(call: Call) -> Answer:
    """Tell whether tables are served: everything is open, nothing stops, and the store can write."""
    site = call.site
    if site.connections.stopping:
        return ok(Health(ok=False, reason="stopping"), 503)
    if not site.ready:
        return ok(Health(ok=False, reason="starting"), 503)
    now = site.ambient.now()
    if not 0 <= now - site.written < FRESH or site.failures != site.metrics.failures:
        failures = site.metrics.failures  # one that comes while this waits is asked for anew
        try:
            await site.store.beat(WORKER, now)
        except StoreUnavailable as error:
            return ok(Health(ok=False, reason=f"store-{error.kind}"), 503)
        site.written, site.failures = now, failures
    return ok(Health(ok=True))


async def metrics(call: Call) -> Answer:
    """Show the counters; to this machine only, unless the settings say otherwise."""
    if not call.site.settings.metrics_open and not _loopback(call.address):
        raise Refusal(Problem.NOT_FOUND)
    return Answer(200, call.site.metrics.text(), CONTENT_TYPE)


def _loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False

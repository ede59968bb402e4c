"""Endpoints of alerts: by what and when somebody is told that a game waits for him."""

from __future__ import annotations

from bohn.protocol import alerts as wire
from bohn.server.web.api_request import ApiRequest


async def show_alerts(request: ApiRequest) -> wire.AlertsInfo:
    """Return by what and when the one who asks is told."""
    return await request.services.alerts.show(request.me)


async def change_alerts(request: ApiRequest) -> wire.AlertsInfo:
    """Store when somebody wants to be told."""
    request.services.changes.take(request.me.user.id)
    await request.services.alerts.change(request.me, request.body)
    return await request.services.alerts.show(request.me)


async def add_channel(request: ApiRequest) -> wire.AlertsInfo:
    """Store one more channel."""
    request.services.changes.take(request.me.user.id)
    await request.services.alerts.add(request.me, request.body)
    return await request.services.alerts.show(request.me)


async def drop_channel(request: ApiRequest) -> wire.AlertsInfo:
    """Delete a channel."""
    request.services.changes.take(request.me.user.id)
    await request.services.alerts.drop(request.me, request.path("channel"))
    return await request.services.alerts.show(request.me)


async def test_channel(request: ApiRequest) -> wire.ChannelTested:
    """Send a test to a channel."""
    request.services.alert_tests.take(request.me.user.id)
    return await request.services.alerts.test(request.me, request.path("channel"))

"""Endpoints of alerts: by what and when somebody is told that a game waits for him."""

from __future__ import annotations

from bohn.protocol import alerts as wire
from bohn.protocol import api
from bohn.server.alerts.channels import mail_digest
from bohn.server.buckets import group
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
    """Store one more channel; an e-mail address lets in, so that it wants a confirmed session."""
    services = request.services
    services.changes.take(request.me.user.id)
    body: wire.NewChannel = request.body
    if body.kind == "mail":
        await services.accounts.require_confirmed_if_any(request.me)
        _take_mail(request, mail_digest(body.endpoint))
    await services.alerts.add(request.me, body)
    return await request.services.alerts.show(request.me)


async def drop_channel(request: ApiRequest) -> wire.AlertsInfo:
    """Delete a channel; one that lets in wants a confirmed session."""
    services, channel = request.services, request.path("channel")
    services.changes.take(request.me.user.id)
    if await services.alerts.mail_of(request.me, channel):
        await services.accounts.require_confirmed_if_any(request.me)
    await services.alerts.drop(request.me, channel)
    return await request.services.alerts.show(request.me)


async def change_channel(request: ApiRequest) -> wire.AlertsInfo:
    """Let turns be told by a channel, or no more."""
    services = request.services
    services.changes.take(request.me.user.id)
    body: wire.ChangeChannel = request.body
    await services.alerts.set_active(request.me, request.path("channel"), active=body.active)
    return await services.alerts.show(request.me)


def _take_mail(request: ApiRequest, found_by: str) -> None:
    """Count a letter by its address and by the network that has asked for it; raises ``rate-limited``."""
    request.services.mails.take(f"from:{group(request.address)}")
    request.services.mails.take(f"to:{found_by}")


async def confirm_mail(request: ApiRequest) -> api.Empty:
    """Let an e-mail address be used by the link that was sent to it."""
    request.services.sign_ins.take(group(request.address))
    body: wire.MailToken = request.body
    await request.services.alerts.confirm(body.token)
    return api.Empty()


async def stop_mail(request: ApiRequest) -> api.Empty:
    """End e-mail about turns by the link in each of them; a mail program may ask as well (RFC 8058)."""
    request.services.sign_ins.take(group(request.address))
    await request.services.alerts.stop(request.path("channel"), request.path("key"))
    return api.Empty()


async def test_channel(request: ApiRequest) -> wire.ChannelTested:
    """Send a test to a channel."""
    services, channel = request.services, request.path("channel")
    services.alert_tests.take(request.me.user.id)
    if found_by := await services.alerts.mail_of(request.me, channel):
        _take_mail(request, found_by)
    return await services.alerts.test(request.me, channel)

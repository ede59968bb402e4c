"""What a client asks about how its user is told, of a real server."""

from __future__ import annotations

from bohn.client import Client
from bohn.protocol.alerts import ChangeAlerts, NewChannel
from bohn.server.settings import Alerts, Settings
from tests.server.support.site import live


def test_client_is_told_by_the_channels_that_it_names() -> None:
    """Added, tried, silenced and removed; and not in its quiet hours."""
    settings = Settings(alerts=Alerts(push=False, ntfy="http://127.0.0.1:9", private=True))
    with live(settings) as server, Client(server.origin) as client:
        client.guest("Ada")
        assert client.alerts().offered == ("ntfy",)
        (channel,) = client.add_channel(NewChannel("ntfy", "beans")).channels
        assert (channel.kind, channel.address) == ("ntfy", "beans")
        assert client.test_channel(channel.id).result == "failed"  # nobody is there
        assert not client.set_channel_active(channel.id, active=False).channels[0].active
        changed = client.change_alerts(ChangeAlerts(quiet_from=60, quiet_to=120, zone="Asia/Tokyo"))
        assert (changed.quiet_from, changed.quiet_to, changed.zone) == (60, 120, "Asia/Tokyo")
        assert client.drop_channel(channel.id).channels == ()

"""Alerts as people see them: by which channels they are told, when they want to be, and a test of each."""

from __future__ import annotations

from hashlib import sha256
from zoneinfo import ZoneInfo

import msgspec

from bohn.protocol import alerts as wire
from bohn.protocol.refusals import Problem, Refusal
from bohn.server.alerts import webpush
from bohn.server.alerts.delivery import DAY, Delivery, Parcel
from bohn.server.alerts.message import sample_message
from bohn.server.alerts.outbound import place_of
from bohn.server.alerts.sender import AlertSender
from bohn.server.alerts.webpush import Subscription
from bohn.server.clock import TimeSource
from bohn.server.entropy import Entropy
from bohn.server.people.names import clean_device
from bohn.server.people.service import Identity, People
from bohn.server.settings import Settings
from bohn.server.store.alerts import Channel, Preferences
from bohn.server.store.counting import Counting
from bohn.server.store.protocol import Store
from bohn.server.tables.api import Tables

CHANNEL_ID = 16
"""First digits of the SHA-256 of an endpoint that are its name here."""

LONGEST_KEY = 200
LONGEST_ZONE = 64


class AlertService:
    """The alerts of one server."""

    def __init__(
        self,
        store: Store,
        tables: Tables,
        people: People,
        clock: TimeSource,
        entropy: Entropy,
        settings: Settings,
    ) -> None:
        """Use this store for everything."""
        self._store = store
        self._clock = clock
        self._settings = settings
        self._counting = Counting(store)
        self._delivery = Delivery(store, clock, entropy, settings)
        self._sender = AlertSender(store, tables, people, clock, self._delivery)
        push = settings.alerts.push and webpush.is_installed()
        self.offered: tuple[wire.ChannelKind, ...] = ("push",) if push else ()

    async def look(self) -> None:
        """Send what is due."""
        if self.offered:
            await self._sender.look()

    async def show(self, identity: Identity) -> wire.AlertsInfo:
        """Return by what and when somebody is told."""
        user = identity.user.id
        wanted = await self._preferences(user)
        key = webpush.public_key_of(await self._delivery.key()) if "push" in self.offered else ""
        return wire.AlertsInfo(
            self.offered,
            key,
            tuple(_info(one, identity) for one in await self._store.channels_of(user)),
            wanted.every,
            wanted.quiet_from,
            wanted.quiet_to,
            wanted.zone,
        )

    async def _preferences(self, user: str) -> Preferences:
        return await self._store.preferences_of(user) or Preferences(user)

    async def change(self, identity: Identity, change: wire.ChangeAlerts) -> None:
        """Store when somebody wants to be told; raises ``zone-unknown``."""
        known = await self._preferences(identity.user.id)
        zone = known.zone if change.zone is None else change.zone
        if not is_zone(zone):
            raise Refusal(Problem.ZONE_UNKNOWN)
        wanted = Preferences(
            known.user,
            known.every if change.every is None else change.every,
            known.quiet_from if change.quiet_from is None else change.quiet_from,
            known.quiet_to if change.quiet_to is None else change.quiet_to,
            zone,
        )
        await self._store.put_preferences(wanted)

    async def add(self, identity: Identity, new: wire.NewChannel) -> None:
        """Store a channel; the same one again replaces it, whoever's it was.

        Raises ``channel-not-offered``, ``channel-not-valid`` and ``too-many``.
        """
        if new.kind not in self.offered:
            raise Refusal(Problem.CHANNEL_NOT_OFFERED)
        subscription = Subscription(new.endpoint, new.p256dh, new.auth)
        short = len(new.p256dh) <= LONGEST_KEY and len(new.auth) <= LONGEST_KEY
        place = place_of(new.endpoint, private=self._settings.alerts.private)
        if place is None or not short or not webpush.is_valid(subscription):
            raise Refusal(Problem.CHANNEL_NOT_VALID)
        channel = Channel(
            sha256(new.endpoint.encode()).hexdigest()[:CHANNEL_ID],
            identity.user.id,
            new.kind,
            msgspec.json.encode(subscription).decode(),
            clean_device(new.label),
            self._clock.now(),
            identity.session.digest,
        )
        async with self._counting.alone(f"channels:{channel.user}"):
            own = await self._store.channels_of(channel.user)
            most = self._settings.limits.channels_a_user
            if len([one for one in own if one.id != channel.id]) >= most:
                raise Refusal(Problem.TOO_MANY, most=most)
            await self._store.add_channel(channel)

    async def drop(self, identity: Identity, channel: str) -> None:
        """Delete a channel; raises ``not-found``."""
        if not await self._store.drop_channel(identity.user.id, channel):
            raise Refusal(Problem.NOT_FOUND)

    async def test(self, identity: Identity, channel: str) -> wire.ChannelTested:
        """Send a test to a channel; raises ``not-found``."""
        found = await self._store.channel(channel)
        if found is None or found.user != identity.user.id:
            raise Refusal(Problem.NOT_FOUND)
        outcome = await self._delivery.send(found, Parcel(sample_message(identity.user.language), DAY))
        return wire.ChannelTested("failed" if outcome == "over" else outcome)


def _info(channel: Channel, identity: Identity) -> wire.ChannelInfo:
    here = channel.session == identity.session.digest
    return wire.ChannelInfo(channel.id, channel.kind, channel.label, channel.created, here, channel.failed)


def is_zone(name: str) -> bool:
    """Tell whether this machine knows a time zone of this name."""
    try:
        return 0 < len(name) <= LONGEST_ZONE and ZoneInfo(name) is not None
    except (KeyError, ValueError, OSError):
        return False

"""Alerts as people see them: by which channels they are told, when they want to be, and a test of each."""

from __future__ import annotations

from hmac import compare_digest

import msgspec

from bohn.i18n import FALLBACK, available
from bohn.protocol import alerts as wire
from bohn.protocol import operator
from bohn.protocol.refusals import Problem, Refusal
from bohn.server import letters
from bohn.server.alerts import webpush
from bohn.server.alerts.channels import Mailbox, channel_of, shown
from bohn.server.alerts.delivery import DAY, Delivery, Parcel
from bohn.server.alerts.message import sample_message
from bohn.server.alerts.sender import AlertSender
from bohn.server.alerts.trying import Noting, pushed, tried
from bohn.server.clock import TimeSource
from bohn.server.entropy import Entropy
from bohn.server.mail import Mailer, NotMailed
from bohn.server.people.service import Identity, People, digest
from bohn.server.settings import Settings, own_address
from bohn.server.store.accounts import Challenge
from bohn.server.store.alerts import Channel, Preferences
from bohn.server.store.counting import Counting
from bohn.server.store.protocol import Store
from bohn.server.tables.api import Tables
from bohn.server.zones import is_zone

TOKEN_BYTES = 32
"""Random bytes of what a link has in it that confirms an e-mail address."""

LONGEST_TOKEN = 200


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
        mailer: Mailer,
    ) -> None:
        """Use this store for everything, and send e-mail by this mailer."""
        self._store = store
        self._clock = clock
        self._entropy = entropy
        self._mailer = mailer
        self._settings = settings
        self._counting = Counting(store)
        self._delivery = Delivery(store, clock, entropy, settings, mailer)
        self._sender = AlertSender(store, tables, people, clock, self._delivery)
        able: dict[wire.ChannelKind, bool] = {
            "push": settings.alerts.push and webpush.is_installed(),
            "mail": mailer.offered,
            "ntfy": bool(settings.alerts.ntfy),
            "hook": settings.alerts.hooks,
        }
        self.offered = tuple(kind for kind, can in able.items() if can)

    async def look(self) -> None:
        """Send what is due."""
        if self.offered:
            await self._sender.look()

    async def show(self, identity: Identity) -> wire.AlertsInfo:
        """Return by what and when somebody is told."""
        user = identity.user.id
        wanted = await self._preferences(user)
        account = await self._store.account_of(user)
        opened = None if account is None else account.created
        return wire.AlertsInfo(
            self.offered,
            await self._public_key(),
            self._settings.alerts.ntfy,
            tuple(shown(one, identity, opened) for one in await self._store.channels_of(user)),
            wanted.every,
            wanted.quiet_from,
            wanted.quiet_to,
            wanted.zone,
            account is not None,
        )

    async def _public_key(self) -> str:
        return webpush.public_key_of(await self._delivery.key()) if "push" in self.offered else ""

    async def offer(self) -> operator.NoticesOffer:
        """Return by what people can be told, as operators see it."""
        return operator.NoticesOffer(self.offered, await self._public_key(), self._settings.alerts.ntfy)

    async def try_out(self, wanted: operator.NoticeTest, note: Noting) -> tuple[bool, str]:
        """Send a test for an operator; return whether it was taken, and the status or word for why.

        Raises ``channel-not-offered``, with nothing noted.
        """
        if wanted.kind not in self.offered:
            raise Refusal(Problem.CHANNEL_NOT_OFFERED)
        language = wanted.language if wanted.language in available() else FALLBACK
        if wanted.kind == "push":
            to = webpush.Subscription(wanted.endpoint, wanted.p256dh, wanted.auth)
            return await pushed(to, self._delivery, self._settings, note, language)
        address = wanted.endpoint.strip()
        return await tried(wanted.kind, address, self._settings, note, language, self._mailer)

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
        """Store a channel; the same one again replaces it, a browser's whoever's it was.

        An e-mail address is sent a link first. Raises ``channel-not-offered``, ``channel-not-valid`` and
        ``too-many``.
        """
        if new.kind not in self.offered:
            raise Refusal(Problem.CHANNEL_NOT_OFFERED)
        channel = channel_of(new, identity, self._settings.alerts, self._entropy, self._clock.now())
        async with self._counting.alone(f"channels:{channel.user}"):
            own = await self._store.channels_of(channel.user)
            most = self._settings.limits.channels_a_user
            if len([one for one in own if one.id != channel.id]) >= most:
                raise Refusal(Problem.TOO_MANY, most=most)
            await self._store.add_channel(channel)
        if channel.kind == "mail":
            await self._ask_to_confirm(channel, identity.user.language)

    async def _ask_to_confirm(self, channel: Channel, language: str) -> None:
        """Send the link by which an e-mail address is confirmed; if it cannot go out, that is noted."""
        token = webpush.encoded(self._entropy.token_bytes(TOKEN_BYTES))
        now = self._clock.now()
        expires = now + self._settings.times.mail_link
        await self._store.put_challenge(Challenge(digest(token), "mail", b"", "", channel.id, expires), now)
        box = msgspec.json.decode(channel.address, type=Mailbox)
        try:
            await self._mailer.send(letters.confirming(box.to, language, own_address(self._settings), token))
        except NotMailed:
            await self._store.note_delivery(channel.id, now)

    async def confirm(self, token: str) -> None:
        """Let an e-mail address be used whose owner has got the link; raises ``link-not-valid``."""
        found = await self._store.take_challenge(digest(token)) if 0 < len(token) <= LONGEST_TOKEN else None
        if found is None or found.kind != "mail" or found.expires <= self._clock.now():
            raise Refusal(Problem.LINK_NOT_VALID)
        if not await self._store.verify_channel(found.about):
            raise Refusal(Problem.LINK_NOT_VALID)

    async def stop(self, channel: str, key: str) -> None:
        """End e-mail about turns by the link in each; raises ``link-not-valid``."""
        found = await self._store.channel(channel)
        own = found is not None and found.kind == "mail"
        kept = msgspec.json.decode(found.address, type=Mailbox).key if found is not None and own else ""
        if not kept or not compare_digest(kept.encode(), key.encode()):
            raise Refusal(Problem.LINK_NOT_VALID)
        await self._store.set_active(channel, active=False)

    async def set_active(self, identity: Identity, channel: str, *, active: bool) -> None:
        """Let turns be told by a channel, or no more; raises ``not-found``."""
        await self._store.set_active((await self._own(identity, channel)).id, active=active)

    async def _own(self, identity: Identity, channel: str) -> Channel:
        found = await self._store.channel(channel)
        if found is None or found.user != identity.user.id:
            raise Refusal(Problem.NOT_FOUND)
        return found

    async def mail_of(self, identity: Identity, channel: str) -> str:
        """Return by what the e-mail address of a channel is found, empty for others; raises ``not-found``."""
        return (await self._own(identity, channel)).found_by

    async def drop(self, identity: Identity, channel: str) -> None:
        """Delete a channel; raises ``not-found``."""
        if not await self._store.drop_channel(identity.user.id, channel):
            raise Refusal(Problem.NOT_FOUND)

    async def test(self, identity: Identity, channel: str) -> wire.ChannelTested:
        """Send a test to a channel, and to one that is not confirmed its link again; raises ``not-found``."""
        found = await self._own(identity, channel)
        if not found.verified:
            await self._ask_to_confirm(found, identity.user.language)
            later = await self._store.channel(channel)
            return wire.ChannelTested("sent" if later is not None and not later.failed else "failed")
        language = identity.user.language
        outcome = await self._delivery.send(found, Parcel(sample_message(language), DAY, language))
        return wire.ChannelTested("failed" if outcome == "over" else outcome)

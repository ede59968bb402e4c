"""A message on its way: to the push service of a browser, by e-mail, to an ntfy server, or to a hook."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from hashlib import sha256
from typing import Literal

import msgspec
import structlog
from msgspec import Struct

from bohn.server import letters
from bohn.server.alerts import posted, webpush
from bohn.server.alerts.channels import Hook, Mailbox, Topic
from bohn.server.alerts.message import Message
from bohn.server.alerts.outbound import NotSent, NotWanted, Place, always, place_of, post
from bohn.server.alerts.webpush import Subscription
from bohn.server.clock import TimeSource
from bohn.server.entropy import Entropy
from bohn.server.mail import Mailer, NotMailed
from bohn.server.secrets_kept import secret_of
from bohn.server.settings import Settings, own_address
from bohn.server.store.alerts import Channel
from bohn.server.store.protocol import Store

LOG = structlog.get_logger("bohn.alerts")

Outcome = Literal["sent", "gone", "refused", "failed", "over"]
"""What became of it: ``gone`` channels are deleted, ``failed`` ones tried again, ``over`` was the turn."""

TOPIC_LETTERS = 32
"""Of a topic: messages of the same one replace each other at the push service (RFC 8030, 5.4)."""

DAY = 24 * 3_600
"""Seconds for which a push service keeps a message of a table without a clock."""

GONE = frozenset({404, 410})
PASSING = frozenset({408, 425, 429})
"""Statuses that pass by themselves, beside those from 500 on."""


NTFY_TOKEN = "BOHN_NTFY_TOKEN"  # noqa: S105 - the name of a variable
"""The environment variable of the access token of the ntfy server."""


class Parcel(Struct, frozen=True):
    """A message with how long it is worth anything (seconds), its language, and whether it is still."""

    message: Message
    seconds: int
    language: str = "en"
    lasts: Callable[[], bool] = always


class Delivery:
    """Sends messages to channels."""

    def __init__(
        self, store: Store, clock: TimeSource, entropy: Entropy, settings: Settings, mailer: Mailer
    ) -> None:
        """Sign with the key in this store, and send e-mail by this mailer."""
        self._store = store
        self._clock = clock
        self._entropy = entropy
        self._settings = settings
        self._mailer = mailer
        self._secret: bytes | None = None

    async def key(self) -> bytes:
        """Return the private key of this server, which is made once and kept."""
        if self._secret is None:
            self._secret = await self._store.vapid_key(await asyncio.to_thread(webpush.new_key))
        return self._secret

    async def send(self, channel: Channel, parcel: Parcel) -> Outcome:
        """Send a message to a channel, and note what has become of it.

        An e-mail address that is refused for good stays as a way back, and is told no more.
        """
        try:
            outcome = await self._sent(channel, parcel)
        except NotSent as error:
            LOG.info("alert-not-sent", kind=channel.kind, reason=error.reason)
            outcome = "failed"
        except NotMailed as error:
            outcome = "refused" if error.final else "failed"
        if outcome == "gone":
            await self._store.drop_channel(channel.user, channel.id)
        elif outcome != "over":
            await self._store.note_delivery(channel.id, 0 if outcome == "sent" else self._clock.now())
            if outcome == "refused" and channel.kind == "mail":
                await self._store.set_active(channel.id, active=False)
        return outcome

    async def _sent(self, channel: Channel, parcel: Parcel) -> Outcome:
        match channel.kind:
            case "push":
                return await self._push(channel, parcel)
            case "mail":
                return await self._mail(channel, parcel)
            case "ntfy":
                return await self._publish(channel, parcel)
            case "hook":
                return await self._hook(channel, parcel)

    async def _mail(self, channel: Channel, parcel: Parcel) -> Outcome:
        box, said = msgspec.json.decode(channel.address, type=Mailbox), parcel.message
        own = own_address(self._settings)
        letter = letters.turn(
            box.to, parcel.language, own, said.title, said.body, said.table, channel.id, box.key
        )
        if not parcel.lasts():
            return "over"
        return "sent" if await self._mailer.send(letter, parcel.lasts) else "over"

    async def _publish(self, channel: Channel, parcel: Parcel) -> Outcome:
        """Publish at the ntfy server, which its operator has chosen: it may stand in a private network."""
        place = place_of(self._settings.alerts.ntfy, private=True)
        if place is None:
            return "refused"
        topic = msgspec.json.decode(channel.address, type=Topic).topic
        body = posted.for_ntfy(topic, parcel.message, self._url(parcel.message))
        token = await asyncio.to_thread(ntfy_token, self._settings)
        headers = posted.HEADERS | ({"Authorization": f"Bearer {token}"} if token else {})
        outcome = await self._posted(channel.kind, place, headers, body, parcel, private=True)
        return "refused" if outcome == "gone" else outcome

    async def _hook(self, channel: Channel, parcel: Parcel) -> Outcome:
        private = self._settings.alerts.private
        place = place_of(msgspec.json.decode(channel.address, type=Hook).url, private=private)
        if place is None or not self._settings.alerts.hooks:
            return "refused"
        body = posted.for_hook(place, parcel.message, self._url(parcel.message))
        return await self._posted(channel.kind, place, posted.HEADERS, body, parcel, private=private)

    def _url(self, message: Message) -> str:
        own = own_address(self._settings)
        return f"{own}/t/{message.table}" if message.table else own

    async def _push(self, channel: Channel, parcel: Parcel) -> Outcome:
        sealed = await self.sealed(msgspec.json.decode(channel.address, type=Subscription), parcel)
        if sealed is None:
            return "refused"
        return await self._posted(channel.kind, *sealed, parcel, private=self._settings.alerts.private)

    async def sealed(
        self, subscription: Subscription, parcel: Parcel
    ) -> tuple[Place, dict[str, str], bytes] | None:
        """Return what is posted for one browser, encrypted and signed; ``None`` if its address may not be."""
        place = place_of(subscription.endpoint, private=self._settings.alerts.private)
        if place is None:
            return None
        secret = await self.key()
        body = await asyncio.to_thread(
            webpush.encrypted, subscription, msgspec.json.encode(parcel.message), self._entropy
        )
        headers = {
            "Authorization": webpush.authorization(secret, place.origin, self.contact, self._clock.now()),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(parcel.seconds),
            "Urgency": "high" if parcel.message.kind == "reminder" else "normal",
            **topic_of(parcel.message),
        }
        return place, headers, body

    async def _posted(
        self, kind: str, place: Place, headers: dict[str, str], body: bytes, parcel: Parcel, *, private: bool
    ) -> Outcome:
        if not parcel.lasts():
            return "over"
        try:
            status = await post(place, headers, body, private=private, wanted=parcel.lasts)
        except NotWanted:
            return "over"
        if 200 <= status < 300:
            return "sent"
        if status in GONE:
            return "gone"
        LOG.info("alert-not-taken", kind=kind, reason=str(status))
        return "failed" if status in PASSING or status >= 500 else "refused"

    @property
    def contact(self) -> str:
        """Where a push service reaches whoever runs this server."""
        own = next((origin for origin in self._settings.origins if origin.startswith("https://")), "")
        return self._settings.alerts.contact or own or "https://localhost"


def ntfy_token(settings: Settings) -> str:
    """Return the access token of the ntfy server; raises :class:`NotSent` if its file cannot be read."""
    try:
        return secret_of(settings.alerts.ntfy_token_file, NTFY_TOKEN)
    except (OSError, UnicodeDecodeError):
        raise NotSent("no-token") from None


def topic_of(message: Message) -> dict[str, str]:
    """Return the header by which a later message of the same table replaces this one."""
    if not message.table:
        return {}
    return {"Topic": webpush.encoded(sha256(message.table.encode()).digest())[:TOPIC_LETTERS]}

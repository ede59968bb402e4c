"""A message on its way: to the push service of a browser."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from hashlib import sha256
from typing import Literal

import msgspec
import structlog
from msgspec import Struct

from bohn.server.alerts import webpush
from bohn.server.alerts.message import Message
from bohn.server.alerts.outbound import NotSent, Place, place_of, post
from bohn.server.alerts.webpush import Subscription
from bohn.server.clock import TimeSource
from bohn.server.entropy import Entropy
from bohn.server.settings import Settings
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


def always() -> bool:
    """Tell that what is sent is worth it still: a test is of no turn."""
    return True


class Parcel(Struct, frozen=True):
    """A message with how long it is worth anything (seconds), and whether it is still."""

    message: Message
    seconds: int
    lasts: Callable[[], bool] = always


class Delivery:
    """Sends messages to channels."""

    def __init__(self, store: Store, clock: TimeSource, entropy: Entropy, settings: Settings) -> None:
        """Sign with the key in this store."""
        self._store = store
        self._clock = clock
        self._entropy = entropy
        self._settings = settings
        self._secret: bytes | None = None

    async def key(self) -> bytes:
        """Return the private key of this server, which is made once and kept."""
        if self._secret is None:
            self._secret = await self._store.vapid_key(await asyncio.to_thread(webpush.new_key))
        return self._secret

    async def send(self, channel: Channel, parcel: Parcel) -> Outcome:
        """Send a message to a channel, and note what has become of it."""
        try:
            outcome = await self._push(channel, parcel)
        except NotSent as error:
            LOG.info("alert-not-sent", kind=channel.kind, reason=error.reason)
            outcome = "failed"
        if outcome == "gone":
            await self._store.drop_channel(channel.user, channel.id)
        elif outcome != "over":
            await self._store.note_delivery(channel.id, 0 if outcome == "sent" else self._clock.now())
        return outcome

    async def _push(self, channel: Channel, parcel: Parcel) -> Outcome:
        subscription = msgspec.json.decode(channel.address, type=Subscription)
        private = self._settings.alerts.private
        place = place_of(subscription.endpoint, private=private)
        if place is None:
            return "refused"
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
        return await self._posted(channel.kind, place, headers, body, parcel)

    async def _posted(
        self, kind: str, place: Place, headers: dict[str, str], body: bytes, parcel: Parcel
    ) -> Outcome:
        if not parcel.lasts():
            return "over"
        status = await post(place, headers, body, private=self._settings.alerts.private)
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


def topic_of(message: Message) -> dict[str, str]:
    """Return the header by which a later message of the same table replaces this one."""
    if not message.table:
        return {}
    return {"Topic": webpush.encoded(sha256(message.table.encode()).digest())[:TOPIC_LETTERS]}

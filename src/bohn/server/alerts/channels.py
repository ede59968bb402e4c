"""Channels of each kind: what is stored of them, and what their owner is shown."""

from __future__ import annotations

import re
from hashlib import sha256

import msgspec
from msgspec import Struct

from bohn.protocol import alerts as wire
from bohn.protocol.refusals import Problem, Refusal
from bohn.server.alerts import webpush
from bohn.server.alerts.outbound import place_of
from bohn.server.alerts.webpush import Subscription, encoded
from bohn.server.entropy import Entropy
from bohn.server.people.names import clean_device
from bohn.server.people.service import Identity
from bohn.server.settings import Alerts, is_mail_address
from bohn.server.store.alerts import Channel

CHANNEL_ID = 16
"""First digits of the SHA-256 of an endpoint that are its name here."""

LONGEST_KEY = 200

TOPIC_BYTES = 16
"""Random bytes of a topic of ntfy: whoever knows it reads along."""

STOP_BYTES = 16
"""Random bytes in the link that ends e-mail."""

_TOPIC = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Mailbox(Struct, frozen=True):
    """An e-mail address, and what the link has in it that ends e-mail to it."""

    to: str
    key: str


class Topic(Struct, frozen=True):
    """A topic of the ntfy server."""

    topic: str


class Hook(Struct, frozen=True):
    """An address to which messages are posted."""

    url: str


def mail_digest(address: str) -> str:
    """Return by what an e-mail address is found, however it is written."""
    return sha256(f"mail:{address.strip().casefold()}".encode(errors="surrogatepass")).hexdigest()


def channel_of(
    new: wire.NewChannel, identity: Identity, settings: Alerts, entropy: Entropy, now: int
) -> Channel:
    """Return a new channel as it is stored; raises ``channel-not-valid``."""
    user, endpoint = identity.user.id, new.endpoint.strip()
    session, verified, found_by, label = "", True, "", clean_device(new.label)
    address: Struct
    if new.kind == "push":
        name, session = new.endpoint, identity.session.digest
        address = _subscription(new, settings)
    elif new.kind == "mail":
        if not is_mail_address(endpoint):
            raise Refusal(Problem.CHANNEL_NOT_VALID)
        found_by = mail_digest(endpoint)
        name, verified = f"mail:{user}:{found_by}", False
        address = Mailbox(endpoint, encoded(entropy.token_bytes(STOP_BYTES)))
    elif new.kind == "ntfy":
        topic = endpoint or f"bohn-{encoded(entropy.token_bytes(TOPIC_BYTES))}"
        if not _TOPIC.fullmatch(topic):
            raise Refusal(Problem.CHANNEL_NOT_VALID)
        name, address = f"ntfy:{user}:{topic}", Topic(topic)
    else:
        if place_of(endpoint, private=settings.private) is None:
            raise Refusal(Problem.CHANNEL_NOT_VALID)
        name, address = f"hook:{user}:{endpoint}", Hook(endpoint)
    return Channel(
        sha256(name.encode(errors="surrogatepass")).hexdigest()[:CHANNEL_ID],
        user,
        new.kind,
        msgspec.json.encode(address).decode(),
        label,
        now,
        session,
        verified=verified,
        found_by=found_by,
    )


def _subscription(new: wire.NewChannel, settings: Alerts) -> Subscription:
    subscription = Subscription(new.endpoint, new.p256dh, new.auth)
    short = len(new.p256dh) <= LONGEST_KEY and len(new.auth) <= LONGEST_KEY
    place = place_of(new.endpoint, private=settings.private)
    if place is None or not short or not webpush.is_valid(subscription):
        raise Refusal(Problem.CHANNEL_NOT_VALID)
    return subscription


def shown(channel: Channel, identity: Identity, opened: int | None) -> wire.ChannelInfo:
    """Return what the owner of a channel is shown; ``opened`` is since when he has an account, if he has."""
    way_back = (
        channel.kind == "mail" and channel.verified and opened is not None and channel.created >= opened
    )
    return wire.ChannelInfo(
        channel.id,
        channel.kind,
        channel.label,
        channel.created,
        channel.session == identity.session.digest,
        channel.failed,
        _shown_address(channel),
        channel.verified,
        channel.active,
        way_back,
    )


def _shown_address(channel: Channel) -> str:
    """Return where a channel leads: of a hook its server only, for whoever knows the rest may post there."""
    if channel.kind == "mail":
        return msgspec.json.decode(channel.address, type=Mailbox).to
    if channel.kind == "ntfy":
        return msgspec.json.decode(channel.address, type=Topic).topic
    if channel.kind == "hook":
        place = place_of(msgspec.json.decode(channel.address, type=Hook).url, private=True)
        return "" if place is None else place.origin
    return ""

"""Alerts, as the store sees them: who is to be told by which channels that a game waits for him.

An alert is a row for a table and a user. It is written in the transaction of the batch with which his turn
begins, and stays until he has come back and his turn is over. Times are in ms since 1970.
"""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from bohn.protocol.alerts import ChannelKind

BEGUN, TOLD, REMINDED = 0, 1, 2
"""How far an alert is: nothing was sent, the message was, the reminder was."""


class Channel(Struct, frozen=True, gc=False):
    """One way to tell a user; ``address`` is JSON: of a push subscription its endpoint and keys.

    ``session`` is the digest of the cookie with which a browser has subscribed: with it ends the
    channel. One that is not ``verified`` is not used. ``failed`` is since when nothing has arrived; 0: the
    last did. One that is not ``active`` is told of no turns, and is there as a way back by e-mail only;
    ``found_by`` is the digest of its e-mail address, else empty.
    """

    id: str
    user: str
    kind: ChannelKind
    address: str
    label: str
    created: int
    session: str = ""
    verified: bool = True
    failed: int = 0
    active: bool = True
    found_by: str = ""


UNVERIFIED_FOR = 48 * 3_600_000
"""Ms for which a channel is kept that nobody verifies."""


class Preferences(Struct, frozen=True, gc=False):
    """When a user wants to be told: at ``every`` table, or only where a clock counts in hours.

    In the quiet hours nothing is sent: from and to are minutes of the day in a time zone; equal: there are
    none.
    """

    user: str
    every: bool = False
    quiet_from: int = 0
    quiet_to: int = 0
    zone: str = "UTC"


class TurnBegun(Struct, frozen=True, gc=False):
    """With a batch the turn of a user begins; he is told at ``due``.

    ``days``: the table's clock counts in hours, so that he is told without having asked for it. ``here``: the
    batch is his own, so that he has come back.
    """

    user: str
    due: int
    days: bool
    here: bool = False


class Alert(Struct, frozen=True, gc=False):
    """An alert: ``seq`` is that of the batch with which the turn began, ``begun`` when that was.

    ``due`` is when it is looked at next; ``None``: not before another turn begins or he comes back
    (``seen``). Until ``taken`` somebody else looks after it. ``remaining`` are channels, separated by
    spaces, that are tried again; ``attempts`` how often they were.
    """

    table: str
    user: str
    seq: int
    begun: int
    due: int | None
    stage: int = BEGUN
    seen: bool = False
    taken: int = 0
    attempts: int = 0
    remaining: str = ""


class AlertStore(Protocol):
    """What a store offers to alerts. Every method raises ``StoreUnavailable``."""

    async def add_channel(self, channel: Channel) -> None:
        """Store a channel; one of this id, whoever's it was, is replaced."""
        ...

    async def channel(self, channel: str) -> Channel | None:
        """Return a channel by its id."""
        ...

    async def channels_of(self, user: str) -> tuple[Channel, ...]:
        """Return the channels of a user, oldest first."""
        ...

    async def drop_channel(self, user: str, channel: str) -> bool:
        """Delete a channel of a user; tell whether there was one."""
        ...

    async def verify_channel(self, channel: str) -> bool:
        """Let a channel be used; tell whether it is there."""
        ...

    async def set_active(self, channel: str, active: bool) -> bool:
        """Let turns be told by a channel, or no more; tell whether it is there."""
        ...

    async def channels_found_by(self, found_by: str) -> tuple[Channel, ...]:
        """Return the verified channels of an e-mail address by its digest, oldest first."""
        ...

    async def note_delivery(self, channel: str, failed: int) -> None:
        """Note that something has arrived (0), or since when nothing has: the first failure counts."""
        ...

    async def preferences_of(self, user: str) -> Preferences | None:
        """Return when a user wants to be told, if he has said so."""
        ...

    async def put_preferences(self, preferences: Preferences) -> None:
        """Store when a user wants to be told."""
        ...

    async def came_back(self, table: str, user: str, now: int) -> None:
        """Note that a user has come back to a table: the next turn there is told again."""
        ...

    async def take_alerts(self, now: int, until: int, limit: int = 20) -> tuple[Alert, ...]:
        """Return alerts due by ``now``, earliest first, which nobody else gets before ``until``."""
        ...

    async def settle_alert(self, alert: Alert) -> bool:
        """Store what has become of an alert that was taken, and let go of it.

        Nothing is stored if another turn has begun meanwhile or if it is gone; what is ``seen`` stays so, and
        is looked at again. Return whether it was stored.
        """
        ...

    async def drop_alert(self, alert: Alert) -> bool:
        """Delete an alert, unless another turn has begun meanwhile; tell whether it was deleted."""
        ...

    async def alerts_of(self, user: str) -> tuple[Alert, ...]:
        """Return the alerts of a user, by table."""
        ...

    async def vapid_key(self, made: bytes) -> bytes:
        """Return the private key by which this server signs pushes; it is ``made`` if there was none."""
        ...

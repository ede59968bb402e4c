"""The part of the store in memory for alerts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from msgspec.structs import replace

from bohn.server.store.alerts import Alert, Channel, Preferences
from bohn.server.store.protocol import Append

if TYPE_CHECKING:
    from tests.server.support.memory_store import Backing


def write_alerts(data: Backing, append: Append) -> None:
    """Note whose turn begins with a batch, and who has come back with it."""
    row = append.row
    for user in append.back:
        _come_back(data, row.table, user, row.at)
    for turn in append.turns:
        has = any(one.user == turn.user and one.verified and one.active for one in data.channels.values())
        preferences = data.preferences.get(turn.user)
        if not has or not (turn.days or (preferences is not None and preferences.every)):
            continue
        known = data.alerts.get((row.table, turn.user))
        again = known is None or known.seen or turn.here
        stage = 0 if known is None or again else known.stage
        taken = 0 if known is None else known.taken
        data.alerts[row.table, turn.user] = Alert(
            row.table, turn.user, row.seq, row.at, turn.due, stage, taken=taken
        )


def _come_back(data: Backing, table: str, user: str, now: int) -> None:
    known = data.alerts.get((table, user))
    if known is not None:
        data.alerts[table, user] = replace(known, seen=True, due=now)


class MemoryAlerts(ABC):
    """Does what :class:`bohn.server.store.alerts.AlertStore` says."""

    @abstractmethod
    async def _ready(self) -> Backing:
        """Return the data."""

    async def add_channel(self, channel: Channel) -> None:
        """Store a channel."""
        (await self._ready()).channels[channel.id] = replace(channel, failed=0)

    async def channel(self, channel: str) -> Channel | None:
        """Return a channel."""
        return (await self._ready()).channels.get(channel)

    async def channels_of(self, user: str) -> tuple[Channel, ...]:
        """Return the channels of a user, oldest first."""
        found = (one for one in (await self._ready()).channels.values() if one.user == user)
        return tuple(sorted(found, key=lambda one: (one.created, one.id)))

    async def drop_channel(self, user: str, channel: str) -> bool:
        """Delete a channel of a user."""
        data = await self._ready()
        found = data.channels.get(channel)
        if found is None or found.user != user:
            return False
        del data.channels[channel]
        return True

    async def verify_channel(self, channel: str) -> bool:
        """Let a channel be used."""
        data = await self._ready()
        if channel not in data.channels:
            return False
        data.channels[channel] = replace(data.channels[channel], verified=True)
        return True

    async def set_active(self, channel: str, active: bool) -> bool:
        """Let turns be told by a channel, or no more."""
        data = await self._ready()
        if channel not in data.channels:
            return False
        data.channels[channel] = replace(data.channels[channel], active=active)
        return True

    async def channels_found_by(self, found_by: str) -> tuple[Channel, ...]:
        """Return the verified channels of an e-mail address."""
        found = [
            one
            for one in (await self._ready()).channels.values()
            if one.verified and one.found_by == found_by and found_by
        ]
        return tuple(sorted(found, key=lambda one: (one.created, one.id)))

    async def note_delivery(self, channel: str, failed: int) -> None:
        """Note that something has arrived, or that nothing has."""
        data = await self._ready()
        known = data.channels.get(channel)
        if known is not None and (not failed or not known.failed):
            data.channels[channel] = replace(known, failed=failed)

    async def preferences_of(self, user: str) -> Preferences | None:
        """Return when a user wants to be told."""
        return (await self._ready()).preferences.get(user)

    async def put_preferences(self, preferences: Preferences) -> None:
        """Store when a user wants to be told."""
        (await self._ready()).preferences[preferences.user] = preferences

    async def came_back(self, table: str, user: str, now: int) -> None:
        """Note that a user has come back."""
        _come_back(await self._ready(), table, user, now)

    async def take_alerts(self, now: int, until: int, limit: int = 20) -> tuple[Alert, ...]:
        """Return alerts that are due, which nobody else gets."""
        alerts = (await self._ready()).alerts
        due = [one for one in alerts.values() if one.due is not None and max(one.due, one.taken) <= now]
        due.sort(key=lambda one: (one.due, one.table, one.user))
        taken = tuple(replace(one, taken=until) for one in due[:limit])
        alerts.update(((one.table, one.user), one) for one in taken)
        return taken

    async def settle_alert(self, alert: Alert) -> bool:
        """Store what has become of an alert, and let go of it."""
        alerts = (await self._ready()).alerts
        key = (alert.table, alert.user)
        known = alerts.get(key)
        if known is None:
            return False
        if known.seq != alert.seq:
            alerts[key] = replace(known, taken=0)
            return False
        came = known.seen and not alert.seen
        alerts[key] = replace(alert, seen=known.seen, taken=0, due=known.begun if came else alert.due)
        return True

    async def drop_alert(self, alert: Alert) -> bool:
        """Delete an alert, unless another turn has begun."""
        alerts = (await self._ready()).alerts
        key = (alert.table, alert.user)
        known = alerts.get(key)
        if known is None:
            return False
        if known.seq != alert.seq:
            alerts[key] = replace(known, taken=0)
            return False
        del alerts[key]
        return True

    async def alerts_of(self, user: str) -> tuple[Alert, ...]:
        """Return the alerts of a user, by table."""
        found = (one for one in (await self._ready()).alerts.values() if one.user == user)
        return tuple(sorted(found, key=lambda one: one.table))

    async def vapid_key(self, made: bytes) -> bytes:
        """Return the key that signs pushes."""
        return (await self._ready()).server_keys.setdefault("vapid", made)

"""The SQL of alerts, for SQLite and PostgreSQL alike, and the part of both stores that runs it.

Parameters are written ``$1``; SQLite calls them ``?1``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from msgspec.structs import astuple, replace

from bohn.server.store.alerts import Alert, Channel, Preferences, TurnBegun
from bohn.server.store.operating_sql import Statement

_CHANNEL = "id, user_id, kind, address, label, created, session, verified, failed, active, found_by"
ADD_CHANNEL = f"""
    INSERT INTO channels ({_CHANNEL}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
    ON CONFLICT (id) DO UPDATE SET user_id = excluded.user_id, address = excluded.address,
        label = excluded.label, created = excluded.created, session = excluded.session,
        verified = excluded.verified, failed = 0, active = excluded.active, found_by = excluded.found_by
"""  # noqa: S608 - a constant
CHANNEL = f"SELECT {_CHANNEL} FROM channels WHERE id = $1"  # noqa: S608 - a constant
CHANNELS_OF = f"SELECT {_CHANNEL} FROM channels WHERE user_id = $1 ORDER BY created, id"  # noqa: S608 - a constant
DROP_CHANNEL = "DELETE FROM channels WHERE user_id = $1 AND id = $2"
VERIFY_CHANNEL = "UPDATE channels SET verified = $2 WHERE id = $1"
SET_ACTIVE = "UPDATE channels SET active = $2 WHERE id = $1"
CHANNELS_FOUND_BY = f"""
    SELECT {_CHANNEL} FROM channels WHERE found_by = $1 AND verified ORDER BY created, id
"""  # noqa: S608 - a constant
ARRIVED = "UPDATE channels SET failed = 0 WHERE id = $1 AND failed <> 0"
FAILED = "UPDATE channels SET failed = $2 WHERE id = $1 AND failed = 0"

PREFERENCES_OF = "SELECT user_id, every, quiet_from, quiet_to, zone FROM alert_preferences WHERE user_id = $1"
PUT_PREFERENCES = """
    INSERT INTO alert_preferences (user_id, every, quiet_from, quiet_to, zone) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (user_id) DO UPDATE SET every = excluded.every, quiet_from = excluded.quiet_from,
        quiet_to = excluded.quiet_to, zone = excluded.zone
"""

_ALERT = "table_id, user_id, seq, begun, due, stage, seen, taken, attempts, remaining"
TURN_SOURCE = """
    SELECT {table}, {user}, {seq}, {at}, {due}, 0, {false}, 0, 0, ''
"""
TURN_WANTED = """
    EXISTS (SELECT 1 FROM channels WHERE channels.user_id = {user} AND verified AND active)
    AND ({days} OR EXISTS (SELECT 1 FROM alert_preferences AS wanted WHERE wanted.user_id = {user} AND every))
"""
"""Whether somebody wants to be told: he has a channel, and the table is of those that he hears of."""
TURN_AGAIN = """
    ON CONFLICT (table_id, user_id) DO UPDATE SET seq = excluded.seq, begun = excluded.begun,
        due = excluded.due, stage = CASE WHEN alerts.seen OR {here} THEN 0 ELSE alerts.stage END,
        seen = {false}, attempts = 0, remaining = ''
"""
"""Whoever has not come back since he was told is not told again: only how far it is stays."""
TURN_INTO = f"alerts ({_ALERT})"

CAME_BACK = """
    UPDATE alerts SET seen = {true}, due = {now}
    WHERE table_id = {table} AND user_id = {user}
"""

DUE = f"SELECT {_ALERT} FROM alerts WHERE due <= $1 AND taken <= $1 ORDER BY due, table_id, user_id LIMIT $2"  # noqa: S608 - a constant
TAKE = """
    UPDATE alerts SET taken = $3
    WHERE table_id = $1 AND user_id = $2 AND seq = $4 AND due <= $5 AND taken <= $5
"""
SETTLE = """
    UPDATE alerts SET due = CASE WHEN seen AND NOT $8 THEN begun ELSE CAST($4 AS BIGINT) END,
        stage = $5, attempts = $6, remaining = $7, taken = 0
    WHERE table_id = $1 AND user_id = $2 AND seq = $3
"""
"""If he came back while it was looked after, it is due at once."""
LET_GO = "UPDATE alerts SET taken = 0 WHERE table_id = $1 AND user_id = $2"
DROP = "DELETE FROM alerts WHERE table_id = $1 AND user_id = $2 AND seq = $3"
ALERTS_OF = f"SELECT {_ALERT} FROM alerts WHERE user_id = $1 ORDER BY table_id"  # noqa: S608 - a constant

VAPID_KEY = "SELECT secret FROM server_keys WHERE name = 'vapid'"
PUT_VAPID_KEY = "INSERT INTO server_keys (name, secret) VALUES ('vapid', $1) ON CONFLICT DO NOTHING"

FORGET_ALERTS = ("channels", "alert_preferences", "alerts")
"""The tables of whose rows each belongs to the user in its column ``user_id``, and goes with him."""

_WORDS = {"true": "TRUE", "false": "FALSE"}
TURN_BEGINS = (
    f"INSERT INTO {TURN_INTO}"
    + TURN_SOURCE.format(table="$1", user="$2", seq="$3", at="$4", due="$5", **_WORDS)
    + "WHERE"
    + TURN_WANTED.format(user="$2", days="$6")
    + TURN_AGAIN.format(here="$7", **_WORDS)
)
HAS_COME_BACK = CAME_BACK.format(table="$1", user="$2", now="$3", **_WORDS)


def turn_columns(table: str, seq: int, at: int, turn: TurnBegun) -> tuple[Any, ...]:
    """Return the parameters of :data:`TURN_BEGINS`."""
    return table, turn.user, seq, at, turn.due, turn.days, turn.here


class HoldingAlerts(ABC):
    """What :class:`bohn.server.store.alerts.AlertStore` offers, over ways to run statements."""

    @abstractmethod
    async def _fetch(self, text: str, *params: Any) -> Sequence[Sequence[Any]]:
        """Return the rows that a query finds."""

    @abstractmethod
    async def _all_or_none(self, statements: Sequence[Statement]) -> bool:
        """Run statements in one transaction; if the first changes nothing, none is run: return whether."""

    @abstractmethod
    async def _changed(self, statements: Sequence[Statement]) -> list[int]:
        """Run statements in one transaction; return how many rows each has changed."""

    async def add_channel(self, channel: Channel) -> None:
        """Store a channel; one of this id, whoever's it was, is replaced."""
        await self._changed([(ADD_CHANNEL, astuple(channel))])

    async def channel(self, channel: str) -> Channel | None:
        """Return a channel by its id."""
        return next(map(_channel, await self._fetch(CHANNEL, channel)), None)

    async def channels_of(self, user: str) -> tuple[Channel, ...]:
        """Return the channels of a user, oldest first."""
        return tuple(map(_channel, await self._fetch(CHANNELS_OF, user)))

    async def drop_channel(self, user: str, channel: str) -> bool:
        """Delete a channel of a user; tell whether there was one."""
        return await self._all_or_none([(DROP_CHANNEL, (user, channel))])

    async def verify_channel(self, channel: str) -> bool:
        """Let a channel be used; tell whether it is there."""
        return await self._all_or_none([(VERIFY_CHANNEL, (channel, True))])

    async def set_active(self, channel: str, active: bool) -> bool:
        """Let turns be told by a channel, or no more; tell whether it is there."""
        return await self._all_or_none([(SET_ACTIVE, (channel, active))])

    async def channels_found_by(self, found_by: str) -> tuple[Channel, ...]:
        """Return the verified channels of an e-mail address by its digest, oldest first."""
        return tuple(map(_channel, await self._fetch(CHANNELS_FOUND_BY, found_by))) if found_by else ()

    async def note_delivery(self, channel: str, failed: int) -> None:
        """Note that something has arrived (0), or since when nothing has: the first failure counts."""
        await self._changed([(FAILED, (channel, failed)) if failed else (ARRIVED, (channel,))])

    async def preferences_of(self, user: str) -> Preferences | None:
        """Return when a user wants to be told, if he has said so."""
        found = [Preferences(*row) for row in await self._fetch(PREFERENCES_OF, user)]
        return replace(found[0], every=bool(found[0].every)) if found else None

    async def put_preferences(self, preferences: Preferences) -> None:
        """Store when a user wants to be told."""
        await self._changed([(PUT_PREFERENCES, astuple(preferences))])

    async def came_back(self, table: str, user: str, now: int) -> None:
        """Note that a user has come back to a table: the next turn there is told again."""
        await self._changed([(HAS_COME_BACK, (table, user, now))])

    async def take_alerts(self, now: int, until: int, limit: int = 20) -> tuple[Alert, ...]:
        """Return alerts due by ``now``, earliest first, which nobody else gets before ``until``."""
        taken = []
        for alert in map(_alert, await self._fetch(DUE, now, limit)):
            take = (TAKE, (alert.table, alert.user, until, alert.seq, now))
            if await self._all_or_none([take]):
                taken.append(replace(alert, taken=until))
        return tuple(taken)

    async def settle_alert(self, alert: Alert) -> bool:
        """Store what has become of an alert that was taken, and let go of it."""
        key = (alert.table, alert.user)
        values = (alert.seq, alert.due, alert.stage, alert.attempts, alert.remaining, alert.seen)
        stored, _ = await self._changed([(SETTLE, key + values), (LET_GO, key)])
        return stored > 0

    async def drop_alert(self, alert: Alert) -> bool:
        """Delete an alert, unless another turn has begun meanwhile; tell whether it was deleted."""
        key = (alert.table, alert.user)
        dropped, _ = await self._changed([(DROP, (*key, alert.seq)), (LET_GO, key)])
        return dropped > 0

    async def alerts_of(self, user: str) -> tuple[Alert, ...]:
        """Return the alerts of a user, by table."""
        found = map(_alert, await self._fetch(ALERTS_OF, user))
        return tuple(sorted(found, key=lambda alert: alert.table))

    async def vapid_key(self, made: bytes) -> bytes:
        """Return the private key by which this server signs pushes; it is ``made`` if there was none."""
        await self._changed([(PUT_VAPID_KEY, (made,))])
        ((secret,),) = await self._fetch(VAPID_KEY)
        return bytes(secret)


def _channel(row: Sequence[Any]) -> Channel:
    channel = Channel(*row)
    return replace(channel, verified=bool(channel.verified), active=bool(channel.active))


def _alert(row: Sequence[Any]) -> Alert:
    alert = Alert(*row)
    return replace(alert, seen=bool(alert.seen))

"""The outbox: takes alerts that are due, looks whether the turn lasts, and sends what is to be sent.

An alert is taken for a while, so that of several workers one sends it. What was sent is noted behind it: a
process that ends in between lets another one send it again, once that while is over. Nothing is lost, and
nothing is sent once the end of the turn is visible here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection

import structlog
from msgspec.structs import replace

from bohn.protocol.refusals import Problem, Refusal
from bohn.server.alerts.delivery import DAY, Delivery, Outcome, Parcel
from bohn.server.alerts.message import Message, message_of
from bohn.server.alerts.planning import HOUR, RETRIES, Rest, Send, next_step, retried_at
from bohn.server.clock import TimeSource
from bohn.server.people.service import People
from bohn.server.store.alerts import BEGUN, TOLD, Alert, Channel
from bohn.server.store.protocol import Store, StoreUnavailable
from bohn.server.tables.api import Tables, Turn

LOG = structlog.get_logger("bohn.alerts")

TAKEN = 60_000
"""Ms for which an alert is taken; whatever is asked for it is done sooner, or given up."""

AT_ONCE = 50
"""Alerts that are looked after at once."""

MOST_COUNTED = 20
"""Tables that are looked at to count how many wait for somebody."""


class AlertSender:
    """Sends the alerts of all tables, of whatever this worker gets hold of."""

    def __init__(
        self, store: Store, tables: Tables, people: People, clock: TimeSource, delivery: Delivery
    ) -> None:
        """Take alerts from this store."""
        self._store = store
        self._tables = tables
        self._people = people
        self._clock = clock
        self._delivery = delivery

    async def look(self) -> None:
        """Look after all that is due."""
        while True:
            now = self._clock.now()
            taken = await self._store.take_alerts(now, now + TAKEN, AT_ONCE)
            await asyncio.gather(*map(self._attend_safely, taken))
            if len(taken) < AT_ONCE:
                return

    async def _attend_safely(self, alert: Alert) -> None:
        """Look after an alert; whatever fails, it is taken again later, and no other one suffers."""
        try:
            await self._attend(alert)
        except StoreUnavailable as error:
            LOG.warning("store-unavailable", kind=error.kind)
        except Exception as error:  # one mistake must not keep all others
            LOG.exception("mistake", kind=type(error).__name__, table=alert.table)

    async def _attend(self, alert: Alert) -> None:
        turn = await self._turn(alert)
        if turn is None:
            await self._over(alert)
            return
        preferences = await self._store.preferences_of(alert.user)
        step = next_step(alert, turn, preferences, self._clock.now())
        if isinstance(step, Rest):
            await self._store.settle_alert(replace(alert, due=step.until, stage=step.stage))
        else:
            await self._send(alert, step)

    async def _turn(self, alert: Alert) -> Turn | None:
        """Return the turn, if it lasts as far as can be seen here now."""
        try:
            return await self._tables.turn_of(alert.table, alert.user)
        except Refusal as refused:
            if refused.problem is not Problem.NO_SUCH_TABLE:
                raise StoreUnavailable("failed", refused.problem.value) from None
            return None

    async def _over(self, alert: Alert) -> None:
        """Nothing is sent of a turn that is over; whoever was told and has not come back stays told."""
        if alert.seen or alert.stage == BEGUN:
            await self._store.drop_alert(alert)
        else:
            await self._store.settle_alert(replace(alert, due=None, remaining=""))

    async def _send(self, alert: Alert, step: Send) -> None:
        channels = await self._channels(alert)
        if not channels:
            await self._store.drop_alert(alert)
            return
        count = await self._count(alert)
        user = (await self._store.users((alert.user,))).get(alert.user)
        language = "en" if user is None else user.language
        turn = await self._turn(alert)
        if turn is None:
            await self._over(alert)
            return
        people = await self._people.people(tuple(seat.user for seat in turn.room.seats if seat.user))
        now = self._clock.now()
        left = None if turn.ends is None else max(0, turn.ends - now)
        hours = 0 if left is None else max(1, round(left / HOUR))
        message = message_of(step.what, turn.room, turn.phase, people, alert.user, language, hours, count)
        seconds = DAY if left is None else left // 1000
        outcomes = await self._deliver(channels, message, seconds, alert, language)
        await self._settle(alert, step, outcomes)

    async def _channels(self, alert: Alert) -> list[Channel]:
        """Return the channels that are to be used; one whose browser has signed out goes."""
        found = []
        wanted = alert.remaining.split()
        for channel in await self._store.channels_of(alert.user):
            if channel.session and await self._store.identity(channel.session) is None:
                await self._store.drop_channel(channel.user, channel.id)
            elif channel.verified and channel.active and (not wanted or channel.id in wanted):
                found.append(channel)
        return found

    async def _count(self, alert: Alert) -> int:
        """Return how many games wait for somebody, this one too."""
        others = [one.table for one in await self._store.alerts_of(alert.user) if one.table != alert.table]
        count = 1
        for table in others[:MOST_COUNTED]:
            count += await self._turn(replace(alert, table=table)) is not None
        return count

    async def _deliver(
        self, channels: Collection[Channel], message: Message, seconds: int, alert: Alert, language: str
    ) -> dict[str, Outcome]:
        parcel = Parcel(message, seconds, language, lambda: self._tables.turn_lasts(alert.table, alert.user))
        outcomes = await asyncio.gather(*(self._delivery.send(channel, parcel) for channel in channels))
        return {channel.id: outcome for channel, outcome in zip(channels, outcomes, strict=True)}

    async def _settle(self, alert: Alert, step: Send, outcomes: dict[str, Outcome]) -> None:
        """Note how far it is: who was told by any channel is told, and what has failed is tried again."""
        if set(outcomes.values()) == {"over"}:
            await self._over(alert)
            return
        again = [channel for channel, outcome in outcomes.items() if outcome == "failed"]
        told = "sent" in outcomes.values()
        now = self._clock.now()
        if again and alert.attempts < RETRIES:
            stage, remaining = (step.stage, " ".join(again)) if told else (alert.stage, alert.remaining)
            attempts, due = alert.attempts + 1, retried_at(alert.attempts, now)
            settled = replace(alert, stage=stage, due=due, attempts=attempts, remaining=remaining)
        else:  # looked at again at once: when to remind, if that is due at all
            stage = max(step.stage, TOLD)
            settled = replace(alert, stage=stage, due=now, attempts=0, remaining="")
        await self._store.settle_alert(settled)

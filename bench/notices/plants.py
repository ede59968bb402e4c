"""Mistakes that are planted into a worker, to see that they are found; the product has none of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from bench.notices.worker import LOOKING
from bohn.server.alerts.delivery import DAY, Delivery, Parcel
from bohn.server.alerts.message import Message
from bohn.server.alerts.sender import AlertSender
from bohn.server.store.alerts import TOLD, Alert
from bohn.server.store.alerts_sql import DUE, TURN_BEGINS, HoldingAlerts, turn_columns
from bohn.server.store.postgres.store import PostgresStore
from bohn.server.store.protocol import Append, Committed, Outcome
from bohn.server.tables.service import TableService

LATER = 0.3
"""Seconds by which what belongs together is apart."""


def sent_before_commit() -> None:
    """Tell of a turn, and write the row then with which it begins."""
    senders: list[AlertSender] = []
    made, honest = AlertSender.__init__, PostgresStore.append

    def noted(self: AlertSender, *given: Any) -> None:
        made(self, *given)
        senders.append(self)

    async def append(self: PostgresStore, append: Append) -> Outcome:
        table = append.row.table
        for turn in append.turns:
            LOOKING.set((senders[0]._tables, table))  # noqa: SLF001 - a planted mistake has no business there
            for channel in await self.channels_of(turn.user):
                parcel = Parcel(Message("turn", "", "", table, 1), DAY)
                await senders[0]._delivery.send(channel, parcel)  # noqa: SLF001 - the same
            await asyncio.sleep(LATER)
        return await honest(self, append)

    AlertSender.__init__ = noted  # type: ignore[method-assign,assignment]  # - that is what planting is
    PostgresStore.append = append  # type: ignore[method-assign]


def noted_behind_commit() -> None:
    """Write whom a turn is told in a transaction of its own, behind that of the row."""
    honest = PostgresStore.append

    async def append(self: PostgresStore, append: Append) -> Outcome:
        done = await honest(self, replace(append, turns=()))
        await asyncio.sleep(LATER)
        for turn in append.turns if isinstance(done, Committed) else ():
            columns = turn_columns(append.row.table, append.row.seq, append.row.at, turn)
            await self._changed([(TURN_BEGINS, columns)])
        return done

    PostgresStore.append = append  # type: ignore[method-assign]


def settled_before_sent() -> None:
    """Note that somebody was told, and tell him then."""
    honest = AlertSender._deliver  # noqa: SLF001 - the same

    async def deliver(
        self: AlertSender, channels: Any, message: Any, seconds: int, alert: Alert, *more: Any
    ) -> Any:
        await self._store.settle_alert(replace(alert, stage=TOLD, due=None))
        await asyncio.sleep(LATER)
        return await honest(self, channels, message, seconds, alert, *more)

    AlertSender._deliver = deliver  # type: ignore[method-assign,assignment]  # noqa: SLF001 - the same


def not_taken() -> None:
    """Let every worker look after whatever is due, whoever else does."""

    async def all_due(self: HoldingAlerts, now: int, until: int, limit: int = 20) -> tuple[Alert, ...]:
        del until
        return tuple(Alert(*row) for row in await self._fetch(DUE, now, limit))

    HoldingAlerts.take_alerts = all_due  # type: ignore[method-assign]


def old_look() -> None:
    """Look whether a turn lasts, and send a while later without another look."""
    honest = Delivery.key

    async def slow(self: Delivery) -> bytes:
        await asyncio.sleep(LATER)
        return await honest(self)

    Delivery.key = slow  # type: ignore[method-assign]
    TableService.turn_lasts = lambda *_: True  # type: ignore[method-assign]


PLANTS: dict[str, Callable[[], None]] = {
    "sent-before-commit": sent_before_commit,
    "noted-behind-commit": noted_behind_commit,
    "settled-before-sent": settled_before_sent,
    "not-taken": not_taken,
    "old-look": old_look,
}

"""When somebody is told that a game waits for him, and of what: pure functions of times in ms since 1970."""

from __future__ import annotations

import datetime as dt
from typing import Literal
from zoneinfo import ZoneInfo

from msgspec import Struct

from bohn.server.room.resting import ahead
from bohn.server.store.alerts import BEGUN, REMINDED, TOLD, Alert, Preferences
from bohn.server.tables.api import Turn

What = Literal["turn", "reminder"]
"""That a turn has begun, or that its clock will soon have run out."""

PATIENCE = 10 * 60_000
"""Ms for which somebody who looks at the table is not told: after that he only left it open."""

LOOK_AGAIN = 30_000
"""Ms after which is looked whether he looks still."""

HOUR = 3_600_000
LEAST_AHEAD = HOUR // 2
"""Ms before the end of a clock at which one is reminded at the latest; of long ones it is an eighth."""

RETRIES = 8
"""Times a channel is tried again."""

FIRST_RETRY, LAST_RETRY = 30_000, HOUR
"""Ms before a channel is tried again; twice as long each time."""

DAY_MINUTES = 24 * 60


class Rest(Struct, frozen=True, gc=False):
    """Nothing is sent now; it is looked again at ``until``, or not before something happens."""

    until: int | None
    stage: int


class Send(Struct, frozen=True, gc=False):
    """A message is sent now, and the alert is at this ``stage`` then."""

    what: What
    stage: int


def next_step(alert: Alert, turn: Turn, preferences: Preferences | None, now: int) -> Rest | Send:
    """Return what is done now about a turn that lasts."""
    stage = TOLD if alert.seen and alert.stage == BEGUN else alert.stage
    if turn.holiday is not None and not turn.here:
        return Rest(turn.holiday, stage)
    if alert.remaining:
        return _unless_quiet(
            Send("reminder" if stage == REMINDED else "turn", stage), stage, preferences, now
        )
    if stage == BEGUN:
        if turn.here and now < alert.begun + PATIENCE:
            return Rest(min(now + LOOK_AGAIN, alert.begun + PATIENCE), stage)
        return _unless_quiet(Send("turn", TOLD), stage, preferences, now)
    at = reminded_at(turn)
    if stage == REMINDED or at is None:
        return Rest(None, stage)
    if now < at:
        return Rest(at, stage)
    if turn.here and now < at + PATIENCE:
        return Rest(min(now + LOOK_AGAIN, at + PATIENCE), stage)
    return _unless_quiet(Send("reminder", REMINDED), stage, preferences, now)


def _unless_quiet(send: Send, stage: int, preferences: Preferences | None, now: int) -> Rest | Send:
    until = None if preferences is None else quiet_until(preferences, now)
    return send if until is None else Rest(until, stage)


def reminded_at(turn: Turn) -> int | None:
    """Return when one is reminded of a turn, which is while its clock runs.

    One never is where that pauses, or does not count in hours.
    """
    if turn.ends is None or turn.hours is None:
        return None
    return ahead(turn.ends, max(LEAST_AHEAD, turn.hours * HOUR // 8), turn.rests)


def quiet_until(preferences: Preferences, now: int) -> int | None:
    """Return when quiet hours that last now are over; ``None``: there are none now.

    They are times of the clock on the wall, whatever becomes of it in the night.
    """
    begin, end = preferences.quiet_from, preferences.quiet_to
    local = dt.datetime.fromtimestamp(now / 1000, ZoneInfo(preferences.zone))
    minute = local.hour * 60 + local.minute
    if not (begin <= minute < end if begin <= end else minute >= begin or minute < end):
        return None
    date = local.date() + dt.timedelta(days=int(minute >= end))
    over = dt.datetime.combine(date, dt.time(end // 60, end % 60), local.tzinfo)
    return max(int(over.timestamp() * 1000), now + 60_000)


def retried_at(attempts: int, now: int) -> int:
    """Return when a channel is tried again that has failed so often."""
    return now + min(FIRST_RETRY << attempts, LAST_RETRY)

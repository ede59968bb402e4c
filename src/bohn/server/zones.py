"""Time zones by name, and which playing hours there may be."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from bohn.protocol.room import Hours

LONGEST_ZONE = 64

LEAST_HOURS = 6
"""Hours that playing hours have at least, so that nobody can stop a game by them."""

DAY_MINUTES = 24 * 60


def is_zone(name: str) -> bool:
    """Tell whether this machine knows a time zone of this name."""
    try:
        return 0 < len(name) <= LONGEST_ZONE and ZoneInfo(name) is not None
    except (KeyError, ValueError, OSError):
        return False


def is_long_enough(hours: Hours) -> bool:
    """Tell whether playing hours leave a game time enough; equal ones are the whole day."""
    minutes = (hours.end - hours.begin) % DAY_MINUTES or DAY_MINUTES
    return minutes >= LEAST_HOURS * 60

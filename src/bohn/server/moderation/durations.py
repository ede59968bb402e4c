"""Durations as people write them: ``30m``, ``12h``, ``7d``, ``2w``, or ``forever``."""

from __future__ import annotations

import re

from bohn.protocol.refusals import Problem, Refusal

MINUTE = 60_000
"""Milliseconds; the shortest sanction."""

UNITS = {"m": MINUTE, "h": 60 * MINUTE, "d": 24 * 60 * MINUTE, "w": 7 * 24 * 60 * MINUTE}

LONGEST = 3_650 * UNITS["d"]
"""Milliseconds of the longest sanction with an end: ten years; what is to last longer has none."""

FOREVER = "forever"

_DURATION = re.compile(r"(\d{1,6})([mhdw])")


def duration(text: str) -> int | None:
    """Return a duration in ms, ``None`` for ``forever``; raises ``out-of-range`` with what is expected."""
    if text == FOREVER:
        return None
    found = _DURATION.fullmatch(text)
    return within(0 if found is None else int(found[1]) * UNITS[found[2]], text)


def within(milliseconds: int, given: str | None = None) -> int:
    """Return a duration that is one minute to ten years; raises ``out-of-range``, as it was ``given``."""
    if not MINUTE <= milliseconds <= LONGEST:
        shown = milliseconds if given is None else given
        raise Refusal(Problem.OUT_OF_RANGE, what="duration", given=shown, least="1m", most="520w")
    return milliseconds

"""Times in which a clock stands still: counting over them. Pure; all is in ms.

A clock stands still from the first to the second number of each pair, the first included and the second not.
The pairs are in order and do not touch. Where they come from says :mod:`bohn.server.tables.calendar`.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

Gaps = tuple[tuple[int, int], ...]


class Rests(Struct, frozen=True, gc=False):
    """When the clocks of a table stand still: that of the trading, and those of seats (by place)."""

    trading: Gaps = ()
    seats: tuple[Gaps, ...] = ()

    def of(self, seat: int | None) -> Gaps:
        """Return when the clock of a seat stands still, or that of the trading (``None``)."""
        if seat is None:
            return self.trading
        return self.seats[seat] if seat < len(self.seats) else ()


NO_RESTS = Rests()


def behind(now: int, length: int, gaps: Gaps) -> int:
    """Return when a clock has run for ``length`` that begins to run at ``now``."""
    end = now + length
    for begins, ends in gaps:
        if ends <= now:
            continue
        if begins >= end:
            break
        end += ends - max(begins, now)
    return end


def between(now: int, due: int, gaps: Gaps) -> int:
    """Return how long a clock runs from ``now`` until it is ``due``; negative where that has passed."""
    end = shifted(due, gaps)
    return end - now - sum(max(0, min(ends, end) - max(begins, now)) for begins, ends in gaps)


def ahead(due: int, length: int, gaps: Gaps) -> int:
    """Return when a clock still has ``length`` to run until it is ``due``."""
    moment = shifted(due, gaps) - length
    for begins, ends in reversed(gaps):
        if begins < due and ends > moment:
            moment -= min(ends, due) - begins
    return moment


def shifted(due: int, gaps: Gaps) -> int:
    """Return when a clock ends that would be due while it stands still: it was put off into that time."""
    for begins, ends in gaps:
        if begins < due < ends:
            return shifted(ends + due - begins, gaps)
    return due


def standing(now: int, gaps: Gaps) -> int | None:
    """Return until when a clock stands still at ``now``; ``None``: it runs."""
    return next((ends for begins, ends in gaps if begins <= now < ends), None)


def joined(*several: Iterable[tuple[int, int]]) -> Gaps:
    """Return the pairs of all these as one; those that touch become one pair."""
    found: list[tuple[int, int]] = []
    for begins, ends in sorted(pair for pairs in several for pair in pairs):
        if found and begins <= found[-1][1]:
            found[-1] = found[-1][0], max(ends, found[-1][1])
        elif begins < ends:
            found.append((begins, ends))
    return tuple(found)

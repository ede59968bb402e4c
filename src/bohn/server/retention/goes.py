"""What may go, and when: plain predicates on what is stored. Times are in ms since 1970."""

from __future__ import annotations

from bohn.server.settings import Retention
from bohn.server.store.retaining import DAY, Guest, OverStatus, OverTable, horizon


def table_by(status: OverStatus, now: int, settings: Retention) -> int:
    """Return by when tables of a status must have moved last to go now."""
    return horizon(now, settings.finished if status == "finished" else settings.abandoned)


def table_goes(table: OverTable, now: int, settings: Retention) -> bool:
    """Tell whether a table may go: it is over, and has not moved for long.

    This is asked for every table before anything of it is written or deleted: kinds of games that are to
    outlive the others are told apart here.
    """
    return table.moved <= table_by(table.status, now, settings)


def guest_goes(guest: Guest, now: int, settings: Retention) -> bool:
    """Tell whether a guest is to be forgotten: he has not been here for long, and nothing waits for him.

    Whoever has an account is no guest: he stays until he deletes it.
    """
    if not guest.named or guest.tokens or guest.playing or guest.account:
        return False
    last = max(guest.created, guest.used or 0)
    came_back = guest.seated or last - guest.created >= DAY
    return last <= horizon(now, settings.guests) or (
        not came_back and last <= horizon(now, settings.visitors)
    )

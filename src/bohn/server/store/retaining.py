"""What the store offers to retention: finding what is over, and deleting it in pieces.

Every piece is a transaction of its own. A process may end between any two of them: what is left is found
again, for nothing but what is stored decides. Times are in ms since 1970.
"""

from __future__ import annotations

from typing import Literal, Protocol

from msgspec import Struct

OverStatus = Literal["finished", "abandoned"]
"""The statuses of tables that nobody plays at any more."""

BEGINNING = (-1, "")
"""Where a walk over tables begins: before all of them."""

NEVER = -1
"""A time before which nothing was: what is to go by then stays."""

DAY = 86_400_000
"""Ms of a day."""


def horizon(now: int, days: int) -> int:
    """Return by when something must have been over to go now; what stays for ever (0 days) never was."""
    return max(NEVER, now - days * DAY) if days else NEVER


class OverTable(Struct, frozen=True, gc=False):
    """A table that is over: when it moved last, and the seq of its last row."""

    table: str
    status: OverStatus
    moved: int
    rows: int


class Guest(Struct, frozen=True, gc=False):
    """What is known of a user without asking him; ``used`` is his last use of a cookie, as far as noted.

    ``named``: he was not forgotten. ``seated``: he owns a seat or is host somewhere, ``playing``: at a table
    that is not over. ``tokens``: he, or a program of his, has a token, which holds until it is revoked.
    ``account``: he has one, and is no guest any more.
    """

    id: str
    named: bool
    created: int
    used: int | None
    seated: bool
    playing: bool
    tokens: bool
    account: bool = False


class Thinned(Struct, frozen=True, gc=False):
    """What a piece of work has deleted: rows of logs, and tables of which nothing is left."""

    rows: int = 0
    tables: int = 0


class Swept(Struct, frozen=True, gc=False):
    """What was deleted of a page, and the key at which the next page begins; ``None`` behind the last one."""

    removed: int
    after: tuple[str, int] | None


class Holdings(Struct, frozen=True, gc=False):
    """What is stored: tables that are over, those of them that are due, when the oldest one moved last.

    ``size`` is that of the file or database in bytes, ``free`` what of it is unused, if that is known.
    """

    over: int
    due: int
    oldest: int | None
    size: int
    free: int | None


class RetentionStore(Protocol):
    """What a store offers to retention. Every method raises ``StoreUnavailable``."""

    async def over(
        self, status: OverStatus, by: int, after: tuple[int, str] = BEGINNING, limit: int = 100
    ) -> tuple[OverTable, ...]:
        """Return tables of a status that have not moved since a time, longest first.

        ``after`` is the last move and the id of the table behind which to begin. Tables at which anybody is
        present are not among them, nor are those about which a report is open: they show what happened.
        """
        ...

    async def thin(self, tables: tuple[str, ...], status: OverStatus, by: int, upto: int) -> Thinned:
        """Delete the rows of such tables (see :meth:`over`) up to a seq; with its last row all of a table.

        Tables of another status, and those that have moved since, are left as they are. What is deleted of
        a log is its beginning, so that nobody takes the rest for a game.
        """
        ...

    async def drop_expired(self, now: int, unused_since: int, limit: int = 500) -> int:
        """Delete up to ``limit`` expired links, unused cookies, and channels that nobody has verified, each.

        Return how many were deleted.
        """
        ...

    async def sweep_chat(self, by: int, after: tuple[str, int], limit: int = 500) -> Swept:
        """Look at lines of chat behind a table and line, and delete those written by then.

        Those of tables about which a report is open stay.
        """
        ...

    async def sweep_records(self, by: int, after: tuple[str, int], limit: int = 100) -> Swept:
        """Look at stored records behind an id (its number is 0), and delete those stored by then."""
        ...

    async def guests(self, after: str = "", limit: int = 200) -> tuple[Guest, ...]:
        """Return users behind an id, in the order of their ids."""
        ...

    async def drop_users(self, users: tuple[str, ...]) -> int:
        """Delete those of these users who are forgotten and sit nowhere; return how many were deleted."""
        ...

    async def drop_reports(self, by: int, limit: int = 100) -> int:
        """Delete reports made by then that something was done about; return how many were deleted.

        The last report stays, whatever it is: its number is not to be given again.
        """
        ...

    async def drop_sanctions(self, by: int, limit: int = 500) -> int:
        """Delete sanctions that had ended or were lifted by then; return how many were deleted.

        The log of operators still tells of them.
        """
        ...

    async def drop_history(self, by: int, limit: int = 1_000) -> int:
        """Delete takings of leases and beats noted by then; return how many were deleted.

        The last beat stays: a start goes on from it, however long ago it was.
        """
        ...

    async def unmoved(self, by: int, limit: int = 100) -> tuple[str, ...]:
        """Return tables that are open or in play and have not moved since a time, longest first.

        Tables at which anybody is present are not among them.
        """
        ...

    async def holdings(self, finished: int, abandoned: int) -> Holdings:
        """Return how much is stored, and how much of it is due."""
        ...

"""What operators do, as the store sees it: sanctions, tables to be closed, limits, and the log of all of it.

A deed and what follows from it are written in one transaction. The log is only ever appended to: the database
itself refuses to change or delete a row, and each row carries the SHA-256 of the one before.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Literal, Protocol

import msgspec
from msgspec import Struct

from bohn.protocol.sanctions import SanctionKind

DeedKind = Literal[
    "mute", "suspend", "ban", "lift", "close", "settle", "limit", "unlimit", "test", "sign-in", "sign-out"
]
"""What an operator may do; ``settle``: nothing more is done about a report, ``test``: a message was sent."""

FIRST_CHAIN = ""
"""The chain before the first deed."""


class Deed(Struct, frozen=True, gc=False):
    """One row of the log: what an operator did. Times are in ms since 1970.

    ``by`` is ``terminal:<name>`` or ``page:<id>``, ``about`` the id of a user or table, a network, the name
    of a limit, or the kind of a channel. ``sanction`` and ``report`` are what it belongs to (0: none).
    ``until`` is the end of a sanction. ``text`` is the reason, the word to the players, the value, or the
    answer to a test. ``chain`` is the SHA-256 (hex) over that of the row before and everything in this one.
    """

    id: int
    at: int
    by: str
    deed: DeedKind
    about: str
    text: str = ""
    until: int | None = None
    sanction: str = ""
    report: int = 0
    chain: str = ""


class Sanction(Struct, frozen=True, gc=False):
    """What somebody may not do for a while: a user by his id, or everybody of a network (CIDR notation).

    ``until`` is its end (ms since 1970), ``None`` without one. ``deed`` is the row of the log that began it.
    """

    id: str
    kind: SanctionKind
    user: str | None
    network: str | None
    begun: int
    until: int | None
    reason: str
    deed: int = 0


class Closing(Struct, frozen=True, gc=False):
    """A table that is to be closed, and the operator's word to its players."""

    table: str
    word: str
    deed: int = 0


class SetLimit(Struct, frozen=True, gc=False):
    """A limit that an operator has set over the one of the settings."""

    name: str
    value: float


class OperatorKey(Struct, frozen=True, gc=False):
    """A link or session of an operator, by the SHA-256 of its secret (hex); it holds for one network only."""

    digest: str
    id: str
    kind: Literal["link", "session"]
    created: int
    expires: int
    network: str


class FiledReport(Struct, frozen=True, gc=False):
    """A report as operators see it; without a ``line`` (0) it is about the person."""

    id: int
    table: str
    line: int
    by: str
    against: str
    at: int
    text: str
    reason: str
    settled: bool = False


class SeenUser(Struct, frozen=True, gc=False):
    """A user as operators see him; ``used`` is when he was here last, if that is known."""

    id: str
    name: str
    language: str
    created: int
    bot: bool
    maker: str | None
    used: int


class Counts(Struct, frozen=True, gc=False):
    """How much is stored: people with a name, tables by their status, and reports not dealt with."""

    people: int
    tables: dict[str, int]
    reports: int


Effect = Sanction | Closing | SetLimit | OperatorKey | None
"""What is stored with a deed; a deed that lifts or resets something has none."""


def chained(deed: Deed, before: str) -> Deed:
    """Return a deed with its chain, behind the row whose chain is ``before``."""
    fields = [before, *(getattr(deed, name) for name in Deed.__struct_fields__ if name != "chain")]
    return msgspec.structs.replace(deed, chain=sha256(msgspec.json.encode(fields)).hexdigest())


def broken_at(deeds: tuple[Deed, ...]) -> int | None:
    """Return the first deed (oldest first, from 1 on) that is not the one written; ``None`` if all are."""
    before = FIRST_CHAIN
    for number, deed in enumerate(deeds, start=1):
        if deed.id != number or chained(deed, before).chain != deed.chain:
            return deed.id
        before = deed.chain
    return None


async def whole_log(store: OperatorStore) -> tuple[Deed, ...]:
    """Return all deeds, oldest first, whatever numbers somebody has given to them."""
    found: list[Deed] = []
    while part := await store.deeds(found[-1].id if found else 0):
        found += part
    return tuple(found)


class OperatorStore(Protocol):
    """What a store offers to operators. Every method raises ``StoreUnavailable``."""

    async def write_deed(self, deed: Deed, effect: Effect = None) -> Deed:
        """Append a deed to the log, whatever its ``id``, with its effect; return it as it was written."""
        ...

    async def deeds(self, after: int = 0, limit: int = 1_000) -> tuple[Deed, ...]:
        """Return the deeds behind ``after``, oldest first."""
        ...

    async def last_deed(self) -> int:
        """Return the number of the last deed, 0 without any."""
        ...

    async def deeds_about(self, report: int) -> tuple[Deed, ...]:
        """Return what was done about a report, oldest first."""
        ...

    async def sanctions(self, now: int) -> tuple[Sanction, ...]:
        """Return the sanctions that hold at ``now``, oldest first."""
        ...

    async def closings(self) -> tuple[Closing, ...]:
        """Return the tables that are to be closed and are not over yet."""
        ...

    async def set_limits(self) -> tuple[SetLimit, ...]:
        """Return the limits that operators have set, by name."""
        ...

    async def operator_key(self, digest: str) -> OperatorKey | None:
        """Return a link or session, expired or not."""
        ...

    async def drop_operator_key(self, digest: str) -> bool:
        """Delete a link or session; tell whether it was there, so that exactly one of two gets it."""
        ...

    async def filed_reports(self, limit: int = 100, report: int = 0) -> tuple[FiledReport, ...]:
        """Return reports, those that nothing was done about first, then the newest; or that of a number."""
        ...

    async def find_users(self, text: str, limit: int = 50) -> tuple[SeenUser, ...]:
        """Return users whose id is ``text`` or whose name has it in it, those here last first."""
        ...

    async def counts(self) -> Counts:
        """Return how much is stored."""
        ...

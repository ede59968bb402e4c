"""The store as the server sees it: everything async, nothing assumes that one process owns a table.

One log per table, one row per committed batch. A row is appended at ``seq + 1`` or not at all; a process that
comes second reads what it has missed and decides again. SQLite, PostgreSQL and memory fulfil the same
contract (`tests/server/store/contract.py`).
"""

from __future__ import annotations

from typing import Literal, Protocol

from msgspec import Struct

from bohn.notation.records import Cause
from bohn.protocol.api import Scope
from bohn.protocol.room import Options, Status
from bohn.protocol.room_commands import AnyRoomCommand
from bohn.protocol.room_events import AnyRoomEvent
from bohn.rules.commands import AnyCommand
from bohn.rules.errors import BohnError
from bohn.rules.events import AnyEvent
from bohn.rules.state import Result
from bohn.server.store.accounts import AccountStore
from bohn.server.store.acquaintances import AcquaintanceStore
from bohn.server.store.alerts import AlertStore, TurnBegun
from bohn.server.store.away import AwayStore
from bohn.server.store.operating import OperatorStore
from bohn.server.store.retaining import RetentionStore

FailureKind = Literal["full", "locked", "damaged", "closed", "failed", "lost"]
"""What kind of failure it is; ``lost``: the connection to the database, so that something may be written."""


class StoreUnavailable(BohnError):  # noqa: N818 - a fact: nothing was written
    """The store cannot write or read now (disk full, locked, damaged): nothing has changed.

    Only where the connection was lost it is not known; the same command tells, when it is sent again.

    ``kind`` names it for metrics and logs; it never reaches a client.
    """

    def __init__(self, kind: FailureKind, message: str) -> None:
        """Take the kind beside the message."""
        self.kind = kind
        super().__init__(message)


# -- the log ---------------------------------------------------------------------------------------


class LogRow(Struct, frozen=True, kw_only=True, gc=False):
    """One committed batch of a table; ``seq`` counts from 1, ``at`` is in ms since 1970.

    ``actor`` is a user's id, ``bot:<seat>``, ``clock:<key>`` or ``server``; with ``command_id`` it is unique
    in the table. ``digest`` is the SHA-256 of the command as JSON, in hex.
    """

    table: str
    seq: int
    at: int
    actor: str
    command_id: str
    digest: str
    cause: Cause
    command: AnyCommand | AnyRoomCommand | None
    events: tuple[AnyEvent | AnyRoomEvent, ...]


class Timer(Struct, frozen=True, gc=False):
    """One clock of a table: ``due`` in ms since 1970, or stopped with ``left`` ms while the table pauses."""

    key: str
    due: int | None
    left: int | None = None


class DueTimer(Struct, frozen=True, gc=False):
    """A timer of some table whose time has come."""

    table: str
    key: str
    due: int


class ListedSeat(Struct, frozen=True, gc=False):
    """A seat as the lobby shows it: who owns it, which bot plays it, and that bot's own name."""

    user: str | None = None
    bot: str | None = None
    name: str = ""


class Listing(Struct, frozen=True, kw_only=True, gc=False):
    """What the lobby shows of a table: a projection of its log, stored so that listing reads no logs.

    ``users`` are those who own seats, ``bots`` counts the other taken ones; times in ms since 1970. There is
    a ``result`` once the game has been played to its end. ``origin``: it goes on with an earlier game.
    """

    table: str
    status: Status
    options: Options
    host: str | None
    users: tuple[str, ...]
    bots: int
    opened: int
    moved: int
    seats: tuple[ListedSeat, ...] = ()
    result: Result | None = None
    origin: bool = False
    lesson: str | None = None


class SecretDeal(Struct, frozen=True, gc=False):
    """The secret and the nonce behind a commitment, 32 bytes each; they leave the server at the end only."""

    secret: bytes
    nonce: bytes


class Append(Struct, frozen=True, kw_only=True, gc=False):
    """One batch to commit, and what changes with it in the same transaction.

    ``behind`` are batches of the same table that follow it: all of them are committed, or none.
    ``epoch`` is that of the table's bucket where several workers serve tables together
    (:mod:`bohn.server.store.shared`), for what the server itself does and for whatever replaces timers, which
    may have been put off with the next epoch; once it is stale nothing is written.
    ``timers`` replaces all timers of the table, ``listing`` its projection; ``None`` leaves them. ``deal`` is
    stored with the first row of a table. ``grants`` may enter the table from now on, ``revokes`` no more:
    the links to the table that they made are deleted as well, so that nobody comes back by his own.
    ``gathered``: the row is written only while its acceptance waits in the store, which ends with it.
    ``turns`` begin with the row, for people who are to be told; ``back`` are those of the others who have
    come back to the table with it. The rows are written only while all these ``instructions`` are left
    with the store.
    """

    row: LogRow
    behind: tuple[LogRow, ...] = ()
    timers: tuple[Timer, ...] | None = None
    listing: Listing | None = None
    deal: SecretDeal | None = None
    grants: tuple[str, ...] = ()
    revokes: tuple[str, ...] = ()
    epoch: int | None = None
    gathered: bool = False
    turns: tuple[TurnBegun, ...] = ()
    back: tuple[str, ...] = ()
    instructions: tuple[str, ...] = ()


class Committed(Struct, frozen=True, gc=False):
    """The batch is on the disk."""


class Conflict(Struct, frozen=True, gc=False):
    """Another batch has this seq, the one before is missing, or an instruction is: read, and decide again."""


class Repeated(Struct, frozen=True, gc=False):
    """This actor has sent this command id before; ``row`` is what came of it."""

    row: LogRow


class Fenced(Struct, frozen=True, gc=False):
    """The lease was taken anew meanwhile: nothing is written. Read the timers, and decide again."""


class Withdrawn(Struct, frozen=True, gc=False):
    """The acceptance waits no more: who gave it has taken it back. Nothing is written."""


Outcome = Committed | Conflict | Repeated | Fenced | Withdrawn

# -- people ----------------------------------------------------------------------------------------


class User(Struct, frozen=True, gc=False):
    """A guest: ``id`` is public and random, a deleted name is empty. ``bot`` marks a program.

    ``maker`` is the user who made a program a user of its own; of old ones it is not known.
    """

    id: str
    name: str
    language: str
    created: int
    bot: bool = False
    maker: str | None = None


class Session(Struct, frozen=True, gc=False):
    """A cookie or token of a user, by the SHA-256 of its secret (hex); ``cookie`` ones may do everything.

    ``used`` is when it was last used, as far as that was noted (ms since 1970).
    """

    digest: str
    user: str
    created: int
    cookie: bool
    scopes: tuple[Scope, ...] = ()
    label: str = ""
    used: int = 0


class Link(Struct, frozen=True, gc=False):
    """An invitation, by the SHA-256 of its token (hex): to a table, or to a user's own seats elsewhere.

    ``table`` or ``user`` is set. Links expire (ms since 1970); those to a device are used once.
    """

    digest: str
    id: str
    created_by: str
    created: int
    expires: int
    table: str | None = None
    user: str | None = None


CHAT_LINES = 5_000
"""Lines of a table's chat that are stored by default; older ones are deleted."""


class ChatLine(Struct, frozen=True, gc=False):
    """One line of a table's chat: free ``text``, or the ``key`` of a quick phrase with its parameters."""

    id: int
    table: str
    user: str
    at: int
    text: str = ""
    key: str = ""


class Report(Struct, frozen=True, gc=False):
    """A user's report of a chat line, for the operator; with its text."""

    table: str
    line: int
    by: str
    against: str
    at: int
    text: str
    reason: str


class RecordHead(Struct, frozen=True, gc=False):
    """What is known of a stored record without reading it: ``about`` is JSON, ``size`` that of the text."""

    id: str
    user: str
    at: int
    size: int
    about: str


class Store(OperatorStore, RetentionStore, AccountStore, AcquaintanceStore, AlertStore, AwayStore, Protocol):
    """Where everything is stored. Every method but ``close`` raises :class:`StoreUnavailable`."""

    async def open(self) -> None:
        """Open: create or migrate, and refuse a database that is not ours."""
        ...

    async def close(self) -> None:
        """Write what is waiting, and close; a second call does nothing."""
        ...

    # the log

    async def append(self, append: Append) -> Outcome:
        """Commit a batch; when this returns :class:`Committed`, it survives anything."""
        ...

    async def rows(self, table: str, after: int = 0, limit: int | None = None) -> tuple[LogRow, ...]:
        """Return the rows of a table behind ``after``, oldest first; none for an unknown table."""
        ...

    async def news(self, table: str, after: int) -> tuple[tuple[LogRow, ...], tuple[Timer, ...]]:
        """Return the rows of a table behind ``after``, oldest first, and its timers if there are any rows.

        The timers are no older than the rows.
        """
        ...

    async def find(self, table: str, actor: str, command_id: str) -> LogRow | None:
        """Return what came of a command, or ``None``."""
        ...

    async def heads(self, tables: tuple[str, ...]) -> dict[str, int]:
        """Return the last seq of each of these tables that exists."""
        ...

    async def deal(self, table: str) -> SecretDeal | None:
        """Return the secret of a table's deal."""
        ...

    # clocks

    async def timers(self, table: str) -> tuple[Timer, ...]:
        """Return all timers of a table."""
        ...

    async def timers_of(self, tables: tuple[str, ...]) -> dict[str, tuple[Timer, ...]]:
        """Return the timers of each of these tables that has any, by key."""
        ...

    async def due(self, now: int, limit: int = 200) -> tuple[DueTimer, ...]:
        """Return the timers due by ``now``, earliest first."""
        ...

    async def beat(self, worker: str, now: int) -> None:
        """Write that this worker is alive."""
        ...

    async def last_beat(self) -> int | None:
        """Return when any worker was last alive."""
        ...

    async def try_reading(self) -> None:
        """Read a little of what is stored, so that it is known whether anything can be read."""
        ...

    async def credit(self, worker: str, now: int, since: int = 0, least: int = 0) -> int:
        """Write that this worker is alive, and give back the time in which nobody was served.

        That is the time since the last beat of anybody, or since ``since`` if that is later. If it is more
        than ``least`` ms, every running timer and every invitation to a table that holds is put off by it,
        in the transaction that writes the beat, so that nothing is given twice. Return by how much.
        """
        ...

    # the lobby

    async def listings(
        self,
        *,
        listed_only: bool = True,
        statuses: tuple[Status, ...] = ("open", "playing"),
        limit: int = 100,
    ) -> tuple[Listing, ...]:
        """Return tables, newest move first."""
        ...

    async def listings_of(self, user: str, limit: int = 100) -> tuple[Listing, ...]:
        """Return the tables in which a user owns a seat or is host, newest move first.

        Where there are more than ``limit``, finished ones are left out first: a game may rest for days.
        """
        ...

    async def listing(self, table: str) -> Listing | None:
        """Return one table's listing."""
        ...

    async def unowned(self, open_by: int, playing_by: int, limit: int = 100) -> tuple[str, ...]:
        """Return tables in which no seat has an owner, longest without a move first.

        Those that are open have not moved since ``open_by``, those in play since ``playing_by``.
        """
        ...

    async def grant(self, table: str, user: str) -> None:
        """Let a user enter a table that is not listed."""
        ...

    async def revoke_grants(self, table: str, user: str) -> None:
        """Undo :meth:`grant`."""
        ...

    async def granted(self, table: str, user: str) -> bool:
        """Tell whether a user may enter a table that is not listed."""
        ...

    # people

    async def put_user(self, user: User) -> None:
        """Store a user, new or changed; one who was forgotten stays so."""
        ...

    async def users(self, ids: tuple[str, ...]) -> dict[str, User]:
        """Return those of these users that exist."""
        ...

    async def bots_of(self, user: str) -> tuple[User, ...]:
        """Return the programs that a user has made, oldest first; forgotten ones are nobody's."""
        ...

    async def forget_user(self, user: str) -> tuple[tuple[str, int], ...]:
        """Delete all a user has left but his seats; return the deleted lines of chat."""
        ...

    async def put_session(self, session: Session) -> None:
        """Store a session."""
        ...

    async def identity(self, digest: str) -> tuple[Session, User] | None:
        """Return a session by the digest of its secret, and whose it is."""
        ...

    async def sessions_of(self, user: str) -> tuple[Session, ...]:
        """Return all sessions of a user, oldest first."""
        ...

    async def sessions_of_bots(self, user: str) -> tuple[Session, ...]:
        """Return all sessions of the programs that a user has made, oldest first."""
        ...

    async def revoke_session(self, digest: str) -> bool:
        """Delete a session; tell whether there was one."""
        ...

    async def note_use(self, digest: str, at: int) -> None:
        """Note when a session was used; one that is gone stays gone."""
        ...

    async def put_link(self, link: Link) -> None:
        """Store a link."""
        ...

    async def link(self, digest: str) -> Link | None:
        """Return a link by the digest of its token, expired or not."""
        ...

    async def links_of(self, table: str) -> tuple[Link, ...]:
        """Return the links to a table, oldest first."""
        ...

    async def drop_link(self, digest: str) -> bool:
        """Delete a link; tell whether it was there, so that exactly one of two users gets it."""
        ...

    # records

    async def keep_record(self, head: RecordHead, text: bytes, most: int) -> int:
        """Store a record; of its user's only the last ``most`` remain. Return how many were deleted."""
        ...

    async def record_head(self, record: str) -> RecordHead | None:
        """Return what is known of a record."""
        ...

    async def record_text(self, record: str) -> bytes | None:
        """Return the text of a record, as it was handed over."""
        ...

    async def records_of(self, user: str) -> tuple[RecordHead, ...]:
        """Return the records of a user, the newest first."""
        ...

    async def drop_record(self, user: str, record: str) -> bool:
        """Delete a record of a user; tell whether there was one."""
        ...

    # chat

    async def say(self, line: ChatLine, most: int = CHAT_LINES) -> ChatLine:
        """Store a line of chat, whatever its ``id``; return it with its number, from 1 on in each table.

        Lines before the last ``most`` numbers of the table are deleted.
        """
        ...

    async def line(self, table: str, number: int) -> ChatLine | None:
        """Return one line of chat, or ``None``."""
        ...

    async def chat(self, table: str, after: int = 0, limit: int = 200) -> tuple[ChatLine, ...]:
        """Return the last ``limit`` lines behind ``after``, oldest first."""
        ...

    async def lines_by(self, user: str, after: tuple[str, int], limit: int = 500) -> tuple[ChatLine, ...]:
        """Return lines that a user wrote behind a table and line, in the order of tables and lines."""
        ...

    async def delete_line(self, table: str, line: int) -> bool:
        """Delete a line of chat for good; tell whether it was there."""
        ...

    async def set_mute(self, user: str, muted: str, *, on: bool) -> None:
        """Note whom a user does not want to read."""
        ...

    async def mutes(self, user: str) -> frozenset[str]:
        """Return whom a user does not want to read."""
        ...

    async def report(self, report: Report) -> None:
        """Store a report for the operator."""
        ...

    async def reports(self, limit: int = 100) -> tuple[Report, ...]:
        """Return the latest reports, newest first."""
        ...

    async def reports_by(self, user: str) -> tuple[Report, ...]:
        """Return the reports that a user has made, newest first."""
        ...

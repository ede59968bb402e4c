"""What the tables offer to the rest of the server: to HTTP, to sockets, and to the bots in the seats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

from msgspec import Struct

from bohn.protocol import frames
from bohn.protocol.api import Legal
from bohn.protocol.away import AwayInfo, MoveAhead, Terms
from bohn.protocol.refusals import Refusal
from bohn.protocol.room import Options, Room
from bohn.protocol.room_commands import AnyRoomCommand
from bohn.rules.commands import AnyCommand
from bohn.rules.errors import IllegalCommand
from bohn.rules.ruleset import Rules
from bohn.rules.state import State
from bohn.server.room.resting import Gaps
from bohn.server.settings import Limits
from bohn.server.store.protocol import Listing, LogRow, Timer
from bohn.server.tables.midgame import MidgameTable
from bohn.server.tables.notices import AnyNotice, AnyPost
from bohn.server.tables.past_game import PastGame
from bohn.views.preview import Preview

CutReason = Literal[
    "server-stopping", "too-slow", "rate-limited", "seat-left", "signed-out", "not-saved", "look-again"
]


Acknowledge = Callable[[int], None]
"""Called with a command's seq once it is on the disk, before anybody is shown the batch."""


class Sink(Protocol):
    """Where a viewer's frames go: a socket, or a line stream. Neither method waits."""

    def push(self, frame: bytes) -> None:
        """Take one encoded frame; a full sink cuts itself off (``too-slow``)."""
        ...

    def cut(self, reason: CutReason) -> None:
        """End: say goodbye if possible, then close."""
        ...


class Watcher(Protocol):
    """A viewer's connection to one table; :meth:`Tables.unwatch` ends it."""

    table: str
    user: str | None


class Peek(Struct, frozen=True):
    """A table as it is now; ``state`` is ``None`` before the deal. For the bots in the seats only.

    ``watched``: somebody has a stream open at it. ``composing`` are the seats that put an offer together,
    ``enough`` those that have traded enough, as everybody is told.
    """

    seq: int
    room: Room
    rules: Rules
    state: State | None
    watched: bool = True
    composing: frozenset[int] = frozenset()
    enough: frozenset[int] = frozenset()
    timers: tuple[Timer, ...] = ()


class Turn(Struct, frozen=True, gc=False):
    """A turn that lasts, as far as this process can see.

    ``phase`` is that of the game, ``ends`` when the clock of whoever's turn it is will have run out (ms since
    1970), ``hours`` what that clock counts, where it counts in hours. ``here``: he looks at the table.
    The clock stands still in ``rests``, and ``holiday`` is until when he is on holiday.
    """

    room: Room
    phase: str
    ends: int | None
    hours: int | None
    here: bool
    rests: Gaps = ()
    holiday: int | None = None


class Tables(Protocol):
    """Everything that may be asked of the tables. Methods raise :class:`Refusal` or :class:`IllegalCommand`.

    ``user`` is a user's id, ``None`` for a stranger, who may watch listed tables only.
    """

    async def open_table(self, user: str, options: Options) -> str:
        """Open a table with this host and return its id; nobody sits yet. Refuses unknown options."""
        ...

    async def open_once(self, user: str, options: Options, key: str | None, wish: str) -> tuple[str, bool]:
        """Open a table once for a key; return its id, and whether it was opened just now.

        The same key with another ``wish`` (all that was asked for, as text) is refused.
        """
        ...

    async def open_midgame(
        self, user: str, midgame: MidgameTable, key: str | None, wish: str
    ) -> tuple[str, bool]:
        """Open a table whose game has begun before, once for a key; see :meth:`open_once`."""
        ...

    async def execute(
        self,
        table: str,
        user: str,
        command_id: str,
        command: AnyCommand | AnyRoomCommand,
        acked: Acknowledge | None = None,
    ) -> int:
        """Do a user's command, at most once by its id, and return its seq once it is on the disk.

        ``acked`` is called with the seq before anybody is shown the batch.
        """
        ...

    async def execute_for_bot(self, table: str, seat: int, command_id: str, command: AnyCommand) -> int:
        """Do the command of the bot in a seat; refused if no bot plays there now."""
        ...

    async def check(self, table: str, user: str, command: AnyCommand) -> IllegalCommand | Refusal | None:
        """Return why a command would be refused now, or ``None``."""
        ...

    async def away(self, table: str, user: str) -> AwayInfo:
        """Return what a user has left with a table over days."""
        ...

    async def add_instruction(self, table: str, user: str, terms: Terms | MoveAhead) -> None:
        """Take an instruction of a user: a standing order, or a move that he sets ahead."""
        ...

    async def drop_instruction(self, table: str, user: str, instruction: str) -> None:
        """Delete an instruction of a user; it is not done behind this."""
        ...

    async def times_changed(self, user: str) -> None:
        """Let the tables over days at which a user plays know his playing times."""
        ...

    async def preview(self, table: str, user: str, draft: frames.Draft) -> Preview:
        """Return what an own offer would mean."""
        ...

    async def legal(self, table: str, user: str) -> Legal:
        """Return what a user may do."""
        ...

    async def give_sign(
        self, table: str, user: str, sign: frames.Sign | None, turn: int | None = None
    ) -> frames.Sign | None:
        """Let everybody know that a user puts an offer together, or has traded enough; return what holds."""
        ...

    async def welcome(self, table: str, user: str | None) -> frames.Welcome:
        """Return the whole table as a viewer may see it."""
        ...

    async def watch(self, table: str, user: str | None, sink: Sink, after: int | None) -> Watcher:
        """Send the sink a welcome (and the gap behind ``after``, if it is not too long), then every batch."""
        ...

    async def beat(self) -> None:
        """Write that this process is alive; raises ``StoreUnavailable``."""
        ...

    def unwatch(self, watcher: Watcher) -> None:
        """End a connection; a second call does nothing."""
        ...

    async def enter(self, table: str, user: str | None) -> Room:
        """Return the room, or refuse: there is no such table for this user (unlisted, and not invited)."""
        ...

    def sent_away(self, table: str, user: str) -> bool:
        """Tell whether a user was kicked from a listed table, where he may only watch."""
        ...

    async def record(self, table: str, user: str | None) -> bytes:
        """Return the record of a finished game; refuses unfinished ones (``not-finished``)."""
        ...

    async def game(self, table: str, user: str | None) -> PastGame:
        """Return a finished game; refuses unfinished ones (``not-finished``)."""
        ...

    async def peek(self, table: str) -> Peek:
        """Return a table as it is, hidden cards and all. For the bots in the seats, never for a client."""
        ...

    async def turn_of(self, table: str, user: str) -> Turn | None:
        """Return the turn of a user at a table, if it is his now, as far as this worker can see."""
        ...

    def turn_lasts(self, table: str, user: str) -> bool:
        """Tell whether it is a user's turn at a table in this worker's memory, as it stands there."""
        ...

    def post(
        self,
        table: str,
        frame: AnyPost,
        *,
        unread_by: frozenset[str] = frozenset(),
        seat: int | None = None,
    ) -> None:
        """Send a frame that is no batch (chat, names) to all viewers but these users, or to one seat."""
        ...

    def horizon(self, table: str, user: str | None) -> int | None:
        """Return up to when (ms since 1970) a user may see; ``None`` if he may see the present."""
        ...

    async def here(self, listings: tuple[Listing, ...]) -> dict[str, int]:
        """Return how many seats' owners are connected to each of these tables, by whichever worker."""
        ...

    async def close(self, table: str, word: str, deed: int) -> None:
        """Close a table with an operator's word to its players, if this worker serves it."""
        ...

    def limit(self, limits: Limits) -> None:
        """Let other limits hold for tables that are opened from now on."""
        ...

    def loaded_here(self) -> int:
        """Return how many tables are in this worker's memory."""
        ...

    def sign_out(self, user: str) -> None:
        """Cut all connections of a user."""
        ...

    def tell_others(self, notice: AnyNotice) -> None:
        """Tell all other workers something that concerns no table."""
        ...

    async def leave(self) -> None:
        """Let other workers, if there are any, do at once what the server itself does; this one stops."""
        ...


class Observer(Protocol):
    """Called with what the tables do, for metrics; nothing here may wait or fail."""

    def committed(self, cause: str, command: str, milliseconds: float) -> None:
        """A batch was committed ``milliseconds`` after its command was taken up."""
        ...

    def refused(self, reason: str) -> None:
        """A command was refused."""
        ...

    def sent(self, frames: int) -> None:
        """``frames`` went to viewers."""
        ...

    def fired(self, key: str) -> None:
        """A timer's time had come."""
        ...

    def loaded(self, tables: int) -> None:
        """There are ``tables`` in memory now."""
        ...

    def abandoned(self, why: str) -> None:
        """A table was abandoned by the server: ``unowned``, ``unfinished``, ``log-full`` or ``closed``."""
        ...


class Unobserved:
    """An observer that ignores everything."""

    def committed(self, cause: str, command: str, milliseconds: float) -> None:
        """Ignore."""

    def refused(self, reason: str) -> None:
        """Ignore."""

    def sent(self, frames: int) -> None:
        """Ignore."""

    def fired(self, key: str) -> None:
        """Ignore."""

    def loaded(self, tables: int) -> None:
        """Ignore."""

    def abandoned(self, why: str) -> None:
        """Ignore."""


class Names(Protocol):
    """Where the names of users are looked up (:class:`bohn.server.people.service.People`)."""

    async def people(self, ids: tuple[str, ...]) -> dict[str, frames.Person]:
        """Return those of these users that exist."""
        ...


class Seats(Protocol):
    """The bots in the seats: called after every batch; they answer through :meth:`Tables.execute_for_bot`."""

    def noticed(self, peek: Peek, row: LogRow | None) -> None:
        """Look at a table after a batch, or after it was loaded (``row`` is ``None``). Must not wait."""
        ...

    def audience_changed(self, peek: Peek) -> None:
        """Rest or go on at a table where somebody has begun or ceased to look. Must not wait."""
        ...

    def signs_changed(self, peek: Peek) -> None:
        """Go by the signs that people at a table give now. Must not wait."""
        ...

    def dropped(self, table: str) -> None:
        """Forget a table that left memory."""
        ...

    async def choose(self, peek: Peek, seat: int) -> AnyCommand | None:
        """Return PK's choice for a seat whose clock has expired; ``None`` if nothing is due there."""
        ...

    async def stop(self) -> None:
        """End all work."""
        ...

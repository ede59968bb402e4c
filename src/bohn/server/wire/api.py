"""Bodies of the HTTP API; the frames of a table's stream are in :mod:`bohn.server.wire.frames`."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from bohn.rules.beans import Bean
from bohn.rules.commands import AnyCommand
from bohn.rules.state import Copies
from bohn.server.room.commands import AnyRoomCommand
from bohn.server.room.state import ClockName, Options, Status
from bohn.server.store.protocol import Scope
from bohn.server.wire.frames import Choices, CommandId, Line, Person, Welcome


class Body(Struct, frozen=True, forbid_unknown_fields=True):
    """The base of what a client sends; unknown fields are refused."""


# -- people ------------------------------------------------------------------------------------------


class NewGuest(Body, frozen=True):
    """Come in: a name and a language tag (``de``, ``pt-BR``); answered with a cookie."""

    name: str
    language: str = "en"


class ChangeMe(Body, frozen=True):
    """Another name, another language; what is absent stays."""

    name: str | None = None
    language: str | None = None


class Me(Struct, frozen=True):
    """The user behind this cookie or token."""

    user: str
    name: str
    language: str
    bot: bool
    cookie: bool
    scopes: tuple[Scope, ...]


class NewToken(Body, frozen=True):
    """A token for programs; ``bot`` makes a user of its own, marked as a program, with this ``name``."""

    scopes: tuple[Scope, ...] = ("read", "play")
    label: str = ""
    bot: bool = False
    name: str = ""


class TokenMade(Struct, frozen=True):
    """The token, shown once; ``id`` revokes it."""

    token: str
    id: str
    user: str
    scopes: tuple[Scope, ...]


class TokenInfo(Struct, frozen=True):
    """A session or token of this user, without its secret; ``current`` is the one that asks."""

    id: str
    label: str
    created: int
    cookie: bool
    current: bool
    scopes: tuple[Scope, ...]


class LinkMade(Struct, frozen=True):
    """A link, shown once: its token goes behind ``#`` of the address, so that no log or referrer has it."""

    token: str
    id: str
    expires: int


class LinkInfo(Struct, frozen=True):
    """A link without its token."""

    id: str
    created: int
    expires: int


class UseLink(Body, frozen=True):
    """Exchange a link's token, once, for a cookie (if there is none yet) and for what it opens.

    ``name`` and ``language`` are those of a guest who comes in with it.
    """

    token: str
    name: str = ""
    language: str = "en"


class LinkUsed(Struct, frozen=True):
    """What the link opened: a table, or one's own user on this device."""

    me: Me
    table: str | None


# -- the lobby ---------------------------------------------------------------------------------------


class EditionInfo(Struct, frozen=True):
    """An edition: its numbers of players, and for each house rule its values."""

    edition: str
    players: tuple[int, ...]
    house_rules: dict[str, tuple[str, ...]]


class ClockInfo(Struct, frozen=True):
    """A choice of clock: ms a decision and for the trading; ``None`` without."""

    clock: ClockName
    decision: int | None
    trading: int | None


class Catalog(Struct, frozen=True):
    """What a table may be made of; ``phrases`` are the keys of the quick phrases."""

    protocol: int
    product: str
    editions: tuple[EditionInfo, ...]
    clocks: tuple[ClockInfo, ...]
    bots: tuple[str, ...]
    phrases: tuple[str, ...]
    languages: tuple[str, ...]


class TableInfo(Struct, frozen=True):
    """A table in a list; ``taken`` counts people and bots, ``here`` the owners now at the table."""

    table: str
    status: Status
    options: Options
    host: Person | None
    people: tuple[Person, ...]
    bots: int
    taken: int
    here: int
    opened: int
    moved: int
    mine: bool


class TableList(Struct, frozen=True):
    """Tables, those that moved last first."""

    tables: tuple[TableInfo, ...]


class NewTable(Body, frozen=True):
    """Open a table and sit down at it; ``bots`` take the next seats. ``start`` deals at once ("Play now")."""

    options: Options = Options()
    bots: tuple[str, ...] = ()
    salt: str = ""
    sit: bool = True
    start: bool = False


class TableMade(Struct, frozen=True):
    """The new table."""

    table: str
    seq: int


# -- the table ---------------------------------------------------------------------------------------


class Do(Body, frozen=True):
    """One command; the header ``Idempotency-Key`` may carry the id instead."""

    command: AnyCommand | AnyRoomCommand
    id: CommandId | None = None


class Done(Struct, frozen=True):
    """The command is on the disk, as batch ``seq``."""

    id: str
    seq: int


class Draft(Body, frozen=True):
    """An offer one thinks of; nothing happens."""

    to: tuple[int, ...]
    hand: Copies = ()
    face_up: Copies = ()
    want: tuple[Bean, ...] = ()


class Ask(Body, frozen=True):
    """A command one thinks of; nothing happens."""

    command: AnyCommand


class Legal(Struct, frozen=True):
    """What may be done at ``seq``; ``choices`` is ``None`` for who has no seat in a running game."""

    seq: int
    seat: int | None
    choices: Choices | None


class Error(Struct, frozen=True):
    """Every refusal over HTTP: the code, the clause if the rules refuse, and parameters; never a sentence."""

    reason: str
    clause: str | None = None
    params: dict[str, Any] = {}


class Verdict(Struct, frozen=True):
    """Whether a command is legal now, and if not, why."""

    legal: bool
    refusal: Error | None = None


class SayBody(Body, frozen=True):
    """A line of chat: free ``text``, or the ``key`` of a quick phrase."""

    text: str = ""
    key: str = ""


class ChatPage(Struct, frozen=True):
    """Lines of chat, oldest first."""

    lines: tuple[Line, ...]


class ReportBody(Body, frozen=True):
    """Report a line of chat to the operator."""

    reason: str = ""


class MuteBody(Body, frozen=True):
    """Read this user's chat no more, or again."""

    user: str
    on: bool = True


class Mutes(Struct, frozen=True):
    """Whom one does not read."""

    users: tuple[str, ...]


class Health(Struct, frozen=True):
    """Alive, or ready; ``reason`` says why not."""

    ok: bool
    reason: str = ""


class Empty(Struct, frozen=True):
    """Done; there is nothing to say."""


TableView = Welcome
"""``GET /api/tables/{table}`` answers as a stream begins."""

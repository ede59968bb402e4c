"""Bodies of the HTTP API; the frames of a table's stream are in :mod:`bohn.protocol.frames`."""

from __future__ import annotations

from typing import Any, Literal, NewType

from msgspec import Struct

from bohn.protocol.frames import Choices, Clock, CommandId, Line, Person, Welcome
from bohn.protocol.room import ClockName, Options, Origin, Status
from bohn.protocol.room_commands import AnyRoomCommand
from bohn.protocol.sanctions import Standing
from bohn.rulebook.documents import RuleDocument
from bohn.rules.beans import Bean
from bohn.rules.commands import AnyCommand
from bohn.rules.ruleset import Rules
from bohn.rules.state import Copies, Result

Scope = Literal["read", "play"]
"""What a session or a token may do."""


class Body(Struct, frozen=True, forbid_unknown_fields=True):
    """The base of what a client sends; unknown fields are refused."""


# -- people ------------------------------------------------------------------------------------------


class NewGuest(Body, frozen=True):
    """Become a user: a name and a language tag (``de``, ``pt-BR``); answered with a cookie."""

    name: str
    language: str = "en"


class ChangeMe(Body, frozen=True):
    """Change name or language; what is absent stays."""

    name: str | None = None
    language: str | None = None


class Me(Struct, frozen=True):
    """The user behind this cookie or token; ``standing`` is the sanction that holds for him, if any.

    ``handle`` is that of his account; empty for a guest, and for programs.
    """

    user: str
    name: str
    language: str
    bot: bool
    cookie: bool
    scopes: tuple[Scope, ...]
    standing: Standing | None = None
    handle: str = ""


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
    """A session or token, without its secret; ``current`` is the one that asks.

    ``user`` is whom it belongs to, this user or a program that he has made, with its ``name``. ``used``
    is when it was last used, to about a day.
    """

    id: str
    label: str
    created: int
    cookie: bool
    current: bool
    scopes: tuple[Scope, ...]
    user: str
    name: str
    used: int


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

    ``name`` and ``language`` are those of a guest who comes in with it. ``replace`` lets a device
    link log this device in as another user than the one here.
    """

    token: str
    name: str = ""
    language: str = "en"
    replace: bool = False


class LinkUsed(Struct, frozen=True):
    """What the link opened: a table, or the own user on this device."""

    me: Me
    table: str | None


class LinkBody(Body, frozen=True):
    """The token of a link that one would look at before using it."""

    token: str


# -- the lobby ---------------------------------------------------------------------------------------


class EditionInfo(Struct, frozen=True):
    """An edition: its numbers of players, and for each house rule its values, for any of these numbers.

    ``bots`` are the computer players worth meeting in it, the easiest first, and ``usual`` the one of them
    that is meant where none is named. What a house rule may be for one number of players is in
    :class:`RuleSheet`.
    """

    edition: str
    players: tuple[int, ...]
    house_rules: dict[str, tuple[str, ...]]
    bots: tuple[str, ...] = ()
    usual: str = ""


class ClockInfo(Struct, frozen=True):
    """A choice of clock: ms a decision and for the trading, ``None`` without, and the reserve of a game."""

    clock: ClockName
    decision: int | None
    trading: int | None
    reserve: int = 0


class LessonInfo(Struct, frozen=True):
    """A lesson (docs/lessons.md); ``names`` are by seat, that of the learner's is empty."""

    lesson: str
    edition: str
    house_rules: tuple[str, ...]
    seat: int
    names: tuple[str, ...]


AccountsState = Literal["offered", "no-relying-party", "not-installed"]
"""Whether accounts are offered, or why not: no host name is set for passkeys, or their library is missing."""


class AccountsOffer(Struct, frozen=True):
    """Whether accounts are offered; ``relying_party`` is the host name under which passkeys are made.

    ``mail``: one comes back into an account by e-mail.
    """

    state: AccountsState = "no-relying-party"
    relying_party: str = ""
    mail: bool = False


class Catalog(Struct, frozen=True):
    """What a table may be made of; ``phrases`` are the keys of the quick phrases.

    ``share`` is the origin to put into invitations (``bohn serve --lan``); without it, that of the page.
    """

    protocol: int
    product: str
    editions: tuple[EditionInfo, ...]
    clocks: tuple[ClockInfo, ...]
    bots: tuple[str, ...]
    phrases: tuple[str, ...]
    languages: tuple[str, ...]
    share: str | None = None
    lessons: tuple[LessonInfo, ...] = ()
    accounts: AccountsOffer = AccountsOffer()


class ClauseInfo(Struct, frozen=True):
    """A clause of the rules; ``language`` is that of its title and text, English where there is no other.

    ``cites`` are places in rule documents, ``secondary`` other publications, ``rulings`` decisions of this
    project. No ``editions`` means all.
    """

    id: str
    section: str
    title: str
    text: str
    language: str
    cites: tuple[str, ...]
    secondary: tuple[str, ...]
    rulings: tuple[str, ...]
    editions: tuple[str, ...]


class ClauseList(Struct, frozen=True):
    """All clauses in their order, in ``language`` as far as they are translated."""

    language: str
    clauses: tuple[ClauseInfo, ...]


class Section(Struct, frozen=True):
    """Clauses of one subject by their ids; its title is ``section.<name>`` in the message catalogs."""

    section: str
    clauses: tuple[str, ...]


class RuleSheet(Struct, frozen=True):
    """What holds in a game of this edition, for so many players, with these house rules.

    ``policies`` are keys of the message catalogs (``policy.singles.all_single``). ``choices`` are the values
    that a house rule may have here beside the one that holds now. ``sources`` are the documents on which the
    edition rests. ``left_out`` are the kinds that it plays with at other numbers of players, and not here.
    """

    rules: Rules
    sections: tuple[Section, ...]
    policies: tuple[str, ...]
    choices: dict[str, tuple[str, ...]]
    sources: tuple[RuleDocument, ...]
    left_out: tuple[Bean, ...]


class SeatInfo(Struct, frozen=True):
    """A seat of a table in a list: its owner, or the bot that plays there, with a ``name`` if it has one."""

    person: Person | None
    bot: str | None
    name: str
    mine: bool


class Awaited(Struct, frozen=True):
    """What a running game waits for: a move of people in ``seats``, what they do told by the ``phase``.

    ``active`` is whose turn it is; ``paused``: it waits for nobody. To whoever has planted and can plant no
    more the ``phase`` is ``reveal``. ``gift_open``: in Das Duell a gift is to be answered.

    In a game over days the ``clock`` is that of whoever asks, else of whoever has the least time, and
    ``all_done`` tells that a trading ends with its next beat.
    """

    seats: tuple[int, ...]
    phase: str
    active: int
    clock: Clock | None = None
    all_done: bool = False
    paused: bool = False
    gift_open: bool = False


class TableInfo(Struct, frozen=True):
    """A table in a list; ``taken`` counts people and bots, ``here`` the owners now at the table.

    ``result`` is there once the game has been played to its end. ``origin`` tells that it goes on with an
    earlier game, ``lesson`` that it teaches. ``waits`` tells that the game waits for whoever asks,
    ``awaited`` for what it waits, and ``hosts`` that he is the host; only the list of his own tables does.
    """

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
    seats: tuple[SeatInfo, ...] = ()
    result: Result | None = None
    origin: bool = False
    lesson: str | None = None
    waits: bool = False
    awaited: Awaited | None = None
    hosts: bool = False


class LinkSeen(Struct, frozen=True):
    """What a link would open: the table one is invited to, or ``None`` for one's own user elsewhere."""

    table: TableInfo | None


class TableList(Struct, frozen=True):
    """Tables, those that moved last first."""

    tables: tuple[TableInfo, ...]


class NewTable(Body, frozen=True):
    """Open a table and sit down at it; ``bots`` take the next seats. ``start`` deals at once ("Play now").

    With an ``origin`` the game goes on from there, with bots in all other seats: those named in ``bots``,
    then those of that game. With a ``lesson`` it is the game of the catalog that teaches. Of the rest only
    ``options.clock`` counts then.
    """

    options: Options = Options()
    bots: tuple[str, ...] = ()
    salt: str = ""
    sit: bool = True
    start: bool = False
    origin: Origin | None = None
    lesson: str | None = None


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
    """An offer to be previewed; nothing happens."""

    to: tuple[int, ...]
    hand: Copies = ()
    face_up: Copies = ()
    want: tuple[Bean, ...] = ()


class Ask(Body, frozen=True):
    """A command to be checked; nothing happens."""

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


class ReportPerson(Body, frozen=True):
    """Report somebody at the table to the operator, with what he did."""

    user: str
    reason: str


class MuteBody(Body, frozen=True):
    """Hide this user's chat, or with ``on`` false show it again."""

    user: str
    on: bool = True


class Mutes(Struct, frozen=True):
    """The users whose chat is hidden."""

    users: tuple[str, ...]


RecordText = NewType("RecordText", str)
"""A record (docs/notation.md) as it is sent: one JSON value a line."""


class Health(Struct, frozen=True):
    """Alive, or ready; ``reason`` says why not."""

    ok: bool
    reason: str = ""


class Empty(Struct, frozen=True):
    """Done; there is nothing else to report."""


TableView = Welcome
"""``GET /api/tables/{table}`` answers as a stream begins."""

"""Bodies of the HTTP API for operators; what is in them goes to nobody else."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from bohn.protocol.alerts import ChannelKind
from bohn.protocol.api import Body, TableInfo
from bohn.protocol.frames import Line
from bohn.protocol.sanctions import SanctionKind, Standing


class OperatorToken(Body, frozen=True):
    """The token of a link from `bohn admin link`."""

    token: str


class OperatorSession(Struct, frozen=True):
    """An operator's session: how it is called in the log, and its end (ms since 1970)."""

    operator: str
    expires: int


class SanctionInfo(Struct, frozen=True):
    """A sanction that holds: for a ``user`` with his ``name``, or for a ``network``."""

    id: str
    kind: SanctionKind
    user: str | None
    name: str
    network: str | None
    begun: int
    until: int | None
    reason: str


class LimitInfo(Struct, frozen=True):
    """A limit: its value now, that of the settings, and between what it may be set."""

    name: str
    value: float
    usual: float
    least: float
    most: float


class NoticesOffer(Struct, frozen=True):
    """What people can be told by: ``offered`` is set up, the rest is not.

    ``key`` is what a browser subscribes to pushes with, ``ntfy`` the address of the ntfy server.
    """

    offered: tuple[ChannelKind, ...]
    key: str
    ntfy: str


class Overview(Struct, frozen=True):
    """How things are: this worker's load, what is stored, the sanctions that hold, and the limits.

    ``sockets`` are connections, ``loaded`` tables in memory, both of this worker. Of the store are ``tables``
    by status, ``people`` with a name, and ``reports`` about which nothing was done.
    """

    session: OperatorSession
    now: int
    worker: str
    sockets: int
    loaded: int
    people: int
    tables: dict[str, int]
    reports: int
    sanctions: tuple[SanctionInfo, ...]
    limits: tuple[LimitInfo, ...]
    notices: NoticesOffer


class OperatorTables(Struct, frozen=True):
    """Tables that are open or played, those that are not listed too, the last moved first.

    Like the other lists it ends where ``more`` is true, though there are more.
    """

    tables: tuple[TableInfo, ...]
    more: bool


class SeenPerson(Struct, frozen=True):
    """Somebody as operators see him. ``address`` is from where he came last, if this worker knows it."""

    user: str
    name: str
    language: str
    created: int
    used: int
    bot: bool
    address: str
    tables: tuple[str, ...]
    standing: Standing | None


class SeenPeople(Struct, frozen=True):
    """People who were found, those here last first."""

    people: tuple[SeenPerson, ...]
    more: bool


class ReportInfo(Struct, frozen=True):
    """A report: ``line`` is the number of the line of chat, 0 for one about the person."""

    id: int
    table: str
    line: int
    by: str
    by_name: str
    against: str
    against_name: str
    at: int
    text: str
    reason: str
    settled: bool


class ReportList(Struct, frozen=True):
    """Reports, those about which nothing was done first."""

    reports: tuple[ReportInfo, ...]
    more: bool


class DeedInfo(Struct, frozen=True):
    """What an operator did; see docs/operator.md."""

    id: int
    at: int
    by: str
    deed: str
    about: str
    name: str
    text: str
    until: int | None
    report: int


class LogLine(Struct, frozen=True):
    """A batch of a table without its cards: who, the kind of command, the kinds of events."""

    seq: int
    at: int
    actor: str
    command: str
    events: tuple[str, ...]


class ReportContext(Struct, frozen=True):
    """What was going on around a report, and what was done about it."""

    report: ReportInfo
    lines: tuple[Line, ...]
    log: tuple[LogLine, ...]
    names: dict[str, str]
    deeds: tuple[DeedInfo, ...]


class DeedList(Struct, frozen=True):
    """The last deeds, newest first; ``whole`` tells that each of all is as it was written."""

    deeds: tuple[DeedInfo, ...]
    whole: bool
    more: bool


class NewSanction(Body, frozen=True):
    """Begin a sanction for a ``user``, a ``network``, or both.

    ``length`` is in ms, ``None`` without end. ``anyway``: though it is everybody's address.
    """

    kind: SanctionKind
    reason: str
    user: str | None = None
    network: str | None = None
    length: int | None = None
    report: int = 0
    anyway: bool = False


class SanctionsMade(Struct, frozen=True):
    """The new sanctions."""

    sanctions: tuple[SanctionInfo, ...]


class CloseTable(Body, frozen=True):
    """Close a table with a word to its players."""

    word: str
    report: int = 0


class SettleReport(Body, frozen=True):
    """Note that nothing more is done about a report."""

    word: str = ""


class ChangeLimit(Body, frozen=True):
    """Set a limit; ``None`` lets that of the settings hold again."""

    name: str
    value: float | None


class NoticeTest(Body, frozen=True):
    """Send a test: to an e-mail address, a topic, a hook, or the subscription that a browser gives."""

    kind: ChannelKind
    endpoint: str = ""
    p256dh: str = ""
    auth: str = ""
    language: str = "en"


class NoticeTested(Struct, frozen=True):
    """What became of it: it was taken, refused by a status, or ``failed``: no answer came.

    ``answer`` is the status of HTTP or SMTP, or the word for why none came (docs/notices.md).
    """

    result: Literal["sent", "refused", "failed"]
    answer: str

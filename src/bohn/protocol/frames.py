"""Frames of a table's stream: what a client sends over the WebSocket, and what every viewer gets.

The same frames, one a line, are the ndjson stream of the HTTP bot API. All times are in ms since 1970.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from bohn.notation.records import Cause
from bohn.protocol.room import LastCall, Room
from bohn.protocol.room_commands import AnyRoomCommand
from bohn.protocol.sanctions import SanctionKind
from bohn.rules.beans import Bean, Pile
from bohn.rules.commands import AnyCommand
from bohn.rules.legal import OfferSpace
from bohn.rules.state import Copies, Talk
from bohn.views.giving import Answer, GiftWays
from bohn.views.preview import Preview
from bohn.views.view import OwnHand, PhaseView, PlayerView, View
from bohn.views.worth import SeatWorth

PROTOCOL = 1
"""The version of the protocol; it changes when an old client would misunderstand."""

CommandId = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_.:-]+\Z")]

# -- from the client ---------------------------------------------------------------------------------


class ClientFrame(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """The base of what a client sends; ``id`` comes back with the answer."""

    id: CommandId


class Send(ClientFrame, frozen=True, tag="command"):
    """Do a command; the same id is done at most once, however often it is sent."""

    command: AnyCommand | AnyRoomCommand


class Check(ClientFrame, frozen=True, tag="check"):
    """Ask whether a command would be refused, and why; nothing happens."""

    command: AnyCommand


class Draft(ClientFrame, frozen=True, tag="draft"):
    """Ask what an offer would mean for the fields of its sender; nothing happens."""

    to: tuple[int, ...]
    hand: Copies = ()
    face_up: Copies = ()
    want: tuple[Bean, ...] = ()


class Say(ClientFrame, frozen=True, tag="say"):
    """A line of chat: free ``text``, or the ``key`` of a quick phrase."""

    text: str = ""
    key: str = ""


class Ping(ClientFrame, frozen=True, tag="ping"):
    """Ask whether the server is there."""


Sign = Literal["composing", "enough"]
"""What a person lets the others know of himself while beans are traded; no cards."""


class GiveSign(ClientFrame, frozen=True, tag="sign"):
    """Let the others know that one puts an offer together, or has traded enough; ``None``: neither, any more.

    ``composing`` is to be said again every few seconds; it ends by itself. ``turn`` is that of the trading it
    is meant for: in another one nothing comes of it.
    """

    sign: Sign | None = None
    turn: int | UnsetType = UNSET


AnyClientFrame = Send | Check | Draft | Say | GiveSign | Ping

# -- to the client -----------------------------------------------------------------------------------


class ServerFrame(Struct, frozen=True, tag_field="type"):
    """The base of what the server sends."""


class Person(Struct, frozen=True):
    """A user as others see him; the name is empty once it was deleted, the handle without an account."""

    name: str
    bot: bool = False
    handle: str = ""


class Clock(Struct, frozen=True):
    """A clock, running or stopped: of one seat's decision, or (``seat`` is ``None``) of the trading.

    In a game over days the last ``reserve`` ms of it are what the seat has left of its reserve, and that of
    the trading has its next ``beat``, at which standing orders are looked at; none: that is its end.
    ``rests`` are the next times in which it stands still, each from and until.
    """

    seat: int | None
    due: int | None
    left: int | None = None
    reserve: int = 0
    beat: int | None = None
    rests: tuple[tuple[int, int], ...] | UnsetType = UNSET


class OfferPreview(Struct, frozen=True):
    """What one standing offer would mean for the viewer; ``answer`` is what he would give if he is asked."""

    offer: int
    preview: Preview
    answer: Answer | None = None


class ViewPatch(Struct, frozen=True, omit_defaults=True):
    """The parts of a view that have changed; ``players`` by seat. Put them over the view you have."""

    own: OwnHand | UnsetType | None = UNSET
    players: dict[int, PlayerView] | UnsetType = UNSET
    active_player: int | UnsetType = UNSET
    phase: PhaseView | UnsetType = UNSET
    draw_pile: int | UnsetType = UNSET
    discard_pile: int | UnsetType = UNSET
    discard_top: tuple[Bean, ...] | UnsetType = UNSET
    exhaustions: int | UnsetType = UNSET
    turn: int | UnsetType = UNSET
    starter: int | UnsetType = UNSET
    talk: Talk | UnsetType = UNSET
    box: Pile | UnsetType = UNSET
    bonus_piles: tuple[int, int] | UnsetType = UNSET
    waiting: tuple[int, ...] | UnsetType = UNSET
    totals: tuple[tuple[int, int], ...] | UnsetType = UNSET


class Choices(Struct, frozen=True):
    """What the viewer may do: all but offers, edits, talk and copies other than the front-most are listed.

    ``gifts`` are the kinds he could deliver while a gift is haggled over, ``discards`` the hand cards of
    which he may discard one.
    """

    legal: tuple[AnyCommand, ...]
    offers: OfferSpace
    previews: tuple[OfferPreview, ...]
    gifts: tuple[GiftWays, ...] = ()
    discards: Copies = ()


class Welcome(ServerFrame, frozen=True, tag="welcome"):
    """The first frame of a stream: all there is to see. Unless it is ``fresh``, the batches missed follow it.

    Those up to ``seq`` hold events only: what they led to is in here already.

    ``seq`` is the last batch that everything here includes; ``seat`` is the viewer's own. ``game`` and
    ``choices`` are there once the game has begun; ``worth``, by seat and field, is empty before. ``now`` is
    the server's time. It comes again, fresh, when the viewer's seat has changed: replace everything by it.
    """

    protocol: int
    table: str
    seq: int
    now: int
    user: str | None
    seat: int | None
    room: Room
    people: dict[str, Person]
    fresh: bool = True
    game: View | None = None
    choices: Choices | None = None
    worth: tuple[SeatWorth, ...] = ()
    clocks: tuple[Clock, ...] = ()
    present: tuple[int, ...] = ()
    watching: int = 0
    composing: tuple[int, ...] = ()
    enough: tuple[int, ...] = ()
    spectators: tuple[str, ...] = ()


class Batch(ServerFrame, frozen=True, tag="batch", omit_defaults=True):
    """One committed batch as the viewer may see it; of a hidden one there is nothing but its ``seq``.

    That comes with the next batch of which he sees something, so that its moment tells nothing.

    ``by`` is the seat whose command of the game it was. What is absent has not changed. ``events`` are those
    of the game as the viewer may see them (``docs/notation.md``), and those of the room. ``game`` is whole
    where it begins. ``worth`` has the seats whose fields are worth something else now. ``quiet_since`` is
    that of the room, where nothing else has changed in it.
    """

    seq: int
    at: int | UnsetType = UNSET
    by: int | UnsetType = UNSET
    cause: Cause | UnsetType = UNSET
    events: tuple[Any, ...] = ()
    room: Room | UnsetType = UNSET
    quiet_since: int | UnsetType = UNSET
    people: dict[str, Person] | UnsetType = UNSET
    game: View | UnsetType = UNSET
    view: ViewPatch | UnsetType = UNSET
    worth: dict[int, SeatWorth] | UnsetType = UNSET
    legal: tuple[AnyCommand, ...] | UnsetType = UNSET
    offers: OfferSpace | UnsetType = UNSET
    previews: tuple[OfferPreview, ...] | UnsetType = UNSET
    gifts: tuple[GiftWays, ...] | UnsetType = UNSET
    discards: Copies | UnsetType = UNSET
    clocks: tuple[Clock, ...] | UnsetType = UNSET


class Clocks(ServerFrame, frozen=True, tag="clocks"):
    """All clocks and the end of the last call were put off by a time in which nobody was served.

    ``now`` is the server's time, and ``last_call`` that of the room, each as in a :class:`Welcome`.
    """

    now: int
    clocks: tuple[Clock, ...]
    last_call: LastCall | None


class Ack(ServerFrame, frozen=True, tag="ack"):
    """The command is on the disk, as batch ``seq``; sent before anybody is shown it."""

    id: str
    seq: int


class Refused(ServerFrame, frozen=True, tag="refused"):
    """Nothing has changed. ``reason`` is a code of the rules (then with its ``clause``) or of the server."""

    id: str | None
    reason: str
    clause: str | None = None
    params: dict[str, Any] = {}


class Checked(ServerFrame, frozen=True, tag="checked"):
    """The answer to :class:`Check`: ``refusal`` is ``None`` for what is legal now."""

    id: str
    refusal: Refused | None


class Previewed(ServerFrame, frozen=True, tag="previewed"):
    """The answer to :class:`Draft`."""

    id: str
    preview: Preview


class Presence(ServerFrame, frozen=True, tag="presence"):
    """Which seats' owners are here, and how many others watch; not part of the log.

    ``spectators`` are the names of those who have one, sorted.
    """

    present: tuple[int, ...]
    watching: int
    spectators: tuple[str, ...] = ()


class Signs(ServerFrame, frozen=True, tag="signs"):
    """Which seats put an offer together, and which have traded enough; not part of the log."""

    composing: tuple[int, ...]
    enough: tuple[int, ...]


class People(ServerFrame, frozen=True, tag="people"):
    """Names that are new or have changed."""

    people: dict[str, Person]


class Line(ServerFrame, frozen=True, tag="line"):
    """A line of chat; its number is not a seq."""

    line: int
    user: str
    at: int
    text: str = ""
    key: str = ""


class LineDeleted(ServerFrame, frozen=True, tag="line-deleted"):
    """A line of chat was deleted: show it no more."""

    line: int


class Remark(ServerFrame, frozen=True, tag="remark"):
    """A computer player gives a reason, or thanks: the key of a text in the catalogs, and its parameters.

    It is not stored. Why an offer was declined is sent to its maker only. The parameter ``bean`` is a kind.
    ``seq`` is that of the batch it is about, 0 from an older server.
    """

    seat: int
    at: int
    key: str
    params: dict[str, int] = {}
    seq: int = 0


class Said(ServerFrame, frozen=True, tag="said"):
    """The answer to :class:`Say`: the line is stored under this number."""

    id: str
    line: int


class Sanctioned(ServerFrame, frozen=True, tag="sanctioned"):
    """An operator has begun a sanction for the viewer: what he may not do from now on, until when and why.

    A ban is told by a ``refused`` without an ``id`` instead, with which the stream ends.
    """

    sanction: SanctionKind
    reason: str
    until: int | None


class Invited(ServerFrame, frozen=True, tag="invited"):
    """Somebody asks the viewer to come to another table; it is told wherever he is connected."""

    table: str
    by: Person


class SignGiven(ServerFrame, frozen=True, tag="sign-given"):
    """The answer to :class:`GiveSign`: the sign that holds now."""

    id: str
    sign: Sign | None


class Pong(ServerFrame, frozen=True, tag="pong"):
    """The answer to :class:`Ping`."""

    id: str
    now: int


class Goodbye(ServerFrame, frozen=True, tag="goodbye"):
    """The server ends this stream; connect again with ``after``, at the earliest after ``retry`` ms."""

    reason: Literal[
        "server-stopping", "too-slow", "rate-limited", "seat-left", "signed-out", "not-saved", "look-again"
    ]
    retry: int


AnyServerFrame = (
    Welcome | Batch | Clocks | Ack | Refused | Checked | Previewed | Presence | Signs | People | Line
    | LineDeleted | Remark | Sanctioned | Invited | Said | SignGiven | Pong | Goodbye
)  # fmt: skip

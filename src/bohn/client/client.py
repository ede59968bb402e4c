"""The client: one user at one server, who opens tables, sits down, plays and watches."""

from __future__ import annotations

import secrets
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote, urlencode

from bohn.client.game import Game
from bohn.client.play import Decide, FrameQueue, Pace, SeatPlayer
from bohn.client.stream import Stream
from bohn.client.transport import RetryPolicy, Transport
from bohn.protocol import api
from bohn.protocol.account import AccountInfo, Export, UseCode
from bohn.protocol.alerts import AlertsInfo, ChangeAlerts, ChangeChannel, ChannelTested, NewChannel
from bohn.protocol.api import Scope
from bohn.protocol.away import AwayInfo, ChangeHours, MoveAhead, NewHoliday, NewMove, Terms, TimesInfo
from bohn.protocol.frames import Line, Welcome
from bohn.protocol.people import (
    Acquaintances,
    BlockBody,
    FollowBody,
    GamePage,
    InvitationsSent,
    InviteBody,
    KnownPerson,
    PrivacyBody,
    Profile,
)
from bohn.protocol.room import Options
from bohn.protocol.room_commands import BeDone, RoomCommand, Sit, Start
from bohn.rules.commands import Command
from bohn.rules.state import Result
from bohn.views.preview import Preview

RETRIES = RetryPolicy()
PACE = Pace()
OPTIONS = Options()


class Client:
    """Talks to one server as one user; use it as a context, or :meth:`close` it.

    Every method may raise :class:`bohn.client.RefusedByTable`, :class:`bohn.client.Unreachable` and
    :class:`bohn.client.NotUnderstood`. Threads may share a client.
    """

    def __init__(self, base_url: str, token: str | None = None, *, retries: RetryPolicy = RETRIES) -> None:
        """Connect to nothing yet; without a ``token`` come in with :meth:`guest`.

        Raises ``ValueError`` for an address without ``http://`` or ``https://``.
        """
        if not base_url.startswith(("http://", "https://")):
            msg = f"expected an address that begins with http:// or https://, not {base_url!r}"
            raise ValueError(msg)
        self.transport = Transport(base_url, token, retries)

    def close(self) -> None:
        """Close all connections."""
        self.transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- the user ------------------------------------------------------------------------------------

    def guest(self, name: str, language: str = "en") -> api.Me:
        """Become a new guest of the server; this client stores the cookie."""
        return self.transport.request("POST", "/api/guests", api.Me, api.NewGuest(name, language))

    def me(self) -> api.Me:
        """Return the user of this client."""
        return self.transport.request("GET", "/api/me", api.Me)

    def bot_token(
        self, name: str, label: str = "", scopes: tuple[Scope, ...] = ("read", "play")
    ) -> api.TokenMade:
        """Make a user of its own for a program, marked as one, and return its token.

        Store the token: ``Client(url, token=made.token)`` is that user from now on, on any machine.
        """
        body = api.NewToken(scopes, label, bot=True, name=name)
        return self.transport.request("POST", "/api/me/tokens", api.TokenMade, body)

    def use_link(self, token: str, name: str = "", language: str = "en") -> api.LinkUsed:
        """Use an invitation: ``token`` is the part behind ``#`` in its address."""
        body = api.UseLink(token, name, language)
        return self.transport.request("POST", "/api/links", api.LinkUsed, body)

    def sign_in_by_code(self, code: str, label: str = "") -> api.Me:
        """Sign in by a recovery code, which is used up; this client stores the cookie.

        ``label`` is what this client is called in the list of sessions. Passkeys are for browsers.
        """
        return self.transport.request("POST", "/api/account/recover", api.Me, UseCode(code, label))

    def account(self) -> AccountInfo:
        """Return the account of this client's user; one without a handle is a guest. Wants a cookie."""
        return self.transport.request("GET", "/api/account", AccountInfo)

    def sessions(self) -> tuple[api.TokenInfo, ...]:
        """Return what is signed in as this user, by cookies and tokens."""
        return self.transport.request("GET", "/api/me/tokens", tuple[api.TokenInfo, ...])

    def end_session(self, session: str) -> None:
        """End a session by its ``id``; a client with a token ends only its own."""
        self.transport.request("DELETE", f"/api/me/tokens/{quote(session, safe='')}", api.Empty)

    def export(self) -> Export:
        """Return all that the server stores of this user. Wants a cookie."""
        return self.transport.request("GET", "/api/me/export", Export)

    # -- being told ---------------------------------------------------------------------------------------

    def alerts(self) -> AlertsInfo:
        """Return by what and when this user is told that a game waits. Wants a cookie, as all about it."""
        return self.transport.request("GET", "/api/me/alerts", AlertsInfo)

    def change_alerts(self, change: ChangeAlerts) -> AlertsInfo:
        """Say when this user wants to be told: at which tables, and not in which hours."""
        return self.transport.request("PATCH", "/api/me/alerts", AlertsInfo, change)

    def add_channel(self, channel: NewChannel) -> AlertsInfo:
        """Let this user be told by one more channel; an e-mail address gets a link first."""
        return self.transport.request("POST", "/api/me/alerts/channels", AlertsInfo, channel)

    def set_channel_active(self, channel: str, *, active: bool) -> AlertsInfo:
        """Let turns be told by a channel (its ``id``), or no more."""
        return self.transport.request("PATCH", _channel_path(channel), AlertsInfo, ChangeChannel(active))

    def drop_channel(self, channel: str) -> AlertsInfo:
        """Delete a channel by its ``id``."""
        return self.transport.request("DELETE", _channel_path(channel), AlertsInfo)

    def test_channel(self, channel: str) -> ChannelTested:
        """Have a test sent by a channel."""
        return self.transport.request("POST", f"{_channel_path(channel)}/test", ChannelTested)

    # -- people one knows --------------------------------------------------------------------------------

    def people(self) -> Acquaintances:
        """Return whom this user follows and blocks, and his invitations; he counts as here by asking."""
        return self.transport.request("GET", "/api/me/people", Acquaintances)

    def find_person(self, handle: str) -> KnownPerson:
        """Return the person with this handle."""
        return self.transport.request("GET", f"/api/people?handle={quote(handle, safe='')}", KnownPerson)

    def follow(self, user: str, *, on: bool = True) -> Acquaintances:
        """Follow somebody by his id, or no more."""
        return self.transport.request("POST", "/api/me/follows", Acquaintances, FollowBody(user, on))

    def block(self, user: str, *, on: bool = True) -> Acquaintances:
        """Block somebody by his id, or no more."""
        return self.transport.request("POST", "/api/me/blocks", Acquaintances, BlockBody(user, on))

    def set_private(self, private: bool) -> Acquaintances:
        """Keep this user's profile private, or show it."""
        return self.transport.request("POST", "/api/me/privacy", Acquaintances, PrivacyBody(private))

    def ask_to_come(self, table: str, *users: str) -> tuple[str, ...]:
        """Invite people to a table by their ids; return who was."""
        body = InviteBody(users)
        return self.transport.request("POST", self._path(table, "invitations"), InvitationsSent, body).users

    def decline_invitation(self, table: str) -> Acquaintances:
        """Say no to the invitations to a table."""
        path = f"/api/me/invitations/{quote(table, safe='')}"
        return self.transport.request("DELETE", path, Acquaintances)

    def profile(self, user: str) -> Profile:
        """Return somebody's games in numbers, as far as this user may see them."""
        return self.transport.request("GET", f"/api/people/{quote(user, safe='')}", Profile)

    def games(self, **wanted: str | int) -> GamePage:
        """Return a page of this user's finished games.

        ``wanted`` are parameters of ``/api/me/games``: ``edition="full"``, ``result="won"``; that of company
        is a word of Python, and written ``**{"with": "ada"}``.
        """
        return self.transport.request("GET", f"/api/me/games?{urlencode(wanted)}", GamePage)

    # -- tables ----------------------------------------------------------------------------------------

    def catalog(self) -> api.Catalog:
        """Return what a table may be made of."""
        return self.transport.request("GET", "/api/catalog", api.Catalog)

    def tables(self, *, mine: bool = False) -> tuple[api.TableInfo, ...]:
        """Return the listed tables that are open or playing, or those where this user has a seat."""
        path = "/api/me/tables" if mine else "/api/tables"
        return self.transport.request("GET", path, api.TableList).tables

    def open_table(
        self,
        options: Options = OPTIONS,
        *,
        bots: tuple[str, ...] = (),
        sit: bool = True,
        start: bool = False,
        salt: str = "",
    ) -> str:
        """Open a table, sit down, put ``bots`` into the next seats, perhaps deal at once; return its id."""
        body = api.NewTable(options, bots, salt, sit, start)
        return self.transport.request("POST", "/api/tables", api.TableMade, body).table

    def invite(self, table: str) -> api.LinkMade:
        """Make a link to a table."""
        return self.transport.request("POST", self._path(table, "links"), api.LinkMade, {})

    def look(self, table: str) -> Welcome:
        """Return the whole table as it is now."""
        return self.transport.request("GET", self._path(table), Welcome)

    def stream(self, table: str, since: int | None = None) -> Stream:
        """Return the frames of a table as an iterator that reconnects by itself; see :class:`Stream`."""
        return Stream(self.transport, quote(table, safe=""), since)

    def record(self, table: str) -> bytes:
        """Return the record of a finished game, for ``bohn replay`` and ``bohn verify``."""
        return self.transport.bytes_of("GET", self._path(table, "record"))

    # -- commands ----------------------------------------------------------------------------------------

    def do(self, table: str, command: Command | RoomCommand, id: str | None = None) -> int:  # noqa: A002 - its name on the wire
        """Do a command and return its batch, which is on the server's disk then.

        If the connection is lost, the command is sent again under the same ``id``, which the server does
        at most once. Hand over an own ``id`` to send it again after a restart of the program.
        """
        command_id = id or secrets.token_urlsafe(12)
        what: Any = command  # typed by its base; every member is in the unions
        body = api.Do(what, command_id)
        return self.transport.request("POST", self._path(table, "commands"), api.Done, body, twice=True).seq

    # -- being away from a table over days ---------------------------------------------------------------

    def away(self, table: str) -> AwayInfo:
        """Return the standing orders of this user at a table over days, and when they are looked at next."""
        return self.transport.request("GET", self._path(table, "away"), AwayInfo)

    def leave_order(self, table: str, terms: Terms) -> AwayInfo:
        """Leave a standing order; ``Terms(give=Bean.WAX, most=2, take=Bean.RED)`` gives two wax for a red."""
        return self.transport.request("POST", self._path(table, "away"), AwayInfo, terms)

    def set_ahead(self, table: str, move: MoveAhead) -> AwayInfo:
        """Set a move ahead; ``PlantAhead(Bean.WAX, 0, harvest=True)`` plants the next wax bean on field 0."""
        body = NewMove(move)
        return self.transport.request("POST", self._path(table, "away", "moves"), AwayInfo, body)

    def drop_instruction(self, table: str, instruction: str) -> AwayInfo:
        """Take an order or a move back by its ``id``; it is done no more."""
        return self.transport.request(
            "DELETE", self._path(table, "away", quote(instruction, safe="")), AwayInfo
        )

    def be_done(self, table: str, *, done: bool = True) -> int:
        """Pass at the next beat of a table over days, or end the trading as its active player; or do not."""
        return self.do(table, BeDone(done))

    def times(self) -> TimesInfo:
        """Return when the clocks of this user run at tables over days."""
        return self.transport.request("GET", "/api/me/times", TimesInfo)

    def set_hours(self, begin: int, end: int, zone: str) -> TimesInfo:
        """Play from ``begin`` to ``end`` only, minutes of the day; six hours at least, equal ones always."""
        hours = ChangeHours(begin, end, zone)
        return self.transport.request("PATCH", "/api/me/times", TimesInfo, hours)

    def announce_holiday(self, first: str, last: str, zone: str) -> TimesInfo:
        """Let the clocks stand still from one day to another, from tomorrow on: ``2026-12-24``."""
        return self.transport.request(
            "POST", "/api/me/times/holidays", TimesInfo, NewHoliday(first, last, zone)
        )

    def drop_holiday(self, first: str) -> TimesInfo:
        """Take the holiday back that begins on this day; one that has begun ends tonight."""
        path = f"/api/me/times/holidays/{quote(first, safe='')}"
        return self.transport.request("DELETE", path, TimesInfo)

    # -- commands that have names ------------------------------------------------------------------------

    def sit(self, table: str, seat: int | None = None, salt: str = "") -> int:
        """Take a seat, or any that is free."""
        return self.do(table, Sit(seat, salt))

    def start(self, table: str, fill: str | None = None) -> int:
        """Deal (as the host); ``fill`` names the bot that takes every free seat."""
        return self.do(table, Start(fill))

    def legal(self, table: str) -> api.Legal:
        """Return the commands that are legal now."""
        return self.transport.request("GET", self._path(table, "legal"), api.Legal)

    def check(self, table: str, command: Command) -> api.Verdict:
        """Return whether a command is legal now, and if not, why."""
        what: Any = command  # typed by its base; every member is in the union
        return self.transport.request(
            "POST", self._path(table, "check"), api.Verdict, api.Ask(what), twice=True
        )

    def preview(self, table: str, draft: api.Draft) -> Preview:
        """Return what an offer of this user would mean for his fields."""
        return self.transport.request("POST", self._path(table, "draft"), Preview, draft, twice=True)

    def say(self, table: str, text: str = "", *, key: str = "") -> Line:
        """Write a line of chat: a free text, or the key of a quick phrase."""
        return self.transport.request("POST", self._path(table, "chat"), Line, api.SayBody(text, key))

    def chat(self, table: str, after: int = 0) -> tuple[Line, ...]:
        """Return the lines of chat after that number."""
        page = self.transport.request("GET", f"{self._path(table, 'chat')}?after={after}", api.ChatPage)
        return page.lines

    # -- playing -----------------------------------------------------------------------------------------

    def play(
        self,
        table: str,
        decide: Decide,
        *,
        pace: Pace = PACE,
        trades: bool = True,
        off_turn: bool = False,
    ) -> Result | None:
        """Play this user's seat until the game is over, and return its result; ``None`` if there is none.

        ``decide(view, choices, knowledge)`` returns a command, or ``None`` to pass, as computer players do.
        It is asked when the game waits for this seat; with ``trades`` whenever something moves in the
        trading; with ``off_turn`` whenever anything moves. The active player who passes ends the trading.
        A refusal because the table has moved on is ignored. Raises :class:`bohn.play.floor.BotError` if it
        passes where it must act, and the refusal itself if it is repeated or the seat is somebody else's.
        """
        seated = SeatPlayer(self, Game(table), decide, pace, trades=trades, off_turn=off_turn)
        frames = FrameQueue(self.stream(table))
        try:
            return seated.run(frames)
        finally:
            frames.close()

    @staticmethod
    def _path(table: str, *rest: str) -> str:
        return "/".join(["/api/tables", quote(table, safe=""), *rest])


def _channel_path(channel: str) -> str:
    return f"/api/me/alerts/channels/{quote(channel, safe='')}"

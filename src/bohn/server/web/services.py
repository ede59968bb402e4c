"""The parts of a running server that request handlers use: tables, store, people, rate limits and so on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

import structlog

from bohn.protocol import frames
from bohn.protocol.refusals import Refusal
from bohn.protocol.room_commands import Stand
from bohn.protocol.sanctions import Standing
from bohn.rules.errors import IllegalCommand
from bohn.server.accounts.by_mail import WayBack
from bohn.server.accounts.service import Accounts
from bohn.server.addresses import Addresses
from bohn.server.alerts.service import AlertService
from bohn.server.buckets import Buckets
from bohn.server.clock import TimeSource
from bohn.server.entropy import Entropy
from bohn.server.mail import Mailer
from bohn.server.metrics import Metrics
from bohn.server.moderation.following import Following
from bohn.server.moderation.keys import OperatorKeys
from bohn.server.moderation.sanctions import Sanctions, refusal_of
from bohn.server.people.acquaintances import Acquaintances
from bohn.server.people.chat import Chat
from bohn.server.people.results import Results
from bohn.server.people.service import Identity, People
from bohn.server.settings import Limits, Settings
from bohn.server.store.operating import Sanction
from bohn.server.store.protocol import Store
from bohn.server.tables.api import Tables
from bohn.server.tables.archive.library import Library
from bohn.server.tables.notices import (
    AnyNotice,
    InvitedTo,
    MutesChanged,
    OperatorActed,
    Renamed,
    SeenHere,
    SessionEnded,
)
from bohn.server.tables.playing_times import OwnTimes
from bohn.server.web.connections import Connections
from bohn.server.web.responses import ENCODER, as_error, as_frame

LOG = structlog.get_logger("bohn.people")


@dataclass
class Services:
    """All parts of one server, and what its readiness check remembers.

    ``ready`` is false until everything is open, ``leaving`` true from the signal to stop on. ``written`` is
    when the store last wrote and read (ms), and ``failures`` how many of its calls had failed by then.
    ``searches`` returns whether computer players that search are offered, because their code is compiled.
    """

    settings: Settings
    clock: TimeSource
    entropy: Entropy
    store: Store
    tables: Tables
    people: People
    chat: Chat
    metrics: Metrics
    connections: Connections
    library: Library
    addresses: Addresses
    accounts: Accounts
    acquaintances: Acquaintances
    results: Results
    alerts: AlertService
    times: OwnTimes
    way_back: WayBack
    ready: bool = False
    leaving: bool = False
    written: int = -1_000_000
    failures: int = 0
    searches: Callable[[], bool] = lambda: False
    background: Callable[[Coroutine[Any, Any, None]], object] = asyncio.ensure_future
    requests: Buckets = field(init=False)
    guests: Buckets = field(init=False)
    sign_ins: Buckets = field(init=False)
    changes: Buckets = field(init=False)
    commands: Buckets = field(init=False)
    lines: Buckets = field(init=False)
    replays: Buckets = field(init=False)
    reports: Buckets = field(init=False)
    invitations: Buckets = field(init=False)
    alert_tests: Buckets = field(init=False)
    mails: Buckets = field(init=False)
    limits: Limits = field(init=False)
    keys: OperatorKeys = field(init=False)
    following: Following = field(init=False)

    def __post_init__(self) -> None:
        """Make the rate limits: requests, new guests, sign-ins and replays by address, the rest by user."""
        limits = self.settings.limits
        self.requests = Buckets(limits.requests_at_once, limits.requests_a_second)
        self.guests = Buckets(limits.guests_at_once, limits.guests_a_second)
        self.sign_ins = Buckets(limits.sign_ins_at_once, limits.sign_ins_a_second)
        self.changes = Buckets(limits.changes_at_once, limits.changes_a_second)
        self.commands = Buckets(limits.commands_at_once, limits.commands_a_second)
        self.lines = Buckets(limits.chat_at_once, limits.chat_a_second)
        self.replays = Buckets(limits.replays_at_once, limits.replays_a_second)
        self.reports = Buckets(limits.reports_at_once, limits.reports_a_second)
        self.invitations = Buckets(limits.invitations_at_once, limits.invitations_a_second)
        self.alert_tests = Buckets(limits.alert_tests_at_once, limits.alert_tests_a_second)
        self.mails = Buckets(limits.mails_at_once, limits.mails_a_second)
        self.limits = limits
        self.keys = OperatorKeys(self.store, self.clock, self.entropy)
        self.following = Following(
            self.store, self.tables, self.clock, limits, self._sanctioned, self._limited
        )

    @property
    def sanctions(self) -> Sanctions:
        """The sanctions that hold."""
        return self.following.sanctions

    def standing(self, identity: Identity | None, address: str) -> Standing | None:
        """Return the gravest sanction that holds for somebody now."""
        users = () if identity is None else (identity.user.id, identity.user.maker)
        return self.sanctions.of(users, address, self.clock.now())

    def _sanctioned(self, sanction: Sanction) -> None:
        """Tell whom a new sanction meets, unless a graver or longer one does; whoever is banned is cut."""
        now = self.clock.now()
        new = Sanctions()
        new.take((sanction,))
        for connection in self.connections.open():
            standing = new.of(connection.users, connection.address, now)
            if standing is None or standing != self.sanctions.of(connection.users, connection.address, now):
                continue
            if standing.sanction == "ban":
                connection.expel(ENCODER.encode(as_frame(None, refusal_of(standing))))
            else:
                told = frames.Sanctioned(standing.sanction, standing.reason, standing.until)
                connection.push(ENCODER.encode(told))

    def invited(self, user: str, frame: frames.Invited) -> None:
        """Show a user an invitation wherever he is connected, by other workers too."""
        notice = InvitedTo(user, frame)
        self.tables.tell_others(notice)
        self._show_invitation(notice)

    def _show_invitation(self, notice: InvitedTo) -> None:
        for connection in self.connections.open():
            if connection.users[:1] == (notice.user,):
                connection.push(ENCODER.encode(notice.frame))

    def connected(self) -> frozenset[str]:
        """Return the users who are connected to this worker."""
        users = (connection.users[0] for connection in self.connections.open() if connection.users)
        return frozenset(user for user in users if user is not None)

    def _limited(self, limits: Limits) -> None:
        """Let other limits hold from now on."""
        if limits == self.limits:
            return
        self.limits = limits
        self.requests.resize(limits.requests_at_once, limits.requests_a_second)
        self.guests.resize(limits.guests_at_once, limits.guests_a_second)
        self.sign_ins.resize(limits.sign_ins_at_once, limits.sign_ins_a_second)
        self.changes.resize(limits.changes_at_once, limits.changes_a_second)
        self.commands.resize(limits.commands_at_once, limits.commands_a_second)
        self.lines.resize(limits.chat_at_once, limits.chat_a_second)
        self.replays.resize(limits.replays_at_once, limits.replays_a_second)
        self.alert_tests.resize(limits.alert_tests_at_once, limits.alert_tests_a_second)
        self.mails.resize(limits.mails_at_once, limits.mails_a_second)
        self.connections.limit(limits)
        self.tables.limit(limits)

    def sign_out(self, session: str) -> None:
        """Cut everything that was opened with a cookie or token (its digest), by other workers too."""
        self.tables.tell_others(SessionEnded(session))
        self.connections.sign_out(session)

    async def forget(self, user: str) -> None:
        """Delete all that a user has left, and cut his connections; bots play on in his seats."""
        listings = await self.store.listings_of(user)
        for listing in listings:
            if listing.status in ("open", "playing"):
                await self._stand_up(listing.table, user)
        for table, line in await self.people.forget(user):
            self.tables.post(table, frames.LineDeleted(line))
        self.tables.tell_others(Renamed(user))
        nameless = frames.People(await self.people.people((user,)))
        for listing in listings:
            self.tables.post(listing.table, nameless)
        self.tables.sign_out(user)

    async def _stand_up(self, table: str, user: str) -> None:
        try:
            await self.tables.execute(table, user, f"forget:{self.entropy.token_bytes(8).hex()}", Stand())
        except (Refusal, IllegalCommand) as refused:  # his data goes all the same
            LOG.info("seat-kept", table=table, reason=as_error(refused).reason)

    def heard(self, notice: AnyNotice) -> None:
        """Take in what another worker has told."""
        if isinstance(notice, SessionEnded):
            self.connections.sign_out(notice.session)
        elif isinstance(notice, MutesChanged):
            self.chat.follow_mutes(notice.user, notice.muted)
        elif isinstance(notice, Renamed):
            self.people.drop_name(notice.user)
        elif isinstance(notice, SeenHere):
            self.acquaintances.follow_seen(notice.user)
        elif isinstance(notice, InvitedTo):
            self._show_invitation(notice)
        elif isinstance(notice, OperatorActed):
            self.background(self.following.look())


def make_services(
    settings: Settings,
    clock: TimeSource,
    entropy: Entropy,
    store: Store,
    tables: Tables,
    people: People,
    metrics: Metrics,
    addresses: Addresses,
) -> Services:
    """Return the services on these tables and this store."""
    mailer = Mailer(settings.mail)
    accounts = Accounts(store, clock, entropy, settings)
    return Services(
        settings=settings,
        clock=clock,
        entropy=entropy,
        store=store,
        tables=tables,
        people=people,
        chat=Chat(store, tables, clock, settings),
        metrics=metrics,
        connections=Connections(settings.limits, entropy),
        library=Library(store, tables.game, clock, entropy, settings),
        addresses=addresses,
        accounts=accounts,
        acquaintances=Acquaintances(store, people, clock),
        results=Results(store, people),
        alerts=AlertService(store, tables, people, clock, entropy, settings, mailer),
        times=OwnTimes(store, clock),
        way_back=WayBack(store, clock, entropy, settings, mailer, accounts),
    )

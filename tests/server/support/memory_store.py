"""The store in memory, for tests: the same contract, and what is in it dies with it.

It has more than 500 lines because the whole contract of a store stands here, a few lines for each method.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from itertools import count
from typing import TypeVar

from msgspec import structs

from bohn.protocol.room import Status
from bohn.server.store.accounts import Account, Challenge, Passkey
from bohn.server.store.acquaintances import GameResult, Invitation
from bohn.server.store.alerts import Alert, Channel, Preferences
from bohn.server.store.appending import members_of
from bohn.server.store.away import Instruction, PersonTimes
from bohn.server.store.failures import closed
from bohn.server.store.operating import Closing, Deed, OperatorKey, Sanction, SetLimit
from bohn.server.store.protocol import (
    CHAT_LINES,
    Append,
    ChatLine,
    Committed,
    Conflict,
    DueTimer,
    Fenced,
    Link,
    Listing,
    LogRow,
    Outcome,
    RecordHead,
    Repeated,
    Report,
    SecretDeal,
    Session,
    Timer,
    User,
    Withdrawn,
)
from tests.server.support.memory_accounts import MemoryAccounts
from tests.server.support.memory_acquaintances import MemoryAcquaintances
from tests.server.support.memory_alerts import MemoryAlerts, write_alerts
from tests.server.support.memory_away import MemoryAway
from tests.server.support.memory_operating import MemoryOperating
from tests.server.support.memory_retaining import MemoryRetaining

K = TypeVar("K")
V = TypeVar("V")


class Backing:
    """The data; several stores may share it, as several workers share a database."""

    def __init__(self) -> None:
        self.logs: dict[str, list[LogRow]] = {}
        self.commands: dict[tuple[str, str, str], LogRow] = {}
        self.deals: dict[str, SecretDeal] = {}
        self.timers: dict[str, dict[str, Timer]] = {}
        self.beats: dict[str, int] = {}
        self.listings: dict[str, Listing] = {}
        self.grants: set[tuple[str, str]] = set()
        self.users: dict[str, User] = {}
        self.sessions: dict[str, Session] = {}
        self.links: dict[str, Link] = {}
        self.chat: dict[tuple[str, int], ChatLine] = {}
        self.numbers: dict[str, count[int]] = {}
        self.mutes: set[tuple[str, str]] = set()
        self.reports: list[Report] = []
        self.report_ids: list[int] = []
        self.deeds: list[Deed] = []
        self.sanctions: dict[str, Sanction] = {}
        self.lifted: dict[str, int] = {}
        self.closings: dict[str, Closing] = {}
        self.limits: dict[str, SetLimit] = {}
        self.operator_keys: dict[str, OperatorKey] = {}
        self.records: dict[str, tuple[RecordHead, bytes]] = {}
        self.accounts: dict[str, Account] = {}
        self.passkeys: dict[str, Passkey] = {}
        self.challenges: dict[str, Challenge] = {}
        self.codes: dict[str, str] = {}
        self.confirmed: dict[str, int] = {}
        self.blocks: set[tuple[str, str]] = set()
        self.follows: dict[tuple[str, str], int] = {}
        self.invitations: dict[tuple[str, str, str], Invitation] = {}
        self.private: set[str] = set()
        self.results: dict[tuple[str, str], GameResult] = {}
        self.channels: dict[str, Channel] = {}
        self.preferences: dict[str, Preferences] = {}
        self.alerts: dict[tuple[str, str], Alert] = {}
        self.server_keys: dict[str, bytes] = {}
        self.instructions: dict[str, Instruction] = {}
        self.times: dict[str, PersonTimes] = {}


class MemoryStore(
    MemoryOperating, MemoryRetaining, MemoryAccounts, MemoryAcquaintances, MemoryAlerts, MemoryAway
):
    """The store over a :class:`Backing`, its own or a shared one.

    Every method waits a turn of the event loop before it does its work, as a real store would.
    """

    def __init__(self, shared: Backing | None = None) -> None:
        self._data = Backing() if shared is None else shared
        self._open = False

    async def open(self) -> None:
        """Make ready."""
        self._open = True

    async def close(self) -> None:
        """Close; a second call does nothing."""
        self._open = False

    async def _ready(self) -> Backing:
        if not self._open:
            raise closed()
        await asyncio.sleep(0)
        return self._data

    # the log

    def _stale(self, append: Append) -> bool:
        """Tell whether an append carries a stale epoch; a store that one process serves has none."""
        del append
        return False

    def _waits(self, append: Append) -> bool:
        """Tell whether an acceptance waits still, where they wait in the store."""
        del append
        return True

    def _decided(self, append: Append) -> None:
        """Let an acceptance wait no more, where they wait in the store."""

    async def append(self, append: Append) -> Outcome:
        """Commit a batch."""
        data = await self._ready()
        row = append.row
        key = (row.table, row.actor, row.command_id)
        if key in data.commands:
            return Repeated(data.commands[key])
        if self._stale(append):
            return Fenced()
        if not self._waits(append):
            return Withdrawn()
        standing = all(
            data.instructions[one].table == row.table
            for one in append.instructions
            if one in data.instructions
        )
        if (
            row.seq != _head(data, row.table) + 1
            or not standing
            or set(append.instructions) - data.instructions.keys()
        ):
            return Conflict()
        self._decided(append)
        for one in (row, *append.behind):
            data.logs.setdefault(row.table, []).append(one)
            data.commands[one.table, one.actor, one.command_id] = one
        if append.timers is not None:
            data.timers[row.table] = {timer.key: timer for timer in append.timers}
        if append.listing is not None:
            data.listings[row.table] = append.listing
        if append.deal is not None:
            data.deals.setdefault(row.table, append.deal)
        data.grants |= {(row.table, user) for user in append.grants}
        data.grants -= {(row.table, user) for user in append.revokes}
        _delete(data.links, lambda link: link.table == row.table and link.created_by in append.revokes)
        write_alerts(data, append)
        return Committed()

    async def rows(self, table: str, after: int = 0, limit: int | None = None) -> tuple[LogRow, ...]:
        """Return the rows of a table behind ``after``, oldest first; none for an unknown table."""
        found = [row for row in (await self._ready()).logs.get(table, ()) if row.seq > after]
        return tuple(found[:limit])

    async def news(self, table: str, after: int) -> tuple[tuple[LogRow, ...], tuple[Timer, ...]]:
        """Return the rows of a table behind ``after``, oldest first, and its timers if there are any rows."""
        rows = await self.rows(table, after)
        return rows, await self.timers(table) if rows else ()

    async def find(self, table: str, actor: str, command_id: str) -> LogRow | None:
        """Return what came of a command, or ``None``."""
        return (await self._ready()).commands.get((table, actor, command_id))

    async def heads(self, tables: tuple[str, ...]) -> dict[str, int]:
        """Return the last seq of each of these tables that exists."""
        data = await self._ready()
        return {table: _head(data, table) for table in tables if _head(data, table)}

    async def deal(self, table: str) -> SecretDeal | None:
        """Return the secret of a table's deal."""
        return (await self._ready()).deals.get(table)

    # clocks

    async def timers(self, table: str) -> tuple[Timer, ...]:
        """Return all timers of a table, by key."""
        timers = (await self._ready()).timers.get(table, {})
        return tuple(timers[key] for key in sorted(timers))

    async def timers_of(self, tables: tuple[str, ...]) -> dict[str, tuple[Timer, ...]]:
        """Return the timers of each of these tables that has any, by key."""
        found = {table: await self.timers(table) for table in tables}
        return {table: timers for table, timers in found.items() if timers}

    async def due(self, now: int, limit: int = 200) -> tuple[DueTimer, ...]:
        """Return the timers due by ``now``, earliest first."""
        data = await self._ready()
        found = [
            DueTimer(table, timer.key, timer.due)
            for table, timers in data.timers.items()
            for timer in timers.values()
            if timer.due is not None and timer.due <= now
        ]
        return tuple(sorted(found, key=lambda timer: (timer.due, timer.table, timer.key))[:limit])

    async def beat(self, worker: str, now: int) -> None:
        """Write that this worker is alive."""
        (await self._ready()).beats[worker] = now

    async def last_beat(self) -> int | None:
        """Return when any worker was last alive."""
        return max((await self._ready()).beats.values(), default=None)

    async def try_reading(self) -> None:
        """Read a little of what is stored, so that it is known whether anything can be read."""
        await self._ready()

    async def credit(self, worker: str, now: int, since: int = 0, least: int = 0) -> int:
        """Write a beat, and put off timers and invitations by the time before it in which there was none."""
        data = await self._ready()
        begun = max(*data.beats.values(), since) if data.beats else now
        data.beats[worker] = now
        gap = now - begun
        if gap <= least:
            return 0
        for timers in data.timers.values():
            for key, timer in timers.items():
                if timer.due is not None:
                    timers[key] = structs.replace(timer, due=timer.due + gap)
        for name, link in data.links.items():
            if link.table is not None and link.expires > begun:
                data.links[name] = structs.replace(link, expires=link.expires + gap)
        return gap

    # the lobby

    async def listings(
        self,
        *,
        listed_only: bool = True,
        statuses: tuple[Status, ...] = ("open", "playing"),
        limit: int = 100,
    ) -> tuple[Listing, ...]:
        """Return tables, newest move first."""
        data = await self._ready()
        return _newest(
            (
                listing
                for listing in data.listings.values()
                if listing.status in statuses and (listing.options.listed or not listed_only)
            ),
            limit,
        )

    async def listings_of(self, user: str, limit: int = 100) -> tuple[Listing, ...]:
        """Return the tables in which a user owns a seat or is host, newest move first."""
        data = await self._ready()
        own = [one for one in data.listings.values() if user in members_of(one)]
        running = _newest((one for one in own if one.status in ("open", "playing")), limit)
        others = _newest((one for one in own if one not in running), limit - len(running))
        return _newest((*running, *others), limit)

    async def listing(self, table: str) -> Listing | None:
        """Return one table's listing."""
        return (await self._ready()).listings.get(table)

    async def unowned(self, open_by: int, playing_by: int, limit: int = 100) -> tuple[str, ...]:
        """Return tables in which no seat has an owner and that have not moved since, oldest move first."""
        data = await self._ready()
        by = {"open": open_by, "playing": playing_by}
        found = [
            one for one in data.listings.values() if not one.users and one.moved <= by.get(one.status, -1)
        ]
        return tuple(one.table for one in sorted(found, key=lambda one: (one.moved, one.table))[:limit])

    async def grant(self, table: str, user: str) -> None:
        """Let a user enter a table that is not listed."""
        (await self._ready()).grants.add((table, user))

    async def revoke_grants(self, table: str, user: str) -> None:
        """Undo :meth:`grant`."""
        (await self._ready()).grants.discard((table, user))

    async def granted(self, table: str, user: str) -> bool:
        """Tell whether a user may enter a table that is not listed."""
        return (table, user) in (await self._ready()).grants

    # people

    async def put_user(self, user: User) -> None:
        """Store a user, new or changed."""
        users = (await self._ready()).users
        if users.setdefault(user.id, user).name:
            users[user.id] = user

    async def users(self, ids: tuple[str, ...]) -> dict[str, User]:
        """Return those of these users that exist."""
        users = (await self._ready()).users
        return {user: users[user] for user in ids if user in users}

    async def bots_of(self, user: str) -> tuple[User, ...]:
        """Return the programs that a user has made, oldest first; forgotten ones are nobody's."""
        found = [one for one in (await self._ready()).users.values() if one.maker == user]
        return tuple(sorted(found, key=lambda one: (one.created, one.id)))

    async def forget_user(self, user: str) -> tuple[tuple[str, int], ...]:
        """Delete all a user has left but his seats; return the deleted lines of chat."""
        data = await self._ready()
        if user in data.users:
            data.users[user] = structs.replace(data.users[user], name="", maker=None)
        data.accounts.pop(user, None)
        _delete(data.passkeys, lambda passkey: passkey.user == user)
        _delete(data.codes, lambda whose: whose == user)
        _delete(data.channels, lambda channel: channel.user == user)
        data.preferences.pop(user, None)
        _delete(data.alerts, lambda alert: alert.user == user)
        _delete(data.instructions, lambda order: order.user == user)
        data.times.pop(user, None)
        _delete(data.sessions, lambda session: session.user == user)
        _delete(data.links, lambda link: user in {link.created_by, link.user})
        data.mutes = {(who, muted) for who, muted in data.mutes if who != user}
        data.blocks = {pair for pair in data.blocks if user not in pair}
        data.follows = {pair: at for pair, at in data.follows.items() if user not in pair}
        _delete(data.invitations, lambda one: user in {one.to, one.by})
        data.private.discard(user)
        _delete(data.results, lambda one: one.user == user)
        _delete(data.records, lambda record: record[0].user == user)
        data.reports = [
            structs.replace(
                one,
                text="" if one.against == user else one.text,
                reason="" if one.by == user else one.reason,
            )
            for one in data.reports
        ]
        return tuple(sorted(_delete(data.chat, lambda line: line.user == user)))

    async def put_session(self, session: Session) -> None:
        """Store a session."""
        (await self._ready()).sessions[session.digest] = session

    async def identity(self, digest: str) -> tuple[Session, User] | None:
        """Return a session by the digest of its secret, and whose it is."""
        data = await self._ready()
        session = data.sessions.get(digest)
        user = None if session is None else data.users.get(session.user)
        return None if session is None or user is None else (session, user)

    async def sessions_of(self, user: str) -> tuple[Session, ...]:
        """Return all sessions of a user, oldest first."""
        found = [session for session in (await self._ready()).sessions.values() if session.user == user]
        return tuple(sorted(found, key=lambda session: (session.created, session.digest)))

    async def sessions_of_bots(self, user: str) -> tuple[Session, ...]:
        """Return all sessions of the programs that a user has made, oldest first."""
        data = await self._ready()
        bots = {one.id for one in data.users.values() if one.maker == user}
        found = [session for session in data.sessions.values() if session.user in bots]
        return tuple(sorted(found, key=lambda session: (session.created, session.digest)))

    async def revoke_session(self, digest: str) -> bool:
        """Delete a session; tell whether there was one."""
        return (await self._ready()).sessions.pop(digest, None) is not None

    async def note_use(self, digest: str, at: int) -> None:
        """Note when a session was used; one that is gone stays gone."""
        sessions = (await self._ready()).sessions
        if digest in sessions:
            sessions[digest] = structs.replace(sessions[digest], used=at)

    async def put_link(self, link: Link) -> None:
        """Store a link."""
        (await self._ready()).links[link.digest] = link

    async def link(self, digest: str) -> Link | None:
        """Return a link by the digest of its token, expired or not."""
        return (await self._ready()).links.get(digest)

    async def links_of(self, table: str) -> tuple[Link, ...]:
        """Return the links to a table, oldest first."""
        found = [link for link in (await self._ready()).links.values() if link.table == table]
        return tuple(sorted(found, key=lambda link: (link.created, link.digest)))

    async def drop_link(self, digest: str) -> bool:
        """Delete a link; tell whether it was there, so that exactly one of two users gets it."""
        return (await self._ready()).links.pop(digest, None) is not None

    # records

    async def keep_record(self, head: RecordHead, text: bytes, most: int) -> int:
        """Store a record; of its user's only the last ``most`` remain. Return how many were deleted."""
        data = await self._ready()
        data.records[head.id] = (head, text)
        old = {one.id for one in _records_of(data, head.user)[most:]}
        return len(_delete(data.records, lambda record: record[0].id in old))

    async def record_head(self, record: str) -> RecordHead | None:
        """Return what is known of a record."""
        found = (await self._ready()).records.get(record)
        return None if found is None else found[0]

    async def record_text(self, record: str) -> bytes | None:
        """Return the text of a record, as it was handed over."""
        found = (await self._ready()).records.get(record)
        return None if found is None else found[1]

    async def records_of(self, user: str) -> tuple[RecordHead, ...]:
        """Return the records of a user, the newest first."""
        return _records_of(await self._ready(), user)

    async def drop_record(self, user: str, record: str) -> bool:
        """Delete a record of a user; tell whether there was one."""
        data = await self._ready()
        return bool(_delete(data.records, lambda one: one[0].id == record and one[0].user == user))

    # chat

    async def say(self, line: ChatLine, most: int = CHAT_LINES) -> ChatLine:
        """Store a line of chat; return it with its number, which counts from 1 by table."""
        data = await self._ready()
        numbered = structs.replace(line, id=next(data.numbers.setdefault(line.table, count(1))))
        data.chat[line.table, numbered.id] = numbered
        if numbered.id > most:
            _delete(data.chat, lambda one: one.table == line.table and one.id <= numbered.id - most)
        return numbered

    async def line(self, table: str, number: int) -> ChatLine | None:
        """Return one line of chat, or ``None``."""
        return (await self._ready()).chat.get((table, number))

    async def chat(self, table: str, after: int = 0, limit: int = 200) -> tuple[ChatLine, ...]:
        """Return the last ``limit`` lines behind ``after``, oldest first."""
        data = await self._ready()
        found = sorted(number for where, number in data.chat if where == table and number > after)
        return tuple(data.chat[table, number] for number in found[max(len(found) - limit, 0) :])

    async def lines_by(self, user: str, after: tuple[str, int], limit: int = 500) -> tuple[ChatLine, ...]:
        """Return lines that a user wrote behind a table and line."""
        found = sorted((await self._ready()).chat.items())
        return tuple(line for place, line in found if line.user == user and place > after)[:limit]

    async def delete_line(self, table: str, line: int) -> bool:
        """Delete a line of chat for good; tell whether it was there."""
        return (await self._ready()).chat.pop((table, line), None) is not None

    async def set_mute(self, user: str, muted: str, *, on: bool) -> None:
        """Note whom a user does not want to read."""
        data = await self._ready()
        if on:
            data.mutes.add((user, muted))
        else:
            data.mutes.discard((user, muted))

    async def mutes(self, user: str) -> frozenset[str]:
        """Return whom a user does not want to read."""
        return frozenset(muted for who, muted in (await self._ready()).mutes if who == user)

    async def report(self, report: Report) -> None:
        """Store a report for the operator."""
        data = await self._ready()
        data.reports.append(report)
        data.report_ids.append(max(data.report_ids, default=0) + 1)

    async def reports(self, limit: int = 100) -> tuple[Report, ...]:
        """Return the latest reports, newest first."""
        data = await self._ready()
        return tuple(sorted(data.reports, key=lambda report: report.at)[::-1][:limit])

    async def reports_by(self, user: str) -> tuple[Report, ...]:
        """Return the reports that a user has made, newest first."""
        return tuple(one for one in await self.reports(len((await self._ready()).reports)) if one.by == user)


def _head(data: Backing, table: str) -> int:
    """Return the seq of the last row of a table, 0 without any."""
    log = data.logs.get(table)
    return log[-1].seq if log else 0


def _records_of(data: Backing, user: str) -> tuple[RecordHead, ...]:
    """Return the records of a user, the newest first; of one moment, the last stored first."""
    own = [(-head.at, -place, head) for place, (head, _) in enumerate(data.records.values())]
    return tuple(head for _, _, head in sorted(own) if head.user == user)


def _newest(listings: Iterable[Listing], limit: int) -> tuple[Listing, ...]:
    return tuple(sorted(listings, key=lambda listing: (-listing.moved, listing.table))[:limit])


def _delete(where: dict[K, V], which: Callable[[V], bool]) -> list[K]:
    """Delete the values that are meant, and return their keys."""
    keys = [key for key, value in where.items() if which(value)]
    for key in keys:
        del where[key]
    return keys

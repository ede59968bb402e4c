"""Chat: lines that can be deleted, quick phrases as keys, mutes, and reports to the operator."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

from bohn.protocol.frames import Line, LineDeleted
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Room
from bohn.server.clock import TimeSource
from bohn.server.people.names import clean_text
from bohn.server.settings import Settings
from bohn.server.store.protocol import ChatLine, Report, Store

PHRASES = (
    "hello",
    "good-luck",
    "thanks",
    "you-are-welcome",
    "sorry",
    "yes",
    "no-thanks",
    "maybe-later",
    "who-has",
    "make-an-offer",
    "good-trade",
    "too-dear",
    "last-word",
    "hurry",
    "take-your-time",
    "thinking",
    "brb",
    "back",
    "oops",
    "well-played",
    "good-game",
    "again",
)
"""The keys of the quick phrases; their texts are ``phrase.<key>`` of the catalogs."""

LONGEST_REASON = 500
"""Characters of the reason of a report."""


def text_key(phrase: str) -> str:
    """Return the key of a phrase's text in the catalogs."""
    return f"phrase.{phrase}"


class Rooms(Protocol):
    """What chat needs of the tables; see :class:`bohn.server.tables.api.Tables`."""

    async def enter(self, table: str, user: str | None) -> Room:
        """Return the room, or refuse: there is no such table for this user."""
        ...

    def sent_away(self, table: str, user: str) -> bool:
        """Tell whether a user was kicked from a listed table, where he may only watch."""
        ...

    def horizon(self, table: str, user: str | None) -> int | None:
        """Return up to when (ms since 1970) a user may see; ``None`` if he may see the present."""
        ...

    def post(self, table: str, frame: Line | LineDeleted, *, unread_by: frozenset[str] = frozenset()) -> None:
        """Send a frame that is no batch to all viewers but these users."""
        ...


class Chat:
    """The chat of all tables. Whoever may enter a table may read it; whoever has a name may write.

    Only who was kicked from a listed table writes no more there.
    """

    def __init__(self, store: Store, tables: Rooms, clock: TimeSource, settings: Settings) -> None:
        """Store lines, and show them through the tables."""
        self._store = store
        self._tables = tables
        self._clock = clock
        self._settings = settings
        self._reading: dict[str, _Reader] = {}

    async def say(self, table: str, user: str, text: str, key: str) -> Line:
        """Store a line and show it to everybody but those who muted its author; return it as shown."""
        await self._tables.enter(table, user)
        if self._tables.sent_away(table, user):
            raise Refusal(Problem.SENT_AWAY)
        if bool(text) == bool(key) or (key and key not in PHRASES):
            raise Refusal(Problem.TEXT_NOT_ALLOWED, most=self._settings.limits.chat_letters)
        shown = clean_text(text, self._settings.limits.chat_letters) if text else ""
        new = ChatLine(0, table, user, self._clock.now(), shown, key)
        line = await self._store.say(new, self._settings.limits.chat_lines)
        frame = as_frame(line)
        self._tables.post(table, frame, unread_by=self.unread_by(user))
        return frame

    async def page(self, table: str, user: str | None, after: int) -> tuple[Line, ...]:
        """Return the lines behind ``after`` that this user reads, oldest first."""
        await self._tables.enter(table, user)
        unread = frozenset[str]() if user is None else await self._store.unread(user)
        horizon = self._tables.horizon(table, user)  # a delayed spectator does not read what is to come
        lines = await self._store.chat(table, after)
        shown = (line for line in lines if horizon is None or line.at <= horizon)
        return tuple(as_frame(line) for line in shown if line.user not in unread)

    async def delete(self, table: str, user: str, number: int) -> None:
        """Delete a line for good: its author may, and the host of the table."""
        room = await self._tables.enter(table, user)
        line = await self._line(table, user, number)
        if user not in (line.user, room.host):
            raise Refusal(Problem.NOT_HOST)
        if not await self._store.delete_line(table, number):
            raise Refusal(Problem.NOT_FOUND)
        self._tables.post(table, LineDeleted(number))

    async def report(self, table: str, user: str, number: int, reason: str) -> None:
        """Store a line for the operator, with its text, even if it is deleted from the chat."""
        await self._tables.enter(table, user)
        line = await self._line(table, user, number)
        why = clean_text(reason, LONGEST_REASON) if reason else ""
        text = line.text or text_key(line.key)
        await self._store.report(Report(table, number, user, line.user, self._clock.now(), text, why))

    async def report_person(self, table: str, user: str, against: str, reason: str) -> None:
        """Store for the operator what somebody did who sits at a table, is its host, or has written."""
        room = await self._tables.enter(table, user)
        why = clean_text(reason, LONGEST_REASON)
        there = {room.host, *(seat.user for seat in room.seats)}
        if against not in there:
            there |= {line.user for line in await self._store.chat(table)}
        if against == user or against not in there:
            raise Refusal(Problem.NO_SUCH_USER)
        await self._store.report(Report(table, 0, user, against, self._clock.now(), "", why))

    async def _line(self, table: str, user: str, number: int) -> ChatLine:
        """Return a line that this user wrote or may read by now; raises ``not-found``."""
        horizon = self._tables.horizon(table, user)
        found = await self._store.line(table, number)
        if found is None or (horizon is not None and found.at > horizon and found.user != user):
            raise Refusal(Problem.NOT_FOUND)
        return found

    # -- mutes -------------------------------------------------------------------------------------------

    async def mute(self, user: str, muted: str, *, on: bool) -> tuple[str, ...]:
        """Mute a user, or end that; return whom this user has muted."""
        if muted == user or muted not in await self._store.users((muted,)):
            raise Refusal(Problem.NOT_FOUND)
        await self._store.set_mute(user, muted, on=on)
        return await self.mutes(user)

    async def unread(self, user: str) -> frozenset[str]:
        """Return whose lines a user does not read, whom he has muted or blocks; from now on here."""
        unread = await self._store.unread(user)
        self.follow_mutes(user, unread)
        return unread

    def follow_mutes(self, user: str, muted: frozenset[str]) -> None:
        """Take in whose lines a user does not read, if he is connected."""
        if user in self._reading:
            self._reading[user].muted = muted

    async def mutes(self, user: str) -> tuple[str, ...]:
        """Return whom a user has muted."""
        return tuple(sorted(await self._store.mutes(user)))

    @asynccontextmanager
    async def reading(self, user: str | None) -> AsyncIterator[None]:
        """Remember whose lines a user does not read while he is connected; a connection watches inside."""
        if user is None:
            yield
            return
        reader = self._reading.setdefault(user, _Reader())
        reader.connections += 1
        try:
            before = reader.muted
            found = await self._store.unread(user)
            if reader.muted is before:  # else it was changed meanwhile, and that is newer than what was found
                reader.muted = found
            yield
        finally:
            reader.connections -= 1
            if not reader.connections:
                self._reading.pop(user, None)

    def unread_by(self, author: str) -> frozenset[str]:
        """Return the connected users who have muted an author, or block him."""
        return frozenset(user for user, reader in self._reading.items() if author in reader.muted)


class _Reader:
    """A connected user: the number of connections, and the muted users."""

    __slots__ = ("connections", "muted")

    def __init__(self) -> None:
        self.connections = 0
        self.muted: frozenset[str] = frozenset()


def as_frame(line: ChatLine) -> Line:
    """Return a line as it is shown."""
    return Line(line.id, line.user, line.at, line.text, line.key)

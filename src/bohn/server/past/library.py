"""What is offered of games that are over: replays, summaries, and records that people keep here."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable, Hashable
from typing import TypeVar

import msgspec

from bohn.notation.records import read_record
from bohn.server.ambient import Ambient
from bohn.server.past.game import PastGame
from bohn.server.past.replay import LARGEST, TooLong
from bohn.server.past.replay import replay as replay_of
from bohn.server.past.summary import summary_of
from bohn.server.past.turns import Shelf, Turns
from bohn.server.past.verifying import About, read_about, verified
from bohn.server.refusals import Problem, Refusal
from bohn.server.settings import Settings
from bohn.server.store.protocol import RecordHead, Store
from bohn.server.tables.api import Tables
from bohn.server.wire.replay import RecordInfo, RecordList, Summary

T = TypeVar("T")

ID_BYTES = 16
"""Whoever has the id of a record may watch it, so it cannot be guessed."""

VERIFYING, VERIFY_AGAIN = 8, 5_000
"""So many records are verified or wait for that, one of each user; ms until the others may ask again."""

SHOWING, SHOW_AGAIN = 24, 2_000
"""So many replays and summaries are made or wait for that; ms until the others may ask again."""

REPLAY_BYTES = 16_777_216
"""Replays are kept as they are sent, compressed."""

GAME_BYTES = 2_097_152
"""Games of records are kept by the size of their text; in memory they take several times that."""


class Library:
    """Games that are over, of tables and of kept records; what takes long is done in a thread, in turn."""

    def __init__(self, store: Store, tables: Tables, ambient: Ambient, settings: Settings) -> None:
        """Read from this store and these tables."""
        self._store = store
        self._tables = tables
        self._ambient = ambient
        self._settings = settings
        self._showing = Turns(SHOWING, SHOW_AGAIN)
        self._verifying = Turns(VERIFYING, VERIFY_AGAIN)
        self._replays: Shelf[bytes] = Shelf(REPLAY_BYTES)
        self._games: Shelf[PastGame] = Shelf(GAME_BYTES)

    async def of_table(self, table: str, user: str | None) -> PastGame:
        """Return the game of a finished table. Raises :class:`Refusal` (``not-finished``)."""
        return await self._tables.game(table, user)

    async def of_record(self, record: str) -> PastGame:
        """Return the game of a kept record. Raises :class:`Refusal` (``no-such-record``)."""
        text = await self.text(record)
        return await self._once(self._games, record, lambda: _read(text, record), lambda _: len(text))

    async def replay(self, game: PastGame, seat: int | None, *, hands: bool) -> bytes:
        """Return a replay, gzipped. Raises :class:`Refusal` (``no-such-seat``, ``too-large``)."""
        if seat is not None and seat >= game.rules.players:
            raise Refusal(Problem.NO_SUCH_SEAT)
        try:
            return await self._once(
                self._replays, _key(game, seat, hands=hands), lambda: replay_of(game, seat, hands=hands), len
            )
        except TooLong:
            raise Refusal(Problem.TOO_LARGE, most=LARGEST) from None

    async def summary(self, game: PastGame) -> Summary:
        """Return a game in numbers."""
        async with self._showing.turn():
            return await asyncio.to_thread(summary_of, game)

    async def _once(
        self, shelf: Shelf[T], key: Hashable, work: Callable[[], T], size: Callable[[T], int]
    ) -> T:
        """Take from a shelf, or do in a thread, what takes some ten milliseconds (or seconds, if made to).

        A few at once would only slow the tables. Raises :class:`Refusal` (``rate-limited``).
        """
        if (kept := shelf.get(key)) is not None:
            return kept
        async with self._showing.turn():
            if (kept := shelf.get(key)) is not None:  # whoever was before us has asked for the same
                return kept
            made = await asyncio.to_thread(work)
            shelf.put(key, made, size(made))
            return made

    # -- records -----------------------------------------------------------------------------------

    def require_room(self, user: str) -> None:
        """Raise :class:`Refusal` (``rate-limited``) where this user cannot have a record verified now."""
        self._verifying.require_room(user)

    async def keep(self, user: str, data: bytes) -> RecordInfo:
        """Keep a record that follows its rules.

        Raises :class:`Refusal` (``record-not-valid``, ``rate-limited``).
        """
        data = data if data.endswith(b"\n") else data + b"\n"
        async with self._verifying.turn(user):
            about = await verified(data, self._settings.times.verify)
        head = RecordHead(
            self._ambient.token(ID_BYTES).hex(),
            user,
            self._ambient.now(),
            len(data),
            msgspec.json.encode(about).decode(),
        )
        text = await asyncio.to_thread(gzip.compress, data, mtime=0)
        await self._store.keep_record(head, text, self._settings.limits.records_a_user)
        return _info(head, about)

    async def own(self, user: str) -> RecordList:
        """Return the records a user keeps."""
        heads = await self._store.records_of(user)
        infos = tuple(_info(head, read_about(head.about)) for head in heads)
        return RecordList(infos, self._settings.limits.records_a_user)

    async def text(self, record: str) -> bytes:
        """Return a record as it was sent. Raises :class:`Refusal` (``no-such-record``)."""
        text = await self._store.record_text(record)
        if text is None:
            raise Refusal(Problem.NO_SUCH_RECORD)
        return gzip.decompress(text)

    async def drop(self, user: str, record: str) -> None:
        """Delete one of a user's records. Raises :class:`Refusal` (``no-such-record``)."""
        if not await self._store.drop_record(user, record):
            raise Refusal(Problem.NO_SUCH_RECORD)


def _read(text: bytes, record: str) -> PastGame:
    return PastGame(read_record(text), kept=record)


def _key(game: PastGame, seat: int | None, *, hands: bool) -> Hashable:
    """Return what a replay depends on; the names, because people may have theirs deleted."""
    return game.table, game.kept, tuple(game.record.header.seats), seat, hands


def _info(head: RecordHead, about: About) -> RecordInfo:
    return RecordInfo(
        record=head.id,
        kept=head.at,
        edition=about.edition,
        house_rules=about.house_rules,
        names=about.names,
        bots=about.bots,
        entries=about.entries,
        turns=about.turns,
        result=about.result,
        size=head.size,
    )

"""The library of finished games: replays, summaries, and the records that people store here."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Awaitable, Callable, Hashable
from typing import TypeVar

import msgspec

from bohn.notation.records import read_record
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.replay import RecordInfo, RecordList, Summary
from bohn.server.clock import TimeSource
from bohn.server.entropy import Entropy
from bohn.server.settings import Settings
from bohn.server.store.protocol import RecordHead, Store
from bohn.server.tables.archive.replay import LARGEST, TooLong
from bohn.server.tables.archive.replay import replay as replay_of
from bohn.server.tables.archive.summary import summary_of
from bohn.server.tables.archive.verifying import About, read_about, verified
from bohn.server.tables.archive.waiting_line import SizedCache, WaitingLine
from bohn.server.tables.past_game import PastGame

T = TypeVar("T")

Finished = Callable[[str, str | None], Awaitable[PastGame]]
"""Returns the game of a finished table to a user who may enter; refuses others (``not-finished``)."""

ID_BYTES = 16
"""Whoever has the id of a record may watch it, so it cannot be guessed."""

VERIFYING, VERIFY_AGAIN = 8, 5_000
"""Records that are verified or wait for it, one of each user; ms until the others may ask again."""

SHOWING, SHOW_AGAIN = 24, 2_000
"""Replays and summaries that are made or wait for it; ms until the others may ask again."""

REPLAY_BYTES = 16_777_216
"""Bytes of cached replays, compressed as they are sent."""

GAME_BYTES = 2_097_152
"""Bytes of cached games of records, by the size of their text; in memory they take several times that."""


class Library:
    """Games that are over, of tables and of stored records; slow work is done in a thread, one at a time."""

    def __init__(
        self, store: Store, finished: Finished, clock: TimeSource, entropy: Entropy, settings: Settings
    ) -> None:
        """Store records here; ``finished`` has the games of the tables."""
        self._store = store
        self._finished = finished
        self._clock = clock
        self._entropy = entropy
        self._settings = settings
        self._showing = WaitingLine(SHOWING, SHOW_AGAIN)
        self._verifying = WaitingLine(VERIFYING, VERIFY_AGAIN)
        self._replays: SizedCache[bytes] = SizedCache(REPLAY_BYTES)
        self._games: SizedCache[PastGame] = SizedCache(GAME_BYTES)

    async def of_table(self, table: str, user: str | None) -> PastGame:
        """Return the game of a finished table. Raises :class:`Refusal` (``not-finished``)."""
        return await self._finished(table, user)

    async def of_record(self, record: str) -> PastGame:
        """Return the game of a stored record. Raises :class:`Refusal` (``no-such-record``)."""
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
        self, cache: SizedCache[T], key: Hashable, work: Callable[[], T], size: Callable[[T], int]
    ) -> T:
        """Return a cached result, or do the work in a thread: ten milliseconds, seconds for a hostile record.

        A few at once would only slow the tables. Raises :class:`Refusal` (``rate-limited``).
        """
        if (found := cache.get(key)) is not None:
            return found
        async with self._showing.turn():
            if (found := cache.get(key)) is not None:  # somebody before us has asked for the same
                return found
            made = await asyncio.to_thread(work)
            cache.put(key, made, size(made))
            return made

    # -- records -----------------------------------------------------------------------------------

    def require_room(self, user: str) -> None:
        """Raise :class:`Refusal` (``rate-limited``) where this user cannot have a record verified now."""
        self._verifying.require_room(user)

    async def keep(self, user: str, data: bytes) -> RecordInfo:
        """Store a record that follows its rules.

        Raises :class:`Refusal` (``record-not-valid``, ``rate-limited``).
        """
        data = data if data.endswith(b"\n") else data + b"\n"
        async with self._verifying.turn(user):
            about = await verified(data, self._settings.times.verify)
        head = RecordHead(
            self._entropy.token_bytes(ID_BYTES).hex(),
            user,
            self._clock.now(),
            len(data),
            msgspec.json.encode(about).decode(),
        )
        text = await asyncio.to_thread(gzip.compress, data, mtime=0)
        await self._store.keep_record(head, text, self._settings.limits.records_a_user)
        return _info(head, about)

    async def own(self, user: str) -> RecordList:
        """Return the records a user has stored."""
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
    return PastGame(read_record(text), record_id=record)


def _key(game: PastGame, seat: int | None, *, hands: bool) -> Hashable:
    """Return what a replay depends on; the names, because people may have theirs deleted."""
    return game.table, game.record_id, tuple(game.record.header.seats), seat, hands


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

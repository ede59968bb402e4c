"""What is offered of games that are over: replays, summaries, and records that people keep here."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from bohn.notation.records import read_record
from bohn.server.ambient import Ambient
from bohn.server.past.game import PastGame
from bohn.server.past.replay import LARGEST, TooLong
from bohn.server.past.replay import replay as replay_of
from bohn.server.past.summary import summary_of
from bohn.server.past.verifying import About, read_about, verified
from bohn.server.refusals import Problem, Refusal
from bohn.server.settings import Settings
from bohn.server.store.protocol import RecordHead, Store
from bohn.server.tables.api import Tables
from bohn.server.wire.replay import RecordInfo, RecordList, Summary

T = TypeVar("T")

ID_BYTES = 16
"""Whoever has the id of a record may watch it, so it cannot be guessed."""


class Library:
    """Games that are over, of tables and of kept records; what takes long is done in a thread, in turn."""

    def __init__(self, store: Store, tables: Tables, ambient: Ambient, settings: Settings) -> None:
        """Read from this store and these tables."""
        self._store = store
        self._tables = tables
        self._ambient = ambient
        self._settings = settings
        self._turn = asyncio.Lock()
        self._verifying = asyncio.Lock()

    async def of_table(self, table: str, user: str | None) -> PastGame:
        """Return the game of a finished table. Raises :class:`Refusal` (``not-finished``)."""
        return await self._tables.game(table, user)

    async def of_record(self, record: str) -> PastGame:
        """Return the game of a kept record. Raises :class:`Refusal` (``no-such-record``)."""
        text = await self.text(record)
        async with self._turn:
            return replace(await asyncio.to_thread(_read, text), kept=record)

    async def replay(self, game: PastGame, seat: int | None, *, hands: bool) -> bytes:
        """Return a replay, gzipped. Raises :class:`Refusal` (``no-such-seat``, ``too-large``)."""
        if seat is not None and seat >= game.rules.players:
            raise Refusal(Problem.NO_SUCH_SEAT)
        try:
            return await self._in_turn(lambda: replay_of(game, seat, hands=hands))
        except TooLong:
            raise Refusal(Problem.TOO_LARGE, most=LARGEST) from None

    async def summary(self, game: PastGame) -> Summary:
        """Return a game in numbers."""
        return await self._in_turn(lambda: summary_of(game))

    async def _in_turn(self, work: Callable[[], T]) -> T:
        """Do in a thread what takes some ten milliseconds; a few at once would only slow the tables."""
        async with self._turn:
            return await asyncio.to_thread(work)

    # -- records -----------------------------------------------------------------------------------

    async def keep(self, user: str, data: bytes) -> RecordInfo:
        """Keep a record that follows its rules. Raises :class:`Refusal` (``record-not-valid``)."""
        data = data if data.endswith(b"\n") else data + b"\n"
        async with self._verifying:
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


def _read(text: bytes) -> PastGame:
    return PastGame(read_record(text))


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

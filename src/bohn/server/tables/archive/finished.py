"""Finished games of this process's tables, for everybody who may enter and has seen the end."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import TypeVar

import bohn
from bohn.notation.records import format_record
from bohn.protocol.refusals import Problem, Refusal
from bohn.server.store.protocol import LogRow
from bohn.server.tables.api import Names
from bohn.server.tables.archive.export import game_of
from bohn.server.tables.audience import Audience, users_in
from bohn.server.tables.loaded import LoadedTable
from bohn.server.tables.past_game import PastGame
from bohn.server.tables.refusing import or_refuse

T = TypeVar("T")

TEXTS = 24
"""Records cached as text; one has some hundred kilobytes."""

GAMES = 4
"""Games cached, each some megabytes: a page asks for several things of a game that has just ended."""


class FinishedGames:
    """The games of this process's finished tables, computed when they are asked for."""

    def __init__(
        self,
        rows: Callable[[str], Awaitable[tuple[LogRow, ...]]],
        names: Names,
        audience_of: Callable[[LoadedTable, str | None], Awaitable[Audience]],
    ) -> None:
        """Read logs with ``rows``; ``audience_of`` admits a user and returns that user's audience."""
        self._rows = rows
        self._names = names
        self._audience_of = audience_of
        self._games: OrderedDict[str, PastGame] = OrderedDict()
        self._texts: OrderedDict[str, bytes] = OrderedDict()
        self._turn = asyncio.Lock()
        self._forgotten = 0

    async def game(self, loaded: LoadedTable, user: str | None) -> PastGame:
        """Return the game of a finished table; refuses unfinished ones (``not-finished``)."""
        await self._require_end(loaded, user)
        async with self._turn:  # one at a time: a long game takes some ten milliseconds
            return await self._game(loaded)

    async def record(self, loaded: LoadedTable, user: str | None) -> bytes:
        """Return the record of a finished game as text; refuses unfinished ones (``not-finished``)."""
        await self._require_end(loaded, user)
        async with self._turn:
            text = self._texts.get(loaded.id)
            if text is None:
                forgotten = self._forgotten
                game = await self._game(loaded)
                text = await asyncio.to_thread(format_record, game.record)
                self._cache(self._texts, loaded.id, text, TEXTS, forgotten)
            return text

    def forget(self) -> None:
        """Forget all, because somebody's name is to be forgotten."""
        self._forgotten += 1
        self._games.clear()
        self._texts.clear()

    async def _require_end(self, loaded: LoadedTable, user: str | None) -> None:
        audience = await self._audience_of(loaded, user)
        if audience.snapshot.room.status != "finished":
            raise Refusal(Problem.NOT_FINISHED)

    async def _game(self, loaded: LoadedTable) -> PastGame:
        game = self._games.get(loaded.id)
        if game is None:
            forgotten = self._forgotten
            rows = await or_refuse(self._rows(loaded.id))
            people = await self._names.people(users_in(loaded.snapshot.room))
            called = {user: person.name for user, person in people.items()}
            product = f"bohn {bohn.__version__}"
            game = await asyncio.to_thread(game_of, rows, called, loaded.deal, product)
            self._cache(self._games, loaded.id, game, GAMES, forgotten)
        return game

    def _cache(self, cache: OrderedDict[str, T], key: str, value: T, most: int, forgotten: int) -> None:
        """Cache a value, unless names were forgotten while it was made."""
        if forgotten == self._forgotten:
            cache[key] = value
            if len(cache) > most:
                cache.popitem(last=False)

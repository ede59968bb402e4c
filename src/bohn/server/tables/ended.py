"""Games that are over: their records, for everybody who may enter and has seen the end."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING, TypeVar

import bohn
from bohn.notation.records import format_record
from bohn.server.export import game_of
from bohn.server.past.game import PastGame
from bohn.server.refusals import Problem, Refusal
from bohn.server.tables.audience import users_in
from bohn.server.tables.live import Live
from bohn.server.tables.saving import kept

if TYPE_CHECKING:
    from bohn.server.tables.service import TableService

T = TypeVar("T")

TEXTS = 24
"""So many records are kept ready as text; one has some hundred kilobytes."""

GAMES = 4
"""So many games are kept ready; one has some megabytes. Who looks at the end asks for more than one thing."""


class Ended:
    """The games of this process's finished tables."""

    def __init__(self, tables: TableService) -> None:
        """Read from these tables."""
        self._tables = tables
        self._games: OrderedDict[str, PastGame] = OrderedDict()
        self._texts: OrderedDict[str, bytes] = OrderedDict()
        self._turn = asyncio.Lock()
        self._names = 0

    async def game(self, live: Live, user: str | None) -> PastGame:
        """Return the game of a finished table; refuses unfinished ones (``not-finished``)."""
        await self._require_end(live, user)
        async with self._turn:  # one at a time: a long game takes some ten milliseconds
            return await self._game(live)

    async def record(self, live: Live, user: str | None) -> bytes:
        """Return the record of a finished game as text; refuses unfinished ones (``not-finished``)."""
        await self._require_end(live, user)
        async with self._turn:
            text = self._texts.get(live.id)
            if text is None:
                names = self._names
                game = await self._game(live)
                text = await asyncio.to_thread(format_record, game.record)
                self._remember(self._texts, live.id, text, TEXTS, names)
            return text

    def forget(self) -> None:
        """Forget all, because somebody's name is to be forgotten."""
        self._names += 1
        self._games.clear()
        self._texts.clear()

    async def _require_end(self, live: Live, user: str | None) -> None:
        gallery = await self._tables.showing.gallery_of(live, user)
        if gallery.stage.room.status != "finished":
            raise Refusal(Problem.NOT_FINISHED)

    async def _game(self, live: Live) -> PastGame:
        game = self._games.get(live.id)
        if game is None:
            names = self._names
            rows = await kept(self._tables.store.rows(live.id))
            people = await self._tables.names.people(users_in(live.stage.room))
            called = {user: person.name for user, person in people.items()}
            product = f"bohn {bohn.__version__}"
            game = await asyncio.to_thread(game_of, rows, called, live.deal, product)
            self._remember(self._games, live.id, game, GAMES, names)
        return game

    def _remember(self, where: OrderedDict[str, T], key: str, value: T, most: int, names: int) -> None:
        """Keep something ready, unless names were forgotten while it was made."""
        if names == self._names:
            where[key] = value
            if len(where) > most:
                where.popitem(last=False)

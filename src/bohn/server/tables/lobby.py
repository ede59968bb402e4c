"""Opening tables: a new one, one whose game has begun before, and the rematch of the same players."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from hashlib import sha256

from msgspec.structs import replace

from bohn.bots import DEFAULT, PLAYERS, recorded_name
from bohn.notation.deals import commitment
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Options, Room
from bohn.protocol.room_commands import Rematch
from bohn.protocol.room_events import BotSeated, RematchMade, TableOpened
from bohn.server.addresses import Addresses
from bohn.server.clock import TimeSource
from bohn.server.entropy import Entropy
from bohn.server.room.clocks import timers_after
from bohn.server.room.decide import Context, decide_room, no_salt
from bohn.server.room.options import check_options, over_days
from bohn.server.settings import Settings
from bohn.server.store.counting import Counting
from bohn.server.store.protocol import Append, LogRow, SecretDeal, Store
from bohn.server.tables.api import Acknowledge
from bohn.server.tables.audience import users_in
from bohn.server.tables.calendar import rests_of
from bohn.server.tables.loaded import LoadedTable
from bohn.server.tables.loading import LoadedTables
from bohn.server.tables.log import TableLog
from bohn.server.tables.midgame import MidgameTable, rows_of
from bohn.server.tables.plan import Request
from bohn.server.tables.refusing import or_refuse
from bohn.server.tables.snapshot import after_row, snapshot_of
from bohn.server.tables.writes import listing_of

LISTINGS = 200
"""Tables of one user that are counted when they open another, at most."""


class Lobby:
    """Opens tables: works out their first rows, which the log writes."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        clock: TimeSource,
        entropy: Entropy,
        tables: LoadedTables,
        log: TableLog,
        addresses: Addresses,
    ) -> None:
        """Open tables in this store."""
        self._store = store
        self._settings = settings
        self.limits = settings.limits
        self._clock = clock
        self._entropy = entropy
        self._tables = tables
        self._log = log
        self._addresses = addresses
        self._opening: Counter[str] = Counter()
        self._counting = Counting(store)

    async def open_table(self, user: str, options: Options, key: str | None, wish: str) -> tuple[str, bool]:
        """Open a table with this host; nobody sits yet. Return its id, and whether it was opened just now.

        The same ``key`` opens it once; with another ``wish`` (all that was asked for) it is refused.
        """
        chosen = over_days(options, check_options(options))
        return await self._once(
            user, key, wish, lambda table: self._write(table, user, chosen, (), (user,), wish)
        )

    async def open_midgame(
        self, user: str, midgame: MidgameTable, key: str | None, wish: str
    ) -> tuple[str, bool]:
        """Open a table whose game has begun before, with this user in one of its seats; see above."""
        if len(midgame.entries) * 2 > self._settings.limits.log_rows:
            raise Refusal(Problem.OPTIONS_NOT_VALID, what="entry")
        return await self._once(
            user, key, wish, lambda table: self._write_midgame(table, user, midgame, wish)
        )

    async def _once(
        self, user: str, key: str | None, wish: str, write: Callable[[str], Awaitable[LogRow | None]]
    ) -> tuple[str, bool]:
        """Open a table, unless an earlier request with this key has done so."""
        if key is None:
            table, earlier = self._entropy.token_bytes(12).hex(), None
        else:
            table = _table_for(user, key)
            earlier = await or_refuse(self._store.find(table, user, f"open:{table}"))
        if earlier is None:
            async with self._one_more(user):
                await self._require_few(user)
                earlier = await write(table)
                if earlier is None:
                    self._addresses.opened(table, user)
                    await self._tables.get(table)  # bots and clocks begin, and from now on it is counted
        if earlier is not None and earlier.digest != _digest(wish):
            raise Refusal(Problem.COMMAND_ID_REUSED)
        return table, earlier is None

    async def _write_midgame(self, table: str, user: str, midgame: MidgameTable, wish: str) -> LogRow | None:
        """Write all rows of a table whose game has begun before; return the first that was there already."""
        now = self._clock.now()
        rows = await asyncio.to_thread(rows_of, midgame, table, user, _digest(wish), now)
        snapshot = await asyncio.to_thread(snapshot_of, rows)
        timers = timers_after(
            snapshot.room, snapshot.rules, snapshot.state, (), None, now, self._settings.times,
            rests=rests_of(snapshot.room, snapshot.state, now),
        )  # fmt: skip
        return await self._log.begin(
            Append(row=rows[0], behind=rows[1:], timers=timers, listing=listing_of(snapshot), grants=(user,))
        )

    async def _write(
        self,
        table: str,
        user: str,
        options: Options,
        seated: tuple[BotSeated, ...],
        grants: tuple[str, ...],
        wish: str = "",
    ) -> LogRow | None:
        """Write the first row of a table; return the one that was there already, if any."""
        deal = SecretDeal(self._entropy.token_bytes(32), self._entropy.token_bytes(32))
        now = self._clock.now()
        opened = TableOpened(table, user, options, commitment(deal.secret, deal.nonce), now)
        row = LogRow(
            table=table, seq=1, at=now, actor=user, command_id=f"open:{table}", digest=_digest(wish),
            cause="host", command=None, events=(opened, *seated),
        )  # fmt: skip
        listing = listing_of(after_row(None, row))
        return await self._log.begin(Append(row=row, timers=(), listing=listing, deal=deal, grants=grants))

    async def _require_few(self, user: str) -> None:
        """Refuse a user who has many tables."""
        limits, times = self.limits, self._settings.times
        own = await or_refuse(self._store.listings_of(user, limit=LISTINGS))
        horizon = self._clock.now() - times.stale_table  # tables without a move since then were abandoned
        waiting = [e for e in own if e.status in ("open", "playing") and e.moved > horizon]
        if len(waiting) >= limits.tables_a_user:
            raise Refusal(Problem.TOO_MANY, most=limits.tables_a_user)

    @asynccontextmanager
    async def _one_more(self, user: str) -> AsyncIterator[None]:
        """Have room for one more table, while nobody else opens one for the same user by any worker."""
        async with AsyncExitStack() as stack:
            await or_refuse(stack.enter_async_context(self._counting.alone(f"tables:{user}")))
            stack.enter_context(self._room_for(user))
            yield

    @contextmanager
    def _room_for(self, user: str) -> Iterator[None]:
        """Have room for one more table in memory while it is opened.

        Refuses an address from which there are many, and everybody when there are too many at all. Of one
        address no more count than may be opened from there: who asks for old ones has these loaded too.
        """
        limits, address = self.limits, self._addresses.of_user(user)
        rooms = [loaded.snapshot.room for loaded in self._tables.all()]
        counted = Counter(self._addresses.of(room.id) for room in rooms if room.status in ("open", "playing"))
        counted.update(self._opening)
        if counted[address] >= limits.tables_an_address:
            raise Refusal(Problem.TOO_MANY, most=limits.tables_an_address)
        if sum(min(count, limits.tables_an_address) for count in counted.values()) >= limits.tables:
            raise Refusal(Problem.SERVER_FULL)
        self._opening[address] += 1
        try:
            yield
        finally:
            self._opening -= Counter({address: 1})  # what is 0 is dropped

    async def rematch(
        self, loaded: LoadedTable, request: Request, command: Rematch, acked: Acknowledge | None
    ) -> int:
        """Open the next table for the same players: the bots sit there again, the people may enter."""
        user = request.actor
        async with loaded.rematch_lock:
            room, table = await self._next_table(loaded)
            if loaded.recall(user, request.command_id) is None:
                # only checks it
                decide_room(room, user, command, self._clock.now(), Context(frozenset()))
                bots = tuple(
                    BotSeated(place, bot if bot in PLAYERS else DEFAULT, no_salt())
                    for place, seat in enumerate(room.seats)
                    if seat.bot is not None and seat.user is None
                    for bot in (recorded_name(seat.bot),)
                )
                # whoever asks at the same moment, or asks again if what follows fails, finds the same table
                async with self._one_more(user):
                    if not await or_refuse(self._store.heads((table,))):
                        await self._require_few(user)
                    await self._write(table, user, room.options, bots, users_in(room))
                    self._addresses.opened(table, user)
                fallen = loaded.snapshot.room.rematch
                request = replace(request, events=(RematchMade(table),), fallen=fallen)
            return await self._log.do(loaded, request, acked)

    async def _next_table(self, loaded: LoadedTable) -> tuple[Room, str]:
        """Return the room of a table that is over, and the id of its rematch, whoever asks for it.

        A rematch that was abandoned meanwhile counts as none, and the next one has an id of its own.
        """
        room = loaded.snapshot.room
        table = room.rematch or _rematch_of(loaded.id, "")
        while await self._has_fallen(table):
            room, table = replace(room, rematch=None), _rematch_of(loaded.id, table)
        return room, table

    async def _has_fallen(self, table: str) -> bool:
        listing = await or_refuse(self._store.listing(table))
        return listing is not None and listing.status == "abandoned"


def _digest(wish: str) -> str:
    return sha256(wish.encode()).hexdigest()


def _table_for(user: str, key: str) -> str:
    """Return the id of the table that a user opens with this key."""
    return sha256(f"table:{user}:{key}".encode()).hexdigest()[:24]


def _rematch_of(table: str, fallen: str) -> str:
    """Return the id of a table's rematch, behind one that has fallen: two that ask for it open one table."""
    return sha256(f"rematch:{table}:{fallen}".encode()).hexdigest()[:24]

"""Results of finished games: read from the log of each table once, then searched and added up.

A game is noted when its last batch was committed here; what was missed then (a stop in between, games from
before results were kept) is noted when somebody asks for his games.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import structlog

from bohn.notation.tally import Tally, ranks
from bohn.protocol import people as wire
from bohn.protocol.refusals import Problem, Refusal
from bohn.rules.events import Event
from bohn.server.people.service import People
from bohn.server.store.acquaintances import GameResult, Wanted
from bohn.server.store.protocol import Listing, LogRow, Store, StoreUnavailable

LOG = structlog.get_logger("bohn.results")

NOTED_AT_ONCE = 25
"""Missed games that are noted for one question at most; each takes some ten ms."""

RECENT = 60
"""Last games of somebody of which the coins are shown."""

A_PAGE = 20
"""Games of one page."""

MOST_MET = 20_000
"""People with whom one has played, among whom a name is looked for."""


class Results:
    """How users did in finished games."""

    def __init__(self, store: Store, people: People) -> None:
        """Use this store for everything."""
        self._store = store
        self._people = people
        self._turn = asyncio.Lock()

    # -- noting ------------------------------------------------------------------------------------------

    async def note(self, table: str) -> None:
        """Note the results of a finished table; without the store it is left to whoever asks."""
        try:
            await self._note(table)
        except StoreUnavailable as error:
            LOG.info("results-not-noted", table=table, kind=error.kind)

    async def _note(self, table: str) -> None:
        listing = await self._store.listing(table)
        if listing is None or listing.result is None or listing.origin or listing.lesson is not None:
            return
        async with self._turn:  # one at a time: a long game takes some ten ms
            rows = await self._store.rows(table)
            results = await asyncio.to_thread(results_of, listing, rows)
        await self._store.put_results(results)

    async def catch_up(self, user: str) -> None:
        """Note what was missed of a user's games, the newest first."""
        for table in await self._store.unnoted(user, NOTED_AT_ONCE):
            await self._note(table)

    # -- looking -----------------------------------------------------------------------------------------

    async def profile(self, user: str, viewer: str) -> wire.Profile:
        """Return somebody's games in numbers; raises ``no-profile`` where the viewer may not see them.

        Those may who have played with him or follow him, unless he keeps it private or blocks them.
        """
        private = user in await self._store.private_among((user,))
        followed = user in await self._store.follows_of(viewer)
        if user != viewer:
            await self._require_shown(user, viewer, private=private, followed=followed)
        await self.catch_up(user)
        person = (await self._people.people((user,)))[user]
        kinds = await self._store.tallied(user)
        recent = await self._store.results_of(user, Wanted(), RECENT)
        return wire.Profile(
            user=user,
            person=person,
            private=private,
            followed=followed,
            blocked=user in await self._store.blocked_by(viewer),
            games=sum(one.games for one in kinds),
            won=sum(one.won for one in kinds),
            coins=sum(one.coins for one in kinds),
            trades=sum(one.trades for one in kinds),
            gifts_given=sum(one.gifts_given for one in kinds),
            gifts_received=sum(one.gifts_received for one in kinds),
            kinds=tuple(
                wire.KindOfGames(one.edition, one.players, one.games, one.won, one.coins) for one in kinds
            ),
            recent=tuple(
                wire.GameCoins(one.at, one.coins, one.place, one.players) for one in reversed(recent)
            ),
            against=None if user == viewer else await self._against(viewer, user),
        )

    async def _require_shown(self, user: str, viewer: str, *, private: bool, followed: bool) -> None:
        known = (await self._store.users((user,))).get(user)
        kept_from = private or user in await self._store.blockers_of(viewer)
        if known is None or not known.name or kept_from:
            raise Refusal(Problem.NO_PROFILE)
        if not followed and not (await self._store.against(viewer, user)).games:
            await self.catch_up(viewer)  # their only game may have ended just now
            if not (await self._store.against(viewer, user)).games:
                raise Refusal(Problem.NO_PROFILE)

    async def _against(self, viewer: str, user: str) -> wire.HeadToHead:
        found = await self._store.against(viewer, user)
        return wire.HeadToHead(found.games, found.ahead, found.behind)

    async def page(self, user: str, wanted: Wanted) -> wire.GamePage:
        """Return a page of a user's games."""
        await self.catch_up(user)
        found = await self._store.results_of(user, wanted, A_PAGE + 1)
        shown = found[:A_PAGE]
        following = f"{shown[-1].at}.{shown[-1].table}" if len(found) > A_PAGE else ""
        tables = tuple(one.table for one in shown)
        all_results = await self._store.results_at(tables)
        kept = await self._store.heads(tables)
        names = await self._people.people(tuple({one.user for one in all_results}))
        return wire.GamePage(
            tuple(
                wire.FinishedGame(
                    table=one.table,
                    at=one.at,
                    edition=one.edition,
                    players=one.players,
                    place=one.place,
                    coins=one.coins,
                    people=tuple(
                        wire.GamePlayer(each.user, names[each.user], each.place, each.coins)
                        for each in all_results
                        if each.table == one.table
                    ),
                    kept=one.table in kept,
                )
                for one in shown
            ),
            following,
        )

    async def company(self, user: str, text: str) -> tuple[str, ...]:
        """Return those with whom a user has played whose name has this part, or whose id or handle it is."""
        met = await self._store.company_of(user, MOST_MET)
        if text in met:
            return (text,)
        wanted = text.removeprefix("@").strip().casefold()
        users = await self._store.users(met)
        handles = await self._store.handles_of(met)
        return tuple(
            one
            for one in met
            if wanted == handles.get(one) or (one in users and wanted in users[one].name.casefold())
        )


def results_of(listing: Listing, rows: Iterable[LogRow]) -> tuple[GameResult, ...]:
    """Return how those did who owned seats of a table at the end of its game."""
    if listing.result is None:
        return ()
    tally = Tally(len(listing.seats))
    for row in rows:
        tally.count((event for event in row.events if isinstance(event, Event)), row.seq)
    places = ranks(listing.result)
    return tuple(
        GameResult(
            user=seat.user,
            table=listing.table,
            at=listing.moved,
            edition=listing.options.edition,
            players=len(listing.seats),
            place=places[number],
            coins=listing.result.coins[number],
            trades=tally.players[number].trades,
            gifts_given=tally.players[number].gifts_given,
            gifts_received=tally.players[number].gifts_received,
        )
        for number, seat in enumerate(listing.seats)
        if seat.user is not None
    )

"""Retention as people meet it: who never came back is a stranger again, and a table that went is none."""

from __future__ import annotations

from msgspec.structs import replace

from bohn.server.settings import Retention, Settings
from bohn.server.store.protocol import Append
from bohn.server.store.retaining import DAY
from tests.server.store.samples import listing, row
from tests.server.support.site import Place, Visitor, visit

EVERY = 1_000


async def away_for(place: Place, visitor: Visitor, days: int) -> None:
    """Let it be so long since somebody came and was here."""
    at = place.clock.now() - days * DAY
    user = (await place.store.users((visitor.user,)))[visitor.user]
    await place.store.put_user(replace(user, created=at))
    for session in await place.store.sessions_of(visitor.user):
        await place.store.put_session(replace(session, created=at, used=at))


async def looked(place: Place) -> None:
    """Let the keeper look once, with all its rests."""
    for _ in range(4):
        await place.clock.advance(EVERY)


def test_visitor_who_never_came_back_is_forgotten() -> None:
    """His cookie lets nobody in any more, and nothing is left of his name; who sits somewhere stays."""

    async def scenario(place: Place) -> None:
        anna, bert, carl = [await place.guest(name) for name in ("Anna", "Bert", "Carl")]
        await bert.open_table()
        await away_for(place, anna, 31)
        await away_for(place, bert, 31)
        await away_for(place, carl, 29)
        await looked(place)

        assert (await anna.ask("GET", "/api/me")).status == 401
        assert (await place.store.users((anna.user,))) == {}
        assert (await bert.get("/api/me"))["name"] == "Bert"
        assert (await carl.get("/api/me"))["name"] == "Carl"

    visit(scenario, Settings(retention=Retention(every=EVERY)))


def test_table_that_went_is_none() -> None:
    """Whoever has its address is told that there is no such table; the metrics say what went."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        old = place.clock.now() - 366 * DAY
        for table in ("t1", "t2"):
            shown = listing(
                table, status="finished", users=(anna.user,), moved=old if table == "t1" else old + 3 * DAY
            )
            await place.store.append(Append(row=row(table), listing=shown))
        await looked(place)

        assert (await anna.ask("GET", "/api/tables/t1")).json()["reason"] == "no-such-table"
        assert [one.table for one in await place.store.listings_of(anna.user)] == ["t2"]
        text = (await place.stranger.ask("GET", "/metrics")).body.decode()
        assert 'bohn_retention_removed_total{kind="finished"} 1.0' in text
        assert "bohn_over_tables 1.0" in text

    visit(scenario, Settings(retention=Retention(every=EVERY)))

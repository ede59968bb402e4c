"""The contract of what belongs to tables beside their logs: clocks, the lobby, grants."""

from __future__ import annotations

from msgspec.structs import replace

from bohn.protocol.room import Status
from bohn.rules.state import Result
from bohn.server.store.protocol import Append, DueTimer, ListedSeat, Listing, Store, Timer
from tests.server.store.samples import append, link, listing, row
from tests.server.store.telling import Stores, story


async def set_timers(store: Store, table: str, *timers: Timer) -> None:
    """Give a table these timers with its next row."""
    seq = (await store.heads((table,))).get(table, 0) + 1
    await store.append(Append(row=row(table, seq), timers=timers))


async def show(store: Store, *listings: Listing) -> None:
    """Give each table its listing with its next row."""
    for one in listings:
        seq = (await store.heads((one.table,))).get(one.table, 0) + 1
        await store.append(Append(row=row(one.table, seq), listing=one))


class TablesContract(Stores):
    """Timers, beats, listings, grants."""

    # clocks

    @story
    async def test_timers_are_replaced_as_a_whole(self, store: Store) -> None:
        """An append that names timers leaves no earlier one."""
        await set_timers(store, "t1", Timer("a", 1), Timer("b", 2))
        await set_timers(store, "t2", Timer("a", 9))
        await set_timers(store, "t1", Timer("b", 5), Timer("c", None, 7))

        assert await store.timers("t1") == (Timer("b", 5), Timer("c", None, 7))
        assert await store.timers("t2") == (Timer("a", 9),)

    @story
    async def test_timers_of_several_tables_come_with_one_question(self, store: Store) -> None:
        """Each table that has timers is named with its own, by key; the others are left out."""
        await set_timers(store, "t1", Timer("b", None, 7), Timer("a", 1))
        await set_timers(store, "t2", Timer("a", 9))
        await set_timers(store, "t3", Timer("a", 3))
        await set_timers(store, "t4")

        assert await store.timers_of(("t2", "t1", "t4", "nowhere")) == {
            "t1": (Timer("a", 1), Timer("b", None, 7)),
            "t2": (Timer("a", 9),),
        }
        assert await store.timers_of(()) == {}

    @story
    async def test_timers_stay_where_an_append_names_none(self, store: Store) -> None:
        """``None`` leaves them, an empty tuple ends them."""
        await set_timers(store, "t1", Timer("a", 1))
        await store.append(append(seq=2))
        assert await store.timers("t1") == (Timer("a", 1),)

        await set_timers(store, "t1")
        assert await store.timers("t1") == ()

    @story
    async def test_news_are_the_rows_behind_one_and_the_timers(self, store: Store) -> None:
        """Rows come oldest first, with the timers as they are now; without rows there is nothing."""
        assert await store.news("t1", 0) == ((), ())
        await set_timers(store, "t1", Timer("b", 5), Timer("a", None, 7))
        assert await store.news("t1", 0) == ((row("t1", 1),), (Timer("a", None, 7), Timer("b", 5)))
        assert await store.news("t1", 1) == ((), ())

        await set_timers(store, "t1")
        await store.append(append(seq=3))
        assert await store.news("t1", 1) == ((row("t1", 2), row("t1", 3)), ())

    @story
    async def test_due_timers_come_earliest_first(self, store: Store) -> None:
        """What is due by now, of all tables; what stands or is still to come is left out."""
        await set_timers(store, "t1", Timer("a", 30), Timer("b", 10), Timer("c", None, 5))
        await set_timers(store, "t2", Timer("a", 20), Timer("b", 31))

        assert await store.due(30) == (
            DueTimer("t1", "b", 10), DueTimer("t2", "a", 20), DueTimer("t1", "a", 30),
        )  # fmt: skip
        assert await store.due(30, limit=1) == (DueTimer("t1", "b", 10),)
        assert await store.due(9) == ()

    @story
    async def test_credit_puts_off_running_timers(self, store: Store) -> None:
        """After an outage every running timer gets the time back; standing ones keep what they have."""
        await set_timers(store, "t1", Timer("a", 30), Timer("b", None, 5))
        await set_timers(store, "t2", Timer("a", 20))

        await store.beat("w", 10)

        assert await store.credit("w", 1_010) == 1_000
        assert await store.timers("t1") == (Timer("a", 1_030), Timer("b", None, 5))
        assert await store.timers("t2") == (Timer("a", 1_020),)

    @story
    async def test_credit_gives_the_same_time_once(self, store: Store) -> None:
        """It is a beat as well, so a server that dies right behind it gives none of that time again."""
        await set_timers(store, "t1", Timer("a", 30))
        await store.beat("dead", 10)

        assert await store.credit("one", 1_010) == 1_000
        assert await store.last_beat() == 1_010
        assert await store.credit("two", 1_020) == 10
        assert await store.timers("t1") == (Timer("a", 1_040),)

    @story
    async def test_credit_counts_from_the_last_service_of_anybody(self, store: Store) -> None:
        """Time in which another process beat, or in which this one served without a beat, was served."""
        await set_timers(store, "t1", Timer("a", 30))

        assert await store.credit("first", 1_000) == 0
        await store.beat("other", 4_000)
        assert await store.credit("first", 5_000, 2_000, 1_000) == 0
        assert await store.credit("first", 9_000, 8_500) == 500
        assert await store.timers("t1") == (Timer("a", 530),)

    @story
    async def test_credit_puts_off_invitations_that_hold(self, store: Store) -> None:
        """Those to tables; what had run out stays so, and an hour of a device link is an hour."""
        links = [
            replace(link("held"), table="t1", user=None, expires=200),
            replace(link("over"), table="t1", user=None, expires=100),
            replace(link("device"), table=None, user="anna", expires=200),
        ]
        for one in links:
            await store.put_link(one)
        await store.beat("w", 100)
        await store.credit("w", 5_100)

        found = [await store.link(one.digest) for one in links]
        assert [one.expires for one in found if one is not None] == [5_200, 100, 200]

    @story
    async def test_last_beat_is_that_of_any_worker(self, one: Store, two: Store) -> None:
        """The latest sign of life counts, whoever gave it; a worker's own may go back with its clock."""
        assert await one.last_beat() is None
        await one.beat("one", 100)
        await two.beat("two", 90)
        assert await two.last_beat() == 100
        await one.beat("one", 80)
        assert await two.last_beat() == 90

    # the lobby

    @story
    async def test_listings_come_newest_move_first(self, store: Store) -> None:
        """Of the tables that are listed, the liveliest come first, up to the limit."""
        await show(store, *(listing(f"t{n}", moved=moved) for n, moved in enumerate((20, 40, 30, 40))))

        assert [one.table for one in await store.listings()] == ["t1", "t3", "t2", "t0"]
        assert [one.table for one in await store.listings(limit=2)] == ["t1", "t3"]

    @story
    async def test_listings_are_open_or_playing_unless_asked_for(self, store: Store) -> None:
        """Tables that are over are told only to those who ask for them."""
        kinds: tuple[Status, ...] = ("open", "playing", "finished", "abandoned")
        await show(store, *(listing(status, status=status) for status in kinds))

        assert {one.table for one in await store.listings()} == {"open", "playing"}
        assert {one.table for one in await store.listings(statuses=("finished",))} == {"finished"}
        assert await store.listings(statuses=()) == ()

    @story
    async def test_listings_hide_what_is_not_listed(self, store: Store) -> None:
        """A table that is not listed is told only if all are asked for."""
        await show(store, listing("public"), listing("private", listed=False))

        assert [one.table for one in await store.listings()] == ["public"]
        assert {one.table for one in await store.listings(listed_only=False)} == {"public", "private"}

    @story
    async def test_tables_without_owners_come_longest_without_a_move_first(self, store: Store) -> None:
        """Open ones by the one time, those in play by the other; none that is over or has an owner."""
        kinds: tuple[Status, ...] = ("open", "playing", "finished", "abandoned")
        for number, status in enumerate(kinds):
            await show(
                store,
                listing(f"old-{status}", users=(), status=status, moved=10 - number),
                listing(f"new-{status}", users=(), status=status, moved=20),
                listing(f"own-{status}", users=("anna",), status=status, moved=1),
            )

        assert await store.unowned(10, 9) == ("old-playing", "old-open")
        assert await store.unowned(9, 20) == ("old-playing", "new-playing")
        assert await store.unowned(20, 20, limit=1) == ("old-playing",)

    @story
    async def test_listing_is_read_back_whole(self, store: Store) -> None:
        """Options, host, users and numbers of a listing survive; an unknown table has none."""
        shown = replace(
            listing(users=("anna", "ben"), listed=False),
            seats=(ListedSeat("anna"), ListedSeat("ben", "pk"), ListedSeat(None, "b3", "Chiyo “c” 🌱")),
            result=Result((7, 3, 7), (0, 10, 0), (1, 2, 1), (0, 2)),
            origin=True,
            lesson="first-game",
        )
        nobody = replace(listing("t2", users=()), host=None)
        await show(store, shown, nobody)

        assert await store.listing("t1") == shown
        assert await store.listing("t2") == nobody
        assert await store.listing("t3") is None

    @story
    async def test_listing_stays_where_an_append_names_none(self, store: Store) -> None:
        """A row without a listing leaves the table as it is shown."""
        await show(store, listing())
        await store.append(append(seq=2))

        assert await store.listing("t1") == listing()

    @story
    async def test_listings_of_a_user_are_those_of_his_seats(self, store: Store) -> None:
        """All tables where a user owns a seat, listed or not, over or not, newest move first."""
        await show(
            store,
            listing("t1", users=("anna", "ben"), moved=10),
            listing("t2", users=("ben",), moved=30),
            listing("t3", users=("anna",), status="finished", listed=False, moved=20),
        )

        assert [one.table for one in await store.listings_of("anna")] == ["t3", "t1"]
        assert [one.table for one in await store.listings_of("ben", limit=1)] == ["t2"]
        assert await store.listings_of("carl") == ()

    @story
    async def test_listings_of_a_user_leave_out_finished_games_first(self, store: Store) -> None:
        """A table over days that nobody has moved for long is among them, however many have ended since."""
        of: tuple[Status, ...] = ("playing", "finished", "open", "finished", "finished")
        tables = [listing(f"t{number}", status=one, moved=number) for number, one in enumerate(of)]
        await show(store, *tables)
        assert [one.table for one in await store.listings_of("anna", 3)] == ["t4", "t2", "t0"]
        assert [one.table for one in await store.listings_of("anna", 2)] == ["t2", "t0"]
        assert len(await store.listings_of("anna", 9)) == 5

    @story
    async def test_listings_of_a_host_need_no_seat(self, store: Store) -> None:
        """A table is among its host's tables, whether he sits or not, and leaves them with the role."""
        await show(store, replace(listing("t1", users=("ben",)), host="carl"))
        assert [one.table for one in await store.listings_of("carl")] == ["t1"]

        await show(store, replace(listing("t1", users=("ben", "dora")), host="ben"))
        assert await store.listings_of("carl") == ()

    @story
    async def test_listings_of_follow_the_seats(self, store: Store) -> None:
        """Who has left a seat loses the table, who has taken one gains it."""
        await show(store, listing(users=("anna", "ben")))
        await show(store, listing(users=("carl", "anna")))

        assert await store.listings_of("ben") == ()
        assert [one.table for one in await store.listings_of("carl")] == ["t1"]
        assert [one.table for one in await store.listings_of("anna")] == ["t1"]

    # grants

    @story
    async def test_grant_opens_one_table_to_one_user(self, store: Store) -> None:
        """Who was let in may enter there, and may be let in twice."""
        await store.grant("t1", "anna")
        await store.grant("t1", "anna")

        assert await store.granted("t1", "anna") is True
        assert await store.granted("t1", "ben") is False
        assert await store.granted("t2", "anna") is False

    @story
    async def test_append_revokes_with_its_row(self, store: Store) -> None:
        """Who loses his invitation loses it with the row, or not at all."""
        await store.grant("t1", "anna")
        await store.append(replace(append(seq=2), revokes=("anna",)))
        assert await store.granted("t1", "anna")

        await store.append(replace(append(seq=1), revokes=("anna", "ben")))
        assert not await store.granted("t1", "anna")

    @story
    async def test_append_deletes_the_links_of_whom_it_revokes(self, store: Store) -> None:
        """Those he made to this table, with its row or not at all; nobody else's, and to no other table."""
        await store.put_link(link("l1"))
        await store.put_link(link("l2", table="t2"))
        await store.put_link(link("l3", table=None, user="anna"))
        await store.put_link(replace(link("l4"), created_by="ben"))
        await store.append(replace(append(seq=2), revokes=("anna",)))
        assert await store.link("l1") is not None

        await store.append(replace(append(seq=1), revokes=("anna",)))
        kept = [digest for digest in ("l1", "l2", "l3", "l4") if await store.link(digest) is not None]
        assert kept == ["l2", "l3", "l4"]

    @story
    async def test_grants_are_revoked(self, store: Store) -> None:
        """Taking a grant back closes that table to that user alone; there need not be one."""
        await store.grant("t1", "anna")
        await store.grant("t1", "ben")
        await store.revoke_grants("t1", "anna")
        await store.revoke_grants("t1", "carl")

        assert await store.granted("t1", "anna") is False
        assert await store.granted("t1", "ben") is True

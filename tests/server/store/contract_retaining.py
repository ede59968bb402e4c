"""The contract of retention: what is due is found and deleted in pieces, and nothing else is touched."""

from __future__ import annotations

from msgspec.structs import replace

from bohn.protocol.room import Status
from bohn.server.store.operating import Closing, Deed, Sanction
from bohn.server.store.protocol import Append, SecretDeal, Session, Store, Timer
from bohn.server.store.retaining import NEVER, Guest, OverTable, Swept, Thinned
from tests.server.store.samples import AT, append, head, line, link, listing, report, row, session, user
from tests.server.store.telling import Stores, story

SETTLED = Deed(0, AT, "terminal:root", "settle", "", report=1)


async def stored(
    store: Store, table: str, status: Status = "finished", moved: int = AT, rows: int = 3, guest: str = "anna"
) -> None:
    """Store a table with all that a table may have."""
    shown = listing(table, status=status, moved=moved, users=(guest,))
    for seq in range(1, rows + 1):
        await store.append(
            Append(
                row=row(table, seq),
                listing=shown,
                timers=(Timer("seat", AT),),
                deal=SecretDeal(b"s" * 32, b"n" * 32),
                grants=(guest, "ben"),
            )
        )
    await store.put_link(link(f"link-{table}", table=table))
    await store.say(line(table))


async def left_of(store: Store, table: str) -> list[object]:
    """Return whatever is left of a table."""
    found: list[object] = [await store.rows(table), await store.listing(table), await store.deal(table)]
    found += [await store.timers(table), await store.links_of(table), await store.chat(table)]
    found += [await store.granted(table, "anna"), await store.find(table, "anna", "c1")]
    return [one for one in found if one]


class RetainingContract(Stores):
    """What is over, and how it goes."""

    @story
    async def test_tables_that_are_over_come_longest_first(self, store: Store) -> None:
        """Those of the status that have not moved since; of one moment by their ids, page by page."""
        for table, moved in (("t2", 20), ("t1", 20), ("t3", 10), ("t4", 21)):
            await stored(store, table, moved=moved)
        await stored(store, "t5", "playing", moved=1)
        await stored(store, "t6", "abandoned", moved=1, rows=2)

        found = await store.over("finished", 20)
        assert found == (
            OverTable("t3", "finished", 10, 3),
            OverTable("t1", "finished", 20, 3),
            OverTable("t2", "finished", 20, 3),
        )
        assert await store.over("finished", 20, (20, "t1"), 1) == found[2:]
        assert await store.over("finished", 20, limit=2) == found[:2]
        assert await store.over("abandoned", 20) == (OverTable("t6", "abandoned", 1, 2),)
        assert await store.over("finished", NEVER) == ()

    @story
    async def test_thinned_table_leaves_nothing(self, store: Store) -> None:
        """Its log and all that belongs to it goes; other tables keep everything."""
        await stored(store, "t1")
        await stored(store, "t2")
        before = await left_of(store, "t2")

        assert await store.thin(("t1",), "finished", AT, 99) == Thinned(3, 1)
        assert await left_of(store, "t1") == []
        assert await left_of(store, "t2") == before
        assert [one.table for one in await store.listings_of("anna")] == ["t2"]
        assert await store.thin(("t1",), "finished", AT, 99) == Thinned(0, 0)

    @story
    async def test_table_that_is_not_due_is_not_thinned(self, store: Store) -> None:
        """One that is open or in play, of another status, or has moved since, although it is named."""
        await stored(store, "open", "open", moved=1)
        await stored(store, "playing", "playing", moved=1)
        await stored(store, "abandoned", "abandoned", moved=1)
        await stored(store, "moved", moved=AT + 1)
        tables = ("open", "playing", "abandoned", "moved")
        before = [await left_of(store, table) for table in tables]

        assert await store.thin((*tables, "unknown"), "finished", AT, 99) == Thinned(0, 0)
        assert [await left_of(store, table) for table in tables] == before

    @story
    async def test_table_is_thinned_in_pieces_from_its_beginning(self, one: Store, two: Store) -> None:
        """It is listed until the last piece, so whoever comes next finds it and goes on."""
        await stored(one, "t1", rows=5)

        assert await one.thin(("t1",), "finished", AT, 2) == Thinned(2, 0)
        assert [row.seq for row in await two.rows("t1")] == [3, 4, 5]
        assert await two.over("finished", AT) == (OverTable("t1", "finished", AT, 5),)
        assert await two.thin(("t1",), "finished", AT, 4) == Thinned(2, 0)
        assert await two.thin(("t1",), "finished", AT, 6) == Thinned(1, 1)
        assert await left_of(one, "t1") == []

    @story
    async def test_closing_goes_with_its_table(self, store: Store) -> None:
        """What an operator did stays in the log of operators."""
        await stored(store, "t1", "playing")
        deed = await store.write_deed(replace(SETTLED, deed="close", report=0), Closing("t1", "Good night"))
        await store.append(Append(row=row("t1", 4), listing=listing("t1", status="abandoned")))
        await store.thin(("t1",), "abandoned", AT, 99)
        await stored(store, "t1", "playing")

        assert await store.closings() == ()
        assert await store.deeds() == (deed,)

    @story
    async def test_table_with_an_open_report_stays(self, store: Store) -> None:
        """With its chat: they show what happened; once something was done about it both may go."""
        await stored(store, "t1")
        await store.report(report())

        assert await store.over("finished", AT) == ()
        assert await store.thin(("t1",), "finished", AT, 99) == Thinned(0, 0)
        assert await store.sweep_chat(AT, ("", 0)) == Swept(0, ("t1", 1))
        await store.write_deed(SETTLED)
        assert await store.sweep_chat(AT, ("", 0)) == Swept(1, ("t1", 1))
        assert await store.thin(("t1",), "finished", AT, 99) == Thinned(3, 1)

    @story
    async def test_what_has_expired_is_dropped(self, store: Store) -> None:
        """Links by their time, cookies by their last use, a few at a time; tokens hold until revoked."""
        for digest, used, cookie in (("old", 10, True), ("new", 11, True), ("token", 1, False)):
            await store.put_session(Session(digest, "anna", 1, cookie=cookie, used=used))
        for digest, expires in (("l1", 20), ("l2", 21), ("l3", 19)):
            await store.put_link(replace(link(digest), expires=expires))

        assert await store.drop_expired(20, 10, 1) == 2
        assert await store.drop_expired(20, 10, 1) == 1
        assert {one.digest for one in await store.sessions_of("anna")} == {"new", "token"}
        assert [await store.link(name) is None for name in ("l1", "l2", "l3")] == [True, False, True]
        assert await store.drop_expired(20, 10) == 0

    @story
    async def test_chat_is_swept_page_by_page(self, store: Store) -> None:
        """Lines written by then go, whatever their table; the page says where the next one begins."""
        for table, at in (("t1", 5), ("t1", 6), ("t2", 5), ("t3", 5)):
            await store.say(replace(line(table), at=at))

        assert await store.sweep_chat(5, ("", 0), 3) == Swept(2, ("t2", 1))
        assert await store.sweep_chat(5, ("t2", 1), 3) == Swept(1, ("t3", 1))
        assert await store.sweep_chat(5, ("t3", 1), 3) == Swept(0, None)
        assert [one.at for one in await store.chat("t1")] == [6]
        assert (await store.say(line("t3"))).id == 2

    @story
    async def test_records_are_swept_page_by_page(self, store: Store) -> None:
        """Those stored by then go, whoever has stored them."""
        for record, at in (("r1", 5), ("r2", 6), ("r3", 5)):
            await store.keep_record(head(record, at=at), b"text", 9)

        assert await store.sweep_records(5, ("", 0), 2) == Swept(1, ("r2", 0))
        assert await store.sweep_records(5, ("r2", 0), 2) == Swept(1, ("r3", 0))
        assert await store.sweep_records(5, ("r3", 0), 2) == Swept(0, None)
        assert [one.id for one in await store.records_of("anna")] == ["r2"]

    @story
    async def test_guests_come_with_what_is_known_of_them(self, store: Store) -> None:
        """When they were here last, where they sit, and whether a token of theirs holds."""
        for number, name in enumerate(("a", "b", "c", "d")):
            await store.put_user(replace(user(name), id=name, created=number))
        await store.put_user(replace(user("e", bot=True), id="e", maker="b"))
        await store.put_session(replace(session("s1", user="a"), cookie=True, used=7))
        await store.put_session(replace(session("s2", user="a"), cookie=True, used=9))
        await store.put_session(session("s3", user="e"))
        await stored(store, "t1", "playing", guest="a")
        await stored(store, "t2", "finished", guest="c")
        await store.forget_user("d")

        found = await store.guests()
        assert found[:4] == (
            Guest("a", True, 0, 9, seated=True, playing=True, tokens=False),
            Guest("b", True, 1, None, seated=False, playing=False, tokens=True),
            Guest("c", True, 2, None, seated=True, playing=False, tokens=False),
            Guest("d", False, 3, None, seated=False, playing=False, tokens=False),
        )
        assert [guest.id for guest in await store.guests("b", 2)] == ["c", "d"]

    @story
    async def test_forgotten_users_go_once_they_sit_nowhere(self, store: Store) -> None:
        """Whoever has a name, a seat or a session stays."""
        for name in ("a", "b", "c", "d"):
            await store.put_user(replace(user(name), id=name))
        await stored(store, "t1", guest="c")
        for name in ("a", "c", "d"):
            await store.forget_user(name)
        await store.put_session(session("s1", user="d"))

        assert await store.drop_users(("a", "b", "c", "d", "e")) == 1
        assert (await store.users(("a", "b", "c", "d"))).keys() == {"b", "c", "d"}

    @story
    async def test_settled_reports_go_but_the_last_number_is_not_given_again(self, store: Store) -> None:
        """Else a new report would seem to be settled by what was done about the old one."""
        for at in (1, 2, 3, 4):
            await store.report(replace(report(), at=at))
        for number in (1, 2, 4):
            await store.write_deed(replace(SETTLED, report=number))

        assert await store.drop_reports(9, 1) == 1
        assert await store.drop_reports(9) == 1
        assert await store.drop_reports(9) == 0
        await store.report(replace(report(), at=5))
        found = {one.id: one.settled for one in await store.filed_reports()}
        assert found == {3: False, 4: True, 5: False}
        assert await store.drop_reports(9) == 1

    @story
    async def test_sanctions_go_once_they_have_ended(self, store: Store) -> None:
        """By their end or by an operator; those that hold stay, and so does the log of operators."""
        for name, until in (("s1", 5), ("s2", 6), ("s3", None), ("s4", None), ("s5", None)):
            begun = Sanction(name, "mute", "anna", None, 1, until, "rude")
            await store.write_deed(Deed(0, 1, "terminal:root", "mute", "anna", sanction=name), begun)
        for name, at in (("s3", 5), ("s4", 6)):
            await store.write_deed(Deed(0, at, "terminal:root", "lift", "anna", sanction=name))

        assert await store.drop_sanctions(5, 1) == 1
        assert await store.drop_sanctions(5) == 1
        assert await store.drop_sanctions(5) == 0
        assert [one.id for one in await store.sanctions(4)] == ["s2", "s5"]
        assert await store.drop_sanctions(9) == 2
        assert [one.id for one in await store.sanctions(9)] == ["s5"]
        assert len(await store.deeds()) == 7

    @story
    async def test_beats_go_but_for_the_last_one(self, store: Store) -> None:
        """A start goes on from it, however long ago it was."""
        for worker, at in (("a", 5), ("b", 7), ("c", 6)):
            await store.beat(worker, at)

        assert await store.drop_history(5) == 1
        assert await store.drop_history(9) == 1
        assert await store.drop_history(9) == 0
        assert await store.last_beat() == 7

    @story
    async def test_tables_without_a_move_come_longest_first(self, store: Store) -> None:
        """Those open or in play that have not moved since, whoever owns them."""
        for table, status, moved in (
            ("t1", "open", 9), ("t2", "playing", 5), ("t3", "finished", 1), ("t4", "abandoned", 1),
            ("t5", "playing", 10), ("t6", "open", 5),
        ):  # fmt: skip
            await stored(store, table, status, moved=moved)  # type: ignore[arg-type]  # - statuses

        assert await store.unmoved(9) == ("t2", "t6", "t1")
        assert await store.unmoved(9, 1) == ("t2",)
        assert await store.unmoved(4) == ()

    @story
    async def test_holdings_are_counted(self, store: Store) -> None:
        """What is over, what of it is due, and since when."""
        assert (await store.holdings(9, 9)).oldest is None
        for table, status, moved in (("t1", "finished", 5), ("t2", "finished", 9), ("t3", "abandoned", 7)):
            await stored(store, table, status, moved=moved)  # type: ignore[arg-type]  # - statuses
        await store.append(append("t4"))

        found = await store.holdings(5, NEVER)
        assert (found.over, found.due, found.oldest) == (3, 1, 5)

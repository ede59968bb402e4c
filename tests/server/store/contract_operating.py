"""The contract of operators: deeds with their effects, in order, whole or not at all."""

from __future__ import annotations

import asyncio

from msgspec.structs import replace

from bohn.server.store.operating import Closing, Deed, OperatorKey, Sanction, SetLimit, broken_at
from bohn.server.store.protocol import Append, Store
from tests.server.store.samples import AT, append, listing, report, session, user
from tests.server.store.telling import Stores, story

DEED = Deed(0, AT, "terminal:root", "ban", "anna", "Insults", AT + 50, "s1", 3)
SANCTION = Sanction("s1", "ban", "anna", None, AT, AT + 50, "Insults")
KEY = OperatorKey("d1", "k1", "link", AT, AT + 10, "127.0.0.1/32")


class OperatingContract(Stores):
    """What operators did, and what follows from it."""

    @story
    async def test_deeds_are_numbered_and_chained(self, store: Store) -> None:
        """Each is read back as it was written, behind the one before."""
        written = [await store.write_deed(replace(DEED, text=text)) for text in ("a", "b", "c")]

        assert [deed.id for deed in written] == [1, 2, 3]
        assert await store.deeds() == tuple(written)
        assert await store.deeds(after=2) == (written[2],)
        assert await store.last_deed() == 3
        assert broken_at(tuple(written)) is None
        assert broken_at((written[0], replace(written[1], text="x"), written[2])) == 2

    @story
    async def test_deeds_of_two_at_once_are_all_written(self, one: Store, two: Store) -> None:
        """Whoever comes second comes behind."""
        await asyncio.gather(*(store.write_deed(DEED) for store in (one, two) * 5))

        assert [deed.id for deed in await two.deeds()] == list(range(1, 11))
        assert broken_at(await one.deeds()) is None

    @story
    async def test_sanction_holds_until_its_end_or_until_it_is_lifted(self, store: Store) -> None:
        """The end itself is outside."""
        await store.write_deed(DEED, SANCTION)
        await store.write_deed(DEED, replace(SANCTION, id="s2", user=None, network="10.0.0.0/8", until=None))

        assert [one.id for one in await store.sanctions(AT + 49)] == ["s1", "s2"]
        assert await store.sanctions(AT + 50) == (
            replace(SANCTION, id="s2", user=None, network="10.0.0.0/8", until=None, deed=2),
        )
        await store.write_deed(replace(DEED, deed="lift", sanction="s2"))
        assert await store.sanctions(AT + 50) == ()

    @story
    async def test_closings_are_of_tables_that_are_not_over(self, store: Store) -> None:
        """An unknown table and one that is over need none."""
        await store.append(Append(row=append("t1").row, listing=listing("t1", status="playing")))
        await store.append(Append(row=append("t2").row, listing=listing("t2", status="abandoned")))
        for table in ("t1", "t2", "t3"):
            await store.write_deed(replace(DEED, deed="close"), Closing(table, "Good night"))

        assert await store.closings() == (Closing("t1", "Good night", 1),)

    @story
    async def test_limits_are_set_and_reset(self, store: Store) -> None:
        """The last value counts."""
        for value in (3.0, 0.5):
            await store.write_deed(replace(DEED, deed="limit", about="tables"), SetLimit("tables", value))
        assert await store.set_limits() == (SetLimit("tables", 0.5),)

        await store.write_deed(replace(DEED, deed="unlimit", about="tables"))
        assert await store.set_limits() == ()

    @story
    async def test_key_is_used_up_by_one_of_two(self, one: Store, two: Store) -> None:
        """However many try at once; expired ones go with the next that is made."""
        await one.write_deed(DEED, KEY)
        assert await two.operator_key("d1") == KEY
        got = await asyncio.gather(*(store.drop_operator_key("d1") for store in (one, two) * 3))
        assert sorted(got) == [False] * 5 + [True]

        await one.write_deed(DEED, KEY)
        await one.write_deed(replace(DEED, at=AT + 10), replace(KEY, digest="d2"))
        assert await one.operator_key("d1") is None
        assert await one.operator_key("d2") is not None

    @story
    async def test_reports_without_a_deed_come_first(self, store: Store) -> None:
        """Then the newest."""
        for at in (1, 2, 3):
            await store.report(replace(report(), at=at))
        await store.write_deed(replace(DEED, deed="settle", report=3))

        found = await store.filed_reports()
        assert [(one.id, one.settled) for one in found] == [(2, False), (1, False), (3, True)]
        assert [one.id for one in await store.filed_reports(report=1)] == [1]
        assert [deed.report for deed in await store.deeds_about(3)] == [3]
        assert (await store.counts()).reports == 2

    @story
    async def test_users_are_found_by_id_or_part_of_the_name(self, store: Store) -> None:
        """Letters that mean something to a database mean themselves; who was here last comes first."""
        for name in ("anna", "a_b%", "Hanna"):
            await store.put_user(user(name))
        await store.put_session(replace(session("d1", user=user("Hanna").id), used=77))

        assert [one.name for one in await store.find_users("ann")] == ["Hanna", "anna"]
        assert [one.used for one in await store.find_users("Hanna")] == [77]
        assert [one.name for one in await store.find_users("_")] == ["a_b%"]
        assert [one.name for one in await store.find_users(user("anna").id, 1)] != []
        assert (await store.counts()).people == 3

    @story
    async def test_users_are_found_whatever_the_case_of_their_letters(self, store: Store) -> None:
        """Of every script that has capitals."""
        for name in ("Änne", "ÖMER", "Анна"):
            await store.put_user(user(name))

        for sought, name in (("Än", "Änne"), ("änn", "Änne"), ("Ömer", "ÖMER"), ("АНН", "Анна")):
            assert [one.name for one in await store.find_users(sought)] == [name]

    @story
    async def test_nobody_is_found_by_what_no_name_can_have(self, store: Store) -> None:
        """Nor does a database choke on it."""
        await store.put_user(user("Anna"))

        for sought in ("a\0b", "\udcff", "\x1b"):
            assert await store.find_users(sought) == ()

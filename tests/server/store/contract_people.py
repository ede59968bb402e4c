"""The contract of people: users, sessions, links, chat, mutes, reports; what may be deleted is gone."""

from __future__ import annotations

import asyncio

from msgspec.structs import replace

from bohn.server.store.protocol import ChatLine, Report, Session, Store
from tests.server.store.samples import AT, head, line, link, report, session, user
from tests.server.store.telling import Stores, story


class PeopleContract(Stores):
    """Users and what they own."""

    @story
    async def test_users_are_kept_and_changed(self, store: Store) -> None:
        """A user is read back whole; what is put again replaces it."""
        anna, robot = user('Änn "chen" 🌱'), user("robot", bot=True)
        await store.put_user(anna)
        await store.put_user(robot)
        renamed = replace(anna, name="Anne", language="fr")
        assert await store.users((anna.id, robot.id, "nobody")) == {anna.id: anna, robot.id: robot}

        await store.put_user(renamed)
        assert await store.users((anna.id,)) == {anna.id: renamed}
        assert await store.users(()) == {}

    @story
    async def test_identity_is_a_session_and_whose_it_is(self, store: Store) -> None:
        """Both are read back whole, by nothing but the digest; a session of nobody is no identity."""
        anna = user("anna", bot=True)
        cookie = Session("d2", anna.id, AT, cookie=True, scopes=("read", "play"))
        await store.put_user(anna)
        await store.put_user(user("ben"))
        await store.put_session(session("d1", user=anna.id, created=30))
        await store.put_session(cookie)
        await store.put_session(session("d3", user="nobody"))

        assert await store.identity("d1") == (session("d1", user=anna.id, created=30), anna)
        assert await store.identity("d2") == (cookie, anna)
        assert await store.identity("d3") is None
        assert await store.identity("d4") is None

    @story
    async def test_sessions_of_a_user_come_oldest_first(self, store: Store) -> None:
        """All sessions of a user and of nobody else."""
        await store.put_session(session("d1", created=30))
        await store.put_session(session("d2", created=10))
        await store.put_session(session("d3", user="ben"))

        assert [one.digest for one in await store.sessions_of("anna")] == ["d2", "d1"]
        assert await store.sessions_of("carl") == ()

    @story
    async def test_bots_of_a_user_come_with_their_sessions(self, store: Store) -> None:
        """Who was made by him, oldest first, and by nobody else; a forgotten one is nobody's."""
        made = [
            replace(user(name, bot=True), created=at, maker="anna") for name, at in (("b", 30), ("c", 10))
        ]
        for one in (*made, user("Anna"), replace(user("d", bot=True), maker="ben")):
            await store.put_user(one)
            await store.put_session(session(f"session-{one.name}", user=one.id, created=one.created))

        assert await store.bots_of("anna") == (made[1], made[0])
        found = [one.digest for one in await store.sessions_of_bots("anna")]
        assert found == ["session-c", "session-b"]
        await store.forget_user(made[1].id)
        assert await store.bots_of("anna") == (made[0],)
        assert await store.bots_of("carl") == ()
        assert await store.sessions_of_bots("carl") == ()

    @story
    async def test_use_of_a_session_is_noted(self, store: Store) -> None:
        """Nothing else of it changes, and one that is gone does not come back."""
        await store.put_session(session("d1"))
        await store.note_use("d1", AT + 7)
        await store.note_use("d2", AT + 7)

        assert await store.sessions_of("anna") == (replace(session("d1"), used=AT + 7),)

    @story
    async def test_session_is_revoked_once(self, store: Store) -> None:
        """A revoked session is gone, and the second time there is nothing to revoke."""
        await store.put_session(session("d1"))

        assert await store.revoke_session("d1") is True
        assert await store.revoke_session("d1") is False
        assert await store.sessions_of("anna") == ()

    @story
    async def test_links_are_found_by_digest(self, store: Store) -> None:
        """A link to a table or to a user is read back whole, expired or not."""
        device = link("l2", table=None, user="anna")
        await store.put_link(link("l1"))
        await store.put_link(device)

        assert await store.link("l1") == link("l1")
        assert await store.link("l2") == device
        assert await store.link("l3") is None

    @story
    async def test_links_of_a_table_come_oldest_first(self, store: Store) -> None:
        """All links to one table; those to devices and to other tables are not among them."""
        await store.put_link(link("l1", created=30))
        await store.put_link(link("l2", created=10))
        await store.put_link(link("l3", table="t2"))
        await store.put_link(link("l4", table=None, user="anna"))

        assert [one.digest for one in await store.links_of("t1")] == ["l2", "l1"]

    @story
    async def test_link_is_used_by_exactly_one(self, one: Store, two: Store) -> None:
        """Of many who use a link at the same moment, through two stores, one gets it."""
        await one.put_link(link("l1"))
        got = await asyncio.gather(*(store.drop_link("l1") for store in (one, two) * 5))

        assert sorted(got) == [False] * 9 + [True]
        assert await two.link("l1") is None

    @story
    async def test_forgotten_user_keeps_nothing_but_the_id(self, store: Store) -> None:
        """Name, sessions, links, mutes, records and chat go, in reports too; the lines that went are told."""
        anna = replace(user("Anna"), id="anna")
        await store.put_user(anna)
        await store.put_session(session("d1", user="anna"))
        await store.put_link(link("l1"))
        await store.put_link(replace(link("l2", table=None, user="anna"), created_by="ben"))
        await store.set_mute("anna", "ben", on=True)
        for table, who in (("t2", "anna"), ("t1", "ben"), ("t1", "anna"), ("t1", "anna")):
            await store.say(line(table, who))
        await store.keep_record(head(), b"text", 20)
        await store.report(Report("t1", 2, "ben", "anna", 1, "said by Anna", "told by Ben"))
        await store.report(Report("t1", 1, "anna", "ben", 2, "said by Ben", "told by Anna"))

        assert await store.forget_user("anna") == (("t1", 2), ("t1", 3), ("t2", 1))
        assert [(one.text, one.reason) for one in await store.reports()] == [
            ("said by Ben", ""),
            ("", "told by Ben"),
        ]
        assert await store.users(("anna",)) == {"anna": replace(anna, name="")}
        assert await store.sessions_of("anna") == ()
        assert await store.link("l1") is None
        assert await store.link("l2") is None
        assert await store.mutes("anna") == frozenset()
        assert await store.records_of("anna") == ()
        assert await store.record_text("r1") is None
        assert [(one.id, one.user) for one in await store.chat("t1")] == [(1, "ben")]

    @story
    async def test_forgotten_user_is_not_named_again(self, store: Store) -> None:
        """A change of his that was under way when he was forgotten brings no name back."""
        anna = replace(user("Anna"), id="anna")
        await store.put_user(anna)
        await store.forget_user("anna")
        await store.put_user(replace(anna, name="Anna B."))
        assert (await store.users(("anna",)))["anna"].name == ""

    @story
    async def test_forgetting_leaves_everybody_else(self, store: Store) -> None:
        """What belongs to others stays; an unknown user is forgotten without a trace."""
        ben = replace(user("Ben"), id="ben")
        await store.put_user(ben)
        await store.put_session(session("d1", user="ben"))
        await store.put_link(replace(link("l1"), created_by="ben"))
        await store.set_mute("ben", "anna", on=True)
        await store.say(line(user="ben"))
        await store.keep_record(head(user="ben"), b"text", 20)

        assert await store.forget_user("anna") == ()
        assert await store.users(("anna", "ben")) == {"ben": ben}
        assert len(await store.sessions_of("ben")) == 1
        assert await store.link("l1") is not None
        assert await store.mutes("ben") == {"anna"}
        assert len(await store.chat("t1")) == 1
        assert await store.records_of("ben") == (head(user="ben"),)

    # records

    @story
    async def test_records_are_read_back_whole(self, store: Store) -> None:
        """What is known of a record, and its bytes, as they were; an unknown one has neither."""
        await store.keep_record(head(), bytes(range(256)), 20)

        assert await store.record_head("r1") == head()
        assert await store.record_text("r1") == bytes(range(256))
        assert await store.record_head("r2") is None
        assert await store.record_text("r2") is None

    @story
    async def test_records_of_a_user_come_newest_first(self, store: Store) -> None:
        """His own ones and nobody else's; of those of one moment, the last that was kept."""
        for one in (head("r1", at=10), head("r2", at=30), head("r3", at=10), head("r4", user="ben")):
            await store.keep_record(one, b"", 20)

        assert [one.id for one in await store.records_of("anna")] == ["r2", "r3", "r1"]
        assert await store.records_of("carl") == ()

    @story
    async def test_oldest_record_falls_out(self, store: Store) -> None:
        """Of a user's records only the last ones are stored; those of others are not counted."""
        await store.keep_record(head("b", user="ben", at=1), b"", 2)
        times = enumerate((10, 20, 30, 20))
        gone = [await store.keep_record(head(f"r{n}", at=at), b"", 2) for n, at in times]

        assert gone == [0, 0, 1, 1]
        assert [one.id for one in await store.records_of("anna")] == ["r2", "r3"]
        assert [one.id for one in await store.records_of("ben")] == ["b"]

    @story
    async def test_record_is_dropped_by_its_owner(self, store: Store) -> None:
        """Once, and by nobody else."""
        await store.keep_record(head(), b"", 20)

        assert await store.drop_record("ben", "r1") is False
        assert await store.drop_record("anna", "r1") is True
        assert await store.drop_record("anna", "r1") is False
        assert await store.record_head("r1") is None

    # chat

    @story
    async def test_lines_are_numbered_by_table(self, store: Store) -> None:
        """Numbers count from 1 at every table, whatever number a line comes with."""
        said = [await store.say(replace(line(table), id=77)) for table in ("t1", "t1", "t2")]

        assert [(one.table, one.id) for one in said] == [("t1", 1), ("t1", 2), ("t2", 1)]
        assert await store.chat("t1") == tuple(said[:2])

    @story
    async def test_quick_phrase_is_kept_as_its_key(self, store: Store) -> None:
        """A line without text has its key."""
        said = await store.say(ChatLine(0, "t1", "anna", AT, key="well-played"))

        assert await store.chat("t1") == (said,)
        assert (said.text, said.key) == ("", "well-played")

    @story
    async def test_chat_is_the_last_lines_behind_after(self, store: Store) -> None:
        """The newest lines up to the limit, oldest first."""
        for n in range(5):
            await store.say(line(text=str(n)))

        assert [one.id for one in await store.chat("t1", limit=2)] == [4, 5]
        assert [one.id for one in await store.chat("t1", after=3)] == [4, 5]
        assert [one.id for one in await store.chat("t1", after=1, limit=2)] == [4, 5]
        assert await store.chat("t1", after=5) == ()
        assert await store.chat("t1", limit=0) == ()
        assert await store.chat("t2") == ()

    @story
    async def test_deleted_line_is_gone_and_its_number_with_it(self, store: Store) -> None:
        """A line is deleted once; its number is never given again, not even that of the last one."""
        await store.say(line())
        await store.say(line())

        assert await store.delete_line("t1", 2) is True
        assert await store.delete_line("t1", 2) is False
        assert [one.id for one in await store.chat("t1")] == [1]
        assert (await store.say(line())).id == 3

    @story
    async def test_line_is_found_by_its_number(self, store: Store) -> None:
        """One line of one table; none that was deleted or never said."""
        said = [await store.say(line(text=str(n))) for n in range(3)]
        await store.delete_line("t1", 3)

        assert [await store.line("t1", number) for number in (1, 2, 3, 4, 0)] == [*said[:2], None, None, None]
        assert await store.line("t2", 1) is None

    @story
    async def test_oldest_lines_go(self, store: Store) -> None:
        """A chat keeps its last lines, another table's has nothing to do with it."""
        await store.say(line("t2"))
        for _ in range(5):
            await store.say(line())
        await store.say(line(), most=3)

        assert [one.id for one in await store.chat("t1")] == [4, 5, 6]
        assert [one.id for one in await store.chat("t2")] == [1]

    @story
    async def test_lines_said_at_once_have_different_numbers(self, one: Store, two: Store) -> None:
        """Whoever talks at the same moment, through whichever store, gets a number of his own."""
        said = await asyncio.gather(*(store.say(line()) for store in (one, two) * 10))

        assert sorted(line.id for line in said) == list(range(1, 21))

    @story
    async def test_mutes_are_set_and_taken_back(self, store: Store) -> None:
        """Whom a user does not want to read is his own list; twice is once."""
        for muted in ("ben", "ben", "carl"):
            await store.set_mute("anna", muted, on=True)
        assert await store.mutes("anna") == {"ben", "carl"}
        assert await store.mutes("ben") == frozenset()

        await store.set_mute("anna", "ben", on=False)
        await store.set_mute("anna", "dora", on=False)
        assert await store.mutes("anna") == {"carl"}

    @story
    async def test_reports_come_newest_first(self, store: Store) -> None:
        """The operator reads the latest reports, with their texts; of the same moment the last one first."""
        for number, at in ((1, 20), (2, 30), (3, 10), (4, 20)):
            await store.report(report(number, at))

        assert [one.line for one in await store.reports()] == [2, 4, 1, 3]
        assert await store.reports(limit=1) == (report(2, 30),)

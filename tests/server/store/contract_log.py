"""The contract of the log: appended at the next seq or not at all, each command once."""

from __future__ import annotations

import asyncio
from collections import Counter

from msgspec.structs import replace

from bohn.server.store.protocol import (
    Append,
    Committed,
    Conflict,
    Repeated,
    SecretDeal,
    Store,
    StoreUnavailable,
    Timer,
)
from tests.server.store.samples import append, head, line, link, listing, played, report, row, session, user
from tests.server.store.telling import Stores, story

DEAL = SecretDeal(bytes(range(32)), bytes(range(32, 64)))


def everything(table: str = "t1", seq: int = 1) -> Append:
    """Return an append with all that may come with a row."""
    return Append(
        row=row(table, seq),
        timers=(Timer("trading", 10), Timer("seat:1", None, 500)),
        listing=listing(table, users=("anna", "ben")),
        deal=DEAL,
        grants=("carl", "dora"),
    )


async def persist(store: Store, table: str, actor: str, command_id: str) -> int:
    """Append a command behind whatever stands there, as a table does, and return how often that took."""
    for attempt in range(1, 1_000):
        seq = (await store.heads((table,))).get(table, 0) + 1
        if isinstance(await store.append(append(table, seq, actor, command_id)), Committed):
            return attempt
    raise AssertionError(command_id)


class LogContract(Stores):
    """Appending, reading, finding."""

    @story
    async def test_append_keeps_the_first_row(self, store: Store) -> None:
        """A batch that is committed is read back as it was."""
        outcome = await store.append(append())

        assert outcome == Committed()
        assert await store.rows("t1") == (row(),)

    @story
    async def test_append_keeps_a_whole_game(self, store: Store) -> None:
        """Every command and event of a game played to its end is read back as it was, in order."""
        game = played("t1")
        for batch in game:
            await store.append(Append(row=batch))

        assert await store.rows("t1") == game

    @story
    async def test_append_keeps_texts_of_all_kinds(self, store: Store) -> None:
        """Quotes, backslashes, line ends and letters beyond the first plane survive."""
        strange = replace(row(actor='a"\\\n🌱'), command_id="'); DROP TABLE log; --")
        await store.append(Append(row=strange))

        assert await store.rows("t1") == (strange,)
        assert await store.find("t1", strange.actor, strange.command_id) == strange

    @story
    async def test_append_refuses_a_seq_that_is_taken(self, store: Store) -> None:
        """Whoever comes second at a seq gets a conflict, and the first row stays."""
        await store.append(append(actor="anna"))

        assert await store.append(append(actor="ben")) == Conflict()
        assert await store.rows("t1") == (row(actor="anna"),)

    @story
    async def test_append_refuses_a_gap(self, store: Store) -> None:
        """A row whose predecessor is missing is a conflict, in a new table and in a known one."""
        assert await store.append(append(seq=2)) == Conflict()
        await store.append(append(seq=1))
        assert await store.append(append(seq=3)) == Conflict()
        assert await store.heads(("t1",)) == {"t1": 1}

    @story
    async def test_append_of_a_known_command_tells_what_came_of_it(self, store: Store) -> None:
        """The same id of the same actor is answered with the first row, whatever its seq and content now."""
        await store.append(append(seq=1, command_id="once"))
        await store.append(append(seq=2))
        again = replace(row(seq=3, command_id="once"), digest="f" * 64)

        assert await store.append(Append(row=again)) == Repeated(row(seq=1, command_id="once"))
        assert await store.append(append(seq=1, command_id="once")) == Repeated(row(command_id="once"))
        assert await store.heads(("t1",)) == {"t1": 2}

    @story
    async def test_command_ids_belong_to_an_actor_and_a_table(self, store: Store) -> None:
        """The same id of somebody else, or at another table, is another command."""
        await store.append(append(command_id="c"))

        assert await store.append(append(seq=2, actor="ben", command_id="c")) == Committed()
        assert await store.append(append(table="t2", command_id="c")) == Committed()

    @story
    async def test_append_brings_everything_with_the_row(self, store: Store) -> None:
        """Timers, listing, deal and grants are there as soon as the row is."""
        await store.append(everything())

        assert await store.timers("t1") == (Timer("seat:1", None, 500), Timer("trading", 10))
        assert await store.listing("t1") == listing(users=("anna", "ben"))
        assert await store.deal("t1") == DEAL
        assert await store.granted("t1", "carl")
        assert await store.granted("t1", "dora")
        assert [one.table for one in await store.listings_of("ben")] == ["t1"]

    @story
    async def test_append_that_conflicts_brings_nothing(self, store: Store) -> None:
        """Without its row nothing else of an append is kept."""
        await store.append(everything(seq=2))

        assert await store.timers("t1") == ()
        assert await store.listing("t1") is None
        assert await store.deal("t1") is None
        assert not await store.granted("t1", "carl")
        assert await store.listings_of("anna") == ()

    @story
    async def test_append_that_is_repeated_changes_nothing(self, store: Store) -> None:
        """A resent command neither sets timers nor grants anything again."""
        await store.append(append(command_id="once"))
        again = replace(everything(seq=2), row=row(seq=2, command_id="once"))

        assert isinstance(await store.append(again), Repeated)
        assert await store.timers("t1") == ()
        assert await store.listing("t1") is None
        assert not await store.granted("t1", "carl")

    @story
    async def test_append_keeps_the_rows_behind_its_own(self, store: Store) -> None:
        """A table that begins with a past begins with all of it, and goes on behind it."""
        game = played("t1")
        await store.append(Append(row=game[0], behind=game[1:700], listing=listing("t1")))

        assert await store.rows("t1") == game[:700]
        assert await store.find("t1", game[5].actor, game[5].command_id) == game[5]
        assert await store.append(Append(row=game[5])) == Repeated(game[5])
        if len(game) > 700:
            assert await store.append(Append(row=game[700])) == Committed()

    @story
    async def test_append_that_conflicts_brings_no_rows_behind_it(self, store: Store) -> None:
        """Of two tables with a past that are opened at once, one is, and wholly."""
        one = [row(seq=seq, actor="anna") for seq in range(1, 5)]
        two = [row(seq=seq, actor="ben") for seq in range(1, 4)]
        outcomes = await asyncio.gather(
            *(store.append(Append(row=rows[0], behind=tuple(rows[1:]))) for rows in (one, two))
        )

        assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Committed", "Conflict"]
        assert await store.rows("t1") in (tuple(one), tuple(two))

    @story
    async def test_deal_of_the_first_row_stays(self, store: Store) -> None:
        """A table's secret is never replaced."""
        await store.append(replace(append(), deal=DEAL))
        await store.append(replace(append(seq=2), deal=SecretDeal(b"x" * 32, b"y" * 32)))

        assert await store.deal("t1") == DEAL
        assert await store.deal("t2") is None

    @story
    async def test_rows_begin_behind_after_and_end_at_limit(self, store: Store) -> None:
        """A gap is read from where the reader stands, oldest first."""
        for seq in range(1, 6):
            await store.append(append(seq=seq))

        assert [one.seq for one in await store.rows("t1", 2)] == [3, 4, 5]
        assert [one.seq for one in await store.rows("t1", 1, 2)] == [2, 3]
        assert await store.rows("t1", 0, 0) == ()
        assert await store.rows("t1", 5) == ()
        assert await store.rows("t2") == ()

    @story
    async def test_rows_of_a_long_table_come_whole_and_in_order(self, store: Store) -> None:
        """A log of some hundred rows is read without gaps, with a limit beyond one portion too."""
        for seq in range(1, 452):
            await store.append(append(seq=seq))

        assert [one.seq for one in await store.rows("t1")] == list(range(1, 452))
        assert [one.seq for one in await store.rows("t1", 10, 390)] == list(range(11, 401))

    @story
    async def test_find_knows_what_came_of_a_command(self, store: Store) -> None:
        """A command is found by table, actor and id, and by nothing less."""
        await store.append(append(actor="anna", command_id="c"))

        assert await store.find("t1", "anna", "c") == row(actor="anna", command_id="c")
        assert await store.find("t1", "ben", "c") is None
        assert await store.find("t2", "anna", "c") is None
        assert await store.find("t1", "anna", "d") is None

    @story
    async def test_heads_are_the_last_seqs_of_tables_that_exist(self, store: Store) -> None:
        """Many tables are asked at once; unknown ones are left out."""
        await store.append(append("t1", 1))
        await store.append(append("t1", 2))
        await store.append(append("t2", 1))

        assert await store.heads(("t2", "t1", "t3")) == {"t1": 2, "t2": 1}
        assert await store.heads(()) == {}

    @story
    async def test_every_store_sees_at_once_what_another_committed(self, one: Store, two: Store) -> None:
        """What is acknowledged here is read there."""
        for seq in range(1, 20):
            await (one if seq % 2 else two).append(append(seq=seq))
            assert await (two if seq % 2 else one).heads(("t1",)) == {"t1": seq}

    @story
    async def test_race_for_a_seq_has_one_winner(self, one: Store, two: Store) -> None:
        """Of many appends to the same place, through two stores at once, exactly one is committed."""
        appends = [(one, append(actor=f"a{n}")) for n in range(20)]
        appends += [(two, append(actor=f"b{n}")) for n in range(20)]
        outcomes = await asyncio.gather(*(store.append(what) for store, what in appends))

        assert Counter(map(type, outcomes)) == {Committed: 1, Conflict: 39}
        (winner,) = await one.rows("t1")
        won = outcomes.index(Committed())
        assert winner == appends[won][1].row

    @story
    async def test_race_of_one_command_is_won_once(self, one: Store, two: Store) -> None:
        """A command sent twice at the same moment, to two stores, is done once and told twice."""
        outcomes = await asyncio.gather(
            *(store.append(append(command_id="c")) for store in (one, two, one, two))
        )

        assert Counter(map(type, outcomes)) == {Committed: 1, Repeated: 3}
        assert {one.row for one in outcomes if isinstance(one, Repeated)} == {row(command_id="c")}

    @story
    async def test_race_at_a_table_loses_and_doubles_nothing(self, one: Store, two: Store) -> None:
        """Players at two stores who read anew after a conflict all get their commands in, once each."""
        commands = [(store, f"p{n}", f"c{k}") for k in range(4) for n, store in enumerate((one, two) * 4)]
        await asyncio.gather(*(persist(store, "t1", actor, name) for store, actor, name in commands))
        log = await one.rows("t1")

        assert [batch.seq for batch in log] == list(range(1, len(commands) + 1))
        assert Counter((batch.actor, batch.command_id) for batch in log) == Counter(
            (actor, name) for _, actor, name in commands
        )

    @story
    async def test_appends_at_once_do_not_hurt_each_other(self, store: Store) -> None:
        """Among many appends at the same moment each is judged by itself: good, late or known."""
        await store.append(append("known", command_id="c"))
        wanted = {f"t{n}": append(f"t{n}", 1) for n in range(30)}
        mixed = [
            *wanted.values(),
            append("gap", 2),
            append("known", 2, command_id="c"),
            append("t3", 1, "ben"),
        ]
        outcomes = await asyncio.gather(*map(store.append, mixed))

        assert outcomes[:30] == [Committed()] * 30
        assert outcomes[30:] == [Conflict(), Repeated(row("known", command_id="c")), Conflict()]
        assert await store.heads((*wanted, "gap")) == dict.fromkeys(wanted, 1)

    @story
    async def test_appends_in_a_row_at_once_stand_in_a_row(self, store: Store) -> None:
        """Rows of one table that are sent together, in order, are all committed; the last timers count."""
        appends = [replace(append(seq=seq), timers=(Timer("k", seq),)) for seq in range(1, 9)]

        assert await asyncio.gather(*map(store.append, appends)) == [Committed()] * 8
        assert await store.timers("t1") == (Timer("k", 8),)

    @story
    async def test_closed_store_says_so(self, store: Store) -> None:
        """After close every method refuses with the kind ``closed``; a second close does nothing."""
        await store.close()
        await store.close()
        calls = (
            store.append(append()), store.rows("t1"), store.news("t1", 0), store.find("t1", "anna", "c"),
            store.heads(("t1",)), store.deal("t1"), store.timers("t1"), store.due(1),
            store.beat("w", 1), store.last_beat(),
            store.credit("w", 1), store.try_reading(), store.listings(), store.listings_of("anna"),
            store.listing("t1"),
            store.grant("t1", "anna"), store.revoke_grants("t1", "anna"), store.granted("t1", "anna"),
            store.put_user(user()), store.users(("anna",)), store.forget_user("anna"),
            store.put_session(session()), store.identity("d"), store.sessions_of("anna"),
            store.revoke_session("d"), store.put_link(link()), store.link("l"), store.links_of("t1"),
            store.drop_link("l"), store.say(line()), store.chat("t1"), store.delete_line("t1", 1),
            store.set_mute("anna", "ben", on=True), store.mutes("anna"), store.report(report()),
            store.reports(), store.keep_record(head(), b"", 1), store.record_head("r"),
            store.record_text("r"), store.records_of("anna"), store.drop_record("anna", "r"),
        )  # fmt: skip
        answers = await asyncio.gather(*calls, return_exceptions=True)

        assert [getattr(answer, "kind", answer) for answer in answers] == ["closed"] * len(calls)
        assert {type(answer) for answer in answers} == {StoreUnavailable}

    @story
    async def test_opened_again_store_has_everything(self, store: Store) -> None:
        """What was kept before the close is there after the next open."""
        await store.append(everything())
        await store.close()
        await store.open()

        assert await store.rows("t1") == (row(),)
        assert await store.append(append(seq=2)) == Committed()

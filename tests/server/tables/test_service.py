"""Commands into the log and out to everybody."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
from msgspec.structs import replace

from bohn.notation.deals import commitment, seed_of
from bohn.notation.records import read_record, verify
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Options
from bohn.protocol.room_commands import EndTable, GiveSalt, Pause, Rematch, Resume, Sit, Stand, Start
from bohn.rules.beans import Bean
from bohn.rules.commands import DeclineOffer, MakeOffer, Pass, Plant, SetWish
from bohn.rules.errors import IllegalCommand
from bohn.rules.legal import waiting
from bohn.rules.state import Copy, EndPhase, TradePhase
from bohn.server.store.protocol import Append, Outcome, StoreUnavailable
from tests.patience import PATIENCE
from tests.server.support.memory_store import MemoryStore
from tests.server.support.tables import Ear, House, workers

THREE = ("anna", "bert", "cleo")


def run(test: Coroutine[Any, Any, None]) -> None:
    """Run a test's coroutine, and fail if it hangs or leaves a task behind."""

    async def whole() -> None:
        await asyncio.wait_for(test, PATIENCE)
        left = asyncio.all_tasks() - {asyncio.current_task()}
        assert not left, left

    asyncio.run(whole())


def refused(caught: pytest.ExceptionInfo[Refusal]) -> Problem:
    """Return why."""
    return caught.value.problem


# -- the way of a command --------------------------------------------------------------------------


def test_command_is_acknowledged_before_it_is_shown() -> None:
    """The sender learns his seq before any viewer gets the batch."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*THREE)
        ear, seen = Ear(), []
        await house.tables.watch(table, "anna", ear, None)
        seq = await house.do(
            table,
            "anna",
            SetWish(0, Bean.SOY, "want"),
            lambda seq: seen.append((seq, len(ear.of("batch")))),
        )
        assert seen == [(seq, 0)]
        assert [batch["seq"] for batch in ear.of("batch")] == [seq]
        await house.end()

    run(test())


def test_command_is_done_once_however_often_it_is_sent() -> None:
    """A resend of the same id and content returns the same seq and adds no row."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*THREE)
        wish = SetWish(0, Bean.SOY, "want")
        first = await house.do(table, "anna", wish, name="same")
        for other in range(40):  # long enough that it is no longer remembered in memory
            await house.do(table, "anna", SetWish(0, Bean.SOY, "none" if other % 2 == 0 else "want"))
        assert await house.do(table, "anna", wish, name="same") == first
        rows = await house.store.rows(table)
        assert sum(row.command_id == "same" for row in rows) == 1
        await house.end()

    run(test())


def test_command_id_with_other_content_is_refused() -> None:
    """The same id with another command is refused, and nothing happens."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*THREE)
        seq = await house.do(table, "anna", SetWish(0, Bean.SOY, "want"), name="same")
        with pytest.raises(Refusal) as caught:
            await house.do(table, "anna", SetWish(0, Bean.SOY, "spare"), name="same")
        assert refused(caught) is Problem.COMMAND_ID_REUSED
        assert (await house.store.heads((table,)))[table] == seq
        await house.end()

    run(test())


def test_command_id_belongs_to_its_sender() -> None:
    """Two users may use the same id."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*THREE)
        first = await house.do(table, "anna", SetWish(0, Bean.SOY, "want"), name="same")
        second = await house.do(table, "bert", SetWish(1, Bean.SOY, "want"), name="same")
        assert second == first + 1
        await house.end()

    run(test())


def test_refused_command_leaves_no_row() -> None:
    """A command the rules refuse changes nothing and is decided anew when it comes again."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*THREE)
        head = (await house.store.heads((table,)))[table]
        with pytest.raises(IllegalCommand):
            await house.do(table, "anna", Pass(0), name="again")
        assert (await house.store.heads((table,)))[table] == head
        await house.end()

    run(test())


def test_hidden_batch_is_a_seq_and_nothing_else() -> None:
    """Who may not see a refusal gets its seq alone, with the next batch; its maker and its author see it."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*THREE)
        active = await house.until_trading(table, THREE)
        state = (await house.tables.peek(table)).state
        assert state is not None
        assert isinstance(state.phase, TradePhase)
        to, third = (active + 1) % 3, (active + 2) % 3
        bean = state.phase.face_up[0]
        await house.do(table, THREE[active], MakeOffer(active, (to,), face_up=(Copy(0, bean),)))
        ears = {name: Ear() for name in THREE}
        for name, ear in ears.items():
            await house.tables.watch(table, name, ear, None)
        seq = await house.do(table, THREE[to], DeclineOffer(to, 1, 1))
        await house.do(table, THREE[third], SetWish(third, Bean.SOY, "want"))
        assert ears[THREE[third]].raw[-2] == b'{"type":"batch","seq":%d}' % seq
        assert ears[THREE[third]].events == ["wish-set"]
        for name in (THREE[active], THREE[to]):
            assert ears[name].events == ["offer-declined", "wish-set"]
        await house.end()

    run(test())


@pytest.mark.parametrize(
    ("user", "command", "problem"),
    [
        ("anna", Plant(1, 0), Problem.NOT_YOUR_SEAT),
        ("dora", Plant(0, 0), Problem.NOT_SEATED),
        ("bert", Pause(), Problem.NOT_HOST),
        ("anna", GiveSalt("zz"), Problem.ALREADY_STARTED),
        ("dora", Sit(), Problem.ALREADY_STARTED),
        ("anna", Rematch(), Problem.NOT_FINISHED),
    ],
)
def test_command_of_the_wrong_person_or_time_is_refused(user: str, command: Any, problem: Problem) -> None:
    """Another one's seat, no seat, no host, too early, too late: each has its own code."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*THREE)
        with pytest.raises(Refusal) as caught:
            await house.do(table, user, command)
        assert refused(caught) is problem
        await house.end()

    run(test())


def test_paused_table_refuses_the_game_and_goes_on_afterwards() -> None:
    """While the host pauses no game command is taken."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*THREE)
        wish = SetWish(1, Bean.SOY, "want")
        await house.do(table, "anna", Pause())
        with pytest.raises(Refusal) as caught:
            await house.do(table, "bert", wish)
        assert refused(caught) is Problem.TABLE_PAUSED
        await house.do(table, "anna", Resume())
        await house.do(table, "bert", wish)
        await house.end()

    run(test())


def test_unlisted_table_does_not_exist_for_strangers() -> None:
    """Whoever was not invited gets the same answer as for a table that never was."""

    async def test() -> None:
        house = await House().begin()
        table = await house.tables.open_table("anna", Options())
        for name in (table, "0" * 24):
            with pytest.raises(Refusal) as caught:
                await house.tables.welcome(name, "dora")
            assert refused(caught) is Problem.NO_SUCH_TABLE
        await house.store.grant(table, "dora")
        assert (await house.tables.welcome(table, "dora")).seat is None
        await house.end()

    run(test())


# -- the store -------------------------------------------------------------------------------------


class Stubborn(MemoryStore):
    """A store that cannot write while ``full``."""

    full = False

    async def append(self, append: Append) -> Outcome:
        """Refuse while there is no room."""
        if self.full:
            raise StoreUnavailable("full", "no room")
        return await super().append(append)


def test_full_store_refuses_and_nothing_is_shown() -> None:
    """What is not on the disk is neither acknowledged nor shown; afterwards the same id is done."""

    async def test() -> None:
        store = Stubborn()
        house = await House(store=store).begin()
        table = await house.table(*THREE)
        ear = Ear()
        acks: list[int] = []
        await house.tables.watch(table, "bert", ear, None)
        wish = SetWish(0, Bean.SOY, "want")
        store.full = True
        with pytest.raises(Refusal) as caught:
            await house.do(table, "anna", wish, acks.append, name="w")
        assert refused(caught) is Problem.NOT_SAVED
        assert (acks, ear.of("batch")) == ([], [])
        store.full = False
        seq = await house.do(table, "anna", wish, acks.append, name="w")
        assert acks == [seq]
        assert [batch["seq"] for batch in ear.of("batch")] == [seq]
        await house.end()

    run(test())


def test_cancelled_waiter_does_not_undo_his_command() -> None:
    """A socket that breaks while its command is committed loses the answer, not the deed."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*THREE)
        ear = Ear()
        await house.tables.watch(table, "bert", ear, None)
        sending = asyncio.create_task(house.do(table, "anna", SetWish(0, Bean.SOY, "want"), name="w"))
        await asyncio.sleep(0)
        sending.cancel()
        await house.clock.settle()
        assert len(ear.of("batch")) == 1
        await house.end()

    run(test())


# -- two processes ---------------------------------------------------------------------------------


def test_two_services_share_one_table() -> None:
    """Commands through two processes get their own seq each; both show everything in the same order."""

    async def test() -> None:
        one, two = await workers()
        table = await one.table(*THREE)
        here, there = Ear(), Ear()
        await one.tables.watch(table, "anna", here, None)
        await two.tables.watch(table, "bert", there, None)
        first = (await one.store.heads((table,)))[table] + 1
        marks = ["want", "none"] * 10
        beans = [Bean.SOY] * 20
        for mark, bean in zip(marks, beans, strict=True):
            await asyncio.gather(
                one.do(table, "anna", SetWish(0, bean, mark), name=f"a{one.fresh_id()}"),  # type: ignore[arg-type]  # - a mark, from a list
                two.do(table, "bert", SetWish(1, bean, mark), name=f"b{two.fresh_id()}"),  # type: ignore[arg-type]  # - a mark, from a list
            )
        await one.clock.advance(one.settings.times.sweep + 1)
        expected = list(range(first, first + 40))
        assert [batch["seq"] for batch in here.of("batch")] == expected
        assert [batch["seq"] for batch in there.of("batch")] == expected
        await one.end()
        await two.end()

    run(test())


def test_worker_that_is_behind_refuses_nothing_that_is_legal_now() -> None:
    """What another worker has written meanwhile is read before anybody is refused."""

    async def test() -> None:
        one, two = await workers(deaf=True)
        table = await one.table("anna", "bert", start=False)
        await two.tables.peek(table)
        await one.do(table, "cleo", Sit())
        await two.do(table, "anna", Start(), name="start")
        assert (await two.tables.peek(table)).state is not None
        await one.end()
        await two.end()

    run(test())


# -- deals and ends ----------------------------------------------------------------------------------


def test_deal_follows_from_the_commitment_and_all_salts() -> None:
    """The seed is made of the committed secret and everybody's salt; both are published at the end."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table("anna", "bert", start=False, salt="0a")
        published = (await house.tables.welcome(table, "anna")).room.commitment
        await house.do(table, "bert", GiveSalt("ffee"))
        await house.do(table, "anna", Start(fill="pk"))
        state = (await house.tables.peek(table)).state
        assert (await house.tables.welcome(table, "anna")).room.reveal is None
        await house.do(table, "anna", EndTable())
        room = (await house.tables.welcome(table, "anna")).room
        assert room.status == "abandoned"
        assert room.reveal is not None
        secret, nonce = bytes.fromhex(room.reveal.secret), bytes.fromhex(room.reveal.nonce)
        assert commitment(secret, nonce) == published
        assert room.reveal.salts == ("0a", "ffee", "", "")[: len(room.seats)]
        assert state is not None
        assert state.seed == seed_of(secret, room.reveal.salts)
        await house.end()

    run(test())


async def play_to_the_end(house: House, table: str, people: tuple[str, ...]) -> None:
    """Let everybody do the first legal thing the game waits for."""
    while True:
        peek = await house.tables.peek(table)
        assert peek.state is not None
        if isinstance(peek.state.phase, EndPhase):
            return
        seat = waiting(peek.rules, peek.state)[0]
        choices = (await house.tables.legal(table, people[seat])).choices
        assert choices is not None
        wanted = [
            c for c in choices.legal if type(c).__name__ in ("EndTrading", "Reveal", "Plant", "PlantSetAside")
        ]
        await house.do(table, people[seat], (wanted or choices.legal)[-1])


def test_finished_game_gives_a_record_that_verifies() -> None:
    """The record leaves the server after the end, not before; it proves its deal."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*THREE)
        with pytest.raises(Refusal) as caught:
            await house.tables.record(table, "anna")
        assert refused(caught) is Problem.NOT_FINISHED
        await play_to_the_end(house, table, THREE)
        record = read_record(await house.tables.record(table, "anna"))
        assert isinstance(verify(record).phase, EndPhase)
        assert record.header.seats == ("Anna", "Bert", "Cleo")
        listing = await house.store.listing(table)
        assert listing is not None
        assert listing.status == "finished"
        await house.end()

    run(test())


def test_rematch_opens_one_table_for_the_same_company() -> None:
    """Whoever asks first opens the next table; everybody of this one may enter it, its bots sit there."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table("anna", "bert", options=Options(players=3))
        await house.do(table, "anna", EndTable())
        await house.do(table, "bert", Rematch())
        following = (await house.tables.welcome(table, "anna")).room.rematch
        assert following is not None
        room = (await house.tables.welcome(following, "anna")).room
        assert room.host == "bert"
        assert room.seats[2].bot == "pk"
        assert room.options == replace((await house.tables.welcome(table, "anna")).room.options)
        with pytest.raises(Refusal) as caught:
            await house.do(table, "anna", Rematch())
        assert refused(caught) is Problem.REMATCH_MADE
        await house.end()

    run(test())


def test_stand_hands_the_seat_over_and_an_own_command_takes_it_back() -> None:
    """Who leaves during the game keeps his seat; his own next move takes it back from the bot."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*THREE)
        await house.do(table, "bert", Stand())
        assert (await house.tables.welcome(table, "bert")).room.seats[1].bot == "pk"
        ear = Ear()
        await house.tables.watch(table, "anna", ear, None)
        await house.do(table, "bert", SetWish(1, Bean.SOY, "want"))
        assert ear.events == ["taken-back", "wish-set"]
        assert (await house.tables.welcome(table, "bert")).room.seats[1].bot is None
        await house.end()

    run(test())


def test_stopped_server_says_goodbye_and_takes_no_more() -> None:
    """At a graceful stop every viewer is told, and nothing is taken that would be lost."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*THREE)
        ear = Ear()
        await house.tables.watch(table, "anna", ear, None)
        await house.end()
        assert ear.cut_for == "server-stopping"
        with pytest.raises(Refusal) as caught:
            await house.do(table, "anna", SetWish(0, Bean.SOY, "want"))
        assert refused(caught) is Problem.SERVER_STOPPING

    run(test())

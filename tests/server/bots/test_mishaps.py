"""What goes wrong at a table with bots, and what is done for clocks that expired and seats that come late."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from bohn.protocol.refusals import Problem, Refusal
from bohn.rules.commands import AnyCommand, Plant
from bohn.rules.errors import IllegalCommand, Reason
from bohn.rules.resolve import resolve
from bohn.rules.state import EndPhase
from bohn.server.bots.messages import Question, load_players
from bohn.server.bots.pool import BotFailed
from bohn.server.bots.seats import BotSeats
from bohn.server.bots.table_memory import game_events, knowledge_from_log
from bohn.server.bots.table_memory import learnt as learnt_from
from bohn.server.clock import SystemClock
from bohn.server.settings import Settings, Times
from bohn.server.store.protocol import LogRow
from bohn.views.knowledge import Knowledge
from tests.server.bots.actors import ActorHouse, ask_for, staged
from tests.server.bots.company import BotHouse, HomePool, Scripted
from tests.server.bots.players import WHERE
from tests.server.support.tables import Ear, House

BEGINS = ("starter=seat:0",)
TINY = Times(
    bot_move=(1, 4), bot_delay=(1, 4), bot_chatter=(1, 2), bot_beside_people=(5, 8), bot_quiet=20,
    bot_open=(5, 10), collect=2, last_call=30, poll=10, beat=600_000,
    bot_limit=250,
)  # fmt: skip


# -- what goes wrong -----------------------------------------------------------------------------------


class Refusing:
    """Tables that refuse the commands of bots for a while; all else is the real ones."""

    def __init__(self, tables: Any, reasons: list[Exception]) -> None:
        self.tables = tables
        self.reasons = reasons
        self.tried: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.tables, name)

    async def execute_for_bot(self, table: str, seat: int, command_id: str, command: AnyCommand) -> int:
        """Refuse, or do it."""
        self.tried.append(command_id)
        if self.reasons:
            raise self.reasons.pop(0)
        seq: int = await self.tables.execute_for_bot(table, seat, command_id, command)
        return seq


@pytest.mark.parametrize(
    "reason",
    [
        Refusal(Problem.NOT_SAVED),
        Refusal(Problem.COMMAND_ID_REUSED),
        IllegalCommand(Reason.HAND_CHANGED, "OFFER-1"),
        RuntimeError("an error in the tables"),
    ],
)
def test_refused_bot_looks_again(reason: Exception) -> None:
    """Whatever the table says, a seat the game waits for tries again, with the same id for the same batch."""

    async def act(house: ActorHouse) -> None:
        tables = Refusing(house.tables, [reason] * 4)
        house.seats._tables = tables
        table = await house.company("pk", "anna", "pk", house_rules=BEGINS)
        seq = len(await house.rows(table))
        await house.wait(60_000)

        assert tables.tried[:5] == [f"bot:0:{seq}:0"] * 5
        assert len(await house.rows(table)) > seq

    staged(act)


def test_refused_bot_gives_up_in_the_trading() -> None:
    """Where nobody waits for it, a bot that is refused again and again stops trying."""

    async def act(house: ActorHouse) -> None:
        house.actors.says = lambda question: ask_for(1, 0) if question.tries == 5 else None
        await house.trading("anna", "pk", "no-trade")
        tables = Refusing(house.tables, [Refusal(Problem.NOT_SAVED)] * 100)
        house.seats._tables = tables
        await house.wait(60_000)
        tried = len(tables.tried)
        await house.wait(60_000)

        assert 2 <= len(tables.tried) == tried <= 7

    staged(act)


def test_refused_end_of_trading_is_tried_again() -> None:
    """A bot whose end of trading was not taken tries again after another silence."""

    async def act(house: ActorHouse) -> None:
        await house.trading("pk", "anna", "no-trade")
        tables = Refusing(house.tables, [Refusal(Problem.NOT_SAVED)] * 2)
        house.seats._tables = tables
        await house.wait(24_000)

        assert len(tables.tried) >= 3
        assert any(type(command).__name__ == "EndTrading" for _, command in await house.commands())

    staged(act)


def test_move_of_another_process_makes_a_bot_look_again() -> None:
    """If the game went on while the bot was deciding, its decision is thrown away."""

    async def act(house: ActorHouse) -> None:
        table = await house.company("pk", "anna", "pk", house_rules=BEGINS)
        moved: list[AnyCommand] = []
        usual = house.actors.decide

        async def slow(question: Question) -> Any:
            answer = await usual(question)
            if not moved:
                moved.append(Plant(0, 1))
                await house.tables.execute_for_bot(table, 0, "another:0", Plant(0, 1))
            return answer

        house.actors.decide = slow  # type: ignore[method-assign]  # - slower than any bot
        await house.wait(2_600)
        rows = [row for row in await house.rows(table) if row.cause == "bot"]

        assert [row.command_id.split(":")[2] for row in rows[1:2]] == [str(rows[0].seq)]

    staged(act)


def test_relieved_after_three_breaks() -> None:
    """A bot that has broken three times at a table is replaced there by the default one."""

    async def play() -> None:
        pool = HomePool()
        house = await BotHouse(pool).begin()
        await house.play_out(await house.company("raising", "no-trade", "no-trade"))

        assert len([question for question in pool.questions if question.bot == "raising"]) == 3
        assert [question.bot for question in pool.questions if question.seat == 0][-1] == "pk"
        await house.end()

    asyncio.run(play())


def test_hanging_and_crashing_bots_hold_no_table_up() -> None:
    """Beside bots that hang or end their process, this table and another one come to the end."""

    async def play() -> None:
        settings = Settings(times=TINY)
        house = BotHouse(times=TINY, clock=SystemClock())
        house.seats = BotSeats(house.tables, settings, SystemClock(), Random(1), players=WHERE)
        await house.begin()
        tables = [await house.company("hanging", "crashing", "pk"), await house.company("pk", "b3", "b6")]
        for table in tables:
            assert (await house.over(table)).room.status == "finished"
        await house.end()
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(play())


def test_two_servers_at_one_table_do_nothing_twice() -> None:
    """Two processes that both play the bots of a table bring one game to its end, each move once."""

    async def play() -> None:
        one = BotHouse(HomePool(), seed=1)
        other = House(one.settings, one.store, one.clock, one.entropy, bots=load_players(WHERE))
        pool = HomePool()
        rivals = BotSeats(other.tables, one.settings, one.clock, Random(2), players=WHERE, pool=pool)
        await one.begin()
        await other.tables.start(rivals)
        table = await one.company("pk", "b3", "no-trade", "random-trader")
        await other.tables.watch(table, "host", Ear(), None)
        peek = await one.play_out(table)
        rows = [row for row in await one.rows(table) if row.cause == "bot"]
        mirrored = await other.tables.peek(table)

        assert isinstance(peek.state and peek.state.phase, EndPhase)
        assert len({(row.actor, row.command_id) for row in rows}) == len(rows)
        assert mirrored.seq <= peek.seq
        assert len(pool.questions) > 100
        await other.tables.stop()
        await one.end()

    asyncio.run(play())


# -- expired clocks ------------------------------------------------------------------------------------


def choose(pool: Any, **change: Any) -> tuple[AnyCommand | None, Any]:
    """Return what is chosen for seat 0 in the plant phase, and the peek it was chosen for."""

    async def play() -> tuple[AnyCommand | None, Any]:
        house = await BotHouse(pool).begin()
        table = await house.company("anna", "bert", "carl", house_rules=BEGINS)
        peek = replace(await house.peek(table), **change)
        chosen = await house.seats.choose(peek, 0)
        await house.end()
        return chosen, peek

    return asyncio.run(play())


def test_choice_is_that_of_the_default_bot() -> None:
    """For an expired clock PK decides, whoever sits there."""
    pool = HomePool()
    chosen, _ = choose(pool)

    assert isinstance(chosen, Plant)
    assert [question.bot for question in pool.questions] == ["pk"]


def test_no_choice_for_whom_nobody_waits() -> None:
    """Before the deal, in the trading and for other seats there is nothing to choose."""

    async def act(house: ActorHouse) -> None:
        await house.trading("anna", "bert", "carl")
        peek = await house.peek(house.table_id)
        assert [await house.seats.choose(peek, seat) for seat in (0, 1, 7)] == [None] * 3
        assert await house.seats.choose(replace(peek, state=None), 0) is None

    staged(act)


@pytest.mark.parametrize(
    "failure", [BotFailed("hung"), BotFailed("stopped"), BotFailed("broken"), RuntimeError("x")]
)
def test_choice_is_made_even_if_no_bot_can_be_asked(failure: Exception) -> None:
    """An expired clock never waits: then the first legal command that moves on is played."""
    chosen, _ = choose(Scripted(lambda _: failure))

    assert isinstance(chosen, Plant)


# -- knowledge -----------------------------------------------------------------------------------------


def learnt(rows: tuple[LogRow, ...], seat: int) -> list[Knowledge | None]:
    """Return what a seat knew after each batch."""
    rules = resolve("full", 3, *BEGINS)
    knowledge: Knowledge | None = None
    found: list[Knowledge | None] = []
    for row in rows:
        events = game_events(row.events)
        if knowledge is None:
            knowledge = knowledge_from_log(rules, (row,), row.seq, seat)
        else:
            knowledge = learnt_from(knowledge, events, seat)
        found.append(knowledge)
    return found


@pytest.mark.parametrize("name", ["knowing", "modest"])
def test_bot_that_uses_knowledge_is_handed_all_of_it(name: str) -> None:
    """At every look such a bot knows what its seat has seen since the deal, however it says so."""

    async def play() -> None:
        pool = HomePool()
        house = BotHouse(pool)
        house.seats._log = house.store.rows if name == "modest" else None
        await house.begin()
        table = await house.company(name, "random-trader", "pk", house_rules=BEGINS)
        await house.play_out(table)
        questions = [question for question in pool.questions if question.seat == 0 and question.bot == name]
        known = learnt(await house.rows(table), 0)

        assert len(questions) > 100
        assert all(question.knowledge in known for question in questions[:: max(1, len(questions) // 30)])
        assert {question.bot for question in pool.questions if question.seat == 0} == {name}
        await house.end()

    asyncio.run(play())


@pytest.mark.parametrize("log", [True, False])
def test_knowledge_after_the_table_was_reloaded(log: bool) -> None:
    """With the log at hand nothing is forgotten; without it, a bot begins with what it sees."""

    async def play() -> None:
        pool = HomePool()
        house = BotHouse(pool)
        house.seats._log = house.store.rows if log else None
        await house.begin()
        table = await house.company("knowing", "b3", "pk", house_rules=BEGINS)
        await house.clock.advance(10_000)
        house.drop(table)
        pool.questions.clear()
        await house.tables.watch(table, "host", Ear(), None)
        await house.clock.advance(2_000)
        looks = [question.knowledge for question in pool.questions if question.seat == 0]
        known = learnt(await house.rows(table), 0)

        assert looks
        assert all((look in known) is log for look in looks)
        await house.end()

    asyncio.run(play())

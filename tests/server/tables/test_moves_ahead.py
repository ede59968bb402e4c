"""Moves set ahead at a table over days, and moves without a choice, with what led there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import Literal

import pytest
from msgspec.structs import replace

from bohn.notation.records import LEFT
from bohn.protocol.away import HarvestAhead, MoveAhead, PlantAhead, RevealAhead, Terms
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Options
from bohn.protocol.room_commands import Pause, Resume, Stand
from bohn.rules.beans import Bean
from bohn.rules.commands import Command, Harvest, Pass, Plant, Reveal, SetWish
from bohn.rules.legal import legal_commands, waiting
from bohn.rules.state import EndPhase, PlantPhase, State, TradePhase
from bohn.server.room.ahead import only_move
from bohn.server.room.clocks import DECISION
from bohn.server.settings import Limits, Settings
from bohn.server.store.formats import MOVES
from bohn.server.store.protocol import Append, LogRow, Outcome
from tests.server.support.memory_store import Backing, MemoryStore
from tests.server.support.tables import Ear, House
from tests.server.tables.test_service import THREE, refused
from tests.server.tables.test_timing import FirstChoice

DAYS = Options(players=3, clock="8h")


class Table:
    """A table over days at which the first player is to plant."""

    def __init__(self, house: House, table: str, state: State) -> None:
        self.house, self.table = house, table
        self.first = state.active_player
        self.next = (self.first + 1) % 3

    async def ahead(self, seat: int, move: MoveAhead) -> str:
        """Set a move ahead; return its id."""
        await self.house.tables.add_instruction(self.table, THREE[seat], move)
        return (await self.house.tables.away(self.table, THREE[seat])).moves[-1].id

    async def carried(self, seat: int) -> list[int]:
        """Return how often each move of a seat was made."""
        return [one.carried for one in (await self.house.tables.away(self.table, THREE[seat])).moves]

    async def state(self) -> State:
        """Return the game."""
        state = (await self.house.tables.peek(self.table)).state
        assert state is not None
        return state

    async def card(self, seat: int, place: int = 0) -> Bean:
        """Return a card of a hand."""
        return (await self.state()).players[seat].hand[place]

    async def do(self, seat: int, command: Command) -> None:
        """Do a command of a seat."""
        await self.house.do(self.table, THREE[seat], command)

    async def rows(self) -> tuple[LogRow, ...]:
        """Return the log."""
        return await self.house.store.rows(self.table)

    async def made(self) -> list[object]:
        """Return the commands that were made for somebody, in their order."""
        return [row.command for row in await self.rows() if row.cause in LEFT]

    async def on(self, random: Random) -> bool:
        """Let somebody whom the game waits for do something, passing first; return whether it goes on."""
        peek = await self.house.tables.peek(self.table)
        assert peek.state is not None
        if isinstance(peek.state.phase, EndPhase):
            return False
        seat = random.choice(waiting(peek.rules, peek.state))
        legal = legal_commands(peek.rules, peek.state, seat)
        passing = [one for one in legal if isinstance(one, Pass)]
        await self.do(seat, random.choice(passing or legal))
        return True

    async def to_turn_of(self, seat: int) -> None:
        """Play on until it is the turn of a seat."""
        random = Random(1)
        while (await self.state()).active_player != seat:
            await self.on(random)


Story = Callable[[Table], Awaitable[None]]


def tell(story: Story, store: MemoryStore | None = None) -> None:
    """Run a story at a fresh table over days."""

    async def run() -> None:
        house = await House(store=store).begin(FirstChoice())
        table = await house.table(*THREE, options=DAYS)
        state = (await house.tables.peek(table)).state
        assert state is not None
        await story(Table(house, table, state))
        await house.end()

    asyncio.run(run())


def test_planting_set_ahead_is_made_when_the_turn_comes() -> None:
    """Its player is not there: his first bean stands on the field he named, and the move is used up."""

    async def story(at: Table) -> None:
        bean = await at.card(at.next)
        await at.ahead(at.next, PlantAhead(bean, 1))
        await at.to_turn_of(at.next)
        assert (await at.made())[-1] == Plant(at.next, 1)
        assert (await at.state()).players[at.next].fields[1] == (bean,)
        assert await at.carried(at.next) == [1]

    tell(story)


def test_what_is_made_goes_into_the_log_with_what_led_there() -> None:
    """One transaction: no crash parts them. Everybody is told, by the cause, that it was set ahead."""
    appends: list[Append] = []

    class Counting(MemoryStore):
        async def append(self, append: Append) -> Outcome:
            appends.append(append)
            return await super().append(append)

    async def story(at: Table) -> None:
        await at.ahead(at.first, PlantAhead(await at.card(at.first, 1), 1))
        ear = Ear()
        await at.house.tables.watch(at.table, None, ear, None)
        await at.do(at.first, Plant(at.first, 0))
        append = appends[-1]
        assert [row.command for row in (append.row, *append.behind)] == [
            Plant(at.first, 0), Plant(at.first, 1)
        ]  # fmt: skip
        assert [batch["cause"] for batch in ear.of("batch")] == ["player", "ahead"]

    tell(story, Counting())


def test_log_tells_what_was_set_ahead_from_the_only_move() -> None:
    """Somebody sets plantings ahead, and a whole game is played: the server makes moves of both sorts."""

    async def story(at: Table) -> None:
        for field in (0, 1):
            await at.ahead(at.next, PlantAhead(await at.card(at.next), field))
        random = Random(2)
        while await at.on(random):
            pass
        made = [(row.cause, row.command) for row in await at.rows() if row.cause in LEFT]
        set_ahead = [command for cause, command in made if cause == "ahead"]
        assert Plant(at.next, 0) in set_ahead
        assert len(set_ahead) == sum(await at.carried(at.next))
        assert any(cause == "forced" for cause, _ in made)

    tell(story)


def test_cards_are_turned_over_behind_the_plantings() -> None:
    """Whatever the order in which they were listed."""

    async def story(at: Table) -> None:
        await at.ahead(at.first, RevealAhead())
        await at.ahead(at.first, PlantAhead(await at.card(at.first, 1), 1))
        await at.do(at.first, Plant(at.first, 0))
        assert await at.made() == [Plant(at.first, 1), Reveal(at.first)]
        assert isinstance((await at.state()).phase, TradePhase)

    tell(story)


def test_move_that_is_possible_already_is_made_at_once() -> None:
    """No clock need run out first; harvest and planting of one move count once."""

    async def story(at: Table) -> None:
        await at.do(at.first, Plant(at.first, 0))
        second = await at.card(at.first)
        assert (await at.state()).players[at.first].fields[0] != (second,)
        await at.ahead(at.first, PlantAhead(second, 0, harvest=True, times=2))
        assert await at.made() == [Harvest(at.first, 0), Plant(at.first, 0)]
        assert await at.carried(at.first) == [1]

    tell(story)


def test_move_that_was_taken_back_is_not_made() -> None:
    """Nor one that is left where it is not possible; the game waits for its player."""

    async def story(at: Table) -> None:
        second = await at.card(at.first, 1)
        dropped = await at.ahead(at.first, PlantAhead(second, 1))
        await at.ahead(at.first, PlantAhead(second, 0))
        await at.house.tables.drop_instruction(at.table, THREE[at.first], dropped)
        await at.do(at.first, Plant(at.first, 0))
        assert await at.made() == []
        assert isinstance((await at.state()).phase, PlantPhase)

    tell(story)


def test_move_that_is_taken_back_while_it_is_decided_is_not_made() -> None:
    """The command that would have brought it about is decided anew, without it."""

    class TakenBack(MemoryStore):
        async def append(self, append: Append) -> Outcome:
            if append.instructions:
                (left,) = await self.instructions_at(append.row.table)
                await self.drop_instruction(left.table, left.user, left.id)
            return await super().append(append)

    async def story(at: Table) -> None:
        await at.ahead(at.first, PlantAhead(await at.card(at.first, 1), 1))
        await at.do(at.first, Plant(at.first, 0))
        assert await at.made() == []
        assert [row.command for row in await at.rows()][-1] == Plant(at.first, 0)

    tell(story, TakenBack())


def test_possible_move_that_is_taken_back_at_once_is_not_made() -> None:
    """Not even if that happens between setting it ahead and making it."""

    class TakenBack(MemoryStore):
        async def append(self, append: Append) -> Outcome:
            for left in await self.instructions_at(append.row.table):
                await self.drop_instruction(left.table, left.user, left.id)
            return await super().append(append)

    async def story(at: Table) -> None:
        move = PlantAhead(await at.card(at.first), 1)
        await at.house.tables.add_instruction(at.table, THREE[at.first], move)
        assert await at.made() == []

    tell(story, TakenBack())


def test_nothing_is_made_in_a_pause() -> None:
    """It is made once the table goes on."""

    async def story(at: Table) -> None:
        bean = await at.card(at.first)
        await at.house.do(at.table, THREE[0], Pause())
        await at.ahead(at.first, PlantAhead(bean, 1))
        assert await at.made() == []
        await at.house.do(at.table, THREE[0], Resume())
        assert await at.made() == [Plant(at.first, 1)]

    tell(story)


def test_nothing_is_made_for_a_seat_that_a_computer_player_has_taken_over() -> None:
    """What its owner has left rests until he takes the seat back."""

    async def story(at: Table) -> None:
        await at.house.do(at.table, THREE[at.first], Stand())
        await at.ahead(at.first, PlantAhead(await at.card(at.first), 1))
        assert await at.made() == []

    tell(story)


def test_move_is_shown_to_its_owner_alone() -> None:
    """Setting it ahead writes nothing, and nobody else learns of it."""

    async def story(at: Table) -> None:
        rows = await at.rows()
        await at.ahead(at.next, HarvestAhead(0, 4))
        assert await at.rows() == rows
        assert (await at.house.tables.away(at.table, THREE[at.first])).moves == ()

    tell(story)


def test_moves_of_one_moment_are_listed_as_they_were_set() -> None:
    """Whatever their ids."""

    async def story(table: Table) -> None:
        moves = [HarvestAhead(0, least) for least in range(13, 3, -1)]
        for move in moves:
            await table.ahead(table.next, move)
        away = await table.house.tables.away(table.table, THREE[table.next])
        assert [one.move for one in away.moves] == moves

    tell(story)


def test_nobody_sets_more_than_twelve_moves_ahead() -> None:
    """Orders are counted for themselves."""

    async def story(at: Table) -> None:
        for _ in range(12):
            await at.ahead(at.first, RevealAhead())
        with pytest.raises(Refusal) as caught:
            await at.ahead(at.first, RevealAhead())
        assert refused(caught) is Problem.TOO_MANY
        await at.house.tables.add_instruction(at.table, THREE[at.first], Terms(give=Bean.RED))

    tell(story)


def test_moves_that_are_used_up_do_not_count() -> None:
    """They stay in the list, but take nobody's place."""

    async def story(at: Table) -> None:
        await at.ahead(at.first, PlantAhead(await at.card(at.first), 1))
        assert await at.carried(at.first) == [1]
        for _ in range(12):
            await at.ahead(at.next, RevealAhead())
            await at.ahead(at.first, HarvestAhead(0, 24))
        assert len(await at.carried(at.first)) == 13

    tell(story)


def test_move_set_ahead_is_refused_while_a_worker_does_not_know_it() -> None:
    """An older program on the same database could not read it."""

    async def story(at: Table) -> None:
        at.house.tables._ownership.writes = lambda number: number < MOVES  # type: ignore[method-assign]  # - an older worker is there
        with pytest.raises(Refusal) as caught:
            await at.ahead(at.first, RevealAhead())
        assert refused(caught) is Problem.NOT_SAVED
        await at.house.tables.add_instruction(at.table, THREE[at.first], Terms(give=Bean.RED))

    tell(story)


def test_move_with_a_kind_that_is_not_in_play_is_refused() -> None:
    """Nothing is left behind."""

    async def story(at: Table) -> None:
        kinds = (await at.house.tables.peek(at.table)).rules.kinds
        with pytest.raises(Refusal) as caught:
            await at.ahead(at.first, PlantAhead(next(bean for bean in Bean if bean not in kinds), 0))
        assert refused(caught) is Problem.ORDER_NOT_VALID
        assert await at.house.store.instructions_at(at.table) == ()

    tell(story)


@pytest.mark.parametrize("seed", range(6))
def test_game_over_days_never_waits_for_a_move_without_a_choice(seed: int) -> None:
    """Each is made at once, in whole games, and the log folds to what the table shows."""

    async def story(at: Table) -> None:
        random = Random(seed)
        while await at.on(random):
            peek = await at.house.tables.peek(at.table)
            assert peek.state is not None
            for seat in waiting(peek.rules, peek.state):
                if not isinstance(peek.state.phase, TradePhase):
                    assert only_move(peek.rules, peek.state, seat) is None
        assert await at.made() != []

    tell(story)


def test_move_that_was_not_made_when_it_was_set_goes_before_the_choice_of_the_clock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The store was lost just then: no clock chooses for whoever is away, nor counts it as missed."""
    backing = Backing()
    backing = Backing()

    async def story(at: Table) -> None:
        async def lost(*_: object) -> int:
            raise Refusal(Problem.NOT_SAVED)

        with monkeypatch.context() as patch:
            patch.setattr(at.house.tables._log, "do", lost)
            await at.ahead(at.first, PlantAhead(await at.card(at.first), 1))
        assert await at.made() == []
        key = f"{DECISION}:{at.first}"
        due = replace(backing.timers[at.table][key], due=at.house.clock.now())
        backing.timers[at.table][key] = due  # no test waits for hours
        await at.house.clock.advance(1_000)
        assert await at.made() == [Plant(at.first, 1)]
        assert not [row for row in await at.rows() if row.cause == "clock"]
        assert (await at.house.tables.peek(at.table)).room.seats[at.first].misses == 0

    tell(story, MemoryStore(backing))


def test_last_command_of_a_full_log_is_written_with_all_that_follows_it() -> None:
    """Refused for want of a row it would leave a table that neither goes on nor is given up as full."""

    async def run() -> None:
        house = await House(Settings(limits=Limits(log_rows=7))).begin()
        table = await house.table(*THREE, options=DAYS)
        rows = len(await house.store.rows(table))
        marks: tuple[Literal["want", "none"], ...] = ("want", "none")
        seat = (await house.tables.peek(table)).state.active_player  # type: ignore[union-attr]  # - it is dealt
        await house.tables.add_instruction(table, THREE[seat], RevealAhead())
        for mark in marks[: 6 - rows]:
            await house.do(table, THREE[seat], SetWish(seat, Bean.SOY, mark))
        await house.do(table, THREE[seat], Plant(seat, 0))
        made = [row.command for row in await house.store.rows(table)]
        assert made[6:8] == [Plant(seat, 0), Reveal(seat)]
        await house.clock.settle()
        assert (await house.tables.peek(table)).room.status == "abandoned"
        await house.end()

    asyncio.run(run())

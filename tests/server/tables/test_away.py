"""What people leave with a table over days: their word that they are done, and orders that are refused."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest

from bohn.protocol.away import Terms
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Options
from bohn.protocol.room_commands import BeDone, EndTable
from bohn.rules.beans import Bean
from bohn.rules.commands import Pass
from bohn.rules.legal import waiting
from bohn.rules.state import TradePhase
from bohn.server.tables.away import MOST_LEFT
from bohn.server.tables.turns import awaited
from tests.server.support.over_days import OPTIONS, PEOPLE, Hall, tell
from tests.server.support.tables import House

# -- being done ------------------------------------------------------------------------------------------


def test_whoever_is_done_passes_at_the_beat() -> None:
    """Not before, behind the orders, and everybody sees that he will."""

    async def story(hall: Hall) -> None:
        await hall.leave_two()
        await hall.do(hall.you, BeDone())
        for ear in hall.ears.values():
            assert ear.events[-1] == "done-given"
        room = (await hall.house.tables.peek(hall.table)).room
        assert room.done == (hall.other,)
        phase = (await hall.state()).phase
        assert isinstance(phase, TradePhase)
        assert phase.passes == ()
        await hall.beat()
        phase = (await hall.state()).phase
        assert isinstance(phase, TradePhase)
        assert phase.passes == (hall.other,)
        assert len(await hall.traded()) == 1

    tell(story)


def test_word_is_taken_back() -> None:
    """Then nothing is passed at the beat."""

    async def story(hall: Hall) -> None:
        await hall.do(hall.you, BeDone())
        await hall.do(hall.you, BeDone(done=False))
        await hall.beat()
        phase = (await hall.state()).phase
        assert isinstance(phase, TradePhase)
        assert phase.passes == ()

    tell(story)


def test_whoever_is_done_is_waited_for_again_behind_the_beat() -> None:
    """Till then nothing is his to do; a turn that begins for him at the beat is told like any other."""

    async def story(hall: Hall) -> None:
        async def waited() -> frozenset[str]:
            return awaited((await hall.house.tables.loaded.get(hall.table)).snapshot)

        before = await waited()
        assert hall.you in before
        await hall.do(hall.you, BeDone())
        assert await waited() == before - {hall.you}
        await hall.do(hall.you, BeDone(done=False))
        assert await waited() == before
        for user in PEOPLE:
            await hall.do(user, BeDone())
        assert await waited() == frozenset()
        await hall.beat()
        snapshot = (await hall.house.tables.loaded.get(hall.table)).snapshot
        assert snapshot.state is not None
        assert await waited() == {PEOPLE[seat] for seat in waiting(snapshot.rules, snapshot.state)} != set()

    tell(story)


def test_trading_ends_at_the_beat_at_which_all_are_done() -> None:
    """And the word of each holds for that one alone."""

    async def story(hall: Hall) -> None:
        for user in PEOPLE:
            await hall.do(user, BeDone())
        assert isinstance((await hall.state()).phase, TradePhase)
        await hall.beat()
        assert not isinstance((await hall.state()).phase, TradePhase)
        assert (await hall.house.tables.peek(hall.table)).room.done == ()

    tell(story)


def test_trading_ends_where_the_others_have_passed_themselves() -> None:
    """A word and passes count together."""

    async def story(hall: Hall) -> None:
        for seat, user in enumerate(PEOPLE):
            await hall.do(user, BeDone() if seat == hall.seat else Pass(seat))
        await hall.beat()
        assert not isinstance((await hall.state()).phase, TradePhase)

    tell(story)


# -- what is refused -------------------------------------------------------------------------------------


async def refused(asked: Awaitable[Any]) -> Problem:
    """Return why something is refused."""
    with pytest.raises(Refusal) as caught:
        await asked
    return caught.value.problem


def test_orders_are_for_people_with_a_seat() -> None:
    """Whoever watches has nothing to give."""

    async def story(hall: Hall) -> None:
        tables = hall.house.tables
        for asked in (
            tables.away(hall.table, "eva"),
            tables.add_instruction(hall.table, "eva", Terms(give=hall.mine)),
            tables.drop_instruction(hall.table, "eva", "o1"),
        ):
            assert await refused(asked) is Problem.NOT_SEATED

    tell(story)


@pytest.mark.parametrize("terms", [Terms(), Terms(give=Bean.WAX, take=Bean.WAX)])
def test_order_that_can_never_be_met_is_refused(terms: Terms) -> None:
    """Nothing is stored."""

    async def story(hall: Hall) -> None:
        asked = hall.house.tables.add_instruction(hall.table, hall.me, terms)
        assert await refused(asked) is Problem.ORDER_NOT_VALID
        assert await hall.house.store.instructions_at(hall.table) == ()

    tell(story)


def test_orders_of_one_at_a_table_have_a_limit() -> None:
    """Each has his own."""

    async def story(hall: Hall) -> None:
        for _ in range(MOST_LEFT):
            await hall.leave(hall.me, Terms(give=hall.mine))
        asked = hall.house.tables.add_instruction(hall.table, hall.me, Terms(give=hall.mine))
        assert await refused(asked) is Problem.TOO_MANY
        await hall.leave(hall.you, Terms(give=hall.mine))

    tell(story)


def test_orders_are_left_while_the_game_is_on() -> None:
    """Not before its deal, and not behind its end."""

    async def run() -> None:
        house = await House().begin()
        table = await house.table(*PEOPLE, options=OPTIONS, start=False)
        gift = Terms(give=Bean.WAX)
        assert await refused(house.tables.add_instruction(table, "anna", gift)) is Problem.NOT_STARTED
        table = await house.table(*PEOPLE, options=OPTIONS)
        await house.do(table, "anna", EndTable())
        assert await refused(house.tables.add_instruction(table, "anna", gift)) is Problem.TABLE_OVER
        await house.end()

    asyncio.run(run())


def test_tables_with_other_clocks_have_no_orders() -> None:
    """Nor a word for the next beat: there is none."""

    async def run() -> None:
        house = await House().begin()
        table = await house.table(*PEOPLE, options=Options(players=4, clock="slow"))
        for asked in (
            house.tables.away(table, "anna"),
            house.tables.add_instruction(table, "anna", Terms(give=Bean.WAX)),
            house.tables.drop_instruction(table, "anna", "o1"),
            house.do(table, "anna", BeDone()),
        ):
            assert await refused(asked) is Problem.NOT_OVER_DAYS
        await house.end()

    asyncio.run(run())


def test_game_that_trades_with_no_offers_takes_no_orders() -> None:
    """In Das Duell nobody offers anything to anybody."""

    async def run() -> None:
        house = await House().begin()
        table = await house.table("anna", "bert", options=Options("das-duell", 2, clock="8h"))
        asked = house.tables.add_instruction(table, "anna", Terms(give=Bean.WAX))
        assert await refused(asked) is Problem.ORDER_NOT_VALID
        await house.end()

    asyncio.run(run())

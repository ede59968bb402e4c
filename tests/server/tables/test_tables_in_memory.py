"""How many tables there may be, and which are in memory."""

from __future__ import annotations

import pytest

from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Options
from bohn.rules.beans import Bean
from bohn.rules.commands import SetWish
from bohn.server.settings import Limits, Settings, Times
from tests.server.support.tables import House
from tests.server.tables.test_service import THREE, refused, run

# -- memory ----------------------------------------------------------------------------------------


def test_idle_table_leaves_memory_and_comes_back_whole() -> None:
    """A table nobody looks at is dropped; whoever comes later finds it as it was."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*THREE)
        before = await house.tables.peek(table)
        await house.clock.advance(house.settings.times.idle_table * 2)
        assert house.tables.loaded.find(table) is None
        after = await house.tables.peek(table)
        assert (after.seq, after.state, after.room) == (before.seq, before.state, before.room)
        await house.end()

    run(test())


def test_log_of_a_table_is_bounded() -> None:
    """A table that was talked full takes no more."""

    async def test() -> None:
        house = await House(Settings(limits=Limits(log_rows=8))).begin()
        table = await house.table(*THREE)
        for mark in ("want", "none", "want"):
            await house.do(table, "anna", SetWish(0, Bean.SOY, mark))
        with pytest.raises(Refusal) as caught:
            await house.do(table, "anna", SetWish(0, Bean.SOY, "none"))
        assert refused(caught) is Problem.TABLE_OVER
        await house.end()

    run(test())


def test_tables_left_behind_do_not_count() -> None:
    """Whoever has left tables behind long ago may open new ones."""

    async def test() -> None:
        limits, times = Limits(tables_a_user=1), Times(stale_table=1_000)
        house = await House(Settings(limits=limits, times=times)).begin()
        await house.table("anna", start=False)
        await house.clock.advance(1_001)
        assert await house.tables.open_table("anna", Options())
        await house.end()

    run(test())


def test_user_has_a_bounded_number_of_tables() -> None:
    """Nobody fills the server with tables."""

    async def test() -> None:
        house = await House(Settings(limits=Limits(tables_a_user=2))).begin()
        for _ in range(2):
            await house.table("anna", start=False)
        with pytest.raises(Refusal) as caught:
            await house.tables.open_table("anna", Options())
        assert refused(caught) is Problem.TOO_MANY
        await house.end()

    run(test())

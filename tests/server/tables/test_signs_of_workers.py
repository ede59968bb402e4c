"""Signs that people give while beans are traded, where several workers serve the table."""

from __future__ import annotations

from msgspec.structs import replace

from bohn.rules.commands import EndTrading
from bohn.rules.state import TradePhase
from tests.server.support.shared_memory_store import SharedMemoryStore
from tests.server.support.tables import Ear, House, workers
from tests.server.tables.test_service import THREE, run
from tests.server.tables.test_signs import OPTIONS

# -- several workers ---------------------------------------------------------------------------------


async def trading_by_two() -> tuple[House, House, str]:
    """Return two workers, and a table at which Anna trades; all look on by the first, which alone has it."""
    one, two = await workers()
    table = await one.table(*THREE, options=OPTIONS)
    await one.until_trading(table, THREE)
    for user in THREE:
        await one.tables.watch(table, user, Ear(), None)
    await one.clock.advance(one.settings.times.sweep)
    if two.tables.loaded.find(table) is not None:
        two.drop(table)
    return one, two, table


def test_worker_that_loads_a_table_knows_the_signs_given_before() -> None:
    """Who composes, until when it was given last, and who has enough."""

    async def test() -> None:
        one, two, table = await trading_by_two()
        await one.tables.give_sign(table, "bert", "composing")
        await one.tables.give_sign(table, "cleo", "enough")
        await one.clock.advance(5_000)
        await one.tables.give_sign(table, "bert", "composing")
        await one.clock.advance(2_000)
        if two.tables.loaded.find(table) is not None:
            two.drop(table)
        await two.tables.peek(table)
        await one.clock.settle()
        peek = await two.tables.peek(table)
        assert [set(peek.composing), set(peek.enough)] == [{1}, {2}]
        await one.clock.advance(9_900)
        assert (await two.tables.peek(table)).composing == {1}
        await one.clock.advance(200)
        assert (await two.tables.peek(table)).composing == frozenset()
        await one.end()
        await two.end()

    run(test())


def test_last_call_ends_by_signs_that_were_given_by_several_workers() -> None:
    """One of them serves the table; it ends the call once, whichever worker takes the last sign."""

    async def test() -> None:
        one, two, table = await trading_by_two()
        await two.tables.watch(table, "cleo", Ear(), None)
        await one.do(table, "anna", EndTrading(0))
        await one.clock.settle()
        await one.tables.give_sign(table, "bert", "enough")
        await two.tables.give_sign(table, "cleo", "enough")
        await one.clock.advance(1_000)
        rows = await one.store.rows(table)
        ends = [row for row in rows if isinstance(row.command, EndTrading)]
        state = (await two.tables.peek(table)).state

        assert [row.cause for row in ends] == ["player", "clock"]
        assert state is not None
        assert not isinstance(state.phase, TradePhase)
        await one.end()
        await two.end()

    run(test())


def test_worker_that_loads_a_table_takes_no_signs_of_an_earlier_turn() -> None:
    """Whoever gave them is elsewhere in the log already: they are of the trading that is over."""

    async def test() -> None:
        one, two, table = await trading_by_two()
        await one.tables.give_sign(table, "cleo", "enough")
        await one.clock.settle()
        store = one.store
        assert isinstance(store, SharedMemoryStore)
        (given,) = [row for row in await store.present_at((table,)) if row.sign]
        assert (given.user, given.sign, given.turn) == ("cleo", "enough", 1)
        for key, row in tuple(store._shared.presence.items()):
            store._shared.presence[key] = replace(row, turn=row.turn and row.turn - 1)
        if two.tables.loaded.find(table) is not None:
            two.drop(table)
        await two.tables.peek(table)
        await one.clock.settle()
        assert (await two.tables.peek(table)).enough == frozenset()
        await one.end()
        await two.end()

    run(test())


def test_sign_that_was_taken_back_is_known_nowhere() -> None:
    """Neither to a worker that has the table, nor to one that loads it."""

    async def test() -> None:
        one, two, table = await trading_by_two()
        await two.tables.peek(table)
        await one.tables.give_sign(table, "bert", "composing")
        await one.clock.settle()
        assert (await two.tables.peek(table)).composing == {1}
        await one.tables.give_sign(table, "bert", None)
        await one.clock.settle()
        assert (await two.tables.peek(table)).composing == frozenset()
        two.drop(table)
        await two.tables.peek(table)
        await one.clock.settle()
        assert (await two.tables.peek(table)).composing == frozenset()
        await one.end()
        await two.end()

    run(test())

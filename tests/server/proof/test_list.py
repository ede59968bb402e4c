"""What people have reported of other platforms, one test each: those that need no real server.

The reports: research/platforms.md 4.2. Those that need processes and sockets are in test_list_served.py.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Coroutine
from typing import Any

import msgspec
from hypothesis import given

from bohn.protocol.room import Options
from bohn.protocol.room_commands import EndTable, Rematch
from bohn.rules.commands import Plant
from bohn.rules.legal import legal_commands, waiting
from bohn.rules.state import EndPhase, TradePhase
from bohn.server.room.clocks import timers_after
from bohn.server.settings import Times
from bohn.server.tables.loaded import LoadedTable
from tests.effort import examples
from tests.properties.strategies import Walk, walks
from tests.server.support.playing import Hands
from tests.server.support.rooms import playing_room
from tests.server.support.tables import Ear, House

FOUR = ("anna", "bert", "chiyo", "dagur")


def run(test: Coroutine[Any, Any, None]) -> None:
    """Run a test's coroutine, and fail if it leaves a task behind."""

    async def whole() -> None:
        await test
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(whole())


def steady(frame: dict[str, Any]) -> dict[str, Any]:
    """Return a welcome without what goes by: the server's time, and who is here."""
    return {name: part for name, part in frame.items() if name not in {"now", "present", "watching", "fresh"}}


async def again(house: House) -> House:
    """Stop a service, and start another one on the same store at the same time."""
    await house.tables.stop()
    following = House(house.settings, house.store, house.clock, house.entropy)
    await following.tables.start()
    return following


# -- ghosts ----------------------------------------------------------------------------------------------


def test_ghosts_leave_the_table_when_their_connection_is_gone() -> None:
    """Who has no open connection is present for a little while yet, then no more, and all are told."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*FOUR)
        ear = Ear()
        await house.tables.watch(table, "anna", ear, None)
        bert = await house.tables.watch(table, "bert", Ear(), None)
        assert await house.here(table) == 2
        house.tables.unwatch(bert)
        assert await house.here(table) == 2
        await house.clock.advance(house.settings.times.away + 10)
        assert await house.here(table) == 1
        assert ear.of("presence")[-1]["present"] == [0]
        await house.end()

    run(test())


def test_ghosts_do_not_come_back_after_a_restart() -> None:
    """Presence is made of connections only: behind a restart nobody is here, though all own their seats."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*FOUR)
        for user in FOUR:
            await house.tables.watch(table, user, Ear(), None)
        house = await again(house)
        welcome = await house.tables.welcome(table, "anna")
        assert welcome.present == ()
        assert [seat.user for seat in welcome.room.seats] == list(FOUR)
        await house.end()

    run(test())


def test_ghost_tables_leave_the_lobby_when_they_are_over() -> None:
    """An abandoned table is not listed any more, in this process or the next one."""

    async def test() -> None:
        house = await House().begin()
        table, other = await house.table(*FOUR), await house.table(*FOUR)
        await house.do(table, "anna", EndTable())
        assert [listing.table for listing in await house.store.listings()] == [other]
        house = await again(house)
        assert [listing.table for listing in await house.store.listings()] == [other]
        await house.end()

    run(test())


# -- restarts --------------------------------------------------------------------------------------------


def test_timers_survive_a_restart_and_are_credited() -> None:
    """A trading clock runs on where it stood, however long no server ran, and then it fires."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*FOUR, options=Options(players=4, clock="slow"))
        await house.until_trading(table, FOUR)
        await house.clock.advance(10_000)
        before = {timer.key: timer.due for timer in await house.store.timers(table)}
        await house.tables.stop()
        await house.clock.advance(600_000)
        house = House(house.settings, house.store, house.clock, house.entropy)
        await house.tables.start()
        after = {timer.key: timer.due for timer in await house.store.timers(table)}
        (key, due), beat = next(iter(before.items())), house.settings.times.beat
        assert due is not None
        assert 600_000 <= (after[key] or 0) - due <= 600_000 + beat
        await house.clock.advance((after[key] or 0) - house.clock.now() + 1_000)
        assert not isinstance((await house.tables.peek(table)).state.phase, TradePhase)  # type: ignore[union-attr]  # - the cards are dealt
        await house.end()

    run(test())


def test_reconnected_player_gets_the_same_state() -> None:
    """Whoever comes back, to this process or the next, finds exactly what he has left."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*FOUR)
        await Hands(table, FOUR, (house.tables,), 3, clock=house.clock).play_on(60)
        for user in (*FOUR, "erik"):
            ears = [Ear(), Ear(), Ear()]
            for number, ear in enumerate(ears):
                house = await again(house) if number == 2 else house
                house.tables.unwatch(await house.tables.watch(table, user, ear, None))
            one, two, three = (steady(ear.of("welcome")[0]) for ear in ears)
            assert one == two == three
        await house.end()

    run(test())


def test_move_while_others_are_away_then_all_reload() -> None:
    """After moves that nobody else was there to see, all reload, see the same, and the game goes on."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*FOUR)
        watchers = [await house.tables.watch(table, user, Ear(), None) for user in FOUR]
        state = (await house.tables.peek(table)).state
        assert state is not None
        active = state.active_player
        for seat, watcher in enumerate(watchers):
            if seat != active:
                house.tables.unwatch(watcher)
        await house.do(table, FOUR[active], Plant(active, 0))
        house.tables.unwatch(watchers[active])
        ears = [Ear() for _ in FOUR]
        for user, ear in zip(FOUR, ears, strict=True):
            await house.tables.watch(table, user, ear, None)
        seen = [ear.of("welcome")[0] for ear in ears]
        assert len({welcome["seq"] for welcome in seen}) == 1
        assert len({msgspec.json.encode(welcome["game"]["players"]) for welcome in seen}) == 1
        hands = Hands(table, FOUR, (house.tables,), 1, clock=house.clock)
        await hands.play_on(30)
        assert len(hands.acked) == 30
        await house.end()

    run(test())


# -- nothing is stuck --------------------------------------------------------------------------------------


@examples(60)
@given(walks(trading=(0.3, 0.6)))
def test_no_reachable_state_is_stuck(walk: Walk) -> None:
    """From every reachable state the game waits for some seat, and that seat has a legal command."""
    for state in walk.sample(12):
        if isinstance(state.phase, EndPhase):
            continue
        seats = waiting(walk.rules, state)
        assert seats
        assert all(legal_commands(walk.rules, state, seat) for seat in seats)


@examples(40)
@given(walks(trading=(0.3, 0.6)))
def test_every_reachable_state_of_a_table_with_clocks_has_a_timer(walk: Walk) -> None:
    """With clocks a timer runs in every state, so that no absent player can hold up the others."""
    options = Options(edition=walk.edition, players=walk.players, clock="fast")
    users = tuple(f"user{seat}" for seat in range(walk.players))
    room = playing_room(*users, options=options)
    for state in walk.sample(12):
        timers = timers_after(room, walk.rules, state, (), None, 1_000, Times())
        assert isinstance(state.phase, EndPhase) or any(timer.due is not None for timer in timers)


# -- leaks -----------------------------------------------------------------------------------------------


def test_finished_games_leave_neither_tasks_nor_tables_behind() -> None:
    """Games played to their end, with viewers and a rematch, leave memory once nobody looks at them."""

    async def test() -> None:
        house = await House().begin()
        options = Options(edition="classic", players=3, house_rules=("exhaustions=1",))
        rest = len(asyncio.all_tasks())
        for number in range(12):
            await played_out(house, options, number)
        times = house.settings.times
        await house.clock.advance(times.away + times.host_grace + 2 * times.idle_table)
        assert house.tables.loaded.all() == ()
        assert len(asyncio.all_tasks()) == rest
        gc.collect()
        assert not [one for one in gc.get_objects() if isinstance(one, LoadedTable)]
        await house.end()

    run(test())


async def played_out(house: House, options: Options, number: int) -> None:
    """Play a game to its end before viewers; after some of them a rematch is made and given up."""
    table = await house.table(*FOUR[:3], options=options)
    watchers = [await house.tables.watch(table, user, Ear(), None) for user in (*FOUR, None)]
    hands = Hands(table, FOUR[:3], (house.tables,), number, haste=0.5, clock=house.clock)
    await hands.play_on(5_000)
    assert await hands.over()
    if number % 4 == 0:
        await house.do(table, "bert", Rematch())
        rematch = (await house.tables.enter(table, "bert")).rematch
        assert rematch is not None
        await house.do(rematch, "bert", EndTable())
    for watcher in watchers:
        house.tables.unwatch(watcher)

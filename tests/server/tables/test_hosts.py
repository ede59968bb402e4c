"""Who is host of a table over days whose host has a bot play for him."""

from __future__ import annotations

import pytest
from msgspec import UNSET

from bohn.protocol.room import Options
from bohn.protocol.room_commands import AnyRoomCommand, PassHost, SeatBot, Stand, TakeBack
from bohn.protocol.room_events import HandedOver
from bohn.server.room.clocks import HOUR
from bohn.server.room.fold import fold_room
from bohn.server.tables.upkeep import stays_host
from tests.server.support.rooms import ANNA, BEGAN, playing_room
from tests.server.support.tables import Ear, House
from tests.server.tables.test_service import THREE, run
from tests.server.tables.test_timing import FirstChoice


async def _left_to_a_bot(house: House, *deeds: tuple[str, AnyRoomCommand]) -> str:
    """Return a table over days whose host has left, and whose seat a bot plays; Cleo looks at it."""
    table = await house.table(*THREE, options=Options(players=3, clock="8h"))
    host = await house.tables.watch(table, "anna", Ear(), None)
    for user, deed in deeds:
        await house.do(table, user, deed)
    house.tables.unwatch(host)
    await house.tables.watch(table, "cleo", Ear(), None)
    return table


@pytest.mark.parametrize("deed", [Stand(), SeatBot(0, "pk")], ids=lambda deed: type(deed).__name__)
def test_host_who_has_a_bot_play_for_him_stays_host(deed: AnyRoomCommand) -> None:
    """In a game over days a pause of his own costs nobody his role."""

    async def test() -> None:
        house = await House().begin(FirstChoice())
        table = await _left_to_a_bot(house, ("anna", deed))
        await house.clock.advance(200_000)
        assert (await house.tables.peek(table)).room.host == "anna"
        await house.do(table, "anna", TakeBack())
        room = (await house.tables.peek(table)).room
        assert (room.host, room.seats[0].handed_over) == ("anna", UNSET)
        await house.end()

    run(test())


def test_host_who_leaves_for_good_passes_his_role_on() -> None:
    """He stays as long as the clocks would have waited: the time of three moves."""
    room = playing_room(*THREE, options=Options(players=3, clock="8h"))
    handed_over = fold_room((HandedOver(0, "pk", BEGAN),), room)
    three = BEGAN + 3 * 8 * HOUR

    assert stays_host(handed_over, ANNA, three - 1)
    assert not stays_host(handed_over, ANNA, three)


def test_host_whose_seat_others_gave_to_a_bot_passes_his_role_on() -> None:
    """Nobody knows whether he comes back: whoever looks in gets the role."""

    async def test() -> None:
        house = await House().begin(FirstChoice())
        deeds = (("anna", PassHost(1)), ("bert", SeatBot(0, "pk")), ("bert", PassHost(0)))
        table = await _left_to_a_bot(house, *deeds)
        await house.clock.advance(200_000)
        assert (await house.tables.peek(table)).room.host == "cleo"
        await house.end()

    run(test())

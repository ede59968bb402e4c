"""What fields are worth comes with the frames: folding batches gives what a fresh welcome says."""

from __future__ import annotations

import asyncio

import msgspec
import pytest
from msgspec import UNSET

from bohn.protocol import frames
from bohn.protocol.room import Options
from bohn.protocol.room_commands import Start
from bohn.rules.beans import Bean
from bohn.rules.commands import Plant, SetWish
from bohn.server.settings import Settings, Times
from bohn.views.worth import worth
from tests.server.support.mirror import Mirror
from tests.server.support.playing import Hands
from tests.server.support.tables import Ear, House

PEOPLE = ("anna", "bert", "cleo", "dora")
DECODER: msgspec.json.Decoder[frames.AnyServerFrame] = msgspec.json.Decoder(frames.AnyServerFrame)
QUICK = Settings(times=Times(collect=0, last_call=0))


class Watched:
    """A viewer whose frames are folded as they come."""

    def __init__(self) -> None:
        """Begin with nothing read."""
        self.ear = Ear()
        self.mirror = Mirror()
        self.batches: list[frames.Batch] = []
        self._read = 0

    def catch_up(self) -> None:
        """Fold what has come since."""
        for raw in self.ear.raw[self._read :]:
            frame = DECODER.decode(raw)
            self.mirror.take(frame)
            if isinstance(frame, frames.Batch):
                self.batches.append(frame)
        self._read = len(self.ear.raw)


async def opened(edition: str, players: int) -> tuple[House, str, list[tuple[str | None, Watched]]]:
    """Open a table that everybody and one spectator watch from before the deal."""
    house = await House(QUICK).begin()
    people = PEOPLE[:players]
    table = await house.table(*people, options=Options(edition, players), start=False)
    viewers: list[tuple[str | None, Watched]] = [(user, Watched()) for user in (*people, None)]
    for user, viewer in viewers:
        await house.tables.watch(table, user, viewer.ear, None)
    return house, table, viewers


@pytest.mark.parametrize(("edition", "players"), [("full", 3), ("full", 2), ("das-duell", 2), ("classic", 4)])
def test_folded_batches_say_what_a_fresh_welcome_says(edition: str, players: int) -> None:
    """After every few commands each viewer knows what all fields are worth, as if he had just come."""

    async def test() -> None:
        house, table, viewers = await opened(edition, players)
        await house.do(table, PEOPLE[0], Start())
        hands = Hands(table, PEOPLE[:players], (house.tables,), seed=11, haste=0.3, clock=house.clock)
        worths = set()
        for _ in range(25):
            await hands.play_on(4)
            for user, viewer in viewers:
                viewer.catch_up()
                fresh = await house.tables.welcome(table, user)
                assert fresh.game is not None
                assert viewer.mirror.worth == fresh.worth == worth(fresh.game)
                assert viewer.mirror.game == fresh.game
                worths.add(fresh.worth)
        assert len(worths) > 3
        await house.end()

    asyncio.run(test())


def test_worth_is_empty_before_the_deal_and_whole_with_it() -> None:
    """The batch that deals has every seat; before it there are no fields."""

    async def test() -> None:
        house, table, viewers = await opened("full", 3)
        for _, viewer in viewers:
            viewer.catch_up()
            assert viewer.mirror.worth == ()
        await house.do(table, PEOPLE[0], Start())
        for _, viewer in viewers:
            viewer.catch_up()
            assert viewer.mirror.worth == ((None,) * 3,) * 3
        await house.end()

    asyncio.run(test())


def test_batch_has_the_worth_of_the_seats_whose_fields_have_changed() -> None:
    """A planting tells of one seat, a wish of none; everybody is told the same."""

    async def test() -> None:
        house, table, viewers = await opened("full", 3)
        await house.do(table, PEOPLE[0], Start())
        state = (await house.tables.peek(table)).state
        assert state is not None
        active = state.active_player
        await house.do(table, PEOPLE[active], SetWish(active, Bean.SOY, "want"))
        await house.do(table, PEOPLE[active], Plant(active, 0))
        for _, viewer in viewers:
            viewer.catch_up()
            wish, planting = viewer.batches[-2:]
            assert wish.worth is UNSET
            assert planting.worth is not UNSET
            assert planting.worth.keys() == {active}
            (first, *rest) = planting.worth[active]
            assert first is not None
            assert first.bean == state.players[active].hand[0]
            assert rest == [None, None]
        await house.end()

    asyncio.run(test())


def test_history_tells_events_only() -> None:
    """Missed batches come without worth: the welcome has it."""

    async def test() -> None:
        house, table, viewers = await opened("full", 3)
        await house.do(table, PEOPLE[0], Start())
        state = (await house.tables.peek(table)).state
        assert state is not None
        viewers[0][1].catch_up()
        seen = viewers[0][1].mirror.seq
        await house.do(table, PEOPLE[state.active_player], Plant(state.active_player, 0))
        late = Watched()
        await house.tables.watch(table, PEOPLE[0], late.ear, seen)
        late.mirror.seq = seen
        late.catch_up()
        assert [batch.worth for batch in late.batches] == [UNSET]
        assert late.mirror.worth == (await house.tables.welcome(table, PEOPLE[0])).worth
        await house.end()

    asyncio.run(test())

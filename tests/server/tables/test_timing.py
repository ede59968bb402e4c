"""Clocks, last calls, collected acceptances, calls for the choice, hosts who leave.

One long file, since all that time brings about at a table is tried with one house and one stopped clock.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Options
from bohn.protocol.room_commands import CallForChoice, Pause, Resume, Stand
from bohn.rules.beans import Bean
from bohn.rules.commands import AcceptOffer, AnyCommand, EndTrading, MakeOffer, Plant, Reveal, SetWish
from bohn.rules.errors import IllegalCommand, Reason
from bohn.rules.legal import legal_commands
from bohn.rules.state import Copy, PlantPhase, TradePhase
from bohn.server.store.protocol import LogRow
from bohn.server.tables.api import Peek
from tests.server.support.memory_store import MemoryStore
from tests.server.support.tables import Ear, House
from tests.server.tables.test_service import THREE, refused, run

FAST = Options(players=3, clock="fast")


class FirstChoice:
    """Seats without bots of their own; an expired clock plays the first legal command but harvests."""

    def __init__(self) -> None:
        self.told: list[tuple[str, int]] = []

    def noticed(self, peek: Peek, row: LogRow | None) -> None:  # noqa: ARG002 - one signature
        """Note that something moved."""
        self.told.append((peek.room.id, peek.seq))

    def audience_changed(self, peek: Peek) -> None:
        """Ignore who looks."""

    def signs_changed(self, peek: Peek) -> None:
        """Ignore what people let others know."""

    def dropped(self, table: str) -> None:
        """Nothing is kept."""

    async def choose(self, peek: Peek, seat: int) -> AnyCommand | None:
        """Return the first legal command."""
        assert peek.state is not None
        found: Any = legal_commands(peek.rules, peek.state, seat)
        return found[0] if found else None

    async def stop(self) -> None:
        """Nothing runs."""


async def phase_of(house: House, table: str) -> Any:
    """Return the phase of a table's game."""
    state = (await house.tables.peek(table)).state
    assert state is not None
    return state.phase


async def active_of(house: House, table: str) -> int:
    """Return the active player."""
    state = (await house.tables.peek(table)).state
    assert state is not None
    return state.active_player


# -- clocks ------------------------------------------------------------------------------------------


def test_expired_decision_is_made_for_the_seat() -> None:
    """When the clock of a decision expires, one command is played with the cause ``clock``."""

    async def test() -> None:
        house = await House().begin(FirstChoice())
        table = await house.table(*THREE, options=FAST)
        active = await active_of(house, table)
        ear = Ear()
        await house.tables.watch(table, "anna", ear, None)
        await house.clock.advance(house.settings.times.fast_decision - 500)
        assert not ear.of("batch")
        await house.clock.advance(1_000)
        batch = ear.of("batch")[0]
        assert (batch["cause"], batch["by"], ear.events) == ("clock", active, ["planted", "clock-missed"])
        await house.end()

    run(test())


def test_third_expiry_in_a_row_hands_the_seat_to_a_bot() -> None:
    """Three expired decisions in a row, and a bot plays on; its owner's own move brings him back."""

    async def test() -> None:
        house = await House().begin(FirstChoice())
        table = await house.table(*THREE, options=FAST)
        active = await active_of(house, table)
        ear = Ear()
        await house.tables.watch(table, "anna", ear, None)
        for _ in range(6):
            await house.clock.advance(house.settings.times.fast_trading + 1_000)
        first_three = [event for event in ear.events if event in ("clock-missed", "handed-over")][:4]
        assert "handed-over" in first_three
        seats = (await house.tables.peek(table)).room.seats
        gone = next(place for place, seat in enumerate(seats) if seat.bot)
        await house.do(table, THREE[gone], SetWish(gone, Bean.SOY, "want"))
        assert (await house.tables.peek(table)).room.seats[gone].bot is None
        assert active in range(3)
        await house.end()

    run(test())


def test_expired_trading_closes_without_a_last_call() -> None:
    """The trading clock ends the trading at once."""

    async def test() -> None:
        house = await House().begin(FirstChoice())
        table = await house.table(*THREE, options=FAST)
        await house.until_trading(table, THREE)
        ear = Ear()
        await house.tables.watch(table, "anna", ear, None)
        await house.clock.advance(house.settings.times.fast_trading + 500)
        assert ear.events[0] == "trading-closed"
        assert "last-call-began" not in ear.events
        await house.end()

    run(test())


def test_pause_stops_the_clock_and_resume_lets_it_run_on() -> None:
    """A paused clock stands; afterwards it has what was left."""

    async def test() -> None:
        house = await House().begin(FirstChoice())
        table = await house.table(*THREE, options=FAST)
        ear = Ear()
        await house.tables.watch(table, "anna", ear, None)
        await house.clock.advance(15_000)
        await house.do(table, "anna", Pause())
        await house.clock.advance(60_000)
        assert "planted" not in ear.events
        await house.do(table, "anna", Resume())
        await house.clock.advance(4_500)
        assert "planted" not in ear.events
        await house.clock.advance(1_000)
        assert "planted" in ear.events
        await house.end()

    run(test())


def test_clock_is_credited_with_the_time_nobody_served() -> None:
    """After a crash the clocks have as much left as when the server was last alive."""

    async def test() -> None:
        house = await House().begin(FirstChoice())
        table = await house.table(*THREE, options=FAST)
        await house.clock.advance(5_000)
        await house.tables.background.stop_repeating()  # as if it were killed
        await house.clock.advance(100_000)
        again = await House(
            store=MemoryStore(shared=house.backing), clock=house.clock, entropy=house.entropy
        ).begin(FirstChoice())
        (timer,) = await again.store.timers(table)
        assert timer.due is not None
        left = timer.due - house.clock.now()
        assert 13_900 <= left <= 16_000
        await again.end()
        await house.end()

    run(test())


# -- last call ---------------------------------------------------------------------------------------


async def trading_house(people: tuple[str, ...] = THREE) -> tuple[House, str, int, Ear]:
    """Return a table in its trading, with its active player and somebody who listens."""
    house = await House().begin(FirstChoice())
    table = await house.table(*people)
    while await active_of(house, table) >= len(people):  # a bot begins: deal again
        table = await house.table(*people)
    active = await house.until_trading(table, people)
    ear = Ear()
    await house.tables.watch(table, THREE[active], ear, None)
    return house, table, active, ear


def test_end_of_trading_begins_a_last_call_and_then_closes() -> None:
    """The first end of trading announces six seconds; then the trading closes by itself."""

    async def test() -> None:
        house, table, active, ear = await trading_house()
        await house.do(table, THREE[active], EndTrading(active))
        assert ear.events == ["last-call-began"]
        assert isinstance(await phase_of(house, table), TradePhase)
        await house.clock.advance(5_500)
        assert ear.events == ["last-call-began"]
        await house.clock.advance(1_000)
        assert "trading-closed" in ear.events
        await house.end()

    run(test())


def test_second_end_of_trading_is_final() -> None:
    """Who says it twice means it."""

    async def test() -> None:
        house, table, active, ear = await trading_house()
        await house.do(table, THREE[active], EndTrading(active))
        await house.do(table, THREE[active], EndTrading(active))
        assert "trading-closed" in ear.events
        await house.end()

    run(test())


def test_last_call_is_prolonged_once() -> None:
    """An offer in the last call gives everybody six more seconds, what then comes to no person none."""

    async def test() -> None:
        house, table, active, ear = await trading_house()
        third = (active + 2) % 3
        await house.do(table, THREE[third], Stand())
        await house.do(table, THREE[active], EndTrading(active))
        await house.clock.advance(5_000)
        await house.do(table, THREE[active], MakeOffer(active, (third,), want=(Bean.SOY,)))
        assert ear.events[-2:] == ["offer-made", "last-call-prolonged"]
        await house.clock.advance(5_000)
        await house.do(table, THREE[active], MakeOffer(active, (third,), want=(Bean.BLUE,)))
        assert ear.events[-1] == "offer-made"
        await house.clock.advance(1_500)
        assert "trading-closed" in ear.events
        await house.end()

    run(test())


def test_offer_in_a_last_call_leaves_time_to_answer() -> None:
    """Whoever is asked has nine seconds at normal pace, also for a second offer."""

    async def test() -> None:
        house, table, active, ear = await trading_house()
        other = (active + 1) % 3
        await house.do(table, THREE[active], EndTrading(active))
        for bean in (Bean.SOY, Bean.BLUE):
            await house.clock.advance(5_000)
            await house.do(table, THREE[other], MakeOffer(other, (active,), want=(bean,)))
            assert ear.events[-2:] == ["offer-shown", "last-call-prolonged"]
        await house.clock.advance(8_800)
        assert "trading-closed" not in ear.events
        await house.clock.advance(300)
        assert "trading-closed" in ear.events
        await house.end()

    run(test())


def test_offers_in_a_last_call_put_its_end_off_within_a_bound() -> None:
    """Whoever goes on offering does not keep the others for ever: it ends 24 seconds later than announced."""

    async def test() -> None:
        house, table, active, ear = await trading_house()
        other = (active + 1) % 3
        await house.do(table, THREE[active], EndTrading(active))
        start = house.clock.now()
        for number in range(1, 7):
            await house.do(table, THREE[other], MakeOffer(other, (active,), want=(Bean.SOY,) * number))
            await house.clock.advance(4_900)
            assert "trading-closed" not in ear.events
        await house.clock.advance(start + 30_200 - house.clock.now())
        assert "trading-closed" in ear.events
        await house.end()

    run(test())


def test_last_call_survives_the_server() -> None:
    """It is a row like every clock: another process closes the trading."""

    async def test() -> None:
        house, table, active, _ = await trading_house()
        await house.do(table, THREE[active], EndTrading(active))
        await house.tables.background.stop_repeating()
        again = await House(
            store=MemoryStore(shared=house.backing), clock=house.clock, entropy=house.entropy
        ).begin(FirstChoice())
        await house.clock.advance(8_000)
        assert not isinstance(await phase_of(again, table), TradePhase)
        await again.end()
        await house.end()

    run(test())


# -- acceptances -------------------------------------------------------------------------------------


async def give_to_both(house: House, table: str, active: int) -> tuple[int, int]:
    """Let the active player give a face-up bean to whoever of the others is first; return them."""
    phase = await phase_of(house, table)
    others = tuple(seat for seat in range(3) if seat != active)
    copy = Copy(0, phase.face_up[0])
    await house.do(table, THREE[active], MakeOffer(active, others, face_up=(copy,)))
    return others[0], others[1]


def test_earliest_person_gets_an_offer_to_several() -> None:
    """Acceptances are gathered for 400 ms; of the people the first gets it, the other is refused."""

    async def test() -> None:
        house, table, active, ear = await trading_house()
        low, high = await give_to_both(house, table, active)
        first = asyncio.create_task(house.do(table, THREE[high], AcceptOffer(high, 1, 1)))
        await house.clock.settle()
        second = asyncio.create_task(house.do(table, THREE[low], AcceptOffer(low, 1, 1)))
        await house.clock.advance(399)
        assert not first.done()
        await house.clock.advance(2)
        await first
        with pytest.raises(IllegalCommand) as caught:
            await second
        assert caught.value.reason is Reason.NO_SUCH_OFFER
        traded = [
            e for batch in ear.of("batch") for e in batch.get("events", ()) if e["event"] == "traded-shown"
        ]
        assert [event["partner"] for event in traded] == [high]
        await house.end()

    run(test())


def test_person_goes_before_an_earlier_bot() -> None:
    """A person who accepts within the moment gets the offer, though a bot was quicker."""

    async def test() -> None:
        house, table, active, ear = await trading_house(THREE[:2])
        person, bot = await give_to_both(house, table, active)
        early = asyncio.create_task(house.tables.execute_for_bot(table, bot, "b1", AcceptOffer(bot, 1, 1)))
        await house.clock.settle()
        late = asyncio.create_task(house.do(table, THREE[person], AcceptOffer(person, 1, 1)))
        await house.clock.advance(401)
        await late
        with pytest.raises(IllegalCommand):
            await early
        assert "traded-shown" in ear.events
        await house.end()

    run(test())


# -- silence -------------------------------------------------------------------------------------------


def test_two_players_may_call_for_the_choice_after_silence() -> None:
    """Without clocks, two others may ask after two minutes that the choice be made."""

    async def test() -> None:
        house = await House().begin(FirstChoice())
        table = await house.table(*THREE)
        active = await active_of(house, table)
        others = [name for seat, name in enumerate(THREE) if seat != active]
        with pytest.raises(Refusal) as caught:
            await house.do(table, others[0], CallForChoice())
        assert refused(caught) is Problem.NOT_QUIET
        await house.clock.advance(house.settings.times.silence + 1)
        await house.do(table, others[0], CallForChoice())
        assert await phase_of(house, table) == PlantPhase()
        await house.do(table, others[1], CallForChoice())
        await house.clock.advance(house.settings.times.warned - 1)
        assert await phase_of(house, table) == PlantPhase()
        await house.clock.advance(2)
        assert await phase_of(house, table) == PlantPhase(1)
        assert (await house.tables.peek(table)).room.called == ()
        await house.end()

    run(test())


def test_who_moves_when_warned_moves_himself() -> None:
    """Whoever moves behind enough calls, before the choice is made, has none made for him."""

    async def test() -> None:
        house = await House().begin(FirstChoice())
        table = await house.table(*THREE)
        active = await active_of(house, table)
        others = [name for seat, name in enumerate(THREE) if seat != active]
        await house.clock.advance(house.settings.times.silence + 1)
        for other in others:
            await house.do(table, other, CallForChoice())
        await house.clock.advance(house.settings.times.warned // 2)
        await house.do(table, THREE[active], Plant(active, 1))
        await house.clock.advance(2 * house.settings.times.warned)
        assert await phase_of(house, table) == PlantPhase(1)
        assert (await house.tables.peek(table)).room.called == ()
        await house.end()

    run(test())


# -- hosts -----------------------------------------------------------------------------------------------


def test_host_role_passes_to_the_longest_seated_who_is_here() -> None:
    """A host who stays away is followed by whoever of those present has sat longest."""

    async def test() -> None:
        house = await House().begin(FirstChoice())
        table = await house.table(*THREE)
        host = await house.tables.watch(table, "anna", Ear(), None)
        await house.tables.watch(table, "cleo", Ear(), None)
        house.tables.unwatch(host)
        await house.clock.advance(house.settings.times.host_grace - 2_000)
        assert (await house.tables.peek(table)).room.host == "anna"
        await house.clock.advance(20_000)
        assert (await house.tables.peek(table)).room.host == "cleo"
        await house.end()

    run(test())


def test_host_who_returns_in_time_stays_host() -> None:
    """A reload costs nobody his role."""

    async def test() -> None:
        house = await House().begin(FirstChoice())
        table = await house.table(*THREE)
        host = await house.tables.watch(table, "anna", Ear(), None)
        await house.tables.watch(table, "cleo", Ear(), None)
        house.tables.unwatch(host)
        await house.clock.advance(20_000)
        await house.tables.watch(table, "anna", Ear(), None)
        await house.clock.advance(200_000)
        assert (await house.tables.peek(table)).room.host == "anna"
        await house.end()

    run(test())


def test_host_of_a_game_over_days_stays_while_he_is_away() -> None:
    """Nobody need be there at the same time: the role does not go to whoever looks in."""

    async def test() -> None:
        house = await House().begin(FirstChoice())
        table = await house.table(*THREE, options=Options(players=3, clock="8h"))
        host = await house.tables.watch(table, "anna", Ear(), None)
        house.tables.unwatch(host)
        await house.tables.watch(table, "cleo", Ear(), None)
        await house.clock.advance(200_000)
        assert (await house.tables.peek(table)).room.host == "anna"
        await house.end()

    run(test())


def test_host_of_a_table_over_days_stays_before_the_game_begins() -> None:
    """Friends come when they have time, and whoever opened the table deals."""

    async def test() -> None:
        house = await House().begin(FirstChoice())
        table = await house.table("anna", "cleo", options=Options(players=3, clock="8h"), start=False)
        host = await house.tables.watch(table, "anna", Ear(), None)
        house.tables.unwatch(host)
        await house.tables.watch(table, "cleo", Ear(), None)
        await house.clock.advance(200_000)
        room = (await house.tables.peek(table)).room
        assert (room.status, room.host) == ("open", "anna")
        await house.end()

    run(test())


def test_host_of_a_paused_game_over_days_passes_his_role_on() -> None:
    """Only a host ends a pause: whoever looks in gets the role, as at any table."""

    async def test() -> None:
        house = await House().begin(FirstChoice())
        table = await house.table(*THREE, options=Options(players=3, clock="8h"))
        host = await house.tables.watch(table, "anna", Ear(), None)
        await house.do(table, "anna", Pause())
        house.tables.unwatch(host)
        await house.tables.watch(table, "cleo", Ear(), None)
        await house.clock.advance(200_000)
        assert (await house.tables.peek(table)).room.host == "cleo"
        await house.end()

    run(test())


def test_bots_are_told_of_every_batch() -> None:
    """Whoever plays the bots learns of each batch, in order."""

    async def test() -> None:
        seats = FirstChoice()
        house = await House().begin(seats)
        table = await house.table(*THREE)
        active = await active_of(house, table)
        await house.do(table, THREE[active], Plant(active, 0))
        await house.do(table, THREE[active], Reveal(active))
        numbers = [seq for name, seq in seats.told if name == table]
        assert numbers[-2:] == [numbers[-1] - 1, numbers[-1]]
        assert numbers == sorted(numbers)
        await house.end()

    run(test())

"""Beats of a table over days: standing orders are carried out, and nobody learns of those that are not."""

from __future__ import annotations

from typing import Any

import pytest

from bohn.protocol.away import Terms
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Options
from bohn.protocol.room_commands import BeDone
from bohn.rules.beans import Bean
from bohn.rules.commands import AcceptOffer, MakeOffer, Pass, WithdrawOffer
from bohn.rules.state import State, TradePhase
from bohn.rules.trading import copies_for
from bohn.server.room.clocks import BEATS
from bohn.server.store.protocol import Append, Outcome, StoreUnavailable
from tests.server.support.memory_store import MemoryStore
from tests.server.support.tables import Ear, House
from tests.server.tables.test_service import THREE, refused, run
from tests.server.tables.test_timing import FirstChoice

DAYS = Options(players=3, clock="8h")
HOUR = 60_000
"""How long an hour is in these tests, in ms."""

BEAT = 8 * HOUR // BEATS


@pytest.fixture(autouse=True)
def _short_hours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let hours pass quickly: a server looks at its clocks ten times a second."""
    monkeypatch.setattr("bohn.server.room.clocks.HOUR", HOUR)


class Market:
    """A table over days that trades: the active player can give ``gives``, another ``wants``."""

    def __init__(self, house: House, table: str, state: State) -> None:
        self.house, self.table = house, table
        self.active = state.active_player
        self.other = next(
            seat
            for seat in range(3)
            if seat != self.active and set(state.players[seat].hand) - set(state.players[self.active].hand)
        )
        self.third = 3 - self.active - self.other
        own = state.players[self.active].hand
        theirs = [bean for bean in state.players[self.other].hand if bean not in own]
        self.wants = theirs[0]
        self.gives = next(bean for bean in own if bean != self.wants)

    async def leave(self, seat: int, **terms: Any) -> str:
        """Leave an order of a seat, and return its id."""
        user = THREE[seat]
        await self.house.tables.add_instruction(self.table, user, Terms(**terms))
        return (await self.house.tables.away(self.table, user)).orders[-1].id

    async def both(self) -> tuple[str, str]:
        """Leave two orders that meet."""
        mine = await self.leave(self.active, give=self.gives, most=2, take=self.wants)
        return mine, await self.leave(self.other, give=self.wants, most=2, take=self.gives)

    async def state(self) -> State:
        """Return the game."""
        state = (await self.house.tables.peek(self.table)).state
        assert state is not None
        return state

    async def causes(self) -> list[str]:
        """Return the causes of all batches of the log."""
        return [row.cause for row in await self.house.store.rows(self.table)]

    async def ear(self, seat: int) -> Ear:
        """Let a seat watch."""
        ear = Ear()
        await self.house.tables.watch(self.table, THREE[seat], ear, None)
        return ear


def game(ear: Ear) -> list[str]:
    """Return the events that somebody was told, but that the host has left, whom nobody sees here."""
    return [event for event in ear.events if event != "host-passed"]


async def market(house: House | None = None) -> Market:
    """Open a table over days, and come to its first trading."""
    house = await (house or House()).begin(FirstChoice())
    table = await house.table(*THREE, options=DAYS)
    await house.until_trading(table, THREE)
    state = (await house.tables.peek(table)).state
    assert state is not None
    return Market(house, table, state)


def test_orders_that_meet_are_carried_out_at_the_beat() -> None:
    """Not before; each gives one, both batches are of the cause order, and each is counted from the log."""

    async def test() -> None:
        at = await market()
        before = await at.state()
        await at.both()
        ear = await at.ear(at.third)
        await at.house.clock.advance(BEAT - 1_000)
        assert game(ear) == []
        await at.house.clock.advance(2_000)
        assert game(ear) == ["orders-looked-at", "offer-shown", "traded-shown"]
        assert [one["cause"] for one in ear.of("batch")][-3:] == ["clock", "order", "order"]
        state = await at.state()
        assert len(state.players[at.other].hand) == len(before.players[at.other].hand) - 1
        for seat in (at.active, at.other):
            (order,) = (await at.house.tables.away(at.table, THREE[seat])).orders
            assert order.carried == 1
        await at.house.clock.advance(BEAT)
        assert (await at.causes()).count("order") == 2
        await at.house.end()

    run(test())


def test_order_is_shown_to_its_owner_alone_and_changes_no_stream() -> None:
    """With orders that meet, orders that do not, and none, streams are byte-equal till the beat."""

    async def told(kind: str) -> list[list[bytes]]:
        at = await market()
        ears = [await at.ear(seat) for seat in range(3)]
        if kind == "meeting":
            await at.both()
        elif kind == "missing":
            await at.leave(at.active, give=at.gives, most=1, take=at.wants, least=9)
            await at.leave(at.other, give=at.wants, most=1, take=at.gives, least=9)
        if kind != "none":
            assert (await at.house.tables.away(at.table, THREE[at.third])).orders == ()
        await at.house.clock.advance(BEAT - 1_000)
        found = [list(ear.raw) for ear in ears]
        if kind != "meeting":
            await at.house.clock.advance(2_000)
            found += [list(ear.raw) for ear in ears]
        await at.house.end()
        return found

    async def test() -> None:
        none, missing, meeting = await told("none"), await told("missing"), await told("meeting")
        assert none == missing
        assert none[:3] == meeting

    run(test())


def test_prober_with_fifty_offers_learns_only_what_was_executed() -> None:
    """What he asks between two beats is answered by nobody; of what stands at the beat the best is taken."""

    async def probed(order: bool) -> tuple[list[bytes], list[str]]:
        at = await market()
        if order:
            await at.leave(at.other, give=at.wants, most=1, take=at.gives)
        ear = await at.ear(at.active)
        prober = THREE[at.active]
        for number in range(50):
            state = await at.state()
            phase = state.phase
            assert isinstance(phase, TradePhase)
            copies = copies_for(state, at.active, (at.gives,))
            assert copies is not None
            revision = state.players[at.active].hand_revision if copies[0] else 0
            offer = MakeOffer(at.active, (at.other,), *copies, (at.wants,), hand_revision=revision)
            await at.house.do(at.table, prober, offer)
            if number < 49:  # the last one stands at the beat
                await at.house.do(at.table, prober, WithdrawOffer(at.active, phase.next_offer))
        await at.house.clock.advance(BEAT - 1_000)
        till = list(ear.raw)
        await at.house.clock.advance(2_000)
        events = ear.events
        await at.house.end()
        return till, events

    async def test() -> None:
        (till, events), (till_too, events_too) = await probed(order=True), await probed(order=False)
        assert till == till_too
        assert events[: len(events_too)] == events_too
        assert events[len(events_too) :] == ["traded-shown"]

    run(test())


def test_live_answer_and_order_execute_once() -> None:
    """Whoever accepts himself before the beat leaves his order nothing to do with that offer."""

    async def test() -> None:
        at = await market()
        await at.leave(at.other, give=at.wants, most=1, take=at.gives)
        state = await at.state()
        copies = copies_for(state, at.active, (at.gives,))
        assert copies is not None
        revision = state.players[at.active].hand_revision if copies[0] else 0
        offer = MakeOffer(at.active, (at.other,), *copies, (at.wants,), hand_revision=revision)
        await at.house.do(at.table, THREE[at.active], offer)
        state = await at.state()
        answer = copies_for(state, at.other, (at.wants,))
        assert answer is not None
        accept = AcceptOffer(at.other, 1, 1, *answer, state.players[at.other].hand_revision)
        await at.house.do(at.table, THREE[at.other], accept)
        await at.house.clock.advance(BEAT + 1_000)
        assert "order" not in await at.causes()
        await at.house.end()

    run(test())


def test_order_that_was_taken_back_is_not_carried_out() -> None:
    """And nobody else takes it back."""

    async def test() -> None:
        at = await market()
        mine, _ = await at.both()
        await at.house.tables.drop_instruction(at.table, THREE[at.other], mine)
        assert len((await at.house.tables.away(at.table, THREE[at.active])).orders) == 1
        await at.house.tables.drop_instruction(at.table, THREE[at.active], mine)
        await at.house.clock.advance(BEAT + 1_000)
        assert "order" not in await at.causes()
        await at.house.end()

    run(test())


def test_whoever_is_done_passes_at_the_beat() -> None:
    """Everybody sees that he is; once all are, the trading ends there, and nobody is done with the next."""

    async def test() -> None:
        at = await market()
        ear = await at.ear(at.third)
        for seat in range(3):
            await at.house.do(at.table, THREE[seat], BeDone())
        assert ear.events == ["done-given"] * 3
        assert (await at.house.tables.peek(at.table)).room.done == (0, 1, 2)
        await at.house.clock.advance(BEAT + 1_000)
        assert game(ear)[3:8] == ["orders-looked-at", "passed", "passed", "passed", "trading-closed"]
        assert (await at.house.tables.peek(at.table)).room.done == ()
        await at.house.end()

    run(test())


def test_done_that_is_taken_back_passes_nobody() -> None:
    """The trading goes on."""

    async def test() -> None:
        at = await market()
        for seat in range(3):
            await at.house.do(at.table, THREE[seat], BeDone())
        await at.house.do(at.table, THREE[at.third], BeDone(done=False))
        await at.house.clock.advance(BEAT + 1_000)
        assert isinstance((await at.state()).phase, TradePhase)
        await at.house.end()

    run(test())


def test_orders_rest_while_a_pass_stands() -> None:
    """Whoever has passed wants no more trade."""

    async def test() -> None:
        at = await market()
        await at.both()
        await at.house.do(at.table, THREE[at.other], Pass(at.other))
        await at.house.clock.advance(BEAT + 1_000)
        assert "order" not in await at.causes()
        await at.house.end()

    run(test())


def test_end_of_the_clock_is_the_last_beat() -> None:
    """Seven beats before it, one each eighth; at the end all pass."""

    async def test() -> None:
        at = await market()
        ear = await at.ear(at.third)
        for _ in range(BEATS):
            await at.house.clock.advance(BEAT)
        await at.house.clock.advance(1_000)
        assert ear.events.count("orders-looked-at") == BEATS
        assert not isinstance((await at.state()).phase, TradePhase)
        await at.house.end()

    run(test())


class Dying(MemoryStore):
    """A store whose server is killed between the decision of a beat and its append, once."""

    alive = True

    async def append(self, append: Append) -> Outcome:
        """Fail with the beat."""
        if append.instructions and self.alive:
            self.alive = False
            raise StoreUnavailable("failed", "killed")
        return await super().append(append)


def test_killed_between_decision_and_append_nothing_is_done_twice() -> None:
    """Nothing of the beat is in the log; the next look does all of it, once."""

    async def test() -> None:
        store = Dying()
        at = await market(House(store=store))
        await at.both()
        await at.house.clock.advance(BEAT + 5_000)
        assert not store.alive
        assert (await at.causes()).count("order") == 2
        await at.house.end()

    run(test())


@pytest.mark.parametrize(
    "terms", [Terms(), Terms(give=Bean.RED, take=Bean.RED), Terms(take=Bean.COCOA)], ids=str
)
def test_order_that_can_never_be_met_is_refused(terms: Terms) -> None:
    """It names no kind, one kind twice, or one that is not in the game."""

    async def test() -> None:
        at = await market()
        with pytest.raises(Refusal) as caught:
            await at.house.tables.add_instruction(at.table, "anna", terms)
        assert refused(caught) is Problem.ORDER_NOT_VALID
        await at.house.end()

    run(test())


def test_orders_are_for_seats_of_tables_over_days() -> None:
    """Elsewhere they are refused, and to whoever only watches."""

    async def test() -> None:
        house = await House().begin()
        quick, slow = await house.table(*THREE), await house.table(*THREE, options=DAYS)
        for table, user, problem in (
            (quick, "anna", Problem.NOT_OVER_DAYS),
            (slow, "dora", Problem.NOT_SEATED),
        ):
            with pytest.raises(Refusal) as caught:
                await house.tables.add_instruction(table, user, Terms(take=Bean.RED))
            assert refused(caught) is problem
        with pytest.raises(Refusal) as caught:
            await house.do(quick, "anna", BeDone())
        assert refused(caught) is Problem.NOT_OVER_DAYS
        await house.end()

    run(test())


def test_nobody_leaves_more_than_twelve_orders() -> None:
    """The next one is refused with how many there may be."""

    async def test() -> None:
        at = await market()
        for _ in range(12):
            await at.leave(0, take=Bean.RED)
        with pytest.raises(Refusal) as caught:
            await at.leave(0, take=Bean.RED)
        assert (refused(caught), caught.value.params) == (Problem.TOO_MANY, {"most": 12})
        await at.house.end()

    run(test())

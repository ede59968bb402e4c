"""Acceptances of an offer to several people by several workers: the holder of the lease decides them."""

from __future__ import annotations

import asyncio

import pytest

from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Options
from bohn.rules.commands import AcceptOffer, MakeOffer
from bohn.rules.errors import IllegalCommand, Reason
from bohn.rules.state import Copy, TradePhase
from bohn.server.store import formats
from bohn.server.store.protocol import StoreUnavailable
from bohn.server.store.shared import BUCKETS, Acceptance
from bohn.server.tables.gathering import Gathering
from tests.server.support.shared_memory_store import SharedMemoryStore
from tests.server.support.tables import House, workers
from tests.server.tables.test_service import THREE, refused, run

OPTIONS = Options(players=3, house_rules=("starter=seat:0",))


class Company:
    """Two workers, and a table of the first at which Anna offers a bean to Bert and to the third seat."""

    def __init__(self, owner: House, other: House, table: str) -> None:
        self.owner, self.other, self.table = owner, other, table
        self.clock = owner.clock
        self.stopping: asyncio.Task[None] | None = None

    async def accept(self, house: House, seat: int, name: str) -> int:
        """Let a person accept by a worker."""
        return await house.do(self.table, THREE[seat], AcceptOffer(seat, 1, 1), name=name)

    def begin(self, house: House, seat: int, name: str) -> asyncio.Task[int]:
        """Let a person begin to accept by a worker."""
        return asyncio.create_task(self.accept(house, seat, name))

    def bot(self, name: str = "b1") -> asyncio.Task[int]:
        """Let the bot in the third seat begin to accept, as its worker has it."""
        return asyncio.create_task(
            self.owner.tables.execute_for_bot(self.table, 2, name, AcceptOffer(2, 1, 1))
        )

    async def traded(self) -> list[str]:
        """Return whose acceptances were done."""
        rows = await self.other.store.rows(self.table)
        return [row.actor for row in rows if isinstance(row.command, AcceptOffer)]

    async def waiting(self) -> list[str]:
        """Return whose acceptances wait."""
        store = self.other.store
        assert isinstance(store, SharedMemoryStore)
        return [one.actor for one in await store.gathered_at(self.table)]

    async def kill_owner(self) -> None:
        """Let the owner end as a process does that is killed: nothing more of it is written or told."""

        async def nothing() -> None:
            return

        self.owner.tables.leave = nothing  # type: ignore[method-assign]  # - a dead process says no goodbye
        await self.owner.store.close()
        self.stopping = asyncio.create_task(self.owner.tables.stop())
        await self.clock.settle()

    async def end(self) -> None:
        """End both."""
        if self.stopping is None:
            await self.owner.end()
        else:
            await self.clock.advance(self.owner.settings.times.stop + 1)
            await self.stopping
        await self.other.end()


async def company(people: tuple[str, ...] = THREE, *, deaf: bool = False) -> Company:
    """Return two workers with the table, both of which have it in memory."""
    one, two = await workers(deaf=deaf)
    while True:
        table = await one.table(*people, options=OPTIONS)
        if one.tables._ownership.serves(table):
            break
    await one.until_trading(table, THREE)
    state = (await one.tables.peek(table)).state
    assert state is not None
    assert isinstance(state.phase, TradePhase)
    bean = Copy(0, state.phase.face_up[0])
    await one.do(table, "anna", MakeOffer(0, (1, 2), face_up=(bean,)), name="offer")
    await one.clock.advance(one.settings.times.sweep + 1)
    await two.tables.peek(table)
    return Company(one, two, table)


def test_person_goes_before_an_earlier_bot_of_another_worker() -> None:
    """Whoever was sent the acceptances, one worker decides them all, and people come first."""

    async def test() -> None:
        met = await company(THREE[:2])
        bot = met.bot()
        await met.clock.advance(300)
        person = met.begin(met.other, 1, "p1")
        await met.clock.advance(101)
        assert person.done()
        assert await person == (await met.owner.store.heads((met.table,)))[met.table]
        with pytest.raises(IllegalCommand) as caught:
            await bot
        assert caught.value.reason is Reason.NO_SUCH_OFFER
        assert await met.traded() == ["bert"]
        assert await met.waiting() == []
        await met.end()

    run(test())


def test_earliest_person_gets_an_offer_whichever_worker_he_plays_by() -> None:
    """The moments count at which the acceptances were noted; an answer comes after 400 ms."""

    async def test() -> None:
        met = await company()
        first = met.begin(met.other, 2, "c1")
        await met.clock.advance(10)
        second = met.begin(met.owner, 1, "b1")
        await met.clock.advance(388)
        assert not first.done()
        await met.clock.advance(3)
        await first
        with pytest.raises(IllegalCommand):
            await second
        assert await met.traded() == ["cleo"]
        await met.end()

    run(test())


def test_acceptance_that_waits_is_decided_by_the_next_owner() -> None:
    """The worker that was to decide is killed: whoever takes its lease does; nothing is lost."""

    async def test() -> None:
        met = await company()
        person = met.begin(met.other, 1, "p1")
        await met.clock.advance(200)
        await met.kill_owner()
        assert await met.waiting() == ["bert"]
        await met.clock.advance(2 * met.other.settings.times.lease)
        assert await person == (await met.other.store.heads((met.table,)))[met.table]
        assert (await met.traded(), await met.waiting()) == (["bert"], [])
        await met.end()

    run(test())


def test_acceptance_of_a_worker_that_died_is_decided_and_told_to_who_sends_it_again() -> None:
    """What was noted is done; the same command by another worker is told what came of it."""

    async def test() -> None:
        met = await company()
        met.owner, met.other = met.other, met.owner  # the one that is killed is not the table's here
        lost = met.begin(met.owner, 1, "p1")
        await met.clock.advance(100)
        await met.kill_owner()
        again = met.begin(met.other, 1, "p1")
        await met.clock.advance(400)
        head = (await met.other.store.heads((met.table,)))[met.table]
        assert await again == head
        assert await met.accept(met.other, 1, "p1") == head
        assert await met.traded() == ["bert"]
        await asyncio.gather(lost, return_exceptions=True)
        await met.end()

    run(test())


def test_acceptance_that_both_workers_are_sent_is_done_once() -> None:
    """The same id by two workers waits as one row; both are told its seq, and other content is refused."""

    async def test() -> None:
        met = await company()
        both = [met.begin(house, 1, "same") for house in (met.owner, met.other)]
        await met.clock.advance(100)
        with pytest.raises(Refusal) as caught:
            await met.other.do(met.table, "bert", AcceptOffer(1, 1, 2), name="same")
        assert refused(caught) is Problem.COMMAND_ID_REUSED
        await met.clock.advance(400)
        assert len({await one for one in both}) == 1
        assert await met.traded() == ["bert"]
        await met.end()

    run(test())


def test_acceptance_that_nobody_decides_is_taken_back() -> None:
    """Whoever holds the lease does nothing: the person is refused in the end, and nothing is done later."""

    async def test() -> None:
        met = await company()
        await met.owner.tables.background.stop_repeating()  # it renews nothing, and reads nothing
        store = met.other.store
        assert isinstance(store, SharedMemoryStore)
        await store.renew("still", "still", 10, 60_000)
        await met.clock.advance(met.owner.settings.times.lease + 1)
        for lease in store._shared.leases:
            lease.worker, lease.until = "still", met.clock.now() + 3_600_000
        await met.clock.advance(2 * met.other.settings.times.beat)
        person = met.begin(met.other, 1, "p1")
        await met.clock.advance(2_000)
        assert await met.waiting() == ["bert"]
        await met.clock.advance(10_000)
        with pytest.raises(Refusal) as caught:
            await person
        assert refused(caught) is Problem.NOT_SAVED
        assert (await met.waiting(), await met.traded()) == ([], [])
        await met.end()

    run(test())


def test_acceptances_are_decided_though_the_bell_is_cut_off() -> None:
    """The owner finds them with its sweep, and whoever was sent them asks as often."""

    async def test() -> None:
        met = await company(deaf=True)
        person = met.begin(met.other, 1, "p1")
        await met.clock.advance(3 * met.owner.settings.times.sweep)
        assert await person == (await met.owner.store.heads((met.table,)))[met.table]
        await met.end()

    run(test())


def test_worker_whose_lease_was_taken_decides_nothing() -> None:
    """It takes its lease for alive: its row is refused, and the acceptance waits for the next owner."""

    async def test() -> None:
        met = await company()
        store = met.other.store
        assert isinstance(store, SharedMemoryStore)
        await met.owner.tables.background.stop_repeating()
        person = met.begin(met.other, 1, "p1")
        await met.clock.advance(10)
        for lease in store._shared.leases:  # the next epoch has begun
            lease.worker, lease.epoch, lease.until = "next", lease.epoch + 1, met.clock.now() + 2_000
        await met.clock.advance(600)
        assert (await met.waiting(), await met.traded()) == (["bert"], [])
        await met.clock.advance(4_000)
        assert await person
        assert await met.traded() == ["bert"]
        epochs = await store.epochs()
        assert len(epochs) == BUCKETS
        await met.end()

    run(test())


def test_store_that_fails_while_acceptances_are_decided_costs_nobody_anything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The next sweep decides them."""

    async def test() -> None:
        met = await company()
        failures = [1]
        gathered_at = SharedMemoryStore.gathered_at

        async def failing(store: SharedMemoryStore, table: str) -> tuple[Acceptance, ...]:
            if store is met.owner.store and failures and failures.pop():
                raise StoreUnavailable("lost", "planned")
            return await gathered_at(store, table)

        monkeypatch.setattr(SharedMemoryStore, "gathered_at", failing)
        person = met.begin(met.other, 1, "p1")
        await met.clock.advance(2 * met.owner.settings.times.sweep)
        assert await person
        assert not failures
        await met.end()

    run(test())


def test_acceptances_are_rows_only_once_every_worker_knows_them() -> None:
    """While one is registered that does not, each worker gathers for itself; when it is gone they wait."""

    async def test() -> None:
        met = await company(THREE[:2])
        store = met.other.store
        assert isinstance(store, SharedMemoryStore)
        times = met.owner.settings.times
        await store.renew("older", "older", times.lease, 60_000, formats.FIRST)
        await met.clock.advance(times.beat + 1)
        bot = met.bot("b1")
        await met.clock.advance(100)
        assert await met.waiting() == []
        await met.clock.advance(301)
        await bot
        assert await met.traded() == ["bot:2"]

        await met.clock.advance(2 * times.lease + times.beat)
        assert await _gather_again(met) == ["bert"]
        await met.end()

    run(test())


async def _gather_again(met: Company) -> list[str]:
    """Offer another bean, let Bert begin to accept, and return whose acceptances wait."""
    state = (await met.owner.tables.peek(met.table)).state
    assert state is not None
    assert isinstance(state.phase, TradePhase)
    bean = Copy(0, state.phase.face_up[0])
    await met.owner.do(met.table, "anna", MakeOffer(0, (1, 2), face_up=(bean,)), name="again")
    await met.clock.advance(10)
    accepting = asyncio.create_task(met.other.do(met.table, "bert", AcceptOffer(1, 2, 1), name="p2"))
    await met.clock.advance(100)
    waiting = await met.waiting()
    await met.clock.advance(400)
    await accepting
    return waiting


def test_acceptance_that_waits_goes_on_in_the_old_way_when_an_older_worker_comes() -> None:
    """Nobody else may know the row: it is taken back, and the command is done as any other."""

    async def test() -> None:
        met = await company()
        store = met.other.store
        assert isinstance(store, SharedMemoryStore)
        await met.owner.tables.background.stop_repeating()
        for lease in store._shared.leases:
            lease.worker, lease.epoch, lease.until = "older", lease.epoch + 1, met.clock.now() + 3_600_000
        person = met.begin(met.other, 1, "p1")
        await met.clock.advance(100)
        await store.renew("older", "older", 3_600_000, 60_000, formats.FIRST)
        await met.clock.advance(3_000)
        assert await person
        assert await met.waiting() == []
        await met.end()

    run(test())


def test_acceptances_of_a_lone_process_wait_in_memory() -> None:
    """A file has one process: it gathers as before."""

    async def test() -> None:
        house = await House().begin()
        assert isinstance(house.tables._log._gathering, Gathering)
        await house.end()

    run(test())

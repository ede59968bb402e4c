"""What several workers count together: who is at a table, and what a user or a table may have."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any

import pytest

from bohn.protocol.api import ChangeMe, MuteBody, NewToken
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Options
from bohn.protocol.room_commands import EndTable, Rematch
from bohn.rules.beans import Bean
from bohn.rules.commands import Plant, Reveal, SetWish
from bohn.server.metrics import Metrics
from bohn.server.people.service import Identity, People
from bohn.server.settings import Limits, Settings, Times
from bohn.server.store.protocol import Session
from bohn.server.store.shared import Renewal
from bohn.server.tables.api import CutReason
from bohn.server.tables.leases import Leases
from bohn.server.web.connections import Connection
from bohn.server.web.people_routes import change_me, mute
from bohn.server.web.services import Services, make_services
from tests.patience import PATIENCE
from tests.server.support.shared_memory_store import SharedMemoryStore
from tests.server.support.tables import Ear, House, workers
from tests.server.tables.test_service import THREE, run

FEW = Settings(limits=Limits(tables_a_user=3, links_a_table=3, tokens_a_user=3))


async def refusals(*asked: Awaitable[object]) -> list[Problem]:
    """Wait for all, and return why some were refused."""
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert all(isinstance(one, Refusal) for one in answers if isinstance(one, BaseException))
    return [one.problem for one in answers if isinstance(one, Refusal)]


def people_of(house: House) -> People:
    """Return the people of a worker."""
    return People(house.store, house.clock, house.entropy, house.settings)


def test_owners_are_counted_whichever_worker_they_are_connected_to() -> None:
    """A worker that has the table in memory, one that has not, and one to which nobody is connected agree."""

    async def test() -> None:
        one, two = await workers()
        table = await one.table(*THREE)
        other = await one.table(*THREE)
        await one.tables.watch(table, "anna", Ear(), None)
        watcher = await two.tables.watch(table, "bert", Ear(), None)
        await one.tables.watch(table, "bert", Ear(), None)
        await one.tables.watch(table, "dora", Ear(), None)
        await one.tables.watch(table, None, Ear(), None)
        await one.clock.advance(one.settings.times.away + 100)  # else all may be on their way
        assert [await house.here(table) for house in (one, two)] == [2, 2]
        two.tables.unwatch(watcher)
        await two.clock.settle()
        two.drop(table)
        assert two.tables.loaded.find(table) is None
        assert await two.here(table) == 2
        assert [await house.here(other) for house in (one, two)] == [0, 0]
        await one.end()
        await two.end()

    run(test())


@pytest.mark.parametrize("shared", [False, True], ids=["one process", "two workers"])
def test_tables_of_a_user_are_limited_though_he_opens_many_at_once(shared: bool) -> None:
    """By whichever worker, and within one as well: he has as many as he may, and not one more."""

    async def test() -> None:
        houses = await workers(FEW) if shared else (await House(FEW).begin(),)
        opening = [house.tables.open_table("anna", Options()) for house in houses * 3 for _ in range(2)]
        found = await refusals(*opening)
        assert found == [Problem.TOO_MANY] * (len(opening) - 3)
        assert len(await houses[0].store.listings_of("anna")) == 3
        for house in houses:
            await house.end()

    run(test())


def test_rematch_counts_like_any_other_table() -> None:
    """Asked for beside other tables at another worker, all of them are as many as there may be."""

    async def test() -> None:
        one, two = await workers(FEW)
        table = await one.table(*THREE)
        await one.do(table, "anna", EndTable())
        found = await refusals(
            one.do(table, "anna", Rematch()),
            *(two.tables.open_table("anna", Options()) for _ in range(5)),
        )
        assert found == [Problem.TOO_MANY] * 3
        await one.end()
        await two.end()

    run(test())


def test_links_and_tokens_are_limited_though_two_workers_make_them() -> None:
    """As many as there may be, and not one more."""

    async def test() -> None:
        one, two = await workers(FEW)
        both = [people_of(house) for house in (one, two)]
        found = await refusals(*(people.link_to_table("t1", "anna") for people in both * 4))
        assert found == [Problem.TOO_MANY] * 5
        anna = await both[0].new_guest("Anna", "en")
        cookie = Identity(anna, Session("c", anna.id, 1, cookie=True))
        found = await refusals(
            *(people.make_token(cookie, NewToken(scopes=("read",))) for people in both * 4)
        )
        assert found == [Problem.TOO_MANY] * 5
        await one.end()
        await two.end()

    run(test())


def buckets_of(house: House) -> tuple[int, ...]:
    """Return the buckets of a worker."""
    assert isinstance(house.tables._ownership, Leases)
    return house.tables._ownership.buckets


def test_leases_of_a_dead_worker_are_taken_at_the_moment_they_end() -> None:
    """Nobody waits for the next beat; its workers are followed a lease's length after it was heard last."""

    async def test() -> None:
        one, two = await workers(Settings(times=Times(lease=3_100)))
        await one.tables.background.stop_repeating()
        store = one.store
        assert isinstance(store, SharedMemoryStore)
        own = one.tables._leasing
        assert own is not None
        ends = {lease.until for lease in store._shared.leases if lease.worker == own._worker}
        await two.clock.advance(max(ends) - two.clock.now())
        assert len(buckets_of(two)) == 128
        await two.clock.advance(150)
        assert len(buckets_of(two)) == 256
        await one.end()
        await two.end()

    run(test())


def test_worker_that_stops_waits_for_no_answer_of_the_database() -> None:
    """It says goodbye to its clients while its leases are not given up yet; they end by themselves."""

    async def test() -> None:
        one, two = await workers(Settings(times=Times(stop=60)))
        answered, leave = asyncio.Event(), one.store.leave  # type: ignore[attr-defined]  # - it is shared

        async def late(worker: str) -> None:
            await answered.wait()
            await leave(worker)

        setattr(one.store, "leave", late)  # noqa: B010 - a method, which mypy keeps
        await asyncio.wait_for(one.tables.leave(), PATIENCE)
        assert buckets_of(one) == ()
        answered.set()
        await one.clock.settle()
        assert len(buckets_of(two)) == 256
        await one.end()
        await two.end()

    run(test())


def test_lease_counts_from_the_moment_at_which_its_renewal_was_sent() -> None:
    """Not from its answer: by then the database has counted for a while already."""

    async def test() -> None:
        one, two = await workers()
        renewals = HeldRenewals(one)
        await one.clock.advance(one.settings.times.beat)
        sent = one.clock.now()
        await one.clock.advance(one.settings.times.lease - 500)
        renewals.answered.set()
        await one.clock.settle()
        assert len(buckets_of(one)) == 128
        renewals.answered.clear()
        await one.clock.advance(sent + one.settings.times.lease - one.clock.now())
        assert buckets_of(one) == ()
        renewals.answered.set()
        await one.end()
        await two.end()

    run(test())


def test_renewal_that_was_on_its_way_leaves_a_stopping_worker_without_leases() -> None:
    """It has taken again what was just given up: that is given up as well."""

    async def test() -> None:
        one, two = await workers()
        renewals = HeldRenewals(one, before=True)
        await one.clock.advance(one.settings.times.beat)
        await two.tables.leave()
        await one.tables.leave()
        renewals.answered.set()
        await one.clock.settle()
        store = one.store
        assert isinstance(store, SharedMemoryStore)
        assert store._shared.takings[-1].epoch > 1
        assert {lease.worker for lease in store._shared.leases} == {""}
        await one.end()
        await two.end()

    run(test())


class HeldRenewals:
    """Holds the next renewals of a worker back, after (or ``before``) the store has seen them."""

    def __init__(self, house: House, *, before: bool = False) -> None:
        store = house.store
        assert isinstance(store, SharedMemoryStore)
        self.answered = asyncio.Event()
        self._renew = store.renew
        self._before = before
        setattr(store, "renew", self.renew)  # noqa: B010 - a method, which mypy keeps

    async def renew(self, *about: Any) -> Renewal:
        """Renew, and answer when it may."""
        if self._before:
            await self.answered.wait()
        found = await self._renew(*about)
        await self.answered.wait()
        return found


def site_of(house: House) -> Services:
    """Return what request handlers use at a worker, which hears the others."""
    services = make_services(
        house.settings, house.clock, house.entropy, house.store, house.tables, people_of(house), Metrics(),
        house.addresses,
    )  # fmt: skip
    house.tables.heard = services.heard
    return services


def test_name_changed_at_one_worker_is_known_to_the_others() -> None:
    """Nobody is called as before, not even for the half minute for which names are remembered."""

    async def test() -> None:
        one, two = await workers()
        here, there = site_of(one), site_of(two)
        anna = await here.people.new_guest("Anna", "en")
        cookie = Identity(anna, Session("c", anna.id, 1, cookie=True))
        assert (await there.people.people((anna.id,)))[anna.id].name == "Anna"
        request: Any = SimpleNamespace(services=here, me=cookie, body=ChangeMe(name="Ännchen"))
        await change_me(request)
        await one.clock.settle()
        assert (await there.people.people((anna.id,)))[anna.id].name == "Ännchen"
        await here.forget(anna.id)
        await one.clock.settle()
        assert (await there.people.people((anna.id,)))[anna.id].name == ""
        await one.end()
        await two.end()

    run(test())


def test_name_that_is_changed_while_it_is_read_is_not_remembered() -> None:
    """The one that was read may be the one before."""

    async def test() -> None:
        one, two = await workers()
        people = people_of(one)
        anna = await people.new_guest("Anna", "en")
        reading = asyncio.create_task(people.people((anna.id,)))
        await asyncio.sleep(0)
        people.drop_name(anna.id)
        await people_of(two).change(anna, ChangeMe(name="Ännchen"))
        await reading
        assert (await people.people((anna.id,)))[anna.id].name == "Ännchen"
        await one.end()
        await two.end()

    run(test())


def test_move_at_a_table_at_which_nobody_looks_comes_to_its_worker_though_the_bell_is_cut_off() -> None:
    """It does not have the table in memory, and could not let its bots go on."""

    async def test() -> None:
        one, two = await workers(deaf=True)
        table = await two.table(*THREE)
        while not one.tables._ownership.serves(table):
            table = await two.table(*THREE)
        await one.clock.advance(2 * one.settings.times.sweep)
        loaded = one.tables.loaded.find(table)
        if loaded is not None:
            one.tables.loaded.drop(loaded)
        await two.do(table, THREE[0], SetWish(0, Bean.SOY, "want"))
        await one.clock.advance(one.settings.times.sweep + 1)
        assert one.tables.loaded.find(table) is not None
        await one.end()
        await two.end()

    run(test())


def test_command_that_only_a_worker_that_is_behind_would_refuse_is_done() -> None:
    """It reads what the other one has written before it refuses anything."""

    async def test() -> None:
        one, two = await workers(deaf=True)
        table = await two.table(*THREE)
        state = (await two.tables.peek(table)).state
        assert state is not None
        seat = state.active_player
        await one.do(table, THREE[seat], Plant(seat, 0), name="plant")
        await two.do(table, THREE[seat], Reveal(seat))
        rows = await two.store.rows(table)
        assert [row.command for row in rows[-2:]] == [Plant(seat, 0), Reveal(seat)]
        await one.end()
        await two.end()

    run(test())


def test_people_of_a_worker_that_was_taken_for_dead_are_noted_again() -> None:
    """The database has forgotten them meanwhile; they have looked on all the time."""

    async def test() -> None:
        one, two = await workers()
        table = await one.table(*THREE)
        await one.tables.watch(table, THREE[0], Ear(), None)
        renewals = HeldRenewals(one, before=True)
        await one.clock.advance(3 * one.settings.times.lease)
        store = one.store
        assert isinstance(store, SharedMemoryStore)
        store._shared.presence.clear()
        renewals.answered.set()
        await one.clock.advance(3 * one.settings.times.beat)
        assert [present.user for present in await store.present_at((table,))] == [THREE[0]]
        await one.end()
        await two.end()

    run(test())


def test_people_at_a_table_that_is_loaded_count_as_present_for_a_while() -> None:
    """They may be on their way from a worker that has gone; who does not come is away after that."""

    async def test() -> None:
        one, two = await workers()
        table = await one.table(*THREE)
        await two.clock.settle()
        if (loaded := two.tables.loaded.find(table)) is not None:
            two.tables.loaded.drop(loaded)
        await one.end()
        assert (await two.tables.welcome(table, THREE[0])).present == (0, 1, 2)
        await two.clock.advance(two.settings.times.away + 2)
        assert (await two.tables.welcome(table, THREE[0])).present == ()
        await two.end()

    run(test())


def test_user_who_signs_out_at_one_worker_is_cut_off_at_the_others() -> None:
    """Wherever he is connected."""

    async def test() -> None:
        one, two = await workers()
        table = await one.table(*THREE)
        ears = [Ear(), Ear()]
        for user, ear in zip(THREE, ears, strict=False):
            await two.tables.watch(table, user, ear, None)
        one.tables.sign_out(THREE[0])
        await one.clock.settle()
        assert [ear.cut_for for ear in ears] == ["signed-out", None]
        await one.end()
        await two.end()

    run(test())


class Open(Connection):
    """A connection that is open until it is cut."""

    reason = ""

    def push(self, frame: bytes) -> None:
        """Read nothing."""

    def expel(self, frame: bytes) -> None:
        """Read nothing."""

    def cut(self, reason: CutReason) -> None:
        """Note why."""
        self.reason = reason

    def abort(self) -> None:
        """Do nothing."""


def test_what_a_session_has_opened_at_others_is_cut_when_it_ends_at_one() -> None:
    """What was opened with another cookie or token stays."""

    async def test() -> None:
        one, two = await workers()
        here, there = site_of(one), site_of(two)
        connections = [Open("127.0.0.1", session) for session in ("ended", "other")]
        with ExitStack() as stack:
            for connection in connections:
                stack.enter_context(there.connections.counted(connection))
            here.sign_out("ended")
            await one.clock.settle()
        assert [connection.reason for connection in connections] == ["signed-out", ""]
        await one.end()
        await two.end()

    run(test())


def test_who_is_muted_at_one_worker_is_not_read_at_the_others() -> None:
    """By a reader who is connected there, from the next line on."""

    async def test() -> None:
        one, two = await workers()
        here, there = site_of(one), site_of(two)
        anna, bert = [await here.people.new_guest(name, "en") for name in ("Anna", "Bert")]
        me = Identity(bert, Session("c", bert.id, 1, cookie=True))
        request: Any = SimpleNamespace(services=here, me=me, body=MuteBody(anna.id))
        async with there.chat.reading(bert.id):
            await mute(request)
            await one.clock.settle()
            assert there.chat.unread_by(anna.id) == {bert.id}
        await one.end()
        await two.end()

    run(test())

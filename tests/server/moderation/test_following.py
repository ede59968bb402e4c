"""Workers follow operators: what was done elsewhere holds here after the next look, once."""

from __future__ import annotations

import asyncio
from typing import Any

from bohn.protocol.room import Options
from bohn.protocol.room_commands import Sit, Start
from bohn.server.metrics import Metrics
from bohn.server.moderation.desk import Desk
from bohn.server.people.service import People
from bohn.server.store.protocol import Session, StoreUnavailable, User
from bohn.server.tables.notices import OperatorActed
from bohn.server.web.services import Services, make_services
from tests.server.support.tables import House, workers
from tests.server.tables.test_service import run


def services_of(house: House) -> Services:
    """Return the services of a worker."""
    people = People(house.store, house.clock, house.entropy, house.settings)
    services = make_services(
        house.settings, house.clock, house.entropy, house.store, house.tables, people, Metrics(),
        house.tables._addresses,
    )  # fmt: skip
    house.tables.heard = services.heard
    return services


def desk_at(house: House) -> Desk:
    """Return the desk of the terminal."""
    return Desk(house.store, house.clock, house.entropy, "terminal:root")


async def company() -> tuple[Any, Any, Services, Services, str]:
    """Return two workers with their services, and a table at which anna and bert play."""
    one, two = await workers()
    both = services_of(one), services_of(two)
    for user in ("anna", "bert"):
        await one.store.put_user(User(user, user, "en", 0))
    table = await one.tables.open_table("anna", Options(players=3, listed=True))
    await one.tables.execute(table, "anna", "a1", Sit(0))
    await one.tables.execute(table, "bert", "b1", Sit(1))
    await one.tables.execute(table, "anna", "a2", Start("gentle"))
    return one, two, *both, table


def test_table_is_closed_by_the_worker_that_serves_it() -> None:
    """Whichever looks first; it is closed once."""

    async def test() -> None:
        one, two, first, second, table = await company()
        await desk_at(two).close(table, "Good night")
        for services in (first, second, first, second):
            await services.following.look()
        rows = await one.store.rows(table)
        assert [row.command_id for row in rows if row.actor == "server"] == ["closed:1"]
        assert await one.store.closings() == ()
        await one.end()
        await two.end()

    run(test())


def test_seat_of_a_suspended_person_is_left_once_though_both_workers_see_to_it() -> None:
    """The same command, by whichever worker."""

    async def test() -> None:
        one, two, first, second, table = await company()
        await desk_at(one).sanction("suspend", "Insults", user="anna")
        await asyncio.gather(first.following.look(), second.following.look())
        rows = await one.store.rows(table)
        left = [row for row in rows if row.command_id.startswith("sanction:")]
        assert len(left) == 2  # the seat, and the role of the host
        room = await one.tables.enter(table, "bert")
        assert (room.host, room.seats[0].user, room.seats[0].bot is None) == ("bert", "anna", False)
        await one.end()
        await two.end()

    run(test())


def test_seats_of_the_programs_of_a_suspended_person_are_left_too() -> None:
    """They share his sanction, and a game would wait for them."""

    async def test() -> None:
        one, two, first, _, table = await company()
        await one.store.put_user(User("robot", "Robot", "en", 0, bot=True, maker="carl"))
        await one.store.put_user(User("carl", "carl", "en", 0))
        await one.store.put_session(Session("d1", "robot", 0, cookie=False))
        table = await one.tables.open_table("anna", Options(players=3, listed=True))
        for user in ("anna", "robot"):
            await one.tables.execute(table, user, user, Sit(None))
        await one.tables.execute(table, "anna", "a2", Start("gentle"))
        await desk_at(one).sanction("suspend", "Insults", user="carl")
        await first.following.look()
        room = await one.tables.enter(table, "anna")
        assert {seat.user: seat.bot is not None for seat in room.seats if seat.user} == {
            "anna": False,
            "robot": True,
        }
        await one.end()
        await two.end()

    run(test())


def test_table_that_cannot_be_closed_keeps_no_other_open() -> None:
    """It is tried again at every look."""

    async def test() -> None:
        one, two, first, _, damaged = await company()
        other = await one.tables.open_table("anna", Options(players=3, listed=True))
        close = one.tables.close

        async def failing(table: str, word: str, deed: int) -> None:
            if table == damaged:
                raise StoreUnavailable("damaged", "unreadable")
            await close(table, word, deed)

        one.tables.close = failing
        for table in (damaged, other):
            await desk_at(one).close(table, "Good night")
        await first.following.look()
        assert [closing.table for closing in await one.store.closings()] == [damaged]
        one.tables.close = close
        await first.following.look()
        assert await one.store.closings() == ()
        await one.end()
        await two.end()

    run(test())


def test_limits_hold_at_all_workers() -> None:
    """Each takes them in at its next look, a worker that starts later too."""

    async def test() -> None:
        one, two, first, second, _ = await company()
        await desk_at(one).limit("tables_a_user", 3)
        assert first.limits.tables_a_user == 8
        for services in (first, second):
            await services.following.look()
            assert services.limits.tables_a_user == 3
        await desk_at(two).limit("tables_a_user", None)
        await first.following.look()
        assert first.limits.tables_a_user == 8
        await one.end()
        await two.end()

    run(test())


def test_other_workers_look_when_they_are_told() -> None:
    """By the bell, before the next sweep."""

    async def test() -> None:
        one, two, first, second, _ = await company()

        await desk_at(one).sanction("mute", "Insults", user="bert")
        first.tables.tell_others(OperatorActed())
        await one.clock.settle()
        await two.clock.settle()
        assert [sanction.user for sanction in second.sanctions.all] == ["bert"]
        await one.end()
        await two.end()

    run(test())

"""Room for honest people: who opens all he can from one address fills neither the server nor its bots."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Options
from bohn.rules.deal import opening
from bohn.rules.evolve import fold
from bohn.rules.resolve import resolve
from bohn.rules.shuffle import seed_from
from bohn.server.bots.messages import BotAnswer, Traits, decode_question, encode
from bohn.server.bots.pool import Pool
from bohn.server.buckets import Buckets
from bohn.server.settings import Limits, Settings
from tests.server.bots.company import ask_of
from tests.server.support.asgi import App
from tests.server.support.memory_store import MemoryStore
from tests.server.support.serving import PLENTY
from tests.server.support.site import Place, Visitor, visit
from tests.server.support.tables import House

HERE, THERE = "203.0.113.5", "198.51.100.7"
A_DAY = 86_400.0


def at(app: App, address: str) -> App:
    """Return an application as it is asked from an address."""

    async def asked(scope: Any, receive: Any, send: Any) -> None:
        await app({**scope, "client": (address, 50_000)}, receive, send)

    return asked


async def guests(place: Place, address: str, number: int) -> list[Visitor]:
    """Let some come in from an address."""
    elsewhere = Place(place.services, place.clock, place.store)
    elsewhere.app = at(place.app, address)
    elsewhere.stranger = Visitor(elsewhere.app)
    return [await elsewhere.guest() for _ in range(number)]


# -- tables ------------------------------------------------------------------------------------------------


def test_all_tables_of_many_guests_of_one_address_do_not_fill_the_server() -> None:
    """251 guests x 8 tables are more than there may be; somebody from elsewhere opens one at once."""

    async def play() -> None:
        house = await House().begin()
        refused: list[Problem] = []
        for number in range(251):
            house.addresses.came(f"guest{number}", HERE)
            for _ in range(8):
                try:
                    await house.tables.open_table(f"guest{number}", Options())
                except Refusal as refusal:
                    refused.append(refusal.problem)
        house.addresses.came("anna", THERE)
        limits = house.settings.limits

        assert await house.tables.open_table("anna", Options())
        assert 251 * 8 > limits.tables > 8 * limits.tables_an_address
        assert refused == [Problem.TOO_MANY] * (251 * 8 - limits.tables_an_address)
        await house.end()

    asyncio.run(play())


def test_tables_of_an_address_are_counted_by_requests() -> None:
    """Whoever opens them, sitting down or not; there is room again when one of them is over."""

    async def scenario(place: Place) -> None:
        first, second = await guests(place, HERE, 2)
        tables = [await first.open_table(sit=False), await first.open_table(), await second.open_table()]
        answers = [await one.ask("POST", "/api/tables", {}) for one in (first, second)]
        assert [(answer.status, answer.json()["reason"]) for answer in answers] == [(409, "too-many")] * 2
        assert answers[0].json()["params"] == {"most": 3}
        (other,) = await guests(place, THERE, 1)
        assert await other.open_table()
        await first.post(f"/api/tables/{tables[0]}/commands", {"id": "x", "command": {"do": "end-table"}})

        assert await second.open_table()

    visit(scenario, Settings(limits=replace(PLENTY, tables=6, tables_an_address=3)))


def test_tables_opened_at_once_are_counted_too() -> None:
    """Requests that come together are no way around the limit."""

    async def play() -> None:
        house = await House(Settings(limits=Limits(tables_an_address=3))).begin()
        house.addresses.came("anna", HERE)
        opening = (house.tables.open_table("anna", Options()) for _ in range(8))
        found = await asyncio.gather(*opening, return_exceptions=True)

        assert [isinstance(one, str) for one in found].count(True) == 3
        await house.end()

    asyncio.run(play())


def test_old_tables_that_are_asked_for_do_not_fill_the_server() -> None:
    """Of one address as many count as may be opened there, however many are in memory again."""

    async def play() -> None:
        house = await House(Settings(limits=Limits(tables=6, tables_an_address=3))).begin()
        house.addresses.came("mallory", HERE)
        old = []
        for _ in range(2):
            opened = [await house.tables.open_table("mallory", Options()) for _ in range(3)]
            for table in opened:
                house.drop(table)
            old += opened
        for table in old:
            await house.tables.peek(table)

        assert len(house.tables.loaded) == 6
        assert await house.tables.open_table("anna", Options())
        await house.end()

    asyncio.run(play())


def test_guests_of_one_address_in_a_day_are_some_thousands() -> None:
    """A school comes in at once; who goes on and on does not fill the store with guests."""
    limits, now = Limits(), 0.0
    buckets = Buckets(limits.guests_at_once, limits.guests_a_second, clock=lambda: now)

    def come(address: str) -> int:
        for number in range(5_000):
            try:
                buckets.take(address)
            except Refusal:
                return number
        return 5_000

    school = come(HERE)
    later = 0
    while now < A_DAY:
        now += 5.0
        later += come(HERE)

    assert school >= 100
    assert 1_000 < school + later < 5_000
    assert come(THERE) == school  # somebody else's is full all the time


# -- bots --------------------------------------------------------------------------------------------------

SEATS = 7
ANSWER = encode(BotAnswer(None, Traits(trades=True, off_turn=False, uses_knowledge=False)))


class Thinker:
    """Stands for a process: notes which table it is asked about, and answers when it is told to."""

    def __init__(self) -> None:
        """Nothing has been asked."""
        self.open = True
        self.compiled = False
        self.asked: list[str] = []
        self._reply: asyncio.Future[bytes] | None = None

    def ask(self, message: bytes) -> asyncio.Future[bytes]:
        """Take a question; there is never a second one before the answer."""
        assert self._reply is None or self._reply.done()
        self.asked.append(decode_question(message).table)
        self._reply = asyncio.get_running_loop().create_future()
        return self._reply

    async def answer(self) -> None:
        """Answer what was asked, and see what comes next."""
        assert self._reply is not None
        self._reply.set_result(ANSWER)
        for _ in range(4):
            await asyncio.sleep(0)


@pytest.mark.parametrize("tables", [64, 200])
def test_tables_of_bots_of_one_address_do_not_slow_another(tables: int) -> None:
    """Each question of somebody else waits for one of theirs, the one that is being thought about."""

    async def play() -> None:
        rules = resolve("full", SEATS)
        state = fold(opening(rules, seed_from("room")))
        question = ask_of(rules, state, state.active_player, "strongest")
        thinker = Thinker()
        pool = Pool(1, 1_000, address_of=lambda table: table[0], clock=lambda: len(thinker.asked))
        pool._slots[0]._process = thinker  # type: ignore[assignment]  # - stands for one
        busy = [
            asyncio.ensure_future(pool.decide(replace(question, table=f"b{number}", seat=seat)))
            for number in range(tables)
            for seat in range(SEATS)
        ]
        await asyncio.sleep(0)
        honest = [asyncio.ensure_future(pool.decide(replace(question, table="honest"))) for _ in range(3)]
        await asyncio.sleep(0)
        for _ in range(2 * tables):
            await thinker.answer()

        assert [table[0] for table in thinker.asked[:8]] == [*"bhbhbhbb"]
        assert all(one.done() for one in honest)
        others = [table for table in thinker.asked if table != "honest"]
        assert len(set(others[1 : tables + 1])) == tables  # theirs take turns as well
        for one in busy:
            one.cancel()
        await asyncio.gather(*busy, return_exceptions=True)

    asyncio.run(play())


def test_bots_are_asked_by_the_address_from_which_a_table_was_opened() -> None:
    """That is what the pool of a server is told; neither store nor log has an address."""
    store = MemoryStore()

    async def scenario(place: Place) -> None:
        (mallory,) = await guests(place, HERE, 1)
        (anna,) = await guests(place, THERE, 1)
        tables: Any = place.services.tables
        address_of = tables._seats._deciding._pool._address_of
        found = [address_of(await one.open_table()) for one in (mallory, anna, mallory)]

        assert found == [HERE, THERE, HERE]
        assert address_of("another") == "another"

    with capture_logs() as logged:
        visit(scenario, store=store)
    stored = repr(vars(store._data))
    assert ("table-opened" in repr(logged), "Anna" in stored) == (True, True)
    assert [address for address in (HERE, THERE) if address in repr(logged) + stored] == []

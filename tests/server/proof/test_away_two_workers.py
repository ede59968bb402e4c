"""What people leave with a table over days by one worker while another owns it: services, then processes."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import asyncpg
import msgspec
import pytest

from bohn.notation.records import LEFT
from bohn.protocol.away import MoveAhead, PlantAhead, RevealAhead, Terms
from bohn.protocol.room import Options
from bohn.protocol.room_commands import Start
from bohn.rules.commands import Plant, Reveal
from bohn.rules.events import Traded
from bohn.rules.state import State, TradePhase
from bohn.server.room.clocks import BEAT, DECISION
from bohn.server.store.protocol import LogRow
from bohn.server.store.shared import bucket_of
from tests.patience import PATIENCE
from tests.server.proof.test_two_processes import owner_of, rows_of, serving, shared
from tests.server.proof.test_two_workers import FOUR, Worker, same, table_of, two, until
from tests.server.support.audit import Folded
from tests.server.support.http import Http
from tests.server.support.serving import Serving
from tests.server.support.tables import Ear
from tests.server.support.wire import Guest, come_in, do, open_table

pytestmark = pytest.mark.postgres

DAYS = Options(players=4, clock="4h")


async def state_of(worker: Worker, table: str) -> State:
    """Return the game as a worker has it."""
    state = (await worker.tables.peek(table)).state
    assert state is not None
    return state


def by_order(rows: tuple[LogRow, ...]) -> list[Any]:
    """Return the commands that were made for people, in their order."""
    return [row.command for row in rows if row.cause in LEFT]


async def ring(address: str, table: str, kind: str) -> None:
    """Let a clock of a table run out now; no test waits for hours."""
    connection = await asyncpg.connect(address)
    try:
        changed = await connection.execute(
            "UPDATE timers SET due = 1000 * extract(epoch FROM now()) WHERE table_id = $1 AND key LIKE $2",
            table, f"{kind}:%",
        )  # fmt: skip
        assert changed != "UPDATE 0"
    finally:
        await connection.close()


def test_move_set_ahead_at_another_worker_is_made_once(postgres_database: str) -> None:
    """Whether it is possible at once, or behind what is done by the owner; both workers show it."""

    async def test() -> None:
        async with two(postgres_database) as (one, other):
            while True:
                table = await table_of(one, other, *FOUR, options=DAYS)
                await same(table, one, other)
                state = await state_of(one, table)
                seat = state.active_player
                _, second, third, *_ = state.players[seat].hand
                if second != third:  # else the second planting would wait for the third card: no turning over
                    break
            ears = [Ear(), Ear()]
            for each, ear in zip((one, other), ears, strict=True):
                await each.tables.watch(table, FOUR[seat], ear, None)
            bean = state.players[seat].hand[0]

            await other.tables.add_instruction(table, FOUR[seat], PlantAhead(bean, 1))
            assert by_order(await one.store.rows(table)) == [Plant(seat, 1)]

            await same(table, one, other)
            later = state.players[seat].hand[1]
            await asyncio.gather(
                *(
                    each.tables.add_instruction(table, FOUR[seat], PlantAhead(later, 0))
                    for each in (one, other)
                ),
                *(each.tables.add_instruction(table, FOUR[seat], RevealAhead()) for each in (one, other)),
            )
            await same(table, one, other)
            rows = await one.store.rows(table)
            assert by_order(rows)[1:] in ([Reveal(seat)], [Plant(seat, 0), Reveal(seat)])
            assert Folded(rows).faults == []
            for each in (one, other):
                left = await each.tables.away(table, FOUR[seat])
                assert sum(move.carried for move in left.moves) == len(by_order(rows))
            for ear in ears:
                assert [one["cause"] for one in ear.of("batch")] == ["ahead"] * len(by_order(rows))

    asyncio.run(test())


def test_move_is_made_behind_what_is_done_by_the_owner(postgres_database: str) -> None:
    """It was left at the other worker, which is gone since."""

    async def test() -> None:
        async with two(postgres_database) as (one, other):
            table = await table_of(one, other, *FOUR, options=DAYS)
            await same(table, one, other)
            seat = (await state_of(one, table)).active_player
            await other.tables.add_instruction(table, FOUR[seat], RevealAhead())
            assert by_order(await one.store.rows(table)) == []
            await other.die()
            await one.do(table, FOUR[seat], Plant(seat, 0))
            assert by_order(await one.store.rows(table)) == [Reveal(seat)]

    asyncio.run(test())


def test_move_of_a_worker_that_was_killed_before_it_made_it_is_made_by_the_owner(
    postgres_database: str,
) -> None:
    """It is stored and possible at once, but its worker ends: the clock makes it, and chooses nothing."""

    async def test() -> None:
        async with two(postgres_database) as (one, other):
            table = await table_of(one, other, *FOUR, options=DAYS)
            await same(table, one, other)
            state = await state_of(one, table)
            seat = state.active_player

            async def killed(*_: object) -> int:
                await other.die()
                raise asyncio.CancelledError

            other.tables._log.do = killed  # type: ignore[assignment]  # - the process ends here
            with suppress(asyncio.CancelledError):
                await other.tables.add_instruction(
                    table, FOUR[seat], PlantAhead(state.players[seat].hand[0], 1)
                )
            assert len(await one.store.instructions_at(table)) == 1
            assert by_order(await one.store.rows(table)) == []

            await ring(postgres_database, table, DECISION)
            rows = before = await one.store.rows(table)
            async with asyncio.timeout(PATIENCE):
                while rows == before:
                    await asyncio.sleep(0.02)
                    rows = await one.store.rows(table)
            assert by_order(rows) == [Plant(seat, 1)]
            assert not [row for row in rows if row.cause == "clock"]

    asyncio.run(test())


def test_orders_left_at_two_workers_are_carried_out_once_though_the_owner_is_killed(
    postgres_database: str,
) -> None:
    """Both were told that their orders stand; the worker that is left looks at them at the beat."""

    async def test() -> None:
        async with two(postgres_database) as (one, other):
            table = await table_of(one, other, *FOUR, options=DAYS)
            await same(table, one, other)
            seat = await one.until_trading(table, FOUR)
            state = await state_of(one, table)
            assert isinstance(state.phase, TradePhase)
            mine = state.phase.face_up[0]
            you, theirs = next(
                (place, bean) for place, player in enumerate(state.players) if place != seat
                for bean in player.hand if bean != mine
            )  # fmt: skip
            await one.tables.add_instruction(table, FOUR[seat], Terms(give=mine, take=theirs))
            await other.tables.add_instruction(table, FOUR[you], Terms(give=theirs, take=mine))
            await one.die()
            await until(lambda: len(other.load) == 256)
            await ring(postgres_database, table, BEAT)

            async with asyncio.timeout(PATIENCE):
                while not by_order(rows := await other.store.rows(table)):  # noqa: ASYNC110 - nobody tells
                    await asyncio.sleep(0.02)
            traded = [event for row in rows for event in row.events if isinstance(event, Traded)]
            assert len(traded) == 1
            assert [one.carried for one in (await other.tables.away(table, FOUR[you])).orders] == [1]
            assert Folded(rows).faults == []

    asyncio.run(test())


async def dealt(address: str, owner: str, by: Serving) -> tuple[str, Guest]:
    """Open tables over days by a process until one is the ``owner``'s; deal there, the guest has the turn."""
    http = Http(by.port)
    try:
        guest = await come_in(http, "Anna")
        options = Options(players=3, clock="4h", house_rules=("starter=seat:0",))
        table = await open_table(http, guest, options)
        while await owner_of(address, bucket_of(table)) != owner:
            table = await open_table(http, guest, options)
        await do(http, guest, table, Start(fill="pk"), "start")
    finally:
        await http.close()
    return table, guest


async def set_ahead(port: int, guest: Guest, table: str, move: MoveAhead) -> bool:
    """Set a move ahead by a process, and tell whether it has answered."""
    http = Http(port)
    try:
        body = {"move": msgspec.to_builtins(move)}
        await http.expect(200, "POST", f"/api/tables/{table}/away/moves", body, cookie=guest.cookie)
    except (OSError, asyncio.IncompleteReadError):
        return False
    finally:
        with suppress(OSError):
            await http.close()
    return True


@pytest.mark.parametrize("killed", ["the owner", "who was asked"])
def test_move_is_made_once_by_processes_of_which_one_is_killed(
    postgres_database: str, tmp_path: Path, killed: str
) -> None:
    """Killed a moment behind the request: what stands in the store is made, and nothing is made twice."""

    async def test() -> None:
        async with serving(postgres_database, tmp_path) as (one, other):
            for milliseconds in (0, 5, 25):
                table, guest = await dealt(postgres_database, "one", other)
                dying = one if killed == "the owner" else other
                living = other if dying is one else one
                request = asyncio.create_task(set_ahead(other.port, guest, table, RevealAhead()))
                await asyncio.sleep(milliseconds / 1000)
                dying.kill()
                answered = await request
                http = Http(living.port)
                away = await http.expect(200, "GET", f"/api/tables/{table}/away", cookie=guest.cookie)
                assert not answered or len(away["moves"]) == 1
                await do(http, guest, table, Plant(0, 0), "plant")
                rows = await rows_of(postgres_database, table)
                assert by_order(rows)[:1] == [Reveal(0)] * len(away["moves"])
                assert by_order(rows).count(Reveal(0)) <= 1
                assert Folded(rows).faults == []
                await http.close()
                await dying.start()
                await shared(postgres_database)

    asyncio.run(test())

"""What people have reported of other platforms, one test each: those that need processes and sockets.

The reports: research/platforms.md 4.2. Those that need no real server are in test_list.py.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from bohn.protocol import frames
from bohn.protocol.room import Options
from bohn.protocol.room_commands import SeatBot, Start
from bohn.rules.state import EndPhase
from bohn.server.bots.seats import BotSeats
from bohn.server.clock import SystemClock
from bohn.server.settings import Settings, Times
from tests.patience import PATIENCE
from tests.server.support.http import Http
from tests.server.support.killing import Killing
from tests.server.support.memory_store import MemoryStore
from tests.server.support.serving import PLENTY, Serving, children
from tests.server.support.tables import Ear, House
from tests.server.support.wire import Guest, Player, Stream, come_in, do, open_table, seated_table

TIMES = Times(
    collect=50, last_call=200, away=300, bot_move=(20, 60), bot_delay=(20, 60), bot_chatter=(5, 10),
    bot_beside_people=(30, 90), bot_quiet=150, bot_first_market=0, bot_open=(100, 200),
    poll=50, beat=250, stop=3_000, ping=400,
)  # fmt: skip
LIMITS = replace(PLENTY, outbox_frames=64, chat_at_once=100_000, chat_a_second=100_000.0)
SETTINGS = Settings(limits=LIMITS, times=TIMES, bots=1)

MB = 1024 * 1024


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """Serve all tests of this module; each has tables of its own."""
    serving = Serving(tmp_path_factory.mktemp("served"), SETTINGS)
    asyncio.run(serving.start())
    yield serving
    asyncio.run(serving.stop())


def run(test: Coroutine[Any, Any, None]) -> None:
    """Run a test's coroutine."""
    asyncio.run(test)


@asynccontextmanager
async def http_to(server: Serving) -> AsyncIterator[Http]:
    """Hold a connection to the server."""
    http = Http(server.port)
    try:
        yield http
    finally:
        await http.close()


@asynccontextmanager
async def playing(table: str, guests: list[Guest]) -> AsyncIterator[list[Player]]:
    """Hold a socket for everybody, welcomed."""
    players = [Player(guest, table, seed) for seed, guest in enumerate(guests)]
    for player in players:
        player.begin()
        async with asyncio.timeout(PATIENCE):
            await player.welcomed.wait()
    try:
        yield players
    finally:
        for player in players:
            await player.end()


# -- restarts --------------------------------------------------------------------------------------------


def test_restart_under_load_lets_all_tables_go_on(tmp_path: Path) -> None:
    """An orderly restart in the middle of play: goodbyes, then all tables go on and nothing is lost."""
    rounds = Killing(tmp_path, kills=1, tables=8, rate=120, seed=4, gently=True)
    report = asyncio.run(rounds.run())
    assert report.faults == []
    assert len(report.rounds) == 1  # everybody was back, else there were none
    for company in rounds.crowd.companies:
        for player in company.players:
            assert [goodbye.reason for goodbye in player.goodbyes] == ["server-stopping"]
            assert player.mirror.seq > 10


def test_bots_processes_are_replaced_when_they_die(server: Serving) -> None:
    """The bots' process is killed in the middle of a game: another one takes its place, the game goes on."""

    async def test() -> None:
        async with http_to(server) as http:
            guest = await come_in(http, "Anna")
            table = await open_table(http, guest, Options(players=4, listed=True), start=True)
            async with playing(table, [guest]) as (player,):
                task = asyncio.create_task(player.play(0.03))
                await player.until(lambda: player.mirror.seq > 15)
                before = children(server.pid)
                assert before
                for child in before:
                    os.kill(child, signal.SIGKILL)
                seq = player.mirror.seq
                await player.until(lambda: player.mirror.seq > seq + 60)
                assert set(children(server.pid)) - set(before)
                task.cancel()

    run(test())


def test_bots_processes_end_with_a_killed_server(tmp_path: Path) -> None:
    """When the server is killed, its bots' process is not left behind as an orphan."""

    async def test() -> None:
        server = Serving(tmp_path, SETTINGS)
        await server.start()
        try:
            async with http_to(server) as http:
                guest = await come_in(http, "Anna")
                table = await open_table(http, guest, Options(players=4, listed=True), start=True)
                async with playing(table, [guest]) as (player,):
                    task = asyncio.create_task(player.play(0.03))
                    await player.until(lambda: player.mirror.seq > 15)
                    task.cancel()
            found = children(server.pid)
        finally:
            server.kill()
        assert found
        async with asyncio.timeout(PATIENCE):
            while any(alive(child) for child in found):  # noqa: ASYNC110 - they are other processes
                await asyncio.sleep(0.05)

    run(test())


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended but was not waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_hung_bot_does_not_hold_up_its_table() -> None:
    """A bot that never answers is stopped after its time, and the default one plays in its place."""

    async def test() -> None:
        times = replace(
            TIMES, bot_limit=300, bot_move=(1, 5), bot_delay=(1, 5), bot_chatter=(1, 2),
            bot_beside_people=(1, 5), bot_quiet=20, bot_first_market=0, bot_open=(5, 10),
        )  # fmt: skip
        clock = SystemClock()
        house = House(Settings(times=times), MemoryStore(), clock)
        seats = BotSeats(house.tables, house.settings, clock, Random(1), players=HANGING)
        await house.begin(seats)
        table = await house.tables.open_table("anna", Options(edition="das-duell", players=2, listed=True))
        for seat in range(2):
            await house.do(table, "anna", SeatBot(seat, "random"))
        await house.do(table, "anna", Start())
        await house.tables.watch(table, "anna", Ear(), None)  # nobody asks bots whom nobody looks at
        async with asyncio.timeout(PATIENCE):
            while (peek := await house.tables.peek(table)).seq < 25:
                assert peek.state is not None
                assert not isinstance(peek.state.phase, EndPhase)
                await asyncio.sleep(0.05)
        await house.end()

    run(test())


HANGING = "tests.server.support.hanging:PLAYERS"


# -- coming back -----------------------------------------------------------------------------------------


def test_rejoining_from_another_device_needs_a_link_only(server: Serving) -> None:
    """Who has lost his cookie uses the link he has made before: same seat, same hand, and he may play."""

    async def test() -> None:
        async with http_to(server) as http:
            table, guests = await seated_table(http, Options(players=3, listed=True), "Device")
            link = await http.expect(200, "POST", "/api/me/links", cookie=guests[1].cookie)
            before = await http.expect(200, "GET", f"/api/tables/{table}", cookie=guests[1].cookie)
            used = await http.request("POST", "/api/links", {"token": link["token"]})
            assert used.status == 200
            assert used.cookie
            assert used.cookie != guests[1].cookie
            after = await http.expect(200, "GET", f"/api/tables/{table}", cookie=used.cookie)
            assert after["seat"] == before["seat"] == 1
            assert after["game"]["own"] == before["game"]["own"]
            again = Guest(server.port, "Device1", used.cookie, guests[1].user)
            async with playing(table, [again]) as (player,):
                assert (await player.said(player.wish())).seq is not None
            spent = await http.request("POST", "/api/links", {"token": link["token"]})
            assert spent.status == 404

    run(test())


def test_going_to_the_lobby_and_back_loses_nothing(server: Serving) -> None:
    """Whoever looks at the lobby in between finds his table listed as his own, and the same state."""

    async def test() -> None:
        async with http_to(server) as http:
            table, guests = await seated_table(http, Options(players=3, listed=True), "Lobby")
            async with playing(table, guests) as players:
                await players[0].said(players[0].wish())
                await players[0].end()
                mine = await http.expect(200, "GET", "/api/me/tables", cookie=guests[0].cookie)
                assert [(one["table"], one["mine"]) for one in mine["tables"]] == [(table, True)]
                listed = await http.expect(200, "GET", "/api/tables", cookie=guests[0].cookie)
                assert table in [one["table"] for one in listed["tables"]]
                async with playing(table, guests[:1]) as (back,):
                    assert back.mirror.game == players[0].mirror.game
                    assert back.mirror.legal == players[0].mirror.legal
                    assert back.mirror.seq == players[0].mirror.seq

    run(test())


# -- sockets that are half dead --------------------------------------------------------------------------


class Deaf:
    """A WebSocket by hand that answers nothing, not even a ping, and reads only when it is told to."""

    def __init__(self, server: Serving, table: str, guest: Guest) -> None:
        """Take a connection with a small buffer."""
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.setblocking(False)
        self.server = server
        lines = [
            f"GET /ws?table={table} HTTP/1.1",
            f"Host: 127.0.0.1:{server.port}",
            f"Origin: http://127.0.0.1:{server.port}",
            f"Cookie: {guest.cookie}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Version: 13",
        ]
        self.greeting = "\r\n".join([*lines, "", ""]).encode()

    async def connect(self) -> None:
        """Shake hands, and wait for the first bytes."""
        loop = asyncio.get_running_loop()
        await loop.sock_connect(self.socket, ("127.0.0.1", self.server.port))
        await loop.sock_sendall(self.socket, self.greeting)
        assert (await loop.sock_recv(self.socket, 12)).startswith(b"HTTP/1.1 101")

    async def ended(self, seconds: float) -> int:
        """Read to the end and return how much there was; raises ``TimeoutError`` if there is no end."""
        loop, size = asyncio.get_running_loop(), 0
        async with asyncio.timeout(seconds):
            with contextlib.suppress(ConnectionResetError):
                while data := await loop.sock_recv(self.socket, 65_536):
                    size += len(data)
        return size

    def close(self) -> None:
        """Let go."""
        self.socket.close()


def test_blackholed_client_is_noticed_and_others_stay(server: Serving) -> None:
    """Who answers no ping is cut off and no more present; who answers them stays connected all the while."""

    async def test() -> None:
        async with http_to(server) as http:
            table, guests = await seated_table(http, Options(players=3, listed=True), "Hole")
            async with playing(table, guests[:1]) as (player,), deaf_to(server, table, guests[1]) as deaf:
                await player.until(lambda: player.mirror.present == (0, 1))
                assert await deaf.ended(PATIENCE)
                await player.until(lambda: player.mirror.present == (0,))
                await asyncio.sleep(3 * TIMES.ping / 1000)
                assert len(player.returns) == 1

    run(test())


def test_slow_reader_costs_little_memory_and_is_cut_off(tmp_path: Path) -> None:
    """A client that reads nothing is cut off; the server's memory stays, others get everything."""

    async def test() -> None:
        patient = replace(SETTINGS, times=replace(TIMES, ping=60_000), bots=0)
        async with Serving(tmp_path, patient) as server, http_to(server) as http:
            table, guests = await seated_table(http, Options(players=3, listed=True), "Slow")
            async with (
                playing(table, guests[:2]) as (talker, reader),
                deaf_to(server, table, guests[2]),
            ):
                before, said = server.rss(), 0
                while b'bohn_cut_total{reason="too-slow"} 1.0' not in await metrics(http):
                    said += await talk(talker, 100)
                    assert said < MOST_LINES
                assert server.rss() - before < 24 * MB
                await reader.until(lambda: lines(reader) == said)
                await reader.until(lambda: reader.mirror.present == (0, 1))
                await returns(table, guests[2], reader.mirror.seq)

    run(test())


@asynccontextmanager
async def deaf_to(server: Serving, table: str, guest: Guest) -> AsyncIterator[Deaf]:
    """Hold a connection that answers nothing."""
    deaf = Deaf(server, table, guest)
    try:
        await deaf.connect()
        yield deaf
    finally:
        deaf.close()


MOST_LINES = 20_000


async def talk(player: Player, number: int) -> int:
    """Say a number of long lines, and wait until they are stored."""
    socket_, before = player.socket, said_by(player)
    assert socket_ is not None
    for line in range(number):
        text = "\N{EARTH GLOBE EUROPE-AFRICA}" * 400 + str(before + line)
        await socket_.send(f'{{"type":"say","id":"line{before + line}","text":"{text}"}}', text=True)
    await player.until(lambda: said_by(player) == before + number)
    return number


def said_by(player: Player) -> int:
    """Return how many of a player's lines are stored."""
    return sum(isinstance(frame, frames.Said) for frame in player.others)


def lines(player: Player) -> int:
    """Return how many lines of chat a player has read."""
    return sum(isinstance(frame, frames.Line) for frame in player.others)


async def metrics(http: Http) -> bytes:
    """Return the metrics."""
    return (await http.request("GET", "/metrics")).body


async def returns(table: str, guest: Guest, seq: int) -> None:
    """Check that somebody who was cut off comes back to where the others are."""
    stream = Stream(guest.port, table, guest.cookie)
    stream.mirror.seq = 1
    stream.begin()
    await stream.until(lambda: stream.mirror.seq == seq)
    assert stream.mirror.resumed == 1
    await stream.end()


def test_strangers_cannot_take_a_seat_that_was_left(server: Serving) -> None:
    """A seat belongs to its owner while he is away: nobody else may sit there, and he finds it again."""

    async def test() -> None:
        async with http_to(server) as http:
            table, guests = await seated_table(http, Options(players=3, listed=True), "Left", start=False)
            other = await come_in(http, "Other")
            body = {"id": "x", "command": {"do": "sit", "seat": 1}}
            path = f"/api/tables/{table}/commands"
            assert (await http.request("POST", path, body, cookie=other.cookie)).status == 409
            await do(http, guests[0], table, Start(), "start")
            assert (await http.request("POST", path, body, cookie=other.cookie)).status == 409
            shown = await http.expect(200, "GET", f"/api/tables/{table}", cookie=guests[1].cookie)
            assert shown["seat"] == 1

    run(test())

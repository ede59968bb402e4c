"""How a WebSocket ends, and when it is not opened: garbage, limits, foreign names, goodbyes and failures."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import msgspec
import pytest

from bohn.server.settings import Limits, Settings
from tests.server.support.asgi import Socket
from tests.server.support.site import Place, frames_of, of, until, visit
from tests.server.web.test_socket import seated


def test_endless_garbage_closes_the_socket() -> None:
    """Who goes on after being told to wait is sent away, and may come back."""

    async def scenario(place: Place) -> None:
        _, _, socket = await seated(place)
        for _ in range(40):
            socket.send("garbage")
        await until(lambda: b"close 1013" in socket.got)

        assert of(socket, "goodbye")[0]["reason"] == "rate-limited"
        assert of(socket, "goodbye")[0]["retry"] >= 1000
        assert [frame["reason"] for frame in of(socket, "refused")] == ["not-json"] * 10 + [
            "rate-limited"
        ] * 10
        await socket.hang_up()

    visit(scenario, Settings(limits=Limits(commands_at_once=10, commands_a_second=0.001)))


def test_signing_out_closes_the_sockets_of_that_token() -> None:
    """A token that is revoked opens nothing, and what it has opened is closed."""

    async def scenario(place: Place) -> None:
        anna, table, own = await seated(place)
        program = await place.program(anna, "read", "play")
        socket = program.socket(table)
        await until(lambda: of(socket, "welcome"))
        tokens = await anna.get("/api/me/tokens")
        gone = next(token["id"] for token in tokens if not token["cookie"])
        await anna.ask("DELETE", f"/api/me/tokens/{gone}")
        await until(lambda: b"close 1008" in socket.got)

        assert of(socket, "goodbye")[0]["reason"] == "signed-out"
        assert of(own, "goodbye") == []
        await socket.hang_up()
        await own.hang_up()

    visit(scenario)


def test_too_many_sockets_of_one_address_are_refused() -> None:
    """One house does not fill the server: 503, with the time to wait."""

    async def scenario(place: Place) -> None:
        anna, table, first = await seated(place)
        second = anna.socket(table)
        await until(lambda: second.got)

        assert second.status == 503
        assert msgspec.json.decode(second.got[0])["reason"] == "server-full"
        assert ("retry-after", "10") in second.answer
        await first.hang_up()
        third = anna.socket(table)
        await until(lambda: of(third, "welcome"))
        await third.hang_up()
        await second.hang_up()

    visit(scenario, Settings(limits=Limits(sockets_an_address=1)))


def test_full_server_refuses_sockets_and_streams() -> None:
    """There are so many sockets and streams and no more; requests are still answered."""

    async def scenario(place: Place) -> None:
        anna, table, first = await seated(place)
        stream = anna.lines(table)
        await until(lambda: stream.got)

        assert stream.status == 503
        assert (await anna.get("/api/me"))["user"] == anna.user
        await first.hang_up()
        await stream.hang_up()

    visit(scenario, Settings(limits=Limits(sockets=1)))


def test_handshake_to_a_rebound_name_is_refused() -> None:
    """A foreign name that points to this address opens no socket, with its own origin neither."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await anna.open_table()
        socket = anna.socket(table, headers={"host": "evil.example", "origin": "http://evil.example"})
        await until(lambda: socket.got)

        assert socket.status == 400
        await socket.hang_up()

    visit(scenario)


def test_what_is_in_flight_is_answered_before_the_goodbye(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that stops acknowledges what it has done."""

    async def scenario(place: Place) -> None:
        _, _, socket = await seated(place)
        waiting, going = asyncio.Event(), asyncio.Event()
        append = place.store.append

        async def slow(*args: Any) -> Any:
            waiting.set()
            await going.wait()
            return await append(*args)

        place.services.store.__dict__.pop("append", None)
        monkeypatch.setattr(place.store, "append", slow)
        socket.send({"type": "command", "id": "c1", "command": {"do": "give-salt", "salt": "ab"}})
        socket.send({"type": "command", "id": "c2", "command": {"do": "give-salt", "salt": "cd"}})
        await waiting.wait()
        stopping = asyncio.create_task(place.services.connections.stop(5))
        await asyncio.sleep(0)
        going.set()
        await until(lambda: b"close 1012" in socket.got)
        await socket.hang_up()
        await stopping

        kinds = [frame["type"] for frame in frames_of(socket)[2:]]
        assert kinds == ["ack", "batch", "goodbye"]
        assert of(socket, "ack")[0]["id"] == "c1"

    visit(scenario)


def test_mistake_of_ours_while_the_table_is_shown_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client hears a code and no more, and may try again."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await anna.open_table()

        async def broken(*_: Any) -> None:
            raise ValueError("12345")

        monkeypatch.setattr(place.services.tables, "watch", broken)
        socket = anna.socket(table)
        await until(lambda: len(socket.got) == 2)

        assert of(socket, "refused")[0]["reason"] == "internal"
        assert socket.got[-1] == b"close 1011"
        assert b"12345" not in b"".join(socket.got)
        await socket.hang_up()

    visit(scenario)


@pytest.mark.parametrize("error", [OSError, RuntimeError])
def test_client_that_vanishes_while_something_is_sent_is_let_go(error: type[Exception]) -> None:
    """Sending to who is gone fails, and that is all."""

    async def scenario(place: Place) -> None:
        anna, table, socket = await seated(place)
        take = socket.take

        async def gone(message: Any) -> None:
            if message["type"] == "websocket.send":
                raise error
            await take(message)

        forgotten: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, told: forgotten.append(told))
        lost = Socket(place.app, f"/ws?table={table}", anna.headers)
        lost.take = gone  # type: ignore[method-assign] # mypy - a client that has gone
        lost.begin()
        await until(lambda: len(place.services.connections) == 2)
        await anna.post(f"/api/tables/{table}/chat", {"text": "hi"})
        await lost.hang_up()
        gc.collect()

        assert forgotten == []
        assert len(place.services.connections) == 1
        await socket.hang_up()

    visit(scenario)

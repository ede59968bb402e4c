"""The WebSocket, called directly: what each frame is answered."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import msgspec
import pytest

from bohn.server.settings import Limits, Settings
from tests.server.support.asgi import Socket
from tests.server.support.site import Place, frames_of, of, until, visit


async def seated(place: Place, **body: Any) -> tuple[Any, str, Socket]:
    """Return a host, his table, and his socket, welcomed."""
    anna = await place.guest()
    table = await anna.open_table(**body)
    socket = anna.socket(table)
    await until(lambda: of(socket, "presence"))
    return anna, table, socket


def test_socket_welcomes_with_the_whole_table() -> None:
    """The first frame is the table as the viewer may see it."""

    async def scenario(place: Place) -> None:
        anna, table, socket = await seated(place)

        welcome = frames_of(socket)[0]
        assert (welcome["type"], welcome["table"], welcome["seat"]) == ("welcome", table, 0)
        assert welcome["user"] == anna.user
        await socket.hang_up()

    visit(scenario)


def test_command_is_acknowledged_before_its_batch() -> None:
    """Who sends a command hears that it is kept before he is shown what came of it."""

    async def scenario(place: Place) -> None:
        _, _, socket = await seated(place)
        socket.send({"type": "command", "id": "c1", "command": {"do": "give-salt", "salt": "ab"}})
        await until(lambda: of(socket, "batch"))

        kinds = [frame["type"] for frame in frames_of(socket)[2:]]
        assert kinds == ["ack", "batch"]
        assert of(socket, "ack")[0] == {"type": "ack", "id": "c1", "seq": of(socket, "batch")[0]["seq"]}
        await socket.hang_up()

    visit(scenario)


def test_command_sent_twice_is_done_once() -> None:
    """The same id is answered with the same seq, and nothing happens again."""

    async def scenario(place: Place) -> None:
        _, _, socket = await seated(place)
        frame = {"type": "command", "id": "c1", "command": {"do": "give-salt", "salt": "ab"}}
        socket.send(frame)
        socket.send(frame)
        await until(lambda: len(of(socket, "ack")) == 2)

        first, second = of(socket, "ack")
        assert first == second
        assert len(of(socket, "batch")) == 1
        await socket.hang_up()

    visit(scenario)


def test_command_id_with_other_content_is_refused() -> None:
    """An id stands for one command."""

    async def scenario(place: Place) -> None:
        _, _, socket = await seated(place)
        socket.send({"type": "command", "id": "c1", "command": {"do": "give-salt", "salt": "ab"}})
        socket.send({"type": "command", "id": "c1", "command": {"do": "give-salt", "salt": "cd"}})
        await until(lambda: of(socket, "refused"))

        assert of(socket, "refused")[0]["reason"] == "command-id-reused"
        await socket.hang_up()

    visit(scenario)


BROKEN = {
    "no JSON": ("{", "not-json", None),
    "empty": ("", "not-json", None),
    "half a character": ('{"id":"\\ud800"}', "not-json", None),
    "a number": ("5", "not-understood", None),
    "a list": ('[{"type":"ping","id":"x"}]', "not-understood", None),
    "no type": ('{"id":"x"}', "not-understood", "x"),
    "unknown type": ('{"type":"cheat","id":"x"}', "not-understood", "x"),
    "no id": ('{"type":"ping"}', "not-understood", None),
    "id that is no text": ('{"type":"ping","id":5}', "not-understood", None),
    "id with a line break": ('{"type":"ping","id":"a\\n"}', "not-understood", None),
    "unknown field": ('{"type":"ping","id":"x","more":1}', "not-understood", "x"),
    "unknown command": ('{"type":"command","id":"x","command":{"do":"cheat"}}', "not-understood", "x"),
    "wrong type": ('{"type":"command","id":"x","command":{"do":"sit","seat":"a"}}', "not-understood", "x"),
    "too deep": ('{"type":"ping","id":"x","a":' + "[" * 500 + "]" * 500 + "}", "too-deep", None),
    "far too deep": ("[" * 15_000, "too-deep", None),
    "a number too large": ('{"type":"ping","id":"x","a":1e999}', "not-understood", "x"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_frame_that_is_not_understood_is_refused_and_the_socket_lives(kind: str) -> None:
    """Whatever comes is answered with a reason, and with its id where it can be read."""
    text, reason, known = BROKEN[kind]

    async def scenario(place: Place) -> None:
        _, _, socket = await seated(place)
        socket.send(text)
        socket.send({"type": "ping", "id": "alive"})
        await until(lambda: of(socket, "pong"))

        (refused,) = of(socket, "refused")
        assert (refused["reason"], refused["id"]) == (reason, known)
        await socket.hang_up()

    visit(scenario)


def test_refusal_names_the_place_that_was_not_understood() -> None:
    """Whoever writes a client is told where to look."""

    async def scenario(place: Place) -> None:
        _, _, socket = await seated(place)
        socket.send('{"type":"command","id":"x","command":{"do":"sit","seat":"a"}}')
        await until(lambda: of(socket, "refused"))

        assert of(socket, "refused")[0]["params"] == {"path": "$.command.seat"}
        await socket.hang_up()

    visit(scenario)


def test_binary_frame_is_refused_and_the_socket_lives() -> None:
    """Frames are text."""

    async def scenario(place: Place) -> None:
        _, _, socket = await seated(place)
        socket._inbox.put_nowait({"type": "websocket.receive", "bytes": b'{"type":"ping","id":"x"}'})
        socket.send({"type": "ping", "id": "alive"})
        await until(lambda: of(socket, "pong"))

        assert [frame["reason"] for frame in of(socket, "refused")] == ["not-json"]
        assert [frame["id"] for frame in of(socket, "pong")] == ["alive"]
        await socket.hang_up()

    visit(scenario)


def test_stranger_watches_a_listed_table_and_nothing_else() -> None:
    """Without a cookie one sees what anybody may see, and may ask whether the server is there."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await anna.open_table(options={"listed": True})
        socket = place.stranger.socket(table)
        await until(lambda: of(socket, "welcome"))
        sent: list[dict[str, Any]] = [
            {"type": "command", "command": {"do": "sit"}},
            {"type": "check", "command": {"do": "reveal", "player": 0}},
            {"type": "draft", "to": [0]},
            {"type": "say", "text": "hi"},
            {"type": "ping"},
        ]
        for number, frame in enumerate(sent):
            socket.send({**frame, "id": f"s{number}"})
        await until(lambda: of(socket, "pong"))

        assert of(socket, "welcome")[0]["user"] is None
        assert [frame["reason"] for frame in of(socket, "refused")] == ["no-guest"] * 4
        await socket.hang_up()

    visit(scenario)


def test_stranger_does_not_see_a_private_table() -> None:
    """A table that is not listed is not there for who was not invited; the socket says so and closes."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await anna.open_table()
        socket = place.stranger.socket(table)
        await until(lambda: len(socket.got) == 2)

        assert of(socket, "refused")[0]["reason"] == "no-such-table"
        assert socket.got[-1] == b"close 1008"
        await socket.hang_up()

    visit(scenario)


@pytest.mark.parametrize(
    ("target", "status", "reason"),
    [
        ("/ws", 400, "not-understood"),
        ("/ws?table=", 400, "not-understood"),
        ("/ws?table=a/b", 400, "not-understood"),
        ("/ws?table=t&after=-1", 400, "not-understood"),
        ("/ws?table=t&after=x", 400, "not-understood"),
        ("/elsewhere", 404, "not-found"),
    ],
)
def test_handshake_that_is_not_understood_is_refused(target: str, status: int, reason: str) -> None:
    """What a handshake asks for is checked before the socket opens."""

    async def scenario(place: Place) -> None:
        socket = Socket(place.app, target)
        socket.begin()
        await until(lambda: socket.got)

        assert socket.status == status
        assert msgspec.json.decode(socket.got[0])["reason"] == reason
        await socket.hang_up()

    visit(scenario)


def test_table_that_does_not_exist_is_told() -> None:
    """The socket says that there is nothing to come back for."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        socket = anna.socket("nowhere")
        await until(lambda: len(socket.got) == 2)

        assert of(socket, "refused")[0]["reason"] == "no-such-table"
        assert socket.got[-1] == b"close 1008"
        await socket.hang_up()

    visit(scenario)


def test_token_that_may_read_sees_and_does_not_act() -> None:
    """A token's scope holds on the socket too."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await anna.open_table()
        reader = await place.program(anna, "read")
        socket = reader.socket(table)
        socket.send({"type": "command", "id": "a", "command": {"do": "stand"}})
        socket.send({"type": "say", "id": "b", "text": "hi"})
        socket.send({"type": "check", "id": "c", "command": {"do": "reveal", "player": 0}})
        await until(lambda: of(socket, "checked") or len(of(socket, "refused")) > 2)

        refusals = {frame["id"]: frame["reason"] for frame in of(socket, "refused")}
        assert refusals["a"] == refusals["b"] == "scope-missing"
        assert refusals.get("c") != "scope-missing"
        await socket.hang_up()

    visit(scenario)


@pytest.mark.parametrize(("scopes", "status"), [(("play",), 403), (("read",), 101)])
def test_token_without_reading_opens_no_socket(scopes: tuple[str, ...], status: int) -> None:
    """A stream is reading."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await anna.open_table()
        program = await place.program(anna, *scopes)
        socket = program.socket(table)
        await until(lambda: socket.got)

        assert socket.status == status
        await socket.hang_up()

    visit(scenario)


def test_wrong_token_is_no_stranger() -> None:
    """Who shows a token that is none is told so."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await anna.open_table(options={"listed": True})
        socket = Socket(place.app, f"/ws?table={table}", {"authorization": "Bearer wrong"})
        socket.begin()
        await until(lambda: socket.got)

        assert socket.status == 401
        await socket.hang_up()

    visit(scenario)


def test_a_hundred_commands_at_once_are_all_answered() -> None:
    """A burst beyond the bucket is refused frame by frame, with the time to wait; nothing is lost."""

    async def scenario(place: Place) -> None:
        _, _, socket = await seated(place)
        for number in range(100):
            command = {"do": "give-salt", "salt": f"{number:02x}"}
            socket.send({"type": "command", "id": f"c{number}", "command": command})
        await until(lambda: len(of(socket, "ack")) + len(of(socket, "refused")) == 100)

        limit = Limits().commands_at_once
        assert limit - 10 < len(of(socket, "ack")) < limit + 20  # opening the table took some
        assert {frame["reason"] for frame in of(socket, "refused")} == {"rate-limited"}
        assert all(frame["params"]["retry_after"] > 0 for frame in of(socket, "refused"))
        await socket.hang_up()

    visit(scenario)


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


def test_two_sockets_of_one_player_both_see_everything() -> None:
    """Two tabs are fine."""

    async def scenario(place: Place) -> None:
        anna, table, first = await seated(place)
        second = anna.socket(table)
        await until(lambda: of(second, "welcome"))
        second.send({"type": "command", "id": "c1", "command": {"do": "give-salt", "salt": "ab"}})
        await until(lambda: of(first, "batch") and of(second, "batch"))

        assert of(first, "batch") == of(second, "batch")
        assert of(first, "ack") == []
        await first.hang_up()
        await second.hang_up()

    visit(scenario)


def test_socket_resumes_behind_a_batch() -> None:
    """With ``after`` a client gets what it has missed, and no more."""

    async def scenario(place: Place) -> None:
        anna, table, first = await seated(place)
        seq = of(first, "welcome")[0]["seq"]
        await first.hang_up()
        for number in range(3):
            body = {"command": {"do": "give-salt", "salt": f"{number:02x}"}}
            await anna.post(f"/api/tables/{table}/commands", body)
        again = anna.socket(table, f"&after={seq}")
        await until(lambda: len(of(again, "batch")) == 3)

        assert [batch["seq"] for batch in of(again, "batch")] == [seq + 1, seq + 2, seq + 3]
        await again.hang_up()

    visit(scenario)


def test_long_gap_does_not_cut_the_socket_off() -> None:
    """What a client has missed may be more than an outbox holds."""

    async def scenario(place: Place) -> None:
        anna, table, first = await seated(place)
        seq = of(first, "welcome")[0]["seq"]
        await first.hang_up()
        for number in range(30):
            body = {"command": {"do": "give-salt", "salt": f"{number:02x}"}}
            await anna.post(f"/api/tables/{table}/commands", body)
        again = anna.socket(table, f"&after={seq}")
        await until(lambda: len(of(again, "batch")) == 30)

        assert of(again, "goodbye") == []
        await again.hang_up()

    visit(scenario, Settings(limits=Limits(outbox_frames=5)))


def test_check_and_draft_are_answered_and_change_nothing() -> None:
    """One may ask what would be."""

    async def scenario(place: Place) -> None:
        _, _, socket = await seated(place, bots=["pk", "pk"], options={"players": 3}, start=True)
        socket.send({"type": "check", "id": "c", "command": {"do": "reveal", "player": 0}})
        socket.send({"type": "draft", "id": "d", "to": [1], "want": [3]})
        await until(lambda: of(socket, "checked") and (of(socket, "previewed") or of(socket, "refused")))

        (checked,) = of(socket, "checked")
        assert checked["id"] == "c"
        assert of(socket, "ack") == []
        await socket.hang_up()

    visit(scenario)


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

"""The WebSocket, called directly: what each frame is answered."""

from __future__ import annotations

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

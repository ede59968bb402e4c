"""One table over HTTP: seeing it, acting, asking, its record and its stream."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bohn.protocol.frames import LineDeleted
from bohn.server.settings import Limits, Settings
from bohn.server.store.sqlite import SqliteStore
from bohn.server.web.ops_routes import RECHECK_AFTER
from tests.server.support.site import Place, Visitor, checked, frames_of, of, until, visit

SALT = {"command": {"do": "give-salt", "salt": "ab"}}


PAUSE = {"command": {"do": "pause"}}


def refused(answer: Any) -> tuple[int, str]:
    """Return status and reason of a refusal."""
    return answer.status, answer.json()["reason"]


async def playing(place: Place) -> tuple[Visitor, str]:
    """Return a guest and the address of a table where he plays with two bots."""
    anna = await place.guest()
    body = {"options": {"players": 3}, "bots": ["pk", "pk"], "start": True}
    return anna, f"/api/tables/{await anna.open_table(**body)}"


def test_command_is_done_at_most_once() -> None:
    """The header or the body names it; the same name is answered the same."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        address = f"/api/tables/{await anna.open_table()}/commands"
        by_header = checked(await anna.ask("POST", address, SALT, {"idempotency-key": "k1"}))
        by_body = await anna.post(address, {**SALT, "id": "k1"})
        by_both = checked(await anna.ask("POST", address, {**SALT, "id": "k1"}, {"idempotency-key": "k1"}))

        assert by_header == by_body == by_both
        assert by_header["id"] == "k1"
        other = await anna.ask("POST", address, {"command": {"do": "stand"}, "id": "k1"})
        assert refused(other) == (409, "command-id-reused")
        assert (await anna.post(address, SALT))["seq"] == by_header["seq"] + 1

    visit(scenario)


@pytest.mark.parametrize(
    ("key", "body"),
    [
        ("a b", SALT),
        ("x" * 65, SALT),
        ("k1", {**SALT, "id": "k2"}),
        ("", {**SALT, "id": ""}),
        ("", {**SALT, "id": "a/b"}),
    ],
)
def test_command_id_that_is_none_is_refused(key: str, body: Any) -> None:
    """Better refused than done twice."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        address = f"/api/tables/{await anna.open_table()}/commands"
        headers = {"idempotency-key": key} if key else {}

        assert refused(await anna.ask("POST", address, body, headers)) == (400, "not-understood")

    visit(scenario)


def test_refusal_of_the_rules_names_its_clause() -> None:
    """409, with code, clause and parameters, and no sentence."""

    async def scenario(place: Place) -> None:
        anna, address = await playing(place)
        command = {"do": "harvest", "player": 0, "field": 7}
        answer = await anna.ask("POST", f"{address}/commands", {"command": command})

        assert refused(answer) == (409, "no-such-field")
        assert answer.json()["clause"]
        assert answer.json()["params"]["field"] == 7

    visit(scenario)


def test_command_for_another_seat_is_refused() -> None:
    """A seat is its owner's."""

    async def scenario(place: Place) -> None:
        anna, address = await playing(place)
        answer = await anna.ask("POST", f"{address}/commands", {"command": {"do": "reveal", "player": 1}})

        assert refused(answer) == (403, "not-your-seat")

    visit(scenario)


def test_choices_and_questions_are_answered() -> None:
    """What may be done, what an offer would mean, and whether a command would be refused."""

    async def scenario(place: Place) -> None:
        anna, address = await playing(place)
        legal = await anna.get(f"{address}/legal")
        verdict = await anna.post(f"{address}/check", {"command": {"do": "harvest", "player": 0, "field": 0}})
        preview = await anna.post(f"{address}/draft", {"to": [1], "want": [3]})

        assert legal["seat"] == 0
        assert legal["choices"] is not None
        assert (verdict["legal"], verdict["refusal"]["clause"] is None) == (False, False)
        assert preview["get"] == [3]

    visit(scenario)


def test_token_that_may_read_asks_and_does_not_act() -> None:
    """Questions are reading."""

    async def scenario(place: Place) -> None:
        anna, address = await playing(place)
        reader = await place.program(anna, "read")

        assert (await reader.ask("POST", f"{address}/draft", {"to": [1], "want": [3]})).status == 200
        assert refused(await reader.ask("POST", f"{address}/commands", SALT)) == (403, "scope-missing")

    visit(scenario)


def test_record_of_an_unfinished_game_is_refused() -> None:
    """It holds the seed."""

    async def scenario(place: Place) -> None:
        anna, address = await playing(place)

        assert refused(await anna.ask("GET", f"{address}/record")) == (409, "not-finished")

    visit(scenario)


@pytest.mark.parametrize("path", ["", "/stream", "/legal", "/record", "/chat", "/links"])
@pytest.mark.parametrize("table", ["nowhere", "a%20b", "..%2f..", "x" * 80])
def test_table_that_does_not_exist_is_not_found(path: str, table: str) -> None:
    """Whatever it is called."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        answer = await anna.ask("GET", f"/api/tables/{table}{path}")

        assert answer.status == 404
        assert answer.json()["reason"] in ("no-such-table", "not-found")

    visit(scenario)


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("PUT", "/api/me", "DELETE, GET, HEAD, PATCH"),
        ("DELETE", "/api/catalog", "GET, HEAD"),
        ("GET", "/api/guests", "POST"),
        ("OPTIONS", "/api/guests", "POST"),
        ("POST", "/", "GET, HEAD"),
        ("BREW", "/api/tables", "GET, HEAD, POST"),
        ("HEAD", "/api/tables/t/stream", "GET"),
    ],
)
def test_method_that_is_not_there_is_told(method: str, path: str, allow: str) -> None:
    """405 with those that are, and the reason as everywhere."""

    async def scenario(place: Place) -> None:
        answer = await place.stranger.ask(method, path)

        assert refused(answer) == (405, "method-not-allowed")
        assert answer.header("allow") == allow

    visit(scenario)


@pytest.mark.parametrize(
    ("body", "media", "status", "reason"),
    [
        (b'{"name":"Anna"}', "text/plain", 415, "not-json"),
        (b"name=Anna", "application/x-www-form-urlencoded", 415, "not-json"),
        (b'{"name":"Anna"}', "", 415, "not-json"),
        (b'{"name":"Anna"', "application/json", 400, "not-json"),
        (b'{"name":"\xff"}', "application/json", 400, "not-json"),
        (b"", "application/json", 400, "not-json"),
        (b"[" * 9_000, "application/json", 400, "too-deep"),
        (b'{"name":"' + b"x" * 40_000 + b'"}', "application/json", 413, "too-large"),
        (b'{"name":"Anna"}', "application/json; charset=utf-8", 200, None),
    ],
)
def test_body_must_be_json_of_bearable_size(body: bytes, media: str, status: int, reason: str | None) -> None:
    """A form of a foreign page is no JSON."""

    async def scenario(place: Place) -> None:
        answer = await place.stranger.ask("POST", "/api/guests", body, {"content-type": media})

        assert (answer.status, answer.json().get("reason")) == (status, reason)

    visit(scenario)


def test_mistake_of_ours_is_told_without_details(monkeypatch: pytest.MonkeyPatch) -> None:
    """500 and a code; what went wrong stays in the log."""

    async def scenario(place: Place) -> None:
        anna, address = await playing(place)
        socket = anna.socket(address.rpartition("/")[2])
        await until(lambda: of(socket, "welcome"))

        async def broken(*_: Any, **__: Any) -> None:
            raise ValueError("the seed is 12345")

        monkeypatch.setattr(place.services.tables, "execute", broken)
        answer = await anna.ask("POST", f"{address}/commands", SALT)
        socket.send({"type": "command", "id": "x", "command": {"do": "stand"}})
        await until(lambda: of(socket, "refused"))

        assert (answer.status, answer.json()) == (500, {"reason": "internal", "clause": None, "params": {}})
        assert of(socket, "refused")[0]["reason"] == "internal"
        assert b"12345" not in answer.body + b"".join(socket.got)
        await socket.hang_up()

    visit(scenario)


def test_store_that_cannot_write_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """503 and a code, on every way in; readiness says so too, and everything goes on when it can again."""
    from bohn.server.store.protocol import StoreUnavailable

    async def scenario(place: Place) -> None:
        anna, address = await playing(place)
        socket = anna.socket(address.rpartition("/")[2])
        await until(lambda: of(socket, "welcome"))

        async def full(*_: Any, **__: Any) -> None:
            raise StoreUnavailable("full", "no space left for the secret 12345")

        with monkeypatch.context() as patch:
            for name in ("append", "say", "put_user", "beat", "credit"):
                patch.setattr(place.store, name, full)
                place.services.store.__dict__.pop(name, None)
            assert refused(await anna.ask("POST", f"{address}/commands", PAUSE)) == (503, "not-saved")
            assert refused(await anna.ask("POST", f"{address}/chat", {"text": "hi"})) == (503, "not-saved")
            assert refused(await place.stranger.ask("POST", "/api/guests", {"name": "B"})) == (
                503,
                "not-saved",
            )
            socket.send({"type": "say", "id": "x", "text": "hi"})
            await until(lambda: of(socket, "refused"))
            ready = await place.stranger.ask("GET", "/readyz")
        for name in ("append", "say", "put_user", "beat", "credit"):
            place.services.store.__dict__.pop(name, None)

        assert of(socket, "refused")[0]["reason"] == "not-saved"
        assert (ready.status, ready.json()) == (503, {"ok": False, "reason": "store-full"})
        assert (await place.stranger.ask("GET", "/readyz")).status == 200
        assert (await anna.ask("POST", f"{address}/chat", {"text": "hi"})).status == 200
        await socket.hang_up()

    visit(scenario)


def test_readiness_asks_anew_after_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer of a moment ago is not believed any more once something could not be written."""
    from bohn.server.store.protocol import StoreUnavailable

    async def scenario(place: Place) -> None:
        anna, address = await playing(place)
        await place.stranger.get("/readyz")

        async def full(*_: Any, **__: Any) -> None:
            raise StoreUnavailable("full", "no space left")

        with monkeypatch.context() as patch:
            for name in ("append", "beat", "credit"):
                patch.setattr(place.store, name, full)
                place.services.store.__dict__.pop(name, None)
            assert (await place.stranger.ask("GET", "/readyz")).status == 200
            assert refused(await anna.ask("POST", f"{address}/commands", PAUSE)) == (503, "not-saved")
            for _ in range(2):
                assert (await place.stranger.ask("GET", "/readyz")).status == 503
        for name in ("beat", "credit"):
            place.services.store.__dict__.pop(name, None)
        assert (await place.stranger.ask("GET", "/readyz")).status == 200

    visit(scenario)


def spoil_log(path: Path) -> None:
    """Write garbage over the page of a database with which the batches begin, and over no other."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        ((page,),) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'log'").fetchall()
        ((size,),) = connection.execute("PRAGMA page_size").fetchall()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xa5" * size)


def test_readiness_means_reading_as_well_as_writing(tmp_path: Path) -> None:
    """A database whose batches are garbage still takes a heartbeat and serves no table: it is not ready."""
    path = tmp_path / "s"
    store = SqliteStore(path)

    async def scenario(place: Place) -> None:
        await (await place.guest()).open_table()
        ready = await place.stranger.ask("GET", "/readyz")
        spoil_log(path)
        await place.clock.advance(RECHECK_AFTER)
        await store.beat("other", 1)
        spoilt = await place.stranger.ask("GET", "/readyz")

        assert ready.status == 200
        assert (spoilt.status, spoilt.json()) == (503, {"ok": False, "reason": "store-damaged"})

    visit(scenario, store=store)


@pytest.mark.parametrize("lose", [lambda path: path.rename(f"{path}.old"), lambda path: os.truncate(path, 0)])
def test_readiness_ends_with_the_file(tmp_path: Path, lose: Callable[[Path], object]) -> None:
    """A database that is renamed or cut while it is served is not ready any more."""
    path = tmp_path / "s"

    async def scenario(place: Place) -> None:
        assert (await place.stranger.ask("GET", "/readyz")).status == 200
        lose(path)
        await place.clock.advance(RECHECK_AFTER)
        for _ in range(2):
            lost = await place.stranger.ask("GET", "/readyz")
            assert (lost.status, lost.json()["reason"]) == (503, "store-failed")

    visit(scenario, store=SqliteStore(path))


def test_readiness_waits_for_the_store_to_be_open() -> None:
    """Alive is not ready."""

    async def scenario(place: Place) -> None:
        place.services.ready = False

        assert (await place.stranger.ask("GET", "/readyz")).status == 503
        assert (await place.stranger.get("/healthz")) == {"ok": True, "reason": ""}

    visit(scenario)


def test_server_that_leaves_says_so_to_its_proxy_and_serves_on() -> None:
    """Who asks whether it may be chosen is told no; who comes all the same is served."""

    async def scenario(place: Place) -> None:
        place.services.leaving = True

        for path in ("/healthz", "/readyz"):
            answer = await place.stranger.ask("GET", path)
            assert (answer.status, answer.json()) == (503, {"ok": False, "reason": "stopping"})
        assert (await place.stranger.ask("POST", "/api/guests", {"name": "Vera"})).status == 200

    visit(scenario)


def test_requests_of_one_address_are_limited() -> None:
    """With the time to wait; others are served."""

    async def scenario(place: Place) -> None:
        for _ in range(3):
            await place.stranger.get("/api/catalog")

        assert refused(await place.stranger.ask("GET", "/api/catalog")) == (429, "rate-limited")

    visit(scenario, Settings(limits=Limits(requests_at_once=3, requests_a_second=0.001)))


# -- the stream ----------------------------------------------------------------------------------------------


def test_stream_has_the_frames_of_the_socket_one_a_line() -> None:
    """Programs need no WebSocket."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await anna.open_table()
        socket, lines = anna.socket(table), anna.lines(table)
        await until(lambda: of(socket, "welcome") and of(lines, "welcome"))
        await anna.post(f"/api/tables/{table}/commands", SALT)
        await until(lambda: of(socket, "batch") and of(lines, "batch"))

        assert ("content-type", "application/x-ndjson") in lines.answer
        assert of(socket, "batch") == of(lines, "batch")
        assert all(part.endswith(b"\n") for part in lines.got)
        await socket.hang_up()
        await lines.hang_up()

    visit(scenario)


def test_stream_goes_on_behind_a_batch() -> None:
    """With ``since`` it has what was missed."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await anna.open_table()
        done = [await anna.post(f"/api/tables/{table}/commands", SALT) for _ in range(3)]
        lines = anna.lines(table, f"?since={done[0]['seq']}")
        await until(lambda: len(of(lines, "batch")) == 2)

        assert [frame["seq"] for frame in of(lines, "batch")] == [done[1]["seq"], done[2]["seq"]]
        await lines.hang_up()

    visit(scenario)


def test_stream_without_news_sends_an_empty_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that both sides know of each other."""
    monkeypatch.setattr("bohn.server.web.stream.KEEP_ALIVE", 0.01)

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        lines = anna.lines(await anna.open_table())
        await until(lambda: b"\n" in lines.got)
        await lines.hang_up()

    visit(scenario)


def test_stream_ends_with_a_goodbye_when_the_server_stops() -> None:
    """And says when to come back."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        lines = anna.lines(await anna.open_table())
        await until(lambda: of(lines, "welcome"))
        await place.services.connections.stop(5)
        await until(lambda: lines.ended)

        assert frames_of(lines)[-1]["type"] == "goodbye"
        assert frames_of(lines)[-1]["reason"] == "server-stopping"
        assert refused(await anna.ask("GET", "/api/tables/nowhere/stream")) == (503, "server-stopping")
        await lines.hang_up()

    visit(scenario)


def test_stream_that_is_not_read_is_cut_off() -> None:
    """A slow program loses its stream, not the server's memory."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await anna.open_table()
        lines = anna.lines(table)
        await until(lambda: of(lines, "welcome"))
        for _ in range(5):  # in one go: nothing can be sent in between
            place.services.tables.post(table, LineDeleted(1))
        await until(lambda: lines.ended)

        assert frames_of(lines)[-1]["reason"] == "too-slow"
        await lines.hang_up()

    visit(scenario, Settings(limits=Limits(outbox_frames=3)))


def test_stream_of_who_left_is_let_go() -> None:
    """Nothing stays behind."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        lines = anna.lines(await anna.open_table())
        await until(lambda: of(lines, "welcome"))
        assert len(place.services.connections) == 1
        await lines.hang_up()

        assert len(place.services.connections) == 0

    visit(scenario)

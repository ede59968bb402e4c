"""Real sockets: what only a real handshake, a real frame and a real slow reader can show."""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket as sockets
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from bohn.protocol.frames import Line
from bohn.server.settings import Limits, Settings, Times
from tests.patience import PATIENCE
from tests.server.support.raw import Raw
from tests.server.support.site import Live, hear, live


def closed_with(socket: ClientConnection) -> int:
    """Read until the server closes, and return its code."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            socket.recv(10)
    assert socket.close_code is not None
    return socket.close_code


def refused_with(action: Callable[[], Any]) -> tuple[int, str]:
    """Return status and reason of a handshake that is refused."""
    with pytest.raises(InvalidStatus) as caught:
        action()
    response = caught.value.response
    return response.status_code, msgspec.json.decode(response.body or b"{}").get("reason")


@pytest.fixture(scope="module")
def server() -> Any:
    """Return a server that all tests of this module share."""
    with live() as running:
        yield running


def open_table(server: Live, **body: Any) -> tuple[str, str]:
    """Return a guest's cookie and his table."""
    cookie = server.guest()
    return cookie, server.table(cookie, **body)


# -- origins -------------------------------------------------------------------------------------------------


def test_own_origin_opens_a_socket(server: Live) -> None:
    """A page of this server may."""
    cookie, table = open_table(server)

    with server.connect(f"/ws?table={table}", cookie) as socket:
        assert hear(socket, "welcome")["seat"] == 0


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "https://127.0.0.1:{port}",
        "http://127.0.0.1",
        "http://127.0.0.1:{port}.evil.example",
    ],
)
def test_foreign_origin_is_refused_with_403(server: Live, origin: str) -> None:
    """A page of another origin may not, whatever cookie the browser sends along."""
    cookie, table = open_table(server)
    foreign = origin.format(port=server.port)

    assert refused_with(lambda: server.connect(f"/ws?table={table}", cookie, foreign)) == (
        403,
        "foreign-origin",
    )


def test_missing_origin_is_refused_with_403(server: Live) -> None:
    """Every browser sends an origin; who sends none must show a token."""
    cookie, table = open_table(server)

    refused = refused_with(lambda: server.connect(f"/ws?table={table}", cookie, None))
    assert refused == (403, "foreign-origin")


def test_program_with_a_token_needs_no_origin(server: Live) -> None:
    """A token is nothing that a browser sends by itself."""
    cookie, table = open_table(server)
    token = server.ask("POST", "/api/me/tokens", {}, {"Cookie": cookie}).json()["token"]

    with connect(
        f"ws://127.0.0.1:{server.port}/ws?table={table}",
        additional_headers={"Authorization": f"Bearer {token}"},
        compression=None,
    ) as socket:
        assert hear(socket, "welcome")["seat"] == 0


def test_token_beside_a_cookie_does_not_excuse_a_foreign_origin(server: Live) -> None:
    """Where a cookie comes along it is a browser that asks."""
    cookie, table = open_table(server)
    token = server.ask("POST", "/api/me/tokens", {}, {"Cookie": cookie}).json()["token"]
    headers = {"Authorization": f"Bearer {token}", "Cookie": cookie}
    url = f"ws://127.0.0.1:{server.port}/ws?table={table}"

    foreign: Any = "http://evil.example"
    refused = refused_with(lambda: connect(url, origin=foreign, additional_headers=headers))
    assert refused == (403, "foreign-origin")


def test_configured_origin_opens_a_socket() -> None:
    """Behind a proxy the page has the proxy's address."""
    with live(Settings(origins=("https://bohn.example.org",))) as server:
        cookie, table = open_table(server)

        with server.connect(f"/ws?table={table}", cookie, "https://bohn.example.org") as socket:
            assert hear(socket, "welcome")["seat"] == 0


def test_rebound_name_is_refused(server: Live) -> None:
    """A foreign name that points to this address is not this server."""
    answer = server.ask("GET", "/api/catalog", headers={"Host": "evil.example"})

    assert (answer.status, answer.json()["reason"]) == (400, "foreign-origin")


# -- frames --------------------------------------------------------------------------------------------------


def test_compression_is_off(server: Live) -> None:
    """A client that offers compression gets none."""
    cookie, table = open_table(server)

    with server.connect(f"/ws?table={table}", cookie, compression="deflate") as socket:
        assert "Sec-WebSocket-Extensions" not in socket.response.headers
        assert hear(socket, "welcome")["seat"] == 0


def test_frame_of_full_size_is_answered(server: Live) -> None:
    """32 KiB are allowed."""
    cookie, table = open_table(server)

    with server.connect(f"/ws?table={table}", cookie) as socket:
        socket.send("x" * 32_768)
        assert hear(socket, "refused")["reason"] == "not-json"


def test_frame_beyond_full_size_closes_the_socket(server: Live) -> None:
    """A byte more closes the socket with 1009, and no other."""
    cookie, table = open_table(server)

    with (
        server.connect(f"/ws?table={table}", cookie) as other,
        server.connect(f"/ws?table={table}", cookie) as socket,
    ):
        socket.send("x" * 32_769)
        assert closed_with(socket) == 1009
        other.send('{"type":"ping","id":"x"}')
        assert hear(other, "pong")["id"] == "x"


def test_many_fragments_beyond_full_size_close_the_socket(server: Live) -> None:
    """Fragments count together."""
    cookie, table = open_table(server)

    with server.connect(f"/ws?table={table}", cookie) as socket:
        codes: list[int] = []

        def fragments() -> Iterator[str]:
            """Send no more once it is too much: bytes unread when a socket closes may swallow the reason."""
            yield from ("x" * 1_000 for _ in range(33))
            codes.append(closed_with(socket))

        with contextlib.suppress(ConnectionClosed):
            socket.send(fragments())
        assert codes == [1009]


def test_text_that_is_no_utf8_closes_the_socket(server: Live) -> None:
    """WebSocket demands it: 1007."""
    cookie, table = open_table(server)
    raw = Raw(server.port, f"/ws?table={table}", cookie)
    raw.send(0x81, b"\xff\xfe")

    assert raw.closed_with() == 1007


# -- slow readers --------------------------------------------------------------------------------------------

TIGHT = Limits(outbox_frames=8, outbox_bytes=200_000)


def flood(server: Live, table: str, lines: Iterable[int]) -> Future[None]:
    """Show everybody at a table long lines of these numbers."""

    async def post() -> None:
        assert server.services is not None
        for number in lines:
            server.services.tables.post(table, Line(number, "somebody", 0, "x" * 50_000))
            for _ in range(4):
                await asyncio.sleep(0)

    return asyncio.run_coroutine_threadsafe(post(), server.loop)


def test_slow_reader_is_cut_off_and_resumes() -> None:
    """Who does not read loses his socket, not the server's memory; he is told so if he reads in time."""
    with live(Settings(limits=TIGHT)) as server:
        cookie, table = open_table(server)
        slow = Raw(server.port, f"/ws?table={table}", cookie)
        assert slow.next()["type"] == "welcome"
        flood(server, table, range(100)).result(20)
        words, code = slow.last_words()

        assert (words["type"], words["reason"], code) == ("goodbye", "too-slow", 1013)
        with server.connect(f"/ws?table={table}&after=2", cookie) as again:
            assert hear(again, "welcome")["table"] == table


def test_slow_reader_disturbs_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others at the same table get every frame while one is cut off."""
    monkeypatch.setattr("bohn.server.web.socket_connection.GOODBYE_TIMEOUT", 60.0)  # it is read last of all
    with live(Settings(limits=TIGHT)) as server:
        cookie, table = open_table(server)
        slow = Raw(server.port, f"/ws?table={table}", cookie)
        with server.connect(f"/ws?table={table}", cookie) as quick:
            hear(quick, "welcome")
            for number in range(100):  # each is read before the next, whatever the load
                flood(server, table, [number]).result(20)
                assert hear(quick, "line")["line"] == number
        assert slow.last_words()[0]["reason"] == "too-slow"
        slow.socket.close()


def test_reader_that_never_reads_again_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for the goodbye of a client that has stopped reading: its memory is freed."""
    monkeypatch.setattr("bohn.server.web.socket_connection.GOODBYE_TIMEOUT", 0.2)
    with live(Settings(limits=TIGHT)) as server:
        cookie, table = open_table(server)
        dead = Raw(server.port, f"/ws?table={table}", cookie)
        assert dead.next()["type"] == "welcome"
        flood(server, table, range(100)).result(20)
        wait_for_none(server)

        with pytest.raises((ConnectionResetError, EOFError)):
            dead.last_words()
        dead.socket.close()


def test_stream_that_is_never_read_again_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same holds for a program that has stopped reading its lines."""
    monkeypatch.setattr("bohn.server.web.stream.GOODBYE_TIMEOUT", 0.2)
    with live(Settings(limits=TIGHT)) as server:
        cookie, table = open_table(server)
        with sockets.socket() as dead:
            dead.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4_096)
            dead.connect(("127.0.0.1", server.port))
            head = f"GET /api/tables/{table}/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookie}"
            dead.sendall(f"{head}\r\n\r\n".encode())
            assert dead.recv(16).startswith(b"HTTP/1.1 200")
            flood(server, table, range(100)).result(20)
            wait_for_none(server)


def wait_for_none(server: Live) -> None:
    """Wait until no socket is open."""
    assert server.services is not None
    deadline = time.monotonic() + PATIENCE
    while len(server.services.connections):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_client_that_does_not_answer_pings_is_dropped() -> None:
    """A client that has vanished without a word is noticed."""
    with live(Settings(times=Times(ping=100))) as server:
        cookie, table = open_table(server)
        gone = Raw(server.port, f"/ws?table={table}", cookie)
        wait_for_none(server)
        gone.socket.close()


# -- the end -------------------------------------------------------------------------------------------------


def test_stop_says_goodbye_to_everybody() -> None:
    """A server that stops tells all to come back, not all at once, and closes with 1012."""
    with live() as server:
        cookie, table = open_table(server)
        raws = [Raw(server.port, f"/ws?table={table}", cookie) for _ in range(5)]
        assert server.server is not None
        server.server.should_exit = True
        words = [raw.last_words() for raw in raws]

    assert {(word["type"], word["reason"], code) for word, code in words} == {
        ("goodbye", "server-stopping", 1012)
    }
    assert len({word["retry"] for word, _ in words}) > 1


# -- cookies -------------------------------------------------------------------------------------------------


def test_cookie_is_out_of_reach_for_scripts_and_foreign_pages(server: Live) -> None:
    """HttpOnly, SameSite=Lax, for the whole site."""
    answer = server.ask("POST", "/api/guests", {"name": "Anna"})

    name, *flags = answer.headers["set-cookie"].split("; ")
    assert name.startswith("bohn=")
    assert set(flags) == {"Path=/", "Max-Age=31536000", "HttpOnly", "SameSite=Lax"}


def test_cookie_behind_tls_is_bound_to_the_host(server: Live) -> None:
    """Behind a proxy that speaks TLS: Secure, the prefix that binds to this host, and HSTS beside it."""
    answer = server.ask("POST", "/api/guests", {"name": "Anna"}, {"X-Forwarded-Proto": "https"})

    name, *flags = answer.headers["set-cookie"].split("; ")
    assert name.startswith("__Host-bohn=")
    assert set(flags) == {"Path=/", "Max-Age=31536000", "HttpOnly", "SameSite=Lax", "Secure"}
    assert answer.headers["strict-transport-security"] == "max-age=31536000"


def test_cookie_of_an_origin_with_tls_is_secure() -> None:
    """Whoever named an address with https is reached by TLS, even if his proxy forwards no scheme."""
    with live(Settings(origins=("https://bohn.example.org",))) as server:
        answer = server.ask("POST", "/api/guests", {"name": "Anna"}, {"Host": "bohn.example.org"})
        nearby = server.ask("POST", "/api/guests", {"name": "Bert"})

        assert answer.headers["set-cookie"].startswith("__Host-bohn=")
        assert "; Secure" in answer.headers["set-cookie"]
        assert answer.headers["strict-transport-security"] == "max-age=31536000"
        assert nearby.headers["set-cookie"].startswith("bohn=")


def test_proxy_of_the_deploy_folder_forwards_all_that_is_needed() -> None:
    """Its headers, as nginx fills them in: secure cookies, a limit for each client, a socket, no metrics."""
    text = (Path(__file__).parents[3] / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    lines = re.findall(r"proxy_set_header (\S+) \"?([^\";]+)\"?;", text)

    def filled(client: str) -> dict[str, str]:
        known = {"$http_host": "bohn.example.org", "$remote_addr": client, "$scheme": "https"}
        return {name: known[value] for name, value in lines if value in known}

    limits = Limits(guests_at_once=1, guests_a_second=0.001)
    with live(Settings(origins=("https://bohn.example.org",), limits=limits)) as server:
        answers = [
            server.ask("POST", "/api/guests", {"name": "Anna"}, filled(client))
            for client in ("9.9.9.1", "9.9.9.2", "9.9.9.1")
        ]
        assert [answer.status for answer in answers] == [200, 200, 429]
        assert "; Secure" in answers[0].headers["set-cookie"]
        assert server.ask("GET", "/metrics", None, filled("127.0.0.1")).status == 404
    assert {name for name, _ in lines} >= {"Upgrade", "Connection"}


def test_proxy_that_is_not_configured_is_not_believed() -> None:
    """Anybody could write such a header."""
    with live(Settings(proxies=())) as server:
        answer = server.ask("POST", "/api/guests", {"name": "Anna"}, {"X-Forwarded-Proto": "https"})

        assert answer.headers["set-cookie"].startswith("bohn=")
        assert "strict-transport-security" not in answer.headers


def test_addresses_behind_a_proxy_are_counted_apart() -> None:
    """Behind a proxy each client has his own bucket."""
    with live(Settings(limits=Limits(guests_at_once=1, guests_a_second=0.001))) as server:

        def status(address: str) -> int:
            return server.ask("POST", "/api/guests", {"name": "A"}, {"X-Forwarded-For": address}).status

        assert [status(address) for address in ("9.9.9.1", "9.9.9.1", "9.9.9.2")] == [200, 429, 200]


# -- HTTP ----------------------------------------------------------------------------------------------------


def test_body_that_is_announced_too_large_is_not_read(server: Live) -> None:
    """413 at once."""
    with sockets.create_connection(("127.0.0.1", server.port), 10) as raw:
        raw.sendall(
            b"POST /api/guests HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            b"Content-Length: 9000000000\r\n\r\n"
        )
        assert raw.recv(4_096).startswith(b"HTTP/1.1 413 ")


def test_body_that_grows_too_large_is_cut_off(server: Live) -> None:
    """A body without a length is counted while it is read."""
    with sockets.create_connection(("127.0.0.1", server.port), 10) as raw:
        raw.sendall(
            b"POST /api/guests HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n" + b"8000\r\n" + b"x" * 32_768 + b"\r\n1\r\nx\r\n"
        )
        assert raw.recv(4_096).startswith(b"HTTP/1.1 413 ")


def test_nonsense_instead_of_http_is_refused(server: Live) -> None:
    """What is no HTTP gets 400 and a closed connection, and no traceback."""
    with sockets.create_connection(("127.0.0.1", server.port), 10) as raw:
        raw.sendall(b"\x16\x03\x01\x02\x00nonsense\r\n\r\n")
        answer = raw.recv(4_096)

    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"Traceback" not in answer


def test_connection_that_asks_nothing_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Open connections without a request cost something, so they do not stay."""
    monkeypatch.setattr("bohn.server.web.uvicorn_protocols.HEAD_TIMEOUT", 0.1)
    with live() as server, sockets.create_connection(("127.0.0.1", server.port), 10) as raw:
        raw.sendall(b"GET /healthz HT")
        with contextlib.suppress(ConnectionResetError):  # as good as an orderly end
            assert raw.recv(1) == b""

"""Strangers who send too much, or too little: they are dropped, and nobody else waits for them."""

from __future__ import annotations

import contextlib
import logging
import socket as sockets
from collections.abc import Iterator
from typing import Any

import pytest
from structlog.testing import capture_logs
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidStatus

from bohn.server.settings import Limits, Settings
from bohn.server.web.uvicorn_protocols import (
    CONNECTIONS_AN_ADDRESS,
    FRAGMENTS,
    FRAMES_AT_ONCE,
    ConnectionCounter,
)
from tests.server.support.raw import Raw
from tests.server.support.site import Live, hear, live

TEXT, PING, PONG = b"\x81\x80\0\0\0\0", b"\x89\x80\0\0\0\0", b"\x8a\x80\0\0\0\0"
BEGIN, MORE = b"\x01\x81\0\0\0\0x", b"\x00\x80\0\0\0\0"


@pytest.fixture(scope="module", params=["asyncio", "uvloop"])
def server(request: pytest.FixtureRequest) -> Iterator[Live]:
    """Return a server that all tests of this module share, on either kind of loop."""
    running = Live(Settings())
    if request.param == "uvloop":
        running.loop.close()
        running.loop = pytest.importorskip("uvloop").new_event_loop()
    with running:
        yield running


def raw_socket(server: Live) -> Raw:
    """Return a guest's socket at a table of his, welcomed."""
    cookie = server.guest()
    raw = Raw(server.port, f"/ws?table={server.table(cookie)}", cookie)
    assert raw.next()["type"] == "welcome"
    return raw


def next_of(raw: Raw, kind: str) -> dict[str, Any]:
    """Return the next frame of a type."""
    while (frame := raw.next())["type"] != kind:
        pass
    return frame


def is_dropped(raw: Raw) -> bool:
    """Read to the end; return whether it comes without a word."""
    with raw.socket, contextlib.suppress(ConnectionResetError, EOFError):
        while True:
            if raw.frame()[0] == 8:
                return False
    return True


def ends(raw: sockets.socket) -> bool:
    """Return whether nothing more comes."""
    try:
        return raw.recv(4_096) == b""
    except ConnectionResetError:
        return True


def text(words: str, size: int) -> bytes:
    """Return a text, filled up with blanks, as a frame masked with zeros."""
    payload = words.encode().ljust(size)
    return b"\x81\xfe" + size.to_bytes(2) + b"\0\0\0\0" + payload


# -- frames --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("frame", [TEXT, PING, PONG, MORE])
def test_burst_of_empty_frames_drops_the_socket(server: Live, frame: bytes) -> None:
    """Frames count even if there is nothing in them; another socket goes on."""
    raw = raw_socket(server)
    with server.connect(f"/ws?table={server.table(cookie := server.guest())}", cookie) as other:
        with contextlib.suppress(OSError):  # dropped while it still sends
            raw.socket.sendall((BEGIN if frame == MORE else b"") + frame * 43_000)

        assert is_dropped(raw)
        other.send('{"type":"ping","id":"x"}')
        assert hear(other, "pong")["id"] == "x"


def test_frames_in_small_parcels_are_counted_together(server: Live) -> None:
    """Nobody gets round the limit by sending slowly a little at a time."""
    raw = raw_socket(server)
    with contextlib.suppress(OSError):
        for _ in range(FRAMES_AT_ONCE):
            raw.socket.sendall(PONG * 20)

    assert is_dropped(raw)


def test_long_burst_is_answered_in_order(server: Live) -> None:
    """What came in one go is looked at in parts, all of it, and afterwards the socket reads on."""
    raw = raw_socket(server)
    for turn in ("a", "b"):
        words = [f'{{"type":"ping","id":"{turn}{number}"}}' for number in range(20)]
        raw.socket.sendall(b"".join(text(word, 1_500) for word in words))

        assert [next_of(raw, "pong")["id"] for _ in words] == [f"{turn}{number}" for number in range(20)]
    raw.socket.close()


def test_burst_is_looked_at_in_mouthfuls(server: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's burst keeps the loop from others for long."""
    raw = raw_socket(server)
    sizes: list[int] = []
    look = WebSocketsSansIOProtocol.data_received

    def noting(self: WebSocketsSansIOProtocol, data: bytes) -> None:
        sizes.append(len(data))
        look(self, data)

    monkeypatch.setattr(WebSocketsSansIOProtocol, "data_received", noting)
    raw.socket.sendall(text('{"type":"ping","id":"x"}', 30_000))

    assert next_of(raw, "pong")["id"] == "x"
    assert (max(sizes) <= 4_096, sum(sizes)) == (True, 30_008)
    raw.socket.close()


def test_pings_whose_answers_are_not_read_drop_the_socket(
    server: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Answers to a client that never reads do not pile up."""
    monkeypatch.setattr("bohn.server.web.uvicorn_protocols.FRAMES_AT_ONCE", 1e9)
    raw = raw_socket(server)
    with pytest.raises(ConnectionError):
        raw.socket.sendall((b"\x89\xfd\0\0\0\0" + b"x" * 125) * 200_000)

    assert is_dropped(raw)


@pytest.mark.parametrize(("count", "dropped"), [(FRAGMENTS, False), (FRAGMENTS + 1, True)])
def test_message_in_too_many_parts_drops_the_socket(server: Live, count: int, dropped: bool) -> None:
    """A message in more fragments than allowed drops the connection."""
    raw = raw_socket(server)
    raw.socket.sendall(BEGIN + MORE * (count - 2) + b"\x80\x80\0\0\0\0")

    if not dropped:
        assert next_of(raw, "refused")["reason"] == "not-json"
        raw.socket.close()
    else:
        assert is_dropped(raw)


# -- connections ---------------------------------------------------------------------------------------------


def test_crowd_limits_an_address_until_somebody_leaves() -> None:
    """One address has a limit of connections; it does not concern others."""
    counter = ConnectionCounter(Settings())
    leaves = [counter.open("9.9.9.9") for _ in range(CONNECTIONS_AN_ADDRESS)]

    assert all(leaves)
    assert counter.open("9.9.9.9") is None
    assert counter.open("9.9.9.8")
    (leaves[0] or pytest.fail)()
    assert counter.open("9.9.9.9")


@pytest.mark.parametrize("address", ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1", "10.1.2.3", None])
def test_crowd_does_not_limit_proxies_and_this_machine(address: str | None) -> None:
    """A proxy speaks for many."""
    counter = ConnectionCounter(Settings(proxies=("10.0.0.0/8",)))

    assert all(counter.open(address) for _ in range(CONNECTIONS_AN_ADDRESS + 1))


def test_connection_beyond_the_most_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is room again when a connection ends, also one that had become a socket."""
    monkeypatch.setattr("bohn.server.web.uvicorn_protocols.SPARE_CONNECTIONS", 0)
    with live(Settings(limits=Limits(sockets=2))) as server:
        raw = raw_socket(server)  # beside it, one is kept alive by the guest's requests
        with sockets.create_connection(("127.0.0.1", server.port), 10) as third:
            assert ends(third)
        raw.socket.sendall(b"\x88\x80\0\0\0\0")
        with contextlib.suppress(EOFError):
            while True:
                raw.frame()
        raw.socket.close()
        with sockets.create_connection(("127.0.0.1", server.port), 10) as fourth:
            fourth.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert fourth.recv(12) == b"HTTP/1.1 200"


def test_second_head_that_does_not_come_whole_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """The patience is that of the first."""
    monkeypatch.setattr("bohn.server.web.uvicorn_protocols.HEAD_TIMEOUT", 0.2)
    with live() as server, sockets.create_connection(("127.0.0.1", server.port), 10) as raw:
        raw.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert raw.recv(4_096).startswith(b"HTTP/1.1 200")
        raw.sendall(b"GET /healthz HT")
        while not ends(raw):  # the rest of the first answer
            pass


def test_stream_outlasts_the_patience_for_a_head(monkeypatch: pytest.MonkeyPatch) -> None:
    """A head that came whole ends the waiting, on a second request too."""
    monkeypatch.setattr("bohn.server.web.uvicorn_protocols.HEAD_TIMEOUT", 0.1)
    with live() as server:
        cookie = server.guest()
        table = server.table(cookie)
        with sockets.create_connection(("127.0.0.1", server.port), 10) as raw:
            head = f"Host: 127.0.0.1\r\nCookie: {cookie}\r\n\r\n"
            raw.sendall(f"GET /healthz HTTP/1.1\r\n{head}".encode())
            raw.sendall(f"GET /api/tables/{table}/stream HTTP/1.1\r\n{head}".encode())
            raw.settimeout(0.5)
            with raw.makefile("rb") as answers, pytest.raises(TimeoutError):
                answers.read()


@pytest.mark.parametrize("sent", [b"", b'{"name"'])
def test_slow_body_is_dropped_and_leaves_one_line_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, sent: bytes
) -> None:
    """Who does not send the body he announced loses the connection; the log says so, and no library does."""
    monkeypatch.setattr("bohn.server.web.api_request.BODY_TIMEOUT", 0.1)
    caplog.set_level(logging.WARNING)
    with (
        capture_logs() as logged,
        live() as server,
        sockets.create_connection(("127.0.0.1", server.port), 10) as raw,
    ):
        head = "Host: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n"
        raw.sendall(f"POST /api/guests HTTP/1.1\r\n{head}".encode() + sent)
        assert ends(raw)

    assert [line for line in logged if line["log_level"] != "info"] == [
        {"event": "body-too-slow", "operation": "come_in", "log_level": "warning"}
    ]
    assert caplog.records == []


# -- handshakes ----------------------------------------------------------------------------------------------

HANDSHAKE = (
    "GET /ws?table=x HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)
ODD = f"{HANDSHAKE}X-Long: {'x' * 10_000}\r\n\r\n".encode()
"""A head that the one library takes and the other does not."""


@pytest.mark.parametrize("more", ["Content-Length: 5", "Transfer-Encoding: chunked"])
def test_handshake_with_a_body_is_refused(server: Live, more: str) -> None:
    """400, and the connection ends."""
    with sockets.create_connection(("127.0.0.1", server.port), 10) as raw:
        raw.sendall(f"{HANDSHAKE}{more}\r\n\r\n".encode())
        with raw.makefile("rb") as answer:
            assert answer.read().startswith(b"HTTP/1.1 400 ")


def test_handshake_that_does_not_begin_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that is neither one thing nor the other does not stay."""
    monkeypatch.setattr("bohn.server.web.uvicorn_protocols.HEAD_TIMEOUT", 0.2)
    with live() as server, sockets.create_connection(("127.0.0.1", server.port), 10) as raw:
        raw.sendall(ODD)
        assert ends(raw)


def test_stop_with_an_odd_handshake_is_orderly() -> None:
    """Nothing breaks; whoever hangs there is dropped."""
    with live() as server, sockets.create_connection(("127.0.0.1", server.port), 10) as raw:
        raw.sendall(ODD)
        raw.settimeout(0.2)
        with pytest.raises(TimeoutError):
            raw.recv(1)
        server.stop()
        raw.settimeout(10)
        assert ends(raw)
    assert server.error is None


def test_refused_handshake_is_no_error_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """Strangers do not fill the log."""
    with live() as server, pytest.raises(InvalidStatus):
        server.connect("/ws?table=x", origin="http://evil.example")

    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []

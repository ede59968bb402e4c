"""`bohn serve` as people start it: a process, its one line, and its end."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from websockets.sync.client import connect

from bohn.cli import serve as cli
from bohn.cli.errors import UsageError
from bohn.i18n import Catalog
from bohn.server import run
from bohn.server.run import CannotServe, address_of, bind, with_own_names
from bohn.server.settings import Limits, Settings
from bohn.server.store.protocol import StoreUnavailable
from tests.patience import PATIENCE
from tests.server.support.site import hear


class Process:
    """A server process on a free port."""

    def __init__(self, data: Path, *more: str, port: str = "0", **env: str) -> None:
        """Start it and wait for its line."""
        command = [sys.executable, "-m", "bohn", "serve", "--data", str(data), *more]
        command += ["--port", port] if port else []
        self.process = subprocess.Popen(  # noqa: S603 - our own interpreter
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **env}
        )
        assert self.process.stdout is not None
        self.line = self.process.stdout.readline()
        self.url = next((word for word in self.line.split() if word.startswith("http://")), "")

    def get(self, path: str) -> Any:
        """Return the decoded body of a GET."""
        with urllib.request.urlopen(self.url + path, timeout=PATIENCE) as answer:  # noqa: S310 - our own server
            return msgspec.json.decode(answer.read())

    def end(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """Send a signal; return the exit status and what was said on stderr."""
        self.process.send_signal(number)
        _, said = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, said


@contextlib.contextmanager
def process(data: Path, *more: str, port: str = "0", **env: str) -> Iterator[Process]:
    """Run a server process; whatever happens, it ends."""
    made = Process(data, *more, port=port, **env)
    try:
        yield made
    finally:
        if made.process.poll() is None:
            made.process.kill()
            made.process.communicate()


def failing(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Return what came of a server that does not start."""
    command = [sys.executable, "-m", "bohn", "serve", *arguments]
    whole = {**os.environ, **env}
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False, env=whole)  # noqa: S603 - ours


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    """Return the one line of a failure: exit status 2, no traceback, nothing on stdout."""
    assert (done.returncode, done.stdout) == (2, ""), done
    (line,) = done.stderr.splitlines()
    assert line.startswith("bohn: ")
    return line


# -- the usual day -------------------------------------------------------------------------------------------


def test_server_says_where_it_is_and_ends_in_order(tmp_path: Path) -> None:
    """One line with the address of a free port; ready; and on SIGTERM everybody is told, status 0."""
    with process(tmp_path) as server:
        ready = server.get("/readyz")
        status, said = server.end()

    assert server.line == Catalog.load("en").text("serve.ready", url=server.url, data=str(tmp_path)) + "\n"
    assert ready == {"ok": True, "reason": ""}
    assert status == 0
    assert "Traceback" not in said
    assert [msgspec.json.decode(line)["event"] for line in said.splitlines()] == [
        "serving",
        "stopping",
        "stopped",
    ]
    assert (tmp_path / "bohn.sqlite").stat().st_mode & 0o077 == 0


def test_interrupt_from_the_keyboard_ends_in_order(tmp_path: Path) -> None:
    """Ctrl-C is a usual end."""
    with process(tmp_path) as server:
        status, said = server.end(signal.SIGINT)

    assert status == 0
    assert "Traceback" not in said


def test_second_sigterm_changes_nothing(tmp_path: Path) -> None:
    """However often the process is told to end, it ends in order."""
    with process(tmp_path) as server:
        server.process.send_signal(signal.SIGTERM)
        while server.process.poll() is None:
            server.process.send_signal(signal.SIGTERM)
            time.sleep(0.0005)
        _, said = server.process.communicate(timeout=PATIENCE)

    assert msgspec.json.decode(said.splitlines()[-1])["event"] == "stopped"
    assert server.process.returncode == 0


def test_what_was_acknowledged_is_there_after_the_end(tmp_path: Path) -> None:
    """Stopped with clients connected, started again: the clients are told, the table is as it was."""
    with process(tmp_path) as server:
        cookie, table, seq = _play_a_little(server)
        url = server.url.replace("http", "ws") + f"/ws?table={table}"
        origin: Any = server.url
        with connect(url, origin=origin, additional_headers={"Cookie": cookie}) as client:
            assert hear(client, "welcome")["seq"] == seq
            server.process.send_signal(signal.SIGTERM)
            assert hear(client, "goodbye")["reason"] == "server-stopping"
        status, _ = server.end()
        assert status == 0
    with process(tmp_path) as server:
        request = urllib.request.Request(f"{server.url}/api/tables/{table}", headers={"Cookie": cookie})  # noqa: S310 - ours
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310 - our own server
            assert msgspec.json.decode(answer.read())["seq"] == seq


def _play_a_little(server: Process) -> tuple[str, str, int]:
    """Return a guest's cookie, his table, and its last seq."""

    def post(path: str, body: Any, cookie: str) -> Any:
        headers = {"Content-Type": "application/json", "Cookie": cookie}
        request = urllib.request.Request(server.url + path, msgspec.json.encode(body), headers)  # noqa: S310 - ours
        return urllib.request.urlopen(request, timeout=PATIENCE)  # noqa: S310 - our own server

    with post("/api/guests", {"name": "Anna"}, "") as answer:
        cookie = answer.headers["set-cookie"].partition(";")[0]
    with post("/api/tables", {}, cookie) as answer:
        table = msgspec.json.decode(answer.read())["table"]
    with post(
        f"/api/tables/{table}/commands", {"command": {"do": "give-salt", "salt": "ab"}}, cookie
    ) as answer:
        return cookie, table, msgspec.json.decode(answer.read())["seq"]


def test_clients_that_hang_do_not_delay_the_end(tmp_path: Path) -> None:
    """One does not read his stream, one never sends the rest of his request, one asks nothing at all."""
    with process(tmp_path) as server:
        cookie, table, _ = _play_a_little(server)
        host, port = server.url.removeprefix("http://").split(":")
        with contextlib.ExitStack() as stack:
            reader, writer, _ = (
                stack.enter_context(socket.create_connection((host, int(port)), 10)) for _ in range(3)
            )
            head = f"GET /api/tables/{table}/stream HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}"
            reader.sendall(f"{head}\r\n\r\n".encode())
            assert reader.recv(10).startswith(b"HTTP/1.1 2")
            head = f"POST /api/guests HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json"
            writer.sendall(f"{head}\r\nContent-Length: 50\r\n\r\n{{".encode())
            server.get("/healthz")
            status, said = server.end()

        assert status == 0
        assert "Traceback" not in said


# -- bad days ------------------------------------------------------------------------------------------------


def test_port_in_use_is_told_in_one_line(tmp_path: Path) -> None:
    """And nothing is touched."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        line = one_line(failing("--port", str(port), "--data", str(tmp_path / "data")))

    assert f"port {port}" in line
    assert "in use" in line
    assert not (tmp_path / "data").exists()


def test_data_folder_that_cannot_be_written_is_told_in_one_line(tmp_path: Path) -> None:
    """Here it is a file."""
    (tmp_path / "file").write_text("x")

    assert "file" in one_line(failing("--port", "0", "--data", str(tmp_path / "file" / "data")))


def test_database_of_another_process_is_told_in_one_line(tmp_path: Path) -> None:
    """The second server on one file does not start, and the first goes on."""
    with process(tmp_path) as first:
        line = one_line(failing("--port", "0", "--data", str(tmp_path)))

        assert "another process" in line
        assert str(first.process.pid) in line
        assert first.get("/readyz")["ok"]
        assert first.end()[0] == 0


@pytest.mark.parametrize(
    "content", [b"this is no database, and it is long enough to be seen as none" * 100, None]
)
def test_damaged_or_foreign_database_is_told_in_one_line(tmp_path: Path, content: bytes | None) -> None:
    """And left as it is."""
    path = tmp_path / "bohn.sqlite"
    if content is None:
        with contextlib.closing(sqlite3.connect(path)) as other:
            other.execute("CREATE TABLE theirs (x)")
        content = path.read_bytes()
    else:
        path.write_bytes(content)

    assert "bohn.sqlite" in one_line(failing("--port", "0", "--data", str(tmp_path)))
    assert path.read_bytes() == content


def test_address_of_another_machine_is_told_in_one_line(tmp_path: Path) -> None:
    """One cannot listen there."""
    assert "192.0.2.1" in one_line(failing("--host", "192.0.2.1", "--data", str(tmp_path)))


# -- options -------------------------------------------------------------------------------------------------


def options(**chosen: Any) -> Any:
    """Return the options of a command line."""
    usual: dict[str, Any] = {
        "host": None,
        "port": None,
        "lan": False,
        "open": False,
        "data": None,
        "store": None,
        "origin": [],
        "keep": None,
        "archive": None,
        "relying_party": None,
        "bots": None,
        "settings": None,
        "log": None,
    }
    return SimpleNamespace(**{**usual, **chosen})


def test_store_is_a_database_that_others_may_serve_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """That of the command line comes first, then that of the environment, where a password may stand."""
    monkeypatch.setenv("BOHN_STORE", "postgresql://anna:secret@there/bohn")
    named = cli.settings_from(options(store="postgresql://anna@here/bohn"))
    found = cli.settings_from(options())

    assert named.store == "postgresql://anna@here/bohn"
    assert found.store == "postgresql://anna:secret@there/bohn"
    monkeypatch.setenv("BOHN_STORE", "")
    assert cli.settings_from(options(data=Path("folder"))).store is None


def test_folder_and_database_together_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whoever names the database: data would be looked for in one place, and lie in the other."""
    path = tmp_path / "settings.json"
    path.write_bytes(msgspec.json.encode(Settings(store="postgresql://here/bohn")))
    with pytest.raises(UsageError, match="--store names a database, so it goes without --data"):
        cli.settings_from(options(store="postgresql://here/bohn", data=Path("folder")))
    with pytest.raises(UsageError, match="--settings names a database"):
        cli.settings_from(options(settings=path, data=Path("folder")))
    monkeypatch.setenv("BOHN_STORE", "postgresql://anna:secret@there/bohn")
    with pytest.raises(UsageError, match="BOHN_STORE names a database") as told:
        cli.settings_from(options(data=Path("folder")))
    assert "secret" not in str(told.value)


def test_store_that_cannot_be_is_told() -> None:
    """A password on the command line is seen by everybody, and a folder is no database."""
    with pytest.raises(StoreUnavailable, match="a password on the command line is seen by everybody"):
        cli.settings_from(options(store="postgresql://anna:secret@here/bohn"))
    with pytest.raises(StoreUnavailable, match="expected postgresql://USER@HOST:PORT/DATABASE"):
        cli.settings_from(options(store="folder"))


def test_options_are_put_on_top_of_the_file(tmp_path: Path) -> None:
    """The file has limits and times, the command line the rest."""
    path = tmp_path / "settings.json"
    path.write_bytes(msgspec.json.encode(Settings(port=1, limits=Limits(sockets=5), origins=("http://a",))))
    found = cli.settings_from(
        options(settings=path, port=2, bots=3, origin=["https://B.example/"], host="::1")
    )

    assert (found.port, found.bots, found.host, found.limits.sockets) == (2, 3, "::1", 5)
    assert found.origins == ("http://a", "https://b.example")
    assert cli.settings_from(options()) == Settings()


@pytest.mark.parametrize(
    ("chosen", "word"),
    [
        ({"port": 70_000}, "70000"),
        ({"port": -1}, "-1"),
        ({"bots": -1}, "--bots"),
        ({"origin": ["bohn.example.org"]}, "bohn.example.org"),
        ({"origin": ["https://a/b"]}, "https://a/b"),
        ({"origin": ["ftp://a"]}, "ftp"),
    ],
)
def test_option_that_cannot_be_is_told(chosen: dict[str, Any], word: str) -> None:
    """With what was expected."""
    with pytest.raises(UsageError, match=word):
        cli.settings_from(options(**chosen))


@pytest.mark.parametrize("content", [b"{", b'{"limits":{"sockets":"many"}}', b"[]"])
def test_settings_that_are_none_are_told(tmp_path: Path, content: bytes) -> None:
    """With the place."""
    path = tmp_path / "settings.json"
    path.write_bytes(content)

    with pytest.raises(UsageError, match=r"settings\.json"):
        cli.settings_from(options(settings=path))


def test_no_sockets_of_the_server_outlive_it() -> None:
    """A port that could not be had leaves nothing open."""
    with bind("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        before = open_files()
        with pytest.raises(CannotServe):
            bind("127.0.0.1", port)
        assert open_files() == before


def open_files() -> int:
    """Return how many files this process has open, where that can be told."""
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.is_dir() else 0


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "0.0.0.0", ""],  # noqa: S104 - for a moment
)
def test_address_can_be_opened_in_a_browser(host: str) -> None:
    """Whatever is listened on, the line names an address that works here."""
    with bind(host, 0) as listener:
        assert address_of(listener).startswith("http://localhost:")


def test_host_that_is_none_is_told() -> None:
    """With what was expected."""
    with pytest.raises(CannotServe, match="no address"):
        bind("no such host", 0)


def test_own_names_are_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a house, people call the machine by its name."""
    monkeypatch.setattr(socket, "gethostname", lambda: "Box.home.arpa")

    assert with_own_names(Settings(names=("a",))).names == ("a", "box.home.arpa", "box.local")


def test_number_of_open_files_is_raised_as_far_as_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    """A socket is a file."""
    resource = pytest.importorskip("resource")
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (100, 500))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: asked.append(limits))
    run._raise_file_limit(300)
    run._raise_file_limit(50)
    run._raise_file_limit(5_000)

    assert asked == [(300, 500), (500, 500)]

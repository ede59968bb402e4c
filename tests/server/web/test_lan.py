"""`bohn serve --lan` and `--open`: the network at home, the browser, and a second call of `make play`."""

from __future__ import annotations

import shlex
import socket
import threading
import time
import webbrowser
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any, Self

import msgspec
import pytest
import urllib3

from bohn.cli import browser
from bohn.cli import serve as cli
from bohn.cli.errors import UsageError
from bohn.i18n import Catalog
from bohn.server import lan
from bohn.server.lan import EVERYWHERE, Running, local_address, running_at, url_of
from bohn.server.run import bind, with_share
from bohn.server.settings import Settings
from tests.patience import PATIENCE
from tests.server.support.site import Place, live, visit
from tests.server.web.test_serve import failing, options, process

SAY = Catalog.load("en").text


# -- the address at home -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("by_route", "by_name", "expected"),
    [
        (["192.168.1.20"], [], "192.168.1.20"),
        (["93.184.216.34", "192.168.1.20"], [], "192.168.1.20"),
        (["10.0.0.7", "192.168.1.20"], [], "10.0.0.7"),
        (["93.184.216.34"], [], "93.184.216.34"),
        ([], ["127.0.1.1", "172.16.0.3"], "172.16.0.3"),
        (["127.0.0.1", "0.0.0.0", "169.254.3.4"], ["127.0.1.1"], None),  # noqa: S104 - an answer, not bound
        ([], [], None),
    ],
)
def test_address_at_home_is_one_that_others_reach(
    by_route: list[str], by_name: list[str], expected: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That of the road to the world, if it is of a network at home; never one that is only here."""
    monkeypatch.setattr(lan, "_by_route", lambda: [IPv4Address(text) for text in by_route])
    monkeypatch.setattr(lan, "_by_name", lambda: [IPv4Address(text) for text in by_name])

    assert local_address() == expected


def test_finding_the_address_sends_nothing_and_asks_every_road(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sockets only connect, which for UDP is a question to the own system; without a road there is none."""
    asked: list[Any] = []

    class Socket:
        """A socket that can do nothing but connect."""

        def __init__(self, *kind: Any) -> None:
            assert kind == (socket.AF_INET, socket.SOCK_DGRAM)

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None: ...

        def connect(self, target: tuple[str, int]) -> None:
            asked.append(target[0])
            if target[0] == "192.0.2.1":
                raise OSError(101, "Network is unreachable")

        def getsockname(self) -> tuple[str, int]:
            return "192.168.7.7", 40_000

    monkeypatch.setattr(socket, "socket", Socket)

    assert set(map(str, lan._by_route())) == {"192.168.7.7"}
    assert len(asked) == 5


def test_name_that_stands_for_nothing_is_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine whose name nobody knows has the other ways."""

    def unknown(*_: object) -> Any:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)

    assert lan._by_name() == []


def test_lan_listens_everywhere_and_tells_what_to_share(monkeypatch: pytest.MonkeyPatch) -> None:
    """The origin of invitations is the address at home with the port that was taken."""
    monkeypatch.setattr("bohn.server.run.local_address", lambda: "192.168.7.7")
    settings = cli.settings_from(options(lan=True))
    assert (settings.host, settings.lan) == (EVERYWHERE, True)
    with bind("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]

        assert with_share(settings, listener).share == f"http://192.168.7.7:{port}"
        assert with_share(Settings(), listener).share is None
        assert with_share(Settings(lan=True, share="https://a"), listener).share == "https://a"
        monkeypatch.setattr("bohn.server.run.local_address", lambda: None)
        assert with_share(settings, listener).share is None


def test_lan_goes_without_host() -> None:
    """One of them would not be meant; a file that says lan gives way to --host."""
    with pytest.raises(UsageError, match="--lan"):
        cli.settings_from(options(lan=True, host="127.0.0.1"))


def test_host_is_stronger_than_the_file(tmp_path: Path) -> None:
    """Who names an address wants that one."""
    path = tmp_path / "settings.json"
    path.write_bytes(msgspec.json.encode(Settings(lan=True)))

    assert cli.settings_from(options(settings=path)).host == EVERYWHERE
    assert (found := cli.settings_from(options(settings=path, host="::1"))).host == "::1"
    assert not found.lan


def test_page_comes_in_by_the_address_it_was_given() -> None:
    """A phone's page has the shared origin: its guests, and their sockets, are ours."""
    share = "http://192.168.7.7:8000"

    async def scenario(place: Place) -> None:
        headers = {"host": "192.168.7.7:8000", "origin": share}
        answer = await place.stranger.ask("POST", "/api/guests", {"name": "Anna"}, headers=headers)

        assert answer.status == 200
        assert (await place.stranger.get("/api/catalog"))["share"] == share

    visit(scenario, Settings(share=share))


def test_page_without_lan_shares_its_own_origin() -> None:
    """Then there is nothing to tell."""

    async def scenario(place: Place) -> None:
        assert (await place.stranger.get("/api/catalog"))["share"] is None

    visit(scenario)


def test_serve_on_the_network_prints_both_addresses(tmp_path: Path) -> None:
    """One to open here, one to open elsewhere; under the second the server answers too."""
    with process(tmp_path, "--lan") as server:
        second = server.process.stdout.readline() if server.process.stdout else ""
        assert server.url.startswith("http://localhost:")
        address = local_address()
        if address is None:
            assert second == SAY("serve.no-lan") + "\n"
        else:
            share = url_of(address, int(server.url.rpartition(":")[2]))
            assert second == SAY("serve.lan", url=share) + "\n"
            assert server.get("/api/catalog")["share"] == share
            answer = urllib3.request("GET", share + "/healthz", timeout=PATIENCE, retries=False)
            assert answer.status == 200
        assert server.end()[0] == 0


# -- the browser ---------------------------------------------------------------------------------------------


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file in which the default browser notes what it was asked to open."""
    path, script = tmp_path / "opened.txt", tmp_path / "browser"
    script.write_text(f'#!/bin/sh\necho "$1" >> {shlex.quote(str(path))}\n')
    script.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(script))
    return path


def eventually(path: Path) -> str:
    """Return what a file has to say before long."""
    ends = time.monotonic() + PATIENCE
    while not path.exists() and time.monotonic() < ends:
        time.sleep(0.02)
    return path.read_text()


def test_open_shows_the_page_when_it_is_ready(tmp_path: Path, notes: Path) -> None:
    """The browser is sent to the address that was printed, and the log is quiet."""
    with process(tmp_path / "data", "--open") as server:
        assert eventually(notes) == server.url + "\n"
        assert server.get("/readyz")["ok"]
        status, said = server.end()

    assert (status, said) == (0, "")


def test_open_without_a_browser_says_where_the_page_is(tmp_path: Path) -> None:
    """That is no error: the server serves."""
    with process(tmp_path, "--open", BROWSER=str(tmp_path / "gone")) as server:
        assert server.process.stdout is not None
        assert server.process.stdout.readline() == SAY("serve.not-opened", url=server.url) + "\n"
        assert server.end()[0] == 0


def test_open_never_starts_a_browser_in_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless somebody has asked for it, it would fight with the server over the screen."""
    monkeypatch.delenv("BROWSER", raising=False)
    monkeypatch.setattr(webbrowser, "get", lambda: webbrowser.GenericBrowser("lynx"))
    told: list[str] = []
    browser.open_page("http://127.0.0.1:1", lambda: told.append("where it is")).join()

    assert told == ["where it is"]


@pytest.mark.parametrize("failure", [webbrowser.Error("none"), OSError(2, "gone")])
def test_open_takes_no_harm_from_a_browser_that_fails(
    failure: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether there is none at all, or it cannot be started."""

    class Broken(webbrowser.BaseBrowser):
        """A browser that is there and does not work."""

        def open(self, *_: Any) -> bool:
            raise failure

    def get() -> webbrowser.BaseBrowser:
        if isinstance(failure, webbrowser.Error):
            raise failure
        return Broken()

    monkeypatch.setattr(webbrowser, "get", get)
    told: list[str] = []
    browser.open_page("http://127.0.0.1:1", lambda: told.append("where it is")).join()

    assert told == ["where it is"]


# -- a second time -------------------------------------------------------------------------------------------


@pytest.fixture
def stranger() -> Iterator[int]:
    """Run something else on a port."""

    class Other(BaseHTTPRequestHandler):
        """A web server that has nothing to do with us."""

        def do_GET(self) -> None:
            body = b'{"product": "something else"}'
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Other) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def test_running_server_is_recognised() -> None:
    """By its catalog, whatever it listens on."""
    with live(Settings(share="http://192.168.7.7:8000")) as server:
        found = running_at(EVERYWHERE, server.port)

        assert found is not None
        assert (found[0], found[1].share) == (f"http://localhost:{server.port}", "http://192.168.7.7:8000")
        assert found[1].product.startswith("bohn ")


def test_other_servers_are_not_taken_for_ours(stranger: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is a port on which nobody speaks HTTP, or nobody at all."""
    monkeypatch.setattr(lan, "ANSWER_SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        assert running_at("127.0.0.1", stranger) is None
        assert running_at("127.0.0.1", closed_port()) is None
        assert running_at("127.0.0.1", silent.getsockname()[1]) is None


def closed_port() -> int:
    """Return a port on which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as soon_closed:
        return int(soon_closed.getsockname()[1])


def test_second_call_opens_the_page_of_the_running_server(tmp_path: Path, notes: Path) -> None:
    """Whoever starts it twice wants to play, not to learn about ports."""
    with process(tmp_path / "data") as server:
        port = server.url.rpartition(":")[2]
        second = failing("--open", "--port", port, "--data", str(tmp_path / "data"))

        assert (second.returncode, second.stderr) == (0, "")
        assert second.stdout == SAY("serve.already", url=server.url) + "\n"
        assert eventually(notes) == server.url + "\n"
        assert server.get("/readyz")["ok"]


def test_second_call_for_the_network_does_not_pretend(tmp_path: Path, notes: Path) -> None:
    """A server that listens here only lets nobody else in."""
    with process(tmp_path / "data") as server:
        second = failing("--open", "--lan", "--port", server.url.rpartition(":")[2])

        assert second.returncode == 2
        assert "stop it" in second.stderr
        assert not notes.exists()


def test_second_call_tells_the_address_at_home_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], notes: Path
) -> None:
    """It is what one calls it for."""
    known = ("http://127.0.0.1:8000", Running("bohn 1", "http://192.168.7.7:8000"))
    monkeypatch.setattr(cli, "running_at", lambda *_: known)
    with bind("127.0.0.1", 0) as taken:
        chosen = options(open=True, port=taken.getsockname()[1])

        assert cli._for_the_browser(cli.settings_from(chosen), chosen, Catalog.load("en")) is None
    told = capsys.readouterr().out.splitlines()
    assert told == [SAY("serve.already", url=known[0]), SAY("serve.lan", url="http://192.168.7.7:8000")]
    assert eventually(notes) == known[0] + "\n"


def test_port_of_something_else_gives_way_to_a_free_one(tmp_path: Path, stranger: int, notes: Path) -> None:
    """If nobody has asked for the port: it is said, and the page opens where the server is."""
    settings = tmp_path / "settings.json"
    settings.write_bytes(msgspec.json.encode({"port": stranger}))
    with process(tmp_path / "data", "--open", "--settings", str(settings), port="") as server:
        assert server.line == SAY("serve.port-taken", port=str(stranger)) + "\n"
        assert server.process.stdout is not None
        ready = server.process.stdout.readline()
        url = eventually(notes).strip()

        assert url in ready
        assert url != url_of("127.0.0.1", stranger)
        assert server.end()[0] == 0


def test_port_that_was_asked_for_must_be_had(tmp_path: Path, stranger: int, notes: Path) -> None:
    """Whoever names a port has a reason."""
    done = failing("--open", "--port", str(stranger), "--data", str(tmp_path / "data"))

    assert done.returncode == 2
    assert "in use" in done.stderr
    assert not notes.exists()


def test_help_tells_of_both() -> None:
    """`bohn serve --help` names them."""
    done = failing("--help", LANG="C")

    assert done.returncode == 0
    assert "--lan" in done.stdout
    assert "--open" in done.stdout

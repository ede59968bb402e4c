"""A whole server for the web's tests: called directly, or on a port of its own with real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Self

import msgspec
import urllib3
from websockets.sync.client import ClientConnection, connect

from bohn.protocol.sanctions import SanctionKind
from bohn.server.clock import TimeSource
from bohn.server.moderation.desk import Desk
from bohn.server.run import Server, bind, running
from bohn.server.settings import Settings
from bohn.server.store.protocol import Store
from bohn.server.web.app import make_app
from bohn.server.web.services import Services
from tests.patience import PATIENCE
from tests.server.support.asgi import App, Lines, Socket, request
from tests.server.support.clock import StillClock
from tests.server.support.entropy import RepeatableEntropy
from tests.server.support.http import HttpReply
from tests.server.support.memory_store import MemoryStore

# -- without sockets -----------------------------------------------------------------------------------------


class Visitor:
    """Somebody who asks the application, with his cookie or token."""

    def __init__(self, app: App, cookie: str = "", token: str = "") -> None:
        """Note what he shows."""
        self.app = app
        self.user = ""
        self.headers = {"cookie": cookie} if cookie else {"authorization": f"Bearer {token}"} if token else {}

    async def ask(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> HttpReply:
        """Send a request."""
        return await request(self.app, method, path, body, headers={**self.headers, **(headers or {})})

    async def get(self, path: str) -> Any:
        """Return what a GET answers, which must be 200."""
        return checked(await self.ask("GET", path))

    async def post(self, path: str, body: Any = None) -> Any:
        """Return what a POST answers, which must be 200."""
        return checked(await self.ask("POST", path, body))

    async def open_table(self, **body: Any) -> str:
        """Open a table and return its id."""
        table: str = (await self.post("/api/tables", body))["table"]
        return table

    def socket(self, table: str, more: str = "", headers: dict[str, str] | None = None) -> Socket:
        """Open a WebSocket at a table."""
        socket = Socket(self.app, f"/ws?table={table}{more}", {**self.headers, **(headers or {})})
        socket.begin()
        return socket

    def lines(self, table: str, more: str = "") -> Lines:
        """Open a stream of lines at a table."""
        lines = Lines(self.app, f"/api/tables/{table}/stream{more}", self.headers)
        lines.begin()
        return lines


class Place:
    """A server whose clock stands still, and its application."""

    def __init__(self, services: Services, clock: StillClock, store: Store) -> None:
        """Take the services of a running server."""
        self.services = services
        self.clock = clock
        self.store = store
        self.app: App = make_app(services)
        self.stranger = Visitor(self.app)

    async def guest(self, name: str = "Anna", language: str = "en") -> Visitor:
        """Let somebody come in."""
        answer = await self.stranger.ask("POST", "/api/guests", {"name": name, "language": language})
        visitor = Visitor(self.app, answer.cookie)
        visitor.user = checked(answer)["user"]
        return visitor

    async def operator(self) -> Visitor:
        """Let an operator sign in by a link."""
        link = await self.services.keys.link("terminal:root", None)
        answer = await self.stranger.ask("POST", "/api/operator/session", {"token": link})
        assert answer.status == 200, answer
        return Visitor(self.app, answer.cookie)

    async def sanctioned(self, kind: SanctionKind, name: str = "Bert", length: int | None = None) -> Visitor:
        """Let somebody come in, and begin a sanction for him."""
        visitor = await self.guest(name)
        await self.sanction(visitor.user, kind, length)
        return visitor

    async def sanction(self, user: str, kind: SanctionKind, length: int | None = None) -> None:
        """Begin a sanction for a user by the terminal, and let the server look."""
        desk = Desk(self.store, self.clock, self.services.entropy, "terminal:root")
        await desk.sanction(kind, "Insults", user=user, length=length)
        await self.services.following.look()

    async def program(self, owner: Visitor, *scopes: str) -> Visitor:
        """Give somebody's program a token."""
        made = await owner.post("/api/me/tokens", {"scopes": list(scopes)})
        visitor = Visitor(self.app, token=made["token"])
        visitor.user = made["user"]
        return visitor


def checked(answer: HttpReply) -> Any:
    """Return the body of an answer that must be 200."""
    assert answer.status == 200, answer
    return answer.json()


async def from_elsewhere(place: Place, headers: dict[str, str], address: str, path: str) -> int:
    """Return the status of a GET from another address."""
    return (await request(place.app, "GET", path, headers=headers, client=address)).status


def visit(
    scenario: Callable[[Place], Awaitable[None]],
    settings: Settings | None = None,
    store: Store | None = None,
    seconds: float = PATIENCE,
) -> None:
    """Run a scenario at a new site."""

    async def whole() -> None:
        clock, used = StillClock(), store or MemoryStore()
        async with running(settings or Settings(), used, clock, RepeatableEntropy()) as site:
            site.ready = True
            await asyncio.wait_for(scenario(Place(site, clock, used)), seconds)

    asyncio.run(whole())


async def until(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - a condition on anything, not an event
            await asyncio.sleep(0.001)


def frames_of(socket: Socket | Lines) -> list[dict[str, Any]]:
    """Return the frames a connection was sent so far."""
    whole = b"\n".join(part for part in socket.got if not part.startswith(b"close "))
    return [msgspec.json.decode(line) for line in whole.splitlines() if line]


def of(socket: Socket | Lines, kind: str) -> list[dict[str, Any]]:
    """Return the frames of a type."""
    return [frame for frame in frames_of(socket) if frame["type"] == kind]


# -- with sockets --------------------------------------------------------------------------------------------


class Live:
    """A server in a thread, on a free port."""

    def __init__(
        self, settings: Settings, store: Store | None = None, clock: TimeSource | None = None
    ) -> None:
        """Prepare; as a context it runs."""
        self.listener = bind("127.0.0.1", 0)
        self.port: int = self.listener.getsockname()[1]
        self.origin = f"http://127.0.0.1:{self.port}"
        self.http = urllib3.PoolManager(retries=False)
        self._settings = settings
        self._store = store or MemoryStore()
        self._clock = clock
        self._started = threading.Event()
        self._thread = threading.Thread(target=self._run, name="server")
        self.server: Server | None = None
        self.services: Services | None = None
        self.loop = asyncio.new_event_loop()
        self.error: BaseException | None = None

    def _run(self) -> None:
        try:
            self.loop.run_until_complete(self._serve())
        except BaseException as error:  # noqa: BLE001 - it is raised where the context ends
            self.error = error
        finally:
            self.loop.close()
            self._started.set()

    async def _serve(self) -> None:
        async with running(self._settings, self._store, self._clock) as site:
            self.services = site
            self.server = Server(site, self._started.set)
            await self.server.serve(sockets=[self.listener])

    def __enter__(self) -> Self:
        self._thread.start()
        self._started.wait(20)
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        if self.error is not None:
            raise self.error

    def stop(self) -> None:
        """Stop in order, and wait for it."""
        if self.server is not None:
            self.server.should_exit = True
        self._thread.join(20)
        self.http.clear()
        self.listener.close()
        assert not self._thread.is_alive()

    def ask(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> urllib3.BaseHTTPResponse:
        """Send a request over a real connection."""
        data = None if body is None else msgspec.json.encode(body)
        named = {"Content-Type": "application/json"} if body is not None else {}
        return self.http.request(
            method, f"{self.origin}{path}", body=data, headers={**named, **(headers or {})}
        )

    def guest(self, name: str = "Anna") -> str:
        """Let somebody come in, and return his cookie."""
        answer = self.ask("POST", "/api/guests", {"name": name})
        assert answer.status == 200, answer.data
        return answer.headers["set-cookie"].partition(";")[0]

    def table(self, cookie: str, **body: Any) -> str:
        """Open a table and return its id."""
        answer = self.ask("POST", "/api/tables", body, {"Cookie": cookie})
        assert answer.status == 200, answer.data
        table: str = answer.json()["table"]
        return table

    def connect(self, target: str, cookie: str = "", origin: str | None = "own", **more: Any) -> Any:
        """Open a WebSocket as a browser would, from the own origin unless another is named."""
        headers = {"Cookie": cookie} if cookie else {}
        named: Any = self.origin if origin == "own" else origin
        chosen = {"compression": None, "ping_interval": None, **more}
        return connect(
            f"ws://127.0.0.1:{self.port}{target}", origin=named, additional_headers=headers, **chosen
        )


@contextlib.contextmanager
def live(settings: Settings | None = None, store: Store | None = None) -> Iterator[Live]:
    """Run a server on a port of its own."""
    with Live(settings or Settings(), store) as server:
        yield server


def hear(socket: ClientConnection, kind: str, seconds: float = PATIENCE) -> dict[str, Any]:
    """Return the next frame of a type."""
    while True:
        frame: dict[str, Any] = msgspec.json.decode(socket.recv(seconds))
        if frame["type"] == kind:
            return frame


def refused(answer: Any) -> tuple[int, str]:
    """Return status and reason of a refusal."""
    return answer.status, answer.json()["reason"]
